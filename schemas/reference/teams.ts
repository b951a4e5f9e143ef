/**
 * Teams and their spellings in feeds.
 *
 * A name is looked up in a league, exactly after normalising. The teams of a league are those that list it; after
 * them come the other teams of its pool: the pyramid of the country for divisions and cups (clubs move between
 * divisions every summer), all European clubs for UEFA competitions, all nations for tournaments of nations. A name
 * that two teams of a pool share does not resolve, and a name is never matched in part. `leagues` of a European club
 * is its division in 2025-26; a team without leagues is kept because recorded seasons name it.
 */

import { count, listOf, orNull, readDataFile, row, type TypeOf, text, texts } from '../data-file.ts'
import { addTo } from '../grouping.ts'
import { memoise } from '../memoise.ts'
import { leagueById } from './leagues.ts'
import { normaliseName } from './normalise-name.ts'
import { findSport } from './sports.ts'
import aflRows from './team-lists/afl.json' with { type: 'json' }
import mlbRows from './team-lists/mlb.json' with { type: 'json' }
import mlsRows from './team-lists/mls.json' with { type: 'json' }
import nbaRows from './team-lists/nba.json' with { type: 'json' }
import nflRows from './team-lists/nfl.json' with { type: 'json' }
import nhlRows from './team-lists/nhl.json' with { type: 'json' }
import belgiumRows from './team-lists/soccer-belgium.json' with { type: 'json' }
import englandRows from './team-lists/soccer-england.json' with { type: 'json' }
import europeRows from './team-lists/soccer-europe.json' with { type: 'json' }
import franceRows from './team-lists/soccer-france.json' with { type: 'json' }
import germanyRows from './team-lists/soccer-germany.json' with { type: 'json' }
import greeceRows from './team-lists/soccer-greece.json' with { type: 'json' }
import italyRows from './team-lists/soccer-italy.json' with { type: 'json' }
import nationsRows from './team-lists/soccer-nations.json' with { type: 'json' }
import netherlandsRows from './team-lists/soccer-netherlands.json' with { type: 'json' }
import portugalRows from './team-lists/soccer-portugal.json' with { type: 'json' }
import scotlandRows from './team-lists/soccer-scotland.json' with { type: 'json' }
import spainRows from './team-lists/soccer-spain.json' with { type: 'json' }
import turkeyRows from './team-lists/soccer-turkey.json' with { type: 'json' }
import wnbaRows from './team-lists/wnba.json' with { type: 'json' }

const team = row({
  /** Dash slug, unique within the sport. */
  id: text,
  /** Assigned once over all files, dense from 1, never reused. */
  numericalId: count,
  name: text,
  abbreviation: orNull(text),
  city: orNull(text),
  mascot: orNull(text),
  conference: orNull(text),
  division: orNull(text),
  sport: text,
  leagues: texts,
  aliases: texts,
})

export type Team = TypeOf<typeof team>

const teamsOf = (name: string, rows: unknown): readonly Team[] =>
  readDataFile(`schemas/reference/team-lists/${name}.json`, listOf(team), rows)

const pyramids = {
  england: teamsOf('soccer-england', englandRows),
  scotland: teamsOf('soccer-scotland', scotlandRows),
  italy: teamsOf('soccer-italy', italyRows),
  spain: teamsOf('soccer-spain', spainRows),
  germany: teamsOf('soccer-germany', germanyRows),
  france: teamsOf('soccer-france', franceRows),
  netherlands: teamsOf('soccer-netherlands', netherlandsRows),
  belgium: teamsOf('soccer-belgium', belgiumRows),
  portugal: teamsOf('soccer-portugal', portugalRows),
  turkey: teamsOf('soccer-turkey', turkeyRows),
  greece: teamsOf('soccer-greece', greeceRows),
}

const nfl = teamsOf('nfl', nflRows)
const nba = teamsOf('nba', nbaRows)
const wnba = teamsOf('wnba', wnbaRows)
const mlb = teamsOf('mlb', mlbRows)
const nhl = teamsOf('nhl', nhlRows)
const mls = teamsOf('mls', mlsRows)
const afl = teamsOf('afl', aflRows)
const europe = teamsOf('soccer-europe', europeRows)
const nations = teamsOf('soccer-nations', nationsRows)

const europeanClubs: readonly Team[] = [...Object.values(pyramids).flat(), ...europe]

/** Every team of every file, by `numericalId`. */
export const teams: readonly Team[] = [
  ...[nfl, nba, wnba, mlb, nhl, mls, afl].flat(),
  ...europeanClubs,
  ...nations,
].sort((a, b) => a.numericalId - b.numericalId)

const { england, scotland, italy, spain, germany, france, netherlands, belgium, portugal, turkey } =
  pyramids

/**
 * Competitions whose teams list another league: cups, preseasons, and one league with a former team
 * that is kept because recorded seasons name it.
 */
const cups: Readonly<Record<string, readonly Team[]>> = {
  'england_-_fa_cup': england,
  'england_-_efl_cup': england,
  'england_-_efl_trophy': england,
  'england_-_community_shield': england,
  'scotland_-_fa_cup': scotland,
  'scotland_-_league_cup': scotland,
  'italy_-_coppa_italia': italy,
  'spain_-_copa_del_rey': spain,
  'spain_-_super_cup': spain,
  'germany_-_dfb_pokal': germany,
  'germany_-_super_cup': germany,
  'france_-_coupe_de_france': france,
  'netherlands_-_knvb_cup': netherlands,
  'belgium_-_cup': belgium,
  'portugal_-_taca_de_portugal': portugal,
  'turkey_-_cup': turkey,
  'uefa_-_champions_league': europeanClubs,
  'uefa_-_champions_league_qualifiers': europeanClubs,
  'uefa_-_europa_league': europeanClubs,
  'uefa_-_europa_league_qualifiers': europeanClubs,
  'uefa_-_conference_league': europeanClubs,
  'uefa_-_conference_league_qualifiers': europeanClubs,
  'uefa_-_super_cup': europeanClubs,
  'usa_-_us_open_cup': mls,
  leagues_cup: mls,
  'concacaf_-_champions_cup': mls,
  nhl,
  nba_preseason: nba,
  nba_summer_league: nba,
  nfl_preseason: nfl,
  mlb_preseason: mlb,
}

