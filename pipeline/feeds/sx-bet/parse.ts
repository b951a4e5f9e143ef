/**
 * SX Bet: markets, each with two outcomes, and the orders of makers on them. If a maker bets on
 * outcome one at probability p, the taker gets outcome two at 1 - p; probabilities come as integers
 * of 10^-20, amounts as integers of the token. Only orders in USDC are read, whose unit is 10^-6
 * dollars.
 *
 * The price is the best a taker can have now, `maxBet` the available stake. The sport decides which
 * types ask about the whole game: if it has overtime, a type without overtime is another question.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import type { Parsed, Skip } from '../feed.ts'
import { readBoard, readEach } from '../kit/board.ts'
import {
  type Ask,
  type Asks,
  bestAsk,
  type Contract,
  contractBoard,
  onlyFirst,
  oppositeOutcomes,
  type TwoOutcomes,
} from '../kit/contract.ts'
import { otherSide, type Side, sportsWithOvertime } from '../kit/game.ts'
import { marketTypeFor } from '../kit/market-type.ts'
import { sportNames } from '../kit/sport-names.ts'

const marketSchema = z.object({
  status: z.string(),
  marketHash: z.string().min(1),
  outcomeOneName: z.string(),
  outcomeTwoName: z.string(),
  teamOneName: z.string().min(1),
  teamTwoName: z.string().min(1),
  type: z.number().int(),
  gameTime: z.number().int().positive(),
  line: z.number().nullish(),
  sportXeventId: z.string().min(1),
  sportId: z.number().int(),
  leagueLabel: z.string().min(1),
  homeTeamFirst: z.boolean().nullish(),
})

/** Accepts both spellings of the documents, `sportXEventId` and `sportXeventId`. */
const anyMarketSchema = z.preprocess((value) => {
  const { sportXEventId, ...market } = Object(value) as Record<string, unknown>
  return sportXEventId === undefined ? value : { sportXeventId: sportXEventId, ...market }
}, marketSchema)

const amount = z.string().regex(/^\d{1,30}$/)
const orderSchema = z.object({
  marketHash: z.string(),
  fillAmount: amount,
  pendingFillAmount: amount.nullish(),
  totalBetSize: amount,
  percentageOdds: amount,
  baseToken: z.string(),
  isMakerBettingOutcomeOne: z.boolean(),
  orderStatus: z.string().nullish(),
  /** The exchange fills no order after this time (epoch seconds); 0 or absent for none. */
  apiExpiry: z.union([z.number(), z.string()]).nullish(),
})

type Market = z.infer<typeof marketSchema>
type Order = z.infer<typeof orderSchema>

/** A page of `/markets/active`. */
export const marketsPage = z.object({
  data: z.object({ markets: z.array(z.unknown()), nextKey: z.string().nullish() }),
})
/** A response of `/orders`. */
export const ordersAnswer = z.object({ data: z.array(z.unknown()) })

const hashSchema = z.object({ marketHash: z.string() })

/** Returns the ids by which orders are listed. */
export const hashesOf = (markets: readonly unknown[]) =>
  markets.flatMap((market) => hashSchema.safeParse(market).data?.marketHash ?? [])

/**
 * @param markets all markets of the events for the records: these are snapshots
 * @param orders every order on them
 * @param receivedAt epoch ms
 */
export function parseSxBet(
  markets: readonly unknown[],
  orders: readonly unknown[],
  receivedAt: number,
): Parsed {
  const skipped: Skip[] = []
  const asksOf = takerAsks(orders, receivedAt, skipped)
  const games = new Map<string, { event: FeedEvent; mode: 'snapshot'; markets: SxContract[] }>()
  for (const market of readEach(markets, anyMarketSchema, 'malformed_market', skipped)) {
    const { marketHash: id, sportXeventId: key, type, outcomeOneName } = market
    const label = `${type} ${outcomeOneName}`
    const asks = asksOf.get(id) ?? [null, null]
    const question = questionOf(market)
    if (typeof question === 'string') {
      for (const ask of asks) if (ask) skipped.push({ reason: question, detail: label })
      continue
    }
    const game = games.get(key) ?? {
      event: eventOf(market, receivedAt),
      mode: 'snapshot',
      markets: [],
    }
    games.set(key, game)
    game.markets.push({ id, question, asks, label })
  }
  return readBoard(board, games.values(), receivedAt, skipped)
}

interface SxContract extends Contract {
  readonly label: string
}

const board = contractBoard<SxContract>('sx_bet', ({ label }, at) => `${label} ${at}`)

// ---- orders

/** USDC on SX Network; other tokens are not dollars. */
const usdc = '0x6629ce1cf35cc1329ebb4f63202f3f197b3f050b'
const oddsUnit = 10n ** 20n
const usdcUnit = 1e6

/** Returns, by market, the taker's offer of each outcome. */
function takerAsks(
  orders: readonly unknown[],
  now: number,
  skipped: Skip[],
): ReadonlyMap<string, Asks> {
  const byMarket = new Map<string, Order[]>()
  for (const order of readEach(orders, orderSchema, 'malformed_order', skipped)) {
    if (order.baseToken.toLowerCase() !== usdc) {
      skipped.push({ reason: 'other_token', detail: order.baseToken })
    } else if (isOpen(order, now)) addTo(byMarket, order.marketHash, order)
  }
  // A taker of the first outcome takes it from makers of the second.
  return new Map(
    [...byMarket].map(([market, all]) => [market, [askOf(all, false), askOf(all, true)]]),
  )
}

