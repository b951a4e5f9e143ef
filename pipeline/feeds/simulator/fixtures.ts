/**
 * The fixtures of a league in any week, computed only from its calendar and the seed: each call for
 * a week returns the same games. Weeks go from Tuesday to Monday, like rounds.
 *
 * Nobody plays twice a day, except for the doubleheaders of baseball. The winners of a knockout are
 * decided in advance by strength, because results are not known here.
 */
import { groupBy } from '../../../schemas/grouping.ts'
import {
  dayInYear,
  instantAt,
  isWeekday,
  minute,
  type Weekday,
  weekdayOf,
  yearOf,
} from './calendar.ts'
import type { SimulatedLeague } from './catalogue.ts'
import type { KnockoutPhase, Stage, WeeklyPhase } from './league-calendars.ts'
import type { Participant } from './participants.ts'
import { createRandom, type Random, trait } from './random.ts'

export interface Fixture {
  readonly league: SimulatedLeague
  readonly home: Participant
  readonly away: Participant
  readonly startsAt: number
  /** The time zone of the place. */
  readonly zone: string
  /** How much better the home side is, in units of the league's spread; before home advantage. */
  readonly edge: number
  /** Whether it will be called off on the day. */
  readonly isPostponed: boolean
}

/** Returns the week; a Tuesday is its first day. */
export const weekOf = (day: number) => Math.floor((day + 2) / 7)
export const firstDayOf = (week: number) => 7 * week - 2

type Pair = readonly [home: Participant, away: Participant]

interface Slot {
  readonly weekday: Weekday | 'any'
  /** Minutes since midnight. */
  readonly time: number
}

/** The hours of one day: slots, and the share of pairs that play then in a series. */
interface DayHours {
  readonly weekday: Weekday | 'any'
  readonly share: number
  readonly times: readonly number[]
}

function parseHours(text: string): DayHours[] {
  return text.split('; ').map((day) => {
    const [head = '', ...hours] = day.split(' ')
    const [name = '', percent] = head.split('~')
    const weekday = name === 'any' ? name : isWeekday(name) ? name : undefined
    const times = hours.flatMap((hour) => {
      const [, h, m, count] = /^(\d\d):(\d\d)(?:\*(\d+))?$/.exec(hour) ?? []
      if (h === undefined) throw new Error(`no hour of a day: ${hour}`)
      return Array<number>(Number(count ?? 1)).fill(60 * Number(h) + Number(m))
    })
    if (weekday === undefined || times.length === 0) throw new Error(`no hours of a day: ${day}`)
    return { weekday, share: percent === undefined ? 1 : Number(percent) / 100, times }
  })
}

/**
 * Returns the share of a sport's league matches that are postponed; higher in baseball, because of
 * rain.
 */
const postponedOf = (sport: string) =>
  sport === 'baseball' ? 0.012 : sport === 'soccer' || sport === 'tennis' ? 0.004 : 0.001
const doubleheaders = 0.012
const betweenGames = 330 * minute
const noon = 12 * 60

