/** A request relayed by a proxy on this machine may come from anywhere, so it has no sandbox. */

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openPages, openStatusPage } from '../../api/web/pages.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

const forwarding = [
  'X-Forwarded-For: 203.0.113.7',
  'X-FORWARDED-PROTO: https',
  'X-Forwarded-Host: odds.example.com',
  'X-Forwarded-Whatever:',
  'Forwarded: for=203.0.113.7',
  'Via: 1.1 caddy',
  'X-Via: 1.1 cache',
  'X-Real-IP: 203.0.113.7',
  'X-Sucuri-ClientIP: 203.0.113.7',
  'CF-Connecting-IP: 203.0.113.7',
  'True-Client-IP: 203.0.113.7',
  'X-Amzn-Trace-Id: Root=1',
  'Proxy-Client-IP: 203.0.113.7',
  'WL-Proxy-Client-IP: 203.0.113.7',
  'X-Originating-IP: 203.0.113.7',
  'X-Forward-For: 203.0.113.7',
  'X-Remote-Addr: 203.0.113.7',
  'X-Url-Scheme: https',
  'Front-End-Https: on',
  'Ali-CDN-Real-IP: 203.0.113.7',
  'CloudFront-Viewer-Address: 203.0.113.7:1',
  'X-Request-Start: t=1',
  'X-Nginx-Proxy: true',
  'Max-Forwards: 9',
]

const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

let service: InProcess
let open: InProcess
/** A service without an admin token whose settings name `desk`. */
let withDesk: InProcess
const desk = 'https://desk.example.com'
/** The log lines of each service. */
const logged: Record<'service' | 'open', string[]> = { service: [], open: [] }
const loggerOf = (name: keyof typeof logged) =>
  pino({ level: 'warn' }, { write: (line: string) => void logged[name].push(line) })
beforeAll(async () => {
  const statusPage = await openStatusPage()
  const settings = {
    sandboxKey: keys.sharp,
    sharpBook: 'pinnacle',
    hasConsensus: true,
    hasAdmin: true,
    isSimulated: false,
  }
  const pages = (await openPages(settings))!
  const logger = loggerOf('service')
  service = await startInProcess({ sandboxBehindProxies: false, pages, statusPage, logger })
  open = await startInProcess({ sandboxBehindProxies: true, logger: loggerOf('open') })
  withDesk = await startInProcess({
    sandboxBehindProxies: false,
    corsOrigins: [desk],
    token: null,
  })
})
afterAll(async () => {
  await withDesk.close()
  await service.close()
  await open.close()
})

