/** A real nginx or Caddy on its own free port, with the file of `infra/proxies` in front of a service. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { projectRoot } from '../../schemas/project-root.ts'

export interface RunningProxy {
  /** `https://localhost:<port>`, with its own certificate. */
  readonly origin: string
  readonly port: number
  /** Its output so far, errors included. */
  readonly output: () => string
  close(): Promise<void>
}

export const proxyNames = ['nginx', 'caddy'] as const
export type ProxyName = (typeof proxyNames)[number]

/** Returns whether it is installed on this machine. */
export const isInstalled = (name: ProxyName) =>
  `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** A text of the shipped file, and the one in its place. */
type Change = readonly [from: string, to: string]

/** @param servicePorts ports at which services listen, or will */
export const startProxy = (name: ProxyName, ...servicePorts: readonly number[]) =>
  startChanged(name, servicePorts, [])

/** @param changes made to the shipped file beside those that each user makes */
export async function startChanged(
  name: ProxyName,
  servicePorts: readonly number[],
  changes: readonly Change[],
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `overround-${name}-`))
  const port = await freePort()
  const [command, ...given] = await { nginx, caddy }[name]({ folder, port, servicePorts, changes })
  const child = spawn(command!, given, {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (text: Buffer) => {
    output += text
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${output}`)
    await delay(20)
  }
  return {
    origin: `https://localhost:${port}`,
    port,
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Place {
  readonly folder: string
  readonly port: number
  readonly servicePorts: readonly number[]
  readonly changes: readonly Change[]
}

async function nginx({ folder, port, servicePorts, changes }: Place): Promise<string[]> {
  const file = (name: string) => join(folder, name)
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-keyout', file('key.pem'), '-out', file('certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', [...request, ...subject, ...made], { stdio: 'ignore' })
  const site = shipped('overround.nginx.conf', [
    [
      'server 127.0.0.1:3000 max_fails=0;',
      servicePorts.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' '),
    ],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${port} ssl http2; listen [::1]:${port} ssl http2;`,
    ],
    ['/etc/ssl/odds.example.com.pem', file('certificate.pem')],
    ['/etc/ssl/odds.example.com.key', file('key.pem')],
    ['/var/log/nginx/overround.log', file('access.log')],
    ['/var/log/nginx/overround.error.log', 'stderr'],
    ...changes,
  ])
  await writeFile(file('site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${file(kind)};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    file('nginx.conf'),
    `${user} daemon off; pid ${file('pid')}; error_log stderr; events { worker_connections 8192; }
     http { ${temporary} include ${file('site.conf')}; }`,
  )
  return ['nginx', '-e', 'stderr', '-p', folder, '-c', file('nginx.conf')]
}

async function caddy({ folder, port, servicePorts, changes }: Place): Promise<string[]> {
  const site = shipped('Caddyfile', [
    ['odds.example.com {', `https://localhost:${port} {\n\ttls internal`],
    ['127.0.0.1:3000', servicePorts.map((one) => `127.0.0.1:${one}`).join(' ')],
    [
      '\n{\n',
      `\n{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${join(folder, 'storage')}\n`,
    ],
    ...changes,
  ])
  const file = join(folder, 'Caddyfile')
  await mkdir(join(folder, 'storage'))
  await writeFile(file, site)
  return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile']
}

/** Returns the shipped file, with the changes that a user makes. */
function shipped(name: string, changes: readonly Change[]): string {
  let text = readFileSync(join(projectRoot, 'infra', 'proxies', name), 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Returns whether it has its certificate and completes a handshake: Caddy listens a moment earlier. */
async function listens(port: number): Promise<boolean> {
  const socket = connectTls({ port, servername: 'localhost', rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
