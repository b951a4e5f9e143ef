/**
 * Push ingest as an adapter like any other: text in (`schemas/http/ingest.ts`), feed records out.
 * Every rejected record is reported by line and code; the rest of the body is accepted. If a member
 * of a price is faulty, the member or its selection is dropped (`mended-record.ts`), and the sender
 * gets a warning.
 */

import { type Place, type StatedAttributes, statedMembers } from '../../../schemas/attributes.ts'
import type {
  FeedEvent,
  FeedFuture,
  FeedFutureSelection,
  FeedMarket,
  FeedRecord,
  FeedSelection,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import {
  type IngestMarket,
  type IngestRecord,
  type IngestSelection,
  ingestRecord,
  maxRecordBytes,
} from '../../../schemas/http/ingest.ts'
import { parseInstant } from '../../../schemas/http/instant.ts'
import { plainIssue } from '../../../schemas/http/plain-issue.ts'
import { resolveLeague } from '../../../schemas/reference/leagues.ts'
import { marketTypeOf } from '../../../schemas/reference/market-names.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { compileExtension } from '../../memory/compiled-members.ts'
import { pushAll } from '../../memory/push-all.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { clockSkewMs } from '../../rules/odds/freshness.ts'
import { teamOf } from '../../rules/odds/outcome-sets.ts'
import { homeLine, isHandicap } from '../../rules/odds/questions.ts'
import { sharesFrom } from '../../rules/odds/splits.ts'
import { asRead } from '../../rules/odds/stated-market.ts'
import {
  type GameSide,
  isTeamTotal,
  statedSide,
  teamOutcome,
  teamTotalNamed,
} from '../../rules/odds/team-totals.ts'
import { findDefect } from '../defect.ts'
import { withoutContradictions } from './contradictory-labels.ts'
import { isOfLabels, type TypedMarket, totalsByLabel } from './labelled-totals.ts'
import { mendRecord } from './mended-record.ts'
import { outcomeNamedIn, withoutPlaceholders, withUnreadBesideAll } from './outcomes.ts'
import { marketsByPlayer, statedLine, withoutUnclearUnders } from './player-markets.ts'
import { placeHint, Refused, type Rejection, reject, rejectIssue } from './rejections.ts'
import { namedByCategory } from './stat-categories.ts'
import { readPrice } from './stated-price.ts'
import {
  checkMarkets,
  type NamedMarket,
  type PriceFault,
  type Warning,
  warnOfSport,
} from './warnings.ts'

export type ParsedRecord =
  | { readonly ok: true; readonly record: FeedRecord; readonly warnings: readonly Warning[] }
  | ({ readonly ok: false } & Rejection)

/** Reads an element of a JSON array, like `parseLine`. */
export function parseMember(value: unknown, now: number): ParsedRecord {
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    // It is nested so deeply that it cannot be written as JSON.
    return tooLong
  }
  return isTooLong(text) ? tooLong : parseValue(value, now)
}

/** @param now epoch ms; an observation that is ahead by more than clocks may differ is refused */
export function parseLine(line: string, now: number): ParsedRecord {
  if (isTooLong(line)) return tooLong
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    const hint = 'send one record a line, or an array of records'
    return reject('invalid_json', `${(error as Error).message}; ${hint}`)
  }
  return parseValue(value, now)
}

/** Reads a value that is already parsed. */
export function parseValue(value: unknown, now: number): ParsedRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return reject('not_an_object', 'a record is a JSON object')
  }
  const shape = readShape(value)
  if (!shape.ok) return shape
  const { stated } = shape
  const observedAt = parseInstant(stated.observed_at)
  if (observedAt === null) return reject('invalid_date', 'observed_at is no date')
  if (observedAt > now + clockSkewMs) {
    return reject(
      'observed_in_future',
      `observed_at ${stated.observed_at} is more than 5 minutes ahead of the server's clock`,
    )
  }
  try {
    const warnings = [...shape.warnings]
    const record = toRecord(stated, observedAt, warnings)
    // The sink would leave the record out too, but only here can the sender be told.
    const defect = findDefect(record)
    return defect === null ? { ok: true, record, warnings } : reject(defect.reason, defect.message)
  } catch (error) {
    if (error instanceof Refused) return reject(error.code, error.message)
    throw error
  }
}

