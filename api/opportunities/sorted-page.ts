/** The page that a request asks for of all the items it names, in order. */

import { invariant } from '../../pipeline/invariant.ts'
import { createFirstN } from '../../pipeline/memory/first-n.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import { maxOpportunityOffset } from '../../schemas/http/opportunities/opportunity.ts'
import type { Item, Order } from './kind.ts'

/** @param order sorts ascending, `isDescending` the other way; ties by id */
export function pageOf(
  items: readonly Item[],
  order: Order,
  isDescending: boolean,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const page = firstOf(items, order, isDescending, offset + limit).slice(offset)
  const total = items.length
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
function firstOf(items: readonly Item[], order: Order, isDescending: boolean, count: number) {
  const sign = isDescending ? -1 : 1
  const inOrder = (a: Keyed, b: Keyed) =>
    sign * compare(a.key, b.key) || compareTexts(a.item.row.id, b.item.row.id)
  const first = createFirstN(count, inOrder)
  for (const item of items) {
    const last = first.last
    if (last && isDescending && order.boundOf && order.boundOf(item) < Number(last.key)) continue
    first.add({ item, key: order.keyOf(item) })
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
