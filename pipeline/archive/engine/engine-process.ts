/**
 * The embedded engine: chdb over a directory, which serves ClickHouse's HTTP protocol on a socket. It runs in its own
 * process, so that its crashes and its memory do not affect the service. It ends when the process that started it sends
 * a message, or is gone.
 *
 *     node engine-process.js <directory> <socket> <database>
 *
 * Sends one `EngineMessage` to its parent: when it listens, or when it cannot start.
 */

import { randomUUID } from 'node:crypto'
import { chmodSync, createReadStream, mkdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { RawInsertFormat, Session } from 'chdb'
import { type EngineRequest, errorText, readRequest } from './http-dialect.ts'

export type EngineMessage =
  | { readonly isListening: true; readonly version: string }
  | {
      readonly isListening: false
      readonly reason: string
      /** Whether trying again is useless. */
      readonly isFinal: boolean
    }

/** The most reads at a time, as many as `archive-reads.ts` starts; each session runs one statement after the other. */
const readers = 4

/** Parameters come in the address, so it may be as long as ClickHouse's own server allows. */
const maxHeaderSize = 1_048_576

const newline = 10

const niceness = 5

/** Bytes of a response that are held back, so that an error within them still gets an error status. */
const mostHeldBytes = 1_048_576

const [, , directory, socket, database] = process.argv
if (!directory || !socket || !database) {
  throw new Error('usage: engine-process.js <directory> <socket> <database>')
}

// Ends at once, even during a query: acknowledged data is on disk, and the next process of the service waits for this
// directory.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Ctrl-C at a terminal and a service manager may signal all processes of a service that is to stop. The service itself
// still uses the archive then.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// Set before the engine creates its threads, which inherit it. On a busy machine the service then gets three times the
// CPU time that merges and heavy queries get.
setPriority(niceness)

const { sessions, version } = await open(directory, database)
const lanes = createLanes(sessions)
const server = createServer({ maxHeaderSize }, (request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, error))
})
server.keepAliveTimeout = 60_000
rmSync(socket, { force: true })
server.listen(socket, () => {
  chmodSync(socket, 0o600)
  send({ isListening: true, version })
})
process.once('message', () => {
  server.close()
  for (const session of sessions) session.close()
  process.exit(0)
})

async function open(
  path: string,
  name: string,
): Promise<{ sessions: readonly Session[]; version: string }> {
  let chdb: typeof import('chdb')
  try {
    chdb = await import('chdb')
  } catch (error) {
    return reportFailure({
      reason: `the package chdb does not load: ${firstLine(error)}`,
      isFinal: true,
    })
  }
  try {
    mkdirSync(path, { recursive: true })
    const opened = Array.from({ length: 1 + readers }, () => new chdb.Session(path))
    const [first] = opened
    first!.query(`CREATE DATABASE IF NOT EXISTS ${name}`)
    // Each statement uses the database that the process was started for.
    for (const session of opened) session.query(`USE ${name}`)
    return { sessions: opened, version: first!.query('SELECT version()', 'TSV').trim() }
  } catch (error) {
    return reportFailure({
      reason: `the archive in ${path} does not open: ${firstLine(error)}`,
      isFinal: false,
    })
  }
}

/** Tells the parent why the engine cannot start. */
function reportFailure(of: { readonly reason: string; readonly isFinal: boolean }): Promise<never> {
  send({ isListening: false, ...of })
  // Waits: the parent ends this process when it has the message.
  return new Promise(() => {})
}

function send(message: EngineMessage) {
  process.send?.(message)
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0]!
}

// ---- responses

async function answer(request: IncomingMessage, response: ServerResponse) {
  const engineRequest = await readRequest(request)
  if (engineRequest.kind === 'ping') {
    response.end('Ok.\n')
    return
  }
  const aborter = new AbortController()
  response.once('close', () => aborter.abort())
  if (engineRequest.kind === 'insert')
    await lanes.writing((session) => insert(session, engineRequest, response))
  else {
    const lane = engineRequest.isRead ? lanes.reading : lanes.writing
    await lane((session) => query(session, engineRequest, response, aborter.signal))
  }
}

