/**
 * The shapes that all responses share (interface 1). List fields are both at the top level and inside `meta`, because
 * there are clients of either description.
 */

import { z } from 'zod'
import { example } from './example.ts'

/** RFC 3339 in UTC. */
export const timestamp = example(
  z.iso.datetime().meta({ examples: ['2026-11-20T12:00:00.123Z'] }),
  '2027-01-14T21:03:11.204Z',
)

/** Fields of `meta` in a response about the past. */
export const pastMeta = {
  as_of: example(timestamp.optional(), undefined, 'The past time of this response.'),
  archived_until: timestamp
    .nullable()
    .optional()
    .describe(
      'When the newest change in the archive was observed: the response is complete up to it. Null if the archive is empty.',
    ),
}

/** Fields of `meta` in a response from the archive. */
export const archiveMeta = {
  archive: z
    .object({
      records_behind: z.int().min(1),
      seconds_behind: z.number().min(0).nullable(),
    })
    .optional()
    .describe(
      'Only while the archive is behind the log, so that the newest rows may be missing; as in `/health`.',
    ),
}

export const pagination = z.object({
  limit: example(z.int(), 50),
  offset: example(z.int(), 0),
  count: example(z.int(), 1, 'Items in `data`.'),
  total: example(z.int(), 1, 'All matching items.'),
  has_more: z.boolean(),
  next_offset: z.int().nullable(),
})

/** The pagination of a list that can also be walked by cursor. */
export const walkPagination = pagination.extend({
  next_cursor: z.string().nullable().describe('Continue here, with the same filters.'),
})

/** The time of the last update; null when nothing has been seen yet. */
export const updatedAt = timestamp
  .nullable()
  .describe('When the data behind this last changed; null before the first data.')

/** The filters as understood: canonical ids, not the spelling sent. */
export const filters = example(
  z.record(z.string(), z.union([z.array(z.string()), z.string(), z.number(), z.boolean()])),
  {},
  'The filters as understood, in canonical ids.',
)

/** The `meta` of a response with a list. */
export const listMeta = z.object({
  count: example(z.int(), 1),
  total: example(z.int(), 1),
  filters,
  pagination,
  updated_at: updatedAt,
  updated: updatedAt,
})

/** Returns the schema of a response with a list. @param meta further fields of `meta`, or those of another shape */
export function listOf<Item extends z.ZodType>(item: Item, meta?: z.ZodRawShape) {
  return z.object({
    success: z.literal(true),
    data: z.array(item),
    pagination,
    updated_at: updatedAt,
    meta: meta ? listMeta.extend(meta) : listMeta,
  })
}

/** The `meta` of a response with one object. */
export const objectMeta = z.object({ updated_at: updatedAt, updated: updatedAt })

/** Returns the schema of a response with one object. @param meta further fields of `meta` */
export function objectOf<Data extends z.ZodType>(data: Data, meta?: z.ZodRawShape) {
  return z.object({
    success: z.literal(true),
    data,
    updated_at: updatedAt,
    meta: meta ? objectMeta.extend(meta) : objectMeta,
  })
}

const seconds = z.int().describe('Seconds to wait before the next try.')

/** Fields that are inside `error` and beside it, because clients look in either place. */
const repeated = {
  tier: z.string().optional().describe('The tier of the key.'),
  required_tier: z.string().nullable().optional().describe('The lowest sufficient tier.'),
  addon: z.string().optional().describe('The sufficient add-on.'),
  retry_after: seconds.optional(),
  max_offset: z.int().optional(),
  correct_endpoint: z.string().optional().describe('Below the same base address.'),
  stream_endpoints: z
    .object({ sse: z.string(), websocket: z.string() })
    .optional()
    .describe('Where streams are.'),
}

const values = z.record(z.string(), z.string())

/** The schema of every response that is neither 2xx nor 3xx (interface 7). */
export const errorAnswer = z.object({
  error: z.object({
    code: z.string().describe('For programs; `message` is for people.'),
    message: z.string(),
    ...repeated,
    retryAfter: seconds.optional(),
    parameters: z.array(z.string()).optional().describe('Invalid query parameters.'),
    reference: z.string().optional().describe('Where the known ids are listed.'),
    max_books: z.int().optional(),
    requested_books: z.int().optional(),
    max_batch: z.int().optional(),
    max_keys: z.int().optional(),
    max_streams: z.int().optional(),
    from: z.string().optional().describe('A first day with which it fits.'),
    reason: z
      .string()
      .optional()
      .describe('Why a position cannot be resumed, or why the archive is not ready.'),
    details: z
      .object({
        fields: z.record(z.string(), z.array(z.string())).describe('Unknown values.'),
        reference: values.describe('Where the known ones are listed.'),
        did_you_mean: z.array(
          z.object({
            field: z.string(),
            value: z.string(),
            try: values.describe('Parameters to send instead.'),
          }),
        ),
      })
      .optional(),
  }),
  code: z.string().describe('The same as `error.code`.'),
  ...repeated,
})
