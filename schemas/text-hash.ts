/**
 * A 32-bit hash of a text, for telling contents apart cheaply; never an identity by itself. Source: MurmurHash3
 * (Appleby, public domain), its 32-bit mixing, one code unit a step.
 */
export function textHash(text: string): number {
  let hash = text.length | 0
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0xcc9e2d51)
    hash = (hash << 15) | (hash >>> 17)
    hash = Math.imul(hash, 5) + 0xe6546b64
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const numbers = new Float64Array(1)
const words = new Int32Array(numbers.buffer)

/** Returns the same hash for any value of a field. */
function valueHash(value: string | number | boolean | null): number {
  if (value === null) return 1
  if (typeof value === 'string') return textHash(value)
  numbers[0] = Number(value)
  return Math.imul(words[0]! ^ Math.imul(words[1]!, 0xcc9e2d51), 0x1b873593)
}

/** Returns a function that hashes the values of these fields. */
export const createFieldsHash =
  <Name extends string>(names: readonly Name[]) =>
  (row: { readonly [Field in Name]: string | number | boolean | null }): number => {
    let hash = 0
    for (let i = 0; i < names.length; i++) {
      hash = Math.imul(hash, 31) ^ valueHash(row[names[i]!])
    }
    return hash
  }
