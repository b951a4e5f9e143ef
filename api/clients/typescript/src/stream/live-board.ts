/** Prices as they are now, kept by a stream: after a break it goes on where it was, or begins anew by itself. */

import { lostConnection, OverroundError } from '../errors.ts'
import type { OddsItem } from './odds-book.ts'
import type { StreamClient, StreamOptions } from './stream-client.ts'

/** What happened to a price: `row` is as it is now, null once it is gone. */
export interface BoardChange {
  readonly id: string
  readonly row: OddsItem | null
}

export interface LiveBoard {
  /** By id. Rows are replaced, not written: one that is held on to stays as it was. */
  readonly rows: ReadonlyMap<string, OddsItem>
  /** Resolves when the first snapshot is complete; rejects with an OverroundError when it is refused. */
  readonly ready: Promise<void>
  /** Calls for each change from now on, in the order of the stream. @returns what ends that */
  subscribe(onChange: (change: BoardChange) => void): () => void
  /** Whether all there is has come; false after a break, until it is caught up with. */
  isCurrent(): boolean
  /** The stream behind it. */
  readonly stream: StreamClient
  close(): void
}

export function createLiveBoard(
  open: (options: Pick<StreamOptions, 'onMessage' | 'onFailure'>) => StreamClient,
): LiveBoard {
  const listeners = new Set<(change: BoardChange) => void>()
  /** As the listeners know it, so that a board that begins anew is told as the difference. */
  const notified = new Map<string, OddsItem>()
  let readiness: { resolve(): void; reject(error: unknown): void } | undefined
  const ready = new Promise<void>((resolve, reject) => {
    readiness = { resolve, reject }
  })
  // Who does not wait for it is not to be ended by its failure.
  ready.catch(() => {})

  const notify = (id: string, row: OddsItem | null) => {
    if (row === null) notified.delete(id)
    else notified.set(id, row)
    for (const onChange of listeners) onChange({ id, row })
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
      } else if (name === 'snapshot:complete') {
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
