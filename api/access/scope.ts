/** What a caller may see: which board and which sportsbooks. Decided here for every transport. */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { FuturesView } from '../../pipeline/views/futures/futures-view.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import { scopeBit } from '../../schemas/opportunity.ts'
import { requiredTier, type Tier } from '../../schemas/reference/tier-books.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import { tierRights, tiers } from './tiers.ts'

export interface Scope {
  readonly tier: Tier
  readonly delaySeconds: number
  readonly board: BoardView
  /** The sportsbooks of the scope; undefined for all of the board. */
  readonly sportsbooks: readonly string[] | undefined
  /** All prices of the scope. */
  readonly all: OddsFilter
  /** See `scopeBit`; 0 for a tier without opportunities. */
  readonly opportunityBit: number
  /** The scope's own are those with its bit. */
  readonly opportunities: OpportunityView
  /** Of the live board, for tiers that see futures; of theirs, the sportsbooks of the scope. */
  readonly futures: FuturesView
}

/** The set of sportsbooks that a tier's opportunities are computed for. */
const opportunityBits: Readonly<Record<Tier, number>> = {
  free: 0,
  hobby: scopeBit.hobby,
  pro: scopeBit.pro,
  sharp: scopeBit.all,
  enterprise: scopeBit.all,
}

/** The scope of each tier. */
export function createScopes(
  boards: Pick<Boards, 'live' | 'delayed' | 'opportunities' | 'futures'>,
): Readonly<Record<Tier, Scope>> {
  const entries = tiers.map((tier): [Tier, Scope] => {
    const { delaySeconds } = tierRights[tier]
    const sportsbooks = tierRights[tier].sportsbooks && [...tierRights[tier].sportsbooks]
    return [
      tier,
      {
        tier,
        delaySeconds,
        board: delaySeconds > 0 ? boards.delayed : boards.live,
        sportsbooks: sportsbooks ?? undefined,
        all: sportsbooks ? { sportsbooks } : {},
        opportunityBit: opportunityBits[tier],
        opportunities: boards.opportunities,
        futures: boards.futures,
      },
    ]
  })
  return Object.fromEntries(entries) as Record<Tier, Scope>
}

/**
 * The sportsbooks of a request: those it names, else all of the scope.
 * @throws ApiError tier_restricted when it names one outside the scope
 */
export function scopedSportsbooks(
  scope: Scope,
  named: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!named || !scope.sportsbooks) return named ?? scope.sportsbooks
  const outside = named.find((sportsbook) => !scope.sportsbooks?.includes(sportsbook))
  if (outside === undefined) return named
  const required = requiredTier(outside)
  throw new ApiError(
    'tier_restricted',
    `The ${scope.tier} tier does not include ${outside}; the ${required ?? 'free'} tier does.`,
    {
      tier: scope.tier,
      required_tier: required,
      max_books: scope.sportsbooks.length,
      requested_books: named.length,
    },
  )
}

/** Whether the scope shows a sportsbook's rows. */
export function seesSportsbook({ sportsbooks }: Scope, sportsbook: string): boolean {
  return !sportsbooks || sportsbooks.includes(sportsbook)
}
