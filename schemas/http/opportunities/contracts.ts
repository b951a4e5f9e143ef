/** The contracts of all kinds of opportunity, in the order in which documents and streams have them. */

import type { OpportunityKind } from '../../opportunity.ts'
import { arbitrageContract } from './arbitrage.ts'
import { evContract } from './ev.ts'
import { lowHoldContract } from './low-hold.ts'
import { middlesContract } from './middles.ts'
import type { OpportunityContract } from './opportunity.ts'

export const opportunityContracts = {
  ev: evContract,
  arbitrage: arbitrageContract,
  middle: middlesContract,
  low_hold: lowHoldContract,
} as const satisfies Readonly<Record<OpportunityKind, OpportunityContract>>

/** The bounds that streams take in addresses and frames, and those that they take in addresses alone. */
export const streamBoundsQuery = { ...evContract.streamQuery, ...arbitrageContract.streamQuery }
export const addressBoundsQuery = {
  ...middlesContract.addressQuery,
  ...lowHoldContract.addressQuery,
}
