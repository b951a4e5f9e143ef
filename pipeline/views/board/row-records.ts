/**
 * A record of 64 bytes for each row, one line of the processor's cache: what a change of one row needs.
 * This file owns how it is laid out, in words of four bytes, doubles of two words and halves of half a
 * word, and that there are enough of them.
 */

import { grown } from '../../memory/grown.ts'

export const none = -1

const recordWords = 16
const recordDoubles = recordWords / 2
const recordHalves = 2 * recordWords

export const idDouble = 0
export const changedDouble = 1
/** A hash of the tail in two words, and one of the head. */
export const tailHashWord = 4
export const headHashWord = 6
/**
 * Where the row stands in its block: where its slot begins, or its rank while the block has no texts.
 * Either way it ascends in page order.
 */
export const slotAtWord = 7
export const slotLengthWord = 8
export const headLengthHalf = 18
export const textLengthHalf = 19
/** The shown attributes that the row states, a bit each, and those it stated once and does not now. */
export const statedHalf = 20
export const lostHalf = 21
/** Neighbours in the list that the row is seen in; of a free record, the next that is free. */
export const nextWord = 11
export const previousWord = 12
export const listWord = 13
export const selectionWord = 14
/** A hash of what its sportsbook calls it. */
export const sourceWord = 15

export interface RowRecords {
  word(row: number, at: number): number
  setWord(row: number, at: number, value: number): void
  half(row: number, at: number): number
  setHalf(row: number, at: number, value: number): void
  double(row: number, at: number): number
  setDouble(row: number, at: number, value: number): void
  /** The instant of `changedDouble`; null where there is none. */
  changedAt(row: number): number | null
  /** Makes room for so many. */
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
