/**
 * The reference service's own odds rows, as in its sample CSV files and its JSON responses: one
 * price per row, many sportsbooks in one file. Rows of one event at one sportsbook become one
 * snapshot, because a file has all prices that the service had.
 *
 * The rows' market types and selection types are ours, but too coarse: several questions of
 * sportsbooks share one market type. `placeOf` reads the labels to identify the outcome of a row;
 * `leaveOutMixed` drops markets whose prices show two questions under one name. Sportsbooks are not
 * compared: only a sportsbook's own rows are evidence.
 */

import { parse as parseCsv } from 'csv-parse/sync'
import { z } from 'zod'
import type { FeedEvent, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { addTo, groupBy } from '../../../schemas/grouping.ts'
import { findMarket, type Market, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { outcomeNamed } from '../../../schemas/reference/outcome-words.ts'
import { pushAll } from '../../memory/push-all.ts'
import { outcomesOf } from '../../rules/odds/questions.ts'
import type { Parsed, Skip } from '../feed.ts'
import { hasOwner } from '../kit/board.ts'
import { dayOrInstantOf, instantOf } from '../kit/instant.ts'
import {
  describe,
  outcomeKey,
  priceOfAmerican,
  priceOfDecimal,
  type StatedOutcome,
  toMarkets,
} from '../kit/outcomes.ts'
import { issueOf } from '../kit/payload-issue.ts'
import { type FutureRowRead, toFutures } from './futures.ts'

const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^[+-]?\d+(\.\d+)?$/)
    .transform(Number),
])
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema.nullable()]).default(null)
const boolean = z.union([
  z.boolean(),
  z.enum(['True', 'False', 'true', 'false']).transform((text) => text.toLowerCase() === 'true'),
])

const rowSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  sportsbook: z.string().min(1),
  event_id: z.string().min(1),
  sport: z.string(),
  league: z.string(),
  home_team: z.string().nullish(),
  away_team: z.string().nullish(),
  market_type: z.string(),
  selection: z.string(),
  selection_type: z.string(),
  odds_american: number,
  odds_decimal: number,
  line: orNull(number),
  event_start_time: z.string(),
  is_live: boolean,
  timestamp: z.string(),
  is_active: boolean.default(true),
  player_name: orNull(z.string()),
  stat_category: orNull(z.string()),
  max_bet: orNull(number),
  public_bet_pct: orNull(number),
  odds_changed_at: orNull(z.string()),
})

type Row = z.infer<typeof rowSchema>

/** @param text a CSV file with the columns of the sample */
export function parseReferenceCsv(text: string): Parsed {
  let rows: unknown[]
  try {
    rows = parseCsv(text, { bom: true, columns: true, skip_empty_lines: true })
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    return { records: [], skipped: [{ reason: 'malformed_payload', detail }] }
  }
  return parseRows(rows)
}

/** @param payload an array of rows, or a response with the array under `data` */
export function parseReferenceJson(payload: unknown): Parsed {
  const answer = z
    .union([z.array(z.unknown()), z.object({ data: z.array(z.unknown()) })])
    .safeParse(payload)
  if (!answer.success) {
    const detail = issueOf(answer.error)
    return { records: [], skipped: [{ reason: 'malformed_payload', detail }] }
  }
  return parseRows(Array.isArray(answer.data) ? answer.data : answer.data.data)
}

function parseRows(items: readonly unknown[]): Parsed {
  const skipped: Skip[] = []
  const groups = new Map<string, Row[]>()
  const ofSeasons: FutureRowRead[] = []
  for (const item of items) {
    const row = rowSchema.safeParse(item)
    if (!row.success) skipped.push({ reason: 'malformed_row', detail: issueOf(row.error) })
    else if (isOfSeason(row.data)) {
      const read = futureOf(row.data)
      if ('reason' in read) skipped.push(read)
      else ofSeasons.push(read)
    } else addTo(groups, JSON.stringify([row.data.event_id, row.data.sportsbook]), row.data)
  }
  const futures = toFutures(ofSeasons)
  pushAll(skipped, futures.skipped)
  const records: FeedRecord[] = [...futures.records]
  for (const rows of groups.values()) {
    const { record, skips } = recordOf(rows)
    pushAll(skipped, skips)
    if (record) records.push(record)
  }
  return { records: records.sort((a, b) => a.observedAt - b.observedAt), skipped }
}

