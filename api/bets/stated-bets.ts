/**
 * Parses uploaded bets, JSON or CSV, one by one. A bad bet is rejected with its line and a code; the others are
 * accepted. `found-bets.ts` matches them to games and selections.
 */

import { isUtf8 } from 'node:buffer'
import { Refused, type Rejection, rejectIssue } from '../../pipeline/feeds/push/rejections.ts'
import { priceOf } from '../../pipeline/feeds/push/stated-price.ts'
import type { StakedBet } from '../../pipeline/rules/bets/settle-bet.ts'
import { clockSkewMs } from '../../pipeline/rules/odds/freshness.ts'
import type { BetCorrection, BetEvent, BetStatement, BetVerdict } from '../../schemas/bet.ts'
import {
  type BetCorrectionStated,
  betStatement,
  mostBetsAtOnce,
  type StatedBet,
} from '../../schemas/http/bets/statements.ts'
import { parseInstant } from '../../schemas/http/instant.ts'
import { plainIssue } from '../../schemas/http/plain-issue.ts'
import { findLeague, resolveLeague } from '../../schemas/reference/leagues.ts'
import { findSport, slugSport } from '../../schemas/reference/sports.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { ApiError } from '../errors.ts'
import { verdictFault, verdictOf } from './bet-verdict.ts'
import { type FileNotes, readTable, tooManyBets } from './table/bet-table.ts'
import type { CellFault } from './table/fault.ts'
import type { TableOptions } from './table/formats.ts'

export interface BetRejection {
  readonly code: Rejection['code'] | CellFault | 'placed_in_future' | 'missing_event'
  readonly message: string
}

/** One bet of a body. */
export interface BetLine {
  /** From 1: the line in a CSV file, or the position in a JSON array. */
  readonly line: number
  readonly stated: NewStatement | BetRejection
}

/** A bet, with its result if stated. */
export interface NewStatement {
  readonly statement: BetStatement
  readonly verdict: BetVerdict | null
  /** Id under which the bet may be stored already. */
  readonly id: string | null
}

export const isRejection = (stated: NewStatement | BetRejection): stated is BetRejection =>
  'code' in stated

/**
 * @param table how to read a CSV body; null for JSON
 * @param now epoch ms: bets placed later than this, beyond clock skew, are rejected
 * @returns each bet; null for an empty line
 * @throws ApiError validation_error for a body that is not a list of bets
 */
export function* readBets(
  body: Buffer,
  table: TableOptions | null,
  now: number,
  note: (file: FileNotes) => void = () => {},
): Generator<BetLine | null> {
  if (!isUtf8(body)) throw new ApiError('validation_error', 'The body is not UTF-8.')
  const text = body.toString('utf8').replace(/^\ufeff/, '')
  for (const read of table ? readTable(text, table, now, note) : jsonLines(text)) {
    if (read === null) {
      yield null
      continue
    }
    const { line, value, fault } = read
    yield { line, stated: fault ?? statementOf(value, now) }
  }
}

interface Line {
  readonly line: number
  readonly value: unknown
  readonly fault: null
}

// ---- JSON

/** The most arrays and objects of a body. A bet is one; to parse many more takes far more memory than the body. */
const mostParts = 4 * mostBetsAtOnce

function* jsonLines(text: string): Generator<Line> {
  if (hasMoreParts(text, mostParts)) throw tooManyBets()
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
  if (values.length > mostBetsAtOnce) throw tooManyBets()
  for (const [i, value] of values.entries()) yield { line: i + 1, value, fault: null }
}

/** Returns whether a JSON text has more arrays and objects than this. */
function hasMoreParts(text: string, most: number): boolean {
  let parts = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isInString = !isInString
    else if (character === '\\' && isInString) at++
    else if (!isInString && (character === '[' || character === '{') && ++parts > most) return true
  }
  return false
}

// ---- one bet

const reject = (code: BetRejection['code'], message: string): BetRejection => ({ code, message })

const bookOfFile =
  '. Of a CSV file without such a column, name it by the parameter sportsbook (on the page, the choice Sportsbook)'

