/**
 * A small HTTP port for probes and metrics of a process that serves no API: a few fixed paths, each with a text
 * response. It takes GET and HEAD, reads no bodies, and bounds the number and duration of connections, so that
 * clients cannot burden the work.
 */

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../settings/config.ts'
import { listenFailure } from './listen-failure.ts'

export interface PortAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface PortRoute {
  readonly path: string
  /** Called for each request. An error becomes a response 500 and is passed to `onFailure`. */
  answer(): PortAnswer | Promise<PortAnswer>
}

export interface HealthPortOptions {
  readonly host: string
  /** The port; 0 takes a free one. */
  readonly port: number
  /** The variable that names the port, for the message of a start that fails. */
  readonly setting: string
  readonly routes: readonly PortRoute[]
  /** Responds to all other paths; default: 404. */
  readonly otherwise?: PortRoute['answer']
  /** Returns further headers of a response, from the headers of its request. */
  readonly headersFor?: (request: IncomingHttpHeaders) => Readonly<Record<string, string>>
  /** Returns the headers of the response to a browser's CORS preflight; default: none, so no page may read. */
  readonly preflight?: (request: IncomingHttpHeaders) => Readonly<Record<string, string>>
  readonly onFailure: (error: unknown, path: string) => void
}

export interface HealthPort {
  readonly port: number
  /** Resolves when nothing listens and no connection is open any more. */
  close(): Promise<void>
}

const mostConnections = 100
/** The time after which a request without a complete head gets a 408. */
const headTimeoutMs = 5_000
const idleTimeoutMs = 5_000

export const json = (status: number, value: unknown): PortAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/** @throws StartError when the address cannot be listened on */
export async function openHealthPort(options: HealthPortOptions): Promise<HealthPort> {
  const { host, port, setting, otherwise = () => unknownPath, onFailure } = options
  const { headersFor = () => ({}), preflight } = options
  const routes = new Map(options.routes.map(({ path, answer }) => [path, answer]))

  async function answerOf(request: IncomingMessage, path: string): Promise<PortAnswer> {
    const answer = routes.get(path) ?? otherwise
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && routes.has(path)) return otherMethod
    try {
      return await answer()
    } catch (error) {
      onFailure(error, path)
      return failed
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (preflight && isPreflight(request)) {
      response
        .writeHead(204, { ...headersFor(request.headers), ...preflight(request.headers) })
        .end()
      return
    }
    const path = (request.url ?? '/').split('?', 1)[0]!
    const { status, contentType, body, headers } = await answerOf(request, path)
    response.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      ...headersFor(request.headers),
      ...headers,
      // An unread body would be parsed as the next request.
      ...(hasBody(request) && { Connection: 'close' }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  const server = createServer(
    {
      headersTimeout: headTimeoutMs,
      requestTimeout: headTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      // The client may have gone before the response.
      response.on('error', () => {})
      void serve(request, response)
    },
  )
  server.maxConnections = mostConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, resolve)
  }).catch(async () => {
    throw new StartError(await listenFailure(host, port, setting))
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

const unknownPath = json(404, { error: { code: 'not_found', message: 'Nothing is at this path.' } })
const failed = json(500, { error: { code: 'internal_error', message: 'Something failed.' } })
const otherMethod = {
  ...json(405, { error: { code: 'method_not_allowed', message: 'Ask with GET or HEAD.' } }),
  headers: { Allow: 'GET, HEAD' },
}

const isPreflight = ({ method, headers }: IncomingMessage) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
