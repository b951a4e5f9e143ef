/**
 * SX Bet: markets, each with two outcomes, and the orders of makers on them. A maker of outcome one at
 * a probability p leaves the taker outcome two at 1 - p; probabilities come as integers of 10^-20,
 * amounts as integers of the token. Only orders in USDC are taken, whose unit is 10^-6 dollars.
 *
 * The price is the best a taker can have now, `maxBet` what can be staked at it. The sport decides
 * which types are the game's: where there is overtime, those that leave it out ask another question.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { type Answer, addTo, priceOfContract, stakeOf, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { readEach } from '../kit/board.ts'
import { marketTypeFor } from '../market-type.ts'
import { toSnapshots } from '../odds-records.ts'

const sportsbook = 'sx_bet'

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

/** The documents write `sportXEventId` in one place and `sportXeventId` in another. */
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
})

type Market = z.infer<typeof marketSchema>
type Order = z.infer<typeof orderSchema>

/** A page of `/markets/active`. */
export const marketsPage = z.object({
  data: z.object({ markets: z.array(z.unknown()), nextKey: z.string().nullish() }),
})
/** An answer of `/orders`. */
export const ordersAnswer = z.object({ data: z.array(z.unknown()) })

const hashSchema = z.object({ marketHash: z.string() })

/** What markets are asked for orders by. */
export const hashesOf = (markets: readonly unknown[]) =>
  markets.flatMap((market) => hashSchema.safeParse(market).data?.marketHash ?? [])

/**
 * @param markets all of the events that are to be in the records: these are snapshots
 * @param orders every order on them
 * @param receivedAt epoch ms
 */
export function parseSxBet(
  {
    markets,
    orders,
  }: { readonly markets: readonly unknown[]; readonly orders: readonly unknown[] },
  { receivedAt }: { readonly receivedAt: number },
): Parsed {
  const skipped: Skip[] = []
  const offers = takerOffers(orders, skipped)
  const events = new Map<string, FeedEvent>()
  const answers = new Map<string, Answer[]>()
  for (const market of readEach(markets, anyMarketSchema, 'malformed_market', skipped)) {
    const placed = placeOf(market, receivedAt)
    const given = offers.get(market.marketHash) ?? []
    if ('reason' in placed) {
      skipped.push(...given.map(() => placed))
      continue
    }
    const { event, questions } = placed
    const key = market.sportXeventId
    if (!events.has(key)) events.set(key, event)
    for (const { outcome, price, stake } of given) {
      const question = questions[outcome]
      const detail = `${market.type} ${market.outcomeOneName} ${outcome}`
      if (question === null) skipped.push({ reason: 'unmapped_selection', detail })
      else if (price === null) skipped.push({ reason: 'bad_price', detail })
      else {
        addTo(answers, key, {
          ...unstated,
          ...question,
          marketId: market.marketHash,
          price,
          maxBet: stake,
        })
      }
    }
  }
  const of = { sportsbook, observedAt: receivedAt }
  const { records, skipped: repeated } = toSnapshots(events, answers, of)
  return { records, skipped: [...skipped, ...repeated] }
}

// ---- orders

interface TakerOffer {
  /** The one that the taker backs: 0 the first, 1 the second. */
  readonly outcome: 0 | 1
  readonly price: number | null
  /** USD that can be staked at the price. */
  readonly stake: number
}

/** USDC on SX Network; other tokens are not dollars. */
const usdc = '0x6629ce1cf35cc1329ebb4f63202f3f197b3f050b'
const oddsUnit = 10n ** 20n
const usdcUnit = 1e6

/** By market, the best of each outcome. */
function takerOffers(orders: readonly unknown[], skipped: Skip[]) {
  const byMarket = new Map<string, Order[]>()
  for (const order of readEach(orders, orderSchema, 'malformed_order', skipped)) {
    if (order.baseToken.toLowerCase() === usdc) addTo(byMarket, order.marketHash, order)
    else skipped.push({ reason: 'other_token', detail: order.baseToken })
  }
  return new Map([...byMarket].map(([market, ofMarket]) => [market, bestOf(ofMarket)]))
}

function bestOf(orders: readonly Order[]): TakerOffer[] {
  return ([0, 1] as const).flatMap((outcome) => {
    // Who takes the first outcome takes it from makers of the second.
    const open = orders.filter(
      (order) =>
        order.isMakerBettingOutcomeOne === (outcome === 1) &&
        (order.orderStatus ?? 'ACTIVE') === 'ACTIVE' &&
        remaining(order) > 0n,
    )
    if (open.length === 0) return []
    const best = open.reduce((most, { percentageOdds }) => {
      const odds = BigInt(percentageOdds)
      return odds > most ? odds : most
    }, 0n)
    const atBest = open.filter(({ percentageOdds }) => BigInt(percentageOdds) === best)
    const maker = Number(best) / Number(oddsUnit)
    const stake = atBest.reduce((sum, order) => sum + takerSpace(order), 0)
    return [{ outcome, price: priceOfContract(1 - maker), stake: stakeOf(stake, 1) }]
  })
}

