/**
 * A common way to serve ready pages, to compare with in `rest.ts`: Fastify reads each page from Redis. It checks no
 * key, counts nothing and sends three headers.
 *
 *     node build/benchmarks/rest-fastify-redis.js <redis port>
 *
 * Redis has pages under `page:<league>:<market>`. Sends `{ port }` to its parent.
 */

import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'

const redis = new Redis(Number(process.argv[2]))
const app = fastify()

app.get('/api/v1/odds', async (request, reply) => {
  const { league, market } = request.query as { league?: string; market?: string }
  const page = await redis.getBuffer(`page:${league}:${market}`)
  if (!page) return reply.code(404).send({ error: 'not_found' })
  return reply
    .header('ETag', '"ready"')
    .header('Cache-Control', 'private, max-age=0, must-revalidate')
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(page)
})

await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: (app.server.address() as AddressInfo).port })
