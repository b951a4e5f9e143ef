/**
 * Kalshi: events with their markets, each a yes-or-no contract that pays one dollar, and milestones,
 * which say when a game starts, who plays and which events are about it. One game has an event for the
 * winner, one for the spread and one for the total; together they are one record.
 *
 * An order book holds bids only. Who buys yes is sold it by a bid for no: an ask for yes is 1 minus
 * the best bid for no, and its size is that bid's. The price is 1 over the ask, before fees
 * (`rules/fees.ts`); `maxBet` is what the contracts at that ask cost, in dollars.
 *
 * The start is in no market: `close_time` is weeks later, and `occurrence_datetime` the end. Without
 * a milestone there is no record.
 */

import { z } from 'zod'
import type { FeedEvent } from '../../../schemas/feed-record.ts'
import { type Answer, addTo, numberOf, priceOfContract, stakeOf, unstated } from '../answers.ts'
import type { Parsed, Skip } from '../feed.ts'
import { instantOf } from '../instant.ts'
import { readEach } from '../kit/board.ts'
import { marketTypeFor, moneylineTypeFor } from '../market-type.ts'
import { toSnapshots } from '../odds-records.ts'

const sportsbook = 'kalshi'

/** A dollar amount or a count, which they write as text; older answers as numbers. */
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
  title: z.string(),
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
  details: z.record(z.string(), z.unknown()).nullish(),
})

/** A page of `/events`. */
export const eventsPage = z.object({
  events: z.array(z.unknown()),
  milestones: z.array(z.unknown()).nullish(),
  cursor: z.string().nullish(),
})

type Market = z.infer<typeof marketSchema>
type Milestone = z.infer<typeof milestoneSchema>

/**
 * @param events every event, of whatever series, about the games of these milestones: records are snapshots
 * @param league in whose name the events are, where they do not say
 * @param books by ticker, answers of `/markets/{ticker}/orderbook`; they go before a market's own quotes
 */
export function parseKalshi(
  {
    events,
    milestones,
    books = new Map(),
  }: {
    readonly events: readonly unknown[]
    readonly milestones: readonly unknown[]
    readonly books?: ReadonlyMap<string, unknown>
  },
  { league, receivedAt }: { readonly league: string; readonly receivedAt: number },
): Parsed {
  const skipped: Skip[] = []
  const gameOfEvent = new Map<string, Game | Skip>()
  for (const milestone of readEach(milestones, milestoneSchema, 'malformed', skipped)) {
    const { related_event_tickers, primary_event_tickers } = milestone
    const game = gameOf(milestone, receivedAt)
    for (const ticker of [...(related_event_tickers ?? []), ...(primary_event_tickers ?? [])]) {
      gameOfEvent.set(ticker, game)
    }
  }

  const games = new Map<string, FeedEvent>()
  const answers = new Map<string, Answer[]>()
  for (const event of readEach(events, eventSchema, 'malformed', skipped)) {
    const { event_ticker, series_ticker, product_metadata, markets } = event
    const game = gameOfEvent.get(event_ticker) ?? { reason: 'no_start', detail: event_ticker }
    const offered = readEach(markets ?? [], marketSchema, 'malformed_market', skipped)
    if ('reason' in game) {
      skipped.push(...offered.map(({ ticker }) => ({ reason: game.reason, detail: ticker })))
      continue
    }
    const { competition } = product_metadata ?? {}
    const inLeague = typeof competition === 'string' && competition !== '' ? competition : league
    const key = game.event.externalId as string
    if (!games.has(key)) games.set(key, { ...game.event, league: inLeague })
    for (const market of offered) {
      const contract = contractOf(market, series_ticker, offered, game)
      if (typeof contract === 'string') {
        skipped.push({ reason: contract, detail: market.ticker })
        continue
      }
      const asks = asksOf(market, books.get(market.ticker))
      if (asks === null) skipped.push({ reason: 'malformed_book', detail: market.ticker })
      for (const side of ['yes', 'no'] as const) {
        const answer = contract[side]
        const ask = asks?.[side]
        if (!answer || !ask) continue
        const price = priceOfContract(ask.cost)
        if (price === null) {
          skipped.push({ reason: 'bad_price', detail: `${market.ticker} ${side} ${ask.cost}` })
          continue
        }
        addTo(answers, key, {
          ...unstated,
          ...answer,
          marketId: market.ticker,
          externalId: side,
          price,
          maxBet: ask.contracts === null ? null : stakeOf(ask.contracts, ask.cost),
        })
      }
    }
  }
  const of = { sportsbook, observedAt: receivedAt }
  const { records, skipped: repeated } = toSnapshots(games, answers, of)
  return { records, skipped: [...skipped, ...repeated] }
}

