/**
 * Kalshi: events with their markets (each is a yes-or-no contract that pays one dollar), and
 * milestones, which have the start of a game, its sides and its events. One game has an event for
 * the winner, one for the spread and one for the total; together they are one record.
 *
 * An order book holds bids only. A buyer of yes takes a bid for no: an ask for yes is 1 minus the best bid for no,
 * and its size is that bid's. The price is 1 over the ask, before fees (`rules/odds/fees.ts`); `maxBet` is the cost
 * of the contracts at that ask, in dollars. While trading pauses, each Thursday for two hours, orders
 * stay in the books and markets stay `active`, but no order is taken: all contracts are suspended.
 *
 * No market has the start: `close_time` is weeks later, and `occurrence_datetime` the end. Without a milestone there
 * is no record.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type GameOffered, readBoard, readEach } from '../kit/board.ts'
import {
  type Ask,
  type Asks,
  areCrossed,
  bestAsk,
  type Contract,
  contractBoard,
  costAgainst,
  isHalf,
  onlyFirst,
  oppositeOutcomes,
  type TwoOutcomes,
} from '../kit/contract.ts'
import { gameOf, isDrawNamed, type Side, sideSpelled, sidesIn } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketTypeFor, moneylineTypeFor, namesPart } from '../kit/market-type.ts'
import { numberOf } from '../kit/outcomes.ts'

/** A dollar amount or a count, written as text; in older responses as a number. */
const figure = z.union([z.string(), z.number()]).nullish()

const marketSchema = z.object({
  ticker: z.string().min(1),
  status: z.string(),
  market_type: z.string().nullish(),
  title: z.string().nullish(),
  yes_sub_title: z.string().nullish(),
  strike_type: z.string().nullish(),
  floor_strike: z.number().nullish(),
  custom_strike: z.record(z.string(), z.unknown()).nullish(),
  yes_bid_dollars: figure,
  yes_bid_size_fp: figure,
  yes_ask_dollars: figure,
  yes_ask_size_fp: figure,
  no_ask_dollars: figure,
})

const eventSchema = z.object({
  event_ticker: z.string().min(1),
  series_ticker: z.string().min(1),
  product_metadata: z.record(z.string(), z.unknown()).nullish(),
  markets: z.array(z.unknown()).nullish(),
})

const milestoneSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  title: z.string(),
  start_date: z.string(),
  related_event_tickers: z.array(z.string()).nullish(),
  primary_event_tickers: z.array(z.string()).nullish(),
  last_updated_ts: z.unknown().optional(),
  details: z.record(z.string(), z.unknown()).nullish(),
})

/** A page of `/events`. */
export const eventsPage = z.object({
  events: z.array(z.unknown()),
  milestones: z.array(z.unknown()).nullish(),
  cursor: z.string().nullish(),
})

/** A response of `/exchange/status`. */
export const exchangeStatus = z.object({
  exchange_active: z.boolean(),
  trading_active: z.boolean(),
})

type Market = z.infer<typeof marketSchema>
type Milestone = z.infer<typeof milestoneSchema>

/** The kinds of series whose contracts are understood. */
export const kinds = ['GAME', 'MATCH', 'SPREAD', 'TOTAL', 'BTTS'] as const
export type Kind = (typeof kinds)[number]

/**
 * Returns the series of a league: KXNBAGAME. Other series have the same ending: KXNFLTEAMTOTAL,
 * KXNBA1HSPREAD.
 */
export const seriesOf = (league: string, kind: Kind) => `KX${league}${kind}`

/**
 * @param events all events, of every series, on the games of these milestones: records are
 * snapshots
 * @param league the name of the league in series, and of the league of events that do not name one
 * @param books by ticker, responses of `/markets/{ticker}/orderbook`; they override a market's own quotes
 * @param isTrading whether the exchange is known to take orders; default yes
 */
