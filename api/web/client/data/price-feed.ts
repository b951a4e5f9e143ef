/**
 * Keeps a price store equal to the service: by a stream that resumes after a break, or by a snapshot and
 * `/odds/delta`. It polls for keys without streams, if all streams of the key are in use, and if a proxy holds streams
 * back or does not pass them on.
 */

import {
  createEventStreamParser,
  type EventBlock,
} from '../../../clients/typescript/src/stream/event-stream.ts'
import type { Page } from '../../wire.ts'
import {
  connecting,
  failed,
  giveUpMs,
  heard,
  type Link,
  type NoStream,
  streamSilenceMs,
  waitMs,
} from './connection.ts'
import { cursorPages } from './pages.ts'
import type { PriceStore, WireRow } from './price-store.ts'
import { isRefusedWith, RefusedError } from './refused.ts'
import { serviceNow } from './service-time.ts'

export interface FeedOptions {
  /** Sends requests by path and query. */
  readonly service: {
    get<Body>(path: string, signal: AbortSignal): Promise<Body>
    openStream(path: string, signal: AbortSignal): Promise<Response>
  }
  readonly store: PriceStore
  /** Filters and fields of `/odds`. */
  readonly query: string
  readonly isStreaming: boolean
  /** Time between polls without streams. */
  readonly pollMs: number
  /** Called when the link has changed: data arrived, or a request failed. */
  readonly onLink: (link: Link) => void
  /** Called when a snapshot is complete. */
  readonly onReady: () => void
  /** Called when the key is refused (401) or lacks the right (403). The feed has then stopped. */
  readonly onRefused: (error: RefusedError) => void
}

export interface PriceFeed {
  close(): void
}

const now = () => performance.now()

/** Errors of a stream whose key's streams are all open elsewhere. */
const inUse = ['too_many_streams', 'displaced']

/** Returns why a refused stream is not worth another try now; null if it is. */
const noStreamBy = ({ status, code }: RefusedError): NoStream | null =>
  code === 'too_many_streams' ? 'in_use' : [404, 405, 501].includes(status) ? 'blocked' : null

/** Streams in a row that stayed open and silent, without an event after their snapshot, after which it polls. */
const mostHeldBack = 2
/** Time of polling after which a stream is tried again. */
const pollingMs = 5 * 60_000

