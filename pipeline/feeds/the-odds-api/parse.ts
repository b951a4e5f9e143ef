/**
 * The Odds API, version 4: one response holds many sportsbooks, and becomes one record per event
 * and sportsbook. The payload states neither its odds format nor whether a game is in play. So the
 * format is an option that is checked against every price. A game counts as live if its sportsbook
 * was read at or after the start.
 *
 * A record has the time `last_update`: when the source last read the sportsbook, up to minutes
 * before the response. A price may have changed earlier, so it is no `changedAt`. A market is left
 * out if it was read much earlier than the sportsbook's other markets, or before play while they
 * were read in play: its prices are not of that time.
 *
 * A record is a snapshot: its client requests the same markets every time, so missing prices have
 * been withdrawn. If a sportsbook has a source of its own, that source's prices count
 * (`processors/own-sources.ts`).
 */

import { z } from 'zod'
import type {
  FeedEvent,
  FeedFutureSelection,
  FeedRecord,
  FuturesRecord,
  GameStateRecord,
} from '../../../schemas/feed-record.ts'
import { linkOf } from '../../../schemas/link.ts'
import { findLeague } from '../../../schemas/reference/leagues.ts'
import type { Answers } from '../../../schemas/reference/market-question.ts'
import { findSport } from '../../../schemas/reference/sports.ts'
import { findSportsbook, idOfSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { pushAll } from '../../memory/push-all.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { typeOfEntrants } from '../../rules/odds/futures.ts'
import type { Parsed, Skip } from '../feed.ts'
import {
  type Board,
  type GameOffered,
  type LeftOut,
  type Question,
  readBoard,
  readEach,
  statedPrice,
} from '../kit/board.ts'
import { offered, toFuturesRecords, unstatedFuture } from '../kit/futures-records.ts'
import { gameOf, sideNamed } from '../kit/game.ts'
import { instantOf } from '../kit/instant.ts'
import { marketLabelled } from '../kit/market-type.ts'
import { priceOfAmerican, priceOfDecimal, skipEach } from '../kit/outcomes.ts'

export type OddsFormat = 'decimal' | 'american'

export interface OddsOptions {
  readonly oddsFormat: OddsFormat
  readonly receivedAt: number
  readonly isOutdated?: (eventId: string, bookmaker: string, updatedAt: number) => boolean
  /** Returns whether a sportsbook (our id) is read although it is a pick'em. Default: all are. */
  readonly takesPickem?: (sportsbook: string) => boolean
}

const outcomeSchema = z.object({
  name: z.string(),
  price: z.unknown().optional(),
  point: z.number().nullish(),
  description: z.string().nullish(),
  link: z.string().nullish(),
})
const marketSchema = z.object({
  key: z.string(),
  last_update: z.unknown().optional(),
  outcomes: z.array(outcomeSchema),
})
const bookmakerSchema = z.object({
  key: z.string(),
  last_update: z.unknown().optional(),
  markets: z.array(marketSchema),
})
const gameSchema = z.object({
  id: z.string(),
  sport_key: z.string(),
  sport_title: z.string().nullish(),
  commence_time: z.union([z.string(), z.number()]),
  home_team: z.string().nullish(),
  away_team: z.string().nullish(),
})
const eventSchema = gameSchema.extend({ bookmakers: z.array(bookmakerSchema) })

type ApiOutcome = z.infer<typeof outcomeSchema>
type ApiMarket = z.infer<typeof marketSchema>
type ApiBookmaker = z.infer<typeof bookmakerSchema>
type ApiEvent = z.infer<typeof eventSchema>

/**
 * Reads odds: the list of one sport, one event, or a historical response that wraps either.
 * @param options.receivedAt epoch ms: the time of records whose sportsbook has no earlier
 * `last_update`; a historical response has its own timestamp instead
 * @param options.isOutdated returns whether a newer state of an event at a sportsbook was already
 * read; then it is left out. Default: no state counts as outdated.
 */
export function parseOdds(payload: unknown, options: OddsOptions): Parsed {
  const { oddsFormat } = options
  const unwrapped = unwrap(payload)
  if ('reason' in unwrapped) return { records: [], skipped: [unwrapped] }
  const receivedAt = unwrapped.timestamp ?? options.receivedAt
  const skipped: Skip[] = []
  const events = readEach(unwrapped.items, eventSchema, 'malformed', skipped, 'id')
  const contradiction = findContradiction(events, oddsFormat)
  if (contradiction !== null) {
    const prices = events.flatMap((event) => event.bookmakers.flatMap(pricesOf))
    return {
      records: [],
      skipped: [...skipped, ...skipEach('wrong_odds_format', prices)],
    }
  }
  const records: FeedRecord[] = []
  for (const event of events) {
    const parse = isOutright(event) ? parseOutrights : parseEvent
    const parsed = parse(event, oddsFormat, receivedAt, options)
    pushAll(records, parsed.records)
    pushAll(skipped, parsed.skipped)
  }
  return { records, skipped }
}

function gamesIn(payload: unknown) {
  const unwrapped = unwrap(payload)
  return 'reason' in unwrapped ? [] : readEach(unwrapped.items, gameSchema, 'malformed', [])
}

/** The starts of a list's games (epoch ms). */
export interface ListedStarts {
  readonly starts: readonly number[]
  /** Whether all of the list could be read. */
  readonly isWhole: boolean
}

/** Returns the event ids of an odds or events list, for the calls that are made per event. */
export const eventIdsOf = (payload: unknown): string[] => gamesIn(payload).map(({ id }) => id)

/** Returns the starts of the games of an odds or events list. */
export function startsOf(payload: unknown): ListedStarts {
  const starts = gamesIn(payload).flatMap(({ commence_time }) => timeOf(commence_time) ?? [])
  return { starts, isWhole: Array.isArray(payload) && starts.length === payload.length }
}

/**
 * Merges one event from several responses about it (the list of a sport, and its own response with player props),
 * because a sportsbook's snapshot has to name all of its markets at once.
 */
export function mergeEvents(listed: unknown, own: unknown): unknown {
  const first = eventSchema.safeParse(listed)
  const second = eventSchema.safeParse(own)
  if (!first.success || !second.success) return first.success ? listed : own
  const bookmakers = new Map(first.data.bookmakers.map((book) => [book.key, book]))
  for (const book of second.data.bookmakers) {
    const before = bookmakers.get(book.key)
    const markets = before ? [...before.markets, ...book.markets] : book.markets
    bookmakers.set(book.key, { ...book, ...before, markets })
  }
  return { ...first.data, bookmakers: [...bookmakers.values()] }
}

/**
 * Reads scores: the status of each game, and the score, which comes without a period or a clock. The score of a game
 * that is over is its final one.
 */
export function parseScores(payload: unknown, options: { readonly receivedAt: number }): Parsed {
  const unwrapped = unwrap(payload)
  if ('reason' in unwrapped) return { records: [], skipped: [unwrapped] }
  const records: FeedRecord[] = []
  const skipped: Skip[] = []
  for (const score of readEach(unwrapped.items, scoreSchema, 'malformed_score', skipped)) {
    const { completed, scores, last_update } = score
    const observedAt = readAtOf(timeOf(last_update), options.receivedAt)
    const game = gameOfApi(score, observedAt)
    if ('reason' in game) {
      skipped.push(game)
      continue
    }
    const status = completed ? 'final' : scores ? 'live' : game.isLive ? null : 'upcoming'
    if (status === null) {
      // After its start without a score: late, postponed or just without scores. We cannot tell
      // which.
      skipped.push({ reason: 'no_status', detail: score.id })
      continue
    }
    const event = { ...game, isLive: status === 'live' }
    const about = { sportsbook: 'the_odds_api', observedAt, event }
    records.push({ type: 'event_status', ...about, status })
    const state = scores ? scoreOf(scores, game) : null
    if (state && status === 'live') records.push({ type: 'game_state', ...about, state })
    if (state && completed) {
      records.push({ type: 'game_state', ...about, state: { ...state, game_period: 'final' } })
    }
  }
  return { records, skipped }
}

/**
 * Returns the points of both sides by their names; null if one is missing or is no whole number.
 */
function scoreOf(
  scores: unknown,
  { homeTeam, awayTeam }: FeedEvent,
): GameStateRecord['state'] | null {
  const sides = sideScores.safeParse(scores)
  if (!sides.success) return null
  const pointsOf = (team: string) => {
    const points = sides.data.find(({ name }) => name === team)?.score
    return points !== undefined && /^\d{1,5}$/.test(points) ? Number(points) : null
  }
  const home = pointsOf(homeTeam)
  const away = pointsOf(awayTeam)
  return home === null || away === null ? null : { home_score: home, away_score: away }
}

const sideScores = z.array(z.object({ name: z.string(), score: z.string() }))

const scoreSchema = gameSchema.extend({
  completed: z.boolean(),
  scores: z.array(z.unknown()).nullish(),
  last_update: z.unknown().optional(),
})

function unwrap(payload: unknown): { items: unknown[]; timestamp: number | null } | Skip {
  if (Array.isArray(payload)) return { items: payload, timestamp: null }
  if (typeof payload !== 'object' || payload === null) {
    return { reason: 'malformed', detail: typeof payload }
  }
  // Version 3 had `success`, `sites` and prices by position; nothing in it identifies the sides.
  if ('success' in payload) return { reason: 'unsupported_version', detail: 'version 3' }
  if ('message' in payload) return { reason: 'error_answer', detail: String(payload.message) }
  if ('timestamp' in payload && 'data' in payload) {
    const { data, timestamp } = payload
    return { items: Array.isArray(data) ? data : [data], timestamp: timeOf(timestamp) }
  }
  return { items: [payload], timestamp: null }
}

/**
 * Returns a price that the requested format cannot hold: then the whole response is in the other format, or broken,
 * and none of its prices can be trusted (+150 would be read as decimal 150).
 */
function findContradiction(events: readonly ApiEvent[], format: OddsFormat): number | null {
  for (const { bookmakers } of events) {
    for (const { markets } of bookmakers) {
      for (const { outcomes } of markets) {
        for (const { price } of outcomes) {
          if (typeof price !== 'number') continue
          if (format === 'decimal' ? price <= -100 : price > 1 && price < 100) return price
        }
      }
    }
  }
  return null
}

function parseEvent(event: ApiEvent, format: OddsFormat, receivedAt: number, taken: Taken): Parsed {
  const game = gameOfApi(event, receivedAt)
  if ('reason' in game) return { records: [], skipped: skipAll(event, game.reason) }
  const { speaking, skipped } = speakersOf(event, receivedAt, taken)
  const records: FeedRecord[] = []
  for (const [sportsbook, book] of speaking) {
    const readAt = readAtOf(lastUpdateOf(book), receivedAt)
    const isLive = game.startsAt <= readAt
    const markets = currentMarkets(book, { startsAt: game.startsAt, isLive, readAt }, skipped)
    const offered: BookmakersGame = {
      event: { ...game, isLive, isByClock: true },
      mode: 'snapshot',
      markets,
      sportsbook,
      bookmaker: book.key,
    }
    pushAll(records, readBoard(boards[format], [offered], readAt, skipped).records)
  }
  return { records, skipped }
}

/**
 * Returns when the source read its data (epoch ms): not after we received it, whatever its clock
 * says.
 */
const readAtOf = (lastUpdate: number | null, receivedAt: number) =>
  Math.min(lastUpdate ?? receivedAt, receivedAt)

/** Returns the markets of a sportsbook whose prices may get the time of its newest market. */
function currentMarkets(
  { key, last_update, markets }: ApiBookmaker,
  { startsAt, isLive, readAt }: { startsAt: number; isLive: boolean; readAt: number },
  skipped: Skip[],
): ApiMarket[] {
  const oldest = Math.max(readAt - usableMs(isLive), isLive ? startsAt : Number.NEGATIVE_INFINITY)
  return markets.filter((market) => {
    const isCurrent = (timeOf(market.last_update) ?? timeOf(last_update) ?? readAt) >= oldest
    if (!isCurrent) {
      pushAll(skipped, skipEach('outdated_market', market.outcomes.map(detailOf(market.key, key))))
    }
    return isCurrent
  })
}

interface BookmakersGame extends GameOffered {
  /** The source's name of the sportsbook. */
  readonly bookmaker: string
}

type Taken = Pick<OddsOptions, 'isOutdated' | 'takesPickem'>

/**
 * Returns whether a key of theirs is a pick'em (region `us_dfs`): its legs are only sold together,
 * so the price of one is nominal, and nobody can bet at it. We do not list all of them; theirs end
 * alike.
 */
const isPickem = (key: string) => findSportsbook(key)?.category === 'dfs' || key.endsWith('_us_dfs')

/** Returns the sportsbooks of a response, each once, and skips for those that are not taken. */
function speakersOf(
  event: ApiEvent,
  receivedAt: number,
  { isOutdated = () => false, takesPickem = () => true }: Taken,
) {
  const skipped: Skip[] = []
  const speaking = new Map<string, ApiBookmaker>()
  const spoken = new Set<string>()
  // In the order of keys: if two regions are one sportsbook, the same one always counts.
  for (const book of [...event.bookmakers].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const sportsbook = idOfSportsbook(book.key)
    if (spoken.has(sportsbook)) {
      pushAll(skipped, skipEach('duplicate_sportsbook', pricesOf(book)))
      continue
    }
    spoken.add(sportsbook)
    if (isPickem(book.key) && !takesPickem(sportsbook)) {
      pushAll(skipped, skipEach('pickem', pricesOf(book)))
      continue
    }
    const updatedAt = lastUpdateOf(book)
    // A time ahead of our clock would make all later ones look outdated.
    if (updatedAt !== null && isOutdated(event.id, book.key, readAtOf(updatedAt, receivedAt))) {
      const hides = { externalId: event.id, sportsbook }
      for (const detail of pricesOf(book))
        skipped.push({ reason: 'outdated_answer', detail, hides })
    } else speaking.set(sportsbook, book)
  }
  return { speaking, skipped }
}

const skipAll = ({ bookmakers }: ApiEvent, reason: string) =>
  bookmakers.flatMap((book) => skipEach(reason, pricesOf(book)))

/** Returns whether it is an outright: a competition's winner is a separate sport without sides. */
const isOutright = ({ home_team, away_team }: ApiEvent) => !home_team && !away_team

/**
 * Reads one market per sportsbook. The key or the title names the competition. The event's start is
 * when the competition is decided.
 */
function parseOutrights(
  event: ApiEvent,
  format: OddsFormat,
  receivedAt: number,
  taken: Taken,
): Parsed {
  const sport = sportOf(event.sport_key)
  const settlesAt = timeOf(event.commence_time)
  if (sport === undefined) return { records: [], skipped: skipAll(event, 'unsupported_sport') }
  if (settlesAt === null) return { records: [], skipped: skipAll(event, 'bad_start') }
  const title = event.sport_title ?? event.sport_key
  const future = {
    ...unstatedFuture,
    externalId: event.id,
    sport,
    league: findLeague(event.sport_key)?.id ?? title.replace(/ winner$/i, ''),
    name: title,
    futureType: typeOfEntrants(sport),
    settlesAt,
  }
  const { speaking, skipped } = speakersOf(event, receivedAt, taken)
  const markets: Pick<FuturesRecord, 'sportsbook' | 'observedAt' | 'future' | 'prices'>[] = []
  for (const [sportsbook, book] of speaking) {
    const prices: FeedFutureSelection[] = []
    for (const market of book.markets) {
      for (const outcome of market.outcomes) {
        const price = outrightPriceOf(market, outcome, format)
        if (typeof price !== 'string') prices.push(price)
        else skipped.push({ reason: price, detail: detailOf(market.key, book.key)(outcome) })
      }
    }
    const observedAt = readAtOf(lastUpdateOf(book), receivedAt)
    markets.push({ sportsbook, observedAt, future, prices })
  }
  const { records, skipped: repeated } = toFuturesRecords(markets)
  return { records, skipped: [...skipped, ...repeated] }
}

function outrightPriceOf(
  { key }: ApiMarket,
  { name, price: stated, link }: ApiOutcome,
  format: OddsFormat,
): FeedFutureSelection | string {
  if (/(^|_)lay$/.test(key)) return 'lay_side'
  if (key !== 'outrights') return 'unmapped_market'
  const price = statedPrice(stated, readers[format])
  if (typeof price === 'number') return offered(name, price, { deepLink: linkOf(link) })
  return price === null ? 'no_price' : 'bad_price'
}

const sportOf = (sportKey: string) => findSport(sportKey.split('_')[0] ?? '')?.id

function gameOfApi(game: z.infer<typeof gameSchema>, observedAt: number): FeedEvent | Skip {
  const { sport_key: key, home_team: homeTeam, away_team: awayTeam } = game
  const startsAt = timeOf(game.commence_time)
  return gameOf(
    {
      externalId: game.id,
      sport: sportOf(key),
      // The key identifies one league, if the reference has it; several leagues may share a title.
      league: findLeague(key)?.id ?? game.sport_title ?? key,
      homeTeam,
      awayTeam,
      startsAt,
      isLive: startsAt !== null && startsAt <= observedAt,
    },
    key,
    { sides: 'outright' },
  )
}

type ApiBoard = Board<ApiMarket, ApiOutcome, Meaning, BookmakersGame>

const boardOf = (format: OddsFormat): ApiBoard => ({
  omitsEmpty: true,
  marketId: () => null,
  offers: ({ outcomes }) => outcomes,
  describe: (outcome, { key }, { bookmaker }) => detailOf(key, bookmaker)(outcome),
  label: ({ name, description }) => [description, name].filter(Boolean).join(' '),
  question: (market, { sport }) => meaningOf(market, sport),
  outcome(outcome, { kind }, _market, event) {
    const { name, description, point, link } = outcome
    const side = sideNamed(name, event) ?? wordsOfSides[name] ?? ''
    if (!sidesOf[kind].includes(side)) {
      return kind === 'moneyline' || kind === 'spread' ? 'unknown_participant' : 'unknown_selection'
    }
    const subject = description?.trim() ?? ''
    const team = kind === 'team_total' ? sideNamed(subject, event) : null
    if (kind === 'team_total' && team === null) return 'unknown_participant'
    if (kind === 'player' && subject === '') return 'no_player'
    const isOfSubject = kind === 'team_total' || kind === 'player'
    return {
      selectionType: team === null ? side : `${team}_${side}`,
      selection: isOfSubject ? `${subject} ${name}` : kind === 'yes_no' ? null : name,
      playerName: kind === 'player' ? subject : null,
      line: point ?? null,
      price: statedPrice(outcome.price, readers[format]),
      deepLink: linkOf(link),
    }
  },
})

const readers = { decimal: priceOfDecimal, american: priceOfAmerican }
const boards = { decimal: boardOf('decimal'), american: boardOf('american') }

/** The possible outcomes of each kind of market. */
const sidesOf = {
  moneyline: ['home', 'away', 'draw'],
  spread: ['home', 'away'],
  total: ['over', 'under'],
  team_total: ['over', 'under'],
  player: ['over', 'under'],
  yes_no: ['yes', 'no'],
}

interface Meaning extends Question {
  readonly kind: keyof typeof sidesOf
}

/** Returns the question of a market key, or the reason for leaving it out. */
function meaningOf({ key, outcomes }: ApiMarket, sport: string): Meaning | LeftOut {
  if (/(^|_)lay$/.test(key)) return 'lay_side'
  if (key === 'outrights') return 'outright'
  const hasDraw = outcomes.some(({ name }) => name === 'Draw')
  const market = marketLabelled(key, sport, { hasDraw })
  if (typeof market === 'string') return { reason: market, label: key }
  const { id: marketType, answers, isPlayerProp, period } = market
  const kind = isPlayerProp ? (answers === 'over_under' ? 'player' : undefined) : kindOf[answers]
  // A whole game of tennis is counted in sets or games; the key does not say which.
  const isUnclear = sport === 'tennis' && period === 'game' && kind !== 'moneyline'
  if (kind === undefined || isUnclear) return { reason: 'unmapped_market', label: key }
  return { kind, marketType, statCategory: isPlayerProp ? market.statistic : null }
}

const kindOf: Readonly<Partial<Record<Answers, Meaning['kind']>>> = {
  winner: 'moneyline',
  two_ways: 'moneyline',
  three_ways: 'moneyline',
  handicap: 'spread',
  over_under: 'total',
  team_over_under: 'team_total',
  yes_no: 'yes_no',
}

/** Sides are identified by name, never by position: the order of outcomes differs between sportsbooks. */
const wordsOfSides: Readonly<Record<string, string>> = {
  Draw: 'draw',
  Over: 'over',
  Under: 'under',
  Yes: 'yes',
  No: 'no',
}

/** Returns the newest time of a sportsbook or its markets; older payloads have only the first. */
function lastUpdateOf({ last_update, markets }: ApiBookmaker): number | null {
  const times = [last_update, ...markets.map((market) => market.last_update)]
    .map(timeOf)
    .filter((at) => at !== null)
  return times.reduce<number | null>((newest, at) => Math.max(newest ?? at, at), null)
}

/** Parses an ISO time, or whole Unix seconds with `dateFormat=unix`. */
const timeOf = (value: unknown) =>
  typeof value === 'number'
    ? Number.isInteger(value) && value > 0
      ? value * 1000
      : null
    : instantOf(value)

const detailOf = (market: string, bookmaker: string) => (outcome: ApiOutcome) =>
  `${bookmaker} ${market} ${outcome.description ?? ''} ${outcome.name} ${outcome.point ?? ''} ${outcome.price}`

const pricesOf = (book: ApiBookmaker) =>
  book.markets.flatMap((market) => market.outcomes.map(detailOf(market.key, book.key)))
