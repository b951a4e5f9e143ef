/** Selects the requested page from all matching opportunities, in order. */

import { invariant } from '../../pipeline/invariant.ts'
import { createFirstN } from '../../pipeline/memory/first-n.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { Order } from './kind.ts'

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Opportunities in pieces, by descending rank. */
type Ranked = readonly (readonly Valued[])[]

/**
 * Returns the page of the chosen opportunities in this order, reversed if `isDescending`; ties by id.
 * @param isChosen whether an opportunity matches at all
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
      // No later opportunity has a greater key.
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

/** @returns the sort key of a request's word; `-word` sorts in descending order */
export function sortOf(word: string, keys: Readonly<Record<string, string>>) {
  const isDescending = word.startsWith('-')
  const key = keys[isDescending ? word.slice(1) : word]
  invariant(key, `${word} sorts by nothing`)
  return { key, isDescending }
}
