/**
 * Movements that began in a period, found the slow way: every window is checked, and windows are joined while any two
 * overlap. Moves count from a window before the period to a window after it.
 */

import { type PriceChange, type PricedSelection, priceChange } from '../../schemas/price-change.ts'

interface Move {
  readonly oddsId: number
  readonly sportsbook: string
  readonly at: number
}

export interface SlowMovement {
  readonly beganAt: number
  readonly moves: readonly Move[]
}

export function slowMovements(
  changes: readonly PriceChange[],
  {
    books,
    windowMs,
    leastMove,
    from: first,
    to: last,
  }: {
    readonly books: number
    readonly windowMs: number
    readonly leastMove: number
    readonly from: number
    readonly to: number
  },
): SlowMovement[] {
  return [...movesBySelection(changes, leastMove).values()].flatMap((all) => {
    const moves = all.filter(({ at }) => at >= first - windowMs && at < last + windowMs)
    const hot = moves
      .map(({ at }) => ({ from: at, to: at + windowMs }))
      .filter(({ from, to }) => {
        const within = moves.filter(({ at }) => at >= from && at <= to)
        return new Set(within.map(({ sportsbook }) => sportsbook)).size >= books
      })
    return joined(hot)
      .filter(({ from }) => from >= first && from < last)
      .map(({ from, to }) => ({
        beganAt: from,
        moves: moves.filter(({ at }) => at >= from && at <= to),
      }))
  })
}

interface Span {
  readonly from: number
  readonly to: number
}

function joined(spans: readonly Span[]): Span[] {
  for (const [i, one] of spans.entries()) {
    const j = spans.findIndex((other, at) => at > i && other.from <= one.to && one.from <= other.to)
    if (j < 0) continue
    const other = spans[j]!
    const both = { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) }
    return joined([...spans.filter((span) => span !== one && span !== other), both])
  }
  return [...spans]
}

function movesBySelection(changes: readonly PriceChange[], leastMove: number) {
  const of = new Map<number, PricedSelection>()
  const before = new Map<number, number>()
  /** Whether a price was in play when it was last open, or listed. */
  const wasLive = new Map<number, boolean>()
  const moves = new Map<string, Move[]>()
  for (const { oddsId, eventId, at, price, what, isLive, isActive, of: stated } of changes) {
    if (stated) of.set(oddsId, stated)
    const last = before.get(oddsId)
    before.set(oddsId, price)
    const hasTurned = last !== undefined && wasLive.get(oddsId) !== isLive
    if (last === undefined || isActive || (what & priceChange.listed) !== 0)
      wasLive.set(oddsId, isLive)
    if (last === undefined || hasTurned || (what & priceChange.price) === 0) continue
    const size = 1 / price - 1 / last
    if (Math.abs(size) < leastMove) continue
    const { sportsbook, marketType, selectionType, selection, line, playerName } = of.get(oddsId)!
    const parts = [
      eventId,
      marketType,
      selectionType,
      selection,
      line,
      playerName,
      size > 0,
      isLive,
    ]
    const key = JSON.stringify(parts)
    const others = moves.get(key) ?? []
    others.push({ oddsId, sportsbook, at })
    moves.set(key, others)
  }
  for (const others of moves.values()) others.sort((a, b) => a.at - b.at)
  return moves
}
