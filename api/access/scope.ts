/**
 * Scopes: the board and the sportsbooks that a caller sees, on every transport. They are derived from the tier, and
 * from whether the account is the operator's own: only owners see sources that are for their owner alone.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { FuturesView } from '../../pipeline/views/futures/futures-view.ts'
import type { GameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import type { OpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import type { SourcesView } from '../../pipeline/views/sources/sources-view.ts'
import type { SplitsView } from '../../pipeline/views/splits/splits-view.ts'
import { setOfScope } from '../../schemas/main-line.ts'
import { visibilityBit } from '../../schemas/opportunity.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { requiredTier, type Tier } from '../../schemas/reference/tier-books.ts'
import type { Boards } from '../boards.ts'
import type { SetView } from '../book-sets.ts'
import { ApiError } from '../errors.ts'
import { theyDo, tierRights, tiers } from './tiers.ts'

export interface Scope {
  /** Name, unique for each scope of this process. */
  readonly name: string
  /**
   * A text of the request's tier, time and choice of sportsbooks: the same at every process,
   * whichever sportsbooks are hidden or known now.
   */
  readonly asked: string
  readonly tier: Tier
  readonly isOwner: boolean
  readonly delaySeconds: number
  /** Set for a board of the past. */
  readonly then?: Then
  readonly board: BoardView
  /** Undefined for all of the board. */
  readonly sportsbooks: readonly string[] | undefined
  /** The sportsbooks that the request chose; undefined for no choice. */
  readonly among?: Among
  /** The filter that matches all its prices. */
  readonly all: OddsFilter
  /** The bit of its visibility; 0 for a tier without opportunities and game states. */
  readonly visibilityBit: number
  /** Index of its main lines in `mainLineSets`. */
  readonly lineSet: number
  /** The scope sees rows with its visibility bit. */
  readonly opportunities: OpportunityView
  /** Futures of the live board. The scope sees its sportsbooks, if the tier has futures. */
  readonly futures: FuturesView
  /** Games in play of the live board. The scope sees rows with its visibility bit. */
  readonly gameStates: GameStatesView
  /** Splits of the live board. The scope sees its sportsbooks, if the tier has splits. */
  readonly splits: SplitsView
  /** The live sources, also of a delayed board: hiding a sportsbook takes effect at once. */
  readonly sources: SourcesView
  /** The statuses of sportsbooks, as late as the board. */
  readonly statuses: Pick<SourcesView, 'sportsbook' | 'version'>
}

/** Sportsbooks that a request considers as if there were no others. */
export interface Among {
  /** The requested sportsbooks, within the tier. */
  readonly named: readonly string[]
  /** The requested sportsbooks that the scope sees. */
  readonly sportsbooks: ReadonlySet<string>
  /** Opportunities among them; null on a board that has none. */
  readonly set: ChosenSet | null
}

/** Opportunities that are computed while somebody reads them, see `SetView`. */
export type ChosenSet = Pick<
  SetView,
  'askedBy' | 'require' | 'reserve' | 'hold' | 'peek' | 'ahead' | 'mostOfAccount'
>

/** Times in epoch ms. */
export interface Then {
  readonly asOf: number
  /** The newest change in the archive; null for none. */
  readonly archivedUntil: number | null
}

/** The properties of a caller that decide its scope. */
export interface Viewer {
  readonly tier: Tier
  readonly isOwner: boolean
}

export interface Scopes {
  /** @returns the same object while the scope's sportsbooks stay the same */
  of(viewer: Viewer): Scope
}

/** The scopes of requests. */
export interface RequestScopes extends Scopes {
  /**
   * Returns the scope chosen by a request.
   * @param books values of the parameter `books`
   * @throws ApiError as `ChosenBooks`
   */
  among(
    scope: Scope,
    books: readonly string[] | undefined,
    caller: { readonly accountId: string } | undefined,
  ): Scope
  /** Returns an account's profile; empty if it has none. */
  profileOf(accountId: string): ProfileRow
}