export function parseKalshi(
  {
    events,
    milestones,
    books = new Map(),
    isTrading = true,
  }: {
    readonly events: readonly unknown[]
    readonly milestones: readonly unknown[]
    readonly books?: ReadonlyMap<string, unknown>
    readonly isTrading?: boolean
  },
  { league, receivedAt }: { readonly league: string; readonly receivedAt: number },
): Parsed {
  const kindBySeries = new Map(kinds.map((kind) => [seriesOf(league, kind), kind]))
  const skipped: Skip[] = []
  const candidates = new Map<string, Candidate[]>()
  for (const milestone of readEach(milestones, milestoneSchema, 'malformed', skipped)) {
    const { related_event_tickers, primary_event_tickers, last_updated_ts } = milestone
    const stated = gameOfMilestone(milestone, league, receivedAt)
    const own = new Set(primary_event_tickers)
    const updatedAt = instantOf(last_updated_ts) ?? 0
    for (const ticker of new Set([...(related_event_tickers ?? []), ...own])) {
      addTo(candidates, ticker, { stated, isOwn: own.has(ticker), updatedAt })
    }
  }

  const games = new Map<string | null, { readonly stated: Stated; readonly listed: Listed[] }>()
  for (const item of readEach(events, eventSchema, 'malformed', skipped)) {
    const { event_ticker, series_ticker, product_metadata, markets } = item
    const ofEvent = readEach(markets ?? [], marketSchema, 'malformed_market', skipped)
    const stated = oneOf(candidates.get(event_ticker) ?? [])
    if ('reason' in stated) {
      for (const { ticker: detail } of ofEvent) skipped.push({ reason: stated.reason, detail })
      continue
    }
    const { competition } = product_metadata ?? {}
    const inLeague = typeof competition === 'string' && competition !== '' ? competition : league
    const key = stated.event.externalId
    const event = { ...stated.event, league: inLeague }
    const game = games.get(key) ?? { stated: { ...stated, event }, listed: [] }
    games.set(key, game)
    const kind = kindBySeries.get(series_ticker)
    game.listed.push(...ofEvent.map((market) => ({ market, kind, ofEvent })))
  }
  const offered = [...games.values()].map(({ stated, listed }): GameOffered => {
    const game = withSides(stated, listed)
    const contracts = contractsOf(game, listed, books, skipped)
    return {
      event: game.event,
      mode: 'snapshot',
      markets: isTrading ? contracts : contracts.map((one) => ({ ...one, isSuspended: true })),
    }
  })
  return readBoard(board, offered, receivedAt, skipped)
}

/** A market with the kind of its series, and all markets of its event. */
interface Listed {
  readonly market: Market
  readonly kind: Kind | undefined
  readonly ofEvent: readonly Market[]
}

function contractsOf(
  game: Game,
  listed: readonly Listed[],
  books: ReadonlyMap<string, unknown>,
  skipped: Skip[],
): Contract[] {
  return listed.flatMap(({ market, kind, ofEvent }): Contract[] => {
    const question = questionOf(market, kind, ofEvent, game)
    const asks = asksOf(market, books.get(market.ticker))
    if (typeof question === 'string' || !asks) {
      const reason = typeof question === 'string' ? question : 'malformed_book'
      skipped.push({ reason, detail: market.ticker })
      return []
    }
    const [yes, no] = asks
    return [
      {
        id: market.ticker,
        question: areCrossed(asks) ? 'crossed_quotes' : question,
        asks: [yes, question.outcomes[1] && no],
        externalIds: sides,
      },
    ]
  })
}

const sides = ['yes', 'no'] as const
const board = contractBoard<Contract>('kalshi', ({ id }, at) => `${id} ${sides[at]}`)

// ---- games

/** A game as its milestone states it, with the sides as in its title. */
interface Stated {
  readonly event: FeedEvent
  /** Kalshi's ids of the teams, if the milestone has them. */
  readonly homeId: unknown
  readonly awayId: unknown
}

/** What one milestone states about an event. */
interface Candidate {
  readonly stated: Stated | Skip
  /** Whether it is the event's own milestone. */
  readonly isOwn: boolean
  /** Epoch ms; 0 where the milestone does not state it. */
  readonly updatedAt: number
}

/**
 * Returns the best statement of an event's milestones: a game before a skip, then the event's own
 * one, then the newest.
 */
