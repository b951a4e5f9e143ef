/**
 * The draw that changes the question of a market: a winner or a handicap that is settled two ways pays, or returns
 * the stake, where a market with a draw as an outcome loses. Prices with a draw therefore have their own type, so
 * that the two are never mixed.
 *
 * A draw belongs to a **rung** (`questions.ts`): a sportsbook may offer -1 three ways and -1.5 two ways under one
 * name.
 */

import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { findMarket, typeInPeriod } from '../../../schemas/reference/markets.ts'
import { homeLine } from './questions.ts'

/**
 * Returns the type of the question with a draw as an outcome; null where it has one already, or never has, and for a
 * type that is not listed.
 */
export function typeWithDraw(marketType: string, sport: string): string | null {
  return sport === 'soccer' ? inSoccer(marketType) : elsewhere(marketType)
}

const elsewhere = memoise((marketType: string): string | null => {
  const market = findMarket(marketType)
  if (market?.answers === 'winner') return typeInPeriod('moneyline_3-way', market.period)
  if (market?.answers !== 'handicap') return null
  return market.counts === 'score'
    ? typeInPeriod('handicap_3-way', market.period)
    : `${marketType}_3-way`
})

/** Returns the type in soccer, where the winner always has a draw. */
const inSoccer = memoise((marketType: string) =>
  findMarket(marketType)?.answers === 'winner' ? null : elsewhere(marketType),
)

/** The rungs of a stated market that have a draw; `all` where its rung is unknown. */
export type DrawnRungs = ReadonlySet<number | null> | 'all'

/**
 * Returns the rungs of a stated market that have a draw, by its record. The draw is in the market itself, or in
 * another of its type that has no side, where each outcome is its own market: on the rungs of this one, or on none.
 *
 * A draw that is withdrawn together with new prices of the sides still identifies their question.
 * @param record all markets of the record, under our types
 * @returns null for none
 */
export function drawnRungs(market: FeedMarket, record: readonly FeedMarket[]): DrawnRungs | null {
  const drawn = new Set<number | null>()
  const sides = market.selections.filter(isSide)
  const rungs = new Set(sides.map((stated) => rungOf(market, stated)))
  const isOffering = sides.some((stated) => !stated.removed)
  for (const other of record) {
    if (other.marketType !== market.marketType || other.playerName !== market.playerName) continue
    if (other !== market && other.selections.some(isSide)) continue
    for (const stated of other.selections) {
      if (stated.selectionType !== 'draw' || (stated.removed && !isOffering)) continue
      const rung = rungOf(other, stated)
      const isOver = stated.removed || stated.suspended || other.suspended
      // One that is suspended at all lines says nothing about these.
      const isElsewhere = other !== market && (rung !== null || isOver) && !rungs.has(rung)
      if (!isElsewhere) drawn.add(rung)
    }
  }
  if (drawn.size === 0) return null
  const areKnown = sides.length === 0 || [...drawn].every((rung) => rungs.has(rung))
  return areKnown ? drawn : 'all'
}

/** Returns the rung that a stated selection is on. */
export const rungOf = ({ marketType, line }: FeedMarket, stated: FeedSelection) =>
  homeLine(marketType, stated.selectionType, stated.line ?? line)

/** Returns whether some market of the record has a draw that changes its question. */
export function hasUnusualDraw(record: readonly FeedMarket[], sport: string): boolean {
  for (const { marketType, selections } of record) {
    for (const { selectionType } of selections) {
      if (selectionType === 'draw' && typeWithDraw(marketType, sport) !== null) return true
    }
  }
  return false
}

/**
 * Returns whether the prices of a rung's sides cost as much as a complete question: their implied probabilities sum
 * to 1 or more.
 */
export function isWhole(market: FeedMarket, rung: number | null): boolean {
  let sum = 0
  for (const stated of market.selections) {
    if (!isSide(stated) || stated.price === null || rungOf(market, stated) !== rung) continue
    sum += 1 / stated.price
  }
  return sum >= 1
}

/**
 * Returns the rows of one sportsbook on one event with their current types; some may date from before draws had their
 * own types.
 */
export function filedAnew(rows: readonly OddsRow[], sport: string): readonly OddsRow[] {
  const drawn = new Set<string>()
  for (const row of rows) if (row.selectionType === 'draw') drawn.add(rungOfRow(row))
  if (drawn.size === 0) return rows
  return rows.map((row) => {
    const marketType = row.playerName === null ? typeWithDraw(row.marketType, sport) : null
    return marketType !== null && drawn.has(rungOfRow(row)) ? { ...row, marketType } : row
  })
}

const rungOfRow = ({ marketType, selectionType, line }: OddsRow) =>
  `${marketType} ${homeLine(marketType, selectionType, line)}`

const isSide = ({ selectionType }: FeedSelection) =>
  selectionType === 'home' || selectionType === 'away'
