/**
 * A record of 64 bytes for each row, one line of the processor's cache, with the data that a change of one row needs.
 * This file owns the capacity and the layout: words of four bytes, doubles of two words, halves of
 * half a word.
 */

import { grown } from '../../memory/grown.ts'

export const none = -1

const recordWords = 16
const recordDoubles = recordWords / 2
const recordHalves = 2 * recordWords

export const idDouble = 0
export const changedDouble = 1
/** A hash of the tail in two words, and a hash of the head. */
export const tailHashWord = 4
export const headHashWord = 6
/**
 * The row's place in its block: the start of its slot, or its rank while the block has no texts. Both ascend in page
 * order.
 */
export const slotAtWord = 7
export const slotLengthWord = 8
export const headLengthHalf = 18
export const textLengthHalf = 19
/**
 * Bits of the shown attributes that the row states, and of those that it does not state any more.
 */
export const statedHalf = 20
export const lostHalf = 21
/** The neighbours in the list that the row is seen in; in a free record, the next free record. */
export const nextWord = 11
export const previousWord = 12
export const listWord = 13
export const selectionWord = 14
/** A hash of the sportsbook's own name for it. */
export const sourceWord = 15

export interface RowRecords {
  word(row: number, at: number): number
  setWord(row: number, at: number, value: number): void
  half(row: number, at: number): number
  setHalf(row: number, at: number, value: number): void
  double(row: number, at: number): number
  setDouble(row: number, at: number, value: number): void
  /** Returns the time of `changedDouble`; null where there is none. */
  changedAt(row: number): number | null
  /** Makes room for this many records. */
  grow(capacity: number): void
}

export function createRowRecords(capacity: number): RowRecords {
  let words = new Int32Array(recordWords * capacity)
  let doubles = new Float64Array(words.buffer)
  let halves = new Uint16Array(words.buffer)

  return {
    word: (row, at) => words[recordWords * row + at]!,
    setWord(row, at, value) {
      words[recordWords * row + at] = value
    },
    half: (row, at) => halves[recordHalves * row + at]!,
    setHalf(row, at, value) {
      halves[recordHalves * row + at] = value
    },
    double: (row, at) => doubles[recordDoubles * row + at]!,
    setDouble(row, at, value) {
      doubles[recordDoubles * row + at] = value
    },
    changedAt(row) {
      const at = doubles[recordDoubles * row + changedDouble]!
      return Number.isNaN(at) ? null : at
    },
    grow(longer) {
      words = grown(words, recordWords * longer)
      doubles = new Float64Array(words.buffer)
      halves = new Uint16Array(words.buffer)
    },
  }
}
