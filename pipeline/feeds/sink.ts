/**
 * Where every feed ends: names of sports, leagues and sportsbooks become ours, and records go to
 * their topic, keyed by league, so that one place sees every sportsbook of a league.
 */

import type { FeedEvent, FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import { resolveLeague } from '../../schemas/reference/leagues.ts'
import { findSportsbook, slugSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { topics } from '../../schemas/topics.ts'
import type { Append, Log } from '../log/log.ts'
import type { FeedSink } from './feed.ts'

export interface CountingSink extends FeedSink {
  /** Records published by type, and skips by `sportsbook reason`, since the start. */
  readonly counts: ReadonlyMap<string, number>
}

export function createSink(log: Log): CountingSink {
  const counts = new Map<string, number>()

  function count(code: string, by = 1) {
    counts.set(code, (counts.get(code) ?? 0) + by)
  }

  return {
    counts,
    async publish(records) {
      const appends: Append[] = []
      for (const record of records) {
        count(record.type)
        if (record.type !== 'tick') appends.push(toAppend(record))
        else for (let p = 0; p < log.partitionCount; p++) appends.push(tickAppend(record, p))
      }
      if (appends.length > 0) await log.append(appends)
    },
    skipped(sportsbook, skips) {
      for (const { reason } of skips) count(`skipped ${sportsbook} ${reason}`)
    },
  }
}

function tickAppend(tick: TickRecord, partition: number): Append {
  return { topic: topics.feedOdds, partitionKey: partition, key: 'tick', value: tick } as Append
}

/** The record with our names, on its topic. */
export function toAppend(record: FeedRecord): Append {
  const sportsbook = findSportsbook(record.sportsbook)?.id ?? slugSportsbook(record.sportsbook)
  if (record.type === 'book_status') {
    const value = { ...record, sportsbook }
    return { topic: topics.feedOdds, partitionKey: sportsbook, key: sportsbook, value } as Append
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
