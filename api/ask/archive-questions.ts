/**
 * Questions to the archive on behalf of a caller: within the limits of the tier, of the sportsbooks that
 * the scope sees, as rows or as a file.
 */

import type { ExportFormat, QueryLimits } from '../../pipeline/archive/archive.ts'
import type { SeenSportsbooks, Statement } from '../../pipeline/archive/shown-prices.ts'
import { fileTypes } from '../../schemas/http/history.ts'
import type { Caller } from '../access/keys.ts'
import type { Scope } from '../access/scope.ts'
import { type RequiredFeature, tierRights } from '../access/tiers.ts'
import type { PageQuery } from '../answer/list-page.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import type { ErrorCode } from '../errors.ts'
import type { Answer } from '../route.ts'
import { watchedEventIds } from './event-filters.ts'
import type { BoardFilters } from './filters.ts'

/** History is for the tiers that have that of closing lines. */
export const historyFeature: RequiredFeature = {
  feature: 'closing_lines',
  otherwise: 'tier_restricted',
}

/** The errors of every route that reads the archive. */
export const archiveErrors = [
  'answer_too_large',
  'archive_busy',
  'not_ready',
] as const satisfies readonly ErrorCode[]

/** Who pays for a question, and by which limits. */
export type Asker = Pick<Caller, 'accountId' | 'tier'>

export interface ArchiveQuestions {
  /** @throws ApiError */
  rows<Row>(statement: Statement, caller: Asker): Promise<Row[]>
  /** @param name of the file, without its end @throws ApiError */
  file(statement: Statement, format: ExportFormat, name: string, caller: Asker): Promise<Answer>
}

/** A file is sent while ClickHouse writes it, to a client that may be slow; its rows are never all in memory. */
const fileSeconds = 120
const fileRows = 20_000_000

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: `${fileTypes.csv}; charset=utf-8`,
  ndjson: `${fileTypes.ndjson}; charset=utf-8`,
  parquet: fileTypes.parquet,
}

export function createArchiveQuestions({
  reads,
  limits,
}: Pick<ArchiveAccess, 'reads' | 'limits'>): ArchiveQuestions {
  return {
    rows: (statement, { accountId, tier }) =>
      reads.rows({ ...statement, caller: accountId, limits: limits[tier] }),
    async file(statement, format, name, { accountId, tier }) {
      const ofFile: QueryLimits = {
        ...limits[tier],
        seconds: fileSeconds,
        resultRows: fileRows,
      }
      const question = { ...statement, caller: accountId, limits: ofFile }
      return {
        stream: await reads.file(question, format),
        headers: {
          'Content-Type': contentTypes[format],
          'Content-Disposition': `attachment; filename="${name}.${format}"`,
        },
      }
    },
  }
}

/**
 * The rows of a page, each of which says how many items there are in all.
 * @param statementOf the statement of a page
 * @throws ApiError
 */
export async function askPage<Row extends { readonly total: number }>(
  { rows: rowsOf }: ArchiveQuestions,
  statementOf: (page: PageQuery) => Statement,
  { limit, offset }: PageQuery,
  caller: Caller,
) {
  const rows = await rowsOf<Row>(statementOf({ limit, offset }), caller)
  // Behind the end no row says the total: the first one does.
  const isBehind = rows.length === 0 && offset > 0
  const first = isBehind ? await rowsOf<Row>(statementOf({ limit: 1, offset: 0 }), caller) : rows
  return { rows, total: first[0]?.total ?? 0 }
}

/**
 * The sportsbooks of the past that a request may see: also those that have left the board since.
 * @param filters where the request names sportsbooks, those of them in its scope
 */
export function seenThen(
  { tier, isOwner, sources, sportsbooks }: Scope,
  filters: Pick<BoardFilters, 'named' | 'sportsbooks'> | null,
): SeenSportsbooks {
  const isOfAll = tierRights[tier].sportsbooks === null
  const ofTier = filters?.named ? filters.sportsbooks : sportsbooks
  return {
    // Those of a scope are of the board of now: one that has left it is not among them.
    only: isOfAll ? filters?.named : ofTier,
    hidden: isOwner ? [] : [...sources.ownersOnly],
  }
}

export const isSeen = ({ only, hidden }: SeenSportsbooks, sportsbook: string) =>
  (only?.includes(sportsbook) ?? true) && !hidden.includes(sportsbook)

/** Ids of events that one question may name, with those that an older form stands for. */
export const mostEventIds = 120
/** No event has a longer id. */
const longestId = 200

/** Every whole id that the request may mean; undefined for more than `mostEventIds`. */
export function eventIdsNamed(ids: readonly string[]): readonly string[] | undefined {
  const whole = watchedEventIds(ids.filter(({ length }) => length <= longestId))
  return whole.length <= mostEventIds ? whole : undefined
}
