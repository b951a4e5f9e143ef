/** The page that a request asks for of all that it names, in order. */

import { invariant } from '../../pipeline/invariant.ts'
import { createFirstN } from '../../pipeline/memory/first-n.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { Order } from './kind.ts'

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Some opportunities by rank, the greatest first, in pieces. */
type Ranked = readonly (readonly Valued[])[]

/**
 * The page of those that are chosen, sorted by the order, `isDescending` the other way; ties by id.
 * @param isChosen whether one is among them at all
 */
export function pageOf(
  ranked: Ranked,
  isChosen: (one: Valued) => boolean,
  order: Order,
  isDescending: boolean,
  { limit, offset }: Page,
): Valued[] {
  const { byRank } = order
  const size = offset + limit
  const isByRank = byRank === (isDescending ? 'same' : 'opposite')
  if (isByRank) return firstOf(ranked, isChosen, size).slice(offset)
  const sign = isDescending ? -1 : 1
  const first = createFirstN<Keyed>(
    size,
    (a, b) => sign * compare(a.key, b.key) || compareTexts(a.one.entry.row.id, b.one.entry.row.id),
  )
  const isBounded = byRank === 'at_most' && isDescending
  for (const piece of ranked) {
    for (const one of piece) {
      const { last } = first
      // None that comes later has a greater key.
      if (isBounded && last && one.rank < (last.key as number)) return pageIn(first, offset)
      if (!isChosen(one)) continue
      const key = order.keyOf(one)
      if (!last || sign * compare(key, last.key) <= 0) first.add({ one, key })
    }
  }
  return pageIn(first, offset)
}

interface Keyed {
  readonly one: Valued
  readonly key: number | string
}

const pageIn = (first: { sorted(): Keyed[] }, offset: number) =>
  first
    .sorted()
    .slice(offset)
    .map(({ one }) => one)

function firstOf(ranked: Ranked, isChosen: (one: Valued) => boolean, count: number): Valued[] {
  const first: Valued[] = []
  for (const piece of ranked) {
    for (const one of piece) {
      if (first.length === count) return first
      if (isChosen(one)) first.push(one)
    }
  }
  return first
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(a), String(b))
}

/** @returns the key that a word of a request means; `-word` sorts downwards */
export function sortOf(word: string, keys: Readonly<Record<string, string>>) {
  const isDescending = word.startsWith('-')
  const key = keys[isDescending ? word.slice(1) : word]
  invariant(key, `${word} sorts by nothing`)
  return { key, isDescending }
}