function statementOf(value: unknown, now: number): NewStatement | BetRejection {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject('not_an_object', 'a bet is a JSON object')
  }
  const parsed = betStatement.safeParse(value, { error: plainIssue })
  if (!parsed.success) {
    const { code, message } = rejectIssue(parsed.error.issues[0]!, value)
    const isWithoutBook = message === 'sportsbook: is missing'
    return reject(code, isWithoutBook ? `${message}${bookOfFile}` : message)
  }
  try {
    const statement = toStatement(parsed.data, now)
    if ('code' in statement) return statement
    const verdict = verdictIn(parsed.data, statement, now)
    return verdict && 'code' in verdict
      ? verdict
      : { statement, verdict, id: parsed.data.id ?? null }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return reject(error.code, error.message)
  }
}

function toStatement(stated: StatedBet, now: number): BetStatement | BetRejection {
  const placedAt = placedAtOf(stated.placed_at, now)
  if (typeof placedAt === 'object') return placedAt
  const price = priceOf(stated)
  if (price === null) return reject('missing_price', 'odds_decimal or odds_american is needed')
  const event = eventOf(stated)
  if ('code' in event) return event
  const sportsbook = sportsbookOf(stated.sportsbook)
  if (typeof sportsbook === 'object') return sportsbook
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
    isFree: stated.free_bet ?? false,
    sportsbook,
  }
}

function placedAtOf(text: string, now: number): number | BetRejection {
  const placedAt = parseInstant(text)
  if (placedAt === null) return reject('invalid_date', 'placed_at is no date')
  return placedAt > now + clockSkewMs
    ? reject('placed_in_future', `placed_at ${text} is ahead of our clock`)
    : placedAt
}

function sportsbookOf(text: string): string | BetRejection {
  const id = idOfSportsbook(text)
  return id === 'unknown' ? reject('unknown_sportsbook', `sportsbook is ${text}`) : id
}

/**
 * Returns the corrected fields of a bet, checked by the same rules as those of a new one.
 * @param now as of `readBets`
 * @throws ApiError validation_error
 */
export function correctionOf(stated: BetCorrectionStated, now: number): BetCorrection {
  const valid = <Value>(value: Value | BetRejection): Value => {
    if (typeof value !== 'object' || value === null || !('code' in value)) return value as Value
    throw new ApiError('validation_error', `${value.message}.`)
  }
  const { placed_at, stake, free_bet, sportsbook } = stated
  try {
    const price = priceOf(stated)
    return {
      ...(placed_at !== undefined && { placedAt: valid(placedAtOf(placed_at, now)) }),
      ...(price !== null && { price }),
      ...(stake !== undefined && { stake }),
      ...(free_bet != null && { isFree: free_bet }),
      ...(sportsbook !== undefined && { sportsbook: valid(sportsbookOf(sportsbook)) }),
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new ApiError('validation_error', `${error.message}.`)
  }
}

/** Returns the stated result, if any. */
function verdictIn(
  stated: StatedBet,
  bet: StakedBet,
  now: number,
): BetVerdict | null | BetRejection {
  const { result, returned, shared_by, result_reason: reason } = stated
  if (result == null) {
    if (returned == null && shared_by == null) return null
    return reject('missing_result', 'returned and shared_by are of a result')
  }
  const fault = verdictFault({ outcome: result, returned, shared_by, reason }, bet)
  return fault === null
    ? verdictOf({ outcome: result, returned, shared_by, reason }, now)
    : reject('invalid_field', fault)
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
  return {
    id: null,
    homeTeam: home.trim(),
    awayTeam: away.trim(),
    startsAt,
    isDay,
    ...sportAndLeague(sport, league),
  }
}

/** Returns our names. Many trackers have the league in the place of the sport. */
export function sportAndLeague(
  sport: string | null | undefined,
  league: string | null | undefined,
): { readonly sport: string; readonly league: string | null } {
  if (league != null) {
    const resolved = resolveLeague(league, sport ?? '')
    return { sport: resolved.sport, league: resolved.id }
  }
  const named = findSport(sport!) ? undefined : findLeague(sport!)
  if (named) return { sport: named.sport, league: named.id }
  return { sport: findSport(sport!)?.id ?? slugSport(sport!), league: null }
}
