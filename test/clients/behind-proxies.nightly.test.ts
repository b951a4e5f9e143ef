/**
 * Both clients behind proxies that hold back or cut streams: they notice, report why, and use another transport if
 * there is one.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type OverroundError } from '../../api/clients/typescript/src/index.ts'
import { projectRoot } from '../../schemas/project-root.ts'
import { fillBoard } from '../api/filled-board.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from '../api/service-in-process.ts'
import { freePort, isInstalled } from '../proxies/proxy.ts'
import { havePython } from './have-python.ts'
import { openSocket } from './open-stream-client.ts'

const silenceSeconds = 3
const interpreter = await havePython(['httpx==0.28.1', 'websockets==17.4'])

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await fillBoard(service)
})
afterAll(() => service.close())

// ---- proxies

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const servicePort = () => Number(new URL(service.base).port)
const addressBehind = (port: number) => `http://127.0.0.1:${port}/api/v1`

interface Holding {
  readonly passesSockets?: boolean
  /** Whether it holds back even short responses. */
  readonly isDead?: boolean
}

/** Starts a proxy that passes on only complete responses, as some that inspect traffic do. */
async function holding({ passesSockets = false, isDead = false }: Holding): Promise<string> {
  async function pass(incoming: IncomingMessage, answer: ServerResponse) {
    const { method, url, headers } = incoming
    const upstream = request({ port: servicePort(), host: '127.0.0.1', method, path: url, headers })
    answer.on('close', () => upstream.destroy())
    upstream.on('error', () => answer.destroy())
    upstream.end()
    const [reply] = (await once(upstream, 'response')) as [IncomingMessage]
    const body = await buffer(reply)
    answer.writeHead(reply.statusCode!, reply.headers).end(body)
  }
  const server = createServer((incoming, answer) => {
    if (!isDead) pass(incoming, answer).catch(() => answer.destroy())
  })
  server.on('upgrade', ({ url, headers }, socket) => {
    if (!passesSockets) return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    const upstream = connect(servicePort(), '127.0.0.1')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    upstream.write(`GET ${url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    upstream.pipe(socket).pipe(upstream)
    for (const one of [upstream, socket]) {
      one.on('error', () => {}).on('close', () => [upstream, socket].map((each) => each.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return addressBehind((server.address() as AddressInfo).port)
}

/** @param settings settings of the location, besides those for WebSockets */
async function nginx(settings: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overround-buffering-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
     http { ${temporary} access_log off;
       map $http_upgrade $upgrading { default upgrade; '' ''; }
       server { listen 127.0.0.1:${port};
         location / { proxy_pass http://127.0.0.1:${servicePort()};
           proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $upgrading;
           ${settings} } } }`,
  )
  const child = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  })
  closers.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  const address = addressBehind(port)
  const isThere = () =>
    fetch(`${address}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isThere).toBe(true)
  return address
}

// ---- clients

interface Followed {
  readonly name: string
  /** Returns the prices by id; null while the board is incomplete. */
  prices(): Readonly<Record<string, number>> | null
  transport(): string | undefined
  fault(): string | null | undefined
  counts(): Readonly<Record<'connections' | 'proofs' | 'mismatches' | 'gaps', number>> | undefined
  /** Returns the code and message of its final error. */
  error(): readonly [string, string] | null
}

function followHere(base: string, heartbeatSeconds: number): Followed {
  const board = createClient({ base, key: keys.sharp, openSocket }).board(
    {},
    { heartbeatSeconds, silenceMs: silenceSeconds * 1_000, reconnectMs: 100 },
  )
  closers.push(() => board.close())
  let error: readonly [string, string] | null = null
  board.ready.catch(({ code, message }: OverroundError) => {
    error = [code, message]
  })
  return {
    name: 'typescript',
    prices: () =>
      board.isCurrent()
        ? Object.fromEntries([...board.rows].map(([id, row]) => [id, row.odds_decimal]))
        : null,
    transport: () => board.stream.transport(),
    fault: () => board.stream.lastFault(),
    counts: () => board.stream.counts,
    error: () => error,
  }
}

function followInPython(base: string, kind: 'sync' | 'async', heartbeatSeconds: number): Followed {
  const script = join(projectRoot, 'test', 'clients', 'python', 'behind.py')
  const options = [base, keys.sharp, kind, 'sse', `${heartbeatSeconds}`, `${silenceSeconds}`]
  const child: ChildProcess = spawn(interpreter!, [script, ...options], {
    env: { ...process.env, PYTHONPATH: join(projectRoot, 'api', 'clients', 'python', 'src') },
  })
  closers.push(() => child.kill('SIGKILL'))
  let report: Record<string, never> | undefined
  let warnings = ''
  createInterface({ input: child.stdout! }).on('line', (line) => {
    report = JSON.parse(line)
  })
  // Before its first message the client reports a fault in its log only.
  child.stderr!.on('data', (text) => {
    warnings += text
  })
  return {
    name: `python, ${kind}`,
    prices: () => report?.prices ?? null,
    transport: () => report?.transport,
    fault: () => warnings || report?.fault,
    counts: () => report?.counts,
    error: () => report?.error ?? null,
  }
}

const follow = (base: string, heartbeatSeconds = 1): readonly Followed[] => [
  followHere(base, heartbeatSeconds),
  ...(interpreter
    ? (['sync', 'async'] as const).map((kind) => followInPython(base, kind, heartbeatSeconds))
    : []),
]

let price = 5

/** Moves a price and waits until all clients have REST's board. */
async function expectCurrent(clients: readonly Followed[]) {
  service.advance(1_000)
  price += 0.01
  const quote = { sportsbook: 'fanduel', externalId: '1-1', mode: 'delta' } as const
  await service.ingest([oddsRecord(service.clock(), { ...quote, prices: [price, 1.4] })])
  await service.settled()
  const { body } = await service.get('/odds?limit=200')
  expect(body.pagination.has_more).toBe(false)
  const shown = Object.fromEntries(
    body.data.map(({ id, odds_decimal }: { id: string; odds_decimal: number }) => [
      id,
      odds_decimal,
    ]),
  )
  for (const client of clients) {
    await expect.poll(() => client.prices(), { message: client.name }).toEqual(shown)
    expect(client.counts(), client.name).toMatchObject({ gaps: 0, mismatches: 0 })
  }
}

const withPython = interpreter ? '' : ' (without Python: not here)'

describe(`behind a proxy that passes answers on at their end${withPython}`, () => {
  it('continues over a WebSocket, where that comes through', async () => {
    const clients = follow(await holding({ passesSockets: true }))
    for (const { name, transport, fault, error } of clients) {
      await expect.poll(transport, { message: name }).toBe('websocket')
      expect(fault(), name).toMatch(/nothing came over sse for .*proxy_buffering off/)
      expect(error(), name).toBe(null)
    }
    await expectCurrent(clients)
  })

  it('ends with the reason, where it does not', async () => {
    for (const { name, error } of follow(await holding({}))) {
      await expect.poll(error, { message: name }).toMatchObject(['held_back', expect.anything()])
      expect(error()![1], name).toMatch(/the service answers, but .*proxy_buffering off/)
    }
  })

  it('keeps trying if nothing responds at all', async () => {
    for (const { name, fault, error } of follow(await holding({ isDead: true }))) {
      await expect.poll(fault, { message: name }).toContain('nothing answers')
      expect(error(), name).toBe(null)
    }
  })
})

const hasNginx = isInstalled('nginx')
describe.skipIf(!hasNginx)(`behind nginx${hasNginx ? withPython : ' (not installed)'}`, () => {
  it('that buffers and compresses by itself: continues over a WebSocket', async () => {
    const clients = follow(
      await nginx(
        `proxy_ignore_headers X-Accel-Buffering; proxy_buffering on;
         proxy_set_header Accept-Encoding ''; gzip on; gzip_types *;`,
      ),
    )
    for (const { name, transport } of clients) {
      await expect.poll(transport, { message: name }).toBe('websocket')
    }
    await expectCurrent(clients)
  })

  it('with its defaults, and compression: the stream itself asks to be passed on', async () => {
    const clients = follow(await nginx('gzip on; gzip_types *;'))
    await expectCurrent(clients)
    for (const { name, transport } of clients) expect(transport(), name).toBe('sse')
  })

  it('that cuts silent streams: asks for heartbeats more often, and stays', async () => {
    const clients = follow(await nginx('proxy_read_timeout 2s;'), 30)
    for (const { name, counts, fault } of clients) {
      await expect.poll(fault, { message: name }).toMatch(/after [12]\.\d s of silence.* every 1 s/)
      const { connections, proofs } = counts()!
      await expect.poll(() => counts()!.proofs, { message: name }).toBeGreaterThan(proofs + 3)
      // One more is allowed, because the fault is read before the connection that it caused.
      expect(counts()!.connections, name).toBeLessThanOrEqual(connections + 1)
    }
    await expectCurrent(clients)
  })
})
