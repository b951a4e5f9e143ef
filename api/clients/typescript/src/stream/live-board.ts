/** A live copy of prices, kept by a stream. After a break it resumes, or starts again by itself. */

import { lostConnection, OverroundError } from '../errors.ts'
import { call } from './callbacks.ts'
import type { OddsItem } from './odds-book.ts'
import type { StreamClient, StreamOptions } from './stream-client.ts'

/** A change of a price. `row` is its new state, or null if it was removed. */
export interface BoardChange {
  readonly id: string
  readonly row: OddsItem | null
}

export interface LiveBoard {
  /**
   * Rows by id. A change replaces the row object and never modifies it. `last_seen_at` and `timestamp` are those of the
   * last change: `stale_books` of `/events` names the sportsbooks whose prices are too old.
   */
  readonly rows: ReadonlyMap<string, OddsItem>
  /** Resolves when the first snapshot is complete. Rejects with an OverroundError if the stream is refused. */
  readonly ready: Promise<void>
  /**
   * Calls `onChange` for each change from now on, in order. What it throws becomes an uncaught error; the board goes on.
   * @returns a function that unsubscribes
   */
  subscribe(onChange: (change: BoardChange) => void): () => void
  /** Whether the rows are whole and up to date; false after a break, and while a snapshot replaces them. */
  isCurrent(): boolean
  /** The stream behind it. */
  readonly stream: StreamClient
  close(): void
}

export function createLiveBoard(
  open: (options: Pick<StreamOptions, 'onMessage' | 'onFailure'>) => StreamClient,
): LiveBoard {
  const listeners = new Set<(change: BoardChange) => void>()
  /** Rows that listeners know, so that after a new start they get only the difference. */
  const notified = new Map<string, OddsItem>()
  let readiness: { resolve(): void; reject(error: unknown): void } | undefined
  const ready = new Promise<void>((resolve, reject) => {
    readiness = { resolve, reject }
  })
  // Without this, a failure would be an unhandled rejection for callers that do not use `ready`.
  ready.catch(() => {})

  const notify = (id: string, row: OddsItem | null) => {
    if (row === null) notified.delete(id)
    else notified.set(id, row)
    for (const onChange of listeners) call(onChange, { id, row })
  }

  const stream = open({
    onMessage({ name, body }) {
      if (name === 'odds:update') {
        for (const { id } of rowsIn(body)) {
          const row = stream.odds.get(id)
          if (row) notify(id, row)
        }
      } else if (name === 'odds:removed') {
        for (const id of (body as { readonly ids?: readonly string[] }).ids ?? []) notify(id, null)
      } else if (name === 'snapshot:complete' || (name === 'subscribed' && stream.isReady())) {
        for (const id of [...notified.keys()]) if (!stream.odds.has(id)) notify(id, null)
        for (const [id, row] of stream.odds) if (notified.get(id) !== row) notify(id, row)
        readiness?.resolve()
      }
    },
    onFailure: (why) => readiness?.reject(new OverroundError({ ...lostConnection, ...why })),
  })

  return {
    rows: stream.odds,
    ready,
    stream,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    isCurrent: () => stream.isReady(),
    close: () => stream.close(),
  }
}

const rowsIn = (body: unknown) => (body as { readonly odds: readonly { id: string }[] }).odds
