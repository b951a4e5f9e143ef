/** A registry and a token server that redirect elsewhere: nothing is sent there. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { fetchTokens } from '../../../../pipeline/log/kafka/access-tokens.ts'
import { openRegistry } from '../../../../pipeline/log/kafka/schema-registry.ts'
import { json, openSource, type Source } from '../../feeds/loopback.ts'

let elsewhere: Source
let asked: Source
beforeEach(async () => {
  elsewhere = await openSource((_, response) => json(response, { id: 1, access_token: 'a' }))
  asked = await openSource((request, response) => {
    response.writeHead(307, { location: `${elsewhere.baseUrl}${request.url}` }).end()
  })
})
afterEach(async () => {
  await asked.close()
  await elsewhere.close()
})

it('no access token is asked for elsewhere', async () => {
  const client = { clientId: 'a', clientSecret: 'secret', scope: null, tls: null }
  const tokens = fetchTokens({ ...client, tokenUrl: `${asked.baseUrl}/token` })
  await expect(tokens()).rejects.toThrow(/answered 307/)
  expect(asked.requests).toEqual(['/token'])
  expect(elsewhere.requests).toEqual([])
})

it('no schema is looked for elsewhere', async () => {
  const url = asked.baseUrl.replace('://', '://user:secret@')
  const registry = openRegistry({ registryUrl: url })
  await expect(registry.find('odds', { type: 'string' })).rejects.toThrow(/307/)
  expect(asked.requests).toEqual(['/subjects/odds'])
  expect(elsewhere.requests).toEqual([])
})
