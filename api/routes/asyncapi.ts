/** GET /api/v1/asyncapi.json: the description of the streams, created once. */

import { z } from 'zod'
import { documentsPerMinute } from '../access/tiers.ts'
import { createAsyncApi } from '../describe/asyncapi.ts'
import { openAction } from '../route.ts'
import { ownVersion } from '../version.ts'

const text = Buffer.from(JSON.stringify(createAsyncApi(ownVersion)))

const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
}

export const getAsyncApi = openAction({
  method: 'get',
  path: '/api/v1/asyncapi.json',
  access: 'public',
  tag: 'Documentation',
  summary: 'The streams, in AsyncAPI',
  query: {},
  answer: {
    description: 'AsyncAPI 3.0.',
    schema: z.looseObject({
      asyncapi: z.string(),
      info: z.looseObject({ title: z.string(), version: z.string() }),
    }),
    example: { asyncapi: '3.0.0', info: { title: 'Overround streams', version: ownVersion } },
  },
  perMinute: documentsPerMinute,
  errors: ['rate_limited'],
  handle: () => ({ headers, body: text }),
})
