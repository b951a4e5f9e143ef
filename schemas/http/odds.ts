/** The responses of `/odds` and `/odds/delta` (interface 2.1, 4.3, 4.4). */

import { z } from 'zod'
import { eventStatuses } from '../feed-record.ts'
import { filters, listOf, pagination, pastMeta, timestamp, walkPagination } from './envelope.ts'
import { example, exampleOf } from './example.ts'
import { attributeColumns, movingColumns, standingColumns } from './odds-columns.ts'

const slug = z.string()

const shapes = {
  row: standingColumns.row,
  selection: standingColumns.selection,
  moving: {
    ...movingColumns.sighting,
    ...movingColumns.change,
    ...movingColumns.price,
    ...movingColumns.state,
  },
  attributes: attributeColumns,
}

/** A row; its columns are in `odds-columns.ts`. */
export const oddsItem = z.object({
  ...shapes.row,
  ...standingColumns.sportsbook,
  ...standingColumns.event,
  ...shapes.selection,
  ...standingColumns.start,
  ...standingColumns.detail,
  ...shapes.moving,
  ...shapes.attributes,
})

export const exampleOdds = exampleOf(oddsItem)

/** A row as a client parses it. */
export type OddsItem = z.infer<typeof oddsItem>

type GoneShape<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodType ? z.ZodNullable<Shape[Name]> : never
}

/** The attributes in a delta: null for one that the row no longer has. */
const attributesOrGone = Object.fromEntries(
  Object.entries(shapes.attributes).map(([name, schema]) => [
    name,
    schema.nullable().describe('Null if the row no longer has one.'),
  ]),
) as unknown as GoneShape<typeof shapes.attributes>

/** The change of a row that the client has: the moving fields with their current values. */
export const oddsDelta = z
  .object({
    id: shapes.row.id,
    line: shapes.selection.line,
    ...shapes.moving,
    ...attributesOrGone,
  })
  // Interface 6.2 lets the service leave out these moving fields; it always sends them.
  .partial({ last_seen_at: true, timestamp: true, probability: true, status: true })
  .describe('Replaces these fields of the row with the same id.')

/** A row that a stream sends to a client that names `fields`. */
export const oddsOfFields = oddsItem
  .partial()
  .required({ id: true })
  .extend(attributesOrGone)
  .describe('With `fields`: the named fields and `id`.')

/** Flags that follow from what a row shows, for clients that name them in `fields`: they never change. */
export const rowFlags = {
  is_player_prop: z.boolean().optional(),
}

export const rowFlagFields: readonly string[] = Object.keys(rowFlags)

/**
 * Flags of the line a row is on, for clients of `/odds` that name them in `fields`. They depend on
 * all prices of the question that match the filter, so they change without a change of the row.
 */
export const lineFlags = {
  is_main_line: z.boolean().optional().describe('Only if `fields` names it.'),
  is_alternate_line: z.boolean().optional(),
}

export const lineFields: readonly string[] = Object.keys(lineFlags)

/** With `fields`, only the named fields of a row. */
export const oddsSomeFields = oddsItem.partial().extend({ ...rowFlags, ...lineFlags })

export const oddsGroup = z.object({
  event_id: z.string(),
  event_name: z.string(),
  sport: slug,
  league: slug,
  start_time: timestamp,
  is_live: z.boolean(),
  odds_total: z.int().describe('Matching rows of the event, on all pages.'),
  partial: z.boolean().describe('Whether some of them are on other pages.'),
  odds: z.array(oddsSomeFields),
})

export const emptyPage = z
  .object({
    ready: z.boolean(),
    reason: z.enum(['no_match', 'store_empty']),
    event_status: z
      .enum(eventStatuses)
      .optional()
      .describe('Of the one event named, if it has no prices.'),
  })
  .describe('On an empty page: why it is empty.')

/**
 * Fields of rows and of groups in one schema. For a union, client generators either require all
 * fields of both, or take the first form that a text could have.
 */
export const oddsListItem = example(
  z.object({ ...oddsSomeFields.shape, ...oddsGroup.partial().shape }),
  exampleOdds,
  'A row (`OddsItem`); with `fields`, the named fields of one (`OddsSomeFields`); with `group_by=event`, an event with its rows (`OddsGroup`).',
)

const ofNba = example(filters, { league: ['nba'] })

export const oddsAnswer = listOf(oddsListItem, {
  pagination: walkPagination,
  filters: ofNba,
  books_available: example(z.array(slug), ['draftkings']),
  books_returned: example(z.array(slug), ['draftkings']),
  group_by: z.literal('event').optional(),
  overflow: z.literal(true).optional(),
  store: emptyPage.optional(),
  ...pastMeta,
}).extend({
  pagination: walkPagination,
  overflow: z
    .literal(true)
    .optional()
    .describe('More than 10,000 rows match: take a snapshot with the cursor, not with offsets.'),
})

export const deltaPagination = pagination.extend({
  total: example(
    z.int(),
    1,
    'All matching items; 10,001 where there are more than 10,000, which `overflow` says.',
  ),
})

export const deltaAnswer = listOf(oddsSomeFields, {
  filters: ofNba,
  pagination: deltaPagination,
  server_time: example(timestamp, '2026-11-20T12:00:00.250113Z', 'The `since` of the next call.'),
  position: z
    .string()
    .nullable()
    .optional()
    .describe('The `resume_from` of the next call; absent if there is more, and on delayed tiers.'),
  books_changed: example(
    z.array(slug),
    ['draftkings'],
    'Sportsbooks of the rows in `data` and `removed`.',
  ),
}).extend({
  pagination: deltaPagination,
  removed: example(
    z.array(z.string()),
    ['310778204665018'],
    'Ids to delete, oldest first: rows that matched the filter and are gone or no longer match, of the last ten minutes. At most 1,000.',
  ),
  removed_truncated: z
    .literal(true)
    .optional()
    .describe('There are more ids; the next call, from server_time, returns them.'),
  since_clamped: z
    .literal(true)
    .optional()
    .describe(
      'Removals since `since` may be missing: it is more than ten minutes ago, before our start, or further back than the last 524,288 changes of the board. Take a new snapshot.',
    ),
  overflow: z
    .boolean()
    .describe(
      'More than 10,000 rows changed, more than 1,000 left the filter, or `since` is too old: take a new snapshot.',
    ),
})
