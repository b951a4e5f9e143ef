/** The page of a list that is short enough to come whole, and does unless a client asks for a part. */

import { whole } from './query.ts'

/** More than any such list has. */
export const wholeListLimit = 10_000

export const listQuery = {
  limit: whole({
    description: 'Items of one answer; all of them when absent.',
    example: 50,
    min: 1,
    max: wholeListLimit,
    fallback: wholeListLimit,
  }),
  offset: whole({
    description: 'Items to leave out.',
    example: 0,
    min: 0,
    max: wholeListLimit,
    fallback: 0,
  }),
} as const
