import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { keylessUpgradesPerMinute } from '../../api/access/tiers.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

/** @returns the status of the response to an upgrade, and its headers if it is refused */
async function upgrade(path: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${service.port}${path}`)
  // A refused socket also emits an error.
  socket.on('error', () => {})
  const answer = await new Promise<Pick<IncomingMessage, 'statusCode' | 'headers'>>((resolve) => {
    socket.once('open', () => resolve({ statusCode: 101, headers: {} }))
    socket.once('unexpected-response', (_, response) => resolve(response))
  })
  socket.terminate()
  return answer
}

it('limits WebSockets without a key by address and minute, and allows any with one', async () => {
  for (let i = 0; i < keylessUpgradesPerMinute; i++) {
    expect((await upgrade('/ws')).statusCode).toBe(101)
  }
  const refused = await upgrade('/ws')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
  expect((await upgrade('/')).statusCode).toBe(429)
  expect((await upgrade(`/ws?api_key=${keys.sharp}`)).statusCode).toBe(101)
  service.advance(60_000)
  expect((await upgrade('/ws')).statusCode).toBe(101)
})
