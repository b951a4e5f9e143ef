/** The page of a list that is short enough to come whole, and does unless a client asks for a part. */

import { offsetUpTo, pageLimit } from './query.ts'

/** More than any such list has. */
export const wholeListLimit = 10_000

export const listQuery = {
  limit: pageLimit({
    description: 'All when absent.',
    max: wholeListLimit,
    fallback: wholeListLimit,
  }),
  offset: offsetUpTo(wholeListLimit),
} as const
