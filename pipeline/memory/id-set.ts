/** A set of odds ids in typed arrays, as `IdIndex` is: half a million of them cost the garbage collector nothing. */

import { createIdIndex } from './id-index.ts'

export interface IdSet {
  readonly size: number
  has(id: number): boolean
  /** @returns whether it was not there */
  add(id: number): boolean
  /** @returns whether it was there */
  delete(id: number): boolean
}

export function createIdSet(): IdSet {
  const index = createIdIndex()
  let size = 0
  const has = (id: number) => index.find(id) >= 0
  return {
    get size() {
      return size
    },
    has,
    add(id) {
      if (has(id)) return false
      index.insert(id, 0)
      size++
      return true
    },
    delete(id) {
      if (!has(id)) return false
      index.remove(id)
      size--
      return true
    },
  }
}
