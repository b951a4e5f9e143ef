/**
 * Polymarket: events of Gamma with their markets, each of two outcomes that are tokens, and books of
 * tokens. A token pays one dollar (USDC), so its price is 1 over the ask, before fees
 * (`rules/fees.ts`); `maxBet` is what the size at that ask costs.
 *
 * Outcomes and token ids are JSON inside a text. A game of two ways has one market for the winner,
 * with the teams as outcomes; soccer has three (`negRisk`), of which "yes" is the answer and "no" is
 * none of ours. The start is `gameStartTime`; `endDate` is that of the market. What is asked about
 * one game may be spread over several events ("… - More Markets"), which are one record.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { type Answer, addTo, numberOf, priceOfContract, stakeOf, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { readEach } from '../kit/board.ts'
import { marketTypeFor, moneylineTypeFor } from '../market-type.ts'
import { toOddsRecords } from '../odds-records.ts'

const sportsbook = 'polymarket'

/** Their codes of leagues, where a name or a sport is not in the code. */
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
  title: z.string(),
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
  negRisk: z.boolean().nullish(),
  bestBid: figure,
  bestAsk: figure,
})
type Market = z.infer<typeof marketSchema>

/** The best ask of a token; null where nobody sells it. */
export interface Ask {
  readonly cost: number
  /** Null where the size is not stated. */
  readonly tokens: number | null
}

/** What one token answers. */
export interface PolymarketToken extends Pick<Answer, 'marketType' | 'selectionType' | 'line'> {
  readonly token: string
  readonly marketId: string
  /** What Gamma quotes, which is older than a book. */
  readonly quoted: Ask | null
}

export interface PolymarketGame {
  readonly event: FeedEvent
  readonly tokens: readonly PolymarketToken[]
}

/** An answer of `/sports`: the series of each league code. */
export const seriesAnswer = z.array(z.object({ sport: z.string(), series: z.string() }))

/** The games of a league, from all its events. */
export function parseGames(
  events: readonly unknown[],
  league: PolymarketLeague,
): { readonly games: readonly PolymarketGame[]; readonly skipped: readonly Skip[] } {
  const skipped: Skip[] = []
  const heads = new Map<string, FeedEvent>()
  const tokens = new Map<string, PolymarketToken[]>()
  for (const { id, markets, teams } of readEach(events, eventSchema, 'malformed', skipped)) {
    const teamAt = (side: string) =>
      (teams ?? []).filter(({ ordering }) => ordering === side).map(({ name }) => name)
    const [homeTeam, ...otherHomes] = teamAt('home')
    const [awayTeam, ...otherAways] = teamAt('away')
    for (const market of readEach(markets ?? [], marketSchema, 'malformed_market', skipped)) {
      const skip = (reason: string) => skipped.push({ reason, detail: market.question })
      if (!homeTeam || !awayTeam || otherHomes.length + otherAways.length > 0) {
        skip(market.sportsMarketType ? 'unknown_participant' : 'outright')
        continue
      }
      const startsAt = startOf(market.gameStartTime)
      if (startsAt === null) {
        skip('no_start')
        continue
      }
      const { sport, league: named } = polymarketLeagues[league]
      const key = JSON.stringify([homeTeam, awayTeam, startsAt])
      const event = heads.get(key) ?? {
        externalId: id,
        sport,
        league: named,
        homeTeam,
        awayTeam,
        startsAt,
        isLive: false,
      }
      const asked = tokensOf(market, event)
      if (typeof asked === 'string') {
        skip(asked)
        continue
      }
      heads.set(key, event)
      for (const token of asked) addTo(tokens, key, token)
    }
  }
  const games = [...heads].map(([key, event]) => ({ event, tokens: tokens.get(key) ?? [] }))
  return { games, skipped }
}

/**
 * @param askOf the best ask of a token; null where nobody sells it. By default what Gamma quotes
 */
export function parseAsks(
  games: readonly PolymarketGame[],
  { observedAt, askOf }: { observedAt: number; askOf?: (token: string) => Ask | null },
): Parsed {
  const skipped: Skip[] = []
  const answers = new Map<PolymarketGame, Answer[]>()
  for (const game of games) {
    const given: Answer[] = []
    for (const { token, quoted, ...question } of game.tokens) {
      const ask = askOf ? askOf(token) : quoted
      // An ask of a dollar is none: nobody bids for the other side.
      if (ask === null || ask.cost === 1) continue
      const price = priceOfContract(ask.cost)
      if (price === null) {
        skipped.push({ reason: 'bad_price', detail: `${token} ${ask.cost}` })
        continue
      }
      const maxBet = ask.tokens === null ? null : stakeOf(ask.tokens, ask.cost)
      given.push({ ...unstated, ...question, externalId: token, price, maxBet })
    }
    answers.set(game, given)
  }
  const { records, skipped: repeated } = toOddsRecords(answers, ({ event }) => ({
    sportsbook,
    mode: 'snapshot' as const,
    observedAt,
    // Nothing in a market says that its game is under way.
    event: { ...event, isLive: event.startsAt <= observedAt },
  }))
  return { records, skipped: [...skipped, ...repeated] }
}

