/**
 * Futures the slow way: every statement is kept, and the offers are recomputed from all of them at each
 * call. The author of a made-up statement tells which market it means.
 */

import type { FuturesRecord, TickRecord } from '../../schemas/feed-record.ts'

const minute = 60_000

/** The meaning of a made-up statement, in its own words. */
export interface FutureMeaning {
  readonly market: string
  /** In the order of `prices`. */
  readonly selections: readonly string[]
}

/** Price and whether it can be bet on, by `<market>|<sportsbook>|<selection>|<line>`. */
export type ExpectedFutures = ReadonlyMap<string, string>

export function createSlowFutures(meaningOf: (record: FuturesRecord) => FutureMeaning) {
  const said: (FuturesRecord | TickRecord)[] = []

  function offersNow(): Map<string, Offer> {
    const offers = new Map<string, Offer>()
    for (const record of said) {
      if (record.type === 'tick') {
        for (const [key, { seenAt }] of offers) {
          if (record.observedAt - seenAt > 15 * minute) offers.delete(key)
        }
        continue
      }
      const { market } = meaningOf(record)
      const key = `${market}|${record.sportsbook}`
      const before = offers.get(key)
      if (before && record.observedAt < before.statedAt) continue
      const statedAt = record.observedAt
      const isSecond = before !== undefined && isOther(before.id, record.future.externalId)
      if (isSecond && before.prices.size === 0 && statedAt === before.seenAt) continue
      if (isSecond && before.prices.size > 0) {
        const { others } = before
        const newest = others.at(-1)?.observedAt ?? 0
        const isWhole =
          record.mode === 'snapshot' && record.prices.some((one) => one.price !== null)
        if (!isWhole || statedAt <= Math.max(before.seenAt, newest)) {
          offers.set(key, { ...before, statedAt })
          continue
        }
        const last = others.filter(({ observedAt }) => observedAt > before.seenAt).at(-1)
        if (last?.future.externalId !== record.future.externalId) {
          offers.set(key, { ...before, statedAt, others: [...others, record] })
          continue
        }
      }
      const pricesBefore = isSecond ? undefined : before?.prices
      const prices = pricesAfter(record, meaningOf(record), pricesBefore ?? new Map())
      const knownId = isSecond ? null : (before?.id ?? null)
      const id = record.future.externalId ?? knownId
      offers.set(key, { statedAt, seenAt: statedAt, id, prices, others: [] })
    }
    return offers
  }

  return {
    say(record: FuturesRecord | TickRecord) {
      said.push(record)
    },
    read(): ExpectedFutures {
      const rows = new Map<string, string>()
      for (const [offer, { prices }] of offersNow()) {
        for (const [selection, price] of prices) rows.set(`${offer}|${selection}`, price)
      }
      return rows
    },
  }
}

interface Offer {
  /** When the market was last stated by any listing, and by the kept one. */
  readonly statedAt: number
  readonly seenAt: number
  /** The id of the kept listing, also while it offers nothing. */
  readonly id: string | null
  readonly prices: ReadonlyMap<string, string>
  /** Statements of other listings of the market since this one was taken, in order. */
  readonly others: readonly FuturesRecord[]
}

const isOther = (one: string | null, other: string | null) =>
  one !== null && other !== null && one !== other

function pricesAfter(
  record: FuturesRecord,
  { selections }: FutureMeaning,
  before: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const after = new Map(record.mode === 'delta' ? before : [])
  const names = record.prices.map(({ line }, at) => `${selections[at]}|${line ?? ''}`)
  for (const name of new Set(names)) {
    const own = record.prices.filter((_, at) => names[at] === name)
    const stated = own.filter(({ price }) => price !== null)
    if (own.some(({ removed }) => removed)) {
      after.delete(name)
      continue
    }
    const prices = new Set(stated.map(({ price }) => price))
    if (prices.size > 1) after.delete(name)
    else if (stated[0]) after.set(name, `${stated[0].price} ${!stated[0].suspended}`)
    else {
      const last = before.get(name)
      // Suspended without a price: the last price stays and cannot be bet on.
      if (last !== undefined) after.set(name, `${last.split(' ')[0]} false`)
    }
  }
  return after
}
