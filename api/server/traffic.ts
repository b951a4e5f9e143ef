/** Metrics of HTTP: responses by status, errors by code, durations by family of routes. */

import { Counter, type Registry } from 'prom-client'
import { createHistogram } from '../../pipeline/metrics/histogram.ts'
import type { ErrorCode } from '../errors.ts'

export interface Traffic {
  /** @param family see `usageFamily` @param seconds from the request's head to its response */
  answered(family: string, status: number, seconds: number): void
  /** Counts a request that was refused or failed. */
  failed(code: ErrorCode): void
  /** Counts a refused connection, see `connection-cap.ts`. */
  connectionRefused(): void
}

export const uncounted: Traffic = { answered() {}, failed() {}, connectionRefused() {} }

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createTraffic(registry: Registry): Traffic {
  const durations = createHistogram(registry, {
    name: 'overround_http_request_duration_seconds',
    help: 'From the head of a request to its answer being handed over, by family of routes.',
    label: 'family',
    bounds,
  })
  // It starts at 0, so that the first failure of a process shows as an increase.
  const byStatus = new Map<number, number>([[500, 0]])
  new Counter({
    name: 'overround_http_requests_total',
    help: 'Requests that were answered, by status.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [status, count] of byStatus) this.inc({ status }, count)
    },
  })
  const failures = new Counter({
    name: 'overround_http_errors_total',
    help: 'Requests that were refused or failed, by the code of the error: those of limits too.',
    labelNames: ['code'],
    registers: [registry],
  })
  const connections = new Counter({
    name: 'overround_http_connections_refused_total',
    help: 'Connections that were closed at once: their address opened too many that did nothing.',
    registers: [registry],
  })
  return {
    failed: (code) => failures.inc({ code }),
    connectionRefused: () => connections.inc(),
    answered(family, status, seconds) {
      durations.observe(family, seconds)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    },
  }
}
