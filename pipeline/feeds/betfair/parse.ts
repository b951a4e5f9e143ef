/**
 * The questions of Betfair Exchange markets, and their books as feed records. The stream only has
 * numbers for markets and runners: the catalogue has the sides and the runners' names.
 *
 * The price is the best available to back for enough to count (`isStakeable`). The lay side is the
 * other side of the same bet and no second price; the middle of both sides is a sportsbook of its
 * own. Prices exclude commission. Sizes are in the account's currency, which is unknown here, so they
 * become no `maxBet`.
 */

import { z } from 'zod'
import type { EventStatusRecord, FeedEvent, OddsRecord } from '../../../schemas/feed-record.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { isPrice } from '../../rules/odds/odds.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type Board, type GameOffered, type Question, readBoard, readEach } from '../kit/board.ts'
import { midBookOf, midPrice } from '../kit/exchange-mid.ts'
import { isDrawNamed, sideNamed, sidesIn, sportsWithOvertime } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketTypeFor, moneylineTypeFor } from '../kit/market-type.ts'
import type { Offered } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'
import {
  bestBack,
  bestLay,
  type MarketBook,
  type MarketDefinition,
  type RunnerBook,
  runnerKey,
} from './book.ts'

const catalogueSchema = z.object({
  marketId: z.string(),
  competition: z.object({ name: z.string() }).nullish(),
  event: z.object({ id: z.string(), name: z.string(), openDate: z.unknown() }),
  runners: z.array(
    z.object({
      selectionId: z.number(),
      runnerName: z.string(),
      handicap: z.number().nullish(),
    }),
  ),
})

/** Names of one market: its event, league and runners. */
export type MarketNames = z.infer<typeof catalogueSchema>

/** Reads `listMarketCatalogue`: a bare list, one entry, or a JSON-RPC response. */
export function parseCatalogue(payload: unknown): { names: MarketNames[]; skipped: Skip[] } {
  const skipped: Skip[] = []
  const names = readEach(resultOf(payload), catalogueSchema, 'malformed', skipped)
  return { names, skipped }
}

/**
 * Returns the records of markets from their current books.
 * @param mode `snapshot` if `markets` are all markets of their events; else `delta`, which
 * explicitly removes closed markets and runners without a price
 * @param observedAt publish time of their message (epoch ms)
 * @param known every market in the book, not only the parsed ones: an event is in play once any of
 * its markets is, until the end. Default `markets`
 * @param withMid whether the records of middle prices are added
 * @param withoutPlay whether games in play are offered without prices
 */
export function parseMarkets(
  markets: readonly MarketBook[],
  names: ReadonlyMap<string, MarketNames>,
  {
    mode,
    observedAt,
    known = markets,
    withMid = false,
    withoutPlay = false,
  }: {
    readonly mode: OddsRecord['mode']
    readonly observedAt: number
    readonly known?: Iterable<MarketBook>
    readonly withMid?: boolean
    readonly withoutPlay?: boolean
  },
): Parsed {
  const skipped: Skip[] = []
  const inPlay = new Set<string>()
  for (const { definition } of known) if (definition?.inPlay) inPlay.add(definition.eventId)
  const games = new Map<string, GameOffered & { event: FeedEvent; markets: Placed[] }>()
  for (const market of markets) {
    const placed = placeOf(market, names.get(market.id))
    if (typeof placed === 'string') {
      const label = placed === 'unmapped_market' ? market.definition?.marketType : undefined
      const skip = { reason: placed, ...(label !== undefined && { label }) }
      for (const detail of pricesOf(market)) skipped.push({ ...skip, detail })
      continue
    }
    const { event, definition } = placed
    const key = definition.eventId
    const game = games.get(key) ?? { event, mode, markets: [] }
    games.set(key, { ...game, event: { ...event, isLive: inPlay.has(key) } })
    game.markets.push(placed)
  }
  const offered = [...games.values()].map(
    (game): GameOffered =>
      withoutPlay && game.event.isLive ? { ...game, mode: 'snapshot', markets: [] } : game,
  )
  const parsed = readBoard(board, offered, observedAt, skipped)
  if (!withMid) return parsed
  const mids = readBoard(midBoard, offered, observedAt)
  return { ...parsed, records: [...parsed.records, ...mids.records] }
}

/**
 * Returns the state of a game by its main market; null for any other market. A closed market only
 * means that the game is over if it has a winner of the whole game: markets are closed for other
 * reasons too.
 */
export function parseStatus(
  market: MarketBook,
  names: MarketNames | undefined,
  { observedAt }: { readonly observedAt: number },
): EventStatusRecord | null {
  const placed = placeOf(market, names)
  if (typeof placed === 'string' || !mainMarkets.has(placed.definition.marketType)) return null
  const { event, definition } = placed
  if (definition.status === 'CLOSED' && !endsGame(placed)) return null
  const status = definition.status === 'CLOSED' ? 'final' : definition.inPlay ? 'live' : 'upcoming'
  return {
    type: 'event_status',
    sportsbook: 'betfair',
    observedAt,
    event: { ...event, isLive: status === 'live' },
    status,
  }
}

