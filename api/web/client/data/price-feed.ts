/**
 * Keeps a store of prices as the service has them: by a stream that is taken up again where it ended, or,
 * for keys without streams, by a snapshot and its changes (`/odds/delta`).
 */

import { connecting, failed, giveUpMs, heard, type Link, waitMs } from './connection.ts'
import type { PriceStore, WireRow } from './price-store.ts'
import { get, openStream, type Page, RefusedError } from './rest.ts'
import { createFrameReader, type StreamEvent } from './sse-frames.ts'

export interface FeedOptions {
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

export function openPriceFeed(options: FeedOptions): PriceFeed {
  const { store, query, onLink, onReady, onRefused } = options
  const stop = new AbortController()
  let link = connecting(now())
  let position: string | null = null
  let isCaughtUp = false
  const move = (next: Link) => {
    link = next
    onLink(next)
  }

  async function keepUp() {
    const follow = options.isStreaming ? stream : poll
    while (!stop.signal.aborted) {
      let waitedMs = 0
      try {
        await follow()
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
    isCaughtUp = false
    const watch = setInterval(() => {
      if (now() - heardAt > giveUpMs) connection.abort()
    }, 1_000)
    try {
      const path = `/stream/odds?${query}&proof=true&heartbeat_seconds=1${resuming}`
      const response = await openStream(path, signal)
      const read = createFrameReader(take)
      const decoder = new TextDecoder()
      const reader = response.body!.getReader()
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return
        heardAt = now()
        read(decoder.decode(value, { stream: true }))
        // Until the service has told all, what stands on the page is of before.
        if (isCaughtUp) move(heard(link, heardAt))
      }
    } finally {
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

  async function poll() {
    const delta = (since: string) =>
      get<Delta>(`/odds/delta?${query}&limit=500&since=${encodeURIComponent(since)}`, stop.signal)
    let since = (await delta(new Date().toISOString())).meta.server_time
    let cursor = ''
    do {
      const page = await patiently(() =>
        get<Page<WireRow>>(`/odds?${query}&limit=200${cursor}`, stop.signal),
      )
      store.snapshot(page.data)
      move(heard(link, now()))
      const { has_more, next_cursor } = page.pagination
      cursor = has_more && next_cursor ? `&cursor=${encodeURIComponent(next_cursor)}` : ''
    } while (cursor !== '')
    store.endSnapshot()
    onReady()
    for (;;) {
      const changes = await patiently(() => delta(since))
      // Begin anew: more has changed than one answer says.
      if (changes.since_clamped || changes.overflow) return
      store.update(changes.data, now())
      store.remove(changes.removed)
      since = changes.meta.server_time
      move(heard(link, now()))
      const isBehind = changes.pagination.has_more || changes.removed_truncated
      if (!isBehind) await pause(options.pollMs, stop.signal)
      if (stop.signal.aborted) return
    }
  }

  /** Waits as long as a limit says, and asks again. */
  async function patiently<Answer>(request: () => Promise<Answer>): Promise<Answer> {
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
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
