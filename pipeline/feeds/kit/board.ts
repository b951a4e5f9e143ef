/**
 * The loop of a parser whose payload holds games, their markets and the offers of each. A source defines how its
 * lists, markets and offers are read; the loop does the rest alike for all: it leaves out only the malformed parts,
 * and makes each price a selection or a skip with a reason.
 *
 * An outcome that cannot be bet on must not keep its earlier price. A snapshot withdraws it by leaving it out; a delta
 * removes it if it is closed, and suspends it if it is open without a readable price.
 */

import type { z } from 'zod'
import type { FeedEvent, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { groupBy } from '../../../schemas/grouping.ts'
import { resolveLeague } from '../../../schemas/reference/leagues.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { isBareOutcome } from '../../rules/names/labelled-player.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { isGameTotal, totalOwner } from '../../rules/odds/total-owners.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type Offered, type StatedOutcome, toMarkets, toOutcome } from './outcomes.ts'
import { issueOf } from './payload-issue.ts'

/** A game (or the reason why it is none) with its markets as the source sends them. */
export interface GameOffered {
  readonly event: FeedEvent | Skip
  /** `snapshot` where these are all of its markets. */
  readonly mode: OddsRecord['mode']
  readonly markets: readonly unknown[]
  /** Set at a source that has several. */
  readonly sportsbook?: string
}

/** The question of a market, common to all its offers. */
export interface Question {
  readonly marketType: string
  readonly playerName?: string | null
  readonly statCategory?: string | null
}

/** Why a market is left out: a reason, with the source's label where the label is unknown. */
export type LeftOut = string | Pick<Skip, 'reason' | 'label'>

export interface Board<
  Market,
  Offer,
  Meaning extends Question,
  Game extends GameOffered = GameOffered,
> {
  /** Absent if each game names its own. */
  readonly sportsbook?: string
  /** Absent if the markets are parsed already. */
  readonly market?: z.ZodType<Market>
  /** Null where the payload has none. */
  readonly marketId: (market: Market) => string | null
  /** Whether a game without a price is left out, so that the feed withdraws its earlier prices. */
  readonly omitsEmpty?: boolean
  /** Returns the offers of a market; unreadable ones become skips. */
  readonly offers: (market: Market, skipped: Skip[]) => readonly Offer[]
  /** Describes an offer in a few words, for a skip. */
  readonly describe: (offer: Offer, market: Market, game: Game) => string
  /**
   * Returns the source's label of an offer; in a total of the game it must name nobody. Absent if
   * offers have no label.
   */
  readonly label?: (offer: Offer) => string | null | undefined
  readonly question: (
    market: Market,
    event: FeedEvent,
    offers: readonly Offer[],
    game: Game,
  ) => Meaning | LeftOut
  /**
   * Returns the outcome of an offer (`removed` if it is closed), or the reason why it does not
   * belong to the question.
   */
  readonly outcome: (
    offer: Offer,
    question: Meaning,
    market: Market,
    event: FeedEvent,
    game: Game,
  ) => Offered | string
}

/** @param skipped the parts of the payload that are left out already; more are added */
export function readBoard<Market, Offer, Meaning extends Question, Game extends GameOffered>(
  board: Board<Market, Offer, Meaning, Game>,
  games: Iterable<Game>,
  observedAt: number,
  skipped: Skip[] = [],
): Parsed {
  const records: FeedRecord[] = []
  for (const game of games) {
    const { event, mode, markets: items, sportsbook = board.sportsbook ?? '' } = game
    const outcomes: StatedOutcome[] = []
    const read = board.market
      ? readEach(items, board.market, 'malformed_market', skipped)
      : (items as readonly Market[])
    for (const market of read) {
      placeMarket(board, market, game, outcomes, skipped)
    }
    if ('reason' in event) continue
    const { markets, repeated } = toMarkets(outcomes)
    for (const skip of repeated) skipped.push(skip)
    if (markets.length === 0 && (mode === 'delta' || board.omitsEmpty)) continue
    records.push({ type: 'odds', sportsbook, mode, observedAt, event, markets })
  }
  return { records, skipped }
}

function placeMarket<Market, Offer, Meaning extends Question, Game extends GameOffered>(
  board: Board<Market, Offer, Meaning, Game>,
  market: Market,
  game: Game,
  outcomes: StatedOutcome[],
  skipped: Skip[],
) {
  const offers = board.offers(market, skipped)
  if (offers.length === 0) return
  const { event } = game
  const question = 'reason' in event ? event.reason : board.question(market, event, offers, game)
  if (typeof question === 'string' || 'reason' in question) {
    const { reason, label } = typeof question === 'string' ? { reason: question } : question
    for (const offer of offers) {
      const detail = board.describe(offer, market, game)
      skipped.push({ reason, detail, ...(label !== undefined && { label }) })
    }
    return
  }
  const marketId = board.marketId(market)
  const { marketType, playerName = null, statCategory = null } = question
  const of = { marketId, marketType, playerName, statCategory }
  const hasLine = findMarket(marketType)?.hasLine === true
  const label = playerName === null && isGameTotal(marketType) ? board.label : undefined
  for (const offer of offers) {
    const stated = board.outcome(offer, question, market, event as FeedEvent, game)
    const isWithoutLine = hasLine && typeof stated !== 'string' && (stated.line ?? null) === null
    const isOwned =
      typeof stated !== 'string' &&
      label !== undefined &&
      hasOwner(label(offer), marketType, event as FeedEvent)
    const placed = isWithoutLine ? 'no_line' : isOwned ? 'unknown_participant' : stated
    const reason = typeof placed === 'string' ? placed : faultOf(placed)
    if (reason !== null) skipped.push({ reason, detail: board.describe(offer, market, game) })
    if (typeof placed === 'string') continue
    const { line = null, removed = false } = placed
    if (game.mode === 'snapshot' && (removed || reason !== null)) continue
    const price = removed || placed.price === 'bad' ? null : placed.price
    const suspended = !removed && (placed.suspended === true || price === null)
    outcomes.push(toOutcome(of, hasLine ? line : null, price, { ...placed, suspended }))
  }
}

/** Returns whether the label of a game's total names a player, a side or anybody else. */
export function hasOwner(
  label: string | null | undefined,
  marketType: string,
  {
    sport,
    league,
    homeTeam,
    awayTeam,
  }: Pick<FeedEvent, 'sport' | 'league' | 'homeTeam' | 'awayTeam'>,
): boolean {
  if (isBareOutcome(label ?? null)) return false
  const options = sideOptionsOf(sport, resolveLeague(league, sport).id)
  return totalOwner(label, marketType, { home: homeTeam, away: awayTeam }, options) !== null
}

/**
 * Returns why an outcome counts as a skip; null if it can be bet on, or the source itself suspended
 * or removed it.
 */
function faultOf({ price, suspended, removed }: Offered): string | null {
  if (removed) return price === null ? null : 'closed'
  // A suspended outcome may have a placeholder: 0, or 1.00.
  if (suspended || typeof price === 'number') return null
  return price === 'bad' ? 'bad_price' : 'no_price'
}

/**
 * @param value a number in the source's format; @param read returns its decimal odds, or null for a
 * value that cannot be odds
 */
export function statedPrice(
  value: unknown,
  read: (value: number) => number | null,
): number | null | 'bad' {
  if (value == null) return null
  return (typeof value === 'number' ? read(value) : null) ?? 'bad'
}

/** Creates a parser of whole payloads; one of another shape yields nothing. */
export const payloadParser =
  <Payload>(schema: z.ZodType<Payload>, parse: (payload: Payload, observedAt: number) => Parsed) =>
  (payload: unknown, observedAt: number): Parsed => {
    const read = schema.safeParse(payload)
    if (read.success) return parse(read.data, observedAt)
    return { records: [], skipped: [{ reason: 'malformed_payload', detail: issueOf(read.error) }] }
  }

/**
 * Returns the items of the expected shape; each other one is a skip.
 * @param idMember the member with the `externalId` of the item's event, where each item is a whole event
 */
export function readEach<Item>(
  items: Iterable<unknown>,
  schema: z.ZodType<Item>,
  reason: string,
  skipped: Skip[],
  idMember?: string,
): Item[] {
  const found: Item[] = []
  for (const item of items) {
    const read = schema.safeParse(item)
    if (read.success) found.push(read.data)
    else skipped.push({ reason, detail: issueOf(read.error), ...hiddenBy(item, idMember) })
  }
  return found
}

function hiddenBy(item: unknown, idMember: string | undefined): Pick<Skip, 'hides'> {
  const id = idMember === undefined ? null : (Object(item) as Record<string, unknown>)[idMember]
  return typeof id === 'string' || typeof id === 'number'
    ? { hides: { externalId: String(id) } }
    : {}
}

/** Groups items that have not been parsed yet, by the value of one field. */
export function groupByField(items: Iterable<unknown>, member: string): Map<unknown, unknown[]> {
  return groupBy(items, (item) => (Object(item) as Record<string, unknown>)[member])
}

/** Yields the games of a list with the markets of another, joined by their ids; then markets of no game. */
export function* joined(
  events: ReadonlyMap<unknown, FeedEvent | Skip>,
  markets: ReadonlyMap<unknown, readonly unknown[]>,
  mode: OddsRecord['mode'],
): Generator<GameOffered> {
  for (const [id, event] of events) yield { event, mode, markets: markets.get(id) ?? [] }
  for (const [id, orphans] of markets) {
    if (events.has(id)) continue
    yield { event: { reason: 'unknown_event', detail: String(id) }, mode, markets: orphans }
  }
}
