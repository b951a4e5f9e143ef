/** Valid responses of a schema registry; `kafka-log.kafka.test.ts` tests the rest with a real one. */

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import {
  openRegistry,
  type SchemaRegistry,
  startPatienceMs,
} from '../../../../pipeline/log/kafka/schema-registry.ts'
import { LogUnavailableError } from '../../../../pipeline/log/log.ts'

/** Queries a server that gives this response to every request. */
const asked = <Answer>(
  status: number,
  body: string,
  ask: (registry: SchemaRegistry) => Promise<Answer>,
) => askedOf((response) => void response.writeHead(status).end(body), ask)

async function askedOf<Answer>(
  answer: (response: ServerResponse) => void,
  ask: (registry: SchemaRegistry) => Promise<Answer>,
): Promise<Answer> {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await ask(openRegistry({ registryUrl: url }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const notFound = (code: number) => JSON.stringify({ error_code: code, message: 'not found' })

it('a missing subject, version or schema is recognised by the codes of a registry', async () => {
  expect(await asked(404, notFound(40401), (registry) => registry.isKnown('odds-value'))).toBe(
    false,
  )
  expect(await asked(404, notFound(40402), (registry) => registry.takesAnything('odds'))).toBe(
    false,
  )
  expect(await asked(404, notFound(40403), (registry) => registry.find('odds-value', {}))).toBe(
    null,
  )
  expect(await asked(404, notFound(40403), (registry) => registry.schema(7))).toBe(null)
})

it.concurrent.each([
  ['404 and nothing', 404, ''],
  ['404 and a page', 404, '<html>Not Found</html>'],
  ['404 as Apicurio does outside of /apis/ccompat/v7', 404, notFound(404)],
  ['200 and a page', 200, '<html>Welcome</html>'],
])(
  'a server that responds %s is no registry: no schema is taken for lost',
  async (_, status, body) => {
    const asking = asked(status, body, (registry) => registry.schema(7))
    await expect(asking).rejects.toThrow(LogUnavailableError)
  },
)

it.concurrent('a registry that is starting is waited for by callers that need it, and soon given up by others', async () => {
  let requests = 0
  // Like a proxy before it: nine pauses, of 100 ms and then longer.
  const starting = (response: ServerResponse) => {
    const isUp = ++requests > 8
    response.writeHead(isUp ? 200 : 503).end(isUp ? '{"id": 7}' : '')
  }
  await expect(askedOf(starting, (registry) => registry.find('odds-value', {}))).rejects.toThrow(
    LogUnavailableError,
  )
  expect(requests).toBeLessThan(9)
  requests = 0
  const patiently = (registry: SchemaRegistry) => registry.find('odds-value', {}, startPatienceMs)
  expect(await askedOf(starting, patiently)).toBe(7)
})
