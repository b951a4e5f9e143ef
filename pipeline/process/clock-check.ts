/** The health check `clock`, alike for both roles. */

import type { Log } from '../log/log.ts'
import { clockOffMs } from './clock.ts'

/**
 * @param aheadMs how far the system's clock is ahead of the service's
 * @param log null before it is opened
 */
export function clockCheck(
  aheadMs: number,
  log: Pick<Log, 'clockDifferenceMs'> | null,
): { status: 'ok' | 'degraded'; message?: string } {
  const differenceMs = log?.clockDifferenceMs() ?? 0
  if (Math.abs(differenceMs) >= clockOffMs) {
    const message = `The service's clock is ${apart(differenceMs)} that of the brokers: set the clock of its machine, by NTP for example, then restart it.`
    return { status: 'degraded', message }
  }
  if (Math.abs(aheadMs) < clockOffMs) return { status: 'ok' }
  const message = `The system's clock was set: it is ${apart(aheadMs)} the service's, which goes towards it by a tenth of the time that passes.`
  return { status: 'degraded', message }
}

const apart = (aheadMs: number) =>
  `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
