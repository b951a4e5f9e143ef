import { describe, expect, it } from 'vitest'
import {
  areApart,
  hasTurnedSign,
  judgeApart,
  type LadderQuestion,
  ladderVerdict,
  type Rung,
} from '../../../../pipeline/rules/odds/ladder-guard.ts'
import { middleOutlook } from '../../../../pipeline/rules/odds/results.ts'

const nbaSpread: LadderQuestion = {
  marketType: 'point_spread',
  sport: 'basketball',
  kind: 'margin',
  isPlayers: false,
  isLive: false,
}
const nbaTotal: LadderQuestion = { ...nbaSpread, marketType: 'total_points', kind: 'total' }
const nflSpread: LadderQuestion = { ...nbaSpread, sport: 'football' }
const runLine: LadderQuestion = { ...nbaSpread, marketType: 'run_line', sport: 'baseball' }
const puckLine: LadderQuestion = { ...nbaSpread, marketType: 'puck_line', sport: 'hockey' }
const soccer: LadderQuestion = { ...nbaSpread, marketType: 'asian_handicap', sport: 'soccer' }
const rebounds: LadderQuestion = {
  ...nbaTotal,
  marketType: 'player_rebounds',
  isPlayers: true,
}

const yards: LadderQuestion = {
  ...rebounds,
  marketType: 'player_passing_yards',
  sport: 'football',
}

const rung = (line: number, fair = 0.5): Rung => ({ line, fair })

/** Returns the verdict on the middle of two rungs: over the lower, or home at the higher. */
function verdictOn(ladder: LadderQuestion, one: Rung, other: Rung, witnesses: readonly Rung[]) {
  const isTotal = ladder.kind === 'total'
  const [lower, higher] = one.line < other.line ? [one, other] : [other, one]
  const [first, second] = isTotal ? [lower, higher] : [higher, lower]
  const [low, high] = isTotal ? [lower.line, higher.line] : [-higher.line, -lower.line]
  const { marketType, sport } = ladder
  const chance = middleOutlook({ marketType, sport, low, high })!.probability
  if (!areApart(ladder, chance, first, second)) return ladderVerdict.fine
  return judgeApart(ladder, first, second, witnesses)
}

