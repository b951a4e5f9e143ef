/** Futures in responses: the visible part of a market, its name and its sorted prices. */

import { listedQuestion } from '../../pipeline/rules/odds/futures.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { createOutcomeGuard } from '../../pipeline/rules/odds/outcome-guard.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { FutureMarket, FutureOffer } from '../../pipeline/views/futures/futures-view.ts'
import type { SourcesView } from '../../pipeline/views/sources/sources-view.ts'
import type { FuturePrice, FutureRow } from '../../schemas/future.ts'
import { addTo } from '../../schemas/grouping.ts'
import { leagueById } from '../../schemas/reference/leagues.ts'
import { findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Scope } from '../access/scope.ts'

/** A market with its visible offers, at least one. */
export interface SeenFuture {
  readonly id: string
  /** Row of the first visible sportsbook. All agree on the fields used. */
  readonly row: FutureRow
  /** Sorted by sportsbook. */
  readonly offers: readonly FutureOffer[]
}

/** @param sportsbooks the visible ones; undefined for all */
export function seenFuture(
  { id, offers }: FutureMarket,
  sportsbooks: readonly string[] | undefined,
): SeenFuture | undefined {
  const seen = [...offers.values()].filter(
    ({ row }) => sportsbooks === undefined || sportsbooks.includes(row.sportsbook),
  )
  seen.sort((a, b) => compareTexts(a.row.sportsbook, b.row.sportsbook))
  const [first] = seen
  return first && { id, row: first.row, offers: seen }
}

/** Returns the name of a listed question with its season, else the best of the visible sportsbooks' names. */
export function futureName({ row, offers }: SeenFuture): string {
  const { question, league, subject, season } = row
  const listed = listedQuestion(question)?.name
  if (listed === undefined) {
    const name = bestSpelling(offers.map((offer) => offer.row.name))
    const isNamed = subject === null || name.toLowerCase().includes(subject.toLowerCase())
    return isNamed ? name : `${subject} ${name}`
  }
  const about = subject ?? leagueById(league)?.name ?? league
  return [about, listed, season].filter((part) => part !== null).join(' ')
}

/** A price of a market with the selection name that all its sportsbooks share. */
export interface SeenPrice {
  readonly key: string
  readonly selection: string
  readonly price: FuturePrice
  readonly offer: FutureOffer
  /** The reason why the outcome guard withholds it, or null. */
  readonly withheld: 'far_from_consensus' | null
}

/**
 * Returns prices sorted by line, selection and sportsbook. Prices of a source that is down are
 * inactive, as on the board.
 */
export function seenPrices({ id, offers }: SeenFuture, scope: Scope): SeenPrice[] {
  const { sources } = scope
  const tooLong = tooLongIn(id, scope)
  const spellings = new Map<string, string[]>()
  for (const { row, keys } of offers) {
    for (const [at, { selection }] of row.prices.entries()) {
      const key = keys[at] as string
      addTo(spellings, key, selection)
    }
  }
  const names = new Map([...spellings].map(([key, all]) => [key, bestSpelling(all)]))
  const prices = offers.flatMap((offer) => {
    const isDown = isDownIn(sources, offer)
    return offer.row.prices.map((stated, at): SeenPrice => {
      const key = offer.keys[at] as string
      const price = isDown ? { ...stated, isActive: false } : stated
      const withheld = tooLong.has(price.id) ? 'far_from_consensus' : null
      return { key, selection: names.get(key) as string, price, offer, withheld }
    })
  })
  // The offers are sorted by sportsbook, and sorting is stable.
  return prices.sort(
    (a, b) => (a.price.line ?? 0) - (b.price.line ?? 0) || compareTexts(a.key, b.key),
  )
}

const isDownIn = (sources: Pick<SourcesView, 'sportsbook'>, { row }: FutureOffer) =>
  sources.sportsbook(row.sportsbook)?.status === 'down'

const judgeOutcome = createOutcomeGuard()

/**
 * Returns the ids of active prices of a market that are many times the prices of other sportsbooks.
 * All sportsbooks that the scope sees count, also if the request does not name them. References do
 * not count.
 */
function tooLongIn(
  id: string,
  { futures, sportsbooks, sources, board: { references } }: Scope,
): ReadonlySet<number> {
  const byOutcome = new Map<string, FuturePrice[]>()
  for (const offer of seenFuture(futures.find(id)!, sportsbooks)!.offers) {
    if (references.has(offer.row.sportsbook) || isDownIn(sources, offer)) continue
    for (const [at, price] of offer.row.prices.entries()) {
      if (!price.isActive) continue
      const outcome = `${price.line ?? ''}|${offer.keys[at]}`
      addTo(byOutcome, outcome, price)
    }
  }
  const ids = new Set<number>()
  for (const prices of byOutcome.values()) {
    const isTooLong = new Uint8Array(prices.length)
    const decimals = Float64Array.from(prices, ({ price }) => price)
    if (!judgeOutcome(decimals, prices.length, false, isTooLong)) continue
    for (const [at, price] of prices.entries()) if (isTooLong[at] === 1) ids.add(price.id)
  }
  return ids
}

/** Returns the best spelling of a name: mixed case first, then the most frequent. */
function bestSpelling(spellings: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const spelling of spellings) counts.set(spelling, (counts.get(spelling) ?? 0) + 1)
  const rank = (spelling: string) => Number(isMixed(spelling)) * spellings.length * 2
  const weight = (spelling: string) => rank(spelling) + (counts.get(spelling) ?? 0)
  return [...counts.keys()].reduce((best, other) => {
    const more = weight(other) - weight(best)
    return more > 0 || (more === 0 && other < best) ? other : best
  })
}

const isMixed = (text: string) => text !== text.toUpperCase() && text !== text.toLowerCase()

/** Returns the fields of a market that no row of it has. */
export const futureSummary = (seen: SeenFuture) => ({
  market_id: seen.id,
  display_name: futureName(seen),
  books_available: seen.offers.map(({ row }) => row.sportsbook),
})

export function futureOddsItem(
  { selection, price, withheld, offer: { row, lastSeenAt } }: SeenPrice,
  name: string,
  linkOf: (id: number) => string,
) {
  const probability = shownProbability(price.price)
  return {
    id: String(price.id),
    selection,
    sportsbook: row.sportsbook,
    odds_american: decimalToAmerican(price.price),
    odds_decimal: shownPrice(price.price),
    probability,
    odds_probability: probability,
    ...(price.line !== null && { line: price.line }),
    is_active: price.isActive,
    future_type: row.futureType,
    future_market_id: row.marketId,
    future_market_name: name,
    sport: row.sport,
    league: row.league,
    event_start_time: row.settlesAt === null ? null : isoTime(row.settlesAt),
    timestamp: isoTime(lastSeenAt),
    ...(findSportsbook(row.sportsbook)?.deepLinks && {
      deep_link: linkOf(price.id),
    }),
    ...(withheld && { withheld }),
  }
}

/** Returns the newest sighting among the offers (epoch ms). */
export const lastSeen = (offers: readonly FutureOffer[]) =>
  offers.reduce((newest, { lastSeenAt }) => Math.max(newest, lastSeenAt), 0)
