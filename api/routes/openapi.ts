/** GET /api/v1/openapi.json: the description of all routes, created once from their declarations. */

import { z } from 'zod'
import { documentsPerMinute } from '../access/tiers.ts'
import { createOpenApi } from '../describe/openapi.ts'
import { type ActionRoute, openAction, type Route } from '../route.ts'
import { ownVersion } from '../version.ts'

/** @param routes all other routes; the document also describes this one */
export function createOpenApiRoute(routes: readonly Route[]): ActionRoute {
  const route: ActionRoute = openAction({
    method: 'get',
    path: '/api/v1/openapi.json',
    access: 'public',
    tag: 'Documentation',
    summary: 'This document',
    query: {},
    answer: {
      description: 'OpenAPI 3.1.',
      schema: z.looseObject({
        openapi: z.string(),
        info: z.looseObject({ title: z.string(), version: z.string() }),
      }),
      example: { openapi: '3.1.0', info: { title: 'Overround', version: ownVersion } },
    },
    perMinute: documentsPerMinute,
    errors: ['rate_limited'],
    handle: () => ({ headers, body: text }),
  })
  const text = Buffer.from(JSON.stringify(createOpenApi([...routes, route], ownVersion)))
  return route
}

const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
}
