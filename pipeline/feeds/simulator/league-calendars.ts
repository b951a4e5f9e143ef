/**
 * When each league plays, as one knows it from recent years: its season with its breaks, its days of
 * the week and the hours on the clock. Dates are rounded towards the middle of the season, so that no
 * year's real season is left at either end.
 *
 * Text of days: `sat 12:30 15:00*4; sun 16:30`, where `*4` is four games at that time and `thu~60`
 * that three pairs in five play that day. Dates are those of `dayInYear`.
 */

/** Weeks from Tuesday to Monday, in each of which every side may play once a round. */
export interface WeeklyPhase {
  readonly from: string
  readonly to: string
  readonly rounds: readonly string[]
  /** The pairs of a round meet on each of its days. */
  readonly isSeries?: boolean
  /** Games a round, at most. */
  readonly most?: number
  /** Sides a round, taken in turn from all; by default everybody plays. */
  readonly block?: number
  /** One week in so many. */
  readonly every?: number
  /** Sides meet those of their own conference. */
  readonly inConference?: boolean
  /** Games less in a round, for sides that have the week off. */
  readonly byes?: number
  /** No game within so many days of another; 1 by default, which is the same day. */
  readonly rest?: number
  readonly zone?: string
}

/** `sides` are left, the strongest; they play from the first to the last day, counted from `from`. */
export interface Stage {
  readonly sides: number
  readonly first: number
  readonly last: number
  /** Every other day against the same opponent. */
  readonly isSeries?: boolean
}

/** A knockout; each stage halves the field. */
export interface KnockoutPhase {
  readonly from: string
  readonly stages: readonly Stage[]
  /** Hours by day of the week; `any` for the others. */
  readonly hours: string
  /** Of a tour: another one begins every week, until then. */
  readonly weeklyUntil?: string
  readonly zone?: string
}

export interface LeagueCalendar {
  /** Where hosts have no zone of their own, and where all kick-offs are named in one. */
  readonly zone: string
  /** Hours are those of the host's town. */
  readonly isVenueTime?: boolean
  /** Hosts further west than the zone do not start before then. */
  readonly westFrom?: string
  /** Days off: the first, and how many. */
  readonly breaks?: readonly (readonly [from: string, days: number])[]
  readonly phases: readonly (WeeklyPhase | KnockoutPhase)[]
}

const eastern = 'America/New_York'
const london = 'Europe/London'

const stage = (sides: number, first: number, last = first): Stage => ({ sides, first, last })
const series = (sides: number, first: number, last: number): Stage => ({
  ...stage(sides, first, last),
  isSeries: true,
})

/** When national teams play and most clubs do not. */
const internationals = [
  ['mon 09-01', 9],
  ['mon 10-06', 9],
  ['mon 11-09', 9],
  ['mon 03-20', 9],
] as const

function soccer(
  zone: string,
  [from, to]: readonly [string, string],
  rounds: string | readonly string[],
  breaks: LeagueCalendar['breaks'] = internationals,
): LeagueCalendar {
  return { zone, breaks, phases: [{ from, to, rounds: [rounds].flat() }] }
}

const winter = (from: string, days: number) => [...internationals, [from, days] as const]

const uefaHours = 'any 18:45*2 21:00*7'

const nbaEvening = '19:00*4 19:30*3 20:00'
const nhlEvening = '19:00*5 19:30*2 20:00'
const mlbEvening = '18:40*4 19:05*4 19:10*4 19:40*2 20:05'
const mlbMatinee = '12:35*2 13:10*3 18:40*4 19:10*3'

const tourWeek = [stage(32, 0, 1), stage(16, 2, 3), stage(8, 4), stage(4, 5), stage(2, 6)]
const tourHours = 'any 11:00*2 12:30*2 14:00*2 15:30 19:00 20:30; sat 13:00 16:00; sun 15:00'
const slam = [
  ...[stage(64, 0, 3), stage(32, 4, 6), stage(16, 7, 8)],
  ...[stage(8, 9, 10), stage(4, 11), stage(2, 13)],
]
const slamHours = 'any 11:00*4 13:00*3 15:30*2 19:00'

