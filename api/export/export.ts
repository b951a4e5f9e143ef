/**
 * Exports history from a running service over HTTP, day by day, as far as the key may see it. Each
 * day is a file beside the result until all are there, so a stopped export resumes when it is run
 * again for the same period with the same key. A day that is too large for one query, or whose file
 * breaks off again and again, is halved.
 */

import { createHash } from 'node:crypto'

import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { joinParquet, loadEngine } from '../../pipeline/archive/engine/parquet-files.ts'
import { behindHeader } from '../../schemas/http/history.ts'
import { keptForArchiveMs } from '../../schemas/topics.ts'
import { CommandError, exitCodeOf } from '../command-line/exit-codes.ts'

export const datasets = ['changes', 'closes'] as const
export type Dataset = (typeof datasets)[number]
export type Format = 'csv' | 'ndjson' | 'parquet'

export interface ExportOptions {
  readonly what: Dataset
  /** From inclusive, to exclusive (epoch ms). */
  readonly from: number
  readonly to: number
  readonly format: Format
  readonly out: string
  /** Base address of the service, with `/api/v1`. */
  readonly address: string
  readonly key: string
  /** Filters of the route: league, sport, event, sportsbook, market. */
  readonly filters: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** @param done fraction of the period @param bytes received so far */
  readonly onProgress: (done: number, bytes: number) => void
  /** Called before each wait for the archive, which is behind. */
  readonly onBehind?: (message: string) => void
  /** The wait before the next try (ms) for the seconds that the service asks for. */
  readonly waitMs?: (seconds: number) => number
}

/** The export cannot continue; the message says what to do. */
export class ExportError extends CommandError {
  override readonly name = 'ExportError'
}

const dayMs = 86_400_000
const leastSliceMs = 60_000
const mostTries = 8
/**
 * A response that has begun cannot report that it is too large. After breaking off this often, its
 * slice is halved.
 */
const mostBrokenOff = 2

interface Slice {
  readonly from: number
  readonly to: number
}

/**
 * @returns the number of rows in the file
 * @throws ExportError. An abort keeps the finished days for the next run.
 */
export async function exportHistory(options: ExportOptions): Promise<number> {
  try {
    return await exportDays(options)
  } catch (error) {
    if (options.signal.aborted || !isOfFiles(error)) throw error
    throw new ExportError(
      `The files of the export cannot be written or read: ${error.message}. When that is mended, run the export again to resume.`,
    )
  }
}

/** Errors of the network are causes of another error, those of files come as they are. */
const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error

async function exportDays(options: ExportOptions): Promise<number> {
  const { from, to, format, out, signal, onProgress } = options
  if (format === 'parquet') await requireEngine()
  const directory = `${resolve(out)}.parts`
  await openParts(directory, options)
  const names = new Set<string>()
  let bytes = 0
  let done = 0
  const waiting = slicesOf(options)
  for (let slice = waiting.shift(); slice; slice = waiting.shift()) {
    signal.throwIfAborted()
    const name = nameOf(slice, format)
    const path = join(directory, name)
    const halves = existsSync(path) ? null : await fetchSlice(options, slice, path)
    if (halves) {
      waiting.unshift(...halves)
      continue
    }
    names.add(name)
    bytes += (await stat(path)).size
    done += slice.to - slice.from
    onProgress(done / (to - from), bytes)
  }
  await removeOthers(directory, names)
  const rows = await joinParts(directory, options)
  await rm(directory, { recursive: true })
  return rows
}

/** @throws ExportError if days of Parquet could not be joined at the end */
async function requireEngine() {
  await loadEngine().catch(() => {
    throw new ExportError(
      'Parquet needs the package chdb, which does not load here: run npm install chdb, or choose --format csv or ndjson.',
    )
  })
}

/** UTC days; the first and the last may be shorter. */
function slicesOf({ from, to }: Slice): Slice[] {
  const slices: Slice[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, dayMs * (Math.floor(at / dayMs) + 1))
    slices.push({ from: at, to: end })
    at = end
  }
  return slices
}