/** Returns the snapshot of one sportsbook on one event. */
function recordOf(rows: readonly Row[]): { record: OddsRecord | null; skips: Skip[] } {
  const skips: Skip[] = []
  const outcomes: StatedOutcome[] = []
  let event: FeedEvent | null = null
  let observedAt = 0
  for (const row of rows) {
    const placed = placedOf(row)
    if ('reason' in placed) {
      skips.push(placed)
      continue
    }
    event ??= placed.event
    event = { ...event, isLive: event.isLive || row.is_live }
    observedAt = Math.max(observedAt, placed.observedAt)
    outcomes.push(placed.outcome)
  }
  const { kept, skips: mixed } = leaveOutMixed(outcomes, rows[0]?.sport ?? '')
  pushAll(skips, mixed)
  if (!event || kept.length === 0) return { record: null, skips }
  const { markets, repeated } = toMarkets(kept)
  pushAll(skips, repeated)
  const sportsbook = rows[0]?.sportsbook as string
  return {
    record: { type: 'odds', sportsbook, mode: 'snapshot', observedAt, event, markets },
    skips,
  }
}

function placedOf(
  row: Row,
): { outcome: StatedOutcome; event: FeedEvent; observedAt: number } | Skip {
  const detail = detailOf(row)
  const { home_team: homeTeam, away_team: awayTeam } = row
  if (!homeTeam || !awayTeam) return { reason: 'outright', detail }
  const startsAt = instantOf(row.event_start_time)
  const observedAt = instantOf(row.timestamp)
  if (startsAt === null || observedAt === null) return { reason: 'bad_time', detail }
  const price = priceOf(row)
  if (typeof price === 'string') return { reason: price, detail }
  const place = placeOf({ ...row, homeTeam, awayTeam })
  if (typeof place === 'string') return { reason: place, detail }
  return {
    observedAt,
    event: {
      externalId: row.event_id,
      sport: row.sport,
      league: row.league,
      homeTeam,
      awayTeam,
      startsAt,
      isLive: row.is_live,
    },
    outcome: {
      marketId: null,
      ...place,
      price,
      externalId: row.id,
      suspended: !row.is_active,
      maxBet: row.max_bet,
      publicBetPct: row.public_bet_pct,
      changedAt: instantOf(row.odds_changed_at),
    },
  }
}

const detailOf = (row: Row) =>
  `${row.sportsbook} ${row.market_type}: ${row.selection} (${row.selection_type})`

const isOfSeason = ({ selection_type, market_type }: Row) =>
  selection_type === 'outright' || outrightTypes.has(market_type)

function futureOf(row: Row): FutureRowRead | Skip {
  // Specials of a game have the same types.
  if (row.away_team) return { reason: 'outright', detail: detailOf(row) }
  const settlesAt = dayOrInstantOf(row.event_start_time)
  const observedAt = instantOf(row.timestamp)
  if (settlesAt === null || observedAt === null)
    return { reason: 'bad_time', detail: detailOf(row) }
  const price = priceOf(row)
  if (typeof price === 'string') return { reason: price, detail: detailOf(row) }
  return {
    id: row.id,
    sportsbook: row.sportsbook,
    sport: row.sport,
    league: row.league,
    heading: row.home_team?.trim() ?? '',
    marketType: row.market_type,
    selection: row.selection,
    price,
    isActive: row.is_active,
    changedAt: instantOf(row.odds_changed_at),
    settlesAt,
    observedAt,
  }
}

const outrightTypes = new Set([
  'championship_winner',
  'future',
  'make_playoffs',
  'outright',
  'season_leader',
  'tournament_winner',
])

/** Decimals are written with two or three digits, and American odds are whole numbers. */
const roundingMax = 0.0051

