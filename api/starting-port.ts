/**
 * Listens on the service's address while it waits for its log. Health checks report the reason, /metrics says that it
 * is not ready, and all other requests get a 503. The service's own server then takes over the address.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import {
  json,
  openHealthPort,
  type PortAnswer,
  type PortRoute,
} from '../pipeline/process/health-port.ts'
import type { Config } from '../pipeline/settings/config.ts'
import { ApiError, errorBody, retryAfter } from './errors.ts'
import { startingHealth, startingReadiness } from './routes/health.ts'
import { createCorsPolicy } from './server/cors.ts'
import { anyMethod } from './server/no-route.ts'

export interface StartingPort {
  /** The configured port, or the free port that was chosen. */
  readonly port: number
  waitsFor(reason: string): void
  close(): Promise<void>
}

const tryAgainSeconds = 5

/** @throws StartError if the address cannot be listened on */
export async function openStartingPort(
  { host, port, corsOrigins }: Pick<Config, 'host' | 'port' | 'corsOrigins'>,
  reason: string,
  clock: () => number,
  logger: Pick<Logger, 'error'>,
): Promise<StartingPort> {
  let waitsFor = reason
  const cors = createCorsPolicy(corsOrigins)
  const routes: readonly PortRoute[] = [
    { path: '/livez', answer: () => json(200, { status: 'ok' }) },
    { path: '/readyz', answer: () => later(json(503, startingReadiness(waitsFor))) },
    { path: '/health', answer: () => later(json(503, startingHealth(clock()))) },
  ]
  // Only metrics that need no token.
  const metrics: PortRoute = {
    path: '/metrics',
    answer: () => ({
      status: 200,
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      body: '# HELP overround_ready 1 while requests are answered.\n# TYPE overround_ready gauge\noverround_ready 0\n',
    }),
  }
  const opened = await openHealthPort({
    host,
    port,
    setting: 'OVERROUND_PORT',
    routes: [
      metrics,
      ...routes.flatMap((route) => [route, { ...route, path: `/api/v1${route.path}` }]),
    ],
    otherwise() {
      const message = `The service is starting: ${waitsFor}`
      const error = new ApiError('service_unavailable', message, retryAfter(tryAgainSeconds))
      return later(json(error.status, errorBody(error)))
    },
    // With CORS headers, pages of other origins can read that the service is starting.
    headersFor: (headers) => headersIn(cors.lines(headerReader(headers))),
    preflight: (headers) => cors.preflight(headerReader(headers), anyMethod),
    onFailure: (err, path) => logger.error({ err, path }, 'request failed'),
  })
  return {
    port: opened.port,
    waitsFor(next) {
      waitsFor = next
    },
    close: opened.close,
  }
}

const headerReader = (headers: IncomingHttpHeaders) => ({
  getHeader: (name: string) => String(headers[name] ?? ''),
})

const headersIn = (lines: string) =>
  Object.fromEntries(
    lines
      .split('\r\n')
      .filter((line) => line !== '')
      .map((line) => line.split(': ') as [string, string]),
  )

const later = (answer: PortAnswer): PortAnswer => ({
  ...answer,
  headers: { 'Retry-After': String(tryAgainSeconds) },
})