export function createFixtureList(league: SimulatedLeague, seed: number) {
  const { calendar, id, participants } = league
  const strength = new Map<Participant, number>()
  for (const side of participants) strength.set(side, strengthOf(`${seed}|${id}|${side.key}`))
  const byStrength = [...participants].sort((a, b) => strength.get(b)! - strength.get(a)!)
  // Opponents come in an order that depends on the seed.
  const drawn = [...participants].sort((a, b) => order(a) - order(b))
  const conferences = groupBy(drawn, ({ conference }) => conference ?? '')
  function order({ key }: Participant) {
    return trait(`${seed}|${id}|${key}`, 31)
  }

  const zoneOf = (home: Participant, zone?: string) =>
    zone ?? (calendar.isVenueTime ? home.zone : undefined) ?? calendar.zone

  function isOff(day: number): boolean {
    return calendar.breaks.some(({ from, days }) => {
      const year = yearOf(day)
      return [year - 1, year].some((of) => {
        const first = dayInYear(from, of)
        return day >= first && day < first + days
      })
    })
  }

  function fixture([home, away]: Pair, day: number, time: number, ofPhase?: string): Fixture {
    const zone = zoneOf(home, ofPhase)
    const startsAt = instantAt(day, time, zone)
    const chance = trait(`${seed}|${id}|${home.key}|${away.key}|${day}`, 32)
    return {
      league,
      home,
      away,
      startsAt,
      zone,
      edge: (strength.get(home)! - strength.get(away)!) / Math.SQRT2,
      isPostponed: chance < postponedOf(league.sport),
    }
  }

  function weekly(phase: WeeklyPhase, week: number, lastPlayed: Map<Participant, number>) {
    const { every = 1, most = Number.POSITIVE_INFINITY, rest = 1, zone } = phase
    if (week % every !== every - 1) return []
    const fixtures: Fixture[] = []
    const days = daysOf(phase.from, phase.to, week)
    for (const [at, text] of phase.rounds.entries()) {
      const round = Math.floor(week / every) * phase.rounds.length + at
      const random = createRandom(Math.floor(trait(`${seed}|${id}|${round}`, 33) * 2 ** 32))
      const pairs = shuffled(pairsOf(phase, round), random)
      const hours = parseHours(text)
      if (phase.isSeries) {
        for (const { weekday, share, times } of hours) {
          const day = days.find((other) => weekdayOf(other) === weekday)
          for (const [index, pair] of shuffled(pairs, random).entries()) {
            const isOn = random.chance(share)
            if (day === undefined || isOff(day) || !isOn) continue
            const time = times[index % times.length]!
            const game = fixture(pair, day, time, zone)
            fixtures.push(game)
            if (league.id === 'mlb' && random.chance(doubleheaders)) {
              // If this game is in the evening, the other one is before it.
              const after = time < noon + 3 * 60 ? betweenGames : -betweenGames
              fixtures.push({ ...game, startsAt: game.startsAt + after })
            }
          }
        }
        continue
      }
      const left = pairs.slice(phase.byes ?? 0)
      let count = 0
      for (const { weekday, time } of slotsFor(hours, left.length)) {
        const day = days.find((other) => weekdayOf(other) === weekday)
        const pair = takePair(left, weekday, time)
        if (!pair) break
        const isRested = pair.every((side) => (day ?? 0) - (lastPlayed.get(side) ?? 0) >= rest)
        if (day === undefined || isOff(day) || !isRested || count >= most) continue
        count++
        for (const side of pair) lastPlayed.set(side, day)
        fixtures.push(fixture(pair, day, time, zone))
      }
    }
    return fixtures
  }

  /** Returns the first pair left that may play then, taken out of the list. */
  function takePair(left: Pair[], weekday: Weekday | 'any', time: number): Pair | undefined {
    const { westFrom } = calendar
    const isEarly = westFrom !== undefined && time < parseTime(westFrom)
    const isNearMidweek = weekday === 'fri' || weekday === 'mon'
    const fits = ([home, away]: Pair) =>
      !(isEarly && isWest(home)) && !(isNearMidweek && (home.isInEurope || away.isInEurope))
    const at = Math.max(0, left.findIndex(fits))
    return left.splice(at, 1)[0]
  }

  /** Returns the pairs of a round: each side has another opponent each time (circle method). */
  function pairsOf({ block, inConference }: WeeklyPhase, round: number): Pair[] {
    if (inConference) {
      return [...conferences.values()].flatMap((sides) => circle(sides, round))
    }
    if (block === undefined) return circle(drawn, round)
    const blocks = Math.max(1, Math.floor(drawn.length / block))
    const from = (round % blocks) * block
    return circle(drawn.slice(from, from + block), Math.floor(round / blocks))
  }

  function knockout(phase: KnockoutPhase, week: number): Fixture[] {
    const fixtures: Fixture[] = []
    const firstDay = firstDayOf(week)
    const year = yearOf(firstDay)
    for (const of of [year - 1, year, year + 1]) {
      const until = phase.weeklyUntil
      const first = dayInYear(phase.from, of)
      const last = until === undefined ? first : dayInYear(until, of)
      for (let from = first; from <= last; from += 7) {
        for (const [at, stage] of phase.stages.entries()) {
          if (from + stage.first > firstDay + 6 || from + stage.last < firstDay) continue
          fixtures.push(...stageOf(phase, stage, at, from, firstDay))
        }
      }
    }
    return fixtures
  }

  /** Returns the games of one stage in the week from `firstDay`. */
  function stageOf(phase: KnockoutPhase, stage: Stage, at: number, from: number, firstDay: number) {
    const hours = parseHours(phase.hours)
    const length = stage.last - stage.first + 1
    const field = fieldOf(phase, from).slice(0, stage.sides)
    const fixtures: Fixture[] = []
    for (let day = Math.max(from + stage.first, firstDay); day <= firstDay + 6; day++) {
      if (day > from + stage.last) break
      if (isOff(day)) continue
      const weekday = weekdayOf(day)
      const { times } =
        hours.find((of) => of.weekday === weekday) ?? hours.find((of) => of.weekday === 'any')!
      const into = day - from - stage.first
      let slot = 0
      for (let pair = 0; pair < field.length >> 1; pair++) {
        // A series plays every other day, a single game on its one day.
        const isOn = stage.isSeries ? (into + pair) % 2 === 0 : pair % length === into
        if (!isOn) continue
        const better = field[pair]!
        const other = field[field.length - 1 - pair]!
        const isAway = stage.isSeries ? [2, 3, 5].includes(into >> 1) : at % 2 === 1
        const sides: Pair = isAway ? [other, better] : [better, other]
        fixtures.push(fixture(sides, day, times[slot++ % times.length]!, phase.zone))
      }
    }
    return fixtures
  }

  /** Returns the best sides of a league; on a tour, the best of that week. */
  function fieldOf({ weeklyUntil }: KnockoutPhase, from: number): Participant[] {
    if (weeklyUntil === undefined) return byStrength
    const form = (side: Participant) =>
      strength.get(side)! + 3 * trait(`${seed}|${id}|${side.key}|${from}`, 34)
    return [...participants].sort((a, b) => form(b) - form(a))
  }

  return {
    /** Returns the fixtures of a week, in no order. */
    week(week: number): Fixture[] {
      const lastPlayed = new Map<Participant, number>()
      return calendar.phases.flatMap((phase) =>
        'rounds' in phase ? weekly(phase, week, lastPlayed) : knockout(phase, week),
      )
    },
  }
}

