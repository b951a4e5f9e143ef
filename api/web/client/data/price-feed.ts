/**
 * Keeps a store of prices as the service has them: by a stream that is taken up again where it ended, or,
 * for keys without streams and where something on the way holds streams back, by a snapshot and its changes
 * (`/odds/delta`).
 */

import {
  connecting,
  failed,
  giveUpMs,
  heard,
  type Link,
  streamSilenceMs,
  waitMs,
} from './connection.ts'
import type { PriceStore, WireRow } from './price-store.ts'
import { RefusedError } from './refused.ts'
import { createFrameReader, type StreamEvent } from './sse-frames.ts'
import type { Page } from './wire.ts'

export interface FeedOptions {
  /** Requests to it, by path and query. */
  readonly service: {
    get<Body>(path: string, signal: AbortSignal): Promise<Body>
    openStream(path: string, signal: AbortSignal): Promise<Response>
  }
  readonly store: PriceStore
  /** Filters and fields, as `/odds` takes them. */
  readonly query: string
  readonly isStreaming: boolean
  /** Between two polls, where there is no stream. */
  readonly pollMs: number
  /** Something came, or failed to. */
  readonly onLink: (link: Link) => void
  /** The first prices are whole. */
  readonly onReady: () => void
  /** The key is refused, or may not have this. */
  readonly onRefused: (error: RefusedError) => void
}

export interface PriceFeed {
  close(): void
}

const now = () => performance.now()

/** Streams in turn that were opened and then said nothing, or ended before their prices were whole. */
const mostHeldBack = 2
/** What held streams back may be gone: one is tried again after so long of polling. */
const pollingMs = 5 * 60_000

export function openPriceFeed(options: FeedOptions): PriceFeed {
  const { service, store, query, onLink, onReady, onRefused } = options
  const stop = new AbortController()
  let link = connecting(now())
  let position: string | null = null
  let isCaughtUp = false
  let heldBack = 0
  const move = (next: Link) => {
    link = next
    onLink(next)
  }

  async function keepUp() {
    while (!stop.signal.aborted) {
      let waitedMs = 0
      try {
        if (!options.isStreaming) await poll(Number.POSITIVE_INFINITY)
        else if (heldBack < mostHeldBack) await stream()
        else {
          // If the next stream is held back too, that is enough.
          heldBack = mostHeldBack - 1
          await poll(now() + pollingMs)
        }
      } catch (error) {
        if (stop.signal.aborted) return
        if (error instanceof RefusedError) {
          if (error.status === 401 || error.status === 403) return onRefused(error)
          // Where it was is known no more, or is worded wrongly: a snapshot tells all.
          if (error.status === 409 || error.status === 400) position = null
          waitedMs = (error.retryAfter ?? 0) * 1_000
        }
      }
      store.dropSnapshot()
      move(failed(link, now()))
      await pause(Math.max(waitedMs, waitMs(link)), stop.signal)
    }
  }

  // ---- by stream

  function take({ name, data }: StreamEvent) {
    const body = JSON.parse(data)
    if (name === 'snapshot' && body.odds) store.snapshot(body.odds)
    else if (name === 'snapshot:complete') {
      store.endSnapshot()
      isCaughtUp = true
      onReady()
    } else if (name === 'odds:update') store.update(body.odds, now())
    else if (name === 'odds:removed') store.remove(body.ids)
    else if (name === 'heartbeat' && body.rows !== undefined && body.rows !== store.rows.size) {
      // Not the rows that the service says we have: begin anew.
      position = null
      throw new TypeError('rows differ')
    }
    if (typeof body.position === 'string') position = body.position
  }

  async function stream() {
    const connection = new AbortController()
    const signal = AbortSignal.any([stop.signal, connection.signal])
    const resuming = position === null ? '' : `&resume_from=${encodeURIComponent(position)}`
    let heardAt = now()
    let isHeldBack = false
    isCaughtUp = false
    const watch = setInterval(() => {
      if (now() - heardAt <= giveUpMs) return
      isHeldBack = true
      connection.abort()
    }, 1_000)
    try {
      const path = `/stream/odds?${query}&proof=true&heartbeat_seconds=1${resuming}`
      const response = await service.openStream(path, signal)
      const read = createFrameReader(take)
      const decoder = new TextDecoder()
      const reader = response.body!.getReader()
      isHeldBack = true
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        heardAt = now()
        read(decoder.decode(value, { stream: true }))
        // Until the service has told all, what stands on the page is of before.
        if (!isCaughtUp) continue
        isHeldBack = false
        move(heard(heardAt, streamSilenceMs))
      }
    } finally {
      heldBack = isHeldBack ? heldBack + 1 : 0
      clearInterval(watch)
      connection.abort()
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

  const heardByPolling = () => move(heard(now(), options.pollMs * 2 + streamSilenceMs))

  /** @param until on the clock of `now` */
  async function poll(until: number) {
    // A stream after this would go on from before it.
    position = null
    const delta = (since: string) =>
      service.get<Delta>(
        `/odds/delta?${query}&limit=500&since=${encodeURIComponent(since)}`,
        stop.signal,
      )
    let since = (await delta(new Date().toISOString())).meta.server_time
    let cursor = ''
    do {
      const page = await retryLimited(() =>
        service.get<Page<WireRow>>(`/odds?${query}&limit=200${cursor}`, stop.signal),
      )
      store.snapshot(page.data)
      heardByPolling()
      const { has_more, next_cursor } = page.pagination
      cursor = has_more && next_cursor ? `&cursor=${encodeURIComponent(next_cursor)}` : ''
    } while (cursor !== '')
    store.endSnapshot()
    onReady()
    for (;;) {
      const changes = await retryLimited(() => delta(since))
      // Begin anew: more has changed than one answer says.
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

  /** Waits as long as a limit says, and asks again. */
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

  keepUp()
  return { close: () => stop.abort() }
}

/** Resolves early when the signal fires. */
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