/**
 * Returns the price in its exact form, if both forms agree. That is the American one. But if the
 * decimal form has digits that do not follow from it, the American one was rounded, and the decimal
 * one is exact.
 */
function priceOf({ odds_american, odds_decimal }: Row): number | string {
  const price = priceOfAmerican(odds_american)
  const decimal = priceOfDecimal(odds_decimal)
  if (price === null || decimal === null) return 'bad_price'
  if (Math.abs(price - decimal) > roundingMax) return 'price_mismatch'
  const digits = Math.max(2, String(decimal).split('.')[1]?.length ?? 0)
  if (Math.abs(price - decimal) <= 0.5001 * 10 ** -digits) return price
  const american = decimal >= 2 ? 100 * (decimal - 1) : -100 / (decimal - 1)
  return Math.abs(american - odds_american) <= 0.5001 ? decimal : price
}

type Place = Pick<
  StatedOutcome,
  'marketType' | 'playerName' | 'statCategory' | 'selectionType' | 'selection' | 'line'
>
type Stated = Row & { readonly homeTeam: string; readonly awayTeam: string }

/** Returns the question and the outcome of a row, or the reason why they cannot be read. */
function placeOf(row: Stated): Place | string {
  // In soccer every moneyline is three-way; one sportsbook says so in its name.
  const named = findMarket(row.market_type)
  const isSoccerMoneyline = row.sport === 'soccer' && named?.base === 'moneyline_3-way'
  const market = isSoccerMoneyline ? findMarket(typeInPeriod('moneyline', named.period)) : named
  if (!market) return 'unmapped_market'
  const marketType = market.id
  if (market.answers === 'various') return 'ambiguous_market'
  if (market.isPlayerProp) return playerPlaceOf(row, market)
  const read = readOutcome(row, market)
  if (typeof read === 'string') return read
  return { marketType, playerName: null, statCategory: null, ...read }
}

type OutcomeRead = Pick<Place, 'selectionType' | 'selection' | 'line'>

/**
 * Returns an outcome that its type fully identifies, so that the board labels it alike for every
 * sportsbook.
 */
const outcomeOf = (selectionType: string, line: number | null = null): OutcomeRead => ({
  selectionType,
  selection: null,
  line,
})

function readOutcome(row: Stated, market: Market): OutcomeRead | string {
  const { selection: label, selection_type: type, line } = row
  const { answers } = market
  switch (market.base) {
    case 'moneyline':
      return moneylineOutcome(row)
    case 'double_chance':
      return doubleChanceOutcome(row)
    case 'match_result_both_teams_to_score': {
      const [, who = '', answer = ''] = /^(.+?)(?: win)? (?:&|and) (yes|no)$/i.exec(label) ?? []
      const side = sideOf(who, row)
      return side ? outcomeOf(`${side}_${answer.toLowerCase()}`) : 'ambiguous_selection'
    }
    case 'match_result_total_goals': {
      const [, who = '', answer = '', goals] = /^(.+) & (over|under) ([\d.]+)$/i.exec(label) ?? []
      const side = sideOf(who, row)
      if (!side || !goals) return 'ambiguous_selection'
      return outcomeOf(`${side}_${answer.toLowerCase()}`, Number(goals))
    }
    // In some rows the line is a part of the label ("3-2" read as 3 and -2).
    case 'correct_score':
      return {
        selectionType: type,
        selection: /^\d+_\d+$/.test(type) ? type.replace('_', '-') : label,
        line: null,
      }
    case 'team_to_score':
    case 'team_to_win_to_nil':
      if (/^(yes|no)$/i.test(label)) return 'unknown_participant'
  }
  // "England &" among totals, "England & No" among Yes and No: halves of a combined question.
  if (label.includes('&')) return 'mixed_market'
  const [, who = '', yesOrNo] = /^(.+) (yes|no)$/i.exec(label) ?? []
  const whose = sideOf(who, row)
  if (whose && yesOrNo) return outcomeOf(`${whose}_${yesOrNo.toLowerCase()}`)

  const isTeamTotal = answers === 'team_over_under'
  if (isTeamTotal || answers === 'over_under') {
    const isOutcome = (isTeamTotal ? teamTotalTypes : totalTypes).has(type)
    if (!isOutcome)
      return sideOf(label, row) && !isTeamTotal ? 'mixed_market' : 'unmapped_selection'
    // A player's or a team's line is listed under the game's total.
    const isOwned = row.player_name !== null || hasOwner(label, market.id, row)
    if (!isTeamTotal && isOwned) return 'mixed_market'
    return line === null ? 'no_line' : outcomeOf(type, line)
  }
  if (answers === 'handicap') {
    if (type !== 'home' && type !== 'away') return 'unmapped_selection'
    return line === null ? 'no_line' : outcomeOf(type, line)
  }
  if (answers === 'odd_even') {
    const parity = label.toLowerCase()
    return parity === 'odd' || parity === 'even' ? outcomeOf(parity) : 'unmapped_selection'
  }
  if (totalTypes.has(type)) return line === null ? 'no_line' : 'mixed_market'
  // The number is of one team's goals, among numbers of both teams' goals.
  if (/^(exact|range)_/.test(type) && teamPrefixOf(label, row)) return 'mixed_market'
  const side = sideOf(label, row)
  if (side) return outcomeOf(side)
  if (/^no goals?$/i.test(label)) return outcomeOf('no')
  if (/^(yes|no)$/i.test(label)) return outcomeOf(label.toLowerCase())
  return { selectionType: type, selection: label, line }
}

