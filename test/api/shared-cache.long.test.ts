import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, isInstalled } from '../proxies/proxy.ts'
import { adminToken, type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([])
})
afterAll(() => service.close())

const accounts = [
  { 'X-API-Key': keys.sharp },
  { 'X-API-Key': keys.free },
  { Authorization: `Bearer ${adminToken}` },
  {},
] as const

/** Returns every path that GET can request, paths of past data and unknown ones too. */
function addresses() {
  const ofRoutes = service.routes
    .filter(({ method }) => method === 'get')
    .map(({ path, access }) => ({ path: path.replace(/:\w+/g, '100000000000000'), access }))
  const more = ['/odds?as_of=2026-11-20T11:00:00Z&league=nba', '/odds?limit=0', '/nowhere'].map(
    (path) => ({ path: `/api/v1${path}`, access: 'key' as const }),
  )
  return [...ofRoutes, ...more]
}

/** Returns whether a document is the same for all callers. */
const isPublic = (path: string) => /openapi|asyncapi/.test(path)

it('every response states who may cache it, truthfully', async () => {
  for (const { path, access } of addresses()) {
    for (const headers of accounts) {
      const reply = await service.request(path, { headers, redirect: 'manual' })
      const [cache, vary, sniff] = ['cache-control', 'vary', 'x-content-type-options'].map((name) =>
        reply.headers.get(name),
      )
      expect([path, sniff]).toEqual([path, 'nosniff'])
      if (isPublic(path)) continue
      expect([path, cache]).toEqual([
        path,
        expect.stringMatching(/^(no-store|private, max-age=\d+)/),
      ])
      if (reply.status >= 400) expect([path, cache]).toEqual([path, 'no-store'])
      if (/account|admin|sources/.test(path)) expect([path, cache]).toEqual([path, 'no-store'])
      if (cache !== 'no-store' && access !== 'public') expect(vary).toContain('X-API-Key')
    }
  }
})

const title = 'behind a cache of nginx that keeps what it may'
const skipped = isInstalled('nginx') ? '' : ' (skipped: it is not installed)'
describe.skipIf(skipped !== '')(title + skipped, () => {
  let nginx: ChildProcess
  let directory: string
  let port: number
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'overround-nginx-'))
    port = await freePort()
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join(' ')
    await writeFile(
      join(directory, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off; pid ${directory}/pid; error_log ${directory}/error.log; worker_processes 1;
      events { worker_connections 256; }
      http {
        access_log off; ${temporary} proxy_cache_path ${directory}/kept keys_zone=kept:1m;
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${service.port}; proxy_http_version 1.1;
            proxy_cache kept; proxy_cache_valid any 10m;
            add_header X-Kept $upstream_cache_status always;
          }
        }
      }`,
    )
    const config = join(directory, 'nginx.conf')
    nginx = spawn('nginx', ['-e', join(directory, 'error.log'), '-c', config], {
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      stdio: 'ignore',
    })
  })
  afterAll(async () => {
    nginx.kill('SIGTERM')
    if (nginx.exitCode === null) await once(nginx, 'exit')
    await rm(directory, { recursive: true, force: true })
  })

  it('no account gets the response of another', async () => {
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    let keptCount = 0
    for (const { path } of addresses()) {
      for (const headers of accounts) {
        const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers,
          redirect: 'manual',
        })
        await reply.arrayBuffer()
        const isKept = reply.headers.get('x-kept') === 'HIT'
        if (isKept) keptCount++
        expect([path, isKept && !isPublic(path)]).toEqual([path, false])
      }
    }
    // The cache stores what it may.
    expect(keptCount).toBeGreaterThan(0)
  })
})
