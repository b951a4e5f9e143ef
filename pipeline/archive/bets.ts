/**
 * The archive's data about bets: games, how they ended, and the closes of the prices that the bets
 * were made at. Each query is for at most `mostBets` bets: values go into the address of a request,
 * whose length is limited.
 */

import type { MissingCloseReason } from '../../schemas/closing-line.ts'
import type { GameResultRow, ReportedResult } from '../../schemas/game-result.ts'
import type { WithheldCloseReason } from '../../schemas/withheld-price.ts'
import type { Parameters } from './archive.ts'
import { epochMs, isCaptured, shownWithheld } from './shown-prices.ts'

/** Queries on behalf of a caller, within the limits of its tier. */
export type Ask = <Row>(statement: string, parameters: Parameters) => Promise<Row[]>

/** The most bets of one query. */
export const mostBets = 300

/** A game from the newest row of its event, in the frame of its prices. */
export interface ArchivedGame {
  readonly id: string
  readonly sport: string
  readonly league: string
  readonly homeTeam: string
  readonly awayTeam: string
  readonly listedHome: string | null
  readonly listedAway: string | null
  readonly flipped: boolean
  /** Epoch ms. */
  readonly startsAt: number
}

/** A league or a sport on one day. */
export interface LeagueDay {
  readonly id: string
  /** UTC, days since 1970-01-01. */
  readonly day: number
}

export interface GamesQuery {
  readonly ids: readonly string[]
  readonly leagues: readonly LeagueDay[]
  readonly sports: readonly LeagueDay[]
  /** Sportsbooks to treat as unknown: a game must also have closed elsewhere. */
  readonly hidden: readonly string[]
}

/** Returns games of these ids, and those that start on a day of a league or a sport. */
export function readGames(
  ask: Ask,
  { ids, leagues, sports, hidden }: GamesQuery,
): Promise<ArchivedGame[]> {
  return ask<ArchivedGame>(
    `SELECT event_id AS id, sport, league, home_team AS homeTeam, away_team AS awayTeam,
      listed_home AS listedHome, listed_away AS listedAway, flipped,
      ${epochMs('starts_at')} AS startsAt
    FROM events FINAL WHERE ${areNamed} ${hidden.length > 0 ? closedElsewhere : ''}`,
    {
      ids,
      leagues: leagues.map(({ id }) => id),
      leagueDays: leagues.map(({ day }) => day),
      sports: sports.map(({ id }) => id),
      sportDays: sports.map(({ day }) => day),
      ...(hidden.length > 0 && { hidden }),
    },
  )
}

const startDay = 'toInt32(intDiv(toUnixTimestamp64Milli(starts_at), 86400000))'
const areNamed = `(event_id IN {ids:Array(String)}
  OR (league IN {leagues:Array(String)} AND (league, ${startDay}) IN (
    SELECT requested.1, requested.2
    FROM (SELECT arrayJoin(arrayZip({leagues:Array(String)}, {leagueDays:Array(Int32)})) AS requested)))
  OR (sport, ${startDay}) IN (
    SELECT requested.1, requested.2
    FROM (SELECT arrayJoin(arrayZip({sports:Array(String)}, {sportDays:Array(Int32)})) AS requested)))`
// Closes are stored by league and event, so only those of these games are read.
const closedElsewhere = `AND event_id IN (
  SELECT event_id FROM closing_lines
  WHERE (league, event_id) IN (SELECT league, event_id FROM events WHERE ${areNamed})
    AND sportsbook NOT IN {hidden:Array(String)})`

/** A selection, in the frame of its event's prices. */
export interface ClosedSelection {
  readonly league: string
  readonly eventId: string
  readonly marketType: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
}

export interface ArchivedClose extends Omit<ClosedSelection, 'league'> {
  readonly sportsbook: string
  /** The start it is the close for (epoch ms). */
  readonly startsAt: number
  readonly price: number | null
  readonly noVig: number | null
  readonly withheld: WithheldCloseReason | null
  readonly missing: MissingCloseReason | null
}

/**
 * Returns the closes of selections at sportsbooks, or why there is none; no row if not captured.
 */
