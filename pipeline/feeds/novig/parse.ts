/**
 * Novig: events of a league, and the markets of several events at once, each with two outcomes and their resting
 * bids. Prices are probabilities; a bid for one outcome at p gives a taker the other at 1 - p.
 * `index`, not the place in the list, identifies an outcome: 0 is home, over or yes.
 *
 * A contract pays a cent, so against a bid for `qty` contracts the taker can stake (1 - p) x qty
 * cents.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type Board, groupByField, joined, readBoard, readEach } from '../kit/board.ts'
import {
  type Ask,
  bestAsk,
  costAgainst,
  oppositeOutcomes,
  type TwoOutcomes,
} from '../kit/contract.ts'
import { gameOf } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketTypeFor } from '../kit/market-type.ts'
import { priceOfContract } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'

const team = z.object({ name: z.string().min(1) })
const eventSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  status: z.string(),
  league: z.string(),
  scheduledStart: z.string(),
  game: z.object({ homeTeam: team, awayTeam: team }).nullish(),
})
const bidSchema = z.object({
  price: z.number(),
  qty: z.number(),
  currency: z.string().nullish(),
  status: z.string().nullish(),
})
const marketSchema = z.object({
  id: z.string().min(1),
  description: z.string(),
  status: z.string(),
  type: z.string(),
  eventId: z.string(),
  strike: z.number().nullish(),
  outcomes: z.array(z.object({ id: z.string(), description: z.string(), index: z.number().int() })),
  book: z
    .object({
      outcomeLadders: z.array(z.object({ outcomeId: z.string(), bids: z.array(z.unknown()) })),
    })
    .nullish(),
})

type Market = z.infer<typeof marketSchema>
type Outcome = Market['outcomes'][number]

/** Returns the ids of the events, by which their markets are asked for. */
export const eventIdsOf = (events: readonly unknown[]) =>
  events.flatMap((event) => eventSchema.safeParse(event).data?.id ?? [])

/** @param markets all markets of each event: records are snapshots */
export function parseNovig(
  events: readonly unknown[],
  markets: readonly unknown[],
  receivedAt: number,
): Parsed {
  const skipped: Skip[] = []
  const games = new Map<string, FeedEvent | Skip>()
  for (const event of readEach(events, eventSchema, 'malformed', skipped, 'id')) {
    games.set(event.id, gameOfEvent(event))
  }
  const offered = joined(games, groupByField(markets, 'eventId'), 'snapshot')
  return readBoard(board, offered, receivedAt, skipped)
}

const sports = sportNames('novig')

function gameOfEvent(event: z.infer<typeof eventSchema>): FeedEvent | Skip {
  const { id, type, status, league, scheduledStart, game } = event
  if (type !== 'Game' || !game) return { reason: 'outright', detail: id }
  if (!status.startsWith('OPEN_')) return { reason: 'closed', detail: id }
  return gameOf(
    {
      externalId: id,
      sport: sports.get(league),
      league,
      homeTeam: game.homeTeam.name,
      awayTeam: game.awayTeam.name,
      startsAt: instantOf(scheduledStart),
      isLive: status === 'OPEN_INGAME',
    },
    `${league} ${id}`,
  )
}

/** An outcome as offered to a taker. */
interface Offer extends Ask {
  readonly outcome: Outcome
}

/** Returns the offer of each outcome to a taker: the best bid for the other outcome. */
function offersOf({ outcomes, book }: Market, skipped: Skip[]): Offer[] {
  if (outcomes.length !== 2) return []
  return outcomes.flatMap((outcome): Offer[] => {
    const other = outcomes.find(({ id }) => id !== outcome.id)
    const ladder = book?.outcomeLadders.find(({ outcomeId }) => outcomeId === other?.id)
    const bids = readEach(ladder?.bids ?? [], bidSchema, 'malformed_bid', skipped)
    // Coins are no money, and only resting orders can be taken.
    const resting = bids.filter(
      ({ price, qty, currency, status }) =>
        price > 0 &&
        qty > 0 &&
        (currency ?? 'CASH') === 'CASH' &&
        (status ?? 'RESTING') === 'RESTING',
    )
    const ask = bestAsk(
      resting.map(({ price, qty }) => {
        const cost = costAgainst(price)
        return { cost, stake: (qty / 100) * cost }
      }),
    )
    return ask === null ? [] : [{ outcome, ...ask }]
  })
}

const board: Board<Market, Offer, TwoOutcomes> = {
  sportsbook: 'novig',
  market: marketSchema,
  marketId: ({ id }) => id,
  offers: offersOf,
  describe: ({ outcome, cost }, market) => `${market.description}: ${outcome.description} ${cost}`,
  question: questionOf,
  outcome({ outcome, cost, stake }, { outcomes }) {
    const answered = outcomes[outcome.index]
    if (!answered) return 'unmapped_selection'
    const price = priceOfContract(cost) ?? 'bad'
    return { ...answered, price, maxBet: stake, externalId: outcome.id }
  },
}

/** Returns the question of a market, or the reason for leaving it out. */
function questionOf(market: Market, { sport }: FeedEvent): TwoOutcomes | string {
  if (market.status !== 'OPEN') return 'closed'
  const numberAt = (index: number) => {
    const words = market.outcomes.find((outcome) => outcome.index === index)?.description ?? ''
    const [, number] = /([+-]?\d+(?:\.\d+)?)$/.exec(words.trim()) ?? []
    return number === undefined ? null : Number(number) + 0
  }
  switch (market.type) {
    case 'MONEY':
      // There are two outcomes but three results: the payload does not state which outcome includes
      // the draw.
      if (sport === 'soccer') return 'unmapped_market'
      return oppositeOutcomes(marketTypeFor(sport, 'moneyline'), 'home')
    case 'SPREAD': {
      const home = numberAt(0)
      const away = numberAt(1)
      if (home === null || away === null || home !== 0 - away) return 'line_disagrees'
      return oppositeOutcomes(marketTypeFor(sport, 'spread'), 'home', home)
    }
    case 'TOTAL': {
      const { strike } = market
      if (strike == null || numberAt(0) !== strike || numberAt(1) !== strike)
        return 'line_disagrees'
      return oppositeOutcomes(marketTypeFor(sport, 'total'), 'over', strike)
    }
    default:
      return 'unmapped_market'
  }
}
