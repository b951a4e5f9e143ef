/** The page of a short list, which is sent whole unless a client requests a part. */

import { offsetUpTo, pageLimit } from './query.ts'

/** A limit above the length of any such list. */
export const wholeListLimit = 10_000

export const listQuery = {
  limit: pageLimit({
    description: 'Default: all.',
    max: wholeListLimit,
    fallback: wholeListLimit,
  }),
  offset: offsetUpTo(wholeListLimit),
} as const
