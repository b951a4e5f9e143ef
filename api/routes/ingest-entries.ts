/**
 * Splits a body of push ingest into its records: the members of a JSON array, or one per line. It works in steps of
 * bounded size, whatever the body holds (newlines alone, brackets alone), and yields null after each, so that the
 * caller can let other work run.
 */

import { isUtf8 } from 'node:buffer'
import { type ParsedRecord, parseLine, parseMember } from '../../pipeline/feeds/push/parse.ts'
import { maxRecordBytes } from '../../schemas/http/ingest.ts'
import { ApiError } from '../errors.ts'

export interface Entry {
  /** From 1; in a JSON array, the position of the member. */
  readonly line: number
  parse(now: number): ParsedRecord
}

/** Bytes processed in one step. */
export const stepBytes = 65_536
/** Deepest nesting of a record. Deeper ones take long to parse. */
const deepest = 64

/**
 * @param isLines whether the media type states lines: a body that begins like an array but does not end as one is
 *   then read as lines
 * @throws ApiError validation_error for an incomplete array, or one that is not JSON
 */
export function* entries(body: Buffer, isLines: boolean): Iterable<Entry | null> {
  const bytes = body.subarray(startsWith(body, byteOrderMark) ? byteOrderMark.length : 0)
  if (!/^\s*\[/.test(bytes.toString('latin1', 0, 1_024))) return yield* lineEntries(bytes)
  if (!isUtf8(bytes)) {
    if (isLines) return yield* lineEntries(bytes)
    throw new ApiError('validation_error', 'The body is not UTF-8.')
  }
  if (isLines) {
    const isWhole = yield* endsAsArray(bytes)
    if (!isWhole) return yield* lineEntries(bytes)
  }
  yield* memberEntries(bytes)
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

const startsWith = (bytes: Buffer, start: Buffer) => bytes.subarray(0, start.length).equals(start)

const code = (character: string) => character.charCodeAt(0)
const newline = code('\n')
const quote = code('"')
const backslash = code('\\')
const comma = code(',')
const [openArray, openObject] = [code('['), code('{')]
const [closeArray, closeObject] = [code(']'), code('}')]

const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline

// ---- lines

function* lineEntries(bytes: Buffer): Iterable<Entry | null> {
  let line = 1
  let pauseAt = stepBytes
  for (let at = 0; at < bytes.length; ) {
    if (at >= pauseAt) {
      pauseAt = at + stepBytes
      yield null
    }
    if (isBlank(bytes[at])) {
      if (bytes[at] === newline) line++
      at++
      continue
    }
    const end = bytes.indexOf(newline, at)
    const record = bytes.subarray(at, end < 0 ? bytes.length : end)
    at += record.length
    yield { line, parse: (now) => parseRecord(record, now) }
  }
}

function parseRecord(record: Buffer, now: number): ParsedRecord {
  if (!isUtf8(record)) return notUtf8
  // A short record parses quickly however deep it is, and an overlong one is refused by its length.
  const isAtRisk = record.length > stepBytes && record.length <= maxRecordBytes
  if (isAtRisk && isTooDeep(record)) return tooDeep
  return parseLine(record.toString('utf8').trim(), now)
}

const notUtf8: ParsedRecord = { ok: false, code: 'invalid_utf8', message: 'a record is UTF-8' }
const tooDeep: ParsedRecord = {
  ok: false,
  code: 'invalid_json',
  message: `a record is nested at most ${deepest} deep`,
}

function isTooDeep(record: Buffer): boolean {
  const scan = createScan()
  for (let at = 0; at < record.length; at++) {
    scan.take(record[at]!)
    if (scan.depth() > deepest) return true
  }
  return false
}

// ---- members of an array

/** Tracks the position in JSON: the depth, and whether it is within a string. */
function createScan() {
  let depth = 0
  let isInString = false
  let isEscaped = false
  return {
    depth: () => depth,
    take(byte: number) {
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
        return false
      }
      if (byte === quote) isInString = true
      else if (byte === openArray || byte === openObject) depth++
      else if (byte === closeArray || byte === closeObject) depth--
      else return byte === comma && depth === 1
      return false
    },
  }
}

/** Returns whether the body's first bracket is closed by its last. */
function* endsAsArray(bytes: Buffer): Generator<null, boolean> {
  const scan = createScan()
  for (let at = 0; at < bytes.length; at++) {
    if (at % stepBytes === stepBytes - 1) yield null
    const before = scan.depth()
    scan.take(bytes[at]!)
    if (before === 1 && scan.depth() === 0) return isBlankFrom(bytes, at + 1)
  }
  return false
}

function* memberEntries(bytes: Buffer): Iterable<Entry | null> {
  const scan = createScan()
  let from = 0
  let isOpen = false
  let position = 0
  let deepestSeen = 0
  for (let at = 0; at < bytes.length; at++) {
    if (at % stepBytes === stepBytes - 1) yield null
    const isComma = scan.take(bytes[at]!)
    const depth = scan.depth()
    if (depth > deepestSeen) deepestSeen = depth
    if (!isOpen) {
      if (depth === 0) continue
      isOpen = true
      from = at + 1
      continue
    }
    if (!isComma && depth > 0) continue
    if (depth === 0 && bytes[at] !== closeArray) throw notAnArray('it ends with another bracket')
    const member = bytes.subarray(from, at)
    const isEmptyArray = depth === 0 && position === 0 && isBlankFrom(member, 0)
    if (!isEmptyArray) {
      position++
      yield memberEntry(member, position, deepestSeen > deepest + 1)
    }
    from = at + 1
    deepestSeen = 0
    if (depth > 0) continue
    if (!isBlankFrom(bytes, at + 1)) throw notAnArray('something follows its end')
    return
  }
  throw notAnArray('it is cut off')
}

function memberEntry(member: Buffer, line: number, isDeep: boolean): Entry {
  if (member.length > maxRecordBytes + stepBytes) {
    // Refused by its length alone, so its content does not matter.
    return { line, parse: (now) => parseLine(member.toString('latin1'), now) }
  }
  if (isDeep) return { line, parse: () => tooDeep }
  let value: unknown
  try {
    value = JSON.parse(member.toString('utf8'))
  } catch (error) {
    throw notAnArray(`${String(error)} in member ${line}`)
  }
  return { line, parse: (now) => parseMember(value, now) }
}

const isBlankFrom = (bytes: Buffer, from: number) => {
  for (let at = from; at < bytes.length; at++) if (!isBlank(bytes[at])) return false
  return true
}

const notAnArray = (problem: string) =>
  new ApiError(
    'validation_error',
    `The JSON array does not parse (${problem}); for one record per line send application/x-ndjson.`,
  )
