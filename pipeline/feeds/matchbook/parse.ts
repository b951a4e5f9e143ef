/**
 * Matchbook: events with their markets, runners and the prices on each, as `/edge/rest/events` returns them with
 * `include-prices`. Back prices can be bet on. Lay prices are the other side of the same bet and no
 * second price; the middle of both sides is a sportsbook of its own. Prices exclude commission (`rules/odds/fees.ts`). An amount becomes a `maxBet` only
 * if the account's currency is dollars.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { isPrice } from '../../rules/odds/odds.ts'
import type { Parsed, Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  type LeftOut,
  type Question,
  readBoard,
  readEach,
} from '../kit/board.ts'
import { isStakeable } from '../kit/contract.ts'
import { midBookOf, midPrice } from '../kit/exchange-mid.ts'
import { anonymous, gameOf, sideNamed, sidesIn } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { asksElse, marketTypeFor, moneylineTypeFor, typeNamed } from '../kit/market-type.ts'
import { type Offered, priceOfDecimal } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'

const id = z.union([z.number(), z.string().min(1)]).transform(String)
const priceSchema = z.object({
  'available-amount': z.number(),
  currency: z.string().nullish(),
  'decimal-odds': z.number(),
  side: z.string(),
})
const runnerSchema = z.object({
  id,
  name: z.string(),
  status: z.string(),
  withdrawn: z.boolean().nullish(),
  handicap: z.number().nullish(),
  prices: z.array(z.unknown()).nullish(),
})
const marketSchema = z.object({
  id,
  name: z.string(),
  status: z.string(),
  'market-type': z.string(),
  handicap: z.number().nullish(),
  runners: z.array(z.unknown()),
})
const eventSchema = z.object({
  id,
  name: z.string(),
  start: z.string(),
  status: z.string(),
  'in-running-flag': z.boolean().nullish(),
  'meta-tags': z.array(z.object({ name: z.string(), type: z.string().nullish() })),
  markets: z.array(z.unknown()).nullish(),
})
/** A page of events, and the total number of events. */
export const eventsPage = z.object({ events: z.array(z.unknown()), total: z.number() })

type Event = z.infer<typeof eventSchema>
type Market = z.infer<typeof marketSchema>
type Runner = z.infer<typeof runnerSchema>
type Price = z.infer<typeof priceSchema>

interface Game extends GameOffered {
  readonly status: string
}

/**
 * @param events with all of their markets: records are snapshots
 * @param withMid whether the records of middle prices are added
 */
export function parseMatchbook(
  events: readonly unknown[],
  receivedAt: number,
  withMid = false,
): Parsed {
  const skipped: Skip[] = []
  const games = readEach(events, eventSchema, 'malformed', skipped, 'id').map((event): Game => {
    const { status, markets } = event
    return { event: gameOfEvent(event), mode: 'snapshot', markets: markets ?? [], status }
  })
  const parsed = readBoard(board, games, receivedAt, skipped)
  if (!withMid) return parsed
  const middle = readBoard(midBoard, games, receivedAt)
  return { ...parsed, records: [...parsed.records, ...middle.records] }
}

// ---- events

const sports = sportNames('matchbook')

function gameOfEvent(event: Event): FeedEvent | Skip {
  const detail = event.name
  const tag = (type: string) => event['meta-tags'].find((of) => of.type === type)?.name
  const sport = sports.get((tag('SPORT') ?? '').toLowerCase())
  const isOpen = event.status === 'open' || event.status === 'suspended'
  if (sport && !isOpen) return { reason: 'closed', detail }
  return gameOf(
    {
      externalId: event.id,
      sport,
      league: tag('COMPETITION'),
      ...sidesIn(event.name),
      startsAt: instantOf(event.start),
      isLive: event['in-running-flag'],
    },
    detail,
    { sides: 'outright' },
  )
}

// ---- prices

interface Offer {
  readonly runner: Runner
  readonly price: number
  readonly maxBet: number | null
}

/** Returns the best price at which each runner can be backed. */
function backs(market: Market, skipped: Skip[]): Offer[] {
  return runnersOf(market, skipped).flatMap(({ runner, prices }): Offer[] => {
    const best = bestOf(prices, 'back')
    if (!best) return []
    const detail = `${market.name}: ${runner.name} ${best['decimal-odds']}`
    const price = priceOfDecimal(best['decimal-odds'])
    if (price === null || isGone(runner)) {
      skipped.push({ reason: price === null ? 'bad_price' : 'runner_removed', detail })
      return []
    }
    return [{ runner, price, maxBet: best.currency === 'USD' ? best['available-amount'] : null }]
  })
}

/** Returns the middle of each runner's best back and lay prices. */
function mids(market: Market, skipped: Skip[]): Offer[] {
  return runnersOf(market, skipped).flatMap(({ runner, prices }): Offer[] => {
    const oddsOf = (side: string) => bestOf(prices, side)?.['decimal-odds'] ?? null
    const price = isGone(runner) ? null : midPrice(oddsOf('back'), oddsOf('lay'))
    return price === null || !isPrice(price) ? [] : [{ runner, price, maxBet: null }]
  })
}

const runnersOf = (market: Market, skipped: Skip[]) =>
  readEach(market.runners, runnerSchema, 'malformed_runner', skipped).map((runner) => ({
    runner,
    prices: readEach(runner.prices ?? [], priceSchema, 'malformed_price', skipped),
  }))

const isGone = ({ withdrawn, status }: Runner) =>
  withdrawn === true || !['open', 'suspended'].includes(status)

