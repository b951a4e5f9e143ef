/** What this browser keeps of the reader's choices. Its tabs share it, and each knows only what it has read. */

import type { KeyStore } from './kept-key.ts'

/** @param name under which the store keeps the object */
export function createKept<Kept extends object>(
  store: Pick<KeyStore, 'getItem' | 'setItem'>,
  name: string,
) {
  function read(): Partial<Kept> {
    try {
      return JSON.parse(store.getItem(name) ?? '{}')
    } catch {
      return {}
    }
  }
  return {
    read,
    /** Changes some members. The others stay as another tab may have kept them meanwhile. @returns all members */
    change(changes: Partial<Kept>): Partial<Kept> {
      const next = { ...read(), ...changes }
      store.setItem(name, JSON.stringify(next))
      return next
    },
  }
}
