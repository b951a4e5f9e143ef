/**
 * The calendar of each league, from recent years: its season with breaks, its weekdays and its
 * local hours. Dates are rounded towards the middle of the season, so that they are within every
 * year's real season. They are in `data/league-calendars.json`, which has names for the parts that
 * several leagues share.
 *
 * Text of days: `sat 12:30 15:00*4; sun 16:30`. `*4` means four games at that time, and `thu~60`
 * that three pairs in five play on that day. Dates are those of `dayInYear`.
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

/** The same hours on several days; each day is a round. */
const sameRounds = row({ days: listOf(textLike(weekday)), hours: textLike(hoursOfDay) })

/** Weeks from Tuesday to Monday, in which every side may play once per round. */
const weekly = row({
  from: date,
  to: date,
  rounds: listOf(either(hours, sameRounds)),
  /** Whether the pairs of a round meet on each of its days. */
  isSeries: optional(flag),
  /** The most games of a round. */
  most: optional(count),
  /** The number of sides in a round, taken in turn; by default all play. */
  block: optional(count),
  /** One week in this many. */
  every: optional(count),
  /** Whether sides meet those of their own conference. */
  inConference: optional(flag),
  /** How many games fewer a round has, because some sides have the week off. */
  byes: optional(count),
  /** No game within this many days of another in the week; 1 by default, which is the same day. */
  rest: optional(count),
  zone: optional(zone),
})

/** A stage with the strongest `sides`; the first and the last day are counted from `from`. */
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
  /** For a tour: a new one begins every week until this date. */
  weeklyUntil: optional(date),
  zone: optional(zone),
}

/** A knockout; each stage halves the field. Hours are by day of the week; `any` for the others. */
const knockout = row({ ...ownDates, stages, hours })

/** A knockout with the stages and hours of a named one. */
const knockoutLike = row({ ...ownDates, like: text })

const phase = either(weekly, either(knockoutLike, knockout))

/** Days off: the first day, and how many. */
const daysOff = row({ from: date, days: count })

const league = row({
  /** The zone for hosts without their own, and if all kick-offs are stated in one zone. */
  zone,
  /** Whether hours are those of the host's town. */
  isVenueTime: optional(flag),
  /** The earliest start at hosts that are further west than the zone. */
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
