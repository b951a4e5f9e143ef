/** What a command says where no response came. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { explain } from '../../../api/command-line/exit-codes.ts'
import { openAdmin, openClient, ownAddressOf } from '../../../api/command-line/service.ts'

const environment = { OVERROUND_ADMIN_TOKEN: 'an-admin-token-of-some-length' }

async function serving(listener: RequestListener, work: (host: string) => Promise<void>) {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    await work(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

async function said(url: string, method: string) {
  const admin = openAdmin({ url }, environment)
  const error = await admin.request(method, '/admin/accounts').catch((it) => it)
  return explain(error)
}

const mayExist = /may have been made all the same: look with overround keys list/

test('the cause, and how to start a service that does not run', async () => {
  const { code, message } = (await said('http://127.0.0.1:2', 'POST'))!
  expect(code).toBe(3)
  expect(message).toContain(': connect ECONNREFUSED 127.0.0.1:2. Start it with overround start')
  expect(message).not.toMatch(mayExist)
})

test('the cause of a failed TLS connection, which no start mends', async () => {
  await serving(
    (_, response) => response.end(),
    async (host) => {
      for (const message of [
        (await said(`https://${host}`, 'GET'))?.message,
        explain(
          await openClient({ url: `https://${host}` }, {})
            .get('/livez')
            .catch((it) => it),
        )?.message,
      ]) {
        expect(message).toMatch(/SSL|EPROTO|TLS/)
        expect(message).not.toContain('Start it')
      }
    },
  )
})

test.each([
  ['POST', true],
  ['GET', false],
])('that a %s which was cut may have been done: %s', async (method, isPerhaps) => {
  await serving(
    (request) => request.socket.destroy(),
    async (host) => {
      expect(mayExist.test((await said(`http://${host}`, method))!.message)).toBe(isPerhaps)
    },
  )
})

test('that a key may exist after a response did not come in time', async () => {
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(late))
  const { message } = (await said('http://127.0.0.1:2', 'POST'))!
  timeout.mockRestore()
  expect(message).toContain('http://127.0.0.1:2 has not responded within 30 s.')
  expect(message).toMatch(mayExist)
})

test('empty variables count as unset', () => {
  const empty = { OVERROUND_HOST: '', OVERROUND_PORT: '', OVERROUND_URL: '', OVERROUND_KEY: '' }
  expect(ownAddressOf({}, empty)).toBe('http://127.0.0.1:3000/api/v1')
  expect(
    ownAddressOf({}, { ...empty, OVERROUND_ROLE: 'pipeline', OVERROUND_HEALTH_PORT: '' }),
  ).toBe(null)
  expect(() => openClient({ url: 'http://odds.example' }, empty)).toThrow('needs a key')
  expect(() => openAdmin({}, { OVERROUND_ADMIN_TOKEN: '' })).toThrow('needs the admin token')
})
