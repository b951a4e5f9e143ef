/**
 * Polymarket: Gamma's events with their markets, each with two outcomes that are tokens; and the
 * tokens' order books. A token pays one dollar (USDC), so its price is 1 over the ask, before fees
 * (`rules/odds/fees.ts`); `maxBet` is the cost of the size at that ask.
 *
 * Outcomes and token ids are JSON inside a text. A two-way game has one market for the winner, with
 * the teams as outcomes. Soccer has three markets (`negRisk`): "yes" is our outcome, and we have
 * none for "no". The start is `gameStartTime`; `endDate` is the market's end. The markets of one
 * game may be in several events ("… - More Markets"), which become one record.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import type { Parsed, Skip } from '../feed.ts'
import { readBoard, readEach } from '../kit/board.ts'
import {
  type Ask,
  type Asks,
  areCrossed,
  type Contract,
  contractBoard,
  costAgainst,
  isHalf,
  onlyFirst,
  oppositeOutcomes,
  type TwoOutcomes,
} from '../kit/contract.ts'
import { gameOf, onlyOne, otherSide, type Side, sideSpelled } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { jsonIn } from '../kit/json-text.ts'
import { marketTypeFor, moneylineTypeFor, namesPart } from '../kit/market-type.ts'
import { numberOf } from '../kit/outcomes.ts'

/** Polymarket's league codes, with the sport and a name of the league. */
export const polymarketLeagues = {
  nba: { sport: 'basketball', league: 'NBA' },
  wnba: { sport: 'basketball', league: 'WNBA' },
  nfl: { sport: 'football', league: 'NFL' },
  cfb: { sport: 'football', league: 'NCAAF' },
  mlb: { sport: 'baseball', league: 'MLB' },
  nhl: { sport: 'hockey', league: 'NHL' },
  epl: { sport: 'soccer', league: 'EPL' },
  lal: { sport: 'soccer', league: 'La Liga' },
  bun: { sport: 'soccer', league: 'Bundesliga' },
  mls: { sport: 'soccer', league: 'MLS' },
  ucl: { sport: 'soccer', league: 'UEFA Champions League' },
} as const satisfies Record<string, { sport: string; league: string }>

export type PolymarketLeague = keyof typeof polymarketLeagues

const figure = z.union([z.string(), z.number()]).nullish()

const teamSchema = z.object({ name: z.string().min(1), ordering: z.string().nullish() })
const eventSchema = z.object({
  id: z.string().min(1),
  teams: z.array(teamSchema).nullish(),
  markets: z.array(z.unknown()).nullish(),
})
const marketSchema = z.object({
  id: z.string().min(1),
  question: z.string(),
  sportsMarketType: z.string().nullish(),
  groupItemTitle: z.string().nullish(),
  line: figure,
  outcomes: z.string(),
  clobTokenIds: z.string().nullish(),
  gameStartTime: z.string().nullish(),
  active: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  acceptingOrders: z.boolean().nullish(),
  bestBid: figure,
  bestAsk: figure,
})
type Market = z.infer<typeof marketSchema>

/** A market with its tokens; only the first token, if we have no outcome for the other. */
interface PolymarketContract extends Contract {
  readonly externalIds: readonly string[]
}

export interface PolymarketGame {
  readonly event: FeedEvent
  readonly contracts: PolymarketContract[]
}

/** A response of `/sports`: the series of each league code. */
export const seriesAnswer = z.array(z.object({ sport: z.string(), series: z.string() }))

