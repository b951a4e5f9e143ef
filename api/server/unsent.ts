/**
 * Counts the bytes of responses that sockets have not taken yet, over all connections. A connection holds at most one
 * response, as its next request waits; this bounds all connections together. Streams have their own bound
 * (`stream/fanout/fanout.ts`).
 */

export interface Unsent {
  hold(bytes: number): void
  release(bytes: number): void
  /** Returns whether new requests must be refused. */
  isFull(): boolean
  /** Resolves when no byte is held. */
  whenEmpty(): Promise<void>
}

/** Room for a thousand large unread responses, and little of a small machine's memory. */
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