async function ask(
  of: InProcess,
  path: string,
  header: string,
  more = `X-API-Key: ${keys.sharp}\r\n`,
) {
  const { text } = await of.raw(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}${header && '\r\n'}${more}Connection: close\r\n\r\n`,
    (all) =>
      all.includes('\r\n\r\n') && (/"code"|<\/html>/.test(all) || !all.startsWith('HTTP/1.1 4')),
  )
  return { status: Number(text.split(' ')[1]), text }
}

describe('a request with', () => {
  it.each(forwarding)('%s has no sandbox key', async (header) => {
    for (const path of ['/api/v1/odds', '/api/v1/account', '/api/v1/stream/odds']) {
      const { status, text } = await ask(service, path, header)
      expect([path, status]).toEqual([path, 401])
      expect(text).toContain('invalid_api_key')
      expect(text).toContain('the sandbox keys do not work through a proxy')
    }
  })

  it('none of these has one, on every way', async () => {
    for (const path of ['/api/v1/odds', '/api/v1/stream/odds', '/api/v1/status']) {
      expect([path, (await ask(service, path, '')).status]).toEqual([path, 200])
    }
    expect((await ask(service, '/ws', 'Accept: */*', upgrade)).status).toBe(101)
  })

  it.each(forwarding.slice(0, 1))('%s keeps one if the operator allows it', async (header) => {
    expect((await ask(open, '/api/v1/odds', header)).status).toBe(200)
    expect((await ask(open, '/api/v1/status', header)).status).toBe(200)
  })
})

it('a proxy is logged once, however many requests come through it', async () => {
  const warnings = (name: keyof typeof logged) =>
    logged[name]
      .filter((line) => line.includes('sandbox keys do not work'))
      .map((line) => JSON.parse(line))
  for (const header of forwarding.slice(0, 3)) {
    expect((await ask(service, '/api/v1/odds', header)).status).toBe(401)
    expect((await ask(open, '/api/v1/odds', header)).status).toBe(200)
  }
  expect(warnings('service')).toMatchObject([
    { level: 40, header: expect.stringMatching(/^[a-z-]+$/) },
  ])
  expect(warnings('open')).toEqual([])
})

it('a key in the address or as a bearer is refused too', async () => {
  const [header] = forwarding
  expect((await ask(service, `/api/v1/odds?api_key=${keys.pro}`, header!, '')).status).toBe(401)
  const bearer = `Authorization: Bearer ${keys.free}\r\n`
  expect((await ask(service, '/api/v1/odds', header!, bearer)).status).toBe(401)
})

it('tools need a key of an account', async () => {
  const call = (more: Record<string, string>) =>
    fetch(`${service.base}/mcp`, {
      method: 'POST',
      headers: {
        'X-API-Key': keys.sharp,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  expect((await call({ Via: '1.1 caddy' })).status).toBe(401)
  expect((await call({})).status).toBe(200)
})

it('a relayed WebSocket is refused a sandbox key whenever it comes', async () => {
  const { port } = new URL(service.base)
  const warnings = await new Promise<string>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { Via: '1.1 caddy' } })
    const texts: string[] = []
    socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token: keys.sharp })))
    socket.on('message', (text: Buffer) => texts.push(String(text)))
    socket.on('close', () => resolve(texts.join('\n')))
  })
  expect(warnings).toContain('invalid_api_key')
})

it('the status is then the operator’s, and the board asks for a key', async () => {
  const [header] = forwarding
  for (const path of ['/api/v1/status', '/status']) {
    expect([path, (await ask(service, path, header!)).status]).toEqual([path, 401])
  }
  expect((await ask(service, '/', '')).text).toContain(keys.sharp)
  expect((await ask(service, '/', header!)).text).not.toContain(keys.sharp)
})

it('accepts any host name, because there is no sandbox to reach', async () => {
  const { text } = await service.raw(
    'GET /api/v1/openapi.json HTTP/1.1\r\nHost: odds.example.com\r\nVia: 1.1 caddy\r\nConnection: close\r\n\r\n',
    (all) => all.includes('\r\n\r\n'),
  )
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

describe('a page of another origin', () => {
  const elsewhere = [
    'Origin: https://evil.example',
    'Origin: http://evil.example:3000',
    'Origin: null',
    'Origin: https://localhost.evil.example',
    'Origin: http://127.0.0.1.evil.example:3000',
    'Origin: https://evil.example\r\nSec-Fetch-Site: same-origin',
    `Origin: ${desk}`,
    'Origin: chrome-extension://localhost',
    'Origin: http://notlocalhost.example',
    'Origin: http://192.168.1.5:5173',
    // An image or a script: a browser names no origin.
    'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors',
    'Sec-Fetch-Site: cross-site',
  ]
  const ofOurs = [
    'Origin: http://127.0.0.1:5173',
    'Origin: http://localhost:6274\r\nSec-Fetch-Site: cross-site',
    'Origin: https://LOCALHOST',
    'Origin: http://[::1]:3000',
    'Origin: http://app.localhost:5173',
    'Origin: http://0.0.0.0:5173',
    'Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors',
    'Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate',
    // A link on a page elsewhere that somebody follows.
    'Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate',
  ]

  it.each(elsewhere)('has no sandbox key: %s', async (header) => {
    for (const path of ['/api/v1/odds', '/api/v1/account/bets', '/api/v1/stream/odds']) {
      const { status, text } = await ask(service, path, header)
      expect([path, status]).toEqual([path, 401])
      expect(text).toContain('do not work in web pages of other origins')
    }
    const inAddress = `/api/v1/odds?api_key=${keys.sharp}`
    expect((await ask(service, inAddress, header, '')).status).toBe(401)
    expect((await ask(service, '/api/v1/status', header)).status).toBe(401)
    expect((await ask(service, '/', header, '')).text).not.toContain(keys.sharp)
  })

  it.each(ofOurs)('is none of ours: %s', async (header) => {
    for (const path of ['/api/v1/odds', '/api/v1/stream/odds', '/api/v1/status']) {
      expect([path, (await ask(service, path, header)).status]).toEqual([path, 200])
    }
    expect((await ask(service, '/', header, '')).text).toContain(keys.sharp)
  })

  it('writes nothing with one, though its browser asks for no permission', async () => {
    const body = '{"sportsbooks":["draftkings"]}'
    const { text } = await service.raw(
      `POST /api/v1/account/bets?api_key=${keys.sharp} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      (all) => all.includes('"code"'),
    )
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('is told why it has no status, where no admin token opens it', async () => {
    const { status, text } = await ask(withDesk, '/api/v1/status', 'Origin: https://evil.example')
    expect(status).toBe(401)
    expect(text).toContain('Web pages of other origins may not call this route')
  })

  it('is named by the settings', async () => {
    const named = `Origin: ${desk}\r\nSec-Fetch-Site: cross-site`
    expect((await ask(withDesk, '/api/v1/odds', named)).status).toBe(200)
    expect((await ask(withDesk, '/api/v1/odds', 'Origin: https://evil.example')).status).toBe(401)
  })

  it('has the keys that the operator opens to everybody', async () => {
    expect((await ask(open, '/api/v1/odds', 'Origin: https://evil.example')).status).toBe(200)
  })

  it('keeps the key of an account', async () => {
    const account = { name: 'page', tier: 'pro', addOns: [], expiresAt: null } as const
    const { value } = await service.accounts.create(account)
    const headers = { 'X-API-Key': value, Origin: 'https://evil.example' }
    expect((await service.request('/odds', { headers })).status).toBe(200)
  })

  it.each([
    ['in its address', `?api_key=${keys.sharp}`, null],
    ['in a frame', '', { type: 'auth', token: keys.sharp }],
  ])('has no sandbox key on a WebSocket: %s', async (_, query, frame) => {
    const { port } = new URL(service.base)
    const heard = (origin: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`, { origin })
        socket.on('open', () => frame && socket.send(JSON.stringify(frame)))
        socket.on('message', (text: Buffer) => {
          if (/"type":"(connected|error)"/.test(String(text))) {
            resolve(String(text))
            socket.terminate()
          }
        })
      })
    expect(await heard('https://evil.example')).toContain('invalid_api_key')
    expect(await heard('http://localhost:5173')).toContain('"connected"')
  })

  it('calls tools only where it is named, with a key of an account too', async () => {
    const call = async (
      of: InProcess,
      key: string,
      origin: string,
      host = 'odds.localhost',
      more = '',
    ) => {
      const { text } = await of.raw(
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${more}X-API-Key: ${key}\r\nOrigin: ${origin}\r\nContent-Length: ${ping.length}\r\nConnection: close\r\n\r\n${ping}`,
        (all) => /"(code|result)"/.test(all),
      )
      return Number(text.split(' ')[1])
    }
    const account = { name: 'tools', tier: 'pro', addOns: [], expiresAt: null } as const
    const { value } = await withDesk.accounts.create(account)
    for (const key of [value, keys.sharp]) {
      expect(await call(withDesk, key, desk)).toBe(200)
      // The page of the service itself.
      expect(await call(withDesk, key, 'https://odds.localhost:8443')).toBe(200)
      expect(await call(withDesk, key, 'https://evil.example')).toBe(403)
    }
    expect(await call(open, keys.sharp, desk)).toBe(403)
    // A page that has pointed its own name at this machine, and adds a header as a proxy does.
    const rebound = ['http://evil.example', 'evil.example', 'X-Forwarded-For: 1.2.3.4\r\n'] as const
    expect(await call(withDesk, value, ...rebound)).toBe(403)
    expect(await call(withDesk, value, 'http://10.0.0.5:3000', '10.0.0.5:3000')).toBe(200)
  })
})

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
