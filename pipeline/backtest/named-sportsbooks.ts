/** The sportsbooks that the options of a backtest name: an option that names none of the recording does nothing. */

import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'

/** Thrown when the recording lacks a sportsbook that was named; the message lists those it has. */
export class NoSuchSportsbookError extends Error {
  override readonly name = 'NoSuchSportsbookError'
}

/** Returns the ids of sportsbooks by any of their names, comma-separated. */
export function readSportsbooks(text: string): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim())
  return new Set(names.filter((name) => name !== '').map(idOfSportsbook))
}

/**
 * @param named ids by option
 * @param recorded ids of the recording
 * @throws NoSuchSportsbookError
 */
export function requireRecorded(
  named: Readonly<Record<string, ReadonlySet<string>>>,
  recorded: ReadonlySet<string>,
): void {
  const missing = Object.entries(named).flatMap(([option, ids]) =>
    [...ids].filter((id) => !recorded.has(id)).map((id) => `--${option} ${id}`),
  )
  if (missing.length === 0) return
  const known = recorded.size === 0 ? 'none' : [...recorded].sort().join(', ')
  throw new NoSuchSportsbookError(
    `Not in the recording: ${missing.join(', ')}. Its sportsbooks: ${known}.`,
  )
}
