/**
 * The sportsbooks that the options of a backtest name. An option has no effect if they are not in
 * the recording.
 */

import { findSportsbook, idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'

/**
 * Thrown for a name that is neither in the recording nor in our list; the message lists the
 * recording's.
 */
export class NoSuchSportsbookError extends Error {
  override readonly name = 'NoSuchSportsbookError'
}

/** Returns the ids of sportsbooks by any of their names, comma-separated. */
export function readSportsbooks(text: string): ReadonlySet<string> {
  const names = text.split(',').map((name) => name.trim())
  return new Set(names.filter((name) => name !== '').map(idOfSportsbook))
}

/**
 * Checks that each id is in the recording. If we list an id, a missing one is only a warning: not
 * every recording has every sportsbook.
 * @param named ids by option
 * @param recorded ids of the recording
 * @throws NoSuchSportsbookError for an id that we do not list either, which is probably misspelt
 */
export function requireRecorded(
  named: Readonly<Record<string, ReadonlySet<string>>>,
  recorded: ReadonlySet<string>,
  warn: (message: string) => void,
): void {
  const missing = Object.entries(named).flatMap(([option, ids]) =>
    [...ids].filter((id) => !recorded.has(id)).map((id) => ({ id, text: `--${option} ${id}` })),
  )
  const textOf = (some: typeof missing) => {
    const inRecording = recorded.size === 0 ? 'none' : [...recorded].sort().join(', ')
    const names = some.map(({ text }) => text).join(', ')
    return `Not in the recording: ${names}. Its sportsbooks: ${inRecording}.`
  }
  const listed = missing.filter(({ id }) => findSportsbook(id))
  const unknown = missing.filter(({ id }) => !findSportsbook(id))
  if (listed.length > 0) warn(textOf(listed))
  if (unknown.length > 0) throw new NoSuchSportsbookError(textOf(unknown))
}
