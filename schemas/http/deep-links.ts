/** Requests and responses of `/deeplinks` and `/deeplinks/batch` (interface 4.11, supplement 7.1). */

import { z } from 'zod'
import { usStates } from '../reference/us-states.ts'
import { objectOf } from './envelope.ts'
import { example } from './example.ts'

const id = z.string()
const links = z.record(z.string(), z.url()).describe('An address for each sportsbook, by slug.')

export const deepLinksObject = objectOf(
  z.object({
    id: example(id, 'b04d5f1182e9c37a'),
    deep_links: example(links, {
      draftkings: 'https://sportsbook.draftkings.com/event/34118820?outcomes=0OU22850O',
    }),
    redirect: example(
      z.string(),
      '/api/v1/deeplink/b04d5f1182e9c37a-5f0c1a9be271',
      'Our address that leads there, without a key.',
    ),
  }),
)

/** The most ids of one request. */
const mostIds = 500

/** A US state in a body. @returns lower case */
export const usState = z.preprocess(
  (given) => (typeof given === 'string' ? given.toLowerCase() : given),
  z.enum(usStates),
)

/** The state of the links in the response to a body. @returns lower case */
export const linkState = usState
  .optional()
  .describe('US state, by its two letters in any case; default: that of your profile, else pa.')

export const deepLinkBatchBody = z.strictObject({
  ids: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(mostIds)
    .describe('Ids of prices or opportunities; each counts once.'),
  state: linkState,
})

export const exampleDeepLinkBatchBody: z.input<typeof deepLinkBatchBody> = {
  ids: ['b04d5f1182e9c37a', '482107733919990'],
  state: 'nj',
}

export const deepLinkBatchObject = objectOf(
  example(z.record(id, z.union([z.string(), links]).nullable()), {
    b04d5f1182e9c37a: {
      draftkings: 'https://sportsbook.draftkings.com/event/34118820?outcomes=0OU22850O',
    },
    '482107733919990': '/api/v1/deeplink/482107733919990?state=nj',
  }),
  {
    count: example(z.int(), 2),
    found: example(z.int(), 2),
  },
)
