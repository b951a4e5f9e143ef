/** Appends records that the process writes unasked, and repeats after a failure. */

import { createRefusalLimit } from '../../pipeline/async/refusal-limit.ts'
import {
  type Append,
  type Log,
  LogFullError,
  LogSetupError,
  LogUnavailableError,
} from '../../pipeline/log/log.ts'

/**
 * @returns whether the records were written; false if the log is full or away, or refuses them
 * @throws LogSetupError once refusals have gone on for too long
 */
export type RepeatedAppend = (records: readonly Append[]) => Promise<boolean>

export function createRepeatedAppend(log: Pick<Log, 'append'>): RepeatedAppend {
  const isRefusedTooLong = createRefusalLimit()
  return async (records) => {
    try {
      await log.append(records)
      isRefusedTooLong(false)
      return true
    } catch (error) {
      const isRefused = error instanceof LogSetupError
      const passes = error instanceof LogFullError || error instanceof LogUnavailableError
      if (isRefusedTooLong(isRefused) || !(isRefused || passes)) throw error
      return false
    }
  }
}