/** The viewer of a request without a key. */
export const anonymous: Viewer = { tier: 'free', isOwner: false }

/** The visibility of each tier: opportunities and game states are computed for these sets of sportsbooks. */
const visibilityBitOfTier: Readonly<Record<Tier, number>> = {
  free: 0,
  hobby: visibilityBit.hobby,
  pro: visibilityBit.pro,
  sharp: visibilityBit.all,
  enterprise: visibilityBit.all,
}

/** Creates the scopes over these boards. */
export function createScopes(
  boards: Pick<
    Boards,
    | 'live'
    | 'delayed'
    | 'opportunities'
    | 'futures'
    | 'gameStates'
    | 'splits'
    | 'sources'
    | 'delayedSources'
  >,
): Scopes {
  const { sources, opportunities, futures, gameStates, splits } = boards
  const cached = new Map<string, Scope>()
  let ownersOnly = sources.ownersOnly
  let knownCount = 0
  let generation = 0

  const boardOf = (tier: Tier) => (tierRights[tier].delaySeconds > 0 ? boards.delayed : boards.live)

  /** Returns what decides which rows a viewer sees now. */
  function seenBy({ tier, isOwner }: Viewer): Pick<Scope, 'sportsbooks' | 'visibilityBit'> {
    const isHiding = ownersOnly.size > 0 && !isOwner
    // Names all other sportsbooks, because without a filter the hidden ones would show.
    const known = () =>
      new Set([...boardOf(tier).sportsbooks, ...futures.sportsbooks, ...splits.sportsbooks])
    const named = tierRights[tier].sportsbooks ?? (isHiding ? known() : undefined)
    const seesMore = isOwner && ownersOnly.size > 0
    return {
      sportsbooks: named && [...named].filter(mayShowTo({ isOwner, sources })),
      visibilityBit: seesMore ? visibilityBit.owner : visibilityBitOfTier[tier],
    }
  }

  function create(viewer: Viewer, asked: string): Scope {
    const { tier, isOwner } = viewer
    const { delaySeconds } = tierRights[tier]
    const { sportsbooks, visibilityBit } = seenBy(viewer)
    return {
      name: generation === 0 ? asked : `${asked} ${generation}`,
      asked,
      tier,
      isOwner,
      delaySeconds,
      board: boardOf(tier),
      sportsbooks,
      all: sportsbooks ? { sportsbooks } : {},
      visibilityBit,
      lineSet: setOfScope(visibilityBit),
      opportunities,
      futures,
      gameStates,
      splits,
      sources,
      statuses: delaySeconds > 0 ? boards.delayedSources : sources,
    }
  }

  /** The counts only grow. */
  const countKnown = () =>
    boards.live.sportsbooks.length + futures.sportsbooks.size + splits.sportsbooks.size

  /** Returns whether the hidden sportsbooks changed, or the others while some are hidden. */
  function isOutdated() {
    if (ownersOnly !== sources.ownersOnly) return true
    return ownersOnly.size > 0 && knownCount !== countKnown()
  }

  /** Returns whether the scope sees what one created now would: a change may touch none of its sportsbooks. */
  function isCurrent(scope: Scope) {
    const { sportsbooks, visibilityBit } = seenBy(scope)
    const listOf = (seen: Scope['sportsbooks']) => seen && [...seen].sort().join()
    return (
      visibilityBit === scope.visibilityBit && listOf(sportsbooks) === listOf(scope.sportsbooks)
    )
  }

  return {
    of(viewer) {
      if (isOutdated()) {
        ownersOnly = sources.ownersOnly
        knownCount = countKnown()
        generation++
        for (const [name, scope] of cached) if (!isCurrent(scope)) cached.delete(name)
      }
      const name = viewer.isOwner ? `${viewer.tier}-owner` : viewer.tier
      let scope = cached.get(name)
      if (!scope) {
        scope = create(viewer, name)
        cached.set(name, scope)
      }
      return scope
    },
  }
}

