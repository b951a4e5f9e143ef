/**
 * Reads Avro records of plain fields (numbers, flags, texts, and any of these or null), which is what the
 * large tables hold. Beside the library's reading it makes a text that was met lately the same string again:
 * the rows of a board say the same few names a million times over, and one string of each costs less to keep,
 * to collect and to look things up by.
 */

import type avro from 'avsc'

/** @throws Error when the bytes are not a value of the schema */
export type FlatReader = (bytes: Buffer, from: number, to: number) => unknown

/** Texts are remembered by a hash of their bytes, the newest of each; longer ones hardly come again. */
const remembered = 8_192
const longestRemembered = 64
const texts: string[] = new Array(remembered).fill('')

const double = new Float64Array(1)
const doubleBytes = new Uint8Array(double.buffer)

/** As the library has it. */
const largest = Number.MAX_SAFE_INTEGER - 1

/** Where the value that is being read goes on. */
let at = 0

function readLong(bytes: Buffer): number {
  let byte = bytes[at++]!
  let low = byte & 0x7f
  for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
    byte = bytes[at++]!
    low |= (byte & 0x7f) << shift
  }
  if (byte < 0x80) return (low >> 1) ^ -(low & 1)
  let value = low
  for (let scale = 2 ** 28; byte >= 0x80; scale *= 128) {
    byte = bytes[at++]!
    value += (byte & 0x7f) * scale
  }
  const read = (value % 2 ? -(value + 1) : value) / 2
  if (Math.abs(read) > largest) throw new Error('a number is larger than can be told exactly')
  return read
}

function readDouble(bytes: Buffer): number {
  for (let i = 0; i < 8; i++) doubleBytes[i] = bytes[at + i]!
  at += 8
  return double[0]!
}

const readBoolean = (bytes: Buffer): boolean => bytes[at++] !== 0

function readString(bytes: Buffer): string {
  const length = readLong(bytes)
  const from = at
  at += length
  if (length < 0 || at > bytes.length) throw new Error('a text is cut short')
  if (length > longestRemembered) return bytes.toString('utf8', from, at)
  let hash = length
  let all = 0
  for (let i = from; i < at; i++) {
    const byte = bytes[i]!
    hash = Math.imul(hash ^ byte, 0x01000193)
    all |= byte
  }
  // Beyond ASCII a text's characters are not its bytes, by which it is known again.
  if (all >= 0x80) return bytes.toString('utf8', from, at)
  const place = (hash ^ (hash >>> 15)) & (remembered - 1)
  const known = texts[place]!
  if (known.length === length) {
    let i = 0
    while (i < length && known.charCodeAt(i) === bytes[from + i]) i++
    if (i === length) return known
  }
  const text = bytes.toString('latin1', from, at)
  texts[place] = text
  return text
}

function readIndex(bytes: Buffer, count: number): number {
  const index = readLong(bytes)
  if (index < 0 || index >= count) throw new Error('a value is of none of its types')
  return index
}

const readers = { readLong, readDouble, readBoolean, readString, readIndex }
const readerOf: Readonly<Record<string, keyof typeof readers>> = {
  long: 'readLong',
  double: 'readDouble',
  boolean: 'readBoolean',
  string: 'readString',
}

/** The code that reads a type; null for one that is not plain. */
function readingOf(type: unknown): string | null {
  if (Array.isArray(type)) {
    const other = type.find((name) => name !== 'null') as unknown
    if (type.length !== 2 || !type.includes('null')) return null
    const reading = readingOf(other)
    return reading && `(readIndex(bytes, 2) === ${type.indexOf('null')} ? null : ${reading})`
  }
  const name = typeof type === 'string' ? readerOf[type] : undefined
  return name ? `${name}(bytes)` : null
}

/** Null for a schema of more than plain fields. */
export function compileFlatReader(schema: avro.Schema): FlatReader | null {
  const { type, fields } = schema as { type?: unknown; fields?: readonly Field[] }
  if (type !== 'record' || !fields) return null
  const members: string[] = []
  for (const field of fields) {
    const reading = readingOf(field.type)
    if (reading === null) return null
    members.push(`${JSON.stringify(field.name)}: ${reading}`)
  }
  const names = Object.keys(readers)
  const read = new Function(...names, `return (bytes) => ({ ${members.join(', ')} })`)(
    ...Object.values(readers),
  ) as (bytes: Buffer) => unknown
  return (bytes, from, to) => {
    at = from
    const value = read(bytes)
    if (at !== to) throw new Error(at > to ? 'a value is cut short' : 'a value is too long')
    return value
  }
}

interface Field {
  readonly name: string
  readonly type: unknown
}
