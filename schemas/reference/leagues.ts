/**
 * Leagues, their names in feeds, and the slug of a league we do not list.
 *
 * A name is looked up ignoring case, accents and punctuation, so "England - Premier League",
 * "England Premier League" and the id are one name. The part after the country ("Premier League")
 * is a name too, but only if it is unambiguous: without a sport it must be unique among all
 * leagues; with a sport it may also be listed as alias of the one default league (England's for
 * "Premier League", Italy's for "Serie A").
 */

import {
  count,
  flag,
  listOf,
  oneOf,
  orNull,
  readDataFile,
  row,
  type TypeOf,
  text,
  texts,
} from '../data-file.ts'
import { addTo } from '../grouping.ts'
import { memoise } from '../memoise.ts'
import { createSpellings, saysSportOf } from './league-spellings.ts'
import rows from './leagues.json' with { type: 'json' }
import { foldAccents, normaliseName } from './normalise-name.ts'
import { findSport, slugSport } from './sports.ts'

const league = row({
  /** Canonical slug: short for the US majors, else country-dash-league. */
  id: text,
  /** Assigned once, dense from 1, never reused. */
  numericalId: count,
  name: text,
  sport: text,
  country: orNull(text),
  aliases: texts,
  /** The clock of the date and hours in event ids. */
  clock: oneOf(['us_eastern', 'utc']),
  /** Whether event ids of this league name teams by nickname only. */
  us: flag,
})

export type League = TypeOf<typeof league>

export interface ResolvedLeague {
  readonly id: string
  readonly sport: string
  /** Absent if the league is none of ours: `id` is a slug of the incoming name. */
  readonly league?: League
  /** The listed league of this name, if the stated sport is none of ours. */
  readonly namesake?: League
}

export const leagues: readonly League[] = readDataFile(
  'schemas/reference/leagues.json',
  listOf(league),
  rows,
)

const byId = new Map(leagues.map((league) => [league.id, league]))
/** The explicit names of leagues: id, name, aliases. */
const listed = new Map<string, League[]>()
/** The same, with the parts of names after the country. */
const possible = new Map<string, League[]>()

for (const league of leagues) {
  const own = new Set([league.id, league.name, ...league.aliases].map(normaliseName))
  for (const name of own) addTo(listed, name, league)
  const [, ...afterCountry] = league.name.split(' - ')
  if (afterCountry.length > 0) own.add(normaliseName(afterCountry.join(' - ')))
  for (const name of own) addTo(possible, name, league)
}

/** Returns the only element, if there is exactly one. */
function only(found: readonly League[] | undefined): League | undefined {
  return found?.length === 1 ? found[0] : undefined
}

function ofSport(found: readonly League[] | undefined, sport: string): League | undefined {
  return only(found?.filter((league) => league.sport === sport))
}

/** The most spellings of sports remembered, each with its own names of leagues. */
const sportsAtOnce = 64

const findAnywhere = memoise(
  (text) =>
    byId.get(text) ?? byId.get(text.toLowerCase()) ?? only(possible.get(normaliseName(text))),
)

const byListedName = (name: string, sport: string) =>
  ofSport(listed.get(name), sport) ?? ofSport(possible.get(name), sport)

const findSpelt = createSpellings(leagues)

const findWithin = memoise(
  (sport) => memoise((text) => byListedName(normaliseName(text), sport) ?? findSpelt(text, sport)),
  64,
)

/** Returns the league with exactly this id. */
export function leagueById(id: string): League | undefined {
  return byId.get(id)
}

/**
 * Returns the league of an id, name or alias.
 * @param sport a sport id or alias; then only leagues of that sport are searched
 * @returns undefined for an unknown name and for a name that several leagues share
 */
export function findLeague(text: string, sport?: string): League | undefined {
  if (sport === undefined) return findAnywhere(text)
  return findWithin(findSport(sport)?.id ?? slugSport(sport))(text)
}

/**
 * Returns the slug of a league name: lower case, accents removed, " - " kept as `_-_`, everything else that is
 * neither letter nor digit a `_`. Deterministic, never empty; a slug is its own slug.
 */
export function slugLeague(text: string): string {
  const parts = text.split(/\s+[-–—]\s+|_-_/).map((part) =>
    foldAccents(part)
      .replace(/['’‘`´]/g, '')
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, ''),
  )
  return parts.filter((part) => part !== '').join('_-_') || 'unknown'
}

/**
 * Returns the league and sport that a feed's two names mean. Never fails: an unknown league gets a
 * slug of its name and can be served before it is listed. A league's name decides the sport only if
 * none is stated: the "NBA" of "ebasketball" is another league.
 */
export function resolveLeague(text: string, sportText: string): ResolvedLeague {
  return resolveWithin(sportText)(text)
}

const resolveWithin = memoise((sportText) => {
  const sport = findSport(sportText)
  return memoise((text): ResolvedLeague => {
    const league = sport ? findLeague(text, sport.id) : findOfUnlistedSport(text, sportText)
    if (league) return { id: league.id, sport: league.sport, league }
    const sportId = sport?.id ?? slugSport(sportText)
    const slug = slugLeague(text)
    // An "NBA" of another sport must not end up among the rows of the basketball league.
    const id = findAnywhere(slug) ? `${slug}_${sportId}` : slug
    // Listed sports share names of leagues, so only an unlisted sport has a namesake.
    const namesake = sport ? undefined : findAnywhere(text)
    return { id, sport: sportId, ...(namesake && { namesake }) }
  })
}, sportsAtOnce)

/** Finds a league whose sport is not stated, or stated with words of the league's own names ("NBA Basketball"). */
function findOfUnlistedSport(text: string, sportText: string): League | undefined {
  const league = findAnywhere(text)
  if (!league || slugSport(sportText) === 'unknown') return league
  return saysSportOf(league, sportText) ? league : undefined
}
