/**
 * The shapes that all answers share (interface 1). List members stand both at the top level and
 * inside `meta`, because clients of either description exist.
 */

import { z } from 'zod'

/** RFC 3339 in UTC. */
export const timestamp = z.iso.datetime().meta({ examples: ['2026-11-20T12:00:00.123Z'] })

export const pagination = z.object({
  limit: z.int(),
  offset: z.int(),
  count: z.int().describe('Items in this answer.'),
  total: z.int().describe('Items the filters name.'),
  has_more: z.boolean(),
  next_offset: z.int().nullable(),
})

/** Null: nothing has been seen yet. */
const updatedAt = timestamp
  .nullable()
  .describe('When the data behind the answer last changed; null before the first data.')

/** The filters as understood: canonical ids, not the spelling sent. */
export const filters = z
  .record(z.string(), z.union([z.array(z.string()), z.string(), z.number(), z.boolean()]))
  .describe('The filters as understood, in canonical ids.')

/** An answer with a list. @param meta further members of `meta` */
export function listOf<Item extends z.ZodType>(item: Item, meta: z.ZodRawShape = {}) {
  return z.object({
    success: z.literal(true),
    data: z.array(item),
    pagination,
    updated_at: updatedAt,
    meta: z.object({
      count: z.int(),
      total: z.int(),
      filters,
      pagination,
      updated_at: updatedAt,
      updated: updatedAt,
      ...meta,
    }),
  })
}

/** An answer with one object. @param meta further members of `meta` */
export function objectOf<Data extends z.ZodType>(data: Data, meta: z.ZodRawShape = {}) {
  return z.object({
    success: z.literal(true),
    data,
    updated_at: updatedAt,
    meta: z.object({ updated_at: updatedAt, updated: updatedAt, ...meta }),
  })
}

/** Every answer that is not 2xx (interface 7). */
export const errorAnswer = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
  }),
  code: z.string(),
})
