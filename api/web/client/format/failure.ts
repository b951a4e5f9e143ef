/** Words for a read that failed. */

import { RefusedError } from '../data/refused.ts'
import { secondsText, type Zone } from './time.ts'

/**
 * Says why a value could not be read, and of when the shown one is.
 * @param at when the shown value was read (epoch ms); 0 if none is shown
 */
export function failureText(error: Error, at: number, zone: Zone): string {
  const why = error instanceof RefusedError ? error.message : 'The service does not respond.'
  return at === 0 ? why : `${why} Shown as of ${secondsText(at, zone)}.`
}
