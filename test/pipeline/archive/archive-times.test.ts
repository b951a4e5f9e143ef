import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ArchiveTimes, openArchive } from '../../../pipeline/archive/archive.ts'
import { patienceMs } from '../../patience.ts'

let directory = ''
let close = async () => {}
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'overround-archive-times-'))
})
afterEach(async () => {
  await close()
  rmSync(directory, { recursive: true, force: true })
})

/** Opens an archive whose server is silent until it is told to respond. */
async function openSilent(times: ArchiveTimes) {
  const socket = join(directory, 'socket')
  const responses: ServerResponse[] = []
  let isPingAnswered = false
  const server = createServer((request, response) => {
    request.resume()
    if (isPingAnswered && request.url?.startsWith('/ping')) response.end('Ok.\n')
    else responses.push(response)
  })
  await new Promise<void>((listening) => server.listen(socket, listening))
  const archive = openArchive({ url: 'http://silent', socket }, 'd', times)
  close = async () => {
    await archive.close()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  const answerPings = () => {
    isPingAnswered = true
  }
  return { archive, responses, answerPings }
}

const limits = { seconds: patienceMs / 1_000, resultRows: 1, readRows: 1, memoryBytes: 1e9 }

/** Makes a file overdue at once, whose grace is `patienceMs`. */
const overdue = { ...limits, seconds: -patienceMs / 1_000 }

it('waits for a file longer than for a write', async () => {
  const { archive, responses } = await openSilent({ writeMs: 1 })
  const file = archive.export('SELECT 1 AS a', {}, 'ndjson', limits)
  await expect.poll(() => responses.length).toBe(1)
  await expect(archive.insert('t', 'a name', [{ a: 1 }])).rejects.toMatchObject({
    code: 'unavailable',
  })
  responses[0]!.end('{"a":1}\n')
  expect(await text(await file)).toBe('{"a":1}\n')
})

it('says that a file is too much if no part of it is there in its time, but the engine answers', async () => {
  const { archive, answerPings } = await openSilent({ graceMs: patienceMs })
  answerPings()
  const file = archive.export('SELECT 1 AS a', {}, 'parquet', overdue)
  await expect(file).rejects.toMatchObject({ name: 'ArchiveError', code: 'too_much' })
})

it('is unavailable if neither a file nor an answer to a ping is there in its time', async () => {
  const { archive } = await openSilent({ graceMs: 1 })
  const file = archive.export('SELECT 1 AS a', {}, 'parquet', { ...limits, seconds: 0 })
  await expect(file).rejects.toMatchObject({ name: 'ArchiveError', code: 'unavailable' })
})

it('decodes the rows of a large result some at a time, and those of a small one at once', async () => {
  const { archive, responses } = await openSilent({})
  const decoded = async (count: number) => {
    const before = responses.length
    let pieces = 0
    const rows = archive.query<{ a: number }>('SELECT a', {}, limits, (work) => {
      pieces++
      return work()
    })
    await expect.poll(() => responses.length).toBe(before + 1)
    responses.at(-1)!.end(Array.from({ length: count }, (_, a) => `{"a":${a}}\n`).join(''))
    expect((await rows).map(({ a }) => a)).toEqual(Array.from({ length: count }, (_, a) => a))
    return pieces
  }
  expect([await decoded(0), await decoded(3)]).toEqual([1, 1])
  expect(await decoded(100_000)).toBeGreaterThan(10)
})

it('ends a query whose rows are not to be decoded any more, with the reason', async () => {
  const { archive, responses } = await openSilent({})
  const reason = new Error('its reader has left')
  const rows = archive.query('SELECT a', {}, limits, () => {
    throw reason
  })
  await expect.poll(() => responses.length).toBe(1)
  responses[0]!.end('{"a":1}\n')
  await expect(rows).rejects.toMatchObject({ name: 'ArchiveError', cause: reason })
})
