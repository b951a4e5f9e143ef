/**
 * Counts the bytes of responses that sockets have not taken yet, over all connections. A connection
 * holds at most one response, as its next request waits; this bounds all connections together. The
 * holder with most unread bytes is cut off, so that nobody else is refused. Streams have their own
 * bound (`stream/fanout/fanout.ts`).
 */

import { networkOf } from '../access/networks.ts'

export interface Unsent {
  /**
   * Holds a response until the returned function is called. Beyond the limit, the responses of the holder with most
   * bytes are cut off, the oldest first; this may be one of them.
   */
  hold(response: Held): () => void
  /** Resolves when no response is held. */
  whenEmpty(): Promise<void>
}

export interface Held {
  /** Bytes that are in memory for this response alone; 0 for a file that is served from memory. */
  readonly bytes: number
  /** The account of the response; undefined without a key. Then the address counts. */
  readonly account: string | undefined
  readonly address: string
  /** Closes the connection, during the call or later. */
  cut(): void
}

/** Room for a thousand large unread responses, and little of a small machine's memory. */
const mostBytes = 128 * 1024 * 1024

interface Holder {
  readonly name: string
  bytes: number
  readonly responses: Set<Held>
}

/** @param onCut called when the responses of an account or an address begin to be cut off */
export function createUnsent(most = mostBytes, onCut: (holder: string) => void = () => {}): Unsent {
  const holders = new Map<string, Holder>()
  /** The holders reported to `onCut`, until no response is held. */
  const told = new Set<string>()
  let heldBytes = 0
  let notify = () => {}

  function holderNamed(name: string): Holder {
    let holder = holders.get(name)
    if (!holder) {
      holder = { name, bytes: 0, responses: new Set() }
      holders.set(name, holder)
    }
    return holder
  }

  function release(holder: Holder, response: Held) {
    if (!holder.responses.delete(response)) return
    holder.bytes -= response.bytes
    heldBytes -= response.bytes
    if (holder.responses.size === 0) holders.delete(holder.name)
    if (holders.size > 0) return
    told.clear()
    notify()
  }

  function cutLargest() {
    let largest: Holder | null = null
    for (const holder of holders.values()) {
      if (!largest || holder.bytes > largest.bytes) largest = holder
    }
    if (!largest) return
    for (const response of largest.responses) {
      if (response.bytes === 0) continue
      if (!told.has(largest.name)) onCut(largest.name)
      told.add(largest.name)
      release(largest, response)
      response.cut()
      return
    }
  }

  return {
    hold(response) {
      const { account, address, bytes } = response
      const holder = holderNamed(account ?? networkOf(address))
      holder.responses.add(response)
      holder.bytes += bytes
      heldBytes += bytes
      while (heldBytes > most) cutLargest()
      return () => release(holder, response)
    },
    whenEmpty: () =>
      new Promise((resolve) => {
        notify = resolve
        if (holders.size === 0) resolve()
      }),
  }
}
