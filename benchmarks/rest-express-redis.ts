/**
 * A common way to assemble pages, to compare with in `rest.ts`: Express reads the rows of a page from Redis in one
 * command, parses them and writes JSON. It checks no key, counts nothing, and knows the rows of each page in advance.
 *
 *     node build/benchmarks/rest-express-redis.js <redis port>
 *
 * Redis has rows under `row:<id>`, ids in page order in the list `ids:<league>:<market>`, and the rest of the
 * response under `rest:<league>:<market>`. Sends `{ port }` to its parent.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'

/** The used parts of Express, which has no types. */
interface Express {
  (request: IncomingMessage, response: ServerResponse): void
  disable(setting: string): void
  get(path: string, handle: (request: ExpressRequest, response: ExpressResponse) => void): void
}

interface ExpressRequest {
  readonly query: Readonly<Record<string, string | undefined>>
}

interface ExpressResponse {
  status(code: number): ExpressResponse
  set(name: string, value: string): ExpressResponse
  json(body: unknown): void
}

const express = createRequire(import.meta.url)('express') as () => Express
const redis = new Redis(Number(process.argv[2]))

interface Page {
  readonly keys: string[]
  readonly rest: object
}

const pages = new Map<string, Page>()
for (const listKey of await redis.keys('ids:*')) {
  const name = listKey.slice('ids:'.length)
  const ids = await redis.lrange(listKey, 0, -1)
  const rest = JSON.parse((await redis.get(`rest:${name}`)) ?? '{}') as object
  pages.set(name, { keys: ids.map((id) => `row:${id}`), rest })
}

const app = express()
app.disable('x-powered-by')
app.get('/api/v1/odds', async (request, response) => {
  const { league, market } = request.query
  const page = pages.get(`${league}:${market}`)
  if (!page) return response.status(404).json({ error: 'not_found' })
  const texts = await redis.mget(page.keys)
  const data = texts.map((text) => JSON.parse(text ?? 'null') as unknown)
  response.set('Cache-Control', 'private, max-age=0, must-revalidate')
  response.json({ ...page.rest, data })
})

const server = createServer(app)
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