// ---- games

interface Game {
  readonly event: Omit<FeedEvent, 'league'> & { readonly league: string }
  /** Their ids of the teams, where the milestone says which is which. */
  readonly homeId: string | null
  readonly awayId: string | null
}

/** By the type of a milestone: "basketball_game", "hockey_match", "soccer_tournament_multi_leg". */
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

function gameOf(milestone: Milestone, now: number): Game | Skip {
  const { id, type, title, start_date, details } = milestone
  const sport = sports.find(([pattern]) => pattern.test(type))?.[1]
  if (!sport) return { reason: 'unsupported_sport', detail: type }
  const startsAt = instantOf(start_date)
  if (startsAt === null) return { reason: 'bad_start', detail: title }
  const [, first, word, second] = /^(.+?) (at|vs?\.?|@) (.+?)(?: winner\??)?$/i.exec(title) ?? []
  if (!first || !word || !second) return { reason: 'unknown_participant', detail: title }
  const isSecondHome = /^(?:at|@)$/i.test(word)
  const idOf = (name: string) => {
    const value = details?.[name]
    return typeof value === 'string' ? value : null
  }
  return {
    event: {
      externalId: id,
      sport,
      league: '',
      homeTeam: isSecondHome ? second : first,
      awayTeam: isSecondHome ? first : second,
      startsAt,
      // Nothing in an event says that its game is under way.
      isLive: startsAt <= now,
    },
    homeId: idOf('home_team_id'),
    awayId: idOf('away_team_id'),
  }
}

/** The team of a market, by its id where both are known, else by the name in front of its words. */
function sideOf(market: Market, { event, homeId, awayId }: Game): 'home' | 'away' | null {
  const ids = Object.entries(market.custom_strike ?? {}).flatMap(([name, value]) =>
    /_team$|competitor|player$/.test(name) ? [value] : [],
  )
  if (homeId && awayId && ids.length > 0) {
    if (ids.includes(homeId)) return 'home'
    return ids.includes(awayId) ? 'away' : null
  }
  const name = (market.yes_sub_title ?? '').replace(/ wins?(?: by .*)?$/i, '').trim()
  const isNamed = (team: string) => name.localeCompare(team, 'en', { sensitivity: 'base' }) === 0
  if (isNamed(event.homeTeam) === isNamed(event.awayTeam)) return null
  return isNamed(event.homeTeam) ? 'home' : 'away'
}

// ---- contracts

type Question = Pick<Answer, 'marketType' | 'selectionType' | 'line'>

interface Contract {
  readonly yes: Question
  /** Null where it is no answer of ours. */
  readonly no: Question | null
}

