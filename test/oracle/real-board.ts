/**
 * The real board without a log: it takes records in batches, folds its changelog into tables, and passes everything
 * kept through its wire form, so that a field missing in a schema is lost here.
 */

import type { Append, LogRecord } from '../../pipeline/log/log.ts'
import type { EventTable } from '../../pipeline/processors/event-tables.ts'
import { opportunities } from '../../pipeline/processors/opportunities/opportunities.ts'
import { boardProcessor } from '../../pipeline/processors/service-processor.ts'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { type Fees, noFees } from '../../pipeline/rules/odds/fees.ts'
import { type AliasOrder, aliasKey } from '../../schemas/alias.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { MainLineRow } from '../../schemas/main-line.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../schemas/topics.ts'

/** The board's tables, by key, folded from its changelog. */
export interface FoldedBoard {
  readonly events: Map<string, EventRow>
  readonly sightings: Map<string, Sighting>
  readonly odds: Map<string, OddsRow>
  readonly closingLines: Map<string, ClosingLine>
  readonly sportsbookStatus: Map<string, SportsbookStatus>
  /** Empty for a board without opportunities. */
  readonly opportunities: Map<string, OpportunityRow>
  /** Empty for a board without opportunities. */
  readonly mainLines: Map<string, MainLineRow>
}

/**
 * @param of `sharpChain` adds the table of opportunities, with its first sportsbook as the reference of +EV; `fees`
 * count; no bets at `references`; `tables` are kept beside the board's
 */
export function createRealBoard(
  of: {
    readonly sharpChain?: Chains
    readonly fees?: Fees
    readonly references?: ReadonlySet<string>
    readonly tables?: readonly EventTable[]
    readonly keepsHistory?: boolean
  } = {},
) {
  const { keepsHistory = false } = of
  const processorThat = (keeps: boolean) =>
    boardProcessor({
      keepsHistory: keeps,
      ...(of.tables && { tables: of.tables }),
      ...(of.sharpChain && {
        derived: [opportunities(of.sharpChain, of.fees ?? noFees, keeps, of.references)],
      }),
    })
  let processor = processorThat(keepsHistory)
  const rows = new Map(processor.tables.map(({ name }) => [name, new Map<string, unknown>()]))
  const tableOf = <Row>({ name }: Topic<Row>) =>
    (rows.get(name) ?? new Map<string, never>()) as Map<string, Row>
  const folded: FoldedBoard = {
    events: tableOf(topics.events),
    sightings: tableOf(topics.sightings),
    odds: tableOf(topics.odds),
    closingLines: tableOf(topics.closingLines),
    sportsbookStatus: tableOf(topics.sportsbookStatus),
    opportunities: tableOf(topics.opportunities),
    mainLines: tableOf(topics.mainLines),
  }
  let state = processor.create()
  let offset = 0
  let tombstones = 0
  const eventIds = new Set<string>()

  function logRecord<Row>(topic: Topic<Row>, key: string, value: Row): LogRecord {
    const read = topic.decode(topic.encode(value))
    return { topic: topic as Topic, partition: 0, offset: offset++, key, value: read }
  }

  function fold({ topic, key, value }: Append) {
    const table = rows.get(topic.name)
    if (!table && topic.retention !== 'compacted') return
    if (!table) throw new Error(`the board wrote to ${topic.name}`)
    if (topic.name === topics.events.name) eventIds.add(key)
    if (value === null) {
      if (topic.name === topics.odds.name && table.has(key)) tombstones++
      table.delete(key)
    } else table.set(key, topic.decode(topic.encode(value)))
  }

  const inputOf = (record: BoardInput) => logRecord(topicOf(record) as Topic, keyOf(record), record)

  return {
    tables: folded,
    tableOf,
    /** Returns the number of prices withdrawn since the start. */
    tombstones: () => tombstones,
    /** Counts records left out or learnt since the start or the last restart, by code. */
    counts: () => state.counts,
    /** Returns the number of different events since the start. */
    eventsSeen: () => eventIds.size,

    /** Decides and commits one batch. */
    take(records: readonly BoardInput[]): readonly Append[] {
      const appends = state.decide(records.map(inputOf))
      for (const append of appends) fold(append)
      return appends
    },

    /** Decides a batch and crashes before the commit. */
    loseBatch(records: readonly BoardInput[]) {
      state.decide(records.map(inputOf))
      this.restart()
    },

    /**
     * Drops the memory and restores it from the tables, as after a crash.
     * @param keeps whether history is kept from then on
     */
    restart(keeps = keepsHistory) {
      processor = processorThat(keeps)
      state = processor.create()
      for (const topic of processor.tables) {
        for (const [key, row] of tableOf(topic)) state.restore(logRecord(topic, key, row))
      }
    },
  }
}

/** The inputs of the board. */
type BoardInput = FeedRecord | TickRecord | AliasOrder

function topicOf({ type }: BoardInput) {
  if (type === 'alias') return topics.feedAliases
  if (type === 'game_state') return topics.feedGameState
  return type === 'splits' ? topics.feedSplits : topics.feedOdds
}

function keyOf(record: BoardInput): string {
  if (record.type === 'tick') return 'tick'
  if (record.type === 'futures') return record.future.league
  if (record.type === 'alias') return aliasKey(record, record.isForbidden)
  return record.type === 'book_status' ? record.sportsbook : record.event.league
}