/** Returns the games of a league, from all its events. */
export function parseGames(
  events: readonly unknown[],
  league: PolymarketLeague,
): { readonly games: readonly PolymarketGame[]; readonly skipped: readonly Skip[] } {
  const skipped: Skip[] = []
  const games = new Map<string, PolymarketGame>()
  for (const { id, markets, teams } of readEach(events, eventSchema, 'malformed', skipped)) {
    const teamAt = (side: Side) =>
      onlyOne((teams ?? []).filter((team) => team.ordering === side))?.name
    const [homeTeam, awayTeam] = [teamAt('home'), teamAt('away')]
    const read = readEach(markets ?? [], marketSchema, 'malformed_market', skipped)
    const startOfEvent = commonStart(read)
    for (const market of read) {
      const startsAt = instantOf(market.gameStartTime)
      const event = gameOf(
        {
          externalId: id,
          ...polymarketLeagues[league],
          homeTeam,
          awayTeam,
          startsAt,
          isLive: false,
        },
        market.question,
        { sides: market.sportsMarketType ? 'unknown_participant' : 'outright', start: 'no_start' },
      )
      const leftOut =
        (!isOpen(market) && 'closed') || (startsAt !== startOfEvent && 'start_disagrees')
      const contract = 'reason' in event ? event.reason : leftOut || contractOf(market, event)
      if (typeof contract === 'string') {
        skipped.push({ reason: contract, detail: market.question })
        continue
      }
      const key = JSON.stringify([homeTeam, awayTeam, startsAt])
      const game = games.get(key) ?? { event: event as FeedEvent, contracts: [] }
      games.set(key, game)
      game.contracts.push(contract)
    }
  }
  return { games: [...games.values()], skipped }
}

/**
 * @param askOf returns the best ask of a token; null if there is none. Default: Gamma's quote,
 * which is older than a book
 */
export function parseAsks(
  games: readonly PolymarketGame[],
  { observedAt, askOf }: { observedAt: number; askOf?: (token: string) => Ask | null },
): Parsed {
  const askNow = (token: string | undefined) => (askOf && token ? askOf(token) : null)
  const offered = games.map(({ event, contracts }) => ({
    // A market does not state that its game is in play.
    event: { ...event, isLive: event.startsAt <= observedAt, isByClock: true },
    mode: 'snapshot' as const,
    markets: contracts.map((contract): PolymarketContract => {
      const { externalIds } = contract
      const [first, second] = askOf ? externalIds.map(askNow) : contract.asks
      const asks = [sold(first), sold(second)] as const
      // The books of two tokens change one after the other; a quote has both sides at the same
      // time.
      const question = !askOf && areCrossed(asks) ? 'crossed_quotes' : contract.question
      return { ...contract, asks, question }
    }),
  }))
  return readBoard(board, offered, observedAt)
}

/** Returns an ask; null for one dollar, because then there is no bid for the other side. */
const sold = (ask: Ask | null | undefined): Ask | null => (ask && ask.cost !== 1 ? ask : null)

const board = contractBoard<PolymarketContract>(
  'polymarket',
  ({ externalIds }, at) => externalIds[at] ?? '',
)

/**
 * Returns the start of most open markets of an event (only those of the winner, if there are any);
 * null in a tie. A market may still have an earlier start.
 */
function commonStart(markets: readonly Market[]): number | null {
  // Markets that only pause orders count too.
  const open = markets.filter(({ closed, active }) => !closed && active !== false)
  const winners = open.filter(({ sportsMarketType }) => sportsMarketType === 'moneyline')
  const votes = new Map<number, number>()
  for (const { gameStartTime } of winners.length > 0 ? winners : open) {
    const startsAt = instantOf(gameStartTime)
    if (startsAt !== null) votes.set(startsAt, (votes.get(startsAt) ?? 0) + 1)
  }
  const most = Math.max(...votes.values())
  return onlyOne([...votes].filter(([, count]) => count === most))?.[0] ?? null
}

const isOpen = ({ closed, active, acceptingOrders }: Market) =>
  !closed && active !== false && acceptingOrders !== false

/** Returns an open market's contract, or the reason for leaving it out. */
function contractOf(market: Market, event: FeedEvent): PolymarketContract | string {
  const outcomes = textsIn(market.outcomes)
  const [first, second, ...others] = textsIn(market.clobTokenIds ?? '') ?? []
  if (outcomes?.length !== 2 || !outcomes[0] || !outcomes[1]) return 'malformed_market'
  if (!first || !second || first === second || others.length > 0) return 'malformed_market'
  const question = questionOf(market, outcomes[0], outcomes[1], event)
  if (typeof question === 'string') return question
  const contradiction = contradictionOf(market, question, event)
  if (contradiction !== null) return contradiction
  const hasBoth = question.outcomes[1] !== null
  const [ask, against] = quotedAsks(market)
  return {
    id: market.id,
    question,
    asks: [ask, hasBoth ? against : null],
    externalIds: hasBoth ? [first, second] : [first],
  }
}

