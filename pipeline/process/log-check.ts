/**
 * The health check `log` while the log responds, alike for both roles. It reports a partition or a schema
 * registry that holds up reads, a topic that was deleted or changed, and writes that are refused.
 */

import type { Log } from '../log/log.ts'

export type CheckedLog = Pick<Log, 'stuck' | 'topicFaults' | 'refusedWrites' | 'registryOutage'>

export function weakLogCheck(log: CheckedLog): {
  status: 'ok' | 'degraded'
  message?: string
} {
  const stuck = log.stuck()
  if (stuck.length > 0) {
    const seconds = Math.round(Math.max(...stuck.map(({ forMs }) => forMs)) / 1e3)
    const partitions = [...new Set(stuck.map(({ partition }) => partition))].sort((a, b) => a - b)
    const message = `A transaction has held up partition ${partitions.join(', ')} for ${seconds} s: prices there stand still, and the text log has the command that ends it.`
    return { status: 'degraded', message }
  }
  const [fault] = log.topicFaults()
  if (fault) {
    const message = `The topic ${fault.topic} was deleted or changed (${fault.setting}): ${fault.why}.`
    return { status: 'degraded', message }
  }
  const refused = log.refusedWrites()
  if (refused) {
    const message = `The log has refused writes for ${Math.round(refused.forMs / 1e3)} s (${refused.reason}).`
    return { status: 'degraded', message }
  }
  const out = log.registryOutage()
  if (!out) return { status: 'ok' }
  const message = `The schema registry has not answered for ${Math.round(out.forMs / 1e3)} s (${out.reason}): prices move, but records of another version would wait, and so would a start whose schemas are not kept.`
  return { status: 'degraded', message }
}