export function openPriceFeed(options: FeedOptions): PriceFeed {
  const { service, store, query, onLink, onReady, onRefused } = options
  const stop = new AbortController()
  let link = connecting(now())
  let position: string | null = null
  let isCaughtUp = false
  let heldBack = 0
  /** Whether a stream has passed events beyond its snapshot. */
  let hasFlowed = false
  /** Whether a newer stream of the key took the place of this one, which is not to take it back. */
  let isDisplaced = false
  /** Why prices are polled next, although the key has streams. */
  let noStream: NoStream | null = null
  const move = (next: Link) => {
    link = next
    onLink(next)
  }

  async function keepUp() {
    while (!stop.signal.aborted) {
      let waitedMs = 0
      try {
        if (!options.isStreaming) await poll(Number.POSITIVE_INFINITY, null)
        else if (noStream === null) await stream()
        else {
          const why = noStream
          noStream = null
          // One more stream without a snapshot returns to polling.
          heldBack = mostHeldBack - 1
          await poll(isDisplaced ? Number.POSITIVE_INFINITY : now() + pollingMs, why)
        }
      } catch (error) {
        if (error instanceof RefusedError && !stop.signal.aborted) {
          if (isRefusedWith(error, 401, 403)) return onRefused(error)
          // The position is unknown or invalid: start with a snapshot.
          if (error.status === 409 || error.status === 400) position = null
          waitedMs = (error.retryAfter ?? 0) * 1_000
        }
      }
      // The store may be another feed's by now.
      if (stop.signal.aborted) return
      store.dropSnapshot()
      move(failed(link, now()))
      await pause(Math.max(waitedMs, waitMs(link)), stop.signal)
    }
  }

  // ---- by stream

  function take({ event: name, data }: EventBlock) {
    const body = JSON.parse(data)
    if (name === 'snapshot' && body.odds) store.snapshot(body.odds)
    else if (name === 'snapshot:complete') {
      store.endSnapshot()
      isCaughtUp = true
      onReady()
    } else if (name === 'odds:update') store.update(body.odds, now())
    else if (name === 'odds:removed') store.remove(body.ids)
    else if (name === 'error' && inUse.includes(body.code)) {
      noStream = 'in_use'
      isDisplaced = body.code === 'displaced'
    } else if (name === 'heartbeat' && body.rows !== undefined && body.rows !== store.rows.size) {
      // The row count differs from the service's: start again with a snapshot.
      position = null
      throw new TypeError('rows differ')
    }
    if (typeof body.position === 'string') position = body.position
  }

  async function stream() {
    const connection = new AbortController()
    const { signal } = connection
    const end = () => connection.abort()
    stop.signal.addEventListener('abort', end)
    const resuming = position === null ? '' : `&resume_from=${encodeURIComponent(position)}`
    let heardAt = now()
    let isOpen = false
    let isFlowing = false
    let isHeldBack = false
    isCaughtUp = false
    const watch = setInterval(() => {
      if (now() - heardAt <= giveUpMs) return
      // A way that has passed streams and does not answer is a lost network.
      isHeldBack = !isFlowing && (isOpen || !hasFlowed)
      connection.abort()
    }, 1_000)
    try {
      const path = `/stream/odds?${query}&proof=true&heartbeat_seconds=1${resuming}`
      const response = await openStream(path, signal)
      if (!response) return
      isOpen = true
      const parse = createEventStreamParser({ block: take })
      const reader = response.body!.getReader()
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        heardAt = now()
        // Events come as they are made.
        if (isCaughtUp) {
          heldBack = 0
          isFlowing = hasFlowed = true
        }
        parse(value)
        // Until the snapshot is complete, the page shows old prices.
        if (!isCaughtUp) continue
        move(heard(heardAt, streamSilenceMs))
      }
    } finally {
      // A stream that ends by itself before its snapshot, as when the service restarts, says nothing of the way to it.
      if (isHeldBack) heldBack++
      if (heldBack >= mostHeldBack) noStream = 'blocked'
      clearInterval(watch)
      stop.signal.removeEventListener('abort', end)
      connection.abort()
    }
  }

  /** @returns null if no stream is to be had; `noStream` says why */
  async function openStream(path: string, signal: AbortSignal): Promise<Response | null> {
    try {
      return await service.openStream(path, signal)
    } catch (error) {
      noStream = error instanceof RefusedError ? noStreamBy(error) : null
      if (noStream === null) throw error
      return null
    }
  }

  // ---- by polling

  interface Delta extends Page<WireRow> {
    readonly removed: readonly string[]
    readonly removed_truncated?: true
    readonly since_clamped?: true
    readonly overflow: boolean
    readonly meta: { readonly server_time: string }
  }

  /**
   * @param until by the clock of `now`
   * @param why the key's streams are not used; null if it has none
   */
  async function poll(until: number, why: NoStream | null) {
    const heardByPolling = () => move(heard(now(), options.pollMs * 2 + streamSilenceMs, why))
    // A later stream must not resume from before this poll.
    position = null
    const delta = (since: string) =>
      service.get<Delta>(
        `/odds/delta?${query}&limit=500&since=${encodeURIComponent(since)}`,
        stop.signal,
      )
    let since = (await delta(new Date(serviceNow()).toISOString())).meta.server_time
    const read = (cursor: string) =>
      retryLimited(() =>
        service.get<Page<WireRow>>(`/odds?${query}&limit=200${cursor}`, stop.signal),
      )
    for await (const page of cursorPages(read)) {
      store.snapshot(page)
      heardByPolling()
    }
    store.endSnapshot()
    onReady()
    for (;;) {
      const changes = await retryLimited(() => delta(since))
      // More has changed than a delta can hold: start again with a snapshot.
      if (changes.since_clamped || changes.overflow) return
      store.update(changes.data, now())
      store.remove(changes.removed)
      since = changes.meta.server_time
      heardByPolling()
      const isBehind = changes.pagination.has_more || changes.removed_truncated
      if (!isBehind) await pause(options.pollMs, stop.signal)
      if (stop.signal.aborted || now() > until) return
    }
  }

  /** Repeats a request refused by a rate limit, after the time stated by the service. */
  async function retryLimited<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await request()
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status !== 429) throw error
        await pause((error.retryAfter ?? 1) * 1_000, stop.signal)
      }
    }
  }

  // A feed before this one may have left a part of its snapshot in the store.
  store.dropSnapshot()
  keepUp()
  return { close: () => stop.abort() }
}

/** Waits. Resolves early when the signal aborts. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
