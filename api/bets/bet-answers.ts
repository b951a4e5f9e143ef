/** Bets in responses, and the filters of an account's bets. */

import type { ArchivedClose } from '../../pipeline/archive/bets.ts'
import { paid } from '../../pipeline/rules/bets/settle-bet.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { selectionLabel } from '../../pipeline/rules/odds/selections.ts'
import type { BetRow, BetSelection, BetVerdict } from '../../schemas/bet.ts'
import {
  type betFilters,
  type betListFilters,
  foundItem,
  verdictItem,
} from '../../schemas/http/bets/bet.ts'
import { writtenColumns } from '../../schemas/http/bets/files.ts'
import type { Query } from '../../schemas/http/query.ts'
import { findLeague, leagueById, slugLeague } from '../../schemas/reference/leagues.ts'
import { findMarketNamed, marketsNamed } from '../../schemas/reference/market-names.ts'
import { findMarket, slugMarket } from '../../schemas/reference/markets.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type CsvCell, type CsvStyle, csvText } from '../answer/csv.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant } from '../answer/json.ts'
import { datedList, type PageQuery } from '../answer/list-page.ts'
import type { WeighedBet } from './bet-closes.ts'
import { searchBets } from './bet-search.ts'
import { type EndedBet, percentOf } from './bet-sums.ts'

// ---- filters

export function filterOf(query: Query<typeof betFilters>) {
  const sportsbooks = query.sportsbook?.map(idOfSportsbook)
  const leagues = query.league?.map(
    (text) => (leagueById(text) ?? findLeague(text))?.id ?? slugLeague(text),
  )
  const markets = query.market?.flatMap((text) =>
    findMarket(text) ? [text] : (marketsNamed(text) ?? [slugMarket(text)]),
  )
  const from = query.from === undefined ? -Infinity : Date.parse(`${query.from}T00:00:00Z`)
  const to = query.to === undefined ? Infinity : Date.parse(`${query.to}T00:00:00Z`) + 86_400_000
  const isMeant = query.q === undefined ? undefined : searchBets(query.q)
  const mayHold = (row: BetRow) =>
    row.placedAt >= from &&
    row.placedAt < to &&
    (sportsbooks?.includes(row.sportsbook) ?? true) &&
    (row.event.league === null ||
      row.found !== null ||
      (leagues?.includes(row.event.league) ?? true))
  return {
    filters: {
      ...(sportsbooks && { sportsbook: sportsbooks }),
      ...(leagues && { league: leagues }),
      ...(markets && { market: markets }),
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
      ...(query.q !== undefined && { q: query.q }),
    },
    /** Returns whether a bet may match the filters, as far as is known without its selection. */
    mayHold,
    holds: (row: BetRow, found = row.found) =>
      mayHold(row) &&
      (leagues?.includes(found?.league ?? row.event.league ?? '') ?? true) &&
      (markets?.includes(marketOf({ row, found })) ?? true) &&
      (isMeant?.(row, found) ?? true),
  }
}

/** Returns the market type, or the market as stated if it is unknown. */
export function marketOf({ row, found }: Pick<WeighedBet, 'row' | 'found'>): string {
  if (found) return found.marketType
  const { market, playerName, event } = row
  return findMarketNamed(market, event.sport ?? '', playerName !== null) ?? slugMarket(market)
}

// ---- responses

export function betJson(row: BetRow, found = row.found) {
  return {
    id: row.id,
    placed_at: instant(row.placedAt)!,
    created_at: instant(row.createdAt)!,
    ...statedJson(row),
    found: found && foundJson(found),
    by_hand: row.verdict && verdictJson(row.verdict),
  }
}

const verdictJson = (verdict: BetVerdict) =>
  itemOfRow(verdictItem, verdict, { at: instant(verdict.at)! })

function statedJson(row: BetRow) {
  const { id, homeTeam, awayTeam, startsAt, isDay, league, sport } = row.event
  const start = startsAt === null ? null : instant(startsAt)
  return {
    event_id: id,
    home_team: homeTeam,
    away_team: awayTeam,
    start_time: isDay && start !== null ? start.slice(0, 10) : start,
    league,
    sport,
    market: row.market,
    selection: row.selection,
    line: row.line,
    player_name: row.playerName,
    odds_decimal: row.price,
    odds_american: decimalToAmerican(row.price),
    stake: row.stake,
    free_bet: row.isFree,
    sportsbook: row.sportsbook,
    reference: row.reference,
  }
}

function foundJson(found: BetSelection) {
  const { marketType, selectionType, playerName, homeTeam, awayTeam } = found
  const sides = { frameHome: homeTeam, frameAway: awayTeam }
  return itemOfRow(foundItem, found, {
    start_time: instant(found.startsAt)!,
    selection: selectionLabel(selectionType, marketType, null, playerName, sides),
  })
}

export const weighedJson = ({ row, found, clv, reason, close, ownClose, ownClv }: WeighedBet) => ({
  ...betJson(row, found),
  clv_percent: clv === null ? null : percentOf(clv),
  reason,
  close: close && closeJson(close),
  sportsbook_clv_percent: ownClv === null ? null : percentOf(ownClv),
  sportsbook_close: ownClose && closeJson(ownClose),
})

