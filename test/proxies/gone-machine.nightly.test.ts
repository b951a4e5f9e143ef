/** Two services behind nginx, one on a machine that is gone: it answers no packet, and so refuses no connection. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Agent, request } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isInstalled, type RunningProxy, startChanged, startProxy } from './proxy.ts'

/** Listens, and accepts nothing, so that the system drops what comes when its queue of two is full. */
const deaf = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

let gone: Worker
let waiting: readonly Socket[]
let alive: Server
let [shipped, patient]: RunningProxy[] = []
const isThere = isInstalled('nginx')
beforeAll(async () => {
  if (!isThere) return
  gone = new Worker(deaf, { eval: true })
  const [gonePort] = (await once(gone, 'message')) as [number]
  waiting = [connect(gonePort, '127.0.0.1'), connect(gonePort, '127.0.0.1')]
  await Promise.all(waiting.map((socket) => once(socket, 'connect')))
  alive = createServer((_, response) => response.end('said')).listen(0, '127.0.0.1')
  await once(alive, 'listening')
  const ports = [gonePort, (alive.address() as AddressInfo).port]
  shipped = await startProxy('nginx', ...ports)
  // The limit of nginx without a setting.
  patient = await startChanged('nginx', ports, [['proxy_connect_timeout 2s;', '']])
})
afterAll(async () => {
  for (const socket of waiting ?? []) socket.destroy()
  await shipped?.close()
  await patient?.close()
  alive?.close()
  await gone?.terminate()
})

/** Asks as 16 clients of different addresses, which nginx divides between the two services. */
async function askAsMany({ port }: RunningProxy, agent: Agent) {
  const asking = Array.from({ length: 16 }, async (_, client) => {
    const localAddress = `127.0.0.${client + 1}`
    const asked = request({ host: '127.0.0.1', port, localAddress, agent }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  })
  return Promise.all(asking)
}

const title = isThere ? 'nginx' : 'nginx (skipped: it is not installed)'
it.skipIf(!isThere)(
  `behind ${title}, its clients are answered by the other, long before it would give up`,
  async () => {
    const [own, others] = [0, 1].map(() => new Agent({ rejectUnauthorized: false }))
    const byPatient = askAsMany(patient!, others!).then(
      () => 'patient',
      () => 'stopped',
    )
    expect(await Promise.race([askAsMany(shipped!, own!), byPatient])).toEqual(Array(16).fill(200))
    own!.destroy()
    others!.destroy()
    expect(await byPatient).toBe('stopped')
  },
)
