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
import { textHash } from '../../schemas/text-hash.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'

/**
 * A number that stands for everything counted, for comparison, and since when it has been the same.
 */
interface Marked {
  mark: number
  /** The newest sighting in the scope when the mark was first found (epoch ms). */
  changedAt: number
}

/** Counts of events with prices in the scope. */
export interface SeenCount {
  events: number
  live: number
  /** The events' newest sighting in the scope (epoch ms). */
  seenAt: number
}

/** The mark stands for the events, their teams and whether they are in play. */
export interface EventCount extends SeenCount, Marked {}

export interface LeagueCount extends EventCount {
  readonly sport: string
  readonly league: string
}

export interface EventCounts {
  readonly all: EventCount
  readonly sports: ReadonlyMap<string, EventCount>
  /** Several sports may have a league of the same unlisted name. */
  readonly leagues: readonly LeagueCount[]
  readonly sportsbooks: ReadonlyMap<string, SeenCount>
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
  /** By sport. The mark stands for the events and all counts above. */
  readonly marks: ReadonlyMap<string, Marked>
}

/** Cached counts of one scope, kept until they expire. */
interface Counted {
  period: number
  readonly stamp: number
  /** Counts of an earlier period, to tell what has changed since. */
  readonly before: {
    readonly events: EventCounts | undefined
    readonly markets: MarketCounts | undefined
  }
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
    const fresh: Counted = {
      period,
      stamp,
      before: {
        events: before?.events ?? before?.before.events,
        markets: before?.markets ?? before?.before.markets,
      },
    }
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
  counts.events ??= walkEvents(scope, counts.before.events)
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
  const counts = ofTenSeconds(scope)
  const before = counts.before.markets
  const events = walkEvents(scope, before?.events)
  const marks = new Map<string, Marked>()
  for (const [sport, { mark, seenAt }] of events.sports) {
    const ofSport = [...types].flatMap(([type, { sports, hasLine }]) => {
      const counted = sports.get(sport)
      return counted ? [type, counted.events, counted.selections, hasLine] : []
    })
    const marked = { mark: mark + textHash(ofSport.join()), changedAt: 0 }
    marks.set(sport, since(marked, seenAt, before?.marks.get(sport)))
  }
  counts.markets = { types, events, marks }
}

/** Lists the games of each known team in one walk over the events. */
export function countTeams(scope: Scope): ReadonlyMap<Team, readonly TeamGame[]> {
  const counts = ofSecond(scope)
  counts.teams ??= walkTeams(scope)
  return counts.teams
}

const unseen = (): SeenCount => ({ events: 0, live: 0, seenAt: 0 })
const nothing = (): EventCount => ({ ...unseen(), mark: 0, changedAt: 0 })

function add(count: SeenCount, row: EventRow, seenAt: number) {
  count.events++
  if (row.isLive) count.live++
  if (seenAt > count.seenAt) count.seenAt = seenAt
}

function addMarked(count: EventCount, row: EventRow, seenAt: number) {
  add(count, row, seenAt)
  // A sum, because the order of events does not matter.
  count.mark += markOf(row)
}

/**
 * Sets the time of a mark. An unchanged mark keeps its time. A new one gets the newest sighting, or
 * 1 ms after the former mark if that is later.
 */
function since<Count extends Marked>(count: Count, seenAt: number, before?: Marked): Count {
  const earlier = before?.changedAt ?? -1
  count.changedAt = before?.mark === count.mark ? earlier : Math.max(earlier + 1, seenAt)
  return count
}

const marks = new WeakMap<EventRow, number>()

/** Returns a hash of all that the reference lists show of an event. */
function markOf(row: EventRow): number {
  let mark = marks.get(row)
  if (mark === undefined) {
    const { homeTeam, awayTeam, isLive } = row
    mark = textHash(`${homeTeam}|${awayTeam}|${isLive}`)
    marks.set(row, mark)
  }
  return mark
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

/** @param before earlier counts of the scope */
function walkEvents(scope: Scope, before?: EventCounts): EventCounts {
  const seen = seenBooks(scope)
  const all = nothing()
  const sports = new Map<string, EventCount>()
  const leagues = new Map<string, LeagueCount>()
  const byBook = seen.map(unseen)
  for (const { row, offers } of scope.board.events(eventListKey.all)) {
    const { sport, league } = row
    let seenAt = 0
    for (const { book, rowCount, lastSeenAt } of offers.values()) {
      if (rowCount === 0 || !seen[book]) continue
      add(byBook[book]!, row, lastSeenAt)
      seenAt = Math.max(seenAt, lastSeenAt)
    }
    if (seenAt === 0) continue
    const key = leagueKey(row)
    addMarked(all, row, seenAt)
    addMarked(member(sports, sport, nothing), row, seenAt)
    addMarked(
      member(leagues, key, () => ({ sport, league, ...nothing() })),
      row,
      seenAt,
    )
  }
  since(all, all.seenAt, before?.all)
  for (const [sport, count] of sports) since(count, count.seenAt, before?.sports.get(sport))
  const earlier = new Map(before?.leagues.map((count) => [leagueKey(count), count]))
  for (const [key, count] of leagues) since(count, count.seenAt, earlier.get(key))
  const sportsbooks = new Map(
    byBook.flatMap((count, book): [string, SeenCount][] =>
      count.events > 0 ? [[scope.board.sportsbooks[book]!, count]] : [],
    ),
  )
  return { all, sports, leagues: [...leagues.values()], sportsbooks }
}

const leagueKey = ({ sport, league }: Pick<EventRow, 'sport' | 'league'>) => `${sport}|${league}`

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
