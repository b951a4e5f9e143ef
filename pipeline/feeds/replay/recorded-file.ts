/**
 * Recorded files as text, rows and lines. The first bytes show whether a file is compressed. A file
 * is only in memory as a whole if its format needs it. Memory is limited, because a small
 * compressed file may unpack to any size.
 */

import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { constants, createGunzip, type ZlibOptions } from 'node:zlib'
import { CsvError, parse as csvParser } from 'csv-parse'
import { maxRecordBytes } from '../../../schemas/http/ingest.ts'
import { RecordingError, UnsupportedRecordingError } from './recording.ts'

/** Enough text for the longest push record, and for the header of any table. */
const headLength = maxRecordBytes + 1

/** The longest text that is in memory as a whole. A reading of 100,000 prices has half of that. */
export const longestText = 128 * 1_024 ** 2

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Returns the beginning of the text: at least `headLength`, if it is that long.
 * @throws UnsupportedRecordingError for something that is no file, or no text in UTF-8
 * @throws RecordingError
 */
export async function readHead(path: string): Promise<string> {
  await requireFile(path)
  let head = ''
  // With this flush, a truncated stream is read as far as it goes; by default it would be an error.
  for await (const piece of readPieces(path, { finishFlush: constants.Z_SYNC_FLUSH })) {
    head += piece
    if (head.length >= headLength) break
  }
  if (wide.test(head)) {
    throw new UnsupportedRecordingError(
      `${path} is text in UTF-16; save it as UTF-8 (in a spreadsheet: CSV UTF-8, comma-delimited)`,
    )
  }
  return head
}

/** Matches text in UTF-16 that was read as UTF-8: with its mark, or with a zero beside each letter. */
const wide = /^(?:\uFFFD\uFFFD|(?:[^\0]\0){4}|(?:\0[^\0]){4})/

/** Reading a pipe might never end, and it cannot be read twice. */
async function requireFile(path: string) {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (!found.isFile()) {
    throw new UnsupportedRecordingError(
      `${path} is not a file but a directory, pipe or device; save the recording as a file, and name that`,
    )
  }
}

function unreadable(path: string, error: unknown): RecordingError {
  const cause = error as Error
  return new RecordingError(`${path} cannot be read: ${cause.message}`, { cause })
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await file.close()
  }
}

/** Opens the file's bytes, unpacked; a failure of any part ends the reading with that failure. */
async function openBytes(path: string, options?: ZlibOptions): Promise<Readable> {
  const isPacked = isGzip(await firstBytes(path, 2))
  const file = createReadStream(path)
  return isPacked ? pipeline(file, createGunzip(options), () => {}) : file
}

/** Yields the text in pieces as it is read, without a byte order mark. */
async function* readPieces(path: string, options?: ZlibOptions): AsyncGenerator<string> {
  const text = (await openBytes(path, options)).setEncoding('utf8')
  let isFirst = true
  try {
    for await (const piece of text as AsyncIterable<string>) {
      yield isFirst ? piece.replace(/^\uFEFF/, '') : piece
      isFirst = false
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

/**
 * Returns the whole text.
 * @throws RecordingError for one longer than `longestText`
 */
export async function readText(path: string): Promise<string> {
  const pieces: string[] = []
  let length = 0
  for await (const piece of readPieces(path)) {
    length += piece.length
    if (length > longestText) throw tooLong(path)
    pieces.push(piece)
  }
  return pieces.join('')
}

const tooLong = (path: string) =>
  new RecordingError(
    `${path} has more than ${longestText / 1_024 ** 2} MB of text, and its format has to be held whole; split it into several files in one directory, or save push records, one a line`,
  )

/**
 * Yields the lines without line ends, including blank lines, so that counting gives line numbers.
 * If a line is too long for a push record, only its beginning is read, which is also too long.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let line = ''
  for await (const piece of readPieces(path)) {
    const [end = '', ...following] = piece.split('\n')
    if (line.length <= maxRecordBytes) line += end
    for (const next of following) {
      yield line.replace(/\r$/, '')
      line = next
    }
  }
  if (line !== '') yield line
}

/** A row by the names of its columns; null if it is not as wide as the header. */
export interface CsvRow {
  /** Number of the row's last line in the file. */
  readonly line: number
  readonly cells: Readonly<Record<string, string>> | null
}

/**
 * Yields the rows after the header. Empty lines are no rows.
 * @throws RecordingError for a text longer than `longest`, and for a row longer than a push record may be
 */
export async function* readCsv(
  path: string,
  longest = Number.POSITIVE_INFINITY,
): AsyncGenerator<CsvRow> {
  const parser = csvParser({
    bom: true,
    info: true,
    max_record_size: maxRecordBytes,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  const rows = pipeline(await openBytes(path), parser, () => {})
  let header: readonly string[] | undefined
  try {
    for await (const { record, info } of rows as AsyncIterable<ParsedRow>) {
      if (!header) {
        header = record
        continue
      }
      if (info.bytes > longest) throw tooLong(path)
      const { length } = header
      // Spreadsheets leave empty cells at the end of a row.
      const isWhole = record.length >= length && record.slice(length).every((cell) => cell === '')
      const cells = isWhole
        ? Object.fromEntries(header.map((name, column) => [name, record[column] ?? '']))
        : null
      yield { line: info.lines, cells }
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error
    if (!(error instanceof CsvError)) throw unreadable(path, error)
    const cause = error
    throw new RecordingError(`${path} is not to be read as CSV: ${cause.message}`, { cause })
  }
}

interface ParsedRow {
  readonly record: string[]
  readonly info: { readonly lines: number; readonly bytes: number }
}

/** Returns a number as files write it; null for anything else, including an empty cell. */
export function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
}