/** Names sort by time. */
const nameOf = ({ from, to }: Slice, format: Format) =>
  `${[from, to].map((at) => new Date(at).toISOString().replaceAll(':', '')).join('_')}.${format}`

const jobName = 'export.json'

/**
 * Opens the directory of the finished days. It is for this export alone: another period, or a key
 * that sees other prices, would be mixed into the file.
 * @throws ExportError if it belongs to another export
 */
async function openParts(directory: string, options: ExportOptions) {
  const job = JSON.stringify(jobOf(options))
  const path = join(directory, jobName)
  await mkdir(directory, { recursive: true })
  const known = await readFile(path, 'utf8').catch(() => null)
  if (known === null) await writeFile(path, job)
  else if (known !== job) {
    throw new ExportError(
      `${directory} has the days of another export${differencesOf(known, options)}. To resume that one, repeat its ` +
        'command. Otherwise remove the directory, or choose another --out.',
    )
  }
}

/** The parameters that decide an export's rows. The key itself is not stored. */
const jobOf = ({ what, from, to, format, address, key, filters }: ExportOptions) => ({
  what,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  format,
  address,
  key: createHash('sha256').update(key).digest('hex'),
  filters,
})

/** Returns in brackets how another export's job differs; '' if it cannot be read. */
function differencesOf(known: string, options: ExportOptions): string {
  const job: Readonly<Record<string, unknown>> = jobOf(options)
  let other: Readonly<Record<string, unknown>>
  try {
    other = JSON.parse(known)
  } catch {
    return ''
  }
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const differences = Object.keys(job)
    .filter((name) => shown(other[name]) !== shown(job[name]))
    .map((name) =>
      name === 'key' || other[name] === undefined
        ? `another ${name}`
        : `${name} ${shown(other[name])}`,
    )
  return ` (${differences.join(', ')})`
}

/** Other users of the machine may not read the account's data. */
const ownerOnly = { mode: 0o600 }

/**
 * @returns null when the file is written; two halves when the slice is too large for one query
 * @throws ExportError
 */
async function fetchSlice(
  options: ExportOptions,
  slice: Slice,
  path: string,
): Promise<readonly Slice[] | null> {
  const { signal, waitMs = (seconds) => 1_000 * seconds } = options
  let reason = ''
  let isBehind = false
  let status = 0
  let brokenOff = 0
  for (let tries = 1; tries <= mostTries; tries++) {
    let seconds = tries
    let hasBegun = false
    isBehind = false
    try {
      status = 0
      const response = await requestSlice(options, slice)
      if (response.ok && response.body) {
        const behind = behindOf(response)
        if (behind !== null && slice.to > Date.now() - 1_000 * behind.seconds) {
          await response.body.cancel()
          throw new BehindError(behind, slice)
        }
        hasBegun = true
        const partial = `${path}.incomplete`
        await pipeline(Readable.fromWeb(response.body), createWriteStream(partial, ownerOnly), {
          signal,
        })
        await rename(partial, path)
        return null
      }
      const refusal = (await response.json().catch(() => null)) as Refusal | null
      reason = refusal?.error?.message ?? `status ${response.status}`
      if (refusal?.code === 'answer_too_large') return halvesOf(slice, reason)
      status = response.status
      if (status !== 429 && status < 500) throw new ExportError(reason, exitCodeOf(status))
      seconds = Number(response.headers.get('Retry-After')) || tries
    } catch (error) {
      if (signal.aborted || error instanceof ExportError || isOfFiles(error)) throw error
      reason = (error as Error).message
      isBehind = error instanceof BehindError
      if (error instanceof BehindError) {
        options.onBehind?.(reason)
        seconds = Math.min(longestWaitSeconds, error.seconds)
      }
      if (hasBegun && ++brokenOff >= mostBrokenOff && isDivisible(slice))
        return halvesOf(slice, reason)
    }
    await delay(waitMs(seconds), undefined, { signal })
  }
  throw new ExportError(
    `${isBehind ? reason : `The service does not respond: ${reason}`}. Run the export again to resume.`,
    exitCodeOf(isBehind ? 503 : status),
  )
}

