/**
 * How much of the board a scope shows: what the reference lists say beside their names. Counted from
 * the rows of the scope's sportsbooks alone, so that no number tells of an event, league or market
 * which only others offer.
 *
 * A live board changes many times a second, and each count is a walk over all of it. So the counts are
 * as fresh as the second, those of markets as ten seconds, because their walk is the long one: a scope
 * is counted again when that time has passed on the board and something has changed since, once for
 * all lists together.
 */

import { eventListKey, type ViewEvent } from '../pipeline/views/board-view.ts'
import { findTeam, type Team } from '../schemas/reference/teams.ts'
import { type Scope, seesSportsbook } from './access/scope.ts'

/** Of events with prices in the scope. */
export interface EventCount {
  events: number
  live: number
  /** The newest sighting of them in the scope (epoch ms). */
  updatedAt: number
}

export interface LeagueCount extends EventCount {
  readonly sport: string
  readonly league: string
}

export interface EventCounts {
  readonly all: EventCount
  readonly sports: ReadonlyMap<string, EventCount>
  /** An unlisted name may be a league of several sports. */
  readonly leagues: readonly LeagueCount[]
  readonly sportsbooks: ReadonlyMap<string, EventCount>
}

/** Of one market type in one sport. */
export interface MarketCount {
  events: number
  /** Distinct selections. */
  selections: number
}

export interface MarketTypeCounts {
  readonly sports: Map<string, MarketCount>
  /** Whether any selection has a line; kept for types that the registry does not describe. */
  hasLine: boolean
}

export interface TeamGame {
  readonly isLive: boolean
}

export interface MarketCounts {
  readonly types: ReadonlyMap<string, MarketTypeCounts>
  /** As they were when the markets were counted. */
  readonly events: EventCounts
}

/** What is kept of a scope until its time has passed. */
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

/** The version of the counts of a scope: moves at most once a second, and only after a change. */
export const countsVersion = (scope: Scope) => ofSecond(scope).stamp

/** The version of the counts of its markets: moves at most every ten seconds. */
export const marketCountsVersion = (scope: Scope) => ofTenSeconds(scope).stamp

/** One walk over the events. */
export function countEvents(scope: Scope): EventCounts {
  const of = ofSecond(scope)
  of.events ??= walkEvents(scope)
  return of.events
}

/** One walk over the market blocks, and over the rows where only some of a block may be seen. */
export function countMarkets(scope: Scope): MarketCounts {
  const of = ofTenSeconds(scope)
  of.markets ??= { types: walkMarkets(scope), events: walkEvents(scope) }
  return of.markets
}

/** Games of each team that is known by name, by one walk over the events. */
export function countTeams(scope: Scope): ReadonlyMap<Team, readonly TeamGame[]> {
  const of = ofSecond(scope)
  of.teams ??= walkTeams(scope)
  return of.teams
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

function walkEvents(scope: Scope): EventCounts {
  const all = nothing()
  const sports = new Map<string, EventCount>()
  const leagues = new Map<string, LeagueCount>()
  const sportsbooks = new Map<string, EventCount>()
  for (const { row, offers } of scope.board.events(eventListKey.all)) {
    const { sport, league, isLive } = row
    let seenAt = 0
    for (const { sportsbook, rowCount, lastSeenAt } of offers.values()) {
      if (rowCount === 0 || !seesSportsbook(scope, sportsbook)) continue
      add(member(sportsbooks, sportsbook, nothing), isLive, lastSeenAt)
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
  return { all, sports, leagues: [...leagues.values()], sportsbooks }
}

function walkMarkets(scope: Scope): ReadonlyMap<string, MarketTypeCounts> {
  const { board } = scope
  const { rows } = board
  const seen = board.sportsbooks.map((sportsbook) => seesSportsbook(scope, sportsbook))
  const types = new Map<string, MarketTypeCounts>()
  for (const { row: event, offers, blocks } of board.events(eventListKey.all)) {
    const visibility = visibilityOf(offers.values(), seen)
    if (visibility === 'none') continue
    for (const block of blocks) {
      const { marketType } = block
      let selections = 0
      let hasLine = false
      if (visibility === 'all') {
        selections = block.selections.length
        hasLine = block.selections.some(({ line }) => line !== null)
      } else {
        // Rows of one selection stand together.
        let last: object | undefined
        for (let i = 0; i < block.count; i++) {
          const row = block.rows[i]!
          if (!seen[rows.sighted(row).book]) continue
          const selection = rows.selection(row)
          if (selection === last) continue
          last = selection
          selections++
          hasLine ||= selection.line !== null
        }
      }
      if (selections === 0) continue
      const counts = member(types, marketType, () => ({
        sports: new Map<string, MarketCount>(),
        hasLine: false,
      }))
      counts.hasLine ||= hasLine
      const count = member(counts.sports, event.sport, () => ({ events: 0, selections: 0 }))
      count.events++
      count.selections += selections
    }
  }
  return types
}

/** Which of an event's sportsbooks with rows are seen. */
function visibilityOf(
  offers: Iterable<{ readonly book: number; readonly rowCount: number }>,
  seen: readonly boolean[],
): 'all' | 'some' | 'none' {
  let shown = 0
  let hidden = 0
  for (const { book, rowCount } of offers) {
    if (rowCount === 0) continue
    if (seen[book]) shown++
    else hidden++
  }
  if (shown === 0) return 'none'
  return hidden === 0 ? 'all' : 'some'
}

function walkTeams(scope: Scope): ReadonlyMap<Team, readonly TeamGame[]> {
  const games = new Map<Team, TeamGame[]>()
  for (const event of scope.board.events(eventListKey.all)) {
    if (!isShown(event, scope)) continue
    const { league, homeTeam, awayTeam, isLive } = event.row
    const game = { isLive }
    for (const name of [homeTeam, awayTeam]) {
      const team = findTeam(name, league)
      if (team) member(games, team, () => []).push(game)
    }
  }
  return games
}

function isShown({ offers }: ViewEvent, scope: Scope): boolean {
  for (const { sportsbook, rowCount } of offers.values()) {
    if (rowCount > 0 && seesSportsbook(scope, sportsbook)) return true
  }
  return false
}
