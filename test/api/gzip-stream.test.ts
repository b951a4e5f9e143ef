import { constants, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCompressionTime } from '../../api/stream/framing/compression-time.ts'
import {
  allBytes,
  append,
  appendPlace,
  clearFrames,
  createFrames,
  endFrame,
  type Frames,
  number,
} from '../../api/stream/framing/frames.ts'
import { createGzipStreams, type GzipStream } from '../../api/stream/framing/gzip-stream.ts'
import { sseFraming } from '../../api/stream/framing/sse-framing.ts'

const still = () => 0
const width = 5

/** Fills the frames with these texts before and after their numbers; null for a frame without one. */
function fill(frames: Frames, texts: readonly (readonly [string, string] | null)[]) {
  clearFrames(frames)
  for (const text of texts) {
    if (text) {
      append(frames, text[0])
      appendPlace(frames, width)
      append(frames, text[1])
    } else append(frames, ':\n\n')
    endFrame(frames)
  }
}

/** Creates a client, with the plain text that it must receive. */
function createClient(gzip: ReturnType<typeof createGzipStreams>, firstNumber: number) {
  const stream: GzipStream = gzip.open()
  const got: Buffer[] = [Buffer.from(gzip.head)]
  const plain: Buffer[] = []
  let next = firstNumber
  return {
    take(frames: Frames) {
      next = number(frames, next, width, true)
      got.push(Buffer.from(gzip.frames(stream, frames)))
      plain.push(Buffer.from(allBytes(frames)))
    },
    takeBytes(text: string) {
      got.push(Buffer.from(gzip.bytes(stream, Buffer.from(text))))
      plain.push(Buffer.from(text))
    },
    end: () => got.push(Buffer.from(gzip.end(stream))),
    bytes: () => Buffer.concat(got),
    text: () => Buffer.concat(plain).toString(),
  }
}

type Client = ReturnType<typeof createClient>

/** Returns the decoder's output while the stream continues. */
const soFar = (client: Client) =>
  gunzipSync(client.bytes(), { finishFlush: constants.Z_SYNC_FLUSH }).toString()

const row = (i: number) =>
  `{"id":"${901_052_993_932_126 + i * 7}","odds_american":${-110 - i},"market_type":"moneyline","status":"upcoming"}`
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => row(from + i)).join()
const update = (from: number, count: number) =>
  ['event: odds:update\nid: evt_', `\ndata: [${rows(from, count)}]\n\n`] as const

