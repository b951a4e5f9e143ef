/** Selects the events of a request by id, team, day or words. Used by every list of events and prices. */

import { easternOffsetMs } from '../../pipeline/rules/names/event-id.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import type { EventRow } from '../../schemas/event.ts'
import { leagueById } from '../../schemas/reference/leagues.ts'
import { normaliseName } from '../../schemas/reference/normalise-name.ts'
import { type Scope, seesSportsbook } from '../access/scope.ts'
import { hasWords, leagueNames, lines, teamNames } from './searched-words.ts'

// ---- by id

/**
 * Finds an event of the scope by id. An id of the older form, which ends with the day, is accepted if it matches only
 * one event of the scope.
 */
export function findEvent(scope: Scope, id: string): ViewEvent | undefined {
  const [found, ...others] = possibleIds(id).flatMap((possible) => {
    const event = scope.board.find(possible)
    return event && seesEvent(scope, event) ? [event] : []
  })
  return others.length === 0 ? found : undefined
}

/** Returns whether a sportsbook of the scope offers the event, or has offered it. */
const seesEvent = (scope: Scope, event: ViewEvent) =>
  [...event.offers.values()].some(({ sportsbook }) => seesSportsbook(scope, sportsbook))

/** Returns the full ids of the events that `ids` of either form name. Ids without an event are left out. */
export const namedEventIds = (scope: Scope, ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => findEvent(scope, id)?.id ?? [])),
]

/** Returns all full ids that `ids` of either form may mean, to watch them on a board. */
export const watchedEventIds = (ids: readonly string[]): string[] => ids.flatMap(possibleIds)

/** Endings of the event ids of one day: the quarter of the day and the number of the game in it. */
const idEnds = ['_b0', '_b1', '_b2', '_b3'].flatMap((quarter) =>
  ['', '_g1', '_g2'].map((game) => quarter + game),
)

/** Returns whether an id has the older form, without quarter and game. */
export const isOlderId = (id: string): boolean => /_\d{4}-\d\d-\d\d$/.test(id)

const possibleIds = (id: string): readonly string[] =>
  isOlderId(id) ? idEnds.map((end) => id + end) : [id]

// ---- by team, day and words

export interface EventQuery {
  readonly team?: readonly string[] | undefined
  /** `YYYY-MM-DD`. */
  readonly date?: string | undefined
  readonly q?: string | undefined
}

/** Returns a predicate for the events of a query; undefined if it has none of these filters. */
export function eventFilter(query: EventQuery): OddsFilter['isEventNamed'] {
  const { team, date, q } = query
  const tests: ((row: EventRow) => boolean)[] = []
  if (date !== undefined) tests.push((row) => localDay(row) === date)
  if (team) {
    const names = team.map(normaliseName).filter((name) => name !== '')
    tests.push((row) => names.some((name) => searchTexts(row).teams.includes(name)))
  }
  if (q !== undefined) {
    const isMeant = hasWords(q)
    tests.push((row) => isMeant(searchTexts(row).all))
  }
  if (tests.length === 0) return undefined
  // The filter is called for each row, and many rows share an event.
  const answers = new WeakMap<EventRow, boolean>()
  return (row) => {
    let answer = answers.get(row)
    if (answer === undefined) {
      answer = tests.every((test) => test(row))
      answers.set(row, answer)
    }
    return answer
  }
}

/** Returns the day of the start, by the clock of the league's event ids. */
function localDay({ startsAt, league }: EventRow): string {
  const offset = leagueById(league)?.clock === 'us_eastern' ? easternOffsetMs(startsAt) : 0
  return new Date(startsAt + offset).toISOString().slice(0, 10)
}

interface SearchTexts {
  /** All known names of both teams, normalised, one per line. */
  readonly teams: string
  /** The same, and the names of the league. */
  readonly all: string
}

// Normalising names is slow, and every filtered list needs the same names.
const texts = new WeakMap<EventRow, SearchTexts>()

function searchTexts(row: EventRow): SearchTexts {
  const known = texts.get(row)
  if (known) return known
  const { homeTeam, awayTeam, league } = row
  const teams = lines([...teamNames(homeTeam, league), ...teamNames(awayTeam, league)])
  const found = { teams, all: `${teams}\n${lines(leagueNames(league))}` }
  texts.set(row, found)
  return found
}
