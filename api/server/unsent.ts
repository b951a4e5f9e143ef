/**
 * Bytes of whole answers that sockets have not taken yet, over all connections of the process. A listener
 * takes up no request of a connection while an answer to it waits, so that a connection holds one at
 * most; this bounds what many of them hold together. Streams have their own bound (`stream/fanout/fanout.ts`).
 */

export interface Unsent {
  hold(bytes: number): void
  release(bytes: number): void
  /** So much is waiting that a new request is refused. */
  isFull(): boolean
  /** Resolves once nothing is waiting. */
  whenEmpty(): Promise<void>
}

/** A thousand unread pages of the largest documents, and little of what a small machine has. */
const mostBytes = 128 * 1024 * 1024

export function createUnsent(most = mostBytes): Unsent {
  let held = 0
  let notify = () => {}
  return {
    hold(bytes) {
      held += bytes
    },
    release(bytes) {
      held -= bytes
      if (held === 0) notify()
    },
    isFull: () => held >= most,
    whenEmpty: () =>
      new Promise((resolve) => {
        notify = resolve
        if (held === 0) resolve()
      }),
  }
}
