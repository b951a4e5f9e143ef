/**
 * The end of every feed: names of sports, leagues and sportsbooks become ours, and records go to their topic, keyed
 * by league, so that one place sees every sportsbook of a league. A record that the log cannot hold
 * is left out, without the others. Parts left out become dead letters.
 */

import type {
  BookStatusRecord,
  FeedEvent,
  FeedRecord,
  TickRecord,
} from '../../schemas/feed-record.ts'
import { resolveLeague } from '../../schemas/reference/leagues.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append, Log } from '../log/log.ts'
import { createDeadLetters } from './dead-letters.ts'
import { type Defect, findDefect } from './defect.ts'
import type { FeedSink, Skip } from './feed.ts'
import type { Warning } from './push/warnings.ts'
import { createUnlistedBooks, maxUnlistedBooks } from './unlisted-books.ts'

export interface CountingSink extends FeedSink {
  /**
   * Counts since the start: records published by type, skips as `skipped sportsbook reason`, warnings as `warned
   * sportsbook code`, and records left out as `unpublishable reason`.
   */
  readonly counts: ReadonlyMap<string, number>
  /** Returns why a record is left out; null for one that is published. */
  findDefect(record: FeedRecord | TickRecord): Defect | null
  /** Counts the warnings that a sender gets; a price that was left out becomes a dead letter too. */
  warned(sportsbook: string, warnings: readonly Warning[]): void
}

/** The most dead letters of one sportsbook and reason; a whole record is rarer than a skip. */
const skipLettersMax = 20
const recordLettersMax = 1_000

/** @param clock returns when dead letters were received */
export function createSink(
  log: Pick<Log, 'append' | 'partitionCount'>,
  clock: () => number,
): CountingSink {
  const letters = createDeadLetters(clock)
  const counts = new Map<string, number>()
  const books = createUnlistedBooks()

  function count(code: string, by = 1) {
    counts.set(code, (counts.get(code) ?? 0) + by)
  }

  function defectOf(record: FeedRecord | TickRecord): Defect | null {
    const defect = findDefect(record)
    if (defect !== null || record.type === 'tick' || books.admit(record.sportsbook)) return defect
    const message = `${record.sportsbook} is not listed, and ${maxUnlistedBooks} other such sportsbooks were named since the start`
    return { reason: 'too_many_sportsbooks', message }
  }

  function leaveOut(record: FeedRecord | TickRecord, { reason, message }: Defect) {
    count(`unpublishable ${reason}`)
    // The name may itself be the defect, so it is counted only if it is one of ours.
    const isNamed = record.type !== 'tick' && books.has(String(record.sportsbook))
    const named = { sportsbook: isNamed ? record.sportsbook : 'unknown', code: reason, message }
    letters.write(named, () => JSON.stringify(record), recordLettersMax)
  }

  function skipped(sportsbook: string, skips: readonly Skip[]) {
    for (const skip of skips) {
      const { reason, detail } = skip
      count(`skipped ${sportsbook} ${reason}`)
      // Dead letters are appended with the next records, at the latest with the next tick.
      const named = { sportsbook, code: reason, message: 'not placed by its parser' }
      letters.write(named, () => detail, skipLettersMax)
    }
  }

  return {
    counts,
    async publish(records) {
      const appends: Append[] = []
      for (const record of records) {
        const defect = defectOf(record)
        if (defect !== null) {
          leaveOut(record, defect)
          continue
        }
        count(record.type)
        if (record.type === 'tick' || record.type === 'book_status') {
          for (let p = 0; p < log.partitionCount; p++) appends.push(toEveryone(record, p))
        } else appends.push(toAppend(record))
      }
      for (const letter of letters.take()) appends.push(letter)
      if (appends.length > 0) await log.append(appends)
    },
    findDefect: defectOf,
    skipped,
    warned(sportsbook, warnings) {
      for (const { code, message, marketType, isLeftOut } of warnings) {
        const id = idOfSportsbook(sportsbook)
        if (isLeftOut) skipped(id, [{ reason: code, detail: message, label: marketType }])
        else count(`warned ${id} ${code}`)
      }
    },
  }
}

/**
 * Returns the append to one partition. These records go to all, because a sportsbook has events in
 * many.
 */
function toEveryone(record: TickRecord | BookStatusRecord, partition: number): Append {
  if (record.type === 'book_status') return { ...toAppend(record), partitionKey: partition }
  return { topic: topics.feedOdds, partitionKey: partition, key: 'tick', value: record } as Append
}

/** Returns the record with our names, on its topic. */
export function toAppend(record: FeedRecord): Append {
  const sportsbook = idOfSportsbook(record.sportsbook)
  if (record.type === 'book_status') {
    const value = { ...record, sportsbook }
    return { topic: topics.feedOdds, partitionKey: sportsbook, key: sportsbook, value } as Append
  }
  if (record.type === 'futures') {
    const { id: league, sport } = resolveLeague(record.future.league, record.future.sport)
    const value = { ...record, sportsbook, future: { ...record.future, league, sport } }
    return { topic: topics.feedOdds, partitionKey: league, key: league, value } as Append
  }
  const event = resolveEvent(record.event)
  const value = { ...record, sportsbook, event }
  const topic =
    record.type === 'game_state'
      ? topics.feedGameState
      : record.type === 'splits'
        ? topics.feedSplits
        : topics.feedOdds
  return { topic, partitionKey: event.league, key: event.league, value } as Append
}

function resolveEvent(event: FeedEvent): FeedEvent {
  const { id: league, sport } = resolveLeague(event.league, event.sport)
  return league === event.league && sport === event.sport ? event : { ...event, league, sport }
}