const inWords = { error: plainIssue }

/** Reads the structure; faulty members of prices are mended, with warnings. */
function readShape(value: object) {
  const parsed = ingestRecord.safeParse(value, inWords)
  if (parsed.success) return { ok: true, stated: parsed.data, warnings: [] } as const
  const { issues } = parsed.error
  const mended = mendRecord(value, issues)
  const again = mended && ingestRecord.safeParse(mended.value, inWords)
  if (again?.success) return { ok: true, stated: again.data, warnings: mended!.warnings } as const
  const issue = issues[0]!
  return rejectIssue(issue, value, placeHint(issue))
}

const tooLong = {
  ok: false,
  code: 'record_too_long',
  message: `a record has at most ${maxRecordBytes} bytes`,
} as const

/** Returns whether a line is too long. In UTF-8 a code unit is at most three bytes: most lines need no counting. */
const isTooLong = (line: string) =>
  3 * line.length > maxRecordBytes && Buffer.byteLength(line) > maxRecordBytes

/** @param warnings receives the sender's warnings about the record's markets */
function toRecord(stated: IngestRecord, observedAt: number, warnings: Warning[]): FeedRecord {
  const { sportsbook } = stated
  if (stated.type === 'book_status') {
    return { type: 'book_status', sportsbook, observedAt, status: stated.status }
  }
  if (stated.type === 'futures') {
    const future = toFuture(stated.market)
    const prices = stated.selections.map((selection) =>
      toFutureSelection(selection, future, warnings),
    )
    return { type: 'futures', sportsbook, mode: stated.mode, observedAt, future, prices }
  }
  const event = toEvent(stated.event)
  warnOfSport(warnings, event)
  switch (stated.type) {
    case 'odds': {
      const { sport, id: league } = resolveLeague(event.league, event.sport)
      const game = { home: event.homeTeam, away: event.awayTeam }
      const options = sideOptionsOf(sport, league)
      const checked = checkMarkets(
        stated.markets
          .map((market) => namedByCategory(market, sport))
          .flatMap((market) => toMarkets(market, stated.mode, game, options, warnings)),
        stated.mode,
        sport,
      )
      pushAll(warnings, checked.warnings)
      const { markets } = checked
      return { type: 'odds', sportsbook, mode: stated.mode, observedAt, event, markets }
    }
    case 'event_status':
      return { type: 'event_status', sportsbook, observedAt, event, status: stated.status }
    case 'game_state':
      return { type: 'game_state', sportsbook, observedAt, event, state: stated.state }
    case 'splits': {
      const { moneyline, spread, total } = stated.splits
      return {
        type: 'splits',
        sportsbook,
        observedAt,
        event,
        moneyline: moneyline
          ? {
              awayPrice: splitPrice(moneyline.away_odds, 'away', warnings),
              homePrice: splitPrice(moneyline.home_odds, 'home', warnings),
              handle: awayHome(moneyline.handle_pct),
              bets: awayHome(moneyline.bets_pct),
            }
          : null,
        spread: spread
          ? {
              awayLine: spread.away_line ?? null,
              homeLine: spread.home_line ?? null,
              handle: awayHome(spread.handle_pct),
              bets: awayHome(spread.bets_pct),
            }
          : null,
        total: total
          ? {
              line: total.line ?? null,
              handle: overUnder(total.handle_pct),
              bets: overUnder(total.bets_pct),
            }
          : null,
      }
    }
  }
}

type Pair = { readonly home: number; readonly away: number } | null | undefined
const awayHome = (pair: Pair) => (pair ? sharesFrom([pair.away, pair.home]) : null)
type Totals = { readonly over: number; readonly under: number } | null | undefined
const overUnder = (pair: Totals) => (pair ? sharesFrom([pair.over, pair.under]) : null)

/** Returns the price beside the shares of a side; the shares are valid without it. */
function splitPrice(
  american: number | null | undefined,
  side: string,
  warnings: Warning[],
): number | null {
  const price = readPrice({ odds_american: american })
  if (price === null || typeof price === 'number') return price
  const { code, message } = price
  const text = `${side}: ${message}; it is left out`
  warnings.push({ code, message: text, marketType: 'moneyline', selection: side, isLeftOut: true })
  return null
}