function oneOf(candidates: readonly Candidate[]): Stated | Pick<Skip, 'reason'> {
  const isGame = ({ stated }: Candidate) => !('reason' in stated)
  const before = (a: Candidate, b: Candidate) =>
    Number(isGame(b)) - Number(isGame(a)) ||
    Number(b.isOwn) - Number(a.isOwn) ||
    b.updatedAt - a.updatedAt
  const [first, ...others] = candidates.toSorted(before)
  if (!first) return { reason: 'no_start' }
  const startOf = ({ stated }: Candidate) => ('reason' in stated ? null : stated.event.startsAt)
  const isUnclear = others.some((one) => !before(first, one) && startOf(one) !== startOf(first))
  return isUnclear ? { reason: 'no_start' } : first.stated
}

interface Game extends Stated {
  /** Whether the ids are known to be those of the event's sides. */
  readonly areIdsNamed: boolean
}

/** The sport by the type of a milestone: "basketball_game", "hockey_match", "soccer_tournament_multi_leg". */
const sports: readonly (readonly [RegExp, string])[] = [
  [/^basketball_/, 'basketball'],
  [/^football_/, 'football'],
  [/^baseball_/, 'baseball'],
  [/^hockey_/, 'hockey'],
  [/^soccer_/, 'soccer'],
  [/^tennis_/, 'tennis'],
  [/^(?:mma|ufc)_/, 'mma'],
  [/^cricket_/, 'cricket'],
]

function gameOfMilestone(milestone: Milestone, league: string, now: number): Stated | Skip {
  const { id, type, title, start_date, details } = milestone
  const startsAt = instantOf(start_date)
  const event = gameOf(
    {
      externalId: id,
      sport: sports.find(([pattern]) => pattern.test(type))?.[1],
      league,
      ...sidesIn(title.replace(/ winner\??$/i, '')),
      startsAt,
      // An event does not state that its game is in play.
      isLive: startsAt !== null && startsAt <= now,
      isByClock: true,
    },
    title,
  )
  if ('reason' in event) return event
  const { home_team_id: homeId, away_team_id: awayId } = details ?? {}
  return { event, homeId, awayId }
}

/**
 * Returns the game with the home side that its ids name: titles have the sides in either order,
 * such as "Indiana vs Phoenix" in Phoenix. Contracts with an id and a name show whose the ids are;
 * without such a contract, ids are useless.
 */
function withSides(stated: Stated, listed: readonly Listed[]): Game {
  const { event } = stated
  const agreements = new Set(
    listed.flatMap(({ market }) => {
      const [byName, byId] = [sideByName(market, stated), sideById(market, stated)]
      return byName && byId ? [byName === byId] : []
    }),
  )
  if (agreements.size !== 1) return { ...stated, areIdsNamed: false }
  if (agreements.has(true)) return { ...stated, areIdsNamed: true }
  const turned = { ...event, homeTeam: event.awayTeam, awayTeam: event.homeTeam }
  return { ...stated, event: turned, areIdsNamed: true }
}

/** Returns the side of a market by its name, else by its id; null where they disagree. */
function sideOf(market: Market, game: Game): Side | null {
  const [byName, byId] = [sideByName(market, game), sideById(market, game)]
  if (byName === null) return game.areIdsNamed ? byId : null
  return byId === null || byId === byName ? byName : null
}

const sideByName = (market: Market, { event }: Stated) => sideSpelled(nameOf(market), event)

function sideById({ custom_strike }: Market, { homeId, awayId }: Stated): Side | null {
  const ids = Object.entries(custom_strike ?? {}).flatMap(([name, value]) =>
    /_team$|competitor|player$/.test(name) && typeof value === 'string' && value ? [value] : [],
  )
  const isHome = ids.some((id) => id === homeId)
  if (isHome === ids.some((id) => id === awayId)) return null
  return isHome ? 'home' : 'away'
}

/**
 * Returns the name that a market is about: the text before "wins by over 4.5 points", or after "Reg
 * Time:".
 */
