/** How far apart the starts of one game may be, and those of two games of one side, by sport (ms). */

export const minute = 60_000
const hour = 60 * minute
export const day = 24 * hour

/** Two starts less than this apart are one start; sportsbooks round and move by minutes. */
export const sameStartMs = 15 * minute
/** Candidates closer in time than this cannot be told apart by time. */
export const tieMs = 10 * minute

/**
 * How far apart two sportsbooks may put one game: less than the time from one game to the next of the same sides.
 * Baseball has two a day, table tennis and esports several; two fighters or tennis players do not meet twice in one
 * event, and their starts are often placeholders.
 */
const windows: ReadonlyMap<string, number> = new Map([
  ['baseball', 2 * hour - 1],
  ['table_tennis', 40 * minute],
  ['esports', 60 * minute],
  ['tennis', 12 * hour],
  ['mma', 24 * hour],
  ['boxing', 24 * hour],
])
const usualWindow = 3 * hour

/** Returns whether the same sides play more than once a day, so that two ids are two games. */
export const hasDoubleheaders = (sport: string) => windowOf(sport) < usualWindow

/** Returns how far apart two starts of one game may be (ms). */
export const windowOf = (sport: string) => windows.get(sport) ?? usualWindow

/** Sports whose teams rest for days between games: one day holds one game of the same sides. */
export const weeklySports = new Set([
  'soccer',
  'football',
  'australian_rules',
  'rugby',
  'rugby_league',
])

/** Returns whether one of two starts may be only a date, and is the date of the other. */
export function sharesDate(
  sport: string,
  a: { startsAt: number },
  b: { startsAt: number },
): boolean {
  if (a.startsAt % day !== 0 && b.startsAt % day !== 0) return false
  return weeklySports.has(sport) && Math.floor(a.startsAt / day) === Math.floor(b.startsAt / day)
}
