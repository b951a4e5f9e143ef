/** Why an archive does not answer is in the error, which `/status` and the text log show. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ArchiveError, openArchive } from '../../../pipeline/archive/archive.ts'

const limits = { seconds: 60, resultRows: 1, readRows: 1, memoryBytes: 1e8 }

async function failure(url: string, graceMs = 5_000, seconds = limits.seconds) {
  const archive = openArchive({ url }, 'd', { graceMs })
  const error = await archive.query('SELECT 1', {}, { ...limits, seconds }).catch((it) => it)
  await archive.close()
  expect(error).toBeInstanceOf(ArchiveError)
  return error as ArchiveError
}

async function withServer(work: (port: number) => Promise<void>) {
  const server = createServer((request) => request.resume())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

test('an archive at which nobody listens is refused a connection', async () => {
  const { code, message } = await failure('http://me:secret@127.0.0.1:9')
  expect(code).toBe('unavailable')
  expect(message).toBe('The archive does not answer: connect ECONNREFUSED 127.0.0.1:9.')
})

test('an archive at a name that does not exist is not found', async () => {
  const { message } = await failure('http://clickhouse.invalid')
  expect(message).toContain('clickhouse.invalid')
})

test('an archive without TLS at an https address says so', async () => {
  await withServer(async (port) => {
    const { message } = await failure(`https://127.0.0.1:${port}`)
    expect(message).toMatch(/^The archive does not answer: .*(SSL|EPROTO|TLS)/)
  })
})

test('an archive that is silent has not answered within its time', async () => {
  await withServer(async (port) => {
    const { message } = await failure(`http://127.0.0.1:${port}`, 0, 0.001)
    expect(message).toBe('The archive does not answer: no response within 0.001 s.')
  })
})

/** Returns the code of a query that a server refuses with this error. */
async function codeFor(exception: number): Promise<ArchiveError['code']> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(exception) })
    response.end(`Code: ${exception}. DB::Exception: of a test. (OF_A_TEST)`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    const { port } = server.address() as AddressInfo
    return (await failure(`http://127.0.0.1:${port}`)).code
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

test.each([
  ['unavailable', [60, 81, 49, 194, 202, 210, 242, 243, 252, 394, 497, 516, 999]],
  ['refused', [16, 46, 47, 50, 53, 62]],
  ['too_much', [159, 241]],
] as const)('an archive is %s by the codes %j', async (code, exceptions) => {
  for (const exception of exceptions)
    expect([exception, await codeFor(exception)]).toEqual([exception, code])
})