const nameOf = ({ yes_sub_title }: Market): string =>
  (yes_sub_title ?? '')
    .replace(/^reg(?:ular|ulation)? time: /i, '')
    .replace(/ wins?(?: by .*)?$/i, '')
    .trim()

// ---- contracts

/** Returns the question of a market with its outcomes, or the reason for leaving it out. */
function questionOf(
  market: Market,
  kind: Kind | undefined,
  ofEvent: readonly Market[],
  game: Game,
): TwoOutcomes | string {
  if (market.market_type && market.market_type !== 'binary') return 'unmapped_market'
  if (market.status !== 'active' && market.status !== 'open') return 'closed'
  const { sport } = game.event
  const texts = [market.title ?? '', market.yes_sub_title ?? '']
  if (kind && texts.some((text) => namesPart(text, sport))) return 'unmapped_period'
  switch (kind) {
    case 'GAME':
    case 'MATCH': {
      const side = isTie(market) ? 'draw' : sideOf(market, game)
      // The rules of each league decide what "no" pays in a tie.
      return side ? onlyFirst(moneylineTypeFor(sport, ofEvent.some(isTie)), side) : noSide
    }
    case 'SPREAD': {
      const by = lineOf(market)
      const side = sideOf(market, game)
      if (by === null) return 'unmapped_line'
      return side ? oppositeOutcomes(marketTypeFor(sport, 'spread'), side, 0 - by) : noSide
    }
    case 'TOTAL': {
      const line = lineOf(market)
      if (line === null) return 'unmapped_line'
      return oppositeOutcomes(marketTypeFor(sport, 'total'), 'over', line)
    }
    case 'BTTS':
      return oppositeOutcomes(sport === 'soccer' ? 'both_teams_to_score' : undefined, 'yes')
    default:
      return 'unmapped_market'
  }
}

const noSide = 'unknown_participant'
const isTie = (market: Market) => isDrawNamed(nameOf(market))

/** Reads "greater than 7.5"; with a whole number, yes and no are not over and under. */
const lineOf = ({ strike_type, floor_strike }: Market): number | null =>
  strike_type === 'greater' && floor_strike != null && floor_strike > 0 && isHalf(floor_strike)
    ? floor_strike
    : null

// ---- asks

/** Returns the asks for yes and no; null if a book cannot be read. */
function asksOf(market: Market, book: unknown): Asks | null {
  if (book !== undefined) return asksOfBook(book)
  const bid = numberOf(market.yes_bid_dollars)
  // Older responses leave out the sizes, and some the bids.
  const cost = numberOf(market.no_ask_dollars) ?? (bid === null ? null : costAgainst(bid))
  return [
    askOf(numberOf(market.yes_ask_dollars), numberOf(market.yes_ask_size_fp)),
    askOf(cost, numberOf(market.yes_bid_size_fp)),
  ]
}

/**
 * Returns the ask of a quote; null for one dollar, because then there is no bid for the other side.
 */
const askOf = (cost: number | null, contracts: number | null): Ask | null =>
  cost === null || cost >= 1
    ? null
    : bestAsk([{ cost, stake: contracts === null ? null : contracts * cost }])

const levels = z.array(z.tuple([figure, figure])).nullish()
const bookSchema = z.object({
  orderbook_fp: z.object({ yes_dollars: levels, no_dollars: levels }).nullish(),
  orderbook: z.object({ yes_dollars: levels, no_dollars: levels }).nullish(),
})

/** Returns asks from bids for yes and no, in any order: each bid is an ask for the other. */
function asksOfBook(payload: unknown): Asks | null {
  const read = bookSchema.safeParse(payload)
  const book = read.data?.orderbook_fp ?? read.data?.orderbook
  if (!book) return null
  const askAgainst = (bids: z.infer<typeof levels>): Ask | null =>
    bestAsk(
      (bids ?? []).flatMap(([price, count]) => {
        const bid = numberOf(price)
        const size = numberOf(count)
        if (bid === null || size === null || bid <= 0 || size <= 0) return []
        const cost = costAgainst(bid)
        return [{ cost, stake: size * cost }]
      }),
    )
  return [askAgainst(book.no_dollars), askAgainst(book.yes_dollars)]
}