/**
 * Returns the scope over a board of the past. Sportsbooks that are for owners alone now are hidden there too. A scope
 * that names its sportsbooks also sees those that have left the board since.
 */
export function scopeOver(scope: Scope, board: BoardView, then: Then): Scope {
  const isOfAll = tierRights[scope.tier].sportsbooks === null
  const sportsbooks =
    scope.sportsbooks && isOfAll ? board.sportsbooks.filter(mayShowTo(scope)) : scope.sportsbooks
  return {
    ...scope,
    name: `${scope.name} ${then.asOf}`,
    asked: `${scope.asked} ${then.asOf}`,
    then,
    board,
    sportsbooks,
    all: sportsbooks ? { sportsbooks } : {},
  }
}

/** Tiers of an owner's account: those that see every sportsbook. */
export const ownerTiers: readonly Tier[] = tiers.filter(
  (tier) => tierRights[tier].sportsbooks === null,
)

/**
 * Returns the first of these sportsbooks outside the tier. A former sportsbook is outside no tier:
 * it has no prices.
 */
export function outsideTier(tier: Tier, named: readonly string[]): string | undefined {
  const { sportsbooks } = tierRights[tier]
  if (sportsbooks === null) return undefined
  return named.find((id) => !sportsbooks.has(id) && findSportsbook(id)?.status !== 'inactive')
}

/** Returns the message for a caller that names sportsbooks outside its tier. */
export function lackOfSportsbooks(tier: Tier, outside: readonly string[]): string {
  const having = tiers.filter((other) => outsideTier(other, outside) === undefined)
  return `The ${tier} tier does not include ${outside.join(', ')}: ${theyDo(having)}.`
}

/**
 * Returns the sportsbooks of a request: those it names, else all of the scope. For a caller who is no owner, an
 * owner-only sportsbook counts as one without prices.
 * @throws ApiError tier_restricted if it names one outside the tier
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

/** The fields of a scope that decide which sportsbooks are hidden from its caller. */
type Audience = Pick<Scope, 'isOwner' | 'sources'>

/** Returns the rule that hides sportsbooks for the owner alone from other callers, whatever their tier. */
export const mayShowTo =
  ({ isOwner, sources }: Audience) =>
  (sportsbook: string): boolean =>
    isOwner || !sources.ownersOnly.has(sportsbook)

/** Returns the sportsbooks that the rule hides, in order. */
export const hiddenFrom = ({ isOwner, sources }: Audience): string[] =>
  isOwner ? [] : [...sources.ownersOnly].sort()

/** Returns the scope's visibility; -1 for a scope without opportunities. */
export const visibilityOfScope = ({ visibilityBit }: Scope) => 31 - Math.clz32(visibilityBit)

/** Returns whether a bet at the sportsbook may be shown. */
export const betsAt = (scope: Scope, sportsbook: string): boolean =>
  (scope.among?.sportsbooks.has(sportsbook) ?? true) && seesSportsbook(scope, sportsbook)

/** Returns whether the scope sees all of its board. */
export const seesAll = ({ sportsbooks }: Scope) => sportsbooks === undefined

/**
 * Returns a text that identifies which prices a scope shows of its board, the same at every
 * process; null for all. A client whose view has changed cannot go on from the rows that it has.
 */
export function viewOf(scope: Scope): string | null {
  const { tier, lineSet, among } = scope
  if (seesAll(scope) && !among) return null
  const named = among?.named ?? tierRights[tier].sportsbooks
  const shown = named && [...named].filter(mayShowTo(scope))
  // A view of all sportsbooks names the hidden ones, because processes may know different
  // sportsbooks.
  return JSON.stringify([shown, shown ? null : hiddenFrom(scope), among !== undefined, lineSet])
}

/** Returns whether the scope sees a sportsbook. */
export function seesSportsbook({ sportsbooks }: Scope, sportsbook: string): boolean {
  return !sportsbooks || sportsbooks.includes(sportsbook)
}
