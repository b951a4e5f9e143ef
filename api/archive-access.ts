/**
 * Access of routes to the archive: it has each tier's limits of a query, and turns failures into
 * errors of `errors.ts`. These are the same for every transport: no archive, tables of an earlier
 * build, too many queries, a query that is too large. Any other refusal of a statement is a bug and
 * is passed on.
 */

import {
  type Archive,
  ArchiveError,
  dependsOnLoad,
  openArchive,
  type QueryLimits,
} from '../pipeline/archive/archive.ts'
import {
  ArchiveBusyError,
  type ArchiveReads,
  createArchiveReads,
} from '../pipeline/archive/archive-reads.ts'
import { hasNewestTables } from '../pipeline/archive/migrations.ts'
import type { StartedArchive } from '../pipeline/archive/start-archive.ts'
import type { ArchiveConfig } from '../pipeline/settings/config.ts'
import type { Tier } from '../schemas/reference/tier-books.ts'
import { ApiError, ClientGoneError, retryAfter } from './errors.ts'

export interface ArchiveAccess {
  /** @throws ApiError not_ready, archive_busy, answer_too_large */
  readonly reads: ArchiveReads
  /** The limits of one query. */
  readonly limits: Readonly<Record<Tier, QueryLimits>>
  close(): Promise<void>
}

const small: QueryLimits = { seconds: 5, resultRows: 20_000, readRows: 5e7, memoryBytes: 5e8 }
const large: QueryLimits = { seconds: 10, resultRows: 50_000, readRows: 2e8, memoryBytes: 1e9 }
const largest: QueryLimits = { seconds: 30, resultRows: 200_000, readRows: 1e9, memoryBytes: 2e9 }

const archiveLimits: Readonly<Record<Tier, QueryLimits>> = {
  free: small,
  hobby: small,
  pro: small,
  sharp: large,
  enterprise: largest,
}

/**
 * @param config null without an archive
 * @param started the archive started by this process; null in a process that only queries a server
 */
export function openArchiveAccess(
  config: ArchiveConfig | null,
  started: Pick<StartedArchive, 'address' | 'engine'> | null,
): ArchiveAccess {
  const address = started?.address ?? (config && 'url' in config.at ? config.at : undefined)
  const archive = config && address ? openArchive(address, config.database) : null
  return createArchiveAccess(archive, () => {
    const state = started?.engine?.state
    return state?.state === 'absent' ? state.reason : undefined
  })
}

/**
 * @param archive null without an archive
 * @param absence returns why the archive is missing for good; undefined while it may still come
 */
export function createArchiveAccess(
  archive: Pick<Archive, 'query' | 'export' | 'close'> | null,
  absence: () => string | undefined = () => undefined,
): ArchiveAccess {
  const reads = createArchiveReads(archive)

  async function withApiErrors<Value>(read: () => Promise<Value>): Promise<Value> {
    if (!archive) throw notReady('off', noArchive)
    const reason = absence()
    if (reason !== undefined) throw notReady('absent', `The archive is missing: ${reason}.`)
    try {
      return await read()
    } catch (error) {
      const mayBeBehind = error instanceof ArchiveError && error.code === 'refused'
      if (mayBeBehind && !(await hasNewestTables(archive).catch(() => true))) {
        throw notReady('starting', earlierTables)
      }
      throw asApiError(error)
    }
  }

  return {
    reads: {
      rows: (question) => withApiErrors(() => reads.rows(question)),
      lines: (question) => withApiErrors(() => reads.lines(question)),
      file: (question, format) => withApiErrors(() => reads.file(question, format)),
    },
    limits: archiveLimits,
    close: async () => archive?.close(),
  }
}

const noArchive =
  'This service keeps no history: OVERROUND_ARCHIVE is off, or OVERROUND_CLICKHOUSE_URL is not set and roles are split.'

const earlierTables =
  'The tables of the archive are of an earlier version, and are changed when the process that fills it has started; try again.'

function asApiError(error: unknown): unknown {
  if (error instanceof ArchiveBusyError) {
    return new ApiError('archive_busy', error.message, retryAfter(1))
  }
  if (!(error instanceof ArchiveError)) return error
  // The reader has ended the query.
  const { cause } = error
  if (cause instanceof ClientGoneError || cause instanceof ApiError) return cause
  if (error.code === 'unavailable') {
    return notReady('starting', 'The archive does not respond yet; try again.')
  }
  if (error.code !== 'too_much') return error
  return dependsOnLoad(error)
    ? new ArchiveLoadError('answer_too_large', tooLarge)
    : new ApiError('answer_too_large', tooLarge)
}

const tooLarge = 'The query needs more of the archive than the tier allows; ask for less at once.'

/** A query beyond a limit that it may keep at another time, when the engine has less to do. */
export class ArchiveLoadError extends ApiError {}

const notReady = (reason: 'off' | 'absent' | 'starting', message: string) =>
  new ApiError('not_ready', message, { ...retryAfter(1), reason })