/** Returns the highest back price, or the lowest lay price, that is offered for enough to count; null for none. */
function bestOf(prices: readonly Price[], side: string): Price | null {
  const sign = side === 'back' ? 1 : -1
  let best: Price | null = null
  for (const price of prices) {
    if (price.side !== side || !isStakeable(price['available-amount'])) continue
    if (!best || sign * (price['decimal-odds'] - best['decimal-odds']) > 0) best = price
  }
  return best
}

// ---- markets

interface Meaning extends Question {
  /** Returns the outcome of a runner. */
  readonly outcome: (runner: Runner) => Pick<Offered, 'selectionType' | 'line'> | string
}

const board: Board<Market, Offer, Meaning, Game> = {
  sportsbook: 'matchbook',
  market: marketSchema,
  marketId: ({ id }) => id,
  offers: backs,
  describe: ({ runner, price }, { name }) => `${name}: ${runner.name} ${price}`,
  question: questionOf,
  outcome({ runner, price, maxBet }, { outcome }, market, _event, game) {
    const answered = outcome(runner)
    if (typeof answered === 'string') return answered
    const suspended = [game.status, market.status, runner.status].includes('suspended')
    return { ...answered, price, maxBet, externalId: runner.id, suspended }
  },
}

const midBoard: typeof board = { ...board, sportsbook: midBookOf('matchbook'), offers: mids }

/** Matches words of questions about a part of the game, or about something else than its score. */
const isOfPart =
  /\b(?:1st|2nd|3rd|4th|first|second|half|half-time|halftime|quarter|period|inning|innings|set|map|corners?|cards?|booking|bookings)\b/i

const isDraw = (name: string) => /^(?:the )?draw\b/i.test(name)

/** Returns whether a runner is the draw, even without a price. */
function isOfDraw(runner: unknown): boolean {
  const name = (runner as { readonly name?: unknown } | null)?.name
  return typeof name === 'string' && isDraw(name)
}

/** Returns the question of a market, or the reason for leaving all of its runners out. */
function questionOf(market: Market, game: FeedEvent): Meaning | LeftOut {
  if (market.status !== 'open' && market.status !== 'suspended') return 'closed'
  if (isOfPart.test(market.name)) return 'unmapped_period'
  const { sport } = game
  const unlisted = { reason: 'unmapped_market', label: anonymous(market.name, game) }
  switch (market['market-type']) {
    case 'one_x_two':
    case 'money_line': {
      const hasDraw = market['market-type'] === 'one_x_two' || market.runners.some(isOfDraw)
      const marketType = moneylineTypeFor(sport, hasDraw)
      if (!marketType || asksElse(market.name, sport, marketType, hasDraw)) return 'unmapped_market'
      const outcome: Meaning['outcome'] = ({ name }) => {
        const selectionType = isDraw(name) ? 'draw' : sideNamed(name, game)
        return selectionType ? { selectionType } : 'unknown_participant'
      }
      return { marketType, outcome }
    }
    case 'handicap': {
      const marketType = marketTypeFor(sport, 'spread')
      if (!marketType || typeNamed(market.name, sport) !== marketType) return unlisted
      const outcome: Meaning['outcome'] = ({ name, handicap }) => {
        // "Miami Dolphins -3.5", and for two half bets "Leeds +0.0/0.5".
        const [, team = '', words = ''] = /^(.+?) \(?([+-]?[\d./+-]+)\)?$/.exec(name) ?? []
        const selectionType = sideNamed(team, game)
        if (!selectionType) return 'unknown_participant'
        const named = lineOf(words)
        if (named === null || (handicap != null && handicap !== named)) return 'line_disagrees'
        return { selectionType, line: named + 0 }
      }
      return { marketType, outcome }
    }
    case 'total': {
      const marketType = marketTypeFor(sport, 'total')
      // "Team Total - Leeds" has this type too.
      if (!marketType || typeNamed(market.name, sport) !== marketType) return unlisted
      const outcome: Meaning['outcome'] = ({ name, handicap }) => {
        const [, word = '', words = ''] = /^(over|under) \(?([\d./]+)\)?$/i.exec(name) ?? []
        const named = lineOf(words)
        const stated = handicap ?? market.handicap
        if (word === '') return 'unmapped_selection'
        if (named === null || (stated != null && stated !== named)) return 'line_disagrees'
        return { selectionType: word.toLowerCase(), line: named }
      }
      return { marketType, outcome }
    }
    case 'both_to_score': {
      if (sport !== 'soccer') return 'unmapped_market'
      const outcome: Meaning['outcome'] = ({ name }) => {
        const word = name.toLowerCase()
        return word === 'yes' || word === 'no' ? { selectionType: word } : 'unmapped_selection'
      }
      return { marketType: 'both_teams_to_score', outcome }
    }
    default:
      return 'unmapped_market'
  }
}

/** Reads "2.5", "-3.5", and the middle of two half bets: "2.5/3.0", "-0.0/0.5", "0.0/-0.5". */
function lineOf(words: string): number | null {
  const figure = /^([+-]?)(\d+(?:\.\d+)?)(?:\/([+-]?)(\d+(?:\.\d+)?))?$/
  const [, sign = '', first, ownSign, second] = figure.exec(words) ?? []
  if (first === undefined) return null
  const one = Number(sign + first)
  if (second === undefined) return one
  // A second half without a sign has the sign of the first.
  const other = Number((ownSign || sign) + second)
  return Math.abs(one - other) === 0.5 ? (one + other) / 2 : null
}