/** Returns whether the winner of the main market ends the game. */
function endsGame({ event, meaning, names, runners }: Placed): boolean {
  const winner = runners.find(({ status }) => status === 'WINNER')
  if (!winner) return false
  const { sport } = event
  if (sport === 'soccer') return !!names.competition && !mayGoOn.test(names.competition.name)
  if (meaning.marketType === moneylineTypeFor(sport, false)) return true
  // A result with a draw is that of regulation time.
  return !sportsWithOvertime.has(sport) && (sport === 'cricket' || !isDraw(winner))
}

/**
 * Matches soccer competitions with extra time, which match odds do not include: cups, also with two
 * legs.
 */
const mayGoOn =
  /pokal|(?:cup(?:en)?|copa|coppa|coupe|beker|ta[cç]a|kupa|trophy|shield)\b|\b(?:champions|europa|conference|libertadores|sudamericana|euro|nations|play-?offs?|qualif\w*)\b/i

function resultOf(payload: unknown): readonly unknown[] {
  if (Array.isArray(payload)) return payload
  const result = (payload as { result?: unknown } | null)?.result
  return Array.isArray(result) ? result : [payload]
}

interface Placed {
  readonly market: MarketBook
  readonly event: FeedEvent
  readonly meaning: Meaning
  readonly names: MarketNames
  readonly definition: MarketDefinition
  readonly runners: readonly Runner[]
}

/** Returns the event and meaning of a market, or the reason why it has none. */
function placeOf(market: MarketBook, names: MarketNames | undefined): Placed | string {
  const { definition } = market
  if (!definition) return 'no_definition'
  const sport = sports.get(definition.eventTypeId)
  if (races.has(definition.eventTypeId)) return 'race'
  if (sport === undefined) return 'unsupported_sport'
  const runners = runnersOf(definition, names)
  const meaning = meaningOf(definition, runners, sport, names)
  if (typeof meaning === 'string') return meaning
  if (!names) return 'no_catalogue'
  const sides = sidesIn(names.event.name, /^(.+?) (v|@) (.+)$/)
  if (!sides) return 'outright'
  // The stream has a new start; the names were requested only once and have the first start.
  const startsAt =
    instantOf(definition.openDate) ??
    instantOf(names.event.openDate) ??
    instantOf(definition.marketTime)
  if (startsAt === null) return 'bad_start'
  const event = {
    externalId: definition.eventId,
    sport,
    league: names.competition?.name ?? 'unknown',
    ...sides,
    startsAt,
    isLive: definition.inPlay,
  }
  return { market, event, meaning, names, definition, runners }
}

const sports = sportNames('betfair')
/** Horses and greyhounds. */
const races: ReadonlySet<string> = new Set(['7', '4339'])

interface Meaning extends Question {
  readonly sides: 'teams' | 'over_under' | 'yes_no'
  /** The line of a total; for handicaps, the runner has the line. */
  readonly line: number | null
}

/** Returns the question of a market type, or the reason for leaving it out. */
function meaningOf(
  { marketType, bettingType }: MarketDefinition,
  runners: readonly Runner[],
  sport: string,
  names: MarketNames | undefined,
): Meaning | string {
  const known = (id: string | undefined, sides: Meaning['sides'], line: number | null = null) =>
    id !== undefined && findMarket(id)?.sports.includes(sport)
      ? { marketType: id, sides, line }
      : 'unmapped_market'
  if (mainMarkets.has(marketType)) {
    const sides = runners.filter((runner) => !isDraw(runner))
    if (sides.length > 2) return names ? 'unmapped_market' : 'no_catalogue'
    return known(moneylineTypeFor(sport, sides.length < runners.length), 'teams')
  }
  if (marketType === 'HALF_TIME' && sport === 'soccer') return known('1st_half_moneyline', 'teams')
  if (marketType === 'DRAW_NO_BET') return known('draw_no_bet', 'teams')
  if (marketType === 'BOTH_TEAMS_TO_SCORE') return known('both_teams_to_score', 'yes_no')
  const total = /^(OVER_UNDER|FIRST_HALF_GOALS)_(\d)(5)$/.exec(marketType)
  if (total && sport === 'soccer') {
    const period = total[1] === 'OVER_UNDER' ? 'game' : '1st_half'
    return known(marketTypeFor(sport, 'total', period), 'over_under', Number(total[2]) + 0.5)
  }
  if (bettingType?.startsWith('ASIAN_HANDICAP') && handicaps.has(marketType)) {
    return sport === 'tennis' ? 'unmapped_market' : known(marketTypeFor(sport, 'spread'), 'teams')
  }
  return outrights.has(marketType) ? 'outright' : 'unmapped_market'
}

/** The markets of a game's winner. */
const mainMarkets: ReadonlySet<string> = new Set(['MATCH_ODDS', 'MONEY_LINE'])

