/**
 * The board as it runs, without a log: records in by batches, its changelog folded into tables, and
 * everything that is kept passed through its wire form, so that what a schema loses is lost here.
 */

import type { Append, LogRecord } from '../../pipeline/log/log.ts'
import { board } from '../../pipeline/processors/board.ts'
import { withDerived } from '../../pipeline/processors/derived.ts'
import { opportunities } from '../../pipeline/processors/opportunities/opportunities.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import type { OpportunityLife, OpportunityRow } from '../../schemas/opportunity.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../schemas/topics.ts'

/** The board's tables, by key, as its changelog has them. */
export interface FoldedBoard {
  readonly events: Map<string, EventRow>
  readonly sightings: Map<string, Sighting>
  readonly odds: Map<string, OddsRow>
  readonly sportsbookStatus: Map<string, SportsbookStatus>
  /** Empty for a board without. */
  readonly opportunities: Map<string, OpportunityRow>
}

/** What a board has kept, and what it has written besides. */
interface WrittenBoard extends FoldedBoard {
  /** Of the opportunities that are gone, in order. */
  readonly lives: OpportunityLife[]
}

const tablesInOrder = ['events', 'sightings', 'odds', 'sportsbookStatus', 'opportunities'] as const

/** @param of `sharpChain` adds the table of opportunities, +EV measured against its first */
export function createRealBoard(of: { readonly sharpChain?: readonly string[] } = {}) {
  const processor =
    of.sharpChain === undefined ? board : withDerived(board, opportunities(of.sharpChain))
  const folded: WrittenBoard = {
    lives: [],
    events: new Map(),
    sightings: new Map(),
    odds: new Map(),
    sportsbookStatus: new Map(),
    opportunities: new Map(),
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
    if (topic.name === topics.opportunityLives.name) {
      const { opportunityLives: lives } = topics
      folded.lives.push(lives.decode(lives.encode(value as OpportunityLife)))
      return
    }
    const name = tablesInOrder.find((table) => topics[table].name === topic.name)
    if (!name) throw new Error(`the board wrote to ${topic.name}`)
    const table = folded[name] as Map<string, unknown>
    if (name === 'events') eventIds.add(key)
    if (value === null) {
      if (name === 'odds' && table.has(key)) tombstones++
      table.delete(key)
    } else table.set(key, topic.decode(topic.encode(value)))
  }

  return {
    tables: folded,
    /** Prices withdrawn since the start. */
    tombstones: () => tombstones,
    /** Events that there were since the start. */
    eventsSeen: () => eventIds.size,

    /** Decides and commits one batch. */
    take(records: readonly BoardRecord[]): readonly Append[] {
      const appends = state.decide(
        records.map((record) => logRecord(topics.feedOdds, keyOf(record), record)),
      )
      for (const append of appends) fold(append)
      return appends
    },

    /** Decides a batch and dies before the commit. */
    loseBatch(records: readonly BoardRecord[]) {
      state.decide(records.map((record) => logRecord(topics.feedOdds, keyOf(record), record)))
      this.restart()
    },

    /** Drops what is in memory and restores it from the tables, as after a crash. */
    restart() {
      state = processor.create()
      for (const name of tablesInOrder) {
        const table = folded[name] as Map<string, unknown>
        for (const [key, row] of table) state.restore(logRecord(topics[name] as Topic, key, row))
      }
    },
  }
}

function keyOf(record: BoardRecord): string {
  if (record.type === 'tick') return 'tick'
  return record.type === 'book_status' ? record.sportsbook : record.event.league
}
