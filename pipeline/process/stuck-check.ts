/** The health check `log` while a transaction that does not end holds up partitions, alike for both roles. */

import type { StuckPartition } from '../log/log.ts'

export function stuckCheck(stuck: readonly StuckPartition[]): {
  status: 'ok' | 'degraded'
  message?: string
} {
  if (stuck.length === 0) return { status: 'ok' }
  const seconds = Math.round(Math.max(...stuck.map(({ forMs }) => forMs)) / 1e3)
  const partitions = [...new Set(stuck.map(({ partition }) => partition))].sort((a, b) => a - b)
  const message = `A transaction has held up partition ${partitions.join(', ')} for ${seconds} s: prices there stand still, and the text log has the command that ends it.`
  return { status: 'degraded', message }
}
