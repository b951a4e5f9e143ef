/** The rows that the client of a stream holds, and what messages do to them. */

import { eventPrefixes } from '../generated/families.ts'
import type { StreamFilters } from '../generated/stream-filters.ts'
import { type TableRows, tables } from '../generated/tables.ts'
import { createOddsBook, type OddsItem, type SentRow } from './odds-book.ts'

export type Family = keyof typeof eventPrefixes
export const families = Object.keys(eventPrefixes) as readonly Family[]
/** A channel that sends a table, row by row. */
export type TableChannel = keyof TableRows
const tableChannels = Object.keys(tables) as readonly TableChannel[]
export type Channel = 'odds' | TableChannel | Family

/** The last state of a game in play. Some sports have more fields than others. */
export type GameState = Readonly<TableRows['gamestate']>

/** The rows of each channel that sends a table, by key. A change replaces a row and never modifies it. */
export type HeldTables = {
  readonly [Channel in TableChannel]: ReadonlyMap<string, Readonly<TableRows[Channel]>>
}

/** Returns the channel of a message about a table; undefined for other messages. */
export const tableOf = (name: string): TableChannel | undefined =>
  tableChannels.find((channel) => name.startsWith(`${channel}:`))

/** Counts of applied messages. Faults of the service come last. */
export interface RowCounts {
  /** Rows merged, excluding snapshots. */
  updates: number
  removals: number
  detected: number
  expired: number
  /** Partial rows with unknown ids, except those removed since the last proof. */
  strays: number
}

/** The fields of messages with rows. */
export interface RowsBody extends Partial<Record<Family, readonly Item[]>> {
  readonly odds?: readonly SentRow[]
  readonly expired?: readonly string[]
  readonly ids?: readonly string[]
  readonly chunk?: number
  readonly offset?: number
}

interface Item {
  readonly id: string
}

/** Lists of a table's rows, by the names of their fields. */
type Lists = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export interface HeldRows {
  readonly odds: ReadonlyMap<string, OddsItem>
  readonly opportunities: Readonly<Record<Family, ReadonlyMap<string, object>>>
  readonly tables: HeldTables
  /** Applies a message, if it has rows. @returns why the rows cannot be trusted; undefined if they can */
  apply(name: string, body: RowsBody): string | undefined
  /**
   * Ends a snapshot.
   * @param isWhole whether it had the odds too, so that those of an earlier subscription are dropped
   */
  complete(isWhole: boolean): void
  /** Compares the odds with the service's number and checksum. @returns the difference; undefined without one */
  difference(rows: number, checksum: string): string | undefined
  /**
   * Removes rows outside the channels and filters now in force, because the service does not send their removal. The
   * next snapshot replaces the odds.
   */
  narrow(channels: ReadonlySet<string>, filters: StreamFilters): void
  /** Drops all rows. */
  forget(): void
}

export interface HeldRowsOptions {
  readonly counts: RowCounts
  /** Held from the start. */
  readonly odds: Iterable<OddsItem>
  /** Whether the client subscribes to a channel. With several, events of all families arrive. */
  readonly takes: (channel: Channel) => boolean
  /** Called for an opportunity detected twice, or expired without having been detected. */
  readonly onRepeat: (fault: string) => void
}