export function resultJson({ row, found, clv, reason, settled }: EndedBet) {
  const { score } = settled
  return {
    ...betJson(row, found),
    outcome: settled.outcome,
    open_because: settled.reason,
    settled_by: settled.settledBy,
    outcome_by_score: settled.byScore,
    score: score && found && { home_team: found.homeTeam, away_team: found.awayTeam, ...score },
    returned: settled.returned,
    profit: settled.profit,
    clv_percent: clv === null ? null : percentOf(clv),
    clv_reason: reason,
  }
}

const closeJson = ({ sportsbook, startsAt, price, noVig, withheld, missing }: ArchivedClose) => ({
  sportsbook,
  start_time: instant(startsAt),
  odds_decimal: price === null ? null : shownPrice(price),
  odds_american: price === null ? null : decimalToAmerican(price),
  no_vig_probability: noVig,
  withheld,
  missing,
})

export function betList(
  rows: readonly BetRow[],
  page: PageQuery,
  filters: Readonly<Record<string, unknown>>,
  most: number,
): string {
  return datedList(rows, page, (row) => betJson(row), { filters, max_bets: most })
}

/** Format options of a file. */
export type BetFileStyle = Partial<
  Pick<Query<typeof betListFilters>, 'separator' | 'decimal' | 'bom'>
>

const separators = { comma: ',', semicolon: ';', tab: '\t' } as const

const styleOf = ({ separator = 'comma', decimal }: BetFileStyle): CsvStyle => ({
  separator: separators[separator],
  decimal: decimal === 'comma' ? ',' : '.',
})

/**
 * Writes a file line by line: the columns that can be uploaded again, then the matched selection.
 * @param write receives each line with its line break
 */
export function* writeCsv(
  rows: readonly BetRow[],
  { separator, decimal, bom }: BetFileStyle,
  write: (line: string) => void,
): Generator<void> {
  const style = styleOf({ separator, decimal })
  if (bom) write('\ufeff')
  write(csvText([writtenColumns], style))
  for (const row of rows) {
    const { verdict, isFree } = row
    const returned = verdict?.returned ?? null
    // A file has what a free bet was cashed out for without its stake.
    const isWithout = isFree && verdict?.outcome === 'cashed_out' && returned !== null
    const cells: Readonly<Record<string, string | number | null>> = {
      ...statedJson(row),
      // Only the decimal column is filled, with the exact price.
      odds_american: null,
      placed_at: instant(row.placedAt),
      result: verdict?.outcome ?? null,
      free_bet: isFree ? 'true' : null,
      returned: isWithout ? paid(returned - row.stake, row.stake) : returned,
      shared_by: verdict?.sharedBy ?? null,
      result_reason: verdict?.reason ?? null,
      id: row.id,
      created_at: instant(row.createdAt),
      found_event_id: row.found?.eventId ?? null,
      found_market: row.found?.marketType ?? null,
    }
    write(csvText([writtenColumns.map((column) => cells[column] ?? '')], style))
    yield
  }
}

/** Returns the same file as one text. */
export function csvOf(rows: readonly BetRow[], style: BetFileStyle = {}): string {
  let text = ''
  const steps = writeCsv(rows, style, (line) => {
    text += line
  })
  while (!steps.next().done) {}
  return text
}

/** Columns of the results file, each with a function for its cell; empty for null. */
const resultColumns: Readonly<
  Record<string, (bet: ReturnType<typeof resultJson>) => CsvCell | null>
> = {
  placed_at: (bet) => bet.placed_at,
  home_team: ({ found, home_team }) => found?.home_team ?? home_team,
  away_team: ({ found, away_team }) => found?.away_team ?? away_team,
  start_time: ({ found, start_time }) => found?.start_time ?? start_time,
  league: ({ found, league }) => found?.league ?? league,
  sport: ({ found, sport }) => found?.sport ?? sport,
  market: ({ found, market }) => found?.market_type ?? market,
  selection: ({ found, selection }) => found?.selection ?? selection,
  line: (bet) => bet.line,
  player_name: (bet) => bet.player_name,
  sportsbook: (bet) => bet.sportsbook,
  odds_decimal: (bet) => bet.odds_decimal,
  odds_american: (bet) => bet.odds_american,
  stake: (bet) => bet.stake,
  free_bet: (bet) => bet.free_bet || null,
  outcome: (bet) => bet.outcome,
  returned: (bet) => bet.returned,
  profit: (bet) => bet.profit,
  clv_percent: (bet) => bet.clv_percent,
  open_because: (bet) => bet.open_because,
  reference: (bet) => bet.reference,
  id: (bet) => bet.id,
}

/** First line of the results file. */
export const resultsCsvHead = csvText([Object.keys(resultColumns)])

/** Writes the results of bets line by line. @param write receives each line with its line break */
export function* writeResultsCsv(
  bets: readonly EndedBet[],
  { bom, ...others }: BetFileStyle,
  write: (line: string) => void,
): Generator<void> {
  const style = styleOf(others)
  const columns = Object.values(resultColumns)
  if (bom) write('\ufeff')
  write(csvText([Object.keys(resultColumns)], style))
  for (const bet of bets) {
    const json = resultJson(bet)
    write(csvText([columns.map((cell) => cell(json) ?? '')], style))
    yield
  }
}

/** Returns the league, or the league as stated if it is unknown. */
export const leagueOf = ({ row, found }: Pick<WeighedBet, 'row' | 'found'>) =>
  found?.league ?? row.event.league ?? 'unknown'
