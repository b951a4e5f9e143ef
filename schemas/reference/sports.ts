/**
 * Sports and their names in feeds. Ids are those of the interface, plus `australian_rules`, which is our addition
 * because it is in our data. Only listed names resolve. A bare "football" is American football here; a feed that
 * means soccer has to translate it first.
 */
import { count, listOf, readDataFile, row, type TypeOf, text, texts } from '../data-file.ts'
import { memoise } from '../memoise.ts'
import { normaliseName } from './normalise-name.ts'
import rows from './sports.json' with { type: 'json' }

const sport = row({
  id: text,
  /** Assigned once, dense from 1, never reused. */
  numericalId: count,
  name: text,
  aliases: texts,
})

export type Sport = TypeOf<typeof sport>

export const sports: readonly Sport[] = readDataFile(
  'schemas/reference/sports.json',
  listOf(sport),
  rows,
)

const byName = new Map<string, Sport>()
for (const sport of sports) {
  for (const name of [sport.id, sport.name, ...sport.aliases]) {
    byName.set(normaliseName(name), sport)
  }
}

/** Returns the sport of an id or listed alias, ignoring case and word separators. */
export const findSport: (text: string) => Sport | undefined = memoise((text) =>
  byName.get(normaliseName(text)),
)

/** Returns the id for a sport we do not list: lower case words joined by `_`, `unknown` for none. */
export function slugSport(text: string): string {
  return normaliseName(text).replaceAll(' ', '_') || 'unknown'
}
