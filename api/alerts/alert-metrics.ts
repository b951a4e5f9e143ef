/** Prometheus metrics of alerts: their number, the messages sent, and the time to send them. */

import { Counter, Histogram, type Registry } from 'prom-client'
import { addRead, addReadEach } from '../../pipeline/metrics/registry.ts'
import { type TargetType, targetTypes } from '../../schemas/alert.ts'
import type { AlertBook } from './alert-book.ts'
import type { Outcome } from './targets.ts'

export interface AlertWatcher {
  /** Records whether this process decides and sends. */
  holds(isHolding: boolean): void
  decided(count: number): void
  /** Adds time spent deciding (ms). */
  worked(ms: number): void
  /** @param afterMs since the decision; null for a requested test message */
  sent(type: TargetType, outcome: Outcome, afterMs: number | null): void
  paused(): void
}

export function createAlertMetrics(registry: Registry, book: AlertBook): AlertWatcher {
  let isHolding = false
  addRead(registry, {
    name: 'overround_alerts_held',
    help: '1 while this process decides and sends alerts; one of all API processes does.',
    read: () => (isHolding ? 1 : 0),
  })
  addReadEach(registry, {
    name: 'overround_alerts',
    help: 'Alerts of all accounts, by state.',
    label: 'state',
    read() {
      const counts = { active: 0, paused: 0, paused_by_service: 0 }
      for (const { isPaused, pauseReason } of book.all()) {
        counts[!isPaused ? 'active' : pauseReason === null ? 'paused' : 'paused_by_service']++
      }
      return Object.entries(counts)
    },
  })
  addRead(registry, {
    name: 'overround_alert_deliveries_pending',
    help: 'Messages of alerts that were decided and have not arrived yet.',
    read: () => [...book.pending()].length,
  })
  const decided = new Counter({
    name: 'overround_alert_messages_total',
    help: 'Messages of alerts that this process decided.',
    registers: [registry],
  })
  const worked = new Counter({
    name: 'overround_alert_deciding_seconds_total',
    help: 'Time that this process took to decide alerts.',
    registers: [registry],
  })
  const sends = new Counter({
    name: 'overround_alert_sends_total',
    help: 'Attempts to send a message of an alert, by type of target and outcome.',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  })
  // A count that first appears at 1 has not increased for Prometheus.
  for (const target of targetTypes) {
    for (const outcome of ['delivered', 'failed']) sends.inc({ target, outcome }, 0)
  }
  const delays = new Histogram({
    name: 'overround_alert_delivery_seconds',
    help: 'Time from the decision to the response of the target, for messages that arrived.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 3_600],
    registers: [registry],
  })
  const pauses = new Counter({
    name: 'overround_alert_pauses_total',
    help: 'Alerts that were paused because their target failed for too long.',
    registers: [registry],
  })
  return {
    holds(now) {
      isHolding = now
    },
    decided: (count) => decided.inc(count),
    worked: (ms) => worked.inc(ms / 1e3),
    sent(target, { isDelivered }, afterMs) {
      sends.inc({ target, outcome: isDelivered ? 'delivered' : 'failed' })
      if (isDelivered && afterMs !== null) delays.observe(Math.max(0, afterMs) / 1e3)
    },
    paused: () => pauses.inc(),
  }
}
