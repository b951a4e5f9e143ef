/**
 * ProphetX, Market Data API: the events of a tournament, and their markets by event. A selection comes as a list of
 * prices, one per level of the book.
 *
 * Prices are decimal in the reference but American in some examples: an ambiguous price is left
 * out. The unit of `quantity` is not documented, so it becomes no `maxBet`.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { groupBy } from '../../../schemas/grouping.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type Board, type GameOffered, type Question, readBoard, readEach } from '../kit/board.ts'
import { isStakeable } from '../kit/contract.ts'
import { anonymous, gameOf, isDrawNamed, onlyOne, type Side, sideNamed } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { asksElse, marketTypeFor, moneylineTypeFor, typeNamed } from '../kit/market-type.ts'
import { priceOfAmerican, priceOfDecimal } from '../kit/outcomes.ts'
import { sportNames } from '../kit/sport-names.ts'

const id = z.union([z.number().int(), z.string().min(1)]).transform(String)
const eventSchema = z.object({
  event_id: id,
  tournament_name: z.string().min(1),
  sport_name: z.string(),
  scheduled: z.string(),
  status: z.string().nullish(),
  competitors: z.array(z.object({ id, name: z.string().min(1), side: z.string() })),
})
const levelSchema = z.object({
  outcome_id: id.nullish(),
  name: z.string().nullish(),
  competitor_id: id.nullish(),
  price: z.number().nullish(),
  display_price: z.string().nullish(),
  quantity: z.number().nullish(),
  strike: z.number().nullish(),
  strike_id: z.string().nullish(),
})
const marketSchema = z.object({
  id,
  name: z.string(),
  display_name: z.string().nullish(),
  type: z.string().nullish(),
  sub_type: z.string().nullish(),
  selections: z.array(z.unknown()),
})

type Event = z.infer<typeof eventSchema>
type Level = z.infer<typeof levelSchema>
type Market = z.infer<typeof marketSchema>

/** A response of `/affiliate/get_sport_events`. */
export const eventsAnswer = z.object({ data: z.object({ sport_events: z.array(z.unknown()) }) })
/** A response of `get_multiple_markets`, in either of its shapes. */
export const marketsAnswer = z.object({
  data: z.union([z.record(z.string(), z.array(z.unknown())), z.array(z.unknown())]),
})

/** Returns the ids by which markets are listed. */
export const eventIdsOf = (events: readonly unknown[]) =>
  events.flatMap((event) => eventSchema.safeParse(event).data?.event_id ?? [])

export function marketsByEvent({ data }: z.infer<typeof marketsAnswer>) {
  if (!Array.isArray(data)) return new Map(Object.entries(data))
  return groupBy(data, (market) => String((Object(market) as { event_id?: unknown }).event_id))
}

/** @param markets all markets of each event: records are snapshots */
export function parseProphetX(
  events: readonly unknown[],
  markets: ReadonlyMap<string, readonly unknown[]>,
  receivedAt: number,
): Parsed {
  const skipped: Skip[] = []
  const games = readEach(events, eventSchema, 'malformed', skipped, 'event_id').map(
    (event): Game => {
      const { event_id, competitors } = event
      const offered = markets.get(event_id) ?? []
      return { event: gameOfEvent(event), mode: 'snapshot', markets: offered, competitors }
    },
  )
  return readBoard(board, games, receivedAt, skipped)
}

interface Game extends GameOffered {
  readonly competitors: Event['competitors']
}

const sports = sportNames('prophetx')

function gameOfEvent(event: Event): FeedEvent | Skip {
  const detail = `${event.sport_name} ${event.event_id}`
  const sport = sports.get(event.sport_name.toLowerCase())
  if (sport && /^(?:finished|ended|closed|cancell?ed|settled)$/i.test(event.status ?? '')) {
    return { reason: 'closed', detail }
  }
  const teamAt = (side: Side) => onlyOne(event.competitors.filter((one) => one.side === side))?.name
  return gameOf(
    {
      externalId: event.event_id,
      sport,
      league: event.tournament_name,
      homeTeam: teamAt('home'),
      awayTeam: teamAt('away'),
      startsAt: instantOf(event.scheduled),
      isLive: event.status?.toLowerCase() === 'live',
    },
    detail,
  )
}

