/** The listener of services under test: the one of `OVERROUND_TEST_LISTENER`, or the best that loads here. */

import { chooseListener, type ListenerName } from '../api/server/listeners/choose-listener.ts'

const named = process.env.OVERROUND_TEST_LISTENER as ListenerName | undefined
export const { name: testedListener } = await chooseListener(named ?? 'auto')
