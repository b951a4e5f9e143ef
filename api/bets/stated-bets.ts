/**
 * Parses uploaded bets, JSON or CSV, each by itself: a bad one is rejected with its line and a code, the others are
 * taken. `found-bets.ts` matches them to games and selections.
 */

import { isUtf8 } from 'node:buffer'
import { type CsvError, parse as parseCsv } from 'csv-parse/sync'
import {
  parseInstant,
  priceOf,
  Refused,
  type Rejection,
  rejectIssue,
} from '../../pipeline/feeds/push/parse.ts'
import { clockSkewMs } from '../../pipeline/rules/odds/freshness.ts'
import { unguarded } from '../../pipeline/text/formula-text.ts'
import type { BetEvent, BetStatement } from '../../schemas/bet.ts'
import {
  betColumns,
  betStatement,
  mostBetsAtOnce,
  type StatedBet,
} from '../../schemas/http/bets.ts'
import { resolveLeague } from '../../schemas/reference/leagues.ts'
import { findSport, slugSport } from '../../schemas/reference/sports.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { ApiError } from '../errors.ts'

export interface BetRejection {
  readonly code: Rejection['code'] | 'malformed_csv' | 'placed_in_future' | 'missing_event'
  readonly message: string
}

/** One bet of a body. */
export interface BetLine {
  /** From 1: the line in a CSV file, or the position in a JSON array. */
  readonly line: number
  readonly stated: BetStatement | BetRejection
}

export const isRejection = (stated: BetStatement | BetRejection): stated is BetRejection =>
  'code' in stated

/**
 * @param now epoch ms: bets placed later, beyond clock skew, are rejected
 * @returns each bet; null for an empty line
 * @throws ApiError validation_error for a body that is not a list of bets
 */
export function* readBets(body: Buffer, isCsv: boolean, now: number): Generator<BetLine | null> {
  if (!isUtf8(body)) throw new ApiError('validation_error', 'The body is not UTF-8.')
  const text = body.toString('utf8').replace(/^\ufeff/, '')
  let count = 0
  for (const read of isCsv ? csvLines(text) : jsonLines(text)) {
    if (read === null) {
      yield null
      continue
    }
    if (++count > mostBetsAtOnce) throw tooMany()
    const { line, value, malformed } = read
    const stated =
      malformed === undefined ? statementOf(value, now) : reject('malformed_csv', malformed)
    yield { line, stated }
  }
}

const tooMany = () =>
  new ApiError(
    'validation_error',
    `A request has at most ${mostBetsAtOnce} bets. Nothing of this one was stored; send it in parts.`,
  )

interface Line {
  readonly line: number
  readonly value?: unknown
  /** The CSV parser's error for this line. */
  readonly malformed?: string
}

// ---- JSON

function* jsonLines(text: string): Generator<Line> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new ApiError(
      'validation_error',
      `The body is not valid JSON (${(error as Error).message}).`,
    )
  }
  const values: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (values.length > mostBetsAtOnce) throw tooMany()
  for (const [i, value] of values.entries()) yield { line: i + 1, value }
}

// ---- CSV

const longestLine = 16_384

/** Parses line by line. Bets have no line breaks inside, so an open quote spoils only its own line. */
function* csvLines(text: string): Generator<Line | null> {
  let columns: readonly (string | false)[] | null = null
  for (const { line, content } of linesOf(text)) {
    if (content.trim() === '') {
      yield null
      continue
    }
    const cells = cellsOf(content)
    if (columns === null) {
      if (typeof cells === 'string') throw new ApiError('validation_error', `Line 1: ${cells}.`)
      columns = columnsOf(cells)
    } else if (typeof cells === 'string') yield { line, malformed: cells }
    else if (cells.length > columns.length) {
      yield { line, malformed: `${cells.length} cells, of ${columns.length} columns` }
    } else yield { line, value: fieldsOf(columns, cells) }
  }
}

function* linesOf(text: string): Generator<{ readonly line: number; readonly content: string }> {
  const end = /\r\n|\n|\r|$/g
  for (let line = 1, from = 0; from < text.length; line++) {
    end.lastIndex = from
    const { index, 0: mark } = end.exec(text)!
    yield { line, content: text.slice(from, index) }
    from = index + mark.length
  }
}

