/**
 * A sorted list for many items. They are stored in pieces of some hundred, so adding or removing an item moves at most
 * one piece, whatever the size of the list. Their keys lie beside them: a search reads no item, except to tell equal
 * keys apart.
 */

export interface SortedList<T> {
  readonly size: number
  /** The pieces one after the other, none of them empty; valid until the next change. */
  readonly pieces: readonly (readonly T[])[]
  add(one: T): void
  /** @param one an item in the list, or one that compares equal to it */
  remove(one: T): void
  /** Removes one and adds another. If both have the same place, nothing else moves. */
  replace(one: T, by: T): void
}

const mostInPiece = 512

/**
 * @param keyOf returns what the list is sorted by, ascending; no NaN
 * @param compareTied the order of items with equal keys, not 0 for two different items of the list
 */
export function createSortedList<T>(
  keyOf: (one: T) => number,
  compareTied: (a: T, b: T) => number,
): SortedList<T> {
  const pieces: T[][] = []
  /** By piece, the keys of its items, and the last of them. */
  const keys: Float64Array[] = []
  const lastKeys: number[] = []
  let size = 0

  /** Returns the index of the first piece that does not end before an item. */
  function pieceOf(one: T, key: number): number {
    let from = 0
    let to = pieces.length
    while (from < to) {
      const at = (from + to) >>> 1
      const last = lastKeys[at]!
      if (last < key || (last === key && compareTied(pieces[at]!.at(-1)!, one) < 0)) from = at + 1
      else to = at
    }
    return from
  }

  function placeIn(at: number, one: T, key: number): number {
    const piece = pieces[at]!
    const keysIn = keys[at]!
    let from = 0
    let to = piece.length
    while (from < to) {
      const place = (from + to) >>> 1
      const other = keysIn[place]!
      if (other < key || (other === key && compareTied(piece[place]!, one) < 0)) from = place + 1
      else to = place
    }
    return from
  }

  const isAt = (at: number, place: number, one: T, key: number) =>
    place < pieces[at]!.length &&
    keys[at]![place] === key &&
    compareTied(pieces[at]![place]!, one) === 0

  /** Returns whether an item belongs before the one at a place. */
  function isBefore(at: number, place: number, one: T, key: number): boolean {
    const other = keys[at]![place]!
    return key < other || (key === other && compareTied(one, pieces[at]![place]!) < 0)
  }

  function insertPiece(at: number, piece: T[], keysOf: Float64Array) {
    const keysIn = new Float64Array(mostInPiece + 1)
    keysIn.set(keysOf)
    pieces.splice(at, 0, piece)
    keys.splice(at, 0, keysIn)
    lastKeys.splice(at, 0, keysIn[piece.length - 1]!)
  }

  function add(one: T) {
    const key = keyOf(one)
    size++
    if (pieces.length === 0) return insertPiece(0, [one], Float64Array.of(key))
    const at = Math.min(pieceOf(one, key), pieces.length - 1)
    const place = placeIn(at, one, key)
    const piece = pieces[at]!
    const keysIn = keys[at]!
    keysIn.copyWithin(place + 1, place, piece.length)
    keysIn[place] = key
    piece.splice(place, 0, one)
    if (piece.length > mostInPiece) {
      const half = mostInPiece >> 1
      insertPiece(at + 1, piece.splice(half), keysIn.subarray(half))
    }
    lastKeys[at] = keysIn[piece.length - 1]!
  }

  function removeAt(at: number, place: number) {
    const piece = pieces[at]!
    const keysIn = keys[at]!
    size--
    keysIn.copyWithin(place, place + 1, piece.length)
    piece.splice(place, 1)
    if (piece.length > 0) {
      lastKeys[at] = keysIn[piece.length - 1]!
      return
    }
    pieces.splice(at, 1)
    keys.splice(at, 1)
    lastKeys.splice(at, 1)
  }

  return {
    get size() {
      return size
    },
    get pieces() {
      return pieces
    },
    add,
    remove(one) {
      const key = keyOf(one)
      const at = pieceOf(one, key)
      if (at === pieces.length) return
      const place = placeIn(at, one, key)
      if (isAt(at, place, one, key)) removeAt(at, place)
    },
    replace(one, by) {
      const key = keyOf(one)
      const at = pieceOf(one, key)
      if (at < pieces.length) {
        const place = placeIn(at, one, key)
        if (isAt(at, place, one, key)) {
          const keyBy = keyOf(by)
          // At the last place of a piece, `by` may belong after the first item of the next piece.
          const staysIn =
            place > 0 &&
            place < pieces[at]!.length - 1 &&
            isBefore(at, place + 1, by, keyBy) &&
            !isBefore(at, place - 1, by, keyBy)
          if (staysIn) {
            pieces[at]![place] = by
            keys[at]![place] = keyBy
            return
          }
          removeAt(at, place)
        }
      }
      add(by)
    },
  }
}
