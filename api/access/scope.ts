/**
 * What a caller may see: which board and which sportsbooks. Decided here for every transport, by the
 * tier, and by whether the account is one of the operator's own: what a source gives for its owner
 * alone is not there for anybody else.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { FuturesView } from '../../pipeline/views/futures/futures-view.ts'
import type { GameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import type { SourcesView } from '../../pipeline/views/sources/sources-view.ts'
import type { SplitsView } from '../../pipeline/views/splits/splits-view.ts'
import { setOfScope } from '../../schemas/main-line.ts'
import { scopeBit } from '../../schemas/opportunity.ts'
import { requiredTier, type Tier } from '../../schemas/reference/tier-books.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import { theyDo, tierRights, tiers } from './tiers.ts'

export interface Scope {
  /** Stands for it where texts are compared; no two scopes have the same. */
  readonly name: string
  readonly tier: Tier
  readonly isOwner: boolean
  readonly delaySeconds: number
  /** Of a board of the past; undefined for the board of now. */
  readonly then?: Then
  readonly board: BoardView
  /** The sportsbooks of the scope; undefined for all of the board. */
  readonly sportsbooks: readonly string[] | undefined
  /** All prices of the scope. */
  readonly all: OddsFilter
  /** See `scopeBit`; 0 for a tier without opportunities and states of games. */
  readonly visibility: number
  /** Whose main lines are the scope's, by place in `mainLineSets`. */
  readonly lineSet: number
  /** The scope's own are those with its bit. */
  readonly opportunities: OpportunityView
  /** Of the live board, for tiers that see futures; of theirs, the sportsbooks of the scope. */
  readonly futures: FuturesView
  /** Of the live board; the scope's own are those of its bit. */
  readonly gameStates: GameStatesView
  /** As futures. */
  readonly splits: SplitsView
  readonly sources: SourcesView
}

/** Instants in epoch ms. */
export interface Then {
  readonly asOf: number
  /** The newest change that the archive has; null for none. */
  readonly archivedUntil: number | null
}

/** Whose scope it is. */
export interface Viewer {
  readonly tier: Tier
  readonly isOwner: boolean
}

export interface Scopes {
  /** The same object while it sees the same sportsbooks. */
  of(viewer: Viewer): Scope
}

/** What a request without a key sees. */
export const anonymous: Viewer = { tier: 'free', isOwner: false }

/** The set of sportsbooks that a tier's opportunities and states of games are computed for. */
const visibilityOfTier: Readonly<Record<Tier, number>> = {
  free: 0,
  hobby: scopeBit.hobby,
  pro: scopeBit.pro,
  sharp: scopeBit.all,
  enterprise: scopeBit.all,
}

/** The scopes over these boards. */
export function createScopes(
  boards: Pick<
    Boards,
    'live' | 'delayed' | 'opportunities' | 'futures' | 'gameStates' | 'splits' | 'sources'
  >,
): Scopes {
  const { sources, opportunities, futures, gameStates, splits } = boards
  const kept = new Map<string, Scope>()
  let ownersOnly = sources.ownersOnly
  let knownCount = 0
  let generation = 0

  function create({ tier, isOwner }: Viewer, name: string): Scope {
    const { delaySeconds, sportsbooks: ofTier } = tierRights[tier]
    const board = delaySeconds > 0 ? boards.delayed : boards.live
    const isHidden = ownersOnly.size > 0 && !isOwner
    // "All" is no filter: what is hidden would show. So all others are named.
    const known = () =>
      new Set([...board.sportsbooks, ...futures.sportsbooks, ...splits.sportsbooks])
    const named = ofTier ?? (isHidden ? known() : undefined)
    const sportsbooks = named && [...named].filter((id) => !isHidden || !ownersOnly.has(id))
    const seesMore = isOwner && ownersOnly.size > 0
    const visibility = seesMore ? scopeBit.owner : visibilityOfTier[tier]
    return {
      name: generation === 0 ? name : `${name} ${generation}`,
      tier,
      isOwner,
      delaySeconds,
      board,
      sportsbooks,
      all: sportsbooks ? { sportsbooks } : {},
      visibility,
      lineSet: setOfScope(visibility),
      opportunities,
      futures,
      gameStates,
      splits,
      sources,
    }
  }

  /** None of them ever loses one. */
  const countKnown = () =>
    boards.live.sportsbooks.length + futures.sportsbooks.size + splits.sportsbooks.size

  /** What was hidden, or what there is beside it, has changed. */
  function isOutdated() {
    if (ownersOnly !== sources.ownersOnly) return true
    return ownersOnly.size > 0 && knownCount !== countKnown()
  }

  return {
    of(viewer) {
      if (isOutdated()) {
        ownersOnly = sources.ownersOnly
        knownCount = countKnown()
        generation++
        kept.clear()
      }
      const name = viewer.isOwner ? `${viewer.tier}-owner` : viewer.tier
      let scope = kept.get(name)
      if (!scope) {
        scope = create(viewer, name)
        kept.set(name, scope)
      }
      return scope
    },
  }
}

