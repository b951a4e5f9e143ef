/** The messages that a page shows as notifications. */

import { expect, it } from 'vitest'
import { createNoticeChoice } from '../../api/web/client/data/notices.ts'

type State = 'pending' | 'delivered' | 'failed'

const message = (id: string, second: number, isGone = false, title: string | null = id) => ({
  ...{ id, title, state: 'delivered' as State, decided_at: new Date(second * 1_000).toISOString() },
  gone_at: isGone ? new Date().toISOString() : null,
})
const ids = (of: readonly { readonly id: string }[]) => of.map(({ id }) => id)

it('shows what comes after the first listing, each once, whatever the browser’s clock says', () => {
  const choose = createNoticeChoice()
  const before = [message('b', 20), message('a', 10)]
  expect(choose(before)).toEqual([])
  // All of it is long past by the clock of this machine.
  expect(ids(choose([message('c', 20), ...before]))).toEqual(['c'])
  expect(choose([message('c', 20), ...before])).toEqual([])
  // An older one comes into the listing when a newer one has left it.
  expect(choose([message('b', 20), message('older', 5)])).toEqual([])
  expect(choose([message('gone', 30, true), message('untitled', 30, false, null)])).toEqual([])
})

it('shows the first message of an account that had none', () => {
  const choose = createNoticeChoice()
  expect(choose([])).toEqual([])
  expect(ids(choose([message('a', 10)]))).toEqual(['a'])
})

it('shows a message that waits once it is delivered, and none that was refused', () => {
  const choose = createNoticeChoice()
  const as = (id: string, state: State) => ({ ...message(id, 10), state })
  choose([])
  expect(choose([as('a', 'pending'), as('b', 'failed')])).toEqual([])
  expect(ids(choose([as('a', 'delivered'), as('b', 'failed')]))).toEqual(['a'])
})