/** Matches the code of a city or a team: ARI, LAC, NE. */
const code = /^[A-Z]{2,3}$/

/**
 * Returns every name of a team, normalised: its own, and its city or a code of it before each of its nicknames, as in
 * "ARI D-backs", "Dallas Mavs".
 */
function namesOf({ name, aliases, city, mascot, abbreviation }: Team): ReadonlySet<string> {
  const names = [name, ...aliases]
  if (city !== null && mascot !== null) {
    const codes = aliases.filter((alias) => code.test(alias))
    const places = [city, ...(abbreviation === null ? [] : [abbreviation]), ...codes]
    const nicknames = aliases.filter((alias) => !code.test(alias) && !alias.startsWith(city))
    for (const place of places)
      for (const nickname of nicknames)
        if (!places.some((other) => nickname.startsWith(`${other} `)))
          names.push(`${place} ${nickname}`)
  }
  return new Set(names.map(normaliseName))
}

type Index = ReadonlyMap<string, Team>

/** Indexes each normalised name to its team; names that several teams share are left out. */
function indexOf(members: readonly Team[]): Index {
  const index = new Map<string, Team | null>()
  for (const team of members) {
    for (const name of namesOf(team)) {
      const before = index.get(name)
      if (before === undefined) index.set(name, team)
      else if (before !== team) index.set(name, null)
    }
  }
  return new Map([...index].filter((entry): entry is [string, Team] => entry[1] !== null))
}

/** Per league: its own teams, then the teams of its pool. */
const byLeague = new Map<string, readonly Index[]>()

const own = new Map<string, Team[]>()
for (const team of teams) {
  for (const league of team.leagues) addTo(own, league, team)
}
for (const [league, members] of own) byLeague.set(league, [indexOf(members)])
for (const pyramid of [...Object.values(pyramids), nations] as readonly (readonly Team[])[]) {
  const index = indexOf(pyramid)
  const divisions = new Set(pyramid.flatMap((team) => team.leagues))
  for (const league of divisions) byLeague.set(league, [...(byLeague.get(league) ?? []), index])
}
const cupIndexes = new Map([...new Set(Object.values(cups))].map((pool) => [pool, indexOf(pool)]))
for (const [league, pool] of Object.entries(cups)) {
  const index = cupIndexes.get(pool)
  if (index) byLeague.set(league, [...(byLeague.get(league) ?? []), index])
}

const bySport = new Map<string, Index>()
for (const sport of new Set(teams.map((team) => team.sport))) {
  bySport.set(sport, indexOf(teams.filter((team) => team.sport === sport)))
}

/** The most leagues remembered, and the most names of each. */
const leaguesAtOnce = 512
const namesAtOnce = 1024

const findIn = memoise((leagueId) => {
  const indexes = byLeague.get(leagueId) ?? []
  return memoise((text): Team | undefined => {
    const name = normaliseName(text)
    for (const index of indexes) {
      const found = index.get(name)
      if (found) return found
    }
    return undefined
  }, namesAtOnce)
}, leaguesAtOnce)

const findInSport = memoise((sport) => {
  const index = bySport.get(findSport(sport)?.id ?? sport)
  return memoise((text): Team | undefined => index?.get(normaliseName(text)))
}, leaguesAtOnce)

/**
 * Returns the team that a name means in a league; see above for the teams searched.
 * @returns undefined for an unknown name, a name that is not unique, or a league without teams
 */
export function findTeam(name: string, leagueId: string): Team | undefined {
  return findIn(leagueId)(name)
}

const countries = new Map<Team, string>(
  Object.entries(pyramids).flatMap(([country, pyramid]) =>
    pyramid.map((team) => [team, country] as const),
  ),
)

/** Returns the country in whose leagues a team plays; undefined for unknown. */
export const countryOfTeam = (team: Team): string | undefined =>
  countries.get(team) ??
  team.leagues.map((league) => leagueById(league)?.country).find((country) => country != null) ??
  undefined

/** Returns the teams that play in a league by the tables. */
export const teamsOfLeague = (leagueId: string): readonly Team[] => own.get(leagueId) ?? []

/** Returns whether the tables have the teams of a league. */
export const hasOwnTeams = (leagueId: string): boolean => byLeague.has(leagueId)

/** Returns the words of the full names of a league's teams; undefined for a league without teams. */
export const wordsOfTeams = memoise((leagueId): ReadonlySet<string> | undefined => {
  const [members] = byLeague.get(leagueId) ?? []
  if (!members) return undefined
  return new Set([...members.values()].flatMap(({ name }) => name.split(' ')))
}, leaguesAtOnce)

/** Returns whether one or several teams of a sport have a name. */
export function isNameInSport(name: string, sport: string): boolean {
  return namesInSport(sport).has(normaliseName(name))
}

const namesInSport = memoise(
  (sport) =>
    new Set(teams.filter((team) => team.sport === sport).flatMap((team) => [...namesOf(team)])),
  leaguesAtOnce,
)

/** Returns the team that a name means in a sport, when only one team of that sport has it. */
export function findTeamInSport(name: string, sport: string): Team | undefined {
  return findInSport(sport)(name)
}
