/**
 * The archive's data about bets: games and how they ended, and the closes of the prices they were made at. Each query
 * is for few hundred bets at most (`mostBets`): values go into the address of a request, whose length is limited.
 */

import type { MissingCloseReason } from '../../schemas/closing-line.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import type { GameResultRow, ReportedResult } from '../../schemas/game-result.ts'
import type { WithheldCloseReason } from '../../schemas/withheld-price.ts'
import type { Parameters } from './archive.ts'
import { shownWithheld } from './shown-prices.ts'

/** Queries on behalf of a caller, within the limits of its tier. */
export type Ask = <Row>(statement: string, parameters: Parameters) => Promise<Row[]>

/** The most bets of one query. */
export const mostBets = 300

/** A game by the newest row of its event, in the frame of its prices. */
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
  /** Sportsbooks to treat as unknown: a game must have closed elsewhere too. */
  readonly hidden: readonly string[]
}

/** Returns games of these ids, and those that start on a day of a league or a sport. */
export async function readGames(
  ask: Ask,
  { ids, leagues, sports, hidden }: GamesQuery,
): Promise<ArchivedGame[]> {
  const rows = await ask<{
    event_id: string
    sport: string
    league: string
    home_team: string
    away_team: string
    listed_home: string | null
    listed_away: string | null
    flipped: boolean
    starts: string
  }>(
    `SELECT event_id, sport, league, home_team, away_team, listed_home, listed_away, flipped,
      toString(starts_at) AS starts
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
  return rows.map((row) => ({
    id: row.event_id,
    sport: row.sport,
    league: row.league,
    homeTeam: row.home_team,
    awayTeam: row.away_team,
    listedHome: row.listed_home,
    listedAway: row.listed_away,
    flipped: row.flipped,
    startsAt: instantOf(row.starts),
  }))
}

const startDay = 'toInt32(intDiv(toUnixTimestamp64Milli(starts_at), 86400000))'
const areNamed = `(event_id IN {ids:Array(String)}
  OR (league IN {leagues:Array(String)} AND (league, ${startDay}) IN (
    SELECT requested.1, requested.2
    FROM (SELECT arrayJoin(arrayZip({leagues:Array(String)}, {leagueDays:Array(Int32)})) AS requested)))
  OR (sport, ${startDay}) IN (
    SELECT requested.1, requested.2
    FROM (SELECT arrayJoin(arrayZip({sports:Array(String)}, {sportDays:Array(Int32)})) AS requested)))`
// Closes are sorted by league and event, so only those of these games are read.
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

/** Returns the closes of selections at sportsbooks, or the reasons for none; nothing where nothing was captured. */
export async function readCloses(
  ask: Ask,
  selections: readonly ClosedSelection[],
  sportsbooks: readonly string[],
): Promise<ArchivedClose[]> {
  const rows = await ask<{
    event_id: string
    market_type: string
    selection_type: string
    line: number | null
    player_name: string | null
    sportsbook: string
    starts: string
    price: number | null
    no_vig: number | null
    withheld: WithheldCloseReason | null
    missing: MissingCloseReason | null
  }>(
    `SELECT event_id, market_type, selection_type, line, player_name, sportsbook,
      toString(starts_at) AS starts, price, no_vig, ${shownWithheld} AS withheld, missing
    FROM closing_lines FINAL
    WHERE league IN {leagues:Array(String)}
      AND event_id IN {events:Array(String)}
      AND sportsbook IN {sportsbooks:Array(String)}
      AND (event_id, market_type, selection_type, ifNull(line, 0), ifNull(player_name, '')) IN (
        SELECT requested.1, requested.2, requested.3, requested.4, requested.5
        FROM (SELECT arrayJoin(arrayZip({events:Array(String)}, {markets:Array(String)},
          {answers:Array(String)}, {lines:Array(Float64)}, {players:Array(String)})) AS requested)
      )`,
    {
      leagues: distinct(selections.map(({ league }) => league)),
      events: selections.map(({ eventId }) => eventId),
      markets: selections.map(({ marketType }) => marketType),
      answers: selections.map(({ selectionType }) => selectionType),
      lines: selections.map(({ line }) => line ?? 0),
      players: selections.map(({ playerName }) => playerName ?? ''),
      sportsbooks: distinct(sportsbooks),
    },
  )
  return rows.map((row) => ({
    eventId: row.event_id,
    marketType: row.market_type,
    selectionType: row.selection_type,
    line: row.line,
    playerName: row.player_name,
    sportsbook: row.sportsbook,
    startsAt: instantOf(row.starts),
    price: row.price,
    noVig: row.no_vig,
    withheld: row.withheld,
    missing: row.missing,
  }))
}

export interface ArchivedCaptures {
  readonly eventId: string
  /** The number of prices with a close. */
  readonly count: number
  /** When the last close, or reason why there is none, was captured (epoch ms). */
  readonly lastAt: number
}

/** Returns the archived closes of events; events without any are left out. */
export async function readCaptures(
  ask: Ask,
  selections: readonly ClosedSelection[],
): Promise<ArchivedCaptures[]> {
  const rows = await ask<{ event_id: string; closes: number; last: string }>(
    `SELECT event_id, toUInt32(countIf(price IS NOT NULL)) AS closes,
      toString(max(captured_at)) AS last
    FROM closing_lines FINAL
    WHERE league IN {leagues:Array(String)} AND event_id IN {events:Array(String)}
    GROUP BY event_id`,
    {
      leagues: distinct(selections.map(({ league }) => league)),
      events: distinct(selections.map(({ eventId }) => eventId)),
    },
  )
  return rows.map(({ event_id: eventId, closes: count, last }) => ({
    eventId,
    count,
    lastAt: instantOf(last),
  }))
}

/** Returns the players in the archived closes of events, each spelling once. */
export async function readPlayers(
  ask: Ask,
  selections: readonly ClosedSelection[],
): Promise<{ readonly eventId: string; readonly players: readonly string[] }[]> {
  const rows = await ask<{ event_id: string; players: string[] }>(
    `SELECT event_id, arraySort(groupUniqArray(assumeNotNull(player_name))) AS players
    FROM closing_lines
    WHERE league IN {leagues:Array(String)} AND event_id IN {events:Array(String)}
      AND player_name IS NOT NULL
    GROUP BY event_id`,
    {
      leagues: distinct(selections.map(({ league }) => league)),
      events: distinct(selections.map(({ eventId }) => eventId)),
    },
  )
  return rows.map(({ event_id: eventId, players }) => ({ eventId, players }))
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
export async function readMarkets(
  ask: Ask,
  selections: readonly ClosedSelection[],
  sportsbooks: readonly string[],
): Promise<ArchivedMarket[]> {
  const rows = await ask<{
    event_id: string
    market_type: string
    player_name: string | null
    priced_by: string[]
    closed_by: string[]
  }>(
    `SELECT event_id, market_type, player_name, groupUniqArray(toString(sportsbook)) AS priced_by,
      groupUniqArrayIf(toString(sportsbook),
        price IS NOT NULL AND sportsbook IN {sportsbooks:Array(String)}) AS closed_by
    FROM closing_lines FINAL
    WHERE league IN {leagues:Array(String)} AND event_id IN {events:Array(String)}
    GROUP BY event_id, market_type, player_name`,
    {
      leagues: distinct(selections.map(({ league }) => league)),
      events: distinct(selections.map(({ eventId }) => eventId)),
      sportsbooks: distinct(sportsbooks),
    },
  )
  return rows.map((row) => ({
    eventId: row.event_id,
    marketType: row.market_type,
    playerName: row.player_name,
    pricedBy: row.priced_by,
    closedBy: row.closed_by,
  }))
}

/** Returns how the games of events ended; unknown ones are left out. */
export async function readResults(
  ask: Ask,
  events: readonly { readonly eventId: string; readonly league: string }[],
): Promise<Pick<GameResultRow, 'eventId' | 'sport' | 'startsAt' | 'status' | 'reports'>[]> {
  const rows = await ask<{
    event_id: string
    sport: string
    starts: string
    status: EventStatus
    reports: string
  }>(
    `SELECT event_id, sport, toString(starts_at) AS starts, status, reports
    FROM game_results FINAL
    WHERE league IN {leagues:Array(String)} AND event_id IN {events:Array(String)}`,
    {
      leagues: distinct(events.map(({ league }) => league)),
      events: distinct(events.map(({ eventId }) => eventId)),
    },
  )
  return rows.map(({ event_id: eventId, sport, starts, status, reports }) => ({
    ...{ eventId, sport, startsAt: instantOf(starts), status },
    reports: JSON.parse(reports) as ReportedResult[],
  }))
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

/** Returns the epoch ms of a DateTime64 in UTC, as text. */
const instantOf = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`)
