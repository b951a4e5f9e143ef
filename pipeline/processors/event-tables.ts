/**
 * The port of a table that is kept from statements about events, and the processor that keeps several of them on one
 * set of events. The event of each statement is found once. The tables that take its type apply it,
 * and then the event's row is updated. All their changes are one commit.
 *
 * `service-processor.ts` lists the tables as `EventTable`s; this file knows none of them.
 */

import type { AliasOrder } from '../../schemas/alias.ts'
import type { EventRow } from '../../schemas/event.ts'
import type {
  BookStatusRecord,
  EventStatusRecord,
  FeedRecord,
  FuturesRecord,
  GameStateRecord,
  OddsRecord,
  SplitsRecord,
  TickRecord,
} from '../../schemas/feed-record.ts'
import type { Sighting } from '../../schemas/sighting.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { InvariantError } from '../invariant.ts'
import type { Append, LogRecord } from '../log/log.ts'
import { createEvents, type Events, type Taken, type Withdrawal } from './events/events.ts'
import type { PriceOf } from './events/evidence.ts'
import type { EventEntry, Offer, Statement } from './events/offer.ts'
import { createOwnSources } from './own-sources.ts'
import { DecisionError, type Processor } from './processor.ts'

export interface EventTable {
  /** The topics of the records it takes. */
  readonly inputs: readonly Topic[]
  /** Its tables, restored in this order, after the events and their offers. */
  readonly tables: readonly Topic[]
  create(parts: EventTableParts): EventTableState
}

export interface EventTableParts {
  readonly events: Pick<Events, 'offer' | 'all' | 'review'>
  emit(change: Append): void
  count(code: string): void
  /** Returns when the current record was observed (epoch ms). */
  observedAt(): number
  /** Returns whether only the owner may see the sportsbook. */
  isOwnersOnly(sportsbook: string): boolean
}

export interface EventTableState {
  /** Applies one row of `tables`. */
  restore(record: LogRecord): void
  readonly take: Takes
  /** Takes a game state that comes after the end of its event; `take` does not get it. */
  takeLate?(record: GameStateRecord, taken: Taken): void
  /** Withdraws everything of the offer: it names another game, its sides were corrected, or it is over. */
  withdraw?(offer: Offer, why?: Withdrawal): void
  /** Handles an offer whose prices have not been seen for too long. */
  expire?(offer: Offer): void
  /** Called after an event's row has changed and the tables have applied the change's cause. */
  changed?(event: EventEntry, before: EventRow, at: number): void
  /** Called when the event is removed, with its offers. */
  forget?(offer: Offer): void
  /** Set by the one table that keeps prices. */
  readonly priceOf?: PriceOf
  /** Set by the one table that keeps who may see sportsbooks. */
  readonly isOwnersOnly?: (sportsbook: string) => boolean
}

/** A table's handlers, by type of record. A statement comes with its offer, to which it has already been applied. */
export interface Takes {
  readonly odds?: (record: OddsRecord, taken: Taken) => void
  readonly event_status?: (record: EventStatusRecord, taken: Taken) => void
  readonly game_state?: (record: GameStateRecord, taken: Taken) => void
  readonly splits?: (record: SplitsRecord, taken: Taken) => void
  /**
   * Takes futures, which belong to no event. Returns whether it took the record and the market has
   * prices now.
   */
  readonly futures?: (record: FuturesRecord) => boolean
  readonly book_status?: (record: BookStatusRecord, partition: number) => void
  readonly tick?: (record: TickRecord, partition: number) => void
}

