/** The served pages: the response of each address, and the policies for browsers. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPages } from '../../api/web/pages.ts'
import { type InProcess, startInProcess } from '../api/service-in-process.ts'

const script = 'console.log("the script")\n'.repeat(40)

let folder: string
let service: InProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-pages-'))
  const page = '<!doctype html><meta name="overround" content="{{settings}}">'
  await Promise.all([
    writeFile(join(folder, 'index.html'), page),
    writeFile(join(folder, 'main-ABC.js'), script),
    writeFile(join(folder, 'main-ABC.js.br'), brotliCompressSync(script)),
    writeFile(join(folder, 'main-ABC.js.gz'), gzipSync(script)),
    writeFile(join(folder, 'bets-ABC.js'), script),
    writeFile(join(folder, 'bets-ABC.js.br'), brotliCompressSync(script)),
    writeFile(join(folder, 'bets-ABC.js.gz'), gzipSync(script)),
    writeFile(join(folder, 'docs.html'), '<h1>Guides</h1>'),
    writeFile(join(folder, 'docs.start.html'), '<h1>Start</h1>'),
    writeFile(join(folder, 'docs.start.md'), '# Start'),
    writeFile(join(folder, 'docs.api.html'), '<rapi-doc></rapi-doc>'),
    writeFile(join(folder, 'llms.txt'), '# overround'),
    writeFile(join(folder, 'manifest.webmanifest'), '{"name":"overround"}'),
    writeFile(join(folder, 'board-ABC.png'), 'picture'),
  ])
  const settings = {
    sandboxKey: 'a "key" & <more>',
    sharpBook: 'pinnacle',
    hasConsensus: true,
    hasAdmin: false,
    isSimulated: false,
  }
  const pages = await openPages(settings, folder)
  service = await startInProcess({ pages: pages! })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const at = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${service.port}${path}`, { ...init, redirect: 'manual' })

/** Returns the raw response, which fetch would decompress. */
async function raw(path: string, coding: string) {
  const { text } = await service.raw(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
  )
  const [head = '', ...rest] = text.split('\r\n\r\n')
  return { head, body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') }
}

describe('guides', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8', 'Guides'],
    ['/docs/start', 'text/html; charset=utf-8', 'Start'],
    ['/docs/start.md', 'text/markdown; charset=utf-8', '# Start'],
    ['/docs/api', 'text/html; charset=utf-8', 'rapi-doc'],
    ['/llms.txt', 'text/plain; charset=utf-8', '# overround'],
    ['/manifest.webmanifest', 'application/manifest+json', 'overround'],
    ['/assets/board-ABC.png', 'image/png', 'picture'],
  ])('%s is served', async (path, type, text) => {
    const answer = await at(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(await answer.text()).toContain(text)
  })

  it('run nothing inline, and only the reference writes styles', async () => {
    const policyOf = async (path: string) => (await at(path)).headers.get('content-security-policy')
    expect(await policyOf('/docs/start')).not.toContain('unsafe')
    const reference = await policyOf('/docs/api')
    expect(reference).toContain("script-src 'self';")
    expect(reference).toContain("style-src 'self' 'unsafe-inline'")
  })
})

