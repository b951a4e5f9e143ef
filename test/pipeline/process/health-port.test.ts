import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import {
  type HealthPort,
  json,
  openHealthPort,
  type PortRoute,
} from '../../../pipeline/process/health-port.ts'
import { StartError } from '../../../pipeline/settings/config.ts'

const opened: HealthPort[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((port) => port.close()))
})

async function open(routes: readonly PortRoute[], failures: unknown[] = []) {
  const port = await openHealthPort({
    host: '127.0.0.1',
    port: 0,
    setting: 'OVERROUND_HEALTH_PORT',
    routes,
    onFailure: (error) => failures.push(error),
  })
  opened.push(port)
  return `http://127.0.0.1:${port.port}`
}

const said: PortRoute = { path: '/livez', answer: () => json(200, { status: 'ok' }) }

it('serves its paths, also with a query and to HEAD', async () => {
  const address = await open([said])
  const got = await fetch(`${address}/livez?probe=1`)
  expect([got.status, await got.json()]).toEqual([200, { status: 'ok' }])
  const head = await fetch(`${address}/livez`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '15',
    '',
  ])
})

it('names other paths and methods as unknown', async () => {
  const address = await open([said])
  expect((await fetch(`${address}/odds`)).status).toBe(404)
  const posted = await fetch(`${address}/livez`, { method: 'POST', body: 'x'.repeat(1e6) })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

it('responds 500 to a failure, logs it and goes on', async () => {
  const failures: unknown[] = []
  const broken: PortRoute = { path: '/metrics', answer: () => Promise.reject(new Error('no')) }
  const address = await open([said, broken], failures)
  expect((await fetch(`${address}/metrics`)).status).toBe(500)
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  expect(failures).toEqual([new Error('no')])
})

it('goes on after bytes that are no request', async () => {
  const address = await open([said])
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('\x16\x03\x01 hello\r\n\r\n')
  socket.resume()
  await once(socket, 'close')
  expect((await fetch(`${address}/livez`)).status).toBe(200)
})

it('names the setting of a port in use', async () => {
  const { port } = new URL(await open([said]))
  const again = openHealthPort({
    host: '127.0.0.1',
    port: Number(port),
    setting: 'OVERROUND_HEALTH_PORT',
    routes: [],
    onFailure: () => {},
  })
  await expect(again).rejects.toThrow(StartError)
  await expect(again).rejects.toThrow(/is taken.*OVERROUND_HEALTH_PORT/)
})
