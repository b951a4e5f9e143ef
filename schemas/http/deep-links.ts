/** What `/deeplinks` and `/deeplinks/batch` take and answer with (interface 4.11, supplement 7.1). */

import { z } from 'zod'
import { usStates } from '../reference/us-states.ts'
import { objectOf } from './envelope.ts'

const id = z.string()
const links = z.record(z.string(), z.url()).describe('An address for each sportsbook, by slug.')

export const deepLinksObject = objectOf(
  z.object({
    id,
    deep_links: links,
    redirect: z.string().describe('Our address that leads there, for who has no key.'),
  }),
)

/** Ids of one request. */
const mostIds = 500

export const deepLinkBatchBody = z.strictObject({
  ids: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(mostIds)
    .describe('Ids of prices or opportunities; each counts once.'),
  state: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.toLowerCase() : given),
      z.enum(usStates),
    )
    .optional()
    .describe('US state, by its two letters in any case; default pa.'),
})

export const deepLinkBatchObject = objectOf(z.record(id, z.union([z.string(), links]).nullable()), {
  count: z.int(),
  found: z.int(),
})
