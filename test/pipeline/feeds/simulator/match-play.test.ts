/** Matches that last until they are won: each score must follow from the last by the rules of the sport. */

import { describe, expect, it } from 'vitest'
import { type Moment, matchPlays } from '../../../../pipeline/feeds/simulator/match-play.ts'
import { createRandom } from '../../../../pipeline/feeds/simulator/random.ts'
import { testSeed } from '../../../seed.ts'

const matches = 60

function drawn(play: keyof typeof matchPlays, most: number, of: { margin: number; total: number }) {
  const random = createRandom(testSeed)
  return Array.from({ length: matches }, () => {
    const margin = of.margin * random.normal()
    return matchPlays[play].draw({ margin, total: of.total }, most, random)
  })
}

interface Step {
  readonly before: Moment
  readonly after: Moment
}

/** Pairs each moment with the one before it. */
const steps = (course: readonly Moment[]): Step[] =>
  course.slice(1).map((after, i) => ({ before: course[i]!, after }))

const faults = (course: readonly Moment[], isAllowed: (step: Step) => boolean) =>
  steps(course).filter((step) => !isAllowed(step))

const scored = ({ before, after }: Step) =>
  [after.homeScore - before.homeScore, after.awayScore - before.awayScore] as const

const total = ({ homeScore, awayScore }: Moment) => homeScore + awayScore

function expectWonByLead(course: readonly Moment[]) {
  const last = course.at(-1)!
  expect(last.lead).not.toBe(0)
  expect(last.remaining).toBe(0)
  expect(course.slice(0, -1).filter(({ remaining }) => remaining <= 0)).toEqual([])
}

describe.each([
  ['maps', 3, { margin: 0.8, total: 2.45 }],
  ['frames', 17, { margin: 1.8, total: 14.5 }],
])('a match of %s, %i at most', (_, most, expected) => {
  const courses = drawn('parts', most, expected)

  it('goes one part at a time, and ends once one side has more than half', () => {
    for (const course of courses) {
      expect(total(course[0]!)).toBe(0)
      const isAllowed = (step: Step) => {
        const [byHome, byAway] = scored(step)
        const { homeScore, awayScore, period } = step.before
        const isOpen = Math.max(homeScore, awayScore) < most / 2
        const isOnePart = byHome >= 0 && byAway >= 0 && byHome + byAway <= 1
        return isOpen && isOnePart && period === homeScore + awayScore
      }
      expect(faults(course, isAllowed)).toEqual([])
      const last = course.at(-1)!
      expect(Math.max(last.homeScore, last.awayScore)).toBe((most + 1) / 2)
      expect(last.period).toBe(total(last) - 1)
      expectWonByLead(course)
      expect(last.lead > 0).toBe(last.homeScore > last.awayScore)
    }
  })

  it('is won by either side, at any score', () => {
    const finals = courses.map((course) => course.at(-1)!)
    expect(new Set(finals.map(({ lead }) => lead > 0)).size).toBe(2)
    expect(new Set(finals.map(total)).size).toBeGreaterThan(1)
  })
})

describe('a match of tennis', () => {
  const courses = drawn('sets', 3, { margin: 1.2, total: 24 })
  const setsOf = ({ situation }: Moment) => situation.pairs.sets!
  const serverOf = ({ situation }: Moment) => situation.sided.server

  it('is won by two sets, each of them at a score that a set can have', () => {
    const ends = new Set<string>()
    for (const course of courses) {
      let [home, away] = [0, 0]
      const isAllowed = (step: Step) => {
        const [byHome, byAway] = scored(step)
        home += byHome
        away += byAway
        const won = setsOf(step.after).map((count, side) => count - setsOf(step.before)[side]!)
        const isSetOver = step.after.period > step.before.period || step.after === course.at(-1)
        const isServeTurned = serverOf(step.after) !== serverOf(step.before)
        const expected = !isSetOver ? '0,0' : home > away ? '1,0' : '0,1'
        if (isSetOver) {
          ends.add([home, away].sort().join('-'))
          home = 0
          away = 0
        }
        return (
          byHome + byAway === 1 && byHome * byAway === 0 && isServeTurned && `${won}` === expected
        )
      }
      expect(faults(course, isAllowed)).toEqual([])
      const last = course.at(-1)!
      expect(Math.max(...setsOf(last))).toBe(2)
      expect(last.period).toBe(setsOf(last)[0] + setsOf(last)[1] - 1)
      expectWonByLead(course)
    }
    const possible = ['0-6', '1-6', '2-6', '3-6', '4-6', '5-7', '6-7']
    expect([...ends].filter((end) => !possible.includes(end))).toEqual([])
    expect(ends.size).toBeGreaterThan(4)
  })
})

describe('a match of cricket', () => {
  const courses = drawn('overs', 2, { margin: 12, total: 326 })

  it('has two innings of twenty overs, ten wickets or a target that is passed', () => {
    const ends = new Set<string>()
    for (const course of courses) {
      const change = course.findIndex(({ period }) => period === 1)
      const halves = [course.slice(0, change), course.slice(change)]
      const toPass = total(course[change]!)
      for (const [innings, half] of halves.entries()) {
        const batting = half[0]!.situation.sided.batting_team!
        const at = batting === 'home' ? 0 : 1
        expect(half[0]!.situation.plain.overs).toBe(0)
        const isAllowed = (step: Step) => {
          const runs = scored(step)
          const [before, after] = [step.before.situation, step.after.situation]
          const fallen = after.pairs.wickets!.map(
            (count, side) => count - before.pairs.wickets![side]!,
          )
          const isBattingSide = runs[1 - at] === 0 && fallen[1 - at] === 0
          const isOneBall = ballsOf(step.after) === ballsOf(step.before) + 1
          const isOneOutcome = [0, 1].includes(fallen[at]!) && (fallen[at] === 0 || runs[at] === 0)
          const isSameSide = after.sided.batting_team === batting
          return (
            isBattingSide &&
            isOneBall &&
            isOneOutcome &&
            isSameSide &&
            [0, 1, 2, 4, 6].includes(runs[at]!)
          )
        }
        expect(faults(half, isAllowed)).toEqual([])
        const last = half.at(-1)!
        const runs = at === 0 ? last.homeScore : last.awayScore
        const isOut = last.situation.pairs.wickets![at] === 10
        const isPassed = innings === 1 && runs > toPass
        expect(isOut || isPassed || ballsOf(last) === 120).toBe(true)
        ends.add(isPassed ? 'passed' : isOut ? 'all out' : 'overs')
      }
      const last = course.at(-1)!
      expectWonByLead(course)
      expect(Math.sign(last.lead)).toBe(Math.sign(last.homeScore - last.awayScore))
    }
    expect(ends).toEqual(new Set(['passed', 'all out', 'overs']))
  })
})

function ballsOf({ situation }: Moment): number {
  const overs = Number(situation.plain.overs)
  return 6 * Math.floor(overs) + Math.round(10 * (overs % 1))
}
