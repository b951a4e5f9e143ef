/**
 * The CPU cost and the saved bytes of compression: responses and streams, plain and in each coding, from one run.
 *
 *     node build/benchmarks/compression.js <directory made by million-rows.js> [rounds=3] [seconds=4]
 *
 * CPU is the user and system time of the whole server, which other work on the machine hardly changes. Bytes are
 * those received on the sockets.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { constants, createDeflateRaw } from 'node:zlib'
import { median, printResults, type Result, rounded } from './measure.ts'
import { option } from './options.ts'
import { cpuSeconds, start } from './processes.ts'
import type { Changed, ServedStreams, StreamOrder } from './stream-server.ts'

const [, , path] = process.argv
if (!path) throw new Error('usage: compression.js <directory> [rounds=3] [seconds=4]')
const rounds = Number(option('rounds') ?? 3)
const seconds = Number(option('seconds') ?? 4)

const workDir = mkdtempSync(join(tmpdir(), 'overround-compression-'))
process.once('exit', () => rmSync(workDir, { recursive: true, force: true }))

const server = await start<ServedStreams>(
  './stream-server.js',
  [path, join(workDir, 'accounts')],
  null,
)
const { port, key, hot } = server.ready
const changesPerSecond = 200

const results = [...(await answers()), ...(await streams()), ...(await ownCompressors())]
await server.close()
printResults(results)

// ---- responses

async function answers(): Promise<Result[]> {
  const codings = ['', 'gzip', 'br']
  // Offsets are limited.
  const requests = 50
  const results: Result[] = []
  for (const [what, offsetOf] of [
    ['a page of 200 rows requested once', (i: number) => i],
    ['the same page requested repeatedly', () => 0],
  ] as const) {
    const measured = new Map(codings.map((coding) => [coding, [] as Measured[]]))
    for (let round = 0; round < rounds; round++) {
      for (const [nth, coding] of codings.entries()) {
        // Bodies are cached, so each coding and round has its own pages.
        const from = (round * codings.length + nth) * requests
        const of = await measure(() => requestAll(coding, requests, (i) => offsetOf(from + i)))
        measured.get(coding)!.push({ ...of, count: requests })
      }
    }
    for (const [coding, trials] of measured)
      results.push(resultOf(`${what}, ${nameOf(coding)}`, trials, 'answer'))
  }
  return results
}

async function requestAll(coding: string, count: number, offsetOf: (i: number) => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let bytes = 0
  for (let i = 0; i < count; i++) {
    bytes += await request(agent, `/api/v1/odds?limit=200&offset=${offsetOf(i)}`, coding)
  }
  agent.destroy()
  return bytes
}

function request(agent: Agent, path: string, coding: string): Promise<number> {
  const headers = { 'X-API-Key': key, ...(coding && { 'Accept-Encoding': coding }) }
  return new Promise((resolve, reject) => {
    get({ port, path, agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

// ---- streams

async function streams(): Promise<Result[]> {
  const kinds = [
    { name: 'SSE, plain', path: '/api/v1/stream', lines: '' },
    { name: 'SSE, gzip', path: '/api/v1/stream', lines: 'Accept-Encoding: gzip\r\n' },
    { name: 'WebSocket, plain', path: '/ws', lines: upgrade('') },
    {
      name: 'WebSocket, permessage-deflate',
      path: '/ws',
      lines: upgrade('Sec-WebSocket-Extensions: permessage-deflate\r\n'),
    },
  ]
  const results: Result[] = []
  for (const connections of [1, 50, 500]) {
    const measured = new Map(kinds.map((kind) => [kind, [] as Measured[]]))
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        measured.get(kind)!.push(await stream(kind.path, kind.lines, connections))
      }
    }
    for (const [{ name }, trials] of measured) {
      const what = `${name}, ${connections} readers of ${changesPerSecond} changes/s`
      results.push(resultOf(what, trials, 'reader and second'))
    }
  }
  return results
}

/** Opens the readers, waits for their snapshots, and measures only changes. */
async function stream(path: string, lines: string, connections: number): Promise<Measured> {
  const channel = path === '/ws' ? 'channels=odds' : 'channel=odds'
  const query = `${channel}&league=${hot.league}&market=${hot.market}`
  let bytes = 0
  const sockets = Array.from({ length: connections }, () =>
    openSocket(`${path}?${query}`, lines, (chunk) => {
      bytes += chunk.length
    }),
  )
  await order({ changesPerSecond, of: 'hot' })
  await delay(2_000)
  const measured = await measure(async () => {
    const before = bytes
    await delay(1_000 * seconds)
    return bytes - before
  })
  await order({ changesPerSecond: 0, of: 'hot' })
  for (const socket of sockets) socket.destroy()
  await delay(300)
  return { ...measured, count: connections * seconds }
}

function openSocket(path: string, lines: string, take: (chunk: Buffer) => void): Socket {
  const socket = connect(port)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${lines}\r\n`)
  return socket.on('data', take)
}

function upgrade(more: string): string {
  return `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${more}`
}

function order(wanted: StreamOrder): Promise<Changed> {
  return server.order<Changed>(wanted)
}

// ---- the alternative: a compressor per client, with its history

async function ownCompressors(): Promise<Result[]> {
  const chunks: Buffer[] = []
  const socket = openSocket(
    `/api/v1/stream?channel=odds&league=${hot.league}&market=${hot.market}`,
    '',
    (chunk) => chunks.push(chunk),
  )
  await order({ changesPerSecond, of: 'hot' })
  await delay(2_000)
  chunks.length = 0
  await delay(1_000 * seconds)
  await order({ changesPerSecond: 0, of: 'hot' })
  socket.destroy()
  const measured: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    const deflate = createDeflateRaw({ level: 3, flush: constants.Z_SYNC_FLUSH })
    let bytes = 0
    deflate.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const before = process.cpuUsage()
    for (const chunk of chunks) await new Promise((done) => deflate.write(chunk, done))
    const { user, system } = process.cpuUsage(before)
    measured.push({ bytes, cpuMicros: user + system, count: seconds })
  }
  return [
    resultOf(
      `SSE, a compressor for each reader of ${changesPerSecond} changes/s (without sending)`,
      measured,
      'reader and second',
    ),
  ]
}

// ---- measuring

interface Measured {
  readonly bytes: number
  readonly cpuMicros: number
  /** Number of requests, or of readers times seconds. */
  readonly count: number
}

async function measure(work: () => Promise<number>) {
  const before = cpuSeconds(server.pid)
  const bytes = await work()
  return { bytes, cpuMicros: 1e6 * (cpuSeconds(server.pid) - before) }
}

function resultOf(name: string, measured: readonly Measured[], each: string): Result {
  const cpus = measured.map(({ cpuMicros, count }) => rounded(cpuMicros / count))
  return {
    name,
    unit: `bytes a ${each}`,
    value: rounded(median(measured.map(({ bytes, count }) => bytes / count))),
    figures: {
      [`CPU us a ${each}`]: median(cpus),
      'min..max': `${Math.min(...cpus)}..${Math.max(...cpus)}`,
      load: rounded(loadavg()[0]!),
    },
    goal: '',
  }
}

function nameOf(coding: string): string {
  return coding === '' ? 'plain' : coding
}