const tour = (from: string, weeklyUntil: string, zone: string): KnockoutPhase => ({
  from,
  weeklyUntil,
  zone,
  stages: tourWeek,
  hours: tourHours,
})

const major = (from: string, zone: string): LeagueCalendar => ({
  zone,
  phases: [{ from, stages: slam, hours: slamHours }],
})

const australia = 'Australia/Melbourne'
const paris = 'Europe/Paris'
const melbourneFrom = 'mon 01-13'
const parisFrom = 'mon 05-23'
const wimbledonFrom = 'mon 06-28'
const newYorkFrom = 'mon 08-25'

/** The weeks between the majors, each stretch with the zone of most of its tournaments. */
const tourSeason: readonly KnockoutPhase[] = [
  tour('mon 01-03', '01-11', 'Australia/Brisbane'),
  tour('mon 02-03', '03-02', 'Europe/Amsterdam'),
  tour('mon 03-04', '03-31', 'America/Los_Angeles'),
  tour('mon 04-06', '05-20', 'Europe/Madrid'),
  tour('mon 06-07', '06-24', 'Europe/Berlin'),
  tour('mon 07-13', '07-27', 'Europe/Stockholm'),
  tour('mon 07-28', '08-22', eastern),
  tour('mon 09-16', '10-12', 'Asia/Shanghai'),
  tour('mon 10-13', '11-02', 'Europe/Vienna'),
]

