/** Counts open streams by key, over SSE, WebSocket (supplement 1.11) and all processes on one log. */

import type { Peers } from '../../access/peers.ts'

export interface StreamSlots {
  /** @returns a function that frees the slot, once; null if the key has `most` open */
  take(keyId: string, most: number): (() => void) | null
  /** Returns the key's streams at this process. */
  active(keyId: string): number
  /** Returns the key's streams at all processes. */
  activeAnywhere(keyId: string): number
}

export function createStreamSlots(
  peers: Pick<Peers, 'streamsElsewhere' | 'setStreams'>,
): StreamSlots {
  const open = new Map<string, number>()
  const active = (keyId: string) => open.get(keyId) ?? 0
  const activeAnywhere = (keyId: string) => active(keyId) + peers.streamsElsewhere(keyId)

  function set(keyId: string, count: number) {
    if (count > 0) open.set(keyId, count)
    else open.delete(keyId)
    peers.setStreams(keyId, count)
  }

  return {
    active,
    activeAnywhere,
    take(keyId, most) {
      if (activeAnywhere(keyId) >= most) return null
      set(keyId, active(keyId) + 1)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        set(keyId, active(keyId) - 1)
      }
    },
  }
}
