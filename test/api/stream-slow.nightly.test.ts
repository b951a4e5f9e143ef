/**
 * Readers slower than the stream: every byte arrives intact, and readers that stop cost no memory and are closed.
 *
 * STREAM_SLOW_MEGABYTES sets how much each of the two throttled readers reads; 1,000 takes some minutes.
 */

import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEventStreamParser } from '../../api/clients/typescript/src/stream/event-stream.ts'
import { createOddsBook } from '../../api/clients/typescript/src/stream/odds-book.ts'
import { createTimers } from '../../api/stream/timeline/timers.ts'
import { openStreamClient, type StreamClient } from '../clients/open-stream-client.ts'
import { fillLargeBoard, type LargeBoard, rowCount } from './large-board.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'
import { openSlowReader } from './slow-reader.ts'
import { eventually } from './stream-reader.ts'

const bytes = 1_000_000 * Number(process.env.STREAM_SLOW_MEGABYTES ?? 25)

/** Reads a little between stalls, each longer than socket buffers last. */
const haltingly = (reads: number) => (reads % 300 === 2 ? 400 : reads % 8 === 0 ? 1 : 0)

let service: InProcess
let board: LargeBoard
let key: string
/** Added to the streams' time, so that the test decides when a reader has stalled. */
let leaptMs = 0
beforeAll(async () => {
  const timers = createTimers()
  const leaping = { ...timers, now: () => timers.now() + leaptMs }
  service = await startInProcess({ streams: { timers: leaping } })
  board = await fillLargeBoard(service)
  const account = { name: 'slow', tier: 'enterprise', addOns: [], expiresAt: null } as const
  key = (await service.accounts.create(account)).value
})
afterAll(() => service.close())

const path = '/api/v1/stream/odds?proof=true&heartbeat_seconds=1'

/**
 * Reads until the snapshot is complete.
 * @returns hash and length of it, without comments and heartbeats, which depend on time
 */
function readSnapshot(pauseMs?: (reads: number) => number): Promise<[string, number]> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    let length = 0
    let rest = ''
    const reader = openSlowReader({
      port: service.port,
      path,
      key,
      ...(pauseMs && { pauseMs }),
      body(bytes) {
        const blocks = (rest + bytes.toString('latin1')).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const received of blocks) {
          const block = received.replace(/^(?::.*\n)+/, '')
          if (block === '' || block.startsWith('event: heartbeat\n')) continue
          if (block.startsWith('event: snapshot:complete\n')) {
            reader.close()
            resolve([hash.digest('hex'), length])
            return
          }
          hash.update(block).update('\n\n')
          length += block.length
        }
      },
    })
    reader.ended.then(() => reject(new Error('ended before it was complete')), reject)
  })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns JavaScript's memory in this process. The bytes held by a socket are read at the end. */
function keptBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('a reader that is slow', () => {
  it('gets the snapshot of a fast one, to the byte', async () => {
    const [wanted, length] = await readSnapshot()
    expect(length).toBeGreaterThan(400 * rowCount)
    let read = 0
    while (read < bytes) {
      expect(await readSnapshot(haltingly)).toEqual([wanted, length])
      read += length
    }
  })

  it('gets whole blocks in order, and ends with the prices of the board', async () => {
    const book = createOddsBook()
    const faults: unknown[] = []
    let count = 0
    let merged = 0
    let proofs = 0
    let isProven = false
    const parse = createEventStreamParser({
      block({ event, id, data }) {
        const wanted = `evt_${String(++count).padStart(5, '0')}`
        if (id !== wanted) faults.push([id, wanted])
        const { odds = [], ids = [], rows, checksum } = JSON.parse(data)
        merged += odds.length
        for (const row of odds) if (!book.merge(row)) faults.push(row)
        for (const gone of ids) book.remove(gone)
        if (checksum === undefined) return
        const held = [book.rows.size, book.checksum()]
        if (held.join() !== [rows, checksum].join()) faults.push([event, held, rows, checksum])
        isProven = true
        proofs++
      },
    })
    const reader = openSlowReader({
      port: service.port,
      path,
      key,
      pauseMs: haltingly,
      body: parse,
    })
    try {
      await eventually('the snapshot', () => isProven)
      const upTo = reader.received() + bytes
      while (reader.received() < upTo) {
        // Every row is sent at least once after its change, perhaps while others still change.
        const upToRows = merged + rowCount
        await board.change()
        await eventually('every row', () => merged >= upToRows)
      }
      isProven = false
      await eventually('a proof of the end', () => {
        service.advance(10)
        return isProven
      })
    } finally {
      reader.close()
    }
    expect(faults).toEqual([])
    expect(book.rows.size).toBe(rowCount)
    expect(proofs).toBeGreaterThan(1)
    const { body } = await service.request('/odds?limit=200', { headers: { 'X-API-Key': key } })
    for (const { id, odds_decimal } of body.data) {
      expect(book.rows.get(id)?.odds_decimal).toBe(odds_decimal)
    }
  })
})

