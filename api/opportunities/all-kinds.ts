/** All kinds of opportunity, in the order of documents and streams. */

import { type OpportunityKind, opportunityKinds } from '../../schemas/opportunity.ts'
import type { Kind } from './kind.ts'
import { arbitrage } from './kinds/arbitrage.ts'
import { ev } from './kinds/ev.ts'
import { lowHold } from './kinds/low-hold.ts'
import { middles } from './kinds/middles.ts'

const byName: Readonly<Record<OpportunityKind, Kind>> = {
  ev,
  arbitrage,
  middle: middles,
  low_hold: lowHold,
}

export const kindOf = (name: OpportunityKind): Kind => byName[name]

export const allKinds = opportunityKinds.map(kindOf)
