/** The board as a reader of feed records would hold it, kept the slow and obvious way. */
import type { FeedRecord, OddsRecord } from '../../../../schemas/feed-record.ts'

interface Row {
  readonly price: number
  readonly isSuspended: boolean
}

interface Listed {
  readonly rows: Map<string, Row>
  isLive: boolean
  /** Whether the book has any offer, so that its next record is a change and not a listing. */
  isOffered: boolean
}

export interface Board {
  readonly listings: ReadonlyMap<string, Listed>
  /** Counts selections whose price, line or suspension changed, without listings, flips and withdrawals. */
  changes(): number
  apply(records: readonly FeedRecord[]): void
}

export const listingKey = (record: OddsRecord) => `${record.sportsbook} ${record.event.externalId}`

export function createBoard(): Board {
  const listings = new Map<string, Listed>()
  let changes = 0

  function apply(record: OddsRecord) {
    const key = listingKey(record)
    const listed = listings.get(key) ?? { rows: new Map(), isLive: false, isOffered: false }
    listings.set(key, listed)
    const isRelisted = !listed.isOffered || listed.isLive !== record.event.isLive
    listed.isLive = record.event.isLive
    const before = record.mode === 'snapshot' ? new Map(listed.rows) : listed.rows
    if (record.mode === 'snapshot') listed.rows.clear()
    let changed = 0
    for (const market of record.markets) {
      for (const side of market.selections) {
        const line = side.line ?? market.line
        const row = `${market.marketType}|${market.playerName}|${line}|${side.selectionType}`
        const old = before.get(row)
        if (side.removed) {
          if (listed.rows.delete(row)) changed++
          continue
        }
        if (side.price === null) throw new Error('a selection without a price')
        const isSuspended = market.suspended || side.suspended
        if (old?.price !== side.price || old.isSuspended !== isSuspended) changed++
        listed.rows.set(row, { price: side.price, isSuspended })
      }
    }
    if (record.mode === 'snapshot') {
      for (const row of before.keys()) if (!listed.rows.has(row)) changed++
    }
    listed.isOffered = listed.rows.size > 0
    if (!isRelisted && listed.isOffered) changes += changed
  }

  return {
    listings,
    changes: () => changes,
    apply(records) {
      for (const record of records) if (record.type === 'odds') apply(record)
    },
  }
}
