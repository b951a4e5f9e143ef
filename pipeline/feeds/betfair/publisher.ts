/**
 * Publishes Betfair's markets as they change.
 *
 * - A market without activity sends no messages, so all events are published again every
 *   `refreshMs`.
 * - A market without a name waits for it (`catalogue.ts`); others do not wait. Missing names are
 *   requested again with each refresh.
 * - While the stream reports that it is behind, its books are kept but not published: such prices
 *   cannot be bet on any more, so they expire. When it has caught up, all events are published
 *   again.
 * - The stream may hold changes back (`conflateMs`), with a delayed application key for longer than
 *   requested. Its silence only says what was true that long ago, so records have that time. If
 *   prices in play would be too old to be used, games in play are published without prices.
 */

import type { EventStatus, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { pushAll } from '../../memory/push-all.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { createLastSeen } from '../kit/polling-feed.ts'
import type { StreamSink } from '../kit/stream-feed.ts'
import type { ChangeMessage, createBetfairBook, MarketBook } from './book.ts'
import type { Catalogue } from './catalogue.ts'
import { parseMarkets, parseStatus, unnamedMarkets } from './parse.ts'

/** Applies messages to the books and publishes the changes; from time to time, all events. */
export function createPublisher(
  sink: StreamSink,
  book: ReturnType<typeof createBetfairBook>,
  catalogue: Catalogue,
  refreshMs: number,
  withMid = false,
) {
  const { names } = catalogue
  const statuses = new Map<string, EventStatus>()
  const lastSeen = createLastSeen()
  /** Markets whose names have come, but which are not published since. */
  const answered = new Set<string>()
  /** Markets that changed since the last publication, over all segments of a message. */
  const unpublished = new Set<string>()
  let refreshedAt = 0
  let takenAt = 0
  let isRefreshDue = false
  let isLagging = false
  let conflateMs = 0
  /** Whether the book is the exchange's: connected, up to date, and no image is half read. */
  let isCurrent = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a step after the steps before it have ended, so that publications stay in order. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    const done = last.then(step)
    last = done.catch(() => {})
    return done
  }

  /** Returns the game states that have changed. */
  function turned(ids: Iterable<string>, observedAt: number): FeedRecord[] {
    const records: FeedRecord[] = []
    for (const id of ids) {
      const market = book.markets().get(id)
      const record = market ? parseStatus(market, names.get(id), { observedAt }) : null
      if (!record || statuses.get(id) === record.status) continue
      statuses.set(id, record.status)
      records.push(record)
    }
    return records
  }

  /** Returns the records of markets. Markets whose names are requested wait for them. */
  function recordsOf(
    markets: readonly MarketBook[],
    mode: OddsRecord['mode'],
    observedAt: number,
  ): { readonly odds: OddsRecord[]; readonly out: FeedRecord[] } {
    const answeredOnes = markets.filter(({ id }) => !catalogue.isAwaited(id))
    const { records, skipped } = parseMarkets(answeredOnes, names, {
      mode,
      observedAt,
      known: book.markets().values(),
      withMid,
      withoutPlay: conflateMs > usableMs(true),
    })
    sink.skipped(skipped)
    const states = turned(
      markets.map(({ id }) => id),
      observedAt,
    )
    return {
      odds: records.filter((record) => record.type === 'odds'),
      out: [...states, ...records],
    }
  }

  function askForNames(changed: readonly string[], isRefresh: boolean) {
    const ids = isRefresh ? book.markets().keys() : changed
    catalogue.ask(unnamedMarkets(ids, book.markets(), names), isRefresh)
  }

  async function fold(message: ChangeMessage) {
    const { changed, isImage } = book.apply(message)
    for (const id of changed) unpublished.add(id)
    conflateMs = message.conflateMs ?? conflateMs
    const observedAt = message.pt - conflateMs
    const isWhole = !message.segmentType || message.segmentType === 'SEG_END'
    const wasLagging = isLagging
    isLagging = message.status != null
    if (isLagging && !wasLagging) {
      const detail = `status ${message.status} at ${message.pt}`
      sink.skipped([{ reason: 'stream_lagging', detail }])
    }
    // Changes from the time that the stream was behind are published with all events.
    isRefreshDue ||= isImage || isLagging
    // In the middle of an image, the events in it are still incomplete.
    isCurrent = isWhole && !isLagging
    const isRefresh = isCurrent && (isRefreshDue || observedAt - refreshedAt >= refreshMs)
    askForNames(changed, isRefresh)
    if (!isCurrent) return
    takenAt = observedAt
    const all = [...book.markets().values()]
    const markets = isRefresh ? all : all.filter(({ id }) => unpublished.has(id))
    unpublished.clear()
    const { odds, out } = recordsOf(markets, isRefresh ? 'snapshot' : 'delta', observedAt)
    if (isRefresh) {
      isRefreshDue = false
      refreshedAt = observedAt
      answered.clear()
      pushAll(out, lastSeen.replace('all', odds, observedAt))
    }
    if (out.length > 0) await sink.publish(out)
    await publishAnswered()
    forgetClosed(markets.map(({ id }) => id))
  }

  /** Publishes all of the events of markets whose names have come, as of the last message. */
  async function publishAnswered() {
    if (!isCurrent || answered.size === 0) return
    const eventOf = (id: string) => book.markets().get(id)?.definition?.eventId
    const events = new Set([...answered].map(eventOf))
    answered.clear()
    const markets = [...book.markets().values()].filter(
      ({ definition }) => definition && events.has(definition.eventId),
    )
    const { odds, out } = recordsOf(markets, 'snapshot', takenAt)
    lastSeen.add('all', odds)
    if (out.length > 0) await sink.publish(out)
  }

  function forgetClosed(ids: readonly string[]) {
    const closed = ids.filter((id) => book.markets().get(id)?.definition?.status === 'CLOSED')
    book.forget(closed)
    catalogue.forget(closed)
    for (const id of closed) {
      statuses.delete(id)
      answered.delete(id)
    }
  }

  return {
    take: (message: ChangeMessage) => inTurn(() => fold(message)),
    named(ids: readonly string[]) {
      for (const id of ids) answered.add(id)
      return inTurn(publishAnswered)
    },
    /** Stops publishing until the next message, because the connection has ended. */
    pause() {
      isCurrent = false
    },
  }
}
