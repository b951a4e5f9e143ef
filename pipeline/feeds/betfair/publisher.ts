/**
 * Publishes Betfair's markets as they change.
 *
 * - A market without activity sends nothing, so all events are published again every `refreshMs`.
 * - A market without a name waits for it (`catalogue.ts`); the others do not. Those that have none yet are asked for
 *   again with each refresh.
 * - While the stream reports that it lags, its books are kept but not published: these prices can no longer be bet
 *   on, so they age out, until all events are published again when it has caught up.
 */

import type { EventStatus, FeedRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { pushAll } from '../../memory/push-all.ts'
import { createLastSeen } from '../kit/polling-feed.ts'
import type { StreamSink } from '../kit/stream-feed.ts'
import type { ChangeMessage, createBetfairBook, MarketBook } from './book.ts'
import type { Catalogue } from './catalogue.ts'
import { parseMarkets, parseStatus, unnamedMarkets } from './parse.ts'

/** Folds messages and publishes the changes, and from time to time everything. */
export function createPublisher(
  sink: StreamSink,
  book: ReturnType<typeof createBetfairBook>,
  catalogue: Catalogue,
  refreshMs: number,
) {
  const { names } = catalogue
  const statuses = new Map<string, EventStatus>()
  const lastSeen = createLastSeen()
  /** Markets whose names were answered, and which have not been published since. */
  const answered = new Set<string>()
  /** Markets that changed since the last publication: all those of a message in segments. */
  const unpublished = new Set<string>()
  let refreshedAt = 0
  let takenAt = 0
  let isRefreshDue = false
  let isLagging = false
  /** Whether the book is as the exchange has it: connected, up to date, and no image half read. */
  let isCurrent = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a step when those before it have ended: publications keep the order of what they say. */
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

  /** Returns the records of markets. Those whose names are on their way are left for their answer. */
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
    const observedAt = message.pt
    const isWhole = !message.segmentType || message.segmentType === 'SEG_END'
    const wasLagging = isLagging
    isLagging = message.status != null
    if (isLagging && !wasLagging) {
      const detail = `status ${message.status} at ${message.pt}`
      sink.skipped([{ reason: 'stream_lagging', detail }])
    }
    // Changes that were not published during the lag are published with all the rest.
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

  /** Publishes the events of markets whose names were answered, whole, as of the last message. */
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
    /** Publishes nothing more until the next message: the connection has ended. */
    pause() {
      isCurrent = false
    },
  }
}
