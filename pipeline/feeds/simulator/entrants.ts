/**
 * The sides and persons that enter the leagues: teams and colleges of the reference tables with
 * sportsbooks' spellings of them, clubs of leagues that are missing there, and invented persons.
 * `data/sides.json` lists them.
 */
import {
  count,
  listOf,
  oneOf,
  optional,
  readDataFile,
  recordOf,
  row,
  text,
  texts,
} from '../../../schemas/data-file.ts'
import { colleges } from '../../../schemas/reference/known-sides.ts'
import { findTeam, type Team, teams } from '../../../schemas/reference/teams.ts'
import sideRows from './data/sides.json' with { type: 'json' }
import type { Participant } from './participants.ts'
import { type Dealer, stocks } from './people.ts'

const sides = readDataFile(
  'pipeline/feeds/simulator/data/sides.json',
  row({
    /** Sides of leagues missing in the reference table. */
    listed: recordOf(texts),
    /** Invented teams; each league of e-sports has its own. */
    esports: texts,
    /** Leagues that only some teams of the reference table enter. */
    teams: recordOf(texts),
    /** Towns by time zone, for leagues that play in several. */
    towns: recordOf(texts),
    /** Colleges by how often they are listed; some have a listed team in only one league. */
    colleges: listOf(row({ league: optional(text), conference: text, zone: text, schools: texts })),
    /** Persons. Several leagues share a field: a tour's players also play its majors. */
    fields: recordOf(row({ stock: oneOf(stocks), size: count })),
  }),
  sideRows,
)
const { fields } = sides

/** The European cups, in midweek. */
const cups = ['uefa_-_champions_league', 'uefa_-_europa_league']
const inEurope = new Set(cups.flatMap((cup) => sides.teams[cup] ?? []))

const zoneOfTown = new Map(
  Object.entries(sides.towns).flatMap(([zone, towns]) => towns.map((town) => [town, zone])),
)
/** Returns the zone of a team; one team in these leagues is not named after a town. */
const zoneOfTeam = (team: Team) =>
  team.id === 'athletics' ? 'America/Los_Angeles' : zoneOfTown.get(team.city ?? '')

const nicknames = new Map(colleges.map(({ name, nickname }) => [name, nickname]))

function collegesOf(league: string): Participant[] {
  const entered = sides.colleges.filter((listed) => (listed.league ?? league) === league)
  return entered.flatMap(({ conference, zone, schools }) =>
    schools.map((name) => {
      const nickname = nicknames.get(name)
      if (nickname === undefined) throw new Error(`no college ${name} in the reference list`)
      return { key: name, names: [`${name} ${nickname}`, name], zone, conference, players: [] }
    }),
  )
}

const playersListed = 3
/** The least length of an alias: shorter ones could be another team's. */
const shortestAlias = 4

function teamOf(team: Team, league: string, players: readonly string[]): Participant {
  const zone = zoneOfTeam(team)
  // A spelling that two teams share is ambiguous, so it is left out.
  const own = team.aliases.filter(
    (alias) => alias.length >= shortestAlias && findTeam(alias, league)?.id === team.id,
  )
  return {
    key: team.id,
    names: [team.name, ...own],
    ...(zone !== undefined && { zone }),
    isInEurope: inEurope.has(team.id),
    players,
  }
}

/** Returns a side without an entry in the reference table: some sportsbooks write it in capitals. */
function inShouting(name: string): Participant {
  return { key: name, names: [name, name.toUpperCase()], players: [] }
}

const sidesPerGame = 16

/**
 * Returns a person. Some sportsbooks write an accent: without a table of persons, that is the only
 * difference in spelling.
 */
const alone = (name: string): Participant => ({
  key: name,
  names: [name, name.replace(/o(?=[^o]*$)/, 'ó')],
  players: [],
})

/** @returns a function that returns the entrants of a league, and throws an error for one without */
export function createEntrants(dealer: Dealer) {
  const fieldOf = new Map<string, Participant[]>()
  let esports = 0

  function field(name: string): Participant[] {
    const before = fieldOf.get(name)
    if (before) return before
    const { stock, size } = fields[name]!
    const dealt = dealer.deal('alone', stock, size).map(alone)
    fieldOf.set(name, dealt)
    return dealt
  }

  function players(league: string, sport: string, hasProps: boolean): string[] {
    if (!hasProps) return []
    const stock =
      league === 'wnba'
        ? 'american women'
        : sport === 'soccer' || sport === 'hockey'
          ? 'world men'
          : 'american men'
    return dealer.deal('team', stock, playersListed)
  }

  return (league: string, sport: string, hasProps: boolean): Participant[] => {
    const name = fields[league] ? league : (league.split('_-_')[0] ?? '')
    if (fields[name]) return field(name)
    if (fields[sport]) return field(sport)
    if (league.startsWith('ncaa')) return collegesOf(league)
    const listed = sides.listed[league]
    if (listed) return listed.map(inShouting)
    if (sport === 'esports') {
      const from = sidesPerGame * esports++
      return sides.esports.slice(from, from + sidesPerGame).map(inShouting)
    }
    const chosen = sides.teams[league]
    const entered = chosen
      ? chosen.flatMap((id) => teams.find((team) => team.id === id && team.sport === sport) ?? [])
      : teams.filter((team) => team.leagues.includes(league))
    return entered.map((team) => teamOf(team, league, players(league, sport, hasProps)))
  }
}