type IngestEvent = Extract<IngestRecord, { type: 'odds' }>['event']

function toEvent(stated: IngestEvent): FeedEvent {
  const startsAt = parseInstant(stated.start_time)
  if (startsAt === null) throw new Refused('invalid_date', 'event.start_time is no date')
  const homeTeam = stated.home_team.trim()
  const awayTeam = stated.away_team.trim()
  if (homeTeam.toLowerCase() === awayTeam.toLowerCase()) {
    throw new Refused('same_teams', 'event.home_team and event.away_team are one name')
  }
  return {
    externalId: stated.external_id ?? null,
    sport: stated.sport,
    league: stated.league,
    homeTeam,
    awayTeam,
    startsAt,
    isLive: stated.is_live,
  }
}

type IngestFutures = Extract<IngestRecord, { type: 'futures' }>

function toFuture(stated: IngestFutures['market']): FeedFuture {
  const settlesAt = stated.settles_at == null ? null : parseInstant(stated.settles_at)
  if (stated.settles_at != null && settlesAt === null) {
    throw new Refused('invalid_date', 'market.settles_at is no date')
  }
  return {
    externalId: stated.external_id ?? null,
    sport: stated.sport,
    league: stated.league,
    name: stated.name,
    futureType: stated.future_type,
    subject: stated.subject ?? null,
    season: stated.season ?? null,
    settlesAt,
  }
}

function toFutureSelection(
  stated: IngestFutures['selections'][number],
  { name }: FeedFuture,
  warnings: Warning[],
): FeedFutureSelection {
  const { selection, removed, suspended } = stated
  const price = readPrice(stated)
  const isPriced = typeof price === 'number'
  if (!isPriced && !removed && !suspended) warnings.push(priceWarning(price, name, selection))
  return {
    selection,
    line: stated.line ?? null,
    price: isPriced ? price : null,
    removed,
    suspended: suspended || !isPriced,
    changedAt: toChangedAt(stated.changed_at),
    externalId: stated.external_id ?? null,
    deepLink: stated.deep_link ?? null,
  }
}

function toMarkets(
  stated: IngestMarket,
  mode: OddsRecord['mode'],
  game: NamedGame,
  options: SideOptions,
  warnings: Warning[],
): NamedMarket[] {
  const known = { market: stated, marketType: ourTypeOf(stated, options) }
  const typed = isOfLabels(known, options.sport)
    ? totalsByLabel(known, game, options)
    : marketsByPlayer(stated, known.marketType, game, options.sport).map((market) =>
        market === stated ? known : { market, marketType: ourTypeOf(market, options) },
      )
  return typed.map((of) => toMarket(of, mode, game, options, warnings))
}

const ourTypeOf = (
  { market_type: marketType, player_name, stat_category }: IngestMarket,
  { sport }: SideOptions,
) =>
  marketTypeOf(
    { marketType, playerName: player_name ?? null, statCategory: stat_category ?? null },
    sport,
  )

function toMarket(
  { market: stated, marketType: known }: TypedMarket,
  mode: OddsRecord['mode'],
  game: NamedGame,
  options: SideOptions,
  warnings: Warning[],
): NamedMarket {
  const playerName = stated.player_name ?? null
  const statCategory = stated.stat_category ?? null
  const ofTeam = teamOfMarket(stated, known, game, options)
  const marketType = ofTeam?.marketType ?? known
  const { selections: clear } = withoutUnclearUnders(stated, warnings)
  const unpriced = new Map<number, UnpricedWarning>()
  const selections = clear.map((selection, at) => {
    const word = selection.selection_type
    const type = outcomeNamedIn({ marketType, playerName }, word, game, options)
    const warn = (warning: UnpricedWarning) => unpriced.set(at, warning)
    return toSelection(selection, type, stated, marketType, warn)
  })
  const market = withMarketAttributes(
    {
      marketType,
      line: stated.line ?? null,
      playerName: ofTeam === null ? playerName : ofTeam.playerName,
      statCategory,
      suspended: stated.suspended,
      selections:
        ofTeam === null
          ? selections
          : selections.map((selection) => ofOneTeam(selection, ofTeam.side, game, options)),
    },
    stated,
  )
  const read = asRead(market, options.sport)
  const { sport } = options
  const offered = mode === 'snapshot' ? withoutPlaceholders(read, stated.selections, sport) : read
  const kept = new Set(offered.selections)
  for (const [at, warning] of unpriced) {
    const isSuspended = kept.has(read.selections[at] as FeedSelection)
    warnings.push(warning(isSuspended ? 'suspended' : 'left out'))
  }
  const named = { statedType: stated.market_type, market: withUnreadBesideAll(offered, sport) }
  return withoutContradictions(named, game, options, warnings)
}

