/**
 * A sorted list for many items. They are stored in pieces of some hundred, so adding or removing an item moves at most
 * one piece, whatever the size of the list.
 */

import { bisect } from './bisect.ts'

export interface SortedList<T> {
  readonly size: number
  /** The pieces one after the other, none of them empty; valid until the next change. */
  readonly pieces: readonly (readonly T[])[]
  add(one: T): void
  /** @param one an item in the list, or one that compares equal to it */
  remove(one: T): void
  /** Removes one and adds another. If both have the same place, nothing else moves. */
  replace(one: T, by: T): void
  clear(): void
}

const mostInPiece = 512

/** @param compare must not return 0 for two different items of the list */
export function createSortedList<T>(compare: (a: T, b: T) => number): SortedList<T> {
  let pieces: T[][] = []
  let size = 0

  /** Returns the index of the first piece that does not end before an item. */
  const pieceOf = (one: T) =>
    bisect(0, pieces.length, (at) => compare(pieces[at]!.at(-1)!, one) < 0)

  const placeIn = (piece: readonly T[], one: T) =>
    bisect(0, piece.length, (at) => compare(piece[at]!, one) < 0)

  return {
    get size() {
      return size
    },
    get pieces() {
      return pieces
    },
    replace(one, by) {
      const piece = pieces[pieceOf(one)]
      const place = piece ? placeIn(piece, one) : 0
      const isIn = piece && place < piece.length && compare(piece[place]!, one) === 0
      // At the last place of a piece, `by` may belong after the first item of the next piece.
      const staysIn =
        isIn &&
        place < piece.length - 1 &&
        compare(by, piece[place + 1]!) < 0 &&
        place > 0 &&
        compare(piece[place - 1]!, by) < 0
      if (staysIn) piece[place] = by
      else {
        this.remove(one)
        this.add(by)
      }
    },
    add(one) {
      size++
      if (pieces.length === 0) {
        pieces.push([one])
        return
      }
      const at = Math.min(pieceOf(one), pieces.length - 1)
      const piece = pieces[at]!
      piece.splice(placeIn(piece, one), 0, one)
      if (piece.length > mostInPiece) pieces.splice(at + 1, 0, piece.splice(mostInPiece >> 1))
    },
    remove(one) {
      const at = pieceOf(one)
      const piece = pieces[at]
      const place = piece ? placeIn(piece, one) : 0
      if (!piece || place === piece.length || compare(piece[place]!, one) !== 0) return
      size--
      piece.splice(place, 1)
      if (piece.length === 0) pieces.splice(at, 1)
    },
    clear() {
      pieces = []
      size = 0
    },
  }
}
