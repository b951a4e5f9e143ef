/**
 * Recorded files as text, rows and lines. The first bytes show whether a file is compressed, and a file is never held
 * whole unless its shape needs it.
 */

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { type CsvError, parse as csvParser } from 'csv-parse'
import { maxRecordBytes } from '../../../schemas/http/ingest.ts'
import { RecordingError } from './recording.ts'

/** Enough bytes for the longest push record, and for the header of any table. */
const headBytes = maxRecordBytes + 1

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Returns the beginning of the text, about as much as `headBytes` of the file hold. */
export async function readHead(path: string): Promise<string> {
  const bytes = await firstBytes(path, headBytes)
  if (!isGzip(bytes)) return bytes.toString('utf8')
  try {
    // With this flush a cut stream is read as far as it goes; by default it would be an error.
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8')
  } catch (error) {
    throw unreadable(path, error)
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
  } finally {
    await file.close()
  }
}

/** Opens the file's bytes, unpacked; a failure of any part ends the reading with that failure. */
async function openBytes(path: string): Promise<Readable> {
  const file = createReadStream(path)
  if (!isGzip(await firstBytes(path, 2))) return file
  return pipeline(file, createGunzip(), () => {})
}

/** Yields the text in pieces as it is read. */
async function* readPieces(path: string): AsyncGenerator<string> {
  const text = (await openBytes(path)).setEncoding('utf8')
  try {
    for await (const piece of text) yield piece as string
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Returns the whole text. */
export async function readText(path: string): Promise<string> {
  const pieces: string[] = []
  for await (const piece of readPieces(path)) pieces.push(piece)
  return pieces.join('').replace(/^\uFEFF/, '')
}

/** Yields the lines without their ends, blank ones too, so that counting them gives line numbers. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of readPieces(path)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

/** A row by the names of its columns; null when it is not as wide as the header. */
export interface CsvRow {
  /** Number of the row's last line in the file. */
  readonly line: number
  readonly cells: Readonly<Record<string, string>> | null
}

/** Yields the rows after the header. Empty lines are no rows. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  const parser = csvParser({
    bom: true,
    info: true,
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
      const { length } = header
      // Spreadsheets leave empty cells behind a row.
      const isWhole = record.length >= length && record.slice(length).every((cell) => cell === '')
      const cells = isWhole
        ? Object.fromEntries(header.map((name, column) => [name, record[column] ?? '']))
        : null
      yield { line: info.lines, cells }
    }
  } catch (error) {
    const cause = error as CsvError
    throw new RecordingError(`${path} is not to be read as CSV: ${cause.message}`, { cause })
  }
}

interface ParsedRow {
  readonly record: string[]
  readonly info: { readonly lines: number }
}

/** Returns a number as files write it; null for anything else, an empty cell included. */
export function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
}