/**
 * Returns a team total, with the team if the name or the player field names it; null for any other
 * market.
 */
function teamOfMarket(
  { market_type: name, player_name: player }: IngestMarket,
  marketType: string,
  game: NamedGame,
  options: SideOptions,
) {
  const playerName = player ?? null
  if (isTeamTotal(marketType)) {
    const side = playerName === null ? null : statedSide(playerName, game, options)
    return { marketType, side, playerName: side === null ? playerName : null }
  }
  const ofTeam = findMarket(marketType) === undefined ? teamTotalNamed(name, game, options) : null
  return ofTeam && { ...ofTeam, playerName }
}

function ofOneTeam(
  stated: FeedSelection,
  side: GameSide | null,
  game: NamedGame,
  options: SideOptions,
): FeedSelection {
  const { selectionType, selection } = stated
  if (teamOf(selectionType) !== null) return stated
  const outcome = teamOutcome(selectionType, selection, side, game, options)
  return outcome === null ? stated : { ...stated, selectionType: outcome }
}

/**
 * Reads a selection. Without a readable price it is suspended, because its earlier price must not
 * look like an offer any more. The sender gets a warning, unless the record itself suspends it.
 */
function toSelection(
  stated: IngestSelection,
  selectionType: string,
  market: IngestMarket,
  marketType: string,
  warn: (warning: UnpricedWarning) => void,
): FeedSelection {
  const { removed, suspended } = stated
  const price = readPrice(stated)
  const isPriced = typeof price === 'number'
  if (!isPriced && !removed && !suspended && !market.suspended) {
    const line = stated.line ?? market.line
    const label = [market.player_name, selectionType, line].filter((word) => word != null).join(' ')
    warn((outcome) => priceWarning(price, market.market_type, label, outcome))
  }
  return withSelectionAttributes(
    {
      selection: stated.selection ?? null,
      selectionType,
      line: statedLine(stated, market.line) ?? sideLine(selectionType, market.line, marketType),
      price: isPriced ? price : null,
      removed,
      suspended: suspended || !isPriced,
      changedAt: toChangedAt(stated.changed_at),
    },
    stated,
  )
}

/** Makes the warning of a selection without a price, once it is known what happens to it. */
type UnpricedWarning = (outcome: 'suspended' | 'left out') => Warning

/** @param fault null if no price is stated */
const priceWarning = (
  fault: Rejection<PriceFault> | null,
  marketType: string,
  selection: string,
  outcome: 'suspended' | 'left out' = 'suspended',
): Warning => {
  const { code, message } = fault ?? unpriced
  const text = `${marketType} ${selection}: ${message}; it is ${outcome}`
  return { code, message: text, marketType, selection, isLeftOut: true }
}

const unpriced: Rejection<PriceFault> = {
  code: 'missing_price',
  message: 'odds_decimal or odds_american is needed',
}

type Core<At extends Place, Stated> = Omit<Stated, keyof StatedAttributes<At>>

const withMarketAttributes = extensionBy<'market', FeedMarket>('market')
const withSelectionAttributes = extensionBy<'selection', FeedSelection>('selection')

function extensionBy<At extends Place, Stated>(at: At) {
  return compileExtension<Core<At, Stated>, object, StatedAttributes<At>>(
    statedMembers(at).map(({ name, json }) => [name, json]),
  )
}

const toChangedAt = (text: string | null | undefined) => (text == null ? null : parseInstant(text))

/**
 * Returns a selection's line. A handicap market's line is the home side's; the away side has the
 * opposite.
 */
function sideLine(
  selectionType: string,
  line: number | null | undefined,
  marketType: string,
): number | null {
  const isSide = selectionType === 'home' || selectionType === 'away'
  if (line == null || !isSide || !isHandicap(marketType)) return null
  return homeLine(marketType, selectionType, line)
}