describe('readers that stop', () => {
  const active = async () => {
    const { body } = await service.request('/account/usage', { headers: { 'X-API-Key': key } })
    return body.data.streams.active
  }

  it('or hardly read cost little memory and delay nobody, and those that stop are closed', async () => {
    await eventually('the streams before are gone', async () => (await active()) === 0)
    const [healthy, socket] = (['sse', 'websocket'] as const).map((transport) =>
      openStreamClient({ base: service.base, key, transport, channels: ['odds'] }),
    ) as [StreamClient, StreamClient]
    await eventually('the snapshots', () => healthy.isReady() && socket.isReady())
    // The warm-up keeps memory of the first rounds out of the figure.
    await changeAll(4)
    const rounds = 8
    const grownBy = async () => {
      const before = keptBytes()
      await changeAll(rounds)
      return keptBytes() - before
    }
    // The board and the log also use some memory for every change.
    const alone = await grownBy()

    const trickling = 5
    const stopping = 5
    const ends: string[] = []
    const readers = Array.from({ length: trickling + stopping }, (_, i) => {
      let last = ''
      const parse = createEventStreamParser({
        block({ event, data }) {
          last = event === 'error' ? JSON.parse(data).code : event
        },
      })
      const pauseMs = i < trickling ? { pauseMs: () => 100 } : {}
      const reader = openSlowReader({ port: service.port, path, key, body: parse, ...pauseMs })
      if (i >= trickling) {
        reader.opened.then(reader.pause, () => {})
        reader.ended.then(
          (wasEnded) => ends.push(wasEnded ? `ended after ${last}` : 'cut'),
          (error) => ends.push(String(error)),
        )
      }
      return reader
    })
    await Promise.all(readers.map(({ opened }) => opened))
    socket.pause()
    expect(await active()).toBe(readers.length + 2)

    const grown = (await grownBy()) - alone
    const before = readers.slice(trickling).map((reader) => reader.received())

    for (const reader of readers.slice(0, trickling)) reader.close()
    // Longer than a socket may stay full.
    leaptMs += 31_000
    await eventually('those who stopped are let go', async () => (await active()) === 1)
    for (const reader of readers.slice(trickling)) reader.resume()
    await eventually('every end is read', () => ends.length === stopping)
    const held = readers.slice(trickling).map((reader, i) => reader.received() - before[i]!)
    // The bytes that one of them would hold if they were queued.
    const sentBytes = rounds * rowCount * 250
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
    console.log(
      `${readers.length + 1} readers that stop were each told ${megabytes(sentBytes)}: ` +
        `${megabytes(grown)} more in memory, ${held.map(megabytes).join(', ')} in sockets`,
    )
    expect(grown).toBeLessThan(64e6)
    expect(Math.max(...held)).toBeLessThan(sentBytes / 4)
    expect(new Set(ends)).toEqual(new Set(['ended after backpressure']))
    expect(healthy.counts).toMatchObject({ connections: 1, errors: 0, mismatches: 0, gaps: 0 })
    for (const client of [healthy, socket]) client.close()

    async function changeAll(rounds: number) {
      for (let round = 0; round < rounds; round++) {
        const upTo = healthy.counts.updates + rowCount
        await board.change()
        await eventually('every row', () => healthy.counts.updates >= upTo)
        service.advance(1_000)
      }
    }
  })
})
