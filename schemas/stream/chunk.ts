/** The parts in which streams tell what there is. */

import { z } from 'zod'

/** Rows of all chunks; the first chunk of an empty view is its last and says so. */
export const chunk = {
  count: z.int().min(0).describe('Items of this chunk.'),
  total: z
    .int()
    .min(0)
    .describe(
      'Items of all chunks. While prices move it is near that; the last chunk has what was sent.',
    ),
  offset: z.int().min(0).describe('Items of the chunks before.'),
  has_more: z.boolean(),
}

/** Of an example that is all there is. */
export const wholeChunk = { count: 1, total: 1, offset: 0, has_more: false }