const remaining = ({ totalBetSize, fillAmount, pendingFillAmount }: Order) =>
  BigInt(totalBetSize) - BigInt(fillAmount) - BigInt(pendingFillAmount ?? 0)

/** What a taker can stake against what is left of an order, in USD. */
function takerSpace(order: Order): number {
  const odds = BigInt(order.percentageOdds)
  const left = remaining(order)
  return odds === 0n ? 0 : Number((left * oddsUnit) / odds - left) / usdcUnit
}

// ---- markets

type Question = Pick<Answer, 'marketType' | 'selectionType' | 'line'>

/** Their sports that are ours. */
const sports: Readonly<Record<number, string>> = {
  1: 'basketball',
  2: 'hockey',
  3: 'baseball',
  5: 'soccer',
  6: 'tennis',
  7: 'mma',
  8: 'football',
  11: 'rugby',
  13: 'boxing',
  15: 'cricket',
  20: 'rugby_league',
  26: 'australian_rules',
}
const hasOvertime: ReadonlySet<string> = new Set(['basketball', 'hockey', 'baseball', 'football'])

type Kind = 'win' | 'win_or_draw_back' | 'result' | 'spread' | 'total'

/** Types of the whole game, by what they ask; those with overtime apart from those without. */
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

function placeOf(
  market: Market,
  now: number,
): { event: FeedEvent; questions: readonly [Question | null, Question | null] } | Skip {
  const { teamOneName, teamTwoName, outcomeOneName, type, gameTime } = market
  const detail = `${type} ${outcomeOneName}`
  if (market.status !== 'ACTIVE') return { reason: 'closed', detail }
  const sport = sports[market.sportId]
  if (!sport) return { reason: 'unsupported_sport', detail }
  const known = kinds[type]
  if (!known || known.withOvertime !== hasOvertime.has(sport)) {
    return { reason: 'unmapped_market', detail }
  }
  const isFirstHome = market.homeTeamFirst !== false
  const questions = questionsOf(market, known.kind, sport, isFirstHome ? 'home' : 'away')
  if (typeof questions === 'string') return { reason: questions, detail }
  const startsAt = gameTime * 1_000
  const event = {
    externalId: market.sportXeventId,
    sport,
    league: market.leagueLabel,
    homeTeam: isFirstHome ? teamOneName : teamTwoName,
    awayTeam: isFirstHome ? teamTwoName : teamOneName,
    startsAt,
    // Nothing says that a game is under way.
    isLive: startsAt <= now,
  }
  return { event, questions }
}

/** What each outcome of a market answers, or the reason why that is not known. */
function questionsOf(
  { outcomeOneName, outcomeTwoName, teamOneName, teamTwoName, line }: Market,
  kind: Kind,
  sport: string,
  first: 'home' | 'away',
): readonly [Question | null, Question | null] | string {
  const second = first === 'home' ? 'away' : 'home'
  const asked = (type: string | undefined, one: [string, number | null], two: typeof one) => {
    if (!type) return 'unmapped_market'
    const question = ([selectionType, own]: typeof one) => ({
      marketType: type,
      selectionType,
      line: own,
    })
    return [question(one), question(two)] as const
  }
  switch (kind) {
    case 'win':
    case 'win_or_draw_back': {
      const drawIsBack = kind === 'win_or_draw_back' && sport === 'soccer'
      const type = marketTypeFor(sport, drawIsBack ? 'draw_no_bet' : 'moneyline')
      return asked(type, [first, null], [second, null])
    }
    case 'result': {
      const type = marketTypeFor(sport, sport === 'soccer' ? 'moneyline' : 'moneyline_3-way')
      if (!type) return 'unmapped_market'
      const name = outcomeOneName.trim().toLowerCase()
      const answer =
        name === 'draw' || name === 'tie'
          ? 'draw'
          : name === teamOneName.toLowerCase()
            ? first
            : name === teamTwoName.toLowerCase()
              ? second
              : null
      // The other outcome is that it does not come true, which is no answer of ours.
      return answer ? [{ marketType: type, selectionType: answer, line: null }, null] : [null, null]
    }
    case 'spread': {
      const own = trailingNumber(outcomeOneName)
      if (line == null || own !== line || trailingNumber(outcomeTwoName) !== 0 - line) {
        return 'line_disagrees'
      }
      return asked(marketTypeFor(sport, 'spread'), [first, line], [second, 0 - line])
    }
    case 'total': {
      const words = /^over (.+)$/i.exec(outcomeOneName)
      if (line == null || !words || trailingNumber(outcomeOneName) !== line) return 'line_disagrees'
      return asked(marketTypeFor(sport, 'total'), ['over', line], ['under', line])
    }
  }
}

/** The number at the end of "Over 2.5" and "Brighton -1.25"; null for none. */
function trailingNumber(text: string): number | null {
  const [, number] = /(?:^| )([+-]?\d+(?:\.\d+)?)$/.exec(text.trim()) ?? []
  return number === undefined ? null : Number(number) + 0
}
