/**
 * Queries to the archive for callers. A limited number runs at a time, few for each caller. A
 * limited number of others wait their turn for a limited time; further ones are refused at once. So
 * no caller can slow down the others or the service. A file takes as long as its reader. So files
 * leave room for lines, both leave room for other queries, files of one caller leave room for
 * another's file, and files have a time limit.
 */

import type { Readable } from 'node:stream'
import {
  type Archive,
  ArchiveError,
  type ExportFormat,
  type Parameters,
  type QueryLimits,
} from './archive.ts'

export interface ArchiveQuestion {
  /** The account charged for the query. */
  readonly caller: string
  readonly statement: string
  readonly parameters: Parameters
  readonly limits: QueryLimits
  /** Runs the decoding of rows at the caller's cost; see `Archive.query`. */
  readonly decoding?: (<Result>(work: () => Result) => Result) | undefined
}

export interface ArchiveReads {
  /** @throws ArchiveError, ArchiveBusyError */
  rows<Row>(question: ArchiveQuestion): Promise<Row[]>
  /**
   * Returns rows as JSON lines, for a reader in this process that takes them as they come. It takes
   * no slot of a file, but leaves the last slot to `rows`, as files do. Keeps its slot until the
   * stream has ended.
   * @throws ArchiveError, ArchiveBusyError
   */
  lines(question: ArchiveQuestion): Promise<Readable>
  /** Keeps its slot until the stream has ended. @throws ArchiveError, ArchiveBusyError */
  file(question: ArchiveQuestion, format: ExportFormat): Promise<Readable>
}

/** Thrown if a caller, or all together, have too many waiting queries, or one waited too long. */
export class ArchiveBusyError extends Error {
  override readonly name = 'ArchiveBusyError'
}

export interface ReadsOptions {
  /** The most queries in progress, of all callers and of one. */
  readonly atATime?: number
  readonly ofOneCaller?: number
  /** The most queries that wait. */
  readonly waiting?: number
  readonly waitingOfOneCaller?: number
  /** How long a query waits. */
  readonly waitMs?: number
  /** The reader's time for a file beyond that of the engine. */
  readonly readingMs?: number
}

type Kind = 'rows' | 'lines' | 'file'

interface Waiting {
  readonly caller: string
  readonly kind: Kind
  start(): void
}

/** @param archive null where there is none: every query fails with `unavailable` */
export function createArchiveReads(
  archive: Pick<Archive, 'query' | 'export'> | null,
  {
    atATime = 4,
    ofOneCaller = 2,
    waiting: mostWaiting = 64,
    waitingOfOneCaller = 8,
    waitMs = 30_000,
    readingMs = 60_000,
  }: ReadsOptions = {},
): ArchiveReads {
  /** Queries in progress by caller: all, those read as a stream, and the files among these. */
  const running = createCounts()
  const streams = createCounts()
  const files = createCounts()
  const waiting: Waiting[] = []
  const streamsAtATime = Math.max(1, atATime - 1)
  const filesAtATime = Math.max(1, atATime - 2)
  const filesOfOneCaller = Math.max(1, filesAtATime - 1)

  const mayRun = (caller: string, kind: Kind) =>
    running.all < atATime &&
    running.of(caller) < ofOneCaller &&
    (kind === 'rows' || streams.all < streamsAtATime) &&
    (kind !== 'file' || (files.all < filesAtATime && files.of(caller) < filesOfOneCaller))

  function count(caller: string, kind: Kind, change: 1 | -1) {
    running.add(caller, change)
    if (kind !== 'rows') streams.add(caller, change)
    if (kind === 'file') files.add(caller, change)
  }

  /** Resolves when it is the query's turn. @throws ArchiveBusyError */
  async function turn(caller: string, kind: Kind): Promise<void> {
    if (mayRun(caller, kind)) return count(caller, kind, 1)
    const ofCaller = waiting.filter((one) => one.caller === caller).length
    if (waiting.length >= mostWaiting || ofCaller >= waitingOfOneCaller) {
      throw new ArchiveBusyError('The archive has as many questions as it takes.')
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1)
        reject(new ArchiveBusyError('The archive was busy with other questions for too long.'))
      }, waitMs)
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const one = { caller, kind, start }
      waiting.push(one)
    })
  }

  function end(caller: string, kind: Kind) {
    count(caller, kind, -1)
    // The end of a file may make room for two queries: one of its caller, and another caller's
    // file.
    for (;;) {
      const next = waiting.findIndex((one) => mayRun(one.caller, one.kind))
      if (next < 0) return
      const [started] = waiting.splice(next, 1)
      count(started!.caller, started!.kind, 1)
      started!.start()
    }
  }

  function present(): Pick<Archive, 'query' | 'export'> {
    if (archive) return archive
    throw new ArchiveError('unavailable', 'This service keeps no archive.', null)
  }

  async function stream(
    { caller, statement, parameters, limits }: ArchiveQuestion,
    format: ExportFormat,
    kind: Kind,
  ): Promise<Readable> {
    const engine = present()
    await turn(caller, kind)
    try {
      const stream = await engine.export(statement, parameters, format, limits)
      const timer = setTimeout(
        () => stream.destroy(new ArchiveError('too_much', 'The file was read too slowly.', null)),
        1_000 * limits.seconds + readingMs,
      )
      timer.unref()
      stream.once('close', () => {
        clearTimeout(timer)
        end(caller, kind)
      })
      return stream
    } catch (error) {
      end(caller, kind)
      throw error
    }
  }

  return {
    async rows({ caller, statement, parameters, limits, decoding }) {
      const engine = present()
      await turn(caller, 'rows')
      try {
        return await engine.query(statement, parameters, limits, decoding)
      } finally {
        end(caller, 'rows')
      }
    },
    lines: (question) => stream(question, 'ndjson', 'lines'),
    file: (question, format) => stream(question, format, 'file'),
  }
}

/** Counts by caller, and in all. */
function createCounts() {
  const counts = new Map<string, number>()
  let all = 0
  return {
    get all() {
      return all
    },
    of: (caller: string) => counts.get(caller) ?? 0,
    add(caller: string, number: number) {
      all += number
      const count = (counts.get(caller) ?? 0) + number
      if (count === 0) counts.delete(caller)
      else counts.set(caller, count)
    },
  }
}
