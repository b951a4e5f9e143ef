/** A loop that takes messages more slowly than they come. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '../../api/clients/typescript/src/index.ts'
import { checksumText, rowChecksum } from '../../api/clients/typescript/src/stream/checksum.ts'
import { createScriptedService, row, rowsMessages, type Script } from './scripted-service.ts'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const { snapshot, update } = rowsMessages.websocket

/** A service whose only price moves a thousand times a second, by default. */
function fastService(
  script: Pick<Script, 'canPause'>,
  snapshotParts = 1,
  { isResumable = true, movesEach100Ms = 100, isLostBehind = false, resyncs = 0 } = {},
) {
  let price = 2
  const current = () => row('1', { odds_decimal: price })
  const { network, served } = createScriptedService({
    ...script,
    begin(connection) {
      const resumed = connection.url.searchParams.has('resume_from')
      const sayBoard = () => {
        for (let part = 0; part < (resumed ? 1 : snapshotParts); part++) {
          connection.say(...snapshot([current()]))
        }
        const checksum = checksumText(rowChecksum(current()))
        const proof = { position: `v2:${price}`, rows: 1, checksum }
        connection.say('snapshot:complete', isResumable ? proof : {})
      }
      connection.say('connected', { resumed })
      sayBoard()
      for (let i = 0; i < resyncs; i++) {
        connection.say('resync')
        sayBoard()
      }
      if (isLostBehind) return connection.lose()
      const timer = setInterval(() => {
        for (let i = 0; i < movesEach100Ms && connection.isOpen(); i++) {
          price++
          connection.say(...update([{ id: '1', odds_decimal: price }]))
        }
        if (!connection.isOpen()) clearInterval(timer)
      }, 100)
    },
  })
  const client = createClient({ base: 'http://x/api/v1', key: 'k', ...network })
  return { client, served }
}

/** Takes a message each 20 ms, for 25 s. */
async function takeSlowly({ client }: ReturnType<typeof fastService>) {
  const stop = new AbortController()
  const taken: string[] = []
  const arrived: string[] = []
  let mostWaiting = 0
  const onMessage = ({ name }: { readonly name: string }) => {
    arrived.push(name)
    mostWaiting = Math.max(mostWaiting, arrived.length - taken.length)
  }
  const messages = client.messages(
    { channels: ['odds'], transport: 'websocket', onMessage },
    stop.signal,
  )
  let isOver = false
  const loop = async () => {
    for await (const { name } of messages) {
      taken.push(name)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    isOver = true
  }
  void loop()
  await vi.advanceTimersByTimeAsync(25_000)
  stop.abort()
  // It takes the batch that it is at.
  await vi.advanceTimersByTimeAsync(40_000)
  expect({ isOver, mostWaiting }).toMatchObject({ isOver: true })
  return { taken, mostWaiting }
}

it('closes a WebSocket that cannot wait, and continues from its position', async () => {
  const service = fastService({ canPause: false })
  const { taken, mostWaiting } = await takeSlowly(service)
  // 256, beside fewer in the batch that the loop is at.
  expect(mostWaiting).toBeLessThan(512)
  expect(taken.length).toBeGreaterThan(900)
  const { served } = service
  expect(served.length).toBeGreaterThan(2)
  const positions = served.map(({ url }) => url.searchParams.get('resume_from'))
  expect(positions.slice(0, 2)).toEqual([null, 'v2:2'])
  expect(new Set(positions).size).toBe(positions.length)
  expect(served.filter((connection) => connection.isOpen())).toEqual([])
  expect(taken.filter((name) => name === 'connected').length).toBe(
    taken.filter((name) => name === 'snapshot:complete').length,
  )
})

it('takes a snapshot of a WebSocket that cannot wait to its end', async () => {
  const service = fastService({ canPause: false }, 600)
  const { taken } = await takeSlowly(service)
  expect(taken.slice(0, 602)).toEqual([
    'connected',
    ...Array.from({ length: 600 }, () => 'snapshot'),
    'snapshot:complete',
  ])
  expect(service.served[1]!.url.searchParams.get('resume_from')).toBe('v2:2')
})

it('passes a snapshot of a WebSocket that cannot wait, nor resume, to the changes behind it', async () => {
  // Streams of opportunities have no position.
  const few = { isResumable: false, movesEach100Ms: 1 }
  const service = fastService({ canPause: false }, 600, few)
  const { taken, mostWaiting } = await takeSlowly(service)
  expect(service.served).toHaveLength(1)
  expect(taken.slice(602).length).toBeGreaterThan(200)
  expect(new Set(taken.slice(602))).toEqual(new Set(['odds:update']))
  expect(mostWaiting).toBeLessThan(602 + 256)
})

it('closes it behind its snapshot where the changes come faster than they are taken', async () => {
  const service = fastService({ canPause: false }, 600, { isResumable: false, movesEach100Ms: 100 })
  const { mostWaiting } = await takeSlowly(service)
  expect(mostWaiting).toBeLessThan(602 + 256)
})

it('lets no more than two snapshots wait where each connection is lost behind its own', async () => {
  const service = fastService({ canPause: false }, 600, { isResumable: false, isLostBehind: true })
  const { taken, mostWaiting } = await takeSlowly(service)
  expect(mostWaiting).toBeLessThan(3 * 602)
  expect(taken.slice(600, 604)).toEqual(['snapshot', 'snapshot:complete', 'connected', 'snapshot'])
})

it('takes a snapshot behind a resync to its end, and lets no more than two wait', async () => {
  const service = fastService({ canPause: false }, 300, { isResumable: false, resyncs: 5 })
  const { taken, mostWaiting } = await takeSlowly(service)
  const board = [...Array.from({ length: 300 }, () => 'snapshot'), 'snapshot:complete']
  expect(taken.slice(0, 604)).toEqual(['connected', ...board, 'resync', ...board])
  expect(mostWaiting).toBeLessThan(3 * 302)
})

it('pauses a WebSocket that can wait, in its snapshot too', async () => {
  const { mostWaiting } = await takeSlowly(fastService({ canPause: true }, 600))
  expect(mostWaiting).toBeLessThan(512)
})

it('pauses a WebSocket that can wait', async () => {
  const service = fastService({ canPause: true })
  const { taken, mostWaiting } = await takeSlowly(service)
  expect(mostWaiting).toBeLessThan(512)
  expect(taken.length).toBeGreaterThan(900)
  expect(service.served).toHaveLength(1)
})

it('opens no connection for a stream that was closed while it was paused', async () => {
  const { client, served } = fastService({ canPause: false })
  const stream = client.stream({ channels: ['odds'], transport: 'websocket' })
  await vi.advanceTimersByTimeAsync(100)
  stream.pause()
  expect([served[0]!.isOpen(), stream.isReady(), stream.failure()]).toEqual([false, false, null])
  expect(stream.lastFault()).toContain('faster than they are taken')
  await vi.advanceTimersByTimeAsync(100_000)
  expect(served).toHaveLength(1)
  stream.resume()
  await vi.advanceTimersByTimeAsync(2_000)
  expect([served.length, stream.isReady(), stream.counts.resumed]).toEqual([2, true, 1])
  stream.pause()
  stream.close()
  stream.resume()
  await vi.advanceTimersByTimeAsync(100_000)
  expect(served).toHaveLength(2)
})