function askOf(orders: readonly Order[], isMakerOnFirst: boolean): Ask | null {
  const ofSide = orders.filter((order) => order.isMakerBettingOutcomeOne === isMakerOnFirst)
  return bestAsk(
    ofSide.map((order) => ({
      cost: 1 - Number(order.percentageOdds) / Number(oddsUnit),
      stake: takerSpace(order),
    })),
  )
}

function isOpen(order: Order, now: number): boolean {
  const { orderStatus, apiExpiry } = order
  const expiresAt = Number(apiExpiry ?? 0) * 1_000
  const hasExpired = expiresAt > 0 && expiresAt <= now
  return (orderStatus ?? 'ACTIVE') === 'ACTIVE' && !hasExpired && remaining(order) > 0n
}

const remaining = ({ totalBetSize, fillAmount, pendingFillAmount }: Order) =>
  BigInt(totalBetSize) - BigInt(fillAmount) - BigInt(pendingFillAmount ?? 0)

/** Returns the highest stake of a taker on the rest of an order, in USD. */
function takerSpace(order: Order): number {
  const odds = BigInt(order.percentageOdds)
  const left = remaining(order)
  return odds === 0n ? 0 : Number((left * oddsUnit) / odds - left) / usdcUnit
}

// ---- markets

const sports = sportNames('sx-bet')

type Kind = 'win' | 'win_or_draw_back' | 'result' | 'spread' | 'total'

/** Types of the whole game by question, with or without overtime. */
const kinds: Readonly<Record<number, { readonly kind: Kind; readonly withOvertime: boolean }>> = {
  1: { kind: 'result', withOvertime: false },
  2: { kind: 'total', withOvertime: false },
  3: { kind: 'spread', withOvertime: false },
  28: { kind: 'total', withOvertime: true },
  52: { kind: 'win_or_draw_back', withOvertime: false },
  226: { kind: 'win', withOvertime: true },
  342: { kind: 'spread', withOvertime: true },
  835: { kind: 'total', withOvertime: false },
}

function eventOf(market: Market, now: number): FeedEvent {
  const { sportXeventId, sportId, leagueLabel, teamOneName, teamTwoName, homeTeamFirst } = market
  const startsAt = market.gameTime * 1_000
  const isFirstHome = homeTeamFirst !== false
  return {
    externalId: sportXeventId,
    sport: sports.get(String(sportId)) as string,
    league: leagueLabel,
    homeTeam: isFirstHome ? teamOneName : teamTwoName,
    awayTeam: isFirstHome ? teamTwoName : teamOneName,
    startsAt,
    // No response states that a game is in play.
    isLive: startsAt <= now,
    isByClock: true,
  }
}

/** Returns the question of a market with its outcomes, or the reason for leaving it out. */
function questionOf(market: Market): TwoOutcomes | string {
  const { outcomeOneName, outcomeTwoName, teamOneName, teamTwoName, line } = market
  if (market.status !== 'ACTIVE') return 'closed'
  const sport = sports.get(String(market.sportId))
  if (!sport) return 'unsupported_sport'
  const known = kinds[market.type]
  if (!known || known.withOvertime !== sportsWithOvertime.has(sport)) return 'unmapped_market'
  const first: Side = market.homeTeamFirst === false ? 'away' : 'home'
  switch (known.kind) {
    case 'win':
      return oppositeOutcomes(marketTypeFor(sport, 'moneyline'), first)
    case 'win_or_draw_back':
      return oppositeOutcomes(
        marketTypeFor(sport, sport === 'soccer' ? 'draw_no_bet' : 'moneyline'),
        first,
      )
    case 'result': {
      const name = outcomeOneName.trim().toLowerCase()
      const sideOf: Readonly<Record<string, string>> = {
        [teamTwoName.toLowerCase()]: otherSide(first),
        [teamOneName.toLowerCase()]: first,
        draw: 'draw',
        tie: 'draw',
      }
      const type = marketTypeFor(sport, sport === 'soccer' ? 'moneyline' : 'moneyline_3-way')
      const result = Object.hasOwn(sideOf, name) ? sideOf[name] : undefined
      if (type && !result) return { marketType: type, outcomes: [null, null] }
      return onlyFirst(type, String(result))
    }
    case 'spread': {
      const own = trailingNumber(outcomeOneName)
      if (line == null || own !== line || trailingNumber(outcomeTwoName) !== 0 - line) {
        return 'line_disagrees'
      }
      return oppositeOutcomes(marketTypeFor(sport, 'spread'), first, line)
    }
    case 'total': {
      const isOver = /^over .+$/i.test(outcomeOneName)
      if (line == null || !isOver || trailingNumber(outcomeOneName) !== line)
        return 'line_disagrees'
      return oppositeOutcomes(marketTypeFor(sport, 'total'), 'over', line)
    }
  }
}

/** Returns the number at the end of "Over 2.5" and "Brighton -1.25"; null for none. */
function trailingNumber(text: string): number | null {
  const [, number] = /(?:^| )([+-]?\d+(?:\.\d+)?)$/.exec(text.trim()) ?? []
  return number === undefined ? null : Number(number) + 0
}
