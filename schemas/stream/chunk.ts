/** The parts in which streams send their current rows. */

import { z } from 'zod'
import { example } from '../http/example.ts'

/** The fields of a chunk of rows. An empty view has one chunk, which is marked as the last. */
export const chunk = {
  count: example(z.int().min(0), 1, 'Items of this chunk.'),
  total: example(
    z.int().min(0),
    1,
    'Items of all chunks: approximate while prices move, exact in the last chunk.',
  ),
  offset: example(z.int().min(0), 0, 'Items of earlier chunks.'),
  has_more: z.boolean(),
}
