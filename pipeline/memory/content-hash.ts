/**
 * A 64-bit hash of a response's content, computed while the response is put together. It is cheaper
 * than a hash of the bytes, and as good if everything that the bytes depend on is added. Two 32-bit
 * lanes, mixed as in MurmurHash3 (Appleby, public domain). It does not protect from forgery.
 */

import { textHash } from '../../schemas/text-hash.ts'

export interface ContentHash {
  /** Starts over. */
  begin(): void
  /** Adds the low 32 bits of a whole number. */
  add(value: number): void
  /** Adds any number, bit by bit. */
  addNumber(value: number): void
  addText(text: string): void
  /** Returns 16 hexadecimal digits. */
  digest(): string
  /** Returns a whole number of 53 bits. */
  number(): number
}

const numbers = new Float64Array(1)
const words = new Int32Array(numbers.buffer)

export function createContentHash(): ContentHash {
  let a = 0
  let b = 0
  const begin = () => {
    a = 0x2f0b4a27
    b = 0x6c8e9cf5
  }
  begin()
  function add(value: number) {
    a = Math.imul(a ^ value, 0xcc9e2d51)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b + value, 0x1b873593) ^ a
    b = (b << 13) | (b >>> 19)
  }
  return {
    begin,
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
    number: () => (finished(a) >>> 0) * 0x20_0000 + (finished(b ^ Math.imul(a, 5)) >>> 11),
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

/** The digits of each byte: ten times as fast as `toString` and `padStart`. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const hex = (word: number) =>
  digits[word >>> 24]! +
  digits[(word >>> 16) & 255] +
  digits[(word >>> 8) & 255] +
  digits[word & 255]