/** Returns each selection's best level that can be bet on. */
function levelsOf({ selections }: Market, skipped: Skip[]): Level[] {
  return selections.flatMap((selection) => {
    const items = Array.isArray(selection) ? selection : [selection]
    // A selection without a price has no offer.
    const levels = readEach(items, levelSchema, 'malformed_selection', skipped).filter(
      ({ price, quantity }) => price != null && isStakeable(quantity ?? 1),
    )
    const [first, ...others] = levels
    if (!first) return []
    return [others.reduce((best, level) => (worthOf(level) > worthOf(best) ? level : best), first)]
  })
}

const describeLevel = ({ name, strike, price }: Level) => `${name} ${strike ?? ''} ${price}`

/** Returns a value for comparing levels of one selection, which all have the same format. */
const worthOf = (level: Level) => priceOf(level) ?? 0

/** Returns decimal odds; null for a value that is no price, or is ambiguous. */
function priceOf({ price, display_price }: Level): number | null {
  if (price == null) return null
  if (price <= -100 || display_price === `+${price}`) return priceOfAmerican(price)
  // From 100 up, a decimal and an American price look the same.
  return price < 100 ? priceOfDecimal(price) : null
}

/** Matches words of questions about a part of the game, or about something else than its score. */
const isOfPart =
  /\b(?:1st|2nd|3rd|4th|first|second|third|fourth|half|halves|quarter|period|inning|innings|set|map|round|corner|corners|card|cards)\b/i

/** Returns whether a selection is the draw, even without a price. */
function isOfDraw(level: unknown): boolean {
  const name = (level as { readonly name?: unknown } | null)?.name
  return typeof name === 'string' && isDrawNamed(name)
}

interface Meaning extends Question {
  readonly kind: 'moneyline' | 'spread' | 'total'
}

const board: Board<Market, Level, Meaning, Game> = {
  sportsbook: 'prophetx',
  market: marketSchema,
  marketId: ({ id }) => id,
  offers: levelsOf,
  describe: (level, { name }) => `${name}: ${describeLevel(level)}`,
  label: ({ name }) => name,
  question({ type, sub_type, name, display_name, selections }, event) {
    if (sub_type && sub_type !== type) return 'unmapped_market'
    if (isOfPart.test(`${name} ${display_name ?? ''}`)) return 'unmapped_period'
    if (type !== 'moneyline' && type !== 'spread' && type !== 'total') return 'unmapped_market'
    const hasDraw = selections.flat().some(isOfDraw)
    const { sport } = event
    if (type === 'moneyline') {
      const marketType = moneylineTypeFor(sport, hasDraw)
      const isOther = !marketType || asksElse(name, sport, marketType, hasDraw)
      return isOther ? 'unmapped_market' : { marketType, kind: type }
    }
    const marketType = marketTypeFor(sport, type)
    // "Boston Celtics Total Points" has the type of a total too.
    if (!marketType || typeNamed(name, sport) !== marketType) {
      return { reason: 'unmapped_market', label: anonymous(name, event) }
    }
    return { marketType, kind: type }
  },
  outcome(level, { kind }, _market, event, { competitors }) {
    const { name, strike } = level
    const stated = {
      line: strike == null ? null : strike + 0,
      price: priceOf(level) ?? ('bad' as const),
      externalId: level.strike_id ?? level.outcome_id ?? null,
    }
    if (kind === 'total') {
      const word = /^(over|under)\b/i.exec(name ?? '')?.[1]?.toLowerCase()
      if (strike == null || !word) return 'unmapped_selection'
      return { selectionType: word, ...stated }
    }
    // The sign is only the side's own if the name has the same.
    const named = /([+-]?\d+(?:\.\d+)?)$/.exec(name ?? '')?.[1]
    if (kind === 'spread' && (strike == null || named === undefined || Number(named) !== strike)) {
      return 'line_disagrees'
    }
    const side = sideOf(level, event, competitors)
    return side ? { selectionType: side, ...stated } : 'unknown_participant'
  },
}

function sideOf(level: Level, game: FeedEvent, competitors: Event['competitors']) {
  const byId = competitors.find((competitor) => competitor.id === level.competitor_id)?.side
  if (byId === 'home' || byId === 'away') return byId
  const label = (level.name ?? '').replace(/ [+-]?\d+(?:\.\d+)?$/, '').trim()
  if (isDrawNamed(label)) return 'draw'
  return sideNamed(label, game)
}
