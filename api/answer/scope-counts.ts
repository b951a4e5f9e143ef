/**
 * Counts the events, markets and prices of a scope, for the reference lists. Only rows of the scope's
 * sportsbooks count, so no number reveals an event, league or market that only other sportsbooks offer.
 *
 * A live board changes many times a second, and each count walks all of it. So counts may be one second old.
 * Market counts, whose walk takes longer, may be ten seconds old. A scope is counted again when that time has
 * passed on the board and something has changed since. All lists share the result.
 */

import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { countSelections } from '../../pipeline/views/query/market-counts.ts'
import type { EventRow } from '../../schemas/event.ts'
import { findTeam, type Team } from '../../schemas/reference/teams.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'

/** Counts of events with prices in the scope. */
export interface EventCount {
  events: number
  live: number
  /** The events' newest sighting in the scope (epoch ms). */
  updatedAt: number
}

export interface LeagueCount extends EventCount {
  readonly sport: string
  readonly league: string
}

export interface EventCounts {
  readonly all: EventCount
  readonly sports: ReadonlyMap<string, EventCount>
  /** Several sports may have a league of the same unlisted name. */
  readonly leagues: readonly LeagueCount[]
  readonly sportsbooks: ReadonlyMap<string, EventCount>
}

/** Counts of one market type in one sport. */
export interface MarketCount {
  events: number
  /** Distinct selections. */
  selections: number
}

export interface MarketTypeCounts {
  readonly sports: Map<string, MarketCount>
  /** Whether any selection has a line. Used for types that the registry does not describe. */
  hasLine: boolean
}

export interface TeamGame {
  readonly isLive: boolean
}

export interface MarketCounts {
  readonly types: ReadonlyMap<string, MarketTypeCounts>
  /** The event counts at the time of the market counts. */
  readonly events: EventCounts
}

/** Cached counts of one scope, kept until they expire. */
interface Counted {
  period: number
  readonly stamp: number
  events?: EventCounts
  markets?: MarketCounts
  teams?: ReadonlyMap<Team, readonly TeamGame[]>
}

const microsOfSecond = 1_000_000

function createKept(seconds: number) {
  const kept = new WeakMap<Scope, Counted>()
  return (scope: Scope): Counted => {
    const { board } = scope
    const before = kept.get(scope)
    const period = Math.floor(board.watermark / (seconds * microsOfSecond))
    if (before?.period === period) return before
    const stamp = board.changeStamp({})
    if (before?.stamp === stamp) {
      before.period = period
      return before
    }
    const fresh = { period, stamp }
    kept.set(scope, fresh)
    return fresh
  }
}

const ofSecond = createKept(1)
const ofTenSeconds = createKept(10)

/** Returns the version of a scope's counts. It changes at most once a second, and only if the board changed. */
export const countsVersion = (scope: Scope) => ofSecond(scope).stamp

/** Returns the version of a scope's market counts. It changes at most every ten seconds. */
export const marketCountsVersion = (scope: Scope) => ofTenSeconds(scope).stamp

/** Counts events in one walk over the events. */
export function countEvents(scope: Scope): EventCounts {
  const counts = ofSecond(scope)
  counts.events ??= walkEvents(scope)
  return counts.events
}

/** Counts markets in one walk over all prices. */
export function countMarkets(scope: Scope): MarketCounts {
  if (!ofTenSeconds(scope).markets) for (const _ of walkAhead(scope));
  return ofTenSeconds(scope).markets!
}

/**
 * Counts the markets ahead of `countMarkets`, some thousands of prices per step. The board may change between
 * steps; each market is counted as it is at its step. Null if the counts are cached.
 */
export const countMarketsAhead = (scope: Scope): Iterator<void> | null =>
  ofTenSeconds(scope).markets ? null : walkAhead(scope)

function* walkAhead(scope: Scope): Generator<void, void> {
  const types = yield* walkMarkets(scope)
  ofTenSeconds(scope).markets = { types, events: walkEvents(scope) }
}