const allYear = ['01-01', '12-31'] as const
const daily = (hours: string) =>
  ['tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'mon'].map((day) => `${day} ${hours}`)

export const leagueCalendars: Readonly<Record<string, LeagueCalendar>> = {
  nba: {
    zone: eastern,
    isVenueTime: true,
    breaks: [
      ['12-24', 1],
      ['fri 02-12', 6],
    ],
    phases: [
      {
        from: '10-22',
        to: '04-11',
        rounds: [
          `tue ${nbaEvening}; wed ${nbaEvening}`,
          `thu ${nbaEvening}; fri ${nbaEvening}`,
          'sat 17:00 19:00*3 19:30*2 20:00; sun 13:00 15:30 18:00*3 19:00',
        ],
      },
      { from: '10-22', to: '04-11', rounds: ['mon 19:00*2 19:30*2 20:00'], rest: 2, most: 5 },
      {
        from: '04-18',
        stages: [series(16, 0, 13), series(8, 16, 27), series(4, 30, 42), series(2, 47, 60)],
        hours: 'any 19:00*2 19:30 20:00; sat 13:00 15:30 20:00; sun 13:00 15:30 20:00',
      },
    ],
  },
  wnba: {
    zone: eastern,
    isVenueTime: true,
    breaks: [['fri 07-17', 4]],
    phases: [
      {
        from: '05-16',
        to: '09-11',
        rounds: [
          'tue 19:00*2 19:30*2; wed 12:00 19:00*2',
          'thu 19:00*2 19:30; fri 19:00*2 19:30*2',
          'sat 13:00 15:00 19:00; sun 13:00 15:00 16:00 18:00',
        ],
      },
      {
        from: '09-14',
        stages: [series(8, 0, 6), series(4, 8, 15), series(2, 19, 26)],
        hours: 'any 19:00 20:00; sun 13:00 15:00',
      },
    ],
  },
  euroleague: {
    zone: 'Europe/Madrid',
    phases: [
      { from: '10-01', to: '04-12', rounds: ['thu 18:45*2 20:00*2; fri 19:00*2 20:30*2'] },
      { from: '04-21', stages: [series(8, 0, 14), stage(4, 31), stage(2, 33)], hours: 'any 20:00' },
    ],
  },
  ncaab: {
    zone: eastern,
    isVenueTime: true,
    breaks: [['12-24', 2]],
    phases: [
      {
        from: '11-04',
        to: '12-30',
        rounds: [
          'tue 18:30*3 19:00*5 20:00*4; wed 19:00*5 20:00*3; thu 19:00*2 20:00*2',
          'fri 18:30*2 19:00*4 20:00*2; sat 12:00*6 14:00*6 16:00*5 19:00*4; sun 13:00*2 15:00*2',
        ],
        most: 26,
      },
      {
        from: '01-02',
        to: '03-08',
        rounds: [
          'tue 18:30*3 19:00*5 20:00*4; wed 19:00*5 20:00*3; thu 19:00*2 20:00*2',
          'fri 19:00*2; sat 12:00*6 14:00*6 16:00*5 19:00*4; sun 13:00*2 15:00*2',
        ],
        inConference: true,
        most: 26,
      },
      {
        from: 'thu 03-15',
        stages: [
          ...[stage(64, 0, 1), stage(32, 2, 3), stage(16, 7, 8)],
          ...[stage(8, 9, 10), stage(4, 16), stage(2, 18)],
        ],
        hours: 'any 12:15 12:40 13:30 14:45 15:10 18:50 19:10 19:25 21:20 21:40; mon 21:20',
        zone: eastern,
      },
    ],
  },
  nfl: {
    zone: eastern,
    westFrom: '16:00',
    phases: [
      {
        from: 'thu 09-04',
        to: 'mon 09-29',
        rounds: ['thu 20:15; sun 13:00*9 16:05*2 16:25*2 20:20; mon 20:15'],
      },
      {
        from: 'tue 09-30',
        to: 'mon 11-17',
        rounds: ['thu 20:15; sun 13:00*9 16:05*2 16:25*2 20:20; mon 20:15'],
        byes: 2,
      },
      {
        from: 'tue 11-18',
        to: 'wed 11-21',
        rounds: ['thu 20:15; sun 13:00*9 16:05*2 16:25*2 20:20; mon 20:15'],
      },
      // Thanksgiving is the fourth Thursday of November.
      {
        from: 'thu 11-22',
        to: 'mon 11-26',
        rounds: ['thu 13:00 16:30 20:20; sun 13:00*6 16:05*2 16:25*3 20:20; mon 20:15'],
      },
      {
        from: 'tue 11-27',
        to: 'sun 01-04',
        rounds: ['thu 20:15; sun 13:00*9 16:05*2 16:25*2 20:20; mon 20:15'],
      },
      {
        from: 'sat 01-10',
        stages: [stage(12, 0, 2), stage(8, 7, 8), stage(4, 15), stage(2, 29)],
        hours: 'any 13:00 16:30 20:15; sat 16:30 20:15; mon 20:15',
      },
    ],
  },
  ncaaf: {
    zone: eastern,
    isVenueTime: true,
    phases: [
      {
        from: 'thu 08-27',
        to: '09-20',
        rounds: ['thu 19:00*2; fri 19:00*2 20:00; sat 12:00*8 15:30*9 17:00*3 19:00*6 19:30*5'],
        most: 36,
      },
      {
        from: '09-22',
        to: '11-29',
        rounds: [
          'tue 19:00; wed 19:00; thu 19:30; fri 19:00*2; sat 12:00*9 14:30*3 15:30*9 19:00*6 19:30*4',
        ],
        inConference: true,
      },
      {
        from: '12-19',
        stages: [stage(40, 0, 14), stage(4, 20, 21), stage(2, 31)],
        hours: 'any 14:00 17:30 20:00; sat 11:00 14:30 18:00 20:15',
        zone: eastern,
      },
    ],
  },
  mlb: {
    zone: eastern,
    isVenueTime: true,
    breaks: [['mon 07-10', 4]],
    phases: [
      {
        from: '03-28',
        to: '09-27',
        isSeries: true,
        rounds: [
          `tue ${mlbEvening}; wed ${mlbMatinee}; thu~55 ${mlbMatinee}`,
          `fri ${mlbEvening}; sat 13:10*3 16:05*3 18:10*3 19:10*4; sun 13:05*4 13:35*4 14:10*3 16:10; mon~40 ${mlbEvening}`,
        ],
      },
      {
        from: '10-04',
        stages: [series(8, 0, 6), series(4, 8, 15), series(2, 20, 27)],
        hours: 'any 16:00 19:00 20:00; sat 16:00 20:00',
        zone: eastern,
      },
    ],
  },
  'australia_-_nbl': {
    zone: australia,
    breaks: [['12-24', 1]],
    phases: [
      {
        from: '09-20',
        to: '02-20',
        rounds: ['thu 19:30; fri 19:30; sat 17:30 19:30; sun 14:00 16:00'],
      },
    ],
  },
  'japan_-_npb': {
    zone: 'Asia/Tokyo',
    breaks: [['07-22', 4]],
    phases: [
      {
        from: '03-29',
        to: '10-04',
        isSeries: true,
        rounds: [
          'tue 18:00*6; wed 18:00*6; thu 18:00*6',
          'fri 18:00*6; sat 14:00*4 18:00*2; sun 13:30*2 14:00*3',
        ],
      },
      { from: '10-11', stages: [series(4, 0, 6), series(2, 14, 21)], hours: 'any 18:30' },
    ],
  },
  nhl: {
    zone: eastern,
    isVenueTime: true,
    breaks: [
      ['12-24', 3],
      ['02-06', 5],
    ],
    phases: [
      {
        from: '10-08',
        to: '04-15',
        rounds: [
          `tue ${nhlEvening}; wed 19:00 19:30*2`,
          `thu ${nhlEvening}; fri 19:00*2 19:30`,
          'sat 13:00*2 16:00 19:00*5 19:30; sun 13:00 17:00 19:00*2',
        ],
      },
      { from: '10-08', to: '04-15', rounds: ['mon 19:00*3 19:30'], rest: 2, most: 4 },
      {
        from: '04-19',
        stages: [series(16, 0, 13), series(8, 16, 28), series(4, 31, 43), series(2, 48, 60)],
        hours: 'any 19:00*2 19:30 20:00',
      },
    ],
  },
  'sweden_-_shl': {
    zone: 'Europe/Stockholm',
    breaks: [
      ['11-03', 8],
      ['02-05', 16],
    ],
    phases: [
      {
        from: '09-18',
        to: '03-10',
        rounds: ['tue 19:00*3; thu 19:00*6', 'sat 15:15*5 18:00; sun 15:00'],
      },
      {
        from: '03-18',
        stages: [series(8, 0, 14), series(4, 17, 30)],
        hours: 'any 19:00; sat 15:15',
      },
    ],
  },
  'england_-_premier_league': soccer(
    london,
    ['fri 08-15', '05-22'],
    'fri 20:00; sat 12:30 15:00*4 17:30; sun 14:00*2 16:30; mon 20:00',
  ),
  'england_-_championship': {
    zone: london,
    breaks: internationals,
    phases: [
      {
        from: 'fri 08-08',
        to: '05-01',
        rounds: ['fri 20:00; sat 12:30*2 15:00*9'],
      },
      { from: '08-12', to: '04-22', rounds: ['tue 19:45*9; wed 19:45*3'], every: 4 },
    ],
  },
  'england_-_league_one': {
    zone: london,
    phases: [
      { from: 'sat 08-02', to: '05-01', rounds: ['sat 12:30 15:00*11'] },
      { from: '08-12', to: '04-22', rounds: ['tue 19:45*12'], every: 5 },
    ],
  },
  'scotland_-_premiership': soccer(
    london,
    ['sat 08-02', '05-16'],
    'sat 12:30 15:00*3 17:45; sun 15:00',
    winter('01-05', 8),
  ),
  'spain_-_la_liga': soccer(
    'Europe/Madrid',
    ['fri 08-15', '05-22'],
    'fri 21:00; sat 14:00 16:15 18:30 21:00; sun 14:00 16:15 18:30 21:00; mon 21:00',
    winter('12-22', 10),
  ),
  'spain_-_segunda_division': soccer(
    'Europe/Madrid',
    ['fri 08-15', '05-29'],
    'fri 20:30; sat 14:00 16:15*2 18:30*2 21:00; sun 14:00 16:15 18:30*2; mon 20:30',
    [['12-22', 11]],
  ),
  'italy_-_serie_a': soccer(
    'Europe/Rome',
    ['sat 08-22', '05-22'],
    'fri 20:45; sat 15:00*2 18:00 20:45; sun 12:30 15:00*2 18:00 20:45; mon 20:45',
    winter('12-23', 4),
  ),
  'italy_-_serie_b': soccer(
    'Europe/Rome',
    ['fri 08-22', '05-08'],
    'fri 20:30; sat 15:00*6 17:15; sun 15:00*2 17:15',
    winter('12-29', 11),
  ),
  'germany_-_bundesliga': soccer(
    'Europe/Berlin',
    ['fri 08-22', '05-15'],
    'fri 20:30; sat 15:30*5 18:30; sun 15:30 17:30',
    winter('12-22', 18),
  ),
  'germany_-_bundesliga_2': soccer(
    'Europe/Berlin',
    ['fri 08-01', '05-15'],
    'fri 18:30*2; sat 13:00*3 20:30; sun 13:30*3',
    winter('12-22', 25),
  ),
  'france_-_ligue_1': soccer(
    paris,
    ['fri 08-15', '05-15'],
    'fri 20:45; sat 17:00 19:00 21:05; sun 15:00 17:15*3 20:45',
    winter('12-22', 11),
  ),
  'netherlands_-_eredivisie': soccer(
    'Europe/Amsterdam',
    ['fri 08-08', '05-15'],
    'fri 20:00; sat 16:30 18:45 20:00*2; sun 12:15 14:30*2 16:45',
    winter('12-22', 18),
  ),
  'belgium_-_pro_league': soccer(
    'Europe/Brussels',
    ['fri 07-25', '05-22'],
    'fri 20:45; sat 16:00 18:15*2 20:45; sun 13:30 16:00 18:30',
    winter('12-29', 14),
  ),
  'portugal_-_primeira_liga': soccer(
    'Europe/Lisbon',
    ['fri 08-08', '05-15'],
    'fri 20:15; sat 15:30 18:00*2 20:30; sun 15:30 18:00 20:30; mon 20:15',
    winter('12-22', 5),
  ),
  'turkey_-_super_lig': soccer(
    'Europe/Istanbul',
    ['fri 08-08', '05-15'],
    'fri 20:00; sat 14:30 17:00*2 20:00; sun 14:30 17:00 20:00; mon 20:00',
    winter('12-23', 20),
  ),
  'greece_-_super_league': soccer(
    'Europe/Athens',
    ['sat 08-22', '05-15'],
    'sat 17:00 18:00 20:00; sun 17:00 18:30*2 20:30',
    winter('12-23', 10),
  ),
  'uefa_-_champions_league': {
    zone: paris,
    phases: [
      {
        from: '09-15',
        to: '12-11',
        rounds: [`tue ${uefaHours.slice(4)}; wed ${uefaHours.slice(4)}`],
        every: 2,
      },
      {
        from: '01-19',
        to: '01-29',
        rounds: [`tue ${uefaHours.slice(4)}; wed ${uefaHours.slice(4)}`],
      },
      {
        from: 'tue 02-16',
        stages: [
          ...[stage(16, 0, 1), stage(16, 7, 8), stage(16, 21, 22), stage(16, 28, 29)],
          ...[stage(8, 49, 50), stage(8, 56, 57), stage(4, 70, 71), stage(4, 77, 78)],
          stage(2, 102),
        ],
        hours: uefaHours,
      },
    ],
  },
  'uefa_-_europa_league': {
    zone: paris,
    phases: [
      { from: '09-22', to: '12-12', rounds: ['thu 18:45*9 21:00*9'], every: 2 },
      { from: '01-20', to: '01-30', rounds: ['thu 18:45*9 21:00*9'] },
      {
        from: 'thu 02-18',
        stages: [
          ...[stage(16, 0), stage(16, 7), stage(16, 21), stage(16, 28)],
          ...[stage(8, 49), stage(8, 56), stage(4, 70), stage(4, 77)],
        ],
        hours: 'any 18:45*4 21:00*4',
      },
    ],
  },
  'international_-_friendlies': {
    zone: paris,
    phases: [
      ...(['mon 09-01', 'mon 10-06', 'mon 11-09', 'mon 03-20'] as const).map((from) => ({
        from,
        stages: [stage(28, 3, 5), stage(28, 6, 8)],
        hours: 'any 18:00*2 20:45*3',
      })),
      { from: 'thu 06-04', stages: [stage(28, 0, 2), stage(28, 3, 5)], hours: 'any 18:00 20:45*3' },
    ],
  },
  mls: {
    zone: eastern,
    isVenueTime: true,
    breaks: internationals,
    phases: [
      { from: 'sat 02-22', to: '10-18', rounds: ['sat 14:30 19:30*12; sun 17:00 19:00'] },
      { from: '05-01', to: '07-31', rounds: ['wed 19:30*15'], every: 2 },
      {
        from: '10-24',
        stages: [stage(16, 0, 9), stage(8, 28, 29), stage(4, 35, 36), stage(2, 42)],
        hours: 'any 19:00 19:30; sun 17:00 19:00',
      },
    ],
  },
  'usa_-_nwsl': {
    zone: eastern,
    breaks: [['06-29', 10]],
    phases: [
      { from: 'fri 03-14', to: '11-01', rounds: ['fri 20:00*2; sat 19:30*3; sun 17:00 19:00'] },
    ],
  },
  'mexico_-_liga_mx': {
    zone: 'America/Mexico_City',
    breaks: internationals,
    phases: [
      { from: 'fri 01-09', to: '05-05', rounds: [ligaMx()] },
      { from: 'fri 07-10', to: '11-22', rounds: [ligaMx()] },
    ],
  },
  'brazil_-_serie_a': {
    zone: 'America/Sao_Paulo',
    breaks: internationals,
    phases: [
      {
        from: 'sat 04-05',
        to: '12-04',
        rounds: ['sat 16:00*2 18:30*2 21:00; sun 16:00*3 18:30*2'],
      },
      {
        from: '04-15',
        to: '11-30',
        rounds: ['wed 19:00*3 21:30*3; thu 19:00*2 20:00*2'],
        every: 3,
      },
    ],
  },
  'argentina_-_primera_division': {
    zone: 'America/Argentina/Buenos_Aires',
    breaks: [...internationals, ['06-05', 32]],
    phases: [
      {
        from: 'fri 01-26',
        to: '11-22',
        rounds: [
          'fri 19:00 21:15; sat 17:00*2 19:15 21:30; sun 15:00 17:15*2 19:30 21:45; mon 19:00 21:15',
        ],
      },
    ],
  },
  'sweden_-_allsvenskan': soccer(
    'Europe/Stockholm',
    ['sat 03-29', '11-08'],
    'sat 15:00*2 17:30; sun 14:00*2 16:30*2; mon 19:00',
    [...internationals, ['06-03', 12]],
  ),
  'norway_-_eliteserien': soccer(
    'Europe/Oslo',
    ['sat 03-29', '11-29'],
    'sat 16:00 18:00; sun 14:30 17:00*4 19:15',
    [...internationals, ['06-03', 12]],
  ),
  'korea_republic_-_k_league_1': soccer(
    'Asia/Seoul',
    ['sat 02-28', '11-29'],
    'sat 14:00 16:30 19:00; sun 14:00 16:30 19:00',
    internationals,
  ),
  'australia_-_a_league': soccer(
    australia,
    ['fri 10-17', '04-26'],
    'fri 19:35; sat 17:00 19:35*2; sun 15:00 17:00',
  ),
  afl: {
    zone: australia,
    isVenueTime: true,
    phases: [
      {
        from: 'thu 03-13',
        to: '08-24',
        rounds: ['thu 19:30; fri 19:40; sat 13:20 16:15 19:35*2; sun 13:10 15:15 16:40'],
      },
      {
        from: 'thu 09-03',
        stages: [stage(8, 0, 2), stage(4, 8, 9), stage(4, 15, 16), stage(2, 23)],
        hours: 'any 19:30; sat 14:30 19:30',
      },
    ],
  },
  nrl: {
    zone: 'Australia/Sydney',
    phases: [
      {
        from: 'thu 03-06',
        to: '09-06',
        rounds: ['thu 19:50; fri 18:00 20:00; sat 15:00 17:30 19:35; sun 14:00 16:05'],
      },
      {
        from: 'fri 09-11',
        stages: [stage(8, 0, 2), stage(4, 7, 8), stage(4, 14, 15), stage(2, 23)],
        hours: 'any 19:50; sat 16:05 19:50',
      },
    ],
  },
  'australia_-_big_bash_league': {
    zone: australia,
    phases: [
      {
        from: '12-15',
        to: '01-18',
        rounds: ['tue 19:15; wed 19:15; thu 19:15*2', 'fri 19:15; sat 18:05 21:00; sun 19:15'],
      },
    ],
  },
  ipl: {
    zone: 'Asia/Kolkata',
    phases: [
      {
        from: '03-24',
        to: '05-22',
        rounds: ['tue 19:30; wed 19:30; thu 19:30*2', 'fri 19:30; sat 15:30 19:30; sun 19:30'],
      },
    ],
  },
  'england_-_t20_blast': {
    zone: london,
    phases: [
      {
        from: '05-30',
        to: '07-18',
        rounds: ['thu 18:30*2; fri 18:30*5; sat 15:00*2', 'sun 14:30*3'],
        most: 9,
      },
    ],
  },
  'england_-_premiership_rugby': {
    zone: london,
    breaks: [
      ['11-01', 20],
      ['02-01', 45],
    ],
    phases: [
      { from: 'fri 09-25', to: '05-30', rounds: ['fri 19:45; sat 15:05*2 17:30; sun 15:00'] },
    ],
  },
  'france_-_top_14': {
    zone: paris,
    phases: [{ from: 'sat 09-06', to: '05-31', rounds: ['sat 14:30 16:35*3 21:00; sun 21:05'] }],
  },
  atp: {
    zone: paris,
    phases: [
      ...tourSeason,
      {
        from: 'sun 11-09',
        stages: [stage(8, 0, 3), stage(4, 6), stage(2, 7)],
        hours: 'any 14:30 20:30',
        zone: 'Europe/Rome',
      },
    ],
  },
  wta: { zone: paris, phases: tourSeason },
  'atp_-_australian_open': major(melbourneFrom, australia),
  'wta_-_australian_open': major(melbourneFrom, australia),
  'atp_-_french_open': major(parisFrom, paris),
  'wta_-_french_open': major(parisFrom, paris),
  'atp_-_wimbledon': major(wimbledonFrom, london),
  'wta_-_wimbledon': major(wimbledonFrom, london),
  'atp_-_us_open': major(newYorkFrom, eastern),
  'wta_-_us_open': major(newYorkFrom, eastern),
  // Somewhere there is always tennis.
  atp_challenger: {
    zone: eastern,
    phases: [tour('mon 01-05', '11-24', 'America/Argentina/Buenos_Aires')],
  },
  itf_men: { zone: paris, phases: [tour('mon 01-05', '12-14', 'Europe/Madrid')] },
  itf_women: { zone: paris, phases: [tour('mon 01-05', '12-14', 'Asia/Bangkok')] },
  ufc: {
    zone: eastern,
    breaks: [['12-21', 21]],
    phases: [
      {
        from: allYear[0],
        to: allYear[1],
        block: 24,
        rounds: ['sat 17:00 17:30 18:00 18:30 19:00 19:30 20:00 20:30 21:00 21:30 22:00 22:30'],
      },
    ],
  },
  boxing: {
    zone: eastern,
    breaks: [['12-23', 12]],
    phases: [
      {
        from: allYear[0],
        to: allYear[1],
        block: 8,
        rounds: ['sat 19:00 20:00 21:00 22:30'],
      },
    ],
  },
  pga_tour: {
    zone: eastern,
    phases: [
      { from: 'thu 01-08', to: '08-24', rounds: golfRounds(), block: 16 },
      { from: 'thu 09-10', to: '11-23', rounds: golfRounds(), block: 16, every: 2 },
    ],
  },
  'pdc_-_premier_league': {
    zone: london,
    phases: [{ from: 'thu 02-05', to: '05-22', rounds: ['thu 19:10 19:40 20:10 20:40'], block: 8 }],
  },
  'pdc_-_world_championship': {
    zone: london,
    breaks: [['12-24', 3]],
    phases: [
      {
        from: '12-14',
        stages: [
          stage(64, 0, 7),
          stage(32, 8, 9),
          stage(16, 13, 15),
          stage(8, 18),
          stage(4, 19),
          stage(2, 20),
        ],
        hours: 'any 12:30 14:00 19:00 20:15',
      },
    ],
  },
  'pdc_-_players_championship': {
    zone: london,
    phases: [
      {
        from: '02-10',
        to: '10-30',
        rounds: ['tue 12:00*3 13:30*3 15:00*2; wed 12:00*3 14:00*3'],
        block: 32,
        every: 2,
      },
    ],
  },
  world_snooker_championship: {
    zone: london,
    phases: [
      {
        from: 'sat 04-16',
        stages: [
          stage(32, 0, 5),
          stage(16, 6, 9),
          stage(8, 10, 11),
          stage(4, 12, 14),
          stage(2, 15),
        ],
        hours: 'any 10:00*2 14:30*2 19:00*2',
      },
    ],
  },
  'snooker_-_uk_championship': {
    zone: london,
    phases: [
      {
        from: 'sat 11-22',
        stages: [
          stage(64, 0, 3),
          stage(32, 4, 6),
          stage(16, 7, 9),
          stage(8, 11, 12),
          stage(4, 13),
          stage(2, 14),
        ],
        hours: 'any 13:00*4 19:00*4',
      },
    ],
  },
  setka_cup: aroundTheClock('Europe/Kyiv', '00'),
  czech_liga_pro: aroundTheClock('Europe/Prague', '20'),
  counter_strike_2: {
    zone: 'Europe/Warsaw',
    breaks: [
      ['12-20', 18],
      ['07-12', 18],
    ],
    phases: [
      { from: allYear[0], to: allYear[1], rounds: daily('12:00 15:00 18:00 21:00'), block: 8 },
    ],
  },
  league_of_legends: {
    zone: 'Asia/Seoul',
    breaks: [['12-01', 44]],
    phases: [
      {
        from: allYear[0],
        to: allYear[1],
        rounds: daily('15:00 17:00 19:00').slice(1, 6),
        block: 6,
      },
    ],
  },
  dota_2: {
    zone: 'Europe/Berlin',
    breaks: [['12-22', 16]],
    phases: [
      {
        from: allYear[0],
        to: allYear[1],
        rounds: daily('11:00 14:00 17:00').slice(2, 7),
        block: 6,
      },
    ],
  },
}

function ligaMx(): string {
  return 'fri 19:00 21:00; sat 17:00 19:00 21:05; sun 12:00 17:00 19:05; mon 20:00'
}

function golfRounds(): string[] {
  const hours = '07:40 08:25 09:10 12:20 12:55 13:30 13:45 14:10'
  return ['thu', 'fri', 'sat', 'sun'].map((day) => `${day} ${hours}`)
}

/** Table tennis: a game every three quarters of an hour, day and night. */
function aroundTheClock(zone: string, past: string): LeagueCalendar {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  const times = hours.flatMap((hour, at) =>
    at % 3 === 0 ? [`${hour}:${past}`, `${hour}:45`] : [`${hour}:${at % 3 === 1 ? '30' : past}`],
  )
  const [from, to] = allYear
  return { zone, phases: [{ from, to, block: 2 * times.length, rounds: daily(times.join(' ')) }] }
}