/** The longest wait for the archive before the next try. */
const longestWaitSeconds = 60

/** The file lacks changes that the archive has yet to take. */
class BehindError extends Error {
  readonly seconds: number
  constructor({ seconds, isKnown }: Behind, { to }: Slice) {
    const fact = isKnown
      ? `The archive is ${seconds} s behind and`
      : 'The log does not tell how far the archive is behind: it'
    super(`${fact} may lack changes before ${new Date(to).toISOString()}`)
    this.seconds = seconds
  }
}

interface Behind {
  /** How long the changes that the file lacks may have waited. */
  readonly seconds: number
  readonly isKnown: boolean
}

/**
 * Returns null if the file lacks nothing. If the time is unknown, it is as long as the log keeps
 * changes.
 */
function behindOf({ headers }: Response): Behind | null {
  const stated = headers.get(behindHeader)
  if (stated === null) return null
  const seconds = Number(stated)
  return Number.isNaN(seconds)
    ? { seconds: keptForArchiveMs / 1_000, isKnown: false }
    : { seconds, isKnown: true }
}

interface Refusal {
  readonly code?: string
  readonly error?: { readonly message?: string }
}

function requestSlice(options: ExportOptions, slice: Slice) {
  const { what, format, address, key, filters, signal } = options
  const query = new URLSearchParams({
    ...filters,
    from: new Date(slice.from).toISOString(),
    to: new Date(slice.to).toISOString(),
    format,
  })
  const headers = { 'X-API-Key': key }
  return fetch(`${address}/historical/${what}?${query}`, { headers, signal })
}

const isDivisible = ({ from, to }: Slice) => to - from >= 2 * leastSliceMs

/** @throws ExportError for the reason, if the slice is too short */
function halvesOf(slice: Slice, reason: string): readonly Slice[] {
  if (!isDivisible(slice)) throw new ExportError(reason)
  const { from, to } = slice
  const middle = Math.floor((from + to) / 2)
  return [
    { from, to: middle },
    { from: middle, to },
  ]
}

// ---- joining the days

/**
 * Removes files of other slices: for example the halves of a day that an earlier run could not get
 * whole.
 */
async function removeOthers(directory: string, names: ReadonlySet<string>) {
  for (const name of await readdir(directory)) {
    if (!names.has(name) && name !== jobName) await rm(join(directory, name), { force: true })
  }
}

/** Writes the result by a rename: it is complete or absent. @returns the number of its rows */
async function joinParts(directory: string, options: ExportOptions): Promise<number> {
  const { format, out, signal } = options
  const partial = join(directory, 'result.incomplete')
  const written = { rows: 0 }
  if (format === 'parquet') written.rows = await joinParquet(directory, partial)
  else {
    const lines = linesOf(directory, format, written)
    await pipeline(lines, createWriteStream(partial, ownerOnly), { signal })
  }
  await rename(partial, out)
  return written.rows
}

/** The lines of all parts; of CSV parts, only the first header. @param written counts the rows */
async function* linesOf(
  directory: string,
  format: Format,
  written: { rows: number },
): AsyncGenerator<string> {
  let hasHead = format !== 'csv'
  for (const name of await partsIn(directory, format)) {
    const lines = createInterface({ input: createReadStream(join(directory, name)) })
    let isHead = format === 'csv'
    for await (const line of lines) {
      if (!isHead || !hasHead) yield `${line}\n`
      if (!isHead) written.rows++
      hasHead = true
      isHead = false
    }
  }
}

async function partsIn(directory: string, format: Format): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(`.${format}`)).sort()
}