describe('two rungs of one ladder', () => {
  it.each<[string, LadderQuestion, Rung, Rung, Rung[]]>([
    ['7.5 points with the sign turned', nbaSpread, rung(7.5), rung(-7.5), [rung(-7.5), rung(-7)]],
    ['3.5 points with the sign turned', nbaSpread, rung(3.5), rung(-3.5), [rung(-3.5), rung(-3)]],
    ['a field goal with the sign turned', nflSpread, rung(3), rung(-3), [rung(-3), rung(-3)]],
    [
      'a run line',
      runLine,
      rung(1.5, 0.42),
      rung(-1.5, 0.42),
      [rung(-1.5, 0.41), rung(-1.5, 0.42)],
    ],
    [
      'a puck line',
      puckLine,
      rung(1.5, 0.37),
      rung(-1.5, 0.37),
      [rung(-1.5, 0.36), rung(-1.5, 0.37)],
    ],
  ])(
    'make no middle where one is the other with its sign turned, beside others or alone: %s',
    (_, ladder, one, other, witnesses) => {
      for (const beside of [witnesses, []]) {
        expect(verdictOn(ladder, one, other, beside)).toBe(ladderVerdict.withheld)
        expect(verdictOn(ladder, other, one, beside)).toBe(ladderVerdict.withheld)
      }
    },
  )

  it.each<[string, LadderQuestion, Rung, Rung, number]>([
    ['3 and -3', nbaSpread, rung(3), rung(-3), ladderVerdict.apart],
    ['2 and -2', nbaSpread, rung(2), rung(-2), ladderVerdict.fine],
    ['a point and a half', nflSpread, rung(1.5), rung(-1.5), ladderVerdict.fine],
    ['2 and -2 points', nflSpread, rung(2), rung(-2), ladderVerdict.apart],
    ['3.5 and -3.5 in play', { ...nbaSpread, isLive: true }, rung(3.5), rung(-3.5), 0],
    ['alternate lines', nbaSpread, rung(7.5, 0.75), rung(-7.5, 0.5), ladderVerdict.apart],
    ['one that is not the same', nbaSpread, rung(7.5), rung(-7), ladderVerdict.apart],
    ['one total and another', nbaTotal, rung(219.5), rung(229.5), ladderVerdict.apart],
  ])('may have moved through zero, alone: %s', (_, ladder, one, other, expected) => {
    expect(verdictOn(ladder, one, other, [])).toBe(expected)
  })

  it.each<[string, LadderQuestion, Rung, Rung, Rung[]]>([
    [
      'a long rung at the price of a short one',
      nbaSpread,
      rung(-2.5),
      rung(-12.5),
      [rung(-12.5), rung(-12)],
    ],
    ['a total ten off', nbaTotal, rung(229.5), rung(219.5), [rung(219.5), rung(220.5)]],
    [
      'an alternate total at the price of the main one',
      nbaTotal,
      rung(239.5),
      rung(219.5),
      [rung(220), rung(229.5, 0.29)],
    ],
    ['rebounds of another player', rebounds, rung(12.5), rung(5.5), [rung(5.5), rung(5.5, 0.55)]],
    ['yards of another quarterback', yards, rung(184.5), rung(262.5), [rung(262.5), rung(258.5)]],
  ])(
    'make no middle where others show that one is wrong: %s',
    (_, ladder, one, other, witnesses) => {
      expect(verdictOn(ladder, one, other, witnesses)).toBe(ladderVerdict.withheld)
      expect(verdictOn(ladder, other, one, witnesses)).toBe(ladderVerdict.withheld)
      expect(verdictOn(ladder, one, other, [])).toBe(ladderVerdict.apart)
    },
  )

  it.each<[string, LadderQuestion, Rung, Rung]>([
    ['a spread that moved by three', nbaSpread, rung(-4.5), rung(-7.5)],
    ['a total that moved by five', nbaTotal, rung(219.5), rung(224.5)],
    ['a spread that moved over three', nflSpread, rung(-2.5), rung(-4.5)],
    ['half a run', { ...runLine, marketType: 'total_runs', kind: 'total' }, rung(8.5), rung(9)],
    ['a rebound', rebounds, rung(8.5), rung(9.5)],
    ['18 yards of a quarterback', yards, rung(244.5), rung(262.5)],
    ['an alternate line at its own price', nbaSpread, rung(-7.5), rung(7.5, 0.88)],
    ['two alternate lines', nbaTotal, rung(209.5, 0.71), rung(229.5, 0.29)],
  ])('may be apart as honest sportsbooks are: %s', (_, ladder, one, other) => {
    const witnesses = [rung(one.line, one.fair), rung(one.line, one.fair)]
    expect(verdictOn(ladder, one, other, witnesses)).toBe(ladderVerdict.fine)
  })

  it('are suspected, and no more, if a third lies between them or agrees with neither', () => {
    const [one, other] = [rung(-4.5), rung(-9.5)]
    expect(verdictOn(nbaSpread, one, other, [rung(-7)])).toBe(ladderVerdict.apart)
    expect(verdictOn(nbaSpread, one, other, [rung(20.5)])).toBe(ladderVerdict.apart)
  })

  it('may be further apart in play, where a score moves one before the other', () => {
    const live = { ...nbaSpread, isLive: true }
    const [one, other] = [rung(-4.5), rung(-9.5)]
    const witnesses = [rung(-4.5), rung(-4.5)]
    expect(verdictOn(nbaSpread, one, other, witnesses)).toBe(ladderVerdict.withheld)
    expect(verdictOn(live, one, other, witnesses)).toBe(ladderVerdict.fine)
  })
})

