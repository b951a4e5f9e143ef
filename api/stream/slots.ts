/** Streams open at once, by key: SSE and WebSocket share one count (supplement 1.11). */

export interface StreamSlots {
  /** @returns what frees the slot again, once; null when the key has `most` open already */
  take(keyId: string, most: number): (() => void) | null
  active(keyId: string): number
  /** Streams open, of all keys. */
  count(): number
}

export function createStreamSlots(): StreamSlots {
  const open = new Map<string, number>()
  let count = 0
  const active = (keyId: string) => open.get(keyId) ?? 0
  return {
    active,
    count: () => count,
    take(keyId, most) {
      if (active(keyId) >= most) return null
      open.set(keyId, active(keyId) + 1)
      count++
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        count--
        const left = active(keyId) - 1
        if (left > 0) open.set(keyId, left)
        else open.delete(keyId)
      }
    },
  }
}