/**
 * The handicaps of a whole game (others count corners or a half). In tennis, those in sets and in
 * games have the same name.
 */
const handicaps: ReadonlySet<string> = new Set(['ASIAN_HANDICAP', 'HANDICAP'])

const outrights: ReadonlySet<string> = new Set([
  'WIN',
  'WINNER',
  'OUTRIGHT_WINNER',
  'TOURNAMENT_WINNER',
  'PLACE',
  'OTHER_PLACE',
  'TOP_N_FINISH',
  'SPECIAL',
])

type Defined = MarketDefinition['runners'][number]

/** A runner with its name from the catalogue, else from the stream; empty for none. */
interface Runner extends Defined {
  readonly name: string
}

const runnersOf = ({ runners }: MarketDefinition, names: MarketNames | undefined) =>
  runners.map((runner): Runner => ({ ...runner, name: nameOf(runner, names) }))

/** The id of the draw in most markets; Test cricket has another. */
const drawId = 58805

const isDraw = ({ id, name }: Runner) => id === drawId || isDrawNamed(name)

function nameOf({ id, hc, name }: Defined, names: MarketNames | undefined): string {
  const named =
    names?.runners.find((one) => one.selectionId === id && (one.handicap ?? 0) === (hc ?? 0)) ??
    names?.runners.find((one) => one.selectionId === id)
  return named?.runnerName ?? name ?? ''
}

/** A runner with a side, and its current price. */
interface Priced extends Offered {
  readonly detail: string
}

const board: Board<Placed, Priced, Meaning> = {
  sportsbook: 'betfair',
  marketId: ({ market }) => market.id,
  offers: (placed, skipped) => pricedRunners(placed, bestBack, skipped),
  describe: ({ detail }) => detail,
  question: ({ meaning }) => meaning,
  outcome: (priced) => priced,
}

const midBoard: typeof board = {
  ...board,
  sportsbook: midBookOf('betfair'),
  offers: (placed, skipped) =>
    pricedRunners(placed, (book) => midPrice(bestBack(book), bestLay(book)), skipped),
}

/** @param priceOf the odds of a runner that has offers; null for none */
function pricedRunners(
  placed: Placed,
  priceOf: (book: RunnerBook) => number | null,
  skipped: Skip[],
): Priced[] {
  const { market, event, meaning, definition, runners } = placed
  const suspended = definition.status === 'SUSPENDED'
  const closed = definition.status !== 'OPEN' && !suspended
  const priced: Priced[] = []
  for (const runner of runners) {
    const key = runnerKey(runner.id, runner.hc)
    const book = market.runners.get(key)
    const stated = book ? priceOf(book) : null
    const price = stated !== null && isPrice(stated) ? stated : null
    const detail = `${market.id} ${definition.marketType} ${key} ${stated ?? ''}`
    const hc = runner.hc ?? 0
    const side = sideOf(runner, placed)
    if (side === null) {
      if (stated !== null) skipped.push({ reason: 'unknown_participant', detail })
      continue
    }
    if (stated !== null && price === null) skipped.push({ reason: 'bad_price', detail })
    const removed = closed || runner.status !== 'ACTIVE' || (price === null && !suspended)
    if (removed) {
      // A price in a closed book cannot be bet on: it is a skip and no selection.
      const reason = closed ? 'closed' : 'runner_removed'
      if (price !== null) skipped.push({ reason, detail })
    }
    priced.push({
      selection: side === 'home' ? event.homeTeam : side === 'away' ? event.awayTeam : null,
      selectionType: side,
      line: meaning.sides === 'teams' ? hc + 0 : meaning.line,
      price: removed ? null : price,
      externalId: String(runner.id),
      removed,
      suspended: suspended && !removed,
      detail,
    })
  }
  return priced
}

function sideOf(runner: Runner, { meaning, event }: Placed): string | null {
  const { name } = runner
  if (meaning.sides === 'teams') return isDraw(runner) ? 'draw' : sideNamed(name, event)
  const word = name.split(' ')[0]?.toLowerCase()
  if (meaning.sides === 'yes_no') return word === 'yes' || word === 'no' ? word : null
  return word === 'over' || word === 'under' ? word : null
}

/** Returns one text per runner that can be backed, for the skips of a market that is left out. */
function pricesOf(market: MarketBook): string[] {
  const type = market.definition?.marketType ?? ''
  return [...market.runners].flatMap(([key, runner]) => {
    const price = bestBack(runner)
    return price === null ? [] : [`${market.id} ${type} ${key} ${price}`]
  })
}

/** Returns the markets whose names are needed but not known yet. */
export function unnamedMarkets(
  ids: Iterable<string>,
  markets: ReadonlyMap<string, MarketBook>,
  names: ReadonlyMap<string, MarketNames>,
): string[] {
  return [...ids].filter((id) => {
    const definition = markets.get(id)?.definition
    if (names.has(id) || !definition || races.has(definition.eventTypeId)) return false
    return definition.status !== 'CLOSED'
  })
}
