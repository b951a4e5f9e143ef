/** Builds the asks of each token from the messages of Polymarket's `market` channel. */

import { z } from 'zod'
import { type Ask, bestAsk } from '../kit/contract.ts'
import { jsonIn } from '../kit/json-text.ts'
import { numberOf } from '../kit/outcomes.ts'

const level = z.object({ price: z.string(), size: z.string() })
const messageSchema = z.union([
  z.object({
    event_type: z.literal('book'),
    asset_id: z.string(),
    asks: z.array(level),
  }),
  z.object({
    event_type: z.literal('price_change'),
    price_changes: z.array(
      z.object({
        asset_id: z.string(),
        price: z.string(),
        size: z.string(),
        side: z.enum(['BUY', 'SELL']),
      }),
    ),
  }),
])
const otherSchema = z.object({ event_type: z.string() })

export function createBooks() {
  /** Sizes by price, both as numbers, for each token whose book has come. */
  const asks = new Map<string, Map<number, number>>()

  function fold(message: unknown, changed: Set<string>): boolean {
    const read = messageSchema.safeParse(message)
    if (!read.success) {
      // Trades, tick sizes and future message types have no prices to bet on.
      const other = otherSchema.safeParse(message)
      return other.success && !['book', 'price_change'].includes(other.data.event_type)
    }
    if (read.data.event_type === 'book') {
      const { asset_id } = read.data
      const book = new Map<number, number>()
      for (const { price, size } of read.data.asks) if (!put(book, price, size)) return false
      asks.set(asset_id, book)
      changed.add(asset_id)
      return true
    }
    for (const { asset_id, price, size, side } of read.data.price_changes) {
      const book = asks.get(asset_id)
      // If a book has not come yet, it will include this change.
      if (side !== 'SELL' || !book) continue
      if (!put(book, price, size)) return false
      changed.add(asset_id)
    }
    return true
  }

  return {
    /** @returns the tokens that a frame changed, or null for a frame outside the protocol */
    take(text: string): ReadonlySet<string> | null {
      const changed = new Set<string>()
      const frame = jsonIn(text)
      const messages: readonly unknown[] = Array.isArray(frame) ? frame : [frame]
      return messages.every((message) => fold(message, changed)) ? changed : null
    },
    has: (token: string) => asks.has(token),
    hasAny: () => asks.size > 0,
    forget: (token: string) => asks.delete(token),
    bestAsk(token: string): Ask | null {
      const levels = [...(asks.get(token) ?? [])]
      return bestAsk(levels.map(([cost, tokens]) => ({ cost, stake: tokens * cost })))
    },
  }
}

/** @returns whether price and size could be read */
function put(book: Map<number, number>, price: string, size: string): boolean {
  const cost = numberOf(price)
  const tokens = numberOf(size)
  if (cost === null || tokens === null || cost < 0 || tokens < 0) return false
  if (tokens === 0) book.delete(cost)
  else book.set(cost, tokens)
  return true
}
