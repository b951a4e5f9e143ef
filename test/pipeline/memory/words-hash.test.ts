import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsHash } from '../../../pipeline/memory/words-hash.ts'

/** Returns the hash of `bytes` after `before` words and before bytes of `behind`. */
function hashOf(bytes: Uint8Array, before = 0, behind = 0): number {
  const words = new Int32Array(before + Math.ceil(bytes.length / 4) + 1)
  const whole = new Uint8Array(words.buffer).fill(behind)
  whole.set(bytes, 4 * before)
  return wordsHash(words, before, bytes.length)
}

/** Computes 32-bit MurmurHash3 a byte at a time, as its author describes it, with integers of any size. */
function published(bytes: Uint8Array): number {
  const mask = 0xffffffffn
  const turned = (word: bigint, by: bigint) => ((word << by) | (word >> (32n - by))) & mask
  const word = (at: number) =>
    [...bytes.subarray(at, at + 4)].reduce(
      (sum, byte, i) => sum | (BigInt(byte) << BigInt(8 * i)),
      0n,
    )
  let hash = BigInt(0)
  for (let at = 0; at < bytes.length; at += 4) {
    const isWhole = at + 4 <= bytes.length
    hash ^= (turned((word(at) * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask
    if (isWhole) hash = (turned(hash, 13n) * 5n + 0xe6546b64n) & mask
  }
  hash ^= BigInt(bytes.length)
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) & mask
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) & mask
  return Number(BigInt.asIntN(32, hash ^ (hash >> 16n)))
}

test('equals the published hash', () => {
  for (const [text, hash] of [
    ['', 0],
    ['test', 0xba6bd213],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ] as const) {
    expect(hashOf(Buffer.from(text))).toBe(hash | 0)
    expect(published(Buffer.from(text))).toBe(hash | 0)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(hashOf(bytes)).toBe(published(bytes))
    }),
  )
})

test('depends on the bytes that count and on nothing around them', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 70 }),
      fc.nat(9),
      fc.nat(255),
      (bytes, before, behind) => {
        expect(hashOf(bytes, before, behind)).toBe(hashOf(bytes))
      },
    ),
  )
})
