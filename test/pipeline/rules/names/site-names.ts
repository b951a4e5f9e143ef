/**
 * Names that real sites give to the same team or player, from `../shared`: read, repaired where the encoding is broken,
 * and split by a hash of the name into one half to work on and one half to judge by.
 */
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { textHash } from '../../../../schemas/text-hash.ts'

/** A team or player, with its spellings. */
export interface SpeltSide {
  readonly sport: string
  /** Its league as far as the data states it: women, under 21; '' if unstated. */
  readonly league: string
  readonly name: string
  readonly spellings: readonly string[]
  /** The spellings by site, which a site uses for both sides of a game. */
  readonly bySite: ReadonlyMap<string, readonly string[]>
  readonly isHeldOut: boolean
}

export const aliasesFolder = new URL('../../../../../shared/data/aliases/', import.meta.url)
export const hasAliases = existsSync(new URL('sites_half_a.json', aliasesFolder))

const read = (file: string) => readFileSync(new URL(file, aliasesFolder), 'utf8')

const sports: Readonly<Record<string, string>> = {
  football: 'soccer',
  'hockey-sur-glace': 'hockey',
}
const leagues: Readonly<Record<string, string>> = { F: 'women', '-21': 'u21', '-23': 'olympics' }

interface Row {
  readonly sport: string
  readonly category: string | null
  readonly name: string
  readonly names: Readonly<Record<string, readonly string[]>>
}

const isBroken = (name: string) => /[ÃÅÄ]\p{S}|[ÃÅ][\u0080-\u00bf]|Ã|Ð|\ufffd|\?/u.test(name)

export function readSites(): SpeltSide[] {
  const rows: Row[] = JSON.parse(read('sites_half_a.json'))
  return rows.map(({ sport, category, name, names }) => ({
    sport: sports[sport] ?? sport,
    league: leagues[category ?? ''] ?? '',
    name,
    bySite: new Map(
      Object.entries(names).map(([site, own]) => [site, own.filter((one) => !isBroken(one))]),
    ),
    spellings: [...new Set(Object.values(names).flat())].filter((one) => !isBroken(one)).sort(),
    isHeldOut: isHeldOut(`${sport}|${name}`),
  }))
}

export function readColleges(): SpeltSide[] {
  const rows: { TeamNameSpelling: string; TeamID: string }[] = parse(read('ncaa_half_a.csv'), {
    columns: true,
  })
  const schools = new Map<string, string[]>()
  for (const { TeamNameSpelling, TeamID } of rows)
    schools.set(TeamID, [...(schools.get(TeamID) ?? []), TeamNameSpelling])
  return [...schools].map(([id, spellings]) => ({
    sport: 'basketball',
    league: 'ncaab',
    name: spellings[0] ?? '',
    spellings,
    bySite: new Map(spellings.map((spelling, i) => [`${i}`, [spelling]])),
    isHeldOut: isHeldOut(`ncaa|${id}`),
  }))
}

const isHeldOut = (key: string) => (textHash(key) >>> 3) % 2 === 1
