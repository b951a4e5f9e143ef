import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exitCodes } from '../../../api/command-line/exit-codes.ts'
import { ExportError, type ExportOptions, exportHistory } from '../../../api/export/export.ts'

const from = Date.parse('2027-01-10T00:00:00Z')
const to = Date.parse('2027-01-13T06:00:00Z')

type Handler = (query: URLSearchParams, response: ServerResponse, nth: number) => unknown

let directory = ''
let stopServer = async () => {}
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'overround-export-'))
})
afterEach(async () => {
  await stopServer()
  await rm(directory, { recursive: true, force: true })
})

/** Starts a service with scripted responses. */
async function serve(handle: Handler) {
  const requests: URLSearchParams[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const query = new URL(request.url!, 'http://a').searchParams
    requests.push(query)
    handle(query, response, requests.length)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  stopServer = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return {
    requests: requests,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
}

const rowOf = (query: URLSearchParams) => `${query.get('from')} to ${query.get('to')}`
const csv: Handler = (query, response) => response.end(`"day"\n"${rowOf(query)}"\n`)

function optionsOf(address: string, more: Partial<ExportOptions> = {}): ExportOptions {
  return {
    what: 'changes',
    from,
    to,
    format: 'csv',
    out: join(directory, 'season'),
    address,
    key: 'k',
    filters: { league: 'nba' },
    signal: new AbortController().signal,
    onProgress: () => {},
    waitMs: () => 0,
    ...more,
  }
}

const result = () => readFile(join(directory, 'season'), 'utf8')
const wholeCsv = [
  '"day"',
  '"2027-01-10T00:00:00.000Z to 2027-01-11T00:00:00.000Z"',
  '"2027-01-11T00:00:00.000Z to 2027-01-12T00:00:00.000Z"',
  '"2027-01-12T00:00:00.000Z to 2027-01-13T00:00:00.000Z"',
  '"2027-01-13T00:00:00.000Z to 2027-01-13T06:00:00.000Z"',
  '',
].join('\n')

describe('the export of a season', () => {
  it('requests day by day and joins the days, with one head', async () => {
    const { address, requests } = await serve(csv)
    const progress: number[] = []
    await exportHistory(optionsOf(address, { onProgress: (done) => progress.push(done) }))
    expect(await result()).toBe(wholeCsv)
    expect(requests.map((query) => query.get('league'))).toEqual(['nba', 'nba', 'nba', 'nba'])
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual([...progress].sort())
    expect(await readdir(directory)).toEqual(['season'])
  })

  it('retries after a passing refusal and after a truncated response', async () => {
    const { address } = await serve((query, response, nth) => {
      if (nth === 1) response.writeHead(503, { 'Retry-After': '1' }).end('{"code":"not_ready"}')
      else if (nth === 2) response.writeHead(429).end('{"code":"archive_busy"}')
      else if (nth === 4) {
        response.write('"day"\n"half')
        setImmediate(() => response.destroy())
      } else csv(query, response, nth)
    })
    await exportHistory(optionsOf(address))
    expect(await result()).toBe(wholeCsv)
  })

  const past = { from: Date.parse('2021-01-10T00:00:00Z'), to: Date.parse('2021-01-11T00:00:00Z') }
  const century = String(100 * 366 * 86_400)

  /** The last whole day. */
  const lately = { from: Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000, to: 0 }
  lately.to = lately.from + 86_400_000

  it.each([
    [century, past, `The archive is ${century} s behind and`],
    ['unknown', lately, 'The log does not tell how far the archive is behind: it'],
  ])('waits for the archive that is behind: by %s s', async (behind, period, reason) => {
    const waits: string[] = []
    const { address, requests } = await serve((query, response, nth) => {
      if (nth < 3) response.setHeader('X-Archive-Seconds-Behind', behind)
      csv(query, response, nth)
    })
    const onBehind = (message: string) => waits.push(message)
    expect(await exportHistory(optionsOf(address, { ...period, onBehind }))).toBe(1)
    expect([requests.length, waits.length]).toEqual([3, 2])
    expect(waits[0]).toBe(`${reason} may lack changes before ${new Date(period.to).toISOString()}`)
  })

  it('is refused, and resumes, if the archive stays behind', async () => {
    const { address } = await serve((query, response, nth) => {
      if (nth <= 8) response.setHeader('X-Archive-Seconds-Behind', century)
      csv(query, response, nth)
    })
    await expect(exportHistory(optionsOf(address, past))).rejects.toThrow(
      /^The archive is \d+ s behind .* Run the export again to resume\.$/,
    )
    expect(existsSync(join(directory, 'season'))).toBe(false)
    expect(await exportHistory(optionsOf(address, past))).toBe(1)
  })

  it.each(['3600', 'unknown'])('waits for no changes that came after the period: %s', async (s) => {
    const { address, requests } = await serve((query, response, nth) => {
      response.setHeader('X-Archive-Seconds-Behind', s)
      csv(query, response, nth)
    })
    expect(await exportHistory(optionsOf(address, past))).toBe(1)
    expect(requests).toHaveLength(1)
  })

  it('halves a day that is too large for one query', async () => {
    const { address } = await serve((query, response, nth) => {
      const span = Date.parse(query.get('to')!) - Date.parse(query.get('from')!)
      if (span > 12 * 3_600_000) response.writeHead(422).end('{"code":"answer_too_large"}')
      else csv(query, response, nth)
    })
    await exportHistory(optionsOf(address))
    const lines = (await result()).trim().split('\n')
    expect(lines.length).toBe(1 + 7)
    expect(lines[2]).toBe('"2027-01-10T12:00:00.000Z to 2027-01-11T00:00:00.000Z"')
  })

  it('halves a day whose file breaks off twice', async () => {
    const { address, requests } = await serve((query, response, nth) => {
      const span = Date.parse(query.get('to')!) - Date.parse(query.get('from')!)
      if (span <= 12 * 3_600_000) return csv(query, response, nth)
      response.write('"day"\n"half')
      setImmediate(() => response.destroy())
    })
    await exportHistory(optionsOf(address))
    const lines = (await result()).trim().split('\n')
    expect(lines.length).toBe(1 + 7)
    expect(lines[1]).toBe('"2027-01-10T00:00:00.000Z to 2027-01-10T12:00:00.000Z"')
    expect(requests.length).toBe(2 * 3 + 7)
  })

  it('names the reason if even the shortest file breaks off', async () => {
    const { address, requests } = await serve((_query, response) => {
      response.write('"day"\n"half')
      setImmediate(() => response.destroy())
    })
    const minute = { from, to: from + 60_000 }
    await expect(exportHistory(optionsOf(address, minute))).rejects.toThrow(
      'The service does not respond: terminated',
    )
    expect(requests.length).toBe(8)
  })

  it('ends at once if a file cannot be written', async () => {
    const { address, requests } = await serve(csv)
    const day = '2027-01-11T000000.000Z_2027-01-12T000000.000Z.csv'
    await mkdir(join(directory, 'season.parts', `${day}.incomplete`), { recursive: true })
    const ended = exportHistory(optionsOf(address))
    await expect(ended).rejects.toThrow(ExportError)
    await expect(ended).rejects.toThrow('cannot be written or read: EISDIR')
    expect(requests.length).toBe(2)
  })

  it('ends at once if its directory cannot be made', async () => {
    const { address, requests } = await serve(csv)
    await writeFile(join(directory, 'file'), '')
    const out = join(directory, 'file', 'season')
    await expect(exportHistory(optionsOf(address, { out }))).rejects.toThrow(ExportError)
    expect(requests.length).toBe(0)
  })

  it.each([
    [401, exitCodes.refused],
    [403, exitCodes.refused],
    [400, exitCodes.usage],
    [429, exitCodes.later],
    [503, exitCodes.later],
    [502, exitCodes.unreachable],
    [500, exitCodes.failed],
  ])('has the exit code of its refusal: %i, %i', async (status, exitCode) => {
    const { address } = await serve((_query, response) => response.writeHead(status).end('{}'))
    await expect(exportHistory(optionsOf(address))).rejects.toMatchObject({ exitCode })
  })

  it('has the exit code of a service that does not respond', async () => {
    const { address } = await serve((_query, response) => response.destroy())
    const ended = exportHistory(optionsOf(address))
    await expect(ended).rejects.toMatchObject({ exitCode: exitCodes.unreachable })
  })

  it('resumes where it was cut off, and leaves no partial result', async () => {
    const stop = new AbortController()
    const { address, requests: asked } = await serve((query, response, nth) => {
      if (nth === 3) {
        response.write('"day"\n')
        stop.abort()
      } else csv(query, response, nth)
    })
    await expect(exportHistory(optionsOf(address, { signal: stop.signal }))).rejects.toThrow()
    expect(existsSync(join(directory, 'season'))).toBe(false)
    await exportHistory(optionsOf(address))
    expect(await result()).toBe(wholeCsv)
    // The two finished days were not requested again.
    expect(asked.length).toBe(3 + 2)
  })

  it.each<[Partial<ExportOptions>, string]>([
    [{ filters: { league: 'nfl' } }, 'filters {"league":"nba"}'],
    [{ to: to - 86_400_000 }, 'to 2027-01-13T06:00:00.000Z'],
    [{ from: from + 43_200_000 }, 'from 2027-01-10T00:00:00.000Z'],
    [{ key: 'another' }, 'another key'],
    [{ what: 'closes', format: 'ndjson' }, 'what changes, format csv'],
  ])('does not mix two exports: %j', async (more, difference) => {
    const { address } = await serve((_query, response, nth) =>
      nth === 3 ? response.writeHead(403).end('{}') : csv(_query, response, nth),
    )
    await expect(exportHistory(optionsOf(address))).rejects.toThrow('status 403')
    await expect(exportHistory(optionsOf(address, more))).rejects.toThrow(
      `has the days of another export (${difference}). To resume that one, repeat its command. Otherwise remove the directory`,
    )
    expect(existsSync(join(directory, 'season'))).toBe(false)
    await exportHistory(optionsOf(address))
    expect(await result()).toBe(wholeCsv)
  })

  it('keeps the key out of its directory', async () => {
    const { address } = await serve((_query, response) => response.writeHead(403).end('{}'))
    await expect(exportHistory(optionsOf(address, { key: 'sk_secret' }))).rejects.toThrow()
    const job = await readFile(join(directory, 'season.parts', 'export.json'), 'utf8')
    expect(job).not.toContain('sk_secret')
  })

  it('has a day once that was halved, and is whole when it resumes', async () => {
    const stop = new AbortController()
    let isTooLarge = true
    const { address } = await serve((query, response, nth) => {
      const span = Date.parse(query.get('to')!) - Date.parse(query.get('from')!)
      if (isTooLarge && span > 12 * 3_600_000) {
        response.writeHead(422).end('{"code":"answer_too_large"}')
      } else if (isTooLarge && query.get('from')!.startsWith('2027-01-12')) stop.abort()
      else csv(query, response, nth)
    })
    await expect(exportHistory(optionsOf(address, { signal: stop.signal }))).rejects.toThrow()
    isTooLarge = false
    expect(await exportHistory(optionsOf(address))).toBe(4)
    expect(await result()).toBe(wholeCsv)
  })

  it('counts its rows, and keeps the head of an answer after one without', async () => {
    const { address } = await serve((query, response, nth) => {
      if (nth === 1) response.end('')
      else if (nth === 2) response.end('"day"\n')
      else csv(query, response, nth)
    })
    expect(await exportHistory(optionsOf(address))).toBe(2)
    expect((await result()).split('\n').slice(0, 2)).toEqual([
      '"day"',
      '"2027-01-12T00:00:00.000Z to 2027-01-13T00:00:00.000Z"',
    ])
  })

  it('joins Parquet files in order', async () => {
    const days = wholeCsv.replaceAll('"', '').trim().split('\n').slice(1)
    // A process has one session at a time.
    const files = await withSession(async (session) => {
      const made = new Map<string, Uint8Array>()
      for (const day of days) {
        const statement = `SELECT '${day}' AS day, number FROM numbers(3) FORMAT Parquet`
        made.set(day, (await session.queryBindAsync(statement, {})).bytes())
      }
      return made
    })
    const { address } = await serve((query, response) => response.end(files.get(rowOf(query))))
    expect(await exportHistory(optionsOf(address, { format: 'parquet' }))).toBe(3 * days.length)
    const path = join(directory, 'season')
    const rows = await withSession(async (session) =>
      session.query(`SELECT day, number FROM file('${path}', Parquet)`, 'TSV'),
    )
    expect(rows.trim().split('\n')).toEqual(
      days.flatMap((day) => [0, 1, 2].map((number) => `${day}\t${number}`)),
    )
  })

  it('joins Parquet files without rows', async () => {
    const empty = await withSession(async (session) => {
      const statement = "SELECT '' AS day, number FROM numbers(0) FORMAT Parquet"
      return (await session.queryBindAsync(statement, {})).bytes()
    })
    const { address } = await serve((_query, response) => response.end(empty))
    expect(await exportHistory(optionsOf(address, { format: 'parquet' }))).toBe(0)
    const path = join(directory, 'season')
    const columns = await withSession(async (session) =>
      session.query(`DESCRIBE file('${path}', Parquet)`, 'TSV'),
    )
    expect(columns).toContain('day')
  })
})

async function withSession<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
  const session = new Session()
  try {
    return await work(session)
  } finally {
    session.close()
  }
}
