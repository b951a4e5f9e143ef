/**
 * The calendar of each league, as known from recent years: its season with its breaks, its days of the week and its
 * local hours. Dates are rounded towards the middle of the season, so that no year's real season is exceeded at
 * either end. They are in `data/league-calendars.json`, which has names for the parts that several leagues share.
 *
 * Text of days: `sat 12:30 15:00*4; sun 16:30`, where `*4` is four games at that time and `thu~60` that three pairs
 * in five play that day. Dates are those of `dayInYear`.
 */
import {
  count,
  either,
  flag,
  listOf,
  optional,
  readDataFile,
  recordOf,
  row,
  type TypeOf,
  text,
  textLike,
  whole,
} from '../../../schemas/data-file.ts'
import rows from './data/league-calendars.json' with { type: 'json' }

const weekday = '(?:sun|mon|tue|wed|thu|fri|sat)'
const hour = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const hoursOfDay = `${hour}(?:\\*\\d+)?(?: ${hour}(?:\\*\\d+)?)*`
const dayHours = `(?:${weekday}(?:~\\d+)?|any) ${hoursOfDay}`

const zone = textLike('[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+)+')
const date = textLike(`(?:${weekday} )?[01]\\d-[0-3]\\d`)
const hours = textLike(`${dayHours}(?:; ${dayHours})*`)

/** The same hours for each of several days, of which each is a round. */
const sameRounds = row({ days: listOf(textLike(weekday)), hours: textLike(hoursOfDay) })

/** Weeks from Tuesday to Monday, in each of which every side may play once a round. */
const weekly = row({
  from: date,
  to: date,
  rounds: listOf(either(hours, sameRounds)),
  /** Whether the pairs of a round meet on each of its days. */
  isSeries: optional(flag),
  /** The most games of a round. */
  most: optional(count),
  /** Sides of a round, taken in turn from all; by default everybody plays. */
  block: optional(count),
  /** One week in this many. */
  every: optional(count),
  /** Whether sides meet those of their own conference. */
  inConference: optional(flag),
  /** The number of games fewer in a round, for sides that have the week off. */
  byes: optional(count),
  /** No game within this many days of another in the week; 1 by default, which is the same day. */
  rest: optional(count),
  zone: optional(zone),
})

/** A stage with the strongest `sides` left; they play from the first to the last day, counted from `from`. */
const stage = row({
  sides: count,
  first: whole,
  last: whole,
  /** Whether they play every other day against the same opponent. */
  isSeries: optional(flag),
})

const stages = listOf(stage)

const ownDates = {
  from: date,
  /** For a tour: another one begins every week, until then. */
  weeklyUntil: optional(date),
  zone: optional(zone),
}

/** A knockout; each stage halves the field. Hours are by day of the week; `any` for the others. */
const knockout = row({ ...ownDates, stages, hours })

/** A knockout with the stages and hours of a named one. */
const knockoutLike = row({ ...ownDates, like: text })

const phase = either(weekly, either(knockoutLike, knockout))

/** Days off: the first, and how many. */
const daysOff = row({ from: date, days: count })

const league = row({
  /** The zone where hosts have none of their own, and where all kick-offs are named in one. */
  zone,
  /** Whether hours are those of the host's town. */
  isVenueTime: optional(flag),
  /** The earliest start of hosts further west than the zone. */
  westFrom: optional(textLike(hour)),
  breaks: optional(listOf(either(text, daysOff))),
  phases: listOf(either(text, phase)),
})

const file = 'pipeline/feeds/simulator/data/league-calendars.json'
const named = readDataFile(
  file,
  row({
    breaks: recordOf(listOf(daysOff)),
    knockouts: recordOf(row({ stages, hours })),
    phases: recordOf(listOf(phase)),
    leagues: recordOf(league),
  }),
  rows,
)

export type Stage = TypeOf<typeof stage>
export type KnockoutPhase = TypeOf<typeof knockout>

export interface WeeklyPhase extends Omit<TypeOf<typeof weekly>, 'rounds'> {
  readonly rounds: readonly string[]
}

export interface LeagueCalendar extends Omit<TypeOf<typeof league>, 'breaks' | 'phases'> {
  readonly breaks: readonly TypeOf<typeof daysOff>[]
  readonly phases: readonly (WeeklyPhase | KnockoutPhase)[]
}

function find<Found>(all: Readonly<Record<string, Found>>, name: string): Found {
  const found = all[name]
  if (found === undefined) throw new Error(`${file} names ${name}, which is not there`)
  return found
}

function phaseOf(stated: TypeOf<typeof phase>): WeeklyPhase | KnockoutPhase {
  if ('like' in stated) {
    const { like, ...own } = stated
    return { ...own, ...find(named.knockouts, like) }
  }
  if (!('rounds' in stated)) return stated
  const rounds = stated.rounds.flatMap((round) =>
    typeof round === 'string' ? round : round.days.map((day) => `${day} ${round.hours}`),
  )
  return { ...stated, rounds }
}

function calendarOf({ breaks = [], phases, ...own }: TypeOf<typeof league>): LeagueCalendar {
  return {
    ...own,
    breaks: breaks.flatMap((days) => (typeof days === 'string' ? find(named.breaks, days) : days)),
    phases: phases
      .flatMap((one) => (typeof one === 'string' ? find(named.phases, one) : one))
      .map(phaseOf),
  }
}

export const leagueCalendars: Readonly<Record<string, LeagueCalendar>> = Object.fromEntries(
  Object.entries(named.leagues).map(([id, stated]) => [id, calendarOf(stated)]),
)
