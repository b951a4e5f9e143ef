/**
 * Compares a board's folded changelog with the expected board, in both directions. Events are
 * identified by the truth about their listings, never by their teams and start: an event that holds
 * two games, and a game that lies in two events, are differences.
 */

import { oddsId } from '../../schemas/ids.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { type Sighting, sightingKey } from '../../schemas/sighting.ts'
import { oddsIdentityText } from '../odds-identity.ts'
import type { FoldedBoard } from './real-board.ts'
import type { ExpectedBoard } from './slow-board.ts'
import { identityOf } from './slow-rows.ts'

export interface Difference {
  readonly what: string
  readonly where: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/** Returns the game of a listing on the board; undefined if the listing does not tell. */
export type GameOfListing = (sighting: Sighting) => string | undefined

/** Returns the differences; empty if the two are the same. */
export function compareBoards(
  expected: ExpectedBoard,
  actual: FoldedBoard,
  gameOf: GameOfListing,
): Difference[] {
  const differences: Difference[] = []
  const gameOfEvent = findGames(actual, gameOf, differences)
  compareEvents(expected, actual, gameOfEvent, differences)
  compareSightings(expected, actual, gameOfEvent, differences)
  compareOdds(expected, actual, gameOfEvent, differences)
  compareStatus(expected, actual, differences)
  return differences
}

function findGames(actual: FoldedBoard, gameOf: GameOfListing, differences: Difference[]) {
  const gameOfEvent = new Map<string, string>()
  const eventOfGame = new Map<string, string>()
  for (const [key, sighting] of actual.sightings) {
    const { eventId, sportsbook } = sighting
    if (key !== sightingKey(eventId, sportsbook)) differences.push({ what: 'key', where: key })
    const game = gameOf(sighting)
    if (game === undefined) continue
    const otherGame = gameOfEvent.get(eventId) ?? game
    if (otherGame !== game) {
      differences.push({
        what: 'two games in one event',
        where: eventId,
        expected: otherGame,
        actual: game,
      })
    }
    const otherEvent = eventOfGame.get(game) ?? eventId
    if (otherEvent !== eventId) {
      differences.push({
        what: 'one game in two events',
        where: game,
        expected: otherEvent,
        actual: eventId,
      })
    }
    gameOfEvent.set(eventId, game)
    eventOfGame.set(game, eventId)
  }
  return gameOfEvent
}

type Games = ReadonlyMap<string, string>

function compareEvents(
  expected: ExpectedBoard,
  actual: FoldedBoard,
  gameOfEvent: Games,
  differences: Difference[],
) {
  const seen = new Set<string>()
  for (const [key, row] of actual.events) {
    const game = gameOfEvent.get(key)
    const wanted = game === undefined ? undefined : expected.games.get(game)
    if (game === undefined || !wanted) {
      differences.push({ what: 'event invented', where: key, actual: row })
      continue
    }
    seen.add(game)
    const { game: _, ...members } = wanted
    compareMembers(`event ${key}`, { id: key, ...members }, row, differences)
  }
  for (const [game, row] of expected.games) {
    if (!seen.has(game)) differences.push({ what: 'event missing', where: game, expected: row })
  }
}

function compareSightings(
  expected: ExpectedBoard,
  actual: FoldedBoard,
  gameOfEvent: Games,
  differences: Difference[],
) {
  const seen = new Set<string>()
  for (const [key, sighting] of actual.sightings) {
    const game = gameOfEvent.get(sighting.eventId)
    const place = `${game}|${sighting.sportsbook}`
    const wanted = expected.sightings.get(place)
    if (!wanted) {
      differences.push({ what: 'sighting invented', where: key, actual: sighting })
      continue
    }
    seen.add(place)
    const { game: _, ...members } = wanted
    compareMembers(`sighting ${key}`, members, sighting, differences)
  }
  for (const [place, row] of expected.sightings) {
    if (!seen.has(place))
      differences.push({ what: 'sighting missing', where: place, expected: row })
  }
}

function compareOdds(
  expected: ExpectedBoard,
  actual: FoldedBoard,
  gameOfEvent: Games,
  differences: Difference[],
) {
  const seen = new Set<string>()
  for (const [key, row] of actual.odds) {
    if (!hasOwnId(key, row)) differences.push({ what: 'id', where: key, actual: row })
    const game = gameOfEvent.get(row.eventId) ?? `unknown event ${row.eventId}`
    const identity = identityOf({ ...row, game })
    const wanted = expected.odds.get(identity)
    if (seen.has(identity)) differences.push({ what: 'row twice', where: identity, actual: row })
    else if (!wanted) differences.push({ what: 'row invented', where: identity, actual: row })
    else {
      const { game: _, ...members } = wanted
      compareMembers(`row ${identity}`, members, row, differences)
    }
    seen.add(identity)
  }
  for (const [identity, row] of expected.odds) {
    if (!seen.has(identity))
      differences.push({ what: 'row missing', where: identity, expected: row })
  }
}

const hasOwnId = (key: string, row: OddsRow) =>
  key === String(row.id) && row.id === oddsId(oddsIdentityText(row))

function compareStatus(expected: ExpectedBoard, actual: FoldedBoard, differences: Difference[]) {
  for (const id of new Set([...expected.sportsbooks.keys(), ...actual.sportsbookStatus.keys()])) {
    const wanted = expected.sportsbooks.get(id)
    const found = actual.sportsbookStatus.get(id)?.status
    if (wanted !== found) {
      differences.push({ what: 'status', where: id, expected: wanted, actual: found })
    }
  }
}

/** Compares every field of `expected` with that of `actual`; -0 and 0 are one line. */
function compareMembers(
  where: string,
  expected: object,
  actual: object,
  differences: Difference[],
) {
  for (const [member, wanted] of Object.entries(expected)) {
    const found = (actual as Record<string, unknown>)[member]
    if (found !== wanted) differences.push({ what: member, where, expected: wanted, actual: found })
  }
}