/** Returns a roughly normal number, by hash. */
function strengthOf(text: string): number {
  return (trait(text, 28) + trait(text, 29) + trait(text, 30) - 1.5) * 2
}

function parseTime(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return 60 * (hours ?? 0) + (minutes ?? 0)
}

const isWest = ({ zone }: Participant) =>
  zone === 'America/Los_Angeles' || zone === 'America/Phoenix' || zone === 'America/Denver'

/** Returns the days of a week that are in the season between two dates, which may span New Year. */
function daysOf(from: string, to: string, week: number): number[] {
  const first = firstDayOf(week)
  const days: number[] = []
  for (let day = first; day < first + 7; day++) {
    const year = yearOf(day)
    for (const of of [year - 1, year]) {
      const begins = dayInYear(from, of)
      const end = dayInYear(to, of)
      if (day >= begins && day <= (end < begins ? dayInYear(to, of + 1) : end)) {
        days.push(day)
        break
      }
    }
  }
  return days
}

/**
 * Returns slots for a number of games. Times with a single slot come first, so that there is always
 * a late game.
 */
function slotsFor(hours: readonly DayHours[], count: number): Slot[] {
  const single: Slot[] = []
  const shared: Slot[] = []
  for (const { weekday, times } of hours) {
    for (const time of times) {
      const isSingle = times.filter((other) => other === time).length === 1
      ;(isSingle ? single : shared).push({ weekday, time })
    }
  }
  const all = [...single, ...shared]
  return Array.from({ length: count }, (_, index) => all[index % all.length]!)
}

function circle(sides: readonly Participant[], round: number): Pair[] {
  // With an odd number one side has no opponent.
  const count = sides.length + (sides.length % 2)
  if (count < 2) return []
  const pairs: Pair[] = []
  const turn = round % (count - 1)
  const place = (at: number) => (at === 0 ? 0 : 1 + ((at - 1 + turn) % (count - 1)))
  const isReturn = Math.floor(round / (count - 1)) % 2 === 1
  for (let at = 0; at < count / 2; at++) {
    const one = sides[place(at)]
    const other = sides[place(count - 1 - at)]
    if (!one || !other) continue
    const isHome = ((at === 0 ? round : at) % 2 === 0) !== isReturn
    pairs.push(isHome ? [one, other] : [other, one])
  }
  return pairs
}

function shuffled<T>(from: readonly T[], random: Random): T[] {
  const all = [...from]
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    const kept = all[at]!
    all[at] = all[other]!
    all[other] = kept
  }
  return all
}