export function readCloses(
  ask: Ask,
  selections: readonly ClosedSelection[],
  sportsbooks: readonly string[],
): Promise<ArchivedClose[]> {
  return ask<ArchivedClose>(
    `SELECT event_id AS eventId, market_type AS marketType, selection_type AS selectionType, line,
      player_name AS playerName, sportsbook, ${epochMs('starts_at')} AS startsAt, price,
      no_vig AS noVig, ${shownWithheld} AS withheld, missing
    FROM closing_lines FINAL
    WHERE ${ofGames} AND ${isCaptured} AND sportsbook IN {sportsbooks:Array(String)}
      AND (event_id, market_type, selection_type, ifNull(line, 0), ifNull(player_name, '')) IN (
        SELECT requested.1, requested.2, requested.3, requested.4, requested.5
        FROM (SELECT arrayJoin(arrayZip({events:Array(String)}, {markets:Array(String)},
          {answers:Array(String)}, {lines:Array(Float64)}, {players:Array(String)})) AS requested)
      )`,
    {
      ...gamesOf(selections),
      // One item per selection in each list.
      events: selections.map(({ eventId }) => eventId),
      markets: selections.map(({ marketType }) => marketType),
      answers: selections.map(({ selectionType }) => selectionType),
      lines: selections.map(({ line }) => line ?? 0),
      players: selections.map(({ playerName }) => playerName ?? ''),
      sportsbooks: distinct(sportsbooks),
    },
  )
}

export interface ArchivedCaptures {
  readonly eventId: string
  /** The number of prices with a close. */
  readonly count: number
  /** When the last close, or the last reason for a missing one, was captured (epoch ms). */
  readonly lastAt: number
}

/** Returns the archived closes of events; events without any are left out. */
export function readCaptures(
  ask: Ask,
  selections: readonly ClosedSelection[],
): Promise<ArchivedCaptures[]> {
  return ask<ArchivedCaptures>(
    `SELECT event_id AS eventId, toUInt32(countIf(price IS NOT NULL)) AS count,
      ${epochMs('max(captured_at)')} AS lastAt
    FROM closing_lines FINAL WHERE ${ofGames} GROUP BY event_id`,
    gamesOf(selections),
  )
}

/** Returns the players in the archived closes of events, each spelling once. */
export function readPlayers(
  ask: Ask,
  selections: readonly ClosedSelection[],
): Promise<{ readonly eventId: string; readonly players: readonly string[] }[]> {
  return ask(
    `SELECT event_id AS eventId, arraySort(groupUniqArray(assumeNotNull(player_name))) AS players
    FROM closing_lines WHERE ${ofGames} AND player_name IS NOT NULL GROUP BY event_id`,
    gamesOf(selections),
  )
}

/** A market of an event, for one player or none, with its captures. */
export interface ArchivedMarket {
  readonly eventId: string
  readonly marketType: string
  readonly playerName: string | null
  /** Sportsbooks with a close, or a reason for a missing one. */
  readonly pricedBy: readonly string[]
  /** The queried sportsbooks that closed it at some line. */
  readonly closedBy: readonly string[]
}

/** Returns the markets of events in which any sportsbook has a close, or a reason for a missing one. */
export function readMarkets(
  ask: Ask,
  selections: readonly ClosedSelection[],
  sportsbooks: readonly string[],
): Promise<ArchivedMarket[]> {
  return ask<ArchivedMarket>(
    `SELECT event_id AS eventId, market_type AS marketType, player_name AS playerName,
      groupUniqArray(toString(sportsbook)) AS pricedBy,
      groupUniqArrayIf(toString(sportsbook),
        price IS NOT NULL AND sportsbook IN {sportsbooks:Array(String)}) AS closedBy
    FROM closing_lines FINAL WHERE ${ofGames} AND ${isCaptured}
    GROUP BY event_id, market_type, player_name`,
    { ...gamesOf(selections), sportsbooks: distinct(sportsbooks) },
  )
}

type ArchivedResult = Pick<GameResultRow, 'eventId' | 'sport' | 'startsAt' | 'status' | 'reports'>

/** Returns how the games of events ended; unknown ones are left out. */
export async function readResults(ask: Ask, games: readonly GameKey[]): Promise<ArchivedResult[]> {
  const rows = await ask<Omit<ArchivedResult, 'reports'> & { readonly reports: string }>(
    `SELECT event_id AS eventId, sport, ${epochMs('starts_at')} AS startsAt, status, reports
    FROM game_results FINAL WHERE ${ofGames}`,
    gamesOf(games),
  )
  return rows.map((row) => ({ ...row, reports: JSON.parse(row.reports) as ReportedResult[] }))
}

type GameKey = Pick<ClosedSelection, 'league' | 'eventId'>

/** The condition on a table that is stored by league and event. */
const ofGames = 'league IN {leagues:Array(String)} AND event_id IN {events:Array(String)}'
const gamesOf = (games: readonly GameKey[]) => ({
  leagues: distinct(games.map(({ league }) => league)),
  events: distinct(games.map(({ eventId }) => eventId)),
})

const distinct = (texts: readonly string[]) => [...new Set(texts)]
