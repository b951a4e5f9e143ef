/** Queries the archive for a caller: within the tier's limits and the scope's sportsbooks, as rows or as a file. */

import {
  type ExportFormat,
  longestQuerySeconds,
  type QueryLimits,
} from '../../pipeline/archive/archive.ts'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { SeenSportsbooks, Statement } from '../../pipeline/archive/shown-prices.ts'
import { behindHeader, fileTypes } from '../../schemas/http/history.ts'
import type { Caller } from '../access/keys.ts'
import { hiddenFrom, type Scope } from '../access/scope.ts'
import { type RequiredFeature, tierRights } from '../access/tiers.ts'
import type { PageQuery } from '../answer/list-page.ts'
import { archiveMetaOf } from '../answer/past-meta.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import type { ErrorCode } from '../errors.ts'
import type { Admitted, Answer } from '../route.ts'
import { watchedEventIds } from './event-filters.ts'
import type { BoardFilters } from './filters.ts'

/** Feature required for history: the tiers with the history of closing lines have it. */
export const historyFeature: RequiredFeature = {
  feature: 'closing_lines',
  otherwise: 'tier_restricted',
}

/** Errors shared by all routes that read the archive. */
export const archiveErrors = [
  'answer_too_large',
  'archive_busy',
  'not_ready',
] as const satisfies readonly ErrorCode[]

/** The account that a query counts for and that pays for its rows, and the tier whose limits apply. */
export type Asker = Pick<Admitted, 'charged'> & {
  readonly caller: Pick<Caller, 'accountId' | 'tier'>
}

export interface ArchiveQuestions {
  /** @throws ApiError */
  rows<Row>(statement: Statement, by: Asker): Promise<Row[]>
  /** Returns the answer with a file, which asks the archive when it is sent. @param name without extension */
  file(statement: Statement, format: ExportFormat, name: string, by: Pick<Asker, 'caller'>): Answer
}

/** A file is streamed while ClickHouse writes it, perhaps to a slow client. Its rows are never all in memory. */
const fileRows = 20_000_000

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: `${fileTypes.csv}; charset=utf-8`,
  ndjson: `${fileTypes.ndjson}; charset=utf-8`,
  parquet: fileTypes.parquet,
}

/** @param health null without an archive */
export function createArchiveQuestions(
  { reads, limits }: Pick<ArchiveAccess, 'reads' | 'limits'>,
  health: () => ArchiveHealth | null,
): ArchiveQuestions {
  return {
    rows: (statement, { caller: { accountId, tier }, charged }) =>
      reads.rows({ ...statement, caller: accountId, limits: limits[tier], decoding: charged }),
    file(statement, format, name, { caller: { accountId, tier } }) {
      const ofFile: QueryLimits = {
        ...limits[tier],
        seconds: longestQuerySeconds,
        resultRows: fileRows,
      }
      const question = { ...statement, caller: accountId, limits: ofFile }
      return {
        open: () => reads.file(question, format),
        headers: {
          'Content-Type': contentTypes[format],
          'Content-Disposition': `attachment; filename="${name}.${format}"`,
          ...behindHeaders(health()),
        },
      }
    },
  }
}

function behindHeaders(health: ArchiveHealth | null): Readonly<Record<string, string>> {
  if (health?.behindRecords === null) return { [behindHeader]: 'unknown' }
  const { archive } = archiveMetaOf(health)
  if (!archive) return {}
  const seconds = archive.seconds_behind
  return { [behindHeader]: seconds === null ? 'unknown' : String(Math.ceil(seconds)) }
}

/**
 * Reads the rows of a page. Each row carries the total number of items.
 * @param statementOf returns the statement of a page
 * @throws ApiError
 */
export async function askPage<Row extends { readonly total: number }>(
  { rows: rowsOf }: ArchiveQuestions,
  statementOf: (page: PageQuery) => Statement,
  { limit, offset }: PageQuery,
  by: Asker,
) {
  const rows = await rowsOf<Row>(statementOf({ limit, offset }), by)
  // A page beyond the end has no row to carry the total, so the first row is read.
  const isBehind = rows.length === 0 && offset > 0
  const first = isBehind ? await rowsOf<Row>(statementOf({ limit: 1, offset: 0 }), by) : rows
  return { rows, total: first[0]?.total ?? 0 }
}

/**
 * Returns the visible sportsbooks of the past, including those that have left the board since.
 * @param filters limit the result to the named sportsbooks of the scope, if the request names any
 */
export function seenThen(
  scope: Scope,
  filters: Pick<BoardFilters, 'named' | 'sportsbooks'> | null,
): SeenSportsbooks {
  const isOfAll = tierRights[scope.tier].sportsbooks === null
  const ofTier = filters?.named ? filters.sportsbooks : scope.sportsbooks
  return {
    // A scope lists only sportsbooks of the current board, so a tier with all sportsbooks is not limited by it.
    only: isOfAll ? filters?.named : ofTier,
    hidden: hiddenFrom(scope),
  }
}

export const isSeen = ({ only, hidden }: SeenSportsbooks, sportsbook: string) =>
  (only?.includes(sportsbook) ?? true) && !hidden.includes(sportsbook)

/** Most event ids in one query, including the expansions of older ids. */
export const mostEventIds = 120
/** Greatest length of an event id. */
const longestId = 200

/** Returns all full ids that the request may mean; undefined if there are more than `mostEventIds`. */
export function eventIdsNamed(ids: readonly string[]): readonly string[] | undefined {
  const whole = watchedEventIds(ids.filter(({ length }) => length <= longestId))
  return whole.length <= mostEventIds ? whole : undefined
}