const totalTypes = new Set(['over', 'under'])
const teamTotalTypes = new Set(['home_over', 'home_under', 'away_over', 'away_under'])

/**
 * Reads an exchange's moneyline. It lists the two sides of each outcome: "England Yes" is England to win, and the
 * event's own name is the tie; "No" is the lay side, which is not an outcome of this market. Another exchange states
 * that its tie is settled on regulation time.
 */
function moneylineOutcome(row: Stated): OutcomeRead | string {
  const label = row.selection.replace(/^Reg Time: /, '')
  const [, outcome, yesOrNo] = /^(.+) (Yes|No)$/.exec(label) ?? []
  if (yesOrNo === 'No') return 'lay_side'
  if (outcome === `${row.awayTeam} @ ${row.homeTeam}`) return outcomeOf('draw')
  const side = sideOf(outcome ?? label, row)
  const agrees = side === row.selection_type || row.selection_type === 'other'
  return side && agrees ? outcomeOf(side) : 'unmapped_selection'
}

function doubleChanceOutcome(row: Stated): OutcomeRead | string {
  const results = row.selection.split(/ (?:or|and) | \/ /i).map((part) => sideOf(part, row))
  const key = results.length === 2 ? results.map(String).sort().join('_') : ''
  const type = { away_draw: 'away_draw', away_home: 'home_away', draw_home: 'home_draw' }[key]
  return type ? outcomeOf(type) : 'unmapped_selection'
}

/**
 * Reads a player's over or under, or a scorer: "Yes" or "No" for that player, in any form of the sportsbook (a bare
 * name, "Yes", over half a goal).
 */
function playerPlaceOf(row: Stated, market: Market): Place | string {
  const { id: marketType } = market
  const { selection: label, selection_type: type, line } = row
  // "Lautaro Martínez (ARG)"
  const words = label.replace(/ \([A-Z]{3}\)$/, '')
  if (teamPrefixOf(words, row) && !words.endsWith(' Goalkeeper')) return 'mixed_market'
  if (!market.hasLine) {
    const place = { marketType, statCategory: row.stat_category, selection: null, line: null }
    if (/^(none|no goal ?scorer)$/i.test(words)) {
      return { ...place, playerName: null, selectionType: 'no' }
    }
    const isScorer = type === 'other' || type === 'yes' || type === 'no'
    if (!isScorer && !(type === 'over' && line === 0.5)) return 'unmapped_selection'
    const playerName = row.player_name ?? words.replace(/ (Yes|No|Over)$/, '')
    const isNo = type === 'no' || words.endsWith(' No')
    return { ...place, playerName, selectionType: isNo ? 'no' : 'yes' }
  }
  if (!totalTypes.has(type)) return 'unmapped_selection'
  if (line === null) return 'no_line'
  return {
    marketType,
    playerName: row.player_name ?? words.replace(/ (Over|Under)$/i, ''),
    statCategory: row.stat_category ?? market.statistic,
    ...outcomeOf(type, line),
  }
}

