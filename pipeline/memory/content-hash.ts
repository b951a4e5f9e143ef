/**
 * A 64-bit hash of an answer's content, taken while the answer is put together. It is cheaper than
 * hashing the bytes, and as good if everything that decides the bytes is added. Two 32-bit lanes, mixed
 * as in MurmurHash3 (Appleby, public domain). It tells contents apart; it is no protection from forgery.
 */

import { textHash } from '../../schemas/text-hash.ts'

export interface ContentHash {
  /** Adds the low 32 bits of a whole number. */
  add(value: number): void
  /** Adds any number, bit by bit. */
  addNumber(value: number): void
  addText(text: string): void
  /** 16 hexadecimal digits. */
  digest(): string
}

const numbers = new Float64Array(1)
const words = new Int32Array(numbers.buffer)

export function createContentHash(): ContentHash {
  let a = 0x2f0b4a27
  let b = 0x6c8e9cf5
  function add(value: number) {
    a = Math.imul(a ^ value, 0xcc9e2d51)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b + value, 0x1b873593) ^ a
    b = (b << 13) | (b >>> 19)
  }
  return {
    add,
    addNumber(value) {
      numbers[0] = value
      add(words[0]!)
      add(words[1]!)
    },
    addText(text) {
      add(textHash(text))
      add(text.length)
    },
    digest: () => hex(finished(a)) + hex(finished(b ^ Math.imul(a, 5))),
  }
}

/** Spreads every bit of a lane over the whole of it. */
export function finished(lane: number): number {
  let hash = lane ^ (lane >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