describe('pages', () => {
  it.each([
    '/',
    '/events/nba_nets_knicks',
    '/opportunities',
    '/alerts',
    '/bets',
    '/profile',
    '/record',
    '/tools',
    '/sources',
    '/keys',
  ])('%s is the document, restricted to our own files', async (path) => {
    const answer = await at(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    // Pages of other origins may not read this page.
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await answer.text()).toContain('<!doctype html>')
  })

  it('have their settings in an attribute that can hold any text', async () => {
    const text = await (await at('/')).text()
    const [, content = ''] = /content="([^"]*)"/.exec(text)!
    const plain = content.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    expect(JSON.parse(plain)).toEqual({
      sandboxKey: 'a "key" & <more>',
      sharpBook: 'pinnacle',
      hasConsensus: true,
      hasAdmin: false,
      isSimulated: false,
    })
  })

  it('are not sent again to a client that has them', async () => {
    for (const path of ['/', '/assets/main-ABC.js']) {
      const first = await at(path)
      const etag = first.headers.get('etag')!
      // A proxy may have made it a weak tag.
      for (const known of [etag, `"another", W/${etag}`, '*']) {
        const again = await at(path, { headers: { 'If-None-Match': known } })
        expect(again.status).toBe(304)
        expect(await again.text()).toBe('')
      }
      expect((await at(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200)
    }
  })

  it.each([
    ['the script', '/assets/main-ABC.js'],
    ['a part that is loaded on demand', '/assets/bets-ABC.js'],
  ])('have immutable files, in every coding: %s', async (_, path) => {
    const plain = await raw(path, 'identity')
    expect(plain.head).toContain('Cache-Control: public, max-age=31536000, immutable')
    expect(plain.head).toContain('Content-Type: text/javascript')
    expect(plain.head).not.toContain('Content-Encoding')
    expect(plain.head).toContain("Content-Security-Policy: default-src 'none'")
    expect(plain.body.toString()).toBe(script)
    const br = await raw(path, 'gzip, br')
    expect(br.head).toContain('Content-Encoding: br')
    expect(brotliDecompressSync(br.body).toString()).toBe(script)
    const gzip = await raw(path, 'gzip')
    expect(gzip.head).toContain('Content-Encoding: gzip')
    expect(gunzipSync(gzip.body).toString()).toBe(script)
    const tags = [plain, br, gzip].map(({ head }) => /ETag: (.*)/.exec(head)![1])
    expect(new Set(tags).size).toBe(3)
  })

  it('answer HEAD with the same head and no body', async () => {
    const head = await at('/', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-security-policy')).not.toBeNull()
    expect(await head.text()).toBe('')
    expect((await at('/assets/main-ABC.js', { method: 'HEAD' })).status).toBe(200)
  })

  it('leave requests for a stream at the root to it', async () => {
    const answer = await at('/?channel=odds')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { stream_endpoints: { websocket: '/ws' } } })
  })

  it('are redirected from a path with a slash too many, and only then', async () => {
    for (const [path, to] of [
      ['/docs/', '/docs'],
      ['/docs/start/', '/docs/start'],
      ['/opportunities/?kind=ev', '/opportunities?kind=ev'],
      ['/events/nba_nets_knicks/', '/events/nba_nets_knicks'],
      ['/events/nba_bl%C3%A4_%0d%0aX/?a=%0a', '/events/nba_bl%C3%A4_%0d%0aX?a=%0a'],
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await at(path!, { method })
        expect([path, status, headers.get('location')]).toEqual([path, 308, to])
      }
    }
    for (const path of ['/docs//', '/nothing/', '/api/v1/events/', '/evil.example/']) {
      expect((await at(path)).status, path).toBe(404)
    }
    expect((await at('/docs/', { method: 'POST' })).status).toBe(404)
  })

  it('report an unknown path in a page, to a browser only', async () => {
    const browser = { headers: { accept: 'text/html,application/xhtml+xml' } }
    for (const path of ['/nothing', '/events', '/docs/nothing']) {
      const answer = await at(path, browser)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toContain('<!doctype html>')
    }
    for (const [path, init] of [
      ['/nothing', {}],
      ['/nothing', { ...browser, method: 'POST' }],
      ['/api/v1/nothing', browser],
      ['/assets/nothing.js', browser],
    ] as const) {
      const answer = await at(path, init)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
  })

  it('are nothing else: no other path, no path upwards, no part of the API', async () => {
    for (const path of [
      '/assets/',
      '/assets/main-XYZ.js',
      '/index.html',
      '/assets/%2e%2e/package.json',
    ]) {
      expect((await at(path)).status, path).toBe(404)
    }
    expect((await at('/', { method: 'POST' })).status).toBe(404)
    const { body } = await service.get('/openapi.json')
    const described = Object.keys(body.paths)
    expect(described).toContain('/leagues')
    expect(described.filter((path) => /^\/(assets|keys|$)/.test(path))).toEqual([])
  })
})

it('a service without pages has none, and names the routes', async () => {
  const bare = await startInProcess()
  const answer = await fetch(`http://127.0.0.1:${bare.port}/`)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('/api/v1/openapi.json')
  await bare.close()
})

it('unbuilt pages do not exist', async () => {
  expect(
    await openPages(
      {
        sandboxKey: null,
        sharpBook: 'pinnacle',
        hasConsensus: true,
        hasAdmin: false,
      },
      join(folder, 'none'),
    ),
  ).toBeNull()
})