/** Lists the games of each known team in one walk over the events. */
export function countTeams(scope: Scope): ReadonlyMap<Team, readonly TeamGame[]> {
  const counts = ofSecond(scope)
  counts.teams ??= walkTeams(scope)
  return counts.teams
}

const nothing = (): EventCount => ({ events: 0, live: 0, updatedAt: 0 })

function add(count: EventCount, isLive: boolean, seenAt: number) {
  count.events++
  if (isLive) count.live++
  if (seenAt > count.updatedAt) count.updatedAt = seenAt
}

function member<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}

/** Returns whether the scope sees each sportsbook of its board, by the sportsbook's number. */
const seenBooks = (scope: Scope) =>
  scope.board.sportsbooks.map((sportsbook) => seesSportsbook(scope, sportsbook))

function walkEvents(scope: Scope): EventCounts {
  const seen = seenBooks(scope)
  const all = nothing()
  const sports = new Map<string, EventCount>()
  const leagues = new Map<string, LeagueCount>()
  const byBook = seen.map(nothing)
  for (const { row, offers } of scope.board.events(eventListKey.all)) {
    const { sport, league, isLive } = row
    let seenAt = 0
    for (const { book, rowCount, lastSeenAt } of offers.values()) {
      if (rowCount === 0 || !seen[book]) continue
      add(byBook[book]!, isLive, lastSeenAt)
      seenAt = Math.max(seenAt, lastSeenAt)
    }
    if (seenAt === 0) continue
    const key = `${sport}|${league}`
    add(all, isLive, seenAt)
    add(member(sports, sport, nothing), isLive, seenAt)
    add(
      member(leagues, key, () => ({ sport, league, ...nothing() })),
      isLive,
      seenAt,
    )
  }
  const sportsbooks = new Map(
    byBook.flatMap((count, book): [string, EventCount][] =>
      count.events > 0 ? [[scope.board.sportsbooks[book]!, count]] : [],
    ),
  )
  return { all, sports, leagues: [...leagues.values()], sportsbooks }
}

const pricesPerStep = 4_096

function* walkMarkets(scope: Scope): Generator<void, ReadonlyMap<string, MarketTypeCounts>> {
  const types = new Map<string, MarketTypeCounts>()
  const { board, all } = scope
  let looked = 0
  // Events added during the walk are counted next time; removed ones have no prices left.
  for (const event of [...board.events(eventListKey.all)]) {
    const { books } = compile(board, all)
    for (const block of event.blocks) {
      const { count: selections, hasLine } = countSelections(board, block, books)
      if (selections === 0) continue
      const ofType = member(types, block.marketType, () => ({
        sports: new Map<string, MarketCount>(),
        hasLine: false,
      }))
      ofType.hasLine ||= hasLine
      const count = member(ofType.sports, event.row.sport, () => ({ events: 0, selections: 0 }))
      count.events++
      count.selections += selections
    }
    looked += event.rowCount
    if (looked < pricesPerStep) continue
    looked = 0
    yield
  }
  return types
}

/** Teams of a game, by event row. */
const teamsOfRow = new WeakMap<EventRow, readonly Team[]>()

function teamsOf(row: EventRow): readonly Team[] {
  let teams = teamsOfRow.get(row)
  if (!teams) {
    const { league, homeTeam, awayTeam } = row
    teams = [homeTeam, awayTeam].flatMap((name) => findTeam(name, league) ?? [])
    teamsOfRow.set(row, teams)
  }
  return teams
}

function walkTeams(scope: Scope): ReadonlyMap<Team, readonly TeamGame[]> {
  const seen = seenBooks(scope)
  const games = new Map<Team, TeamGame[]>()
  for (const event of scope.board.events(eventListKey.all)) {
    if (!isShown(event, seen)) continue
    const game = { isLive: event.row.isLive }
    for (const team of teamsOf(event.row)) member(games, team, () => []).push(game)
  }
  return games
}

function isShown({ offers }: ViewEvent, seen: readonly boolean[]): boolean {
  for (const { book, rowCount } of offers.values()) {
    if (rowCount > 0 && seen[book]) return true
  }
  return false
}