describe('a sportsbook alone on its line', () => {
  const nflPlay = { ...nflSpread, isLive: true }
  const puckPlay = { ...puckLine, isLive: true }

  it.each<[string, LadderQuestion, Rung, number[]]>([
    ['7.5 points', nbaSpread, rung(7.5), [0.5, 0.5]],
    ['3.5 points', nbaSpread, rung(-3.5), [0.51, 0.48]],
    ['a field goal at a price of its own', nflSpread, rung(3, 0.46), [0.52, 0.53, 0.49]],
    ['a run line', runLine, rung(1.5, 0.42), [0.41, 0.42]],
    ['a puck line', puckLine, rung(1.5, 0.37), [0.36, 0.37, 0.36]],
    ['half a goal', soccer, rung(0.5), [0.5, 0.52]],
    ['most others', nbaSpread, rung(7.5), [0.5, 0.5, 0.7]],
    ['7.5 points in play', { ...nbaSpread, isLive: true }, rung(7.5), [0.5, 0.5]],
  ])(
    'has turned the sign, by the others on the line with the other: %s',
    (_, ladder, own, fairs) => {
      const mirrored = fairs.map((fair) => rung(-own.line, fair))
      expect(hasTurnedSign(ladder, own, mirrored)).toBe(true)
    },
  )

  it('has turned it beside others that are apart from it, and not beside one that agrees', () => {
    const own = rung(7.5)
    const mirrored = [rung(-7.5), rung(-7.5)]
    expect(hasTurnedSign(nbaSpread, own, mirrored, [rung(7.5, 0.77)])).toBe(true)
    expect(hasTurnedSign(nbaSpread, own, mirrored, [rung(7.5, 0.77), rung(7.5, 0.75)])).toBe(true)
    expect(hasTurnedSign(nbaSpread, own, mirrored, [rung(7.5, 0.77), rung(7.5, 0.52)])).toBe(false)
    expect(hasTurnedSign(nbaSpread, own, mirrored, [rung(7.5, 0.63)])).toBe(false)
    const live = { ...nbaSpread, isLive: true }
    expect(hasTurnedSign(live, rung(9.5), [rung(-9.5), rung(-9.5)], [rung(9.5, 0.65)])).toBe(false)
    expect(hasTurnedSign(live, rung(9.5), [rung(-9.5), rung(-9.5)], [rung(9.5, 0.8)])).toBe(true)
  })

  it.each<[string, LadderQuestion, Rung, number[]]>([
    ['one other', nbaSpread, rung(7.5), [0.5]],
    ['as many others that disagree', nbaSpread, rung(7.5), [0.5, 0.5, 0.7, 0.7]],
    ['a line that moved through zero', nbaSpread, rung(2.5), [0.5, 0.5]],
    ['two points', nflSpread, rung(2), [0.5, 0.5]],
    ['a run line at its own price', runLine, rung(1.5, 0.63), [0.37, 0.37]],
    ['a puck line at its own price', puckLine, rung(1.5, 0.7), [0.33, 0.34]],
    ['an alternate line', nbaSpread, rung(7.5, 0.8), [0.5, 0.5]],
    ['a touchdown that it has not seen', nflPlay, rung(3.5), [0.5, 0.5]],
    ['a goal that it has not seen', puckPlay, rung(1.5, 0.66), [0.5, 0.5]],
    ['a goal of an even game', { ...soccer, isLive: true }, rung(0.5), [0.5, 0.5]],
    ['a game that is nearly over', { ...nbaSpread, isLive: true }, rung(7.5, 0.97), [0.95, 0.96]],
  ])('has not: %s', (_, ladder, own, fairs) => {
    const mirrored = fairs.map((fair) => rung(-own.line, fair))
    expect(hasTurnedSign(ladder, own, mirrored)).toBe(false)
  })
})