/**
 * The same scope over a board of the past. What is for owners alone now is for them alone as it was
 * then: sportsbooks that have left the board since are among those that a scope with names names.
 */
export function scopeOver(scope: Scope, board: BoardView, then: Then): Scope {
  const { tier, isOwner, sources } = scope
  const isOfAll = tierRights[tier].sportsbooks === null
  const sportsbooks =
    scope.sportsbooks && isOfAll
      ? board.sportsbooks.filter((id) => isOwner || !sources.ownersOnly.has(id))
      : scope.sportsbooks
  return {
    ...scope,
    name: `${scope.name} ${then.asOf}`,
    then,
    board,
    sportsbooks,
    all: sportsbooks ? { sportsbooks } : {},
  }
}

/** Tiers that an account of the owner may have: those that see every sportsbook. */
export const ownerTiers: readonly Tier[] = tiers.filter(
  (tier) => tierRights[tier].sportsbooks === null,
)

/** The first of these sportsbooks that the tier does not include. */
export function outsideTier(tier: Tier, named: readonly string[]): string | undefined {
  const { sportsbooks } = tierRights[tier]
  return sportsbooks === null ? undefined : named.find((sportsbook) => !sportsbooks.has(sportsbook))
}

/** What a caller is told that names sportsbooks outside its tier: who sees them all. */
export function lackOfSportsbooks(tier: Tier, outside: readonly string[]): string {
  const having = tiers.filter((other) => outsideTier(other, outside) === undefined)
  return `The ${tier} tier does not include ${outside.join(', ')}: ${theyDo(having)}.`
}

/**
 * The sportsbooks of a request: those it names, else all of the scope. One that is the owner's alone
 * is, for others, one without prices.
 * @throws ApiError tier_restricted when it names one outside the tier
 */
export function scopedSportsbooks(
  scope: Scope,
  named: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!named || !scope.sportsbooks) return named ?? scope.sportsbooks
  const outside = outsideTier(scope.tier, named)
  if (outside === undefined) return named.filter((sportsbook) => seesSportsbook(scope, sportsbook))
  const required = requiredTier(outside)
  throw new ApiError('tier_restricted', lackOfSportsbooks(scope.tier, [outside]), {
    tier: scope.tier,
    required_tier: required,
    max_books: tierRights[scope.tier].sportsbooks?.size ?? 0,
    requested_books: named.length,
  })
}

/** The place of its set of sportsbooks in `scopeBit`; -1 for a scope without opportunities. */
export const visibilityIndex = ({ visibility }: Scope) => 31 - Math.clz32(visibility)

/** Whether nothing of its board is hidden from the scope. */
export const seesAll = ({ sportsbooks }: Scope) => sportsbooks === undefined

/** Whether the scope shows a sportsbook's rows. */
export function seesSportsbook({ sportsbooks }: Scope, sportsbook: string): boolean {
  return !sportsbooks || sportsbooks.includes(sportsbook)
}
