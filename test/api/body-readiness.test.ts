import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess

beforeAll(async () => {
  service = await startInProcess()
})
afterAll(() => service.close())

it('a request whose board is reset while its body arrives is refused, not served from a part of it', async () => {
  const body = JSON.stringify({ event_ids: ['one'] })
  const head = [
    'POST /api/v1/odds/batch HTTP/1.1',
    `Host: 127.0.0.1:${service.port}`,
    `X-API-Key: ${keys.sharp}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ].join('\r\n')
  const socket = connect(service.port, '127.0.0.1')
  try {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    const ended = new Promise((resolve) => socket.once('close', resolve))
    await new Promise((sent) => socket.write(`${head}\r\n\r\n`, sent))
    // By the time that later requests have their answers, the head has passed the first check.
    for (let later = 0; later < 10; later++) await service.get('/odds')
    vi.spyOn(service.boards, 'isReady').mockReturnValue(false)
    socket.write(body)
    await ended
    expect(text).toMatch(/^HTTP\/1.1 503 /)
    expect(text).toContain('"code":"service_unavailable"')
  } finally {
    socket.destroy()
    vi.restoreAllMocks()
  }
})