/** Returns the side that a label names, ignoring case. */
function sideOf(label: string, { homeTeam, awayTeam }: Stated): 'home' | 'away' | 'draw' | null {
  const words = label.trim().toLowerCase()
  if (words === homeTeam.toLowerCase() || words === 'home') return 'home'
  if (words === awayTeam.toLowerCase() || words === 'away') return 'away'
  return outcomeNamed(words) === 'draw' ? 'draw' : null
}

const teamPrefixOf = (label: string, { homeTeam, awayTeam }: Stated) =>
  [homeTeam, awayTeam].find((team) => label.toLowerCase().startsWith(`${team.toLowerCase()} `))

/** The highest booksum of a main market: no sportsbook has such a margin. */
const booksumMax = 1.25
/** The tolerance for prices of two rungs: read at two times, they may be slightly out of order. */
const disorderMax = 1.02

/** Leaves out outcomes if their own sportsbook's prices show several questions. */
function leaveOutMixed(outcomes: readonly StatedOutcome[], sport: string) {
  const reasons = new Map<StatedOutcome, string>()
  const put = (group: readonly StatedOutcome[], reason: string) => {
    for (const outcome of group) if (!reasons.has(outcome)) reasons.set(outcome, reason)
  }
  for (const group of groupBy(outcomes, outcomeKey).values()) {
    if (group.some(({ price }) => price !== group[0]?.price)) put(group, 'duplicate_selection')
  }
  const left = outcomes.filter((outcome) => !reasons.has(outcome))
  for (const group of groupBy(left, ({ marketType }) => marketType).values()) {
    const reason = moneylineFault(group, sport)
    if (reason) put(group, reason)
  }
  for (const group of groupBy(left, ladderKey).values())
    if (isOutOfOrder(group)) put(group, 'mixed_market')
  return {
    kept: outcomes.filter((outcome) => !reasons.has(outcome)),
    skips: [...reasons].map(([outcome, reason]) => ({ reason, detail: describe(outcome) })),
  }
}

function moneylineFault(outcomes: readonly StatedOutcome[], sport: string): string | null {
  const marketType = outcomes[0]?.marketType ?? ''
  if (findMarket(marketType)?.answers !== 'winner') return null
  const types = new Set(outcomes.map(({ selectionType }) => selectionType))
  if (types.size < 3 && outcomesOf(marketType, sport)?.[0]?.length === 3) return 'not_three_way'
  if (types.size < 2) return 'not_two_sided'
  const booksum = outcomes.reduce((sum, { price }) => sum + 1 / (price ?? Number.NaN), 0)
  return booksum > booksumMax ? 'mixed_market' : null
}

/** Returns the key of one ladder: both sides of one total, of one team's total, of one player's count. */
const ladderKey = ({ marketType, playerName, selectionType }: StatedOutcome) =>
  JSON.stringify([marketType, playerName, selectionType.replace(/over$|under$/, '')])

/** Returns whether prices are out of order: over a higher line never pays less, under it never more. */
function isOutOfOrder(outcomes: readonly StatedOutcome[]): boolean {
  return ['over', 'under'].some((side) => {
    const rungs = outcomes
      .filter(({ selectionType, line }) => selectionType.endsWith(side) && line !== null)
      .sort((a, b) => Number(a.line) - Number(b.line))
      .map(({ price }) => Number(price))
    if (side === 'under') rungs.reverse()
    return rungs.some((price, rung) => price * disorderMax < (rungs[rung - 1] ?? 0))
  })
}