/** "2026-09-27 20:25:00+00", which no reader of instants knows. */
const startOf = (text: string | null | undefined) =>
  instantOf(text?.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))

/** What the tokens of a market answer, or the reason for leaving it out. */
function tokensOf(market: Market, event: FeedEvent): readonly PolymarketToken[] | string {
  if (market.closed || market.active === false || market.acceptingOrders === false) return 'closed'
  const outcomes = textsIn(market.outcomes)
  const ids = textsIn(market.clobTokenIds ?? '')
  const [first, second] = outcomes ?? []
  const [firstId, secondId] = ids ?? []
  if (outcomes?.length !== 2 || ids?.length !== 2) return 'malformed_market'
  if (!first || !second || !firstId || !secondId || firstId === secondId) return 'malformed_market'
  const { sport } = event
  const asks = quotedAsks(market)
  const tokenOf = (
    index: 0 | 1,
    marketType: string,
    selectionType: string,
    line: number | null,
  ): PolymarketToken => ({
    token: index === 0 ? firstId : secondId,
    marketId: market.id,
    quoted: asks[index],
    marketType,
    selectionType,
    line,
  })
  const isYesNo = first === 'Yes' && second === 'No'
  const named = (market.groupItemTitle ?? '').trim()
  switch (market.sportsMarketType) {
    case 'moneyline': {
      const marketType = moneylineTypeFor(sport, sport === 'soccer')
      if (!marketType) return 'unmapped_market'
      if (isYesNo) {
        // What "no" pays is the other two ways together.
        const side = /^draw\b/i.test(named) ? 'draw' : sideOf(named, event)
        return side ? [tokenOf(0, marketType, side, null)] : 'unknown_participant'
      }
      // A winner of two ways; in soccer that would be another question.
      if (sport === 'soccer') return 'unmapped_market'
      const side = sidesOf(first, second, event)
      if (!side) return 'unknown_participant'
      return [tokenOf(0, marketType, side, null), tokenOf(1, marketType, otherThan(side), null)]
    }
    case 'spreads': {
      const marketType = marketTypeFor(sport, 'spread')
      const line = halfIn(market.line)
      if (!marketType) return 'unmapped_market'
      if (line === null) return 'unmapped_line'
      const side = isYesNo ? null : sidesOf(first, second, event)
      if (!side) return 'unknown_participant'
      // The line is that of the outcome named first.
      return [tokenOf(0, marketType, side, line), tokenOf(1, marketType, otherThan(side), 0 - line)]
    }
    case 'totals': {
      const marketType = marketTypeFor(sport, 'total')
      const line = halfIn(market.line)
      if (!marketType) return 'unmapped_market'
      if (line === null || line < 0) return 'unmapped_line'
      const words = [first, second].map((word) => word.toLowerCase())
      if (words.toSorted().join() !== 'over,under') return 'unmapped_market'
      return [
        tokenOf(0, marketType, words[0] as string, line),
        tokenOf(1, marketType, words[1] as string, line),
      ]
    }
    default:
      return market.sportsMarketType ? 'unmapped_market' : 'outright'
  }
}

/** A whole line could be hit, which pays half a dollar here and the stake elsewhere. */
function halfIn(value: unknown): number | null {
  const line = numberOf(value)
  return line !== null && Math.abs(line % 1) === 0.5 ? line : null
}

const otherThan = (side: 'home' | 'away') => (side === 'home' ? 'away' : 'home')

/** The side of the first of two outcomes, when both are named. */
function sidesOf(first: string, second: string, event: FeedEvent): 'home' | 'away' | null {
  const side = sideOf(first, event)
  return side && sideOf(second, event) === otherThan(side) ? side : null
}

function sideOf(name: string, { homeTeam, awayTeam }: FeedEvent): 'home' | 'away' | null {
  const isNamed = (team: string | null) =>
    team !== null && name.localeCompare(team, 'en', { sensitivity: 'base' }) === 0
  if (isNamed(homeTeam) === isNamed(awayTeam)) return null
  return isNamed(homeTeam) ? 'home' : 'away'
}

/** The texts of a JSON list inside a text, or null. */
function textsIn(text: string): readonly string[] | null {
  try {
    const read = z.array(z.string()).safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}

/** Gamma quotes the first outcome only; who buys the second is sold it by a bid for the first. */
function quotedAsks(market: Market): readonly [Ask | null, Ask | null] {
  const ask = numberOf(market.bestAsk)
  const bid = numberOf(market.bestBid)
  const against = bid === null || bid === 0 ? null : Math.round((1 - bid) * 1e6) / 1e6
  const quote = (cost: number | null) => (cost === null ? null : { cost, tokens: null })
  return [quote(ask), quote(against)]
}