/** The cells of a line, or an error message. */
function cellsOf(content: string): readonly string[] | string {
  if (content.length > longestLine) return `a line has at most ${longestLine} characters`
  try {
    const [cells = []] = parseCsv(content, { trim: true })
    return cells
  } catch (error) {
    return (error as CsvError).message
  }
}

/** The field of each column; false for a column of an export that is ignored here. */
function columnsOf(names: readonly string[]): (string | false)[] {
  const columns = names.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const unknown = columns.filter((name) => !betColumns.has(name))
  if (unknown.length > 0) {
    const known = [...betColumns].filter(([, kind]) => kind !== 'shown').map(([name]) => name)
    throw new ApiError(
      'validation_error',
      `No column is called ${unknown.slice(0, 5).join(', ').slice(0, 200) || '(empty)'}; there are ${known.join(', ')}.`,
    )
  }
  return columns.map((name) => (betColumns.get(name) === 'shown' ? false : name))
}

/** A line as the JSON of the same bet: empty cells are left out, numbers are parsed. */
function fieldsOf(columns: readonly (string | false)[], cells: readonly string[]) {
  const fields: Record<string, unknown> = {}
  for (const [i, name] of columns.entries()) {
    const text = cells[i]
    if (name === false || text === undefined || text === '') continue
    fields[name] = betColumns.get(name) === 'number' ? numberOf(text) : unguarded(text)
  }
  return fields
}

/** Returns the text itself when it is no number, so that validation reports it. */
function numberOf(text: string): number | string {
  const plain = text.replace('\u2212', '-')
  return /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/.test(plain) ? Number(plain) : text
}

// ---- one bet

const reject = (code: BetRejection['code'], message: string): BetRejection => ({ code, message })

function statementOf(value: unknown, now: number): BetStatement | BetRejection {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject('not_an_object', 'a bet is a JSON object')
  }
  const parsed = betStatement.safeParse(value)
  if (!parsed.success) {
    const { code, message } = rejectIssue(parsed.error.issues[0]!, value)
    return reject(code, message)
  }
  try {
    return toStatement(parsed.data, now)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return reject(error.code, error.message)
  }
}

function toStatement(stated: StatedBet, now: number): BetStatement | BetRejection {
  const placedAt = parseInstant(stated.placed_at)
  if (placedAt === null) return reject('invalid_date', 'placed_at is no date')
  if (placedAt > now + clockSkewMs) {
    return reject('placed_in_future', `placed_at ${stated.placed_at} is ahead of our clock`)
  }
  const price = priceOf(stated)
  if (price === null) return reject('missing_price', 'odds_decimal or odds_american is needed')
  const event = eventOf(stated)
  if ('code' in event) return event
  const sportsbook = idOfSportsbook(stated.sportsbook)
  if (sportsbook === 'unknown') {
    return reject('unknown_sportsbook', `sportsbook is ${stated.sportsbook}`)
  }
  return {
    reference: stated.reference ?? null,
    placedAt,
    event,
    market: stated.market,
    selection: stated.selection,
    line: stated.line ?? null,
    playerName: stated.player_name ?? null,
    price,
    stake: stated.stake,
    sportsbook,
  }
}

function eventOf(stated: StatedBet): BetEvent | BetRejection {
  const { event_id: id, home_team: home, away_team: away, start_time: start } = stated
  const { league, sport } = stated
  if (id != null) {
    if (home != null || away != null || start != null) {
      return reject('invalid_field', 'event_id stands alone, without teams and start_time')
    }
    return {
      ...{ id, homeTeam: null, awayTeam: null, startsAt: null, isDay: false },
      ...{ sport: null, league: null },
    }
  }
  if (home == null || away == null || start == null || (league == null && sport == null)) {
    return reject(
      'missing_event',
      'a bet names its event_id, or home_team, away_team, start_time and league or sport',
    )
  }
  if (home.trim().toLowerCase() === away.trim().toLowerCase()) {
    return reject('same_teams', 'home_team and away_team are one name')
  }
  const isDay = start.length === 10
  const startsAt = parseInstant(isDay ? `${start}T00:00:00Z` : start)
  if (startsAt === null) return reject('invalid_date', 'start_time is no date')
  const resolved = league == null ? null : resolveLeague(league, sport ?? '')
  return {
    id: null,
    homeTeam: home.trim(),
    awayTeam: away.trim(),
    startsAt,
    isDay,
    sport: resolved?.sport ?? findSport(sport!)?.id ?? slugSport(sport!),
    league: resolved?.id ?? null,
  }
}
