/** The parts in which streams send their current rows. */

import { z } from 'zod'

/** The fields of a chunk of rows. An empty view has one chunk, which is marked as the last. */
export const chunk = {
  count: z.int().min(0).describe('Items of this chunk.'),
  total: z
    .int()
    .min(0)
    .describe('Items of all chunks: approximate while prices move, exact in the last chunk.'),
  offset: z.int().min(0).describe('Items of earlier chunks.'),
  has_more: z.boolean(),
}

/** The fields of an example that is complete in one chunk. */
export const wholeChunk = { count: 1, total: 1, offset: 0, has_more: false }
