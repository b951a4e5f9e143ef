/**
 * The leagues that play, who plays in them and how often they come up. Team leagues take their
 * sides and spellings from the reference table.
 */
import { findLeague } from '../../../schemas/reference/leagues.ts'
import { findTeam, teams } from '../../../schemas/reference/teams.ts'
import { inShouting, inventField, inventSides, type Participant } from './participants.ts'
import { type SportModel, sportModels } from './sport-models.ts'

export interface SimulatedLeague {
  readonly id: string
  readonly sport: string
  /** What sportsbooks may call it; the first is the usual one. */
  readonly names: readonly string[]
  readonly model: SportModel
  /** Sportsbooks list player markets on it. */
  readonly hasProps: boolean
  /** Relative frequency of its games. */
  readonly weight: number
  readonly participants: readonly Participant[]
}

type Entrants = 'reference' | 'persons' | 'invented' | readonly string[]

interface Entry {
  readonly id: string
  readonly weight: number
  readonly sides: Entrants
  readonly hasProps?: boolean
  readonly model?: Partial<SportModel>
}

const entry = (id: string, weight: number, sides: Entrants = 'reference'): Entry => ({
  id,
  weight,
  sides,
})

const names = (text: string) => text.split('|')

/** Sides of leagues that the reference table does not have. */
const euroleague = names(
  'Real Madrid|Barcelona|Panathinaikos|Olympiacos|Fenerbahce|Anadolu Efes|Zalgiris Kaunas|' +
    'Bayern Munich|Virtus Bologna|Olimpia Milano|Partizan|Crvena Zvezda|Monaco|Paris Basketball',
)
const nrl = names(
  'Brisbane Broncos|Canberra Raiders|Canterbury Bulldogs|Cronulla Sharks|Gold Coast Titans|' +
    'Manly Sea Eagles|Melbourne Storm|Newcastle Knights|Parramatta Eels|Penrith Panthers|' +
    'Sydney Roosters|New Zealand Warriors',
)
const bigBash = names(
  'Adelaide Strikers|Brisbane Heat|Hobart Hurricanes|Melbourne Renegades|Melbourne Stars|' +
    'Perth Scorchers|Sydney Sixers|Sydney Thunder',
)
const ipl = names(
  'Chennai Super Kings|Delhi Capitals|Gujarat Titans|Kolkata Knight Riders|Mumbai Indians|' +
    'Punjab Kings|Rajasthan Royals|Sunrisers Hyderabad',
)
const premiershipRugby = names(
  'Bath|Bristol Bears|Exeter Chiefs|Gloucester|Harlequins|Leicester Tigers|Northampton Saints|' +
    'Sale Sharks|Saracens',
)
const top14 = names(
  'Bayonne|Bordeaux Begles|Castres|Clermont|La Rochelle|Lyon|Montpellier|Pau|Racing 92|' +
    'Stade Francais|Toulon|Toulouse',
)
const shl = names(
  'Brynas|Farjestad|Frolunda|HV71|Leksand|Linkoping|Lulea|Malmo Redhawks|Orebro|Rogle|Skelleftea|' +
    'Timra|Vaxjo Lakers',
)
const npb = names(
  'Yomiuri Giants|Hanshin Tigers|Chunichi Dragons|Hiroshima Carp|Yakult Swallows|' +
    'Yokohama BayStars|Softbank Hawks|Lotte Marines|Orix Buffaloes|Nippon Ham Fighters',
)

const entries: readonly Entry[] = [
  { ...entry('nba', 9), hasProps: true },
  { ...entry('wnba', 2), hasProps: true, model: { total: 164, totalSd: 15 } },
  { ...entry('euroleague', 2, euroleague), model: { total: 161, totalSd: 15, marginSd: 10.5 } },
  { ...entry('nfl', 7), hasProps: true },
  { ...entry('mlb', 6), hasProps: true },
  { ...entry('japan_-_npb', 1, npb), model: { total: 7.1 } },
  { ...entry('nhl', 7), hasProps: true },
  entry('sweden_-_shl', 1.5, shl),
  { ...entry('england_-_premier_league', 5), hasProps: true },
  { ...entry('spain_-_la_liga', 4), hasProps: true },
  { ...entry('italy_-_serie_a', 4), hasProps: true },
  { ...entry('germany_-_bundesliga', 4), hasProps: true },
  { ...entry('france_-_ligue_1', 3), hasProps: true },
  { ...entry('mls', 2), hasProps: true },
  entry('england_-_championship', 3),
  entry('england_-_league_one', 1.5),
  entry('scotland_-_premiership', 1.5),
  entry('spain_-_segunda_division', 1.5),
  entry('italy_-_serie_b', 1.5),
  entry('germany_-_bundesliga_2', 1.5),
  entry('netherlands_-_eredivisie', 2),
  entry('belgium_-_pro_league', 1.5),
  entry('portugal_-_primeira_liga', 2),
  entry('turkey_-_super_lig', 1.5),
  entry('greece_-_super_league', 1),
  entry('afl', 1.5),
  entry('nrl', 1.5, nrl),
  entry('australia_-_big_bash_league', 1, bigBash),
  entry('ipl', 1, ipl),
  entry('england_-_premiership_rugby', 1.2, premiershipRugby),
  entry('france_-_top_14', 1.2, top14),
  entry('atp', 4, 'persons'),
  entry('wta', 4, 'persons'),
  entry('ufc', 2, 'persons'),
  entry('boxing', 1, 'persons'),
  entry('pga_tour', 1.5, 'persons'),
  entry('pdc_-_premier_league', 1, 'persons'),
  entry('world_snooker_championship', 1, 'persons'),
  entry('setka_cup', 2, 'persons'),
  entry('counter_strike_2', 2, 'invented'),
  entry('league_of_legends', 2, 'invented'),
  entry('dota_2', 1, 'invented'),
]

/** Individual sports have so many players that nobody plays twice a day. */
const fieldSize = 64

function sidesOf({ id, sides }: Entry): Participant[] {
  if (sides === 'persons') return inventField(id, fieldSize)
  if (sides === 'invented') return inventSides(id)
  if (sides !== 'reference') return sides.map(inShouting)
  return teams
    .filter((team) => team.leagues.includes(id))
    .map((team) => {
      // A spelling that two teams share is left out: nobody could say which is meant.
      const own = team.aliases.filter(
        (alias) => alias.length > 3 && findTeam(alias, id)?.id === team.id,
      )
      return { key: team.id, names: [team.name, ...own] }
    })
}

/** Keys of outright winners and of contracts name the league, but nobody lists a game under them. */
const otherThanGames = /winner|^KX|^.{1,2}$/

function leagueOf(entry: Entry): SimulatedLeague {
  const league = findLeague(entry.id)
  const model = league && sportModels[league.sport]
  if (!league || !model) throw new Error(`no league or no model of play for ${entry.id}`)
  const { id, sport } = league
  const spellings = league.aliases.filter(
    (alias) => findLeague(alias, sport)?.id === id && !otherThanGames.test(alias),
  )
  return {
    id,
    sport,
    names: [league.name, id, ...spellings],
    model: { ...model, ...entry.model },
    hasProps: entry.hasProps ?? false,
    weight: entry.weight,
    participants: sidesOf(entry),
  }
}

/** Leagues with enough sides for a schedule. */
export const simulatedLeagues: readonly SimulatedLeague[] = entries
  .map(leagueOf)
  .filter(({ participants }) => participants.length >= 6)