/** Creates a processor of that name over the events and these tables, in this order. */
export function createEventProcessor(name: string, eventTables: readonly EventTable[]): Processor {
  const inputs = eventTables.flatMap((table) => table.inputs)
  const ownTables = [topics.events, topics.sightings, topics.aliases]
  const isOwn = (topic: Topic) => ownTables.some((own) => own.name === topic.name)

  return {
    name,
    inputs: [...new Set([topics.feedOdds, topics.feedAliases, ...inputs])],
    tables: [
      topics.events,
      topics.sightings,
      ...eventTables.flatMap(({ tables }) => tables),
      topics.aliases,
    ],

    create(counts = new Map()) {
      let changes: Append[] = []
      const emit = (change: Append) => {
        changes.push(change)
      }
      const count = (code: string) => {
        counts.set(code, (counts.get(code) ?? 0) + 1)
      }
      const events = createEvents({
        emit,
        count,
        withdraw(offer, why) {
          for (const state of states) state.withdraw?.(offer, why)
        },
        changed(event, before, at) {
          for (const state of states) state.changed?.(event, before, at)
        },
        forget(offer) {
          for (const state of states) state.forget?.(offer)
        },
        expire(offer) {
          for (const state of states) state.expire?.(offer)
        },
        priceOf: (offer, outcome) => keeper?.priceOf?.(offer, outcome) ?? Number.NaN,
      })
      const ownSources = createOwnSources()
      let observedAt = 0
      const parts: EventTableParts = {
        events,
        emit,
        count,
        observedAt: () => observedAt,
        isOwnersOnly: (sportsbook) => doorkeeper?.isOwnersOnly?.(sportsbook) ?? false,
      }
      const states = eventTables.map((table) => table.create(parts))
      const keeper = states.find(({ priceOf }) => priceOf !== undefined)
      const doorkeeper = states.find(({ isOwnersOnly }) => isOwnersOnly !== undefined)
      const stateByTable = new Map(
        eventTables.flatMap(({ tables }, i) => tables.map((topic) => [topic.name, states[i]!])),
      )

      function observe(record: FeedRecord | TickRecord | AliasOrder, partition: number) {
        observedAt = record.observedAt
        switch (record.type) {
          case 'alias':
            events.applyOrder(record)
            return
          case 'tick':
            events.tick(record.observedAt)
            ownSources.tick(record.observedAt)
            for (const { take } of states) take.tick?.(record, partition)
            return
          case 'book_status':
            for (const { take } of states) take.book_status?.(record, partition)
            return
          case 'futures':
            if (ownSources.isOvertaken(record)) return count('other_source')
            for (const { take } of states) if (take.futures?.(record)) ownSources.hearFuture(record)
            return
          case 'odds':
            if (ownSources.isOvertaken(record)) return count('other_source')
            return observeStatement(record)
          default:
            observeStatement(record)
        }
      }

      function observeStatement(statement: Statement) {
        const taken = events.take(statement)
        if (!taken) return
        if (!taken.isAfterEnd) {
          handOver(statement, taken)
          if (statement.type === 'odds') ownSources.hearGame(taken.offer, statement)
        } else if (statement.type === 'game_state') {
          for (const state of states) state.takeLate?.(statement, taken)
        }
        events.reviewAfter(statement, taken)
      }

      function handOver(statement: Statement, taken: Taken) {
        for (const { take } of states) {
          // A table gets only the types of records that it takes.
          const takeType = take[statement.type] as
            | ((of: Statement, taken: Taken) => void)
            | undefined
          takeType?.(statement, taken)
        }
      }

      return {
        counts,
        restore(record) {
          if (record.topic.name === topics.sightings.name && record.value !== null)
            ownSources.restore(record.value as Sighting)
          if (isOwn(record.topic)) events.restore(record)
          else stateByTable.get(record.topic.name)?.restore(record)
        },
        decide(records) {
          changes = []
          for (const record of records) {
            try {
              observe(record.value as FeedRecord | TickRecord | AliasOrder, record.partition)
            } catch (cause) {
              if (cause instanceof InvariantError) throw cause
              throw new DecisionError(record, { cause })
            }
          }
          events.emitSightings()
          return changes
        },
      }
    },
  }
}