async function insert(
  session: Session,
  { table, columns, format, settings, rows }: Extract<EngineRequest, { kind: 'insert' }>,
  response: ServerResponse,
) {
  if (rows.length > 0) {
    await session.insert({
      table,
      values: rows,
      format: format as RawInsertFormat,
      settings,
      ...(columns && { columns }),
    })
  }
  response.end()
}

async function query(
  session: Session,
  request: Extract<EngineRequest, { kind: 'query' }>,
  response: ServerResponse,
  signal: AbortSignal,
) {
  if (signal.aborted) return
  const { statement, parameters, format, isRead } = request
  if (!isRead) {
    const result = await session.queryBindAsync(statement, parameters)
    response.end(result.bytes())
    return
  }
  if (format === 'Parquet') return sendParquet(session, request, response)
  const stream = session.queryStreamBind(statement, parameters, {
    signal,
    ...(format !== undefined && { format }),
  })
  // Each chunk begins with the column names, but the response must have them only once.
  const isNamed = format?.endsWith('WithNames') ?? false
  let names: Buffer | undefined
  const held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of stream) {
    // The caller left while this chunk was computed: a write would wait forever for `drain` or `close`.
    if (signal.aborted) return
    let bytes: Uint8Array = chunk.raw()
    if (isNamed && names) bytes = withoutStart(bytes, names)
    else if (isNamed) names = firstLineOf(bytes)
    held.push(bytes)
    heldBytes += bytes.length
    if (heldBytes < mostHeldBytes) continue
    heldBytes = 0
    if (!response.write(Buffer.concat(held.splice(0)))) await drained(response)
  }
  response.end(Buffer.concat(held))
}

function firstLineOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.indexOf(newline) + 1))
}

function withoutStart(bytes: Uint8Array, start: Buffer): Uint8Array {
  return start.equals(bytes.subarray(0, start.length)) ? bytes.subarray(start.length) : bytes
}

/**
 * Sends a Parquet file. Each chunk of a stream would be a separate Parquet file, so the engine writes one file to disk,
 * which is then sent. The rows are counted after they are written, because `max_result_rows` does not limit an insert.
 */
async function sendParquet(
  session: Session,
  { statement, parameters, settings }: Extract<EngineRequest, { kind: 'query' }>,
  response: ServerResponse,
) {
  const file = join(dirname(socket!), `${randomUUID()}.parquet`)
  try {
    const into = `INSERT INTO FUNCTION file('${file}', 'Parquet')`
    const clause = Object.keys(settings).length > 0 ? ',' : '\nSETTINGS'
    // One thread writes, in the order of the statement.
    await session.queryBindAsync(
      `${into}\n${statement}${clause} max_insert_threads = 1`,
      parameters,
    )
    const most = Number(settings.max_result_rows ?? Number.POSITIVE_INFINITY)
    const counted = await session.queryBindAsync(
      `SELECT count() FROM file('${file}', 'Parquet')`,
      {},
      { format: 'TSV' },
    )
    if (Number(counted.text()) > most) {
      throw new Error(`Code: 396. DB::Exception: more than ${most} rows. (TOO_MANY_ROWS_OR_BYTES)`)
    }
    await pipeline(createReadStream(file), response)
  } finally {
    rmSync(file, { force: true })
  }
}

const drained = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })

function refuse(response: ServerResponse, error: unknown) {
  if (response.closed) return
  // Sent bytes cannot be taken back. But a client takes a response without its last chunk for an
  // error.
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, text } = errorText(error)
  const code = /^Code: (\d+)/.exec(text)?.[1]
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': code ?? '1002' })
  response.end(text)
}

// ---- sessions

type Lane = <Value>(work: (session: Session) => Promise<Value>) => Promise<Value>

/** Creates the lanes. One session only writes, so that writes never wait for reads; the others read. */
function createLanes([writer, ...rest]: readonly Session[]): { writing: Lane; reading: Lane } {
  return { writing: createLane([writer!]), reading: createLane(rest) }
}

/** Creates a lane: requests get its free sessions in the order in which they came. */
function createLane(all: readonly Session[]): Lane {
  const free = [...all]
  const waiting: ((session: Session) => void)[] = []
  return async (work) => {
    const session = free.pop() ?? (await new Promise<Session>((resolve) => waiting.push(resolve)))
    try {
      return await work(session)
    } finally {
      const next = waiting.shift()
      if (next) next(session)
      else free.push(session)
    }
  }
}