export function createHeldRows({ counts, odds, takes, onRepeat }: HeldRowsOptions): HeldRows {
  const book = createOddsBook()
  const opportunities = Object.fromEntries(
    families.map((family) => [family, new Map<string, object>()]),
  ) as Record<Family, Map<string, object>>
  const ofTables = Object.fromEntries(
    tableChannels.map((channel) => [channel, new Map<string, object>()]),
  ) as Record<TableChannel, Map<string, object>>
  /** Held ids of the odds sent since the subscription was replaced; null once a snapshot has replaced the odds. */
  let sent: Set<string> | null = null
  /**
   * Ids removed since the last proof. A stream resumes at a proof, perhaps at a process that does not
   * know of these removals yet and still sends parts of the rows.
   */
  const removed = new Set<string>()
  for (const row of odds) book.merge(row)

  function merge(rows: Iterable<SentRow>): string | undefined {
    for (const row of rows) {
      sent?.add(row.id)
      if (book.merge(row) || removed.has(row.id)) continue
      counts.strays++
      return `part of a row that is not held: ${JSON.stringify(row)}`
    }
  }

  function takeSnapshot(body: RowsBody): string | undefined {
    const { odds = [], chunk = 1, offset = 0 } = body
    for (const family of families) {
      const items = takes(family) ? body[family] : undefined
      if (!items) continue
      // The first part of a snapshot replaces the earlier opportunities.
      if (chunk === 1 && offset === 0) opportunities[family].clear()
      for (const item of items) opportunities[family].set(item.id, item)
    }
    if (odds.length === 0) return
    if (sent) book.clear()
    sent = null
    return merge(odds)
  }

  function detect(family: Family, items: readonly Item[]): undefined {
    for (const item of items) {
      if (opportunities[family].has(item.id)) onRepeat(`${family} ${item.id} detected again`)
      opportunities[family].set(item.id, item)
    }
    counts.detected += items.length
  }

  function expire(family: Family, { expired = [] }: RowsBody): undefined {
    for (const id of expired) {
      if (!opportunities[family].delete(id)) onRepeat(`${family} ${id} expired while not there`)
    }
    counts.expired += expired.length
  }

  function takeTable(channel: TableChannel, happened: string, body: RowsBody): undefined {
    const rows = ofTables[channel]
    const { ids = [], offset = 0 } = body
    if (happened === 'removed') {
      for (const id of ids) rows.delete(id)
      return
    }
    if (happened !== 'snapshot' && happened !== 'update') return
    // The first part of a snapshot replaces the earlier rows.
    if (happened === 'snapshot' && offset === 0) rows.clear()
    if (!takes(channel)) return
    const { list, key } = tables[channel]
    const { [list]: stated = [] } = body as unknown as Lists
    for (const row of stated) rows.set(key.map((field) => row[field]).join('|'), row)
  }

  return {
    odds: book.rows,
    opportunities,
    tables: ofTables as unknown as HeldTables,
    apply(name, body) {
      const [prefix = '', happened = ''] = name.split(':')
      const table = tableOf(name)
      if (table) return takeTable(table, happened, body)
      const family = familyOf[prefix]
      if (family && takes(family)) {
        if (happened === 'detected') return detect(family, body as unknown as readonly Item[])
        if (happened === 'expired') return expire(family, body)
      }
      const { ids = [], odds = [] } = body
      switch (name) {
        case 'snapshot':
          return takeSnapshot(body)
        case 'odds:update':
          counts.updates += odds.length
          return merge(odds)
        case 'odds:removed':
          for (const id of ids) {
            book.remove(id)
            removed.add(id)
            sent?.delete(id)
          }
          counts.removals += ids.length
      }
    },
    complete(isWhole) {
      const own = sent
      sent = null
      // Where no odds match, their snapshot has no message.
      if (own && isWhole) book.prune(({ id }) => own.has(id))
    },
    difference(rows, checksum) {
      const own = book.checksum()
      if (rows === book.rows.size && checksum === own) return void removed.clear()
      return `${book.rows.size} rows with ${own} instead of ${rows} with ${checksum}`
    },
    narrow(channels, filters) {
      sent = new Set()
      for (const family of families) if (!channels.has(family)) opportunities[family].clear()
      for (const channel of tableChannels) if (!channels.has(channel)) ofTables[channel].clear()
      book.prune((row) => channels.has('odds') && isAllowed(row, filters))
    },
    forget() {
      book.clear()
      removed.clear()
      sent = null
      for (const family of families) opportunities[family].clear()
      for (const channel of tableChannels) ofTables[channel].clear()
    },
  }
}

const familyOf: Readonly<Record<string, Family>> = Object.fromEntries(
  families.map((family) => [eventPrefixes[family], family]),
)

/** Returns whether the filters by ids and bounds allow a row. Only the service can judge the other filters. */
function isAllowed(row: OddsItem, filters: StreamFilters): boolean {
  const { sport, league, sportsbook = [], add_sportsbook = [], market, event, live } = filters
  const { min_odds = Number.NEGATIVE_INFINITY, max_odds = Number.POSITIVE_INFINITY } = filters
  const allows = (named: readonly string[] | undefined, value: string) =>
    !named || named.length === 0 || named.includes(value)
  return (
    allows(sport, row.sport) &&
    allows(league, row.league) &&
    allows(sportsbook.length > 0 ? [...sportsbook, ...add_sportsbook] : [], row.sportsbook) &&
    allows(market, row.market_type) &&
    allows(event, row.event_id) &&
    (live === undefined || row.is_live === live) &&
    row.odds_american >= min_odds &&
    // Even money has two forms; rows have 100.
    row.odds_american <= (max_odds === -100 ? 100 : max_odds)
  )
}
