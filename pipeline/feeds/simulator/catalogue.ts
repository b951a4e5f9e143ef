/** The leagues that play: who plays in them, when, and how much sportsbooks make of them. */
import { findLeague } from '../../../schemas/reference/leagues.ts'
import { createEntrants } from './entrants.ts'
import { type LeagueCalendar, leagueCalendars } from './league-calendars.ts'
import type { Participant } from './participants.ts'
import { createDealer } from './people.ts'
import { type SportModel, sportModels } from './sport-models.ts'

export interface SimulatedLeague {
  readonly id: string
  readonly sport: string
  /** What sportsbooks may call it; the first is the usual one. */
  readonly names: readonly string[]
  readonly model: SportModel
  readonly calendar: LeagueCalendar
  /** Sportsbooks list player markets on it. */
  readonly hasProps: boolean
  /** Most sportsbooks list it. */
  readonly isMajor: boolean
  /** How long before the start a game comes up when there is room for it. */
  readonly listedHours: number
  readonly participants: readonly Participant[]
}

interface Entry {
  readonly listedHours: number
  readonly isMajor?: boolean
  readonly hasProps?: boolean
  readonly model?: Partial<SportModel>
}

const major = (listedHours: number, more: Partial<Entry> = {}): Entry => ({
  listedHours,
  isMajor: true,
  ...more,
})
const minor = (listedHours: number, model: Partial<SportModel> = {}): Entry => ({
  listedHours,
  model,
})
const withProps = { hasProps: true }
const cups: Entry = major(60)

const entries: Readonly<Record<string, Entry>> = {
  nba: major(34, withProps),
  wnba: { listedHours: 34, hasProps: true, model: { total: 164, totalSd: 15 } },
  euroleague: minor(24, { total: 161, totalSd: 15, marginSd: 10.5 }),
  ncaab: major(20, { model: { total: 146, totalSd: 16, marginSd: 11, strengthSd: 8 } }),
  nfl: major(150, withProps),
  ncaaf: major(60, { model: { total: 52, totalSd: 15, marginSd: 15, strengthSd: 10 } }),
  mlb: major(30, withProps),
  'australia_-_nbl': minor(20, { total: 176, totalSd: 16 }),
  'japan_-_npb': minor(14, { total: 7.1 }),
  nhl: major(34, withProps),
  'sweden_-_shl': minor(12),
  'england_-_premier_league': major(96, withProps),
  'spain_-_la_liga': major(72, withProps),
  'italy_-_serie_a': major(72, withProps),
  'germany_-_bundesliga': major(72, withProps),
  'france_-_ligue_1': major(60, withProps),
  mls: { listedHours: 60, hasProps: true },
  'england_-_championship': minor(24),
  'england_-_league_one': minor(8),
  'scotland_-_premiership': minor(18),
  'spain_-_segunda_division': minor(12),
  'italy_-_serie_b': minor(10),
  'germany_-_bundesliga_2': minor(14),
  'netherlands_-_eredivisie': minor(24),
  'belgium_-_pro_league': minor(12),
  'portugal_-_primeira_liga': minor(20),
  'turkey_-_super_lig': minor(14),
  'greece_-_super_league': minor(8),
  'uefa_-_champions_league': cups,
  'uefa_-_europa_league': major(48),
  'international_-_friendlies': minor(36),
  'usa_-_nwsl': minor(36),
  'mexico_-_liga_mx': minor(30),
  'brazil_-_serie_a': minor(40),
  'argentina_-_primera_division': minor(24),
  'sweden_-_allsvenskan': minor(24),
  'norway_-_eliteserien': minor(18),
  'korea_republic_-_k_league_1': minor(20),
  'australia_-_a_league': minor(20),
  afl: minor(40),
  nrl: minor(40),
  'australia_-_big_bash_league': minor(24),
  ipl: minor(24),
  'england_-_t20_blast': minor(16),
  'england_-_premiership_rugby': minor(36),
  'france_-_top_14': minor(36),
  atp: major(16),
  wta: major(16),
  ...Object.fromEntries(
    ['australian_open', 'french_open', 'wimbledon', 'us_open'].flatMap((name) => [
      [`atp_-_${name}`, major(24)],
      [`wta_-_${name}`, major(24)],
    ]),
  ),
  atp_challenger: minor(8),
  itf_men: minor(6),
  itf_women: minor(6),
  ufc: major(96),
  boxing: minor(72),
  pga_tour: minor(16),
  'pdc_-_premier_league': minor(30),
  'pdc_-_world_championship': minor(20),
  'pdc_-_players_championship': minor(12),
  world_snooker_championship: minor(24),
  'snooker_-_uk_championship': minor(14),
  setka_cup: minor(4),
  czech_liga_pro: minor(4),
  counter_strike_2: minor(14),
  league_of_legends: minor(14),
  dota_2: minor(10),
}

/** Keys of outright winners and of contracts name the league, but nobody lists a game under them. */
const otherThanGames = /winner|^KX|^.{1,2}$/

const entrants = createEntrants(createDealer())

function leagueOf([name, entry]: [string, Entry]): SimulatedLeague {
  const league = findLeague(name)
  const model = league && sportModels[league.sport]
  const calendar = leagueCalendars[name]
  if (!league || !model || !calendar) throw new Error(`no league, model or calendar for ${name}`)
  const { id, sport } = league
  const { listedHours, isMajor = false, hasProps = false } = entry
  const spellings = league.aliases.filter(
    (alias) => findLeague(alias, sport)?.id === id && !otherThanGames.test(alias),
  )
  return {
    id,
    sport,
    names: [league.name, id, ...spellings],
    model: { ...model, ...entry.model },
    calendar,
    hasProps,
    isMajor,
    listedHours,
    participants: entrants.of(id, sport, hasProps),
  }
}

export const simulatedLeagues: readonly SimulatedLeague[] = Object.entries(entries).map(leagueOf)
