/** Detects the format of a recorded file from its first bytes, and reads its steps. */

import { parse as parseCsv } from 'csv-parse/sync'
import { jsonIn } from '../kit/json-text.ts'
import {
  extraLeagueColumns,
  fixtureColumns,
  readExtraLeague,
  readFixtures,
  readSeason,
  seasonColumns,
} from './football-data.ts'
import { isIngestHead, readIngestLines } from './ingest-lines.ts'
import { readTeamRows, teamRowColumns } from './multibook-season.ts'
import { gameRowColumns, priceRowColumns, readGameRows, readPriceRows } from './odds-api-rows.ts'
import { readHead, readText } from './recorded-file.ts'
import {
  RecordingError,
  type RecordingOptions,
  type Step,
  UnsupportedRecordingError,
} from './recording.ts'
import {
  contentOfJson,
  readReferenceCsv,
  readReferenceJson,
  referenceColumns,
} from './reference-rows.ts'

interface CsvShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly read: (path: string, options: RecordingOptions) => AsyncIterable<Step>
}

/**
 * The formats; the first one whose columns are all there counts. A season is a fixtures file with
 * results.
 */
const csvShapes: readonly CsvShape[] = [
  { name: 'odds series', columns: priceRowColumns, read: readPriceRows },
  { name: 'game lines', columns: gameRowColumns, read: readGameRows },
  { name: 'reference rows', columns: referenceColumns, read: readReferenceCsv },
  { name: 'football-data season', columns: seasonColumns, read: readSeason },
  { name: 'football-data extra league', columns: extraLeagueColumns, read: readExtraLeague },
  { name: 'football-data fixtures', columns: fixtureColumns, read: readFixtures },
  { name: 'multibook season', columns: teamRowColumns, read: readTeamRows },
]

const ingestShape = 'push records'
const referenceJsonShape = 'reference rows (JSON)'

export interface Recording {
  /** One of the names in the message of `UnsupportedRecordingError`. */
  readonly shape: string
  /** Reads the file from its beginning at each call. */
  steps(): AsyncIterable<Step>
}

/**
 * Opens a recorded file, compressed by gzip or not.
 * @throws UnsupportedRecordingError for a file of no known format
 * @throws RecordingError for a file that cannot be read, or has only a part of a response's rows
 */
export async function openRecording(
  path: string,
  options: RecordingOptions = {},
): Promise<Recording> {
  const head = await readHead(path)
  if (isExport(head)) throw exported(path)
  if (isIngestHead(head)) {
    return { shape: ingestShape, steps: () => readIngestLines(path, options) }
  }
  if (/^\s*[[{]/.test(head)) {
    // Only the end of a JSON text shows whether it is one document.
    const content = contentOfJson(await readText(path))
    if (content === 'other') throw unsupported(path, 'JSON')
    if (content === 'part of rows') throw inPart(path)
    return { shape: referenceJsonShape, steps: () => readReferenceJson(path) }
  }
  const columns = new Set(columnsOf(head))
  const shape = csvShapes.find((candidate) => candidate.columns.every((name) => columns.has(name)))
  if (!shape) throw unsupported(path, contentOf(head, [...columns]))
  return { shape: shape.name, steps: () => shape.read(path, options) }
}

function contentOf(head: string, columns: readonly string[]): string {
  if (head.trim() === '') return 'it is empty'
  return columns.length === 0
    ? 'its first line has no names of columns'
    : `columns ${columns.slice(0, 8).join(', ')}`
}

function columnsOf(head: string): string[] {
  try {
    const [columns = []] = parseCsv(head, { to_line: 1, relax_column_count: true }) as string[][]
    return columns
  } catch {
    return []
  }
}

/**
 * Returns whether a file is an export of this service's history, which does not have when prices
 * were seen again.
 */
function isExport(head: string): boolean {
  if (head.startsWith('PAR1')) return true
  const [first = ''] = head.split(/\r?\n/, 1)
  const columns = head.startsWith('{') ? keysOf(first) : columnsOf(first)
  return exportColumns.some((names) => names.every((name) => columns.includes(name)))
}

/** Columns of changes, of closes and of movements. */
const exportColumns = [
  ['event_start_time', 'at', 'changed'],
  ['event_start_time', 'captured_at', 'priced_at'],
  ['event_start_time', 'began_at', 'direction'],
] as const

const keysOf = (line: string): string[] => Object.keys(jsonIn(line) ?? {})

const exported = (path: string) =>
  new UnsupportedRecordingError(
    `${path} is an export of history, which does not say how long a price was seen, so it cannot be replayed. For a backtest of prices of your service save answers of GET /odds, one a minute in a directory (the guide replay says how)`,
  )

/**
 * A file counts as all offers of its sportsbooks, so the prices on other pages would be withdrawn.
 */
const inPart = (path: string) =>
  new RecordingError(
    `${path} is one page of several (its pagination has has_more: true), and prices of the other pages would count as withdrawn; save the rows of all pages as one file (the guide replay says how)`,
  )

/** The most characters of a file in a message. */
const mostShown = 200

const printable = (text: string) => text.slice(0, mostShown).replace(/\p{C}/gu, '\uFFFD')

function unsupported(path: string, found: string): UnsupportedRecordingError {
  const known = [
    `${ingestShape} (one JSON record a line)`,
    referenceJsonShape,
    ...csvShapes.map(
      ({ name, columns }) => `${name} (CSV with ${columns.slice(0, 4).join(', ')}, …)`,
    ),
  ]
  return new UnsupportedRecordingError(
    `${path} is not a recording of a known shape (${printable(found)}); known are: ${known.join('; ')}`,
  )
}