describe('a gzip stream of shared frames', () => {
  it('gives each client its own numbers at once, and ends with its checksum', () => {
    const gzip = createGzipStreams(createCompressionTime(still))
    const clients = [1, 4_000, 99_990].map((first) => createClient(gzip, first))
    const frames = createFrames()
    for (const client of clients) client.takeBytes('retry: 3000\n\n')
    for (let tick = 0; tick < 4; tick++) {
      fill(frames, [update(tick, 10), update(tick + 50, 30), null, update(tick + 90, 1)])
      for (const client of clients) {
        client.take(frames)
        expect(soFar(client)).toBe(client.text())
      }
    }
    expect(clients[1]!.text()).toContain('id: evt_04011')
    for (const client of clients) {
      client.end()
      // The decoder checks the CRC and the length.
      expect(gunzipSync(client.bytes()).toString()).toBe(client.text())
      expect(client.bytes().length).toBeLessThan(client.text().length / 3)
    }
  })

  it('ends each send with an empty block, without which Go outputs nothing', () => {
    const emptyBlock = '0000ffff'
    const gzip = createGzipStreams(createCompressionTime(still))
    const frames = createFrames()
    const client = createClient(gzip, 1)
    const ends = () => client.bytes().subarray(-4).toString('hex')
    client.takeBytes(':\n')
    expect(ends()).toBe(emptyBlock)
    for (const count of [0, 1, 40]) {
      fill(frames, [update(1, count)])
      client.take(frames)
      expect(ends()).toBe(emptyBlock)
    }
    expect(soFar(client)).toBe(client.text())
  })

  it('accepts a client that comes after the frames were compressed for others', () => {
    const gzip = createGzipStreams(createCompressionTime(still))
    const frames = createFrames()
    fill(frames, [update(1, 20), update(30, 20)])
    const early = createClient(gzip, 1)
    early.take(frames)
    const late = createClient(gzip, 77)
    late.take(frames)
    early.take(frames)
    for (const client of [early, late]) {
      client.end()
      expect(gunzipSync(client.bytes()).toString()).toBe(client.text())
    }
  })

  it('works for any texts and numbers, in any order of clients', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ maxLength: 400 }),
      fc.integer({ min: 1, max: 400 }).map((n) => rows(n, n % 40)),
      fc.constant('x'.repeat(70_000)),
    )
    const tick = fc.array(fc.option(fc.tuple(text, text), { freq: 8 }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(tick, fc.array(fc.nat(2), { maxLength: 4 })), { maxLength: 6 }),
        fc.array(fc.nat(99_000), { minLength: 3, maxLength: 3 }),
        fc.boolean(),
        (ticks, firsts, isBusy) => {
          let at = 0
          // While busy, compressing once takes all the available time.
          const time = createCompressionTime(() => {
            if (isBusy) at += 900
            return at
          })
          const gzip = createGzipStreams(time)
          const clients = firsts.map((first) => createClient(gzip, first))
          const frames = createFrames()
          for (const [texts, who] of ticks) {
            fill(frames, texts)
            for (const i of who) clients[i]!.take(frames)
          }
          for (const client of clients) {
            expect(soFar(client)).toBe(client.text())
            client.end()
            expect(gunzipSync(client.bytes()).toString()).toBe(client.text())
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('consists of whole pages made by the framing of SSE', () => {
    const gzip = createGzipStreams(createCompressionTime(still))
    const frames = createFrames()
    const client = createClient(gzip, 1)
    for (let i = 0; i < 3; i++) {
      clearFrames(frames)
      sseFraming.message(
        frames,
        'odds:update',
        { rows: rows(i, 50), name: 'Ñandú 🏀' },
        width,
        'now',
      )
      sseFraming.message(frames, 'heartbeat', {}, width, 'now')
      client.take(frames)
    }
    client.end()
    expect(gunzipSync(client.bytes()).toString()).toBe(client.text())
  })
})

describe('the time for compressing', () => {
  it('is a quarter of the loop: beyond it bytes are stored, and no new client is compressed for', () => {
    let at = 0
    let costMs = 0
    const time = createCompressionTime(() => {
      at += costMs
      return at
    })
    const gzip = createGzipStreams(time)
    const frames = createFrames()
    const client = createClient(gzip, 1)
    const sizeOf = (from: number) => {
      fill(frames, [update(from, 100)])
      const before = client.bytes().length
      client.take(frames)
      return client.bytes().length - before
    }
    const length = () => allBytes(frames).length
    expect(time.isLeft()).toBe(true)
    expect(sizeOf(0)).toBeLessThan(length() / 5)
    // One page takes more than all the saved time.
    costMs = 3_000
    sizeOf(1)
    costMs = 0
    expect(time.isLeft()).toBe(false)
    // Ten bytes are the headers of its stored block and of the empty one after it.
    expect(sizeOf(2)).toBe(length() + 10)
    at += 1_000
    expect(time.isLeft()).toBe(false)
    at += 10_000
    expect(time.isLeft()).toBe(true)
    expect(sizeOf(3)).toBeLessThan(length() / 5)
    client.end()
    expect(gunzipSync(client.bytes()).toString()).toBe(client.text())
  })

  it('is not spent on small frames', () => {
    const gzip = createGzipStreams(createCompressionTime(still))
    const frames = createFrames()
    const client = createClient(gzip, 1)
    fill(frames, [['event: heartbeat\nid: evt_', '\ndata: {}\n\n']])
    client.take(frames)
    expect(frames.deflated).toBeNull()
    expect(soFar(client)).toBe(client.text())
  })
})
