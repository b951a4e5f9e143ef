/**
 * What futures markets ask, and how sportsbooks word it. A wording that is not here is a question of
 * its own: two sportsbooks share it when they use the same words. Wordings are written as
 * `normaliseName` writes them, without league, season, team and player.
 */

import type { FutureType } from '../feed-record.ts'

export interface FutureQuestion {
  readonly id: string
  /** As it is shown, behind the league or the subject. */
  readonly name: string
  /** What its answers are; null: whoever plays in the sport, teams or persons. */
  readonly futureType: FutureType | null
  readonly wordings: readonly string[]
}

/** Who wins the competition; how that is worded is a rule, see `pipeline/rules/odds/futures.ts`. */
export const champion: FutureQuestion = {
  id: 'champion',
  name: 'Champion',
  futureType: null,
  wordings: [],
}

export const futureQuestions: readonly FutureQuestion[] = [
  champion,
  {
    id: 'total_wins',
    name: 'Regular Season Wins',
    futureType: 'OVER_UNDER',
    wordings: [
      'regular season wins',
      'regular season win total',
      'regular season wins total',
      'regular season total wins',
      'total regular season wins',
      'season wins',
      'season win total',
      'total season wins',
      'total wins',
      'win total',
    ],
  },
  {
    id: 'make_playoffs',
    name: 'To Make the Playoffs',
    futureType: 'YES_NO',
    wordings: [
      'make playoffs',
      'to make playoffs',
      'to reach playoffs',
      'to qualify for playoffs',
      'playoff qualification',
    ],
  },
  {
    id: 'mvp',
    name: 'Most Valuable Player',
    futureType: 'PLAYER',
    wordings: [
      'mvp',
      'mvp winner',
      'regular season mvp',
      'most valuable player',
      'most valuable player award',
      'mvp award',
    ],
  },
  {
    id: 'rookie_of_the_year',
    name: 'Rookie of the Year',
    futureType: 'PLAYER',
    wordings: ['rookie year', 'rookie year winner', 'rookie year award', 'roty'],
  },
  {
    id: 'top_goalscorer',
    name: 'Top Goalscorer',
    futureType: 'PLAYER',
    wordings: [
      'top goalscorer',
      'top goal scorer',
      'top scorer',
      'leading goalscorer',
      'tournament top goalscorer',
      'to be top goalscorer',
    ],
  },
  {
    id: 'relegation',
    name: 'To Be Relegated',
    futureType: 'TEAM',
    wordings: ['relegation', 'relegated', 'to be relegated', 'to go down'],
  },
]

/** What a league calls the title that makes its champion. */
export const titles: Readonly<Record<string, readonly string[]>> = {
  nfl: ['super bowl', 'superbowl'],
  mlb: ['world series'],
  nhl: ['stanley cup'],
  nba: ['finals'],
  wnba: ['finals'],
  ncaaf: ['national', 'national title', 'cfp national', 'cfp', 'playoffs national', 'playoffs'],
  ncaab: ['national', 'national title', 'tournament', 'march madness'],
  ncaaw: ['national', 'national title', 'tournament', 'march madness'],
  mls: ['cup'],
}

/** Words for the title in any league but these: the best record there is a trophy beside the title. */
export const plainTitles = ['outright', 'tournament', 'league', 'title', 'league title', 'overall']
export const leaguesOfTwoTitles: ReadonlySet<string> = new Set(['mls', 'nhl', 'usa_-_nwsl'])

/** Tours, series and leagues that crown several champions in a season: none is meant by default. */
export const leaguesOfManyTitles: ReadonlySet<string> = new Set([
  ...['atp', 'wta', 'atp_challenger', 'itf_men', 'itf_women'],
  ...['pga_tour', 'dp_world_tour', 'lpga_tour', 'liv_golf'],
  ...['formula_1', 'nascar_cup_series', 'indycar_series', 'motogp'],
  ...['mma', 'ufc', 'pfl', 'bellator', 'one_championship', 'boxing'],
  ...['counter_strike_2', 'league_of_legends', 'dota_2', 'valorant', 'call_of_duty'],
  ...['rainbow_six_siege', 'rocket_league', 'pdc_-_players_championship', 'grand_slam_of_curling'],
  ...['wtt', 'setka_cup', 'tt_elite_series', 'czech_liga_pro'],
  ...['international_-_friendlies', 'club_-_friendlies', 'international_-_test_matches'],
  ...['international_-_one_day_internationals', 'international_-_twenty20'],
  // An opening and a closing championship.
  ...['mexico_-_liga_mx', 'argentina_-_primera_division', 'colombia_-_primera_a'],
  ...['costa_rica_-_primera_division', 'paraguay_-_primera_division', 'bolivia_-_primera_division'],
  ...['uruguay_-_primera_division', 'venezuela_-_primera_division', 'peru_-_primera_division'],
])

/**
 * Where a season begins and ends in one year, so that a single year names it. Elsewhere "2026" may be
 * the season that begins then or the one that ends.
 */
export const oneYearSports: ReadonlySet<string> = new Set([
  'golf',
  'tennis',
  'motorsports',
  'baseball',
  'australian_rules',
  'rugby_league',
])
export const oneYearLeagues: ReadonlySet<string> = new Set([
  'wnba',
  'mls',
  'usa_-_nwsl',
  'cfl',
  'brazil_-_serie_a',
  'fifa_-_world_cup',
  'fifa_-_world_cup_women',
  'fifa_-_club_world_cup',
  'uefa_-_euro',
  'conmebol_-_copa_america',
  'ipl',
])
/** Of those sports, leagues that play over New Year. */
export const winterLeagues: ReadonlySet<string> = new Set([
  'dominican_republic_-_lidom',
  'venezuela_-_lvbp',
  'tgl',
  'dp_world_tour',
])