/** What the two sides of a market answer, or the reason for leaving it out. */
function contractOf(
  market: Market,
  series: string,
  ofEvent: readonly Market[],
  game: Game,
): Contract | string {
  if (market.market_type && market.market_type !== 'binary') return 'unmapped_market'
  if (market.status !== 'active' && market.status !== 'open') return 'closed'
  const { sport } = game.event
  // The kind of a series ends its name: KXNBAGAME, KXNBASPREAD. Of halves it is "1HSPREAD".
  const kind = /^KX[A-Z]+?(GAME|MATCH|SPREAD|TOTAL|BTTS)$/.exec(series)?.[1]
  switch (kind) {
    case 'GAME':
    case 'MATCH': {
      const hasDraw = ofEvent.some(isTie)
      const marketType = moneylineTypeFor(sport, hasDraw)
      const side = isTie(market) ? 'draw' : sideOf(market, game)
      if (!marketType) return 'unmapped_market'
      if (!side) return 'unknown_participant'
      // What "no" pays in a tie is in the rules of each league.
      return { yes: { marketType, selectionType: side, line: null }, no: null }
    }
    case 'SPREAD': {
      const marketType = marketTypeFor(sport, 'spread')
      const by = lineOf(market)
      if (!marketType) return 'unmapped_market'
      if (by === null) return 'unmapped_line'
      const side = sideOf(market, game)
      if (!side) return 'unknown_participant'
      const other = side === 'home' ? 'away' : 'home'
      return {
        yes: { marketType, selectionType: side, line: 0 - by },
        no: { marketType, selectionType: other, line: by },
      }
    }
    case 'TOTAL': {
      const marketType = marketTypeFor(sport, 'total')
      const line = lineOf(market)
      if (!marketType) return 'unmapped_market'
      if (line === null) return 'unmapped_line'
      return {
        yes: { marketType, selectionType: 'over', line },
        no: { marketType, selectionType: 'under', line },
      }
    }
    case 'BTTS': {
      const marketType = 'both_teams_to_score'
      if (sport !== 'soccer') return 'unmapped_market'
      return {
        yes: { marketType, selectionType: 'yes', line: null },
        no: { marketType, selectionType: 'no', line: null },
      }
    }
    default:
      return 'unmapped_market'
  }
}

const isTie = ({ yes_sub_title }: Market) => /^(?:tie|draw)$/i.test((yes_sub_title ?? '').trim())

/** "Greater than 7.5"; a whole number could be hit, and then yes and no are not over and under. */
function lineOf({ strike_type, floor_strike }: Market): number | null {
  if (strike_type !== 'greater' || floor_strike == null) return null
  return floor_strike > 0 && Math.abs(floor_strike % 1) === 0.5 ? floor_strike : null
}

// ---- asks

interface Ask {
  /** Dollars for a contract. */
  readonly cost: number
  /** Null where the size is not stated. */
  readonly contracts: number | null
}

interface Asks {
  readonly yes: Ask | null
  readonly no: Ask | null
}

/** What yes and no can be bought for now; null where a book cannot be read. */
function asksOf(market: Market, book: unknown): Asks | null {
  if (book !== undefined) return asksOfBook(book)
  const yes = askOf(numberOf(market.yes_ask_dollars), numberOf(market.yes_ask_size_fp))
  const bid = numberOf(market.yes_bid_dollars)
  // Older answers leave out the sizes, and some the bids.
  const cost = numberOf(market.no_ask_dollars) ?? (bid === null ? null : against(bid))
  return { yes, no: askOf(cost, numberOf(market.yes_bid_size_fp)) }
}

/** Dollars have at most six digits behind the point; 1 - 0.59 in binary has more. */
const against = (bid: number) => Math.round((1 - bid) * 1e6) / 1e6

/** An ask of a dollar is none: nobody bids for the other side. */
const askOf = (cost: number | null, contracts: number | null): Ask | null =>
  cost === null || cost >= 1 || contracts === 0 ? null : { cost, contracts }

const levels = z.array(z.tuple([figure, figure])).nullish()
const bookSchema = z.object({
  orderbook_fp: z.object({ yes_dollars: levels, no_dollars: levels }).nullish(),
  orderbook: z.object({ yes_dollars: levels, no_dollars: levels }).nullish(),
})

/** From bids for yes and no, in whatever order: each is an ask for the other. */
function asksOfBook(payload: unknown): Asks | null {
  const read = bookSchema.safeParse(payload)
  const book = read.data?.orderbook_fp ?? read.data?.orderbook
  if (!book) return null
  const askAgainst = (bids: z.infer<typeof levels>): Ask | null => {
    let best: Ask | null = null
    for (const [price, count] of bids ?? []) {
      const bid = numberOf(price)
      const contracts = numberOf(count)
      if (bid === null || contracts === null || bid <= 0 || contracts <= 0) continue
      const cost = against(bid)
      if (!best || cost < best.cost) best = { cost, contracts }
    }
    return best && askOf(best.cost, best.contracts)
  }
  return { yes: askAgainst(book.no_dollars), no: askAgainst(book.yes_dollars) }
}
