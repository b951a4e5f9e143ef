/**
 * A set of odds ids in typed arrays, as `IdIndex` is: half a million of them cost the garbage collector
 * nothing. It is in parts that grow one after the other: to grow as a whole takes 20 ms at half a million.
 */

import { createIdIndex, type IdIndex } from './id-index.ts'

export interface IdSet {
  readonly size: number
  has(id: number): boolean
  /** @returns whether it was not there */
  add(id: number): boolean
  /** @returns whether it was there */
  delete(id: number): boolean
}

const partCount = 32
/**
 * Which part an id is in, by the highest of its low 32 bits: the places within a part go by the lowest. The
 * last part takes twice as many as the first, and those between ever more, so that no two grow together.
 */
const partOfBits = Uint8Array.from({ length: 256 }, (_, bits) =>
  Math.floor(partCount * Math.log2(1 + bits / 256)),
)
const partOf = (id: number) => partOfBits[(id | 0) >>> 24]!
/** Of a part when its first id comes: most sets have few. */
const firstSlots = 8

export function createIdSet(): IdSet {
  const parts = new Array<IdIndex | undefined>(partCount).fill(undefined)
  let size = 0
  const isIn = (part: IdIndex | undefined, id: number): part is IdIndex =>
    part !== undefined && part.find(id) >= 0
  return {
    get size() {
      return size
    },
    has: (id) => isIn(parts[partOf(id)], id),
    add(id) {
      const number = partOf(id)
      const part = parts[number]
      if (isIn(part, id)) return false
      const grows = part ?? createIdIndex(firstSlots)
      parts[number] = grows
      grows.insert(id, 0)
      size++
      return true
    },
    delete(id) {
      const part = parts[partOf(id)]
      if (!isIn(part, id)) return false
      part.remove(id)
      size--
      return true
    },
  }
}