function questionOf(
  market: Market,
  first: string,
  second: string,
  event: FeedEvent,
): TwoOutcomes | string {
  const { sport } = event
  const isYesNo = first === 'Yes' && second === 'No'
  const sideOfFirst = () => (isYesNo ? null : sidesOf(first, second, event))
  switch (market.sportsMarketType) {
    case 'moneyline': {
      const marketType = moneylineTypeFor(sport, sport === 'soccer')
      if (isYesNo) {
        // "No" pays for both other results together.
        const named = (market.groupItemTitle ?? '').trim()
        const result = /^draw\b/i.test(named) ? 'draw' : sideSpelled(named, event)
        return result ? onlyFirst(marketType, result) : 'unknown_participant'
      }
      // A two-way winner; in soccer that would be another question.
      if (sport === 'soccer') return 'unmapped_market'
      const side = sideOfFirst()
      return side ? oppositeOutcomes(marketType, side) : 'unknown_participant'
    }
    case 'spreads': {
      const line = halfIn(market.line)
      if (line === null) return 'unmapped_line'
      const side = sideOfFirst()
      // The line belongs to the outcome that is named first.
      return side
        ? oppositeOutcomes(marketTypeFor(sport, 'spread'), side, line)
        : 'unknown_participant'
    }
    case 'totals': {
      const line = halfIn(market.line)
      if (line === null || line < 0) return 'unmapped_line'
      const words = [first, second].map((word) => word.toLowerCase())
      if (words.toSorted().join() !== 'over,under') return 'unmapped_market'
      return oppositeOutcomes(marketTypeFor(sport, 'total'), words[0] as string, line)
    }
    default:
      return market.sportsMarketType ? 'unmapped_market' : 'outright'
  }
}

/** Returns why a market's words do not fit its type, line and outcomes; null if they agree. */
function contradictionOf(
  { question, groupItemTitle }: Market,
  { outcomes }: TwoOutcomes,
  event: FeedEvent,
): string | null {
  for (const text of [question, groupItemTitle ?? '']) {
    if (namesPart(text, event.sport)) return 'unmapped_period'
    // "Lakers O/U 110.5" counts the points of one team.
    const [, counted = ''] = /^(.+?):? O\/U\b/i.exec(text) ?? []
    if (sideSpelled(counted, event)) return 'unmapped_market'
    // "Spread: Lakers (-4.5)"
    const [, name = '', line] = /^(?:[^:]*: )?(.+?) \(?([+-]\d+(?:\.\d+)?)\)?$/.exec(text) ?? []
    const side = sideSpelled(name, event)
    const own = side && outcomes.find((outcome) => outcome?.selectionType === side)
    if (own && own.line !== Number(line)) return 'line_disagrees'
  }
  return null
}

/**
 * Returns a half line. A result can hit a whole line, which pays half a dollar here, but the stake
 * at sportsbooks.
 */
function halfIn(value: unknown): number | null {
  const line = numberOf(value)
  return line !== null && isHalf(line) ? line : null
}

/** Returns the side of the first of two outcomes, if both are named. */
function sidesOf(first: string, second: string, event: FeedEvent): Side | null {
  const side = sideSpelled(first, event)
  return side && sideSpelled(second, event) === otherSide(side) ? side : null
}

/** Returns the texts of a JSON list inside a text, or null. */
const textsIn = (text: string): readonly string[] | null =>
  z.array(z.string()).safeParse(jsonIn(text)).data ?? null

/** Returns the quoted asks. Gamma quotes only the first outcome; a buyer of the second takes a bid for the first. */
function quotedAsks(market: Market): Asks {
  const bid = numberOf(market.bestBid)
  const quote = (cost: number | null) => (cost === null ? null : { cost, stake: null })
  return [
    quote(numberOf(market.bestAsk)),
    quote(bid === null || bid === 0 ? null : costAgainst(bid)),
  ]
}
