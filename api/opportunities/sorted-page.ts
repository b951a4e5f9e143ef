/** The page that a request asks for of all the items it names, in order. */

import { invariant } from '../../pipeline/invariant.ts'
import { createFirstN } from '../../pipeline/memory/first-n.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { maxOpportunityOffset } from '../../schemas/http/opportunities/opportunity.ts'
import type { Item, Order } from './kind.ts'

/** Items with what they are sorted by: an upper bound of the key, where the order has one. */
export interface Sortable {
  readonly items: readonly Item[]
  readonly keys: readonly (number | string)[]
}

export const sortable = (items: readonly Item[], { keyOf, boundOf }: Order): Sortable => ({
  items,
  keys: items.map(boundOf ?? keyOf),
})

/** @param order sorts ascending, `isDescending` the other way; ties by id */
export function pageOf(
  parts: readonly Sortable[],
  order: Order,
  isDescending: boolean,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const page = firstOf(parts, order, isDescending, offset + limit).slice(offset)
  const total = parts.reduce((sum, { items }) => sum + items.length, 0)
  const hasMore = offset + page.length < total
  const next = offset + page.length
  const pagination = {
    limit,
    offset,
    count: page.length,
    total,
    has_more: hasMore,
    next_offset: hasMore && next <= maxOpportunityOffset ? next : null,
  }
  return { page, pagination }
}

interface Keyed {
  readonly item: Item
  readonly key: number | string
}

/** The first `count` in order; most of a long list is never put in one. */
function firstOf(parts: readonly Sortable[], order: Order, isDescending: boolean, count: number) {
  const sign = isDescending ? -1 : 1
  const inOrder = (a: Keyed, b: Keyed) =>
    sign * compare(a.key, b.key) || compareTexts(a.item.row.id, b.item.row.id)
  const first = createFirstN(count, inOrder)
  const isExact = !order.boundOf
  for (const { items, keys } of parts) {
    for (let i = 0; i < items.length; i++) {
      const { last } = first
      const key = keys[i]!
      // A bound says something of what comes last only where the largest come first.
      if (last && (isExact || isDescending) && sign * compare(key, last.key) > 0) continue
      const item = items[i]!
      first.add({ item, key: isExact ? key : order.keyOf(item) })
    }
  }
  return first.sorted().map(({ item }) => item)
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
