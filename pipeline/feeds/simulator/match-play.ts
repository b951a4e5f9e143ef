/**
 * Matches that last until they are won: by maps, frames or legs, by sets, or by runs in a number of
 * overs. A match is drawn as a whole before it begins, because its end depends on its course. A
 * score only changes as the sport allows.
 */
import type { GameStateRecord } from '../../../schemas/feed-record.ts'
import type { Random } from './random.ts'

/** Details that a sport reports besides score, period and clock. */
export interface Situation {
  /** Fields without sides. */
  readonly plain: GameStateRecord['state']
  /** A number or a name for each side. */
  readonly pairs: Readonly<Record<string, readonly [home: number, away: number]>>
  readonly sided: Readonly<Record<string, 'home' | 'away'>>
}

export const noSituation: Situation = { plain: {}, pairs: {}, sided: {} }

/** The state of a match between two plays. */
export interface Moment {
  readonly homeScore: number
  readonly awayScore: number
  /** The part being played, from 0. */
  readonly period: number
  readonly situation: Situation
  /**
   * Home's lead, in units of the margin; the expected result of the current part counts as a
   * fraction.
   */
  readonly lead: number
  /** The expected share of the match that is still to be played. */
  readonly remaining: number
}

/** The expected result of the whole match. */
export interface Expected {
  /** Home minus away. */
  readonly margin: number
  readonly total: number
}

/** @param most parts, if every one of them is played */
type DrawMatch = (expected: Expected, most: number, random: Random) => readonly Moment[]

/**
 * Returns the expected number of remaining parts between equal sides, by how many parts each still
 * needs.
 */
function partsLeft(most: number): number[][] {
  const needed = (most + 1) / 2
  const left: number[][] = []
  for (let home = 0; home <= needed; home++) {
    left.push([])
    for (let away = 0; away <= needed; away++) {
      const isWon = home === 0 || away === 0
      left[home]!.push(isWon ? 0 : 1 + (left[home - 1]![away]! + left[home]![away - 1]!) / 2)
    }
  }
  return left
}

const sideOf = (isHome: boolean): 'home' | 'away' => (isHome ? 'home' : 'away')

// ---- maps, frames, legs

/** Exchanges needed to win a part, which are not reported. */
const exchangesToWin = 5
/** How much the chance of an exchange grows per increase in the chance of the part. */
const exchangeShare = 0.41

const drawParts: DrawMatch = ({ margin, total }, most, random) => {
  const needed = (most + 1) / 2
  const left = partsLeft(most)
  const whole = left[needed]![needed]!
  const edge = Math.max(-0.4, Math.min(0.4, margin / (2 * total)))
  const moments: Moment[] = []
  let [homeScore, awayScore, homeWon, awayWon] = [0, 0, 0, 0]

  function note() {
    const isWon = Math.max(homeScore, awayScore) === needed
    const underWay = (homeWon + awayWon) / (2 * exchangesToWin - 1)
    moments.push({
      homeScore,
      awayScore,
      period: homeScore + awayScore - (isWon ? 1 : 0),
      situation: noSituation,
      lead: homeScore - awayScore + (homeWon - awayWon) / exchangesToWin,
      remaining: Math.max(0, left[needed - homeScore]![needed - awayScore]! - underWay) / whole,
    })
    return isWon
  }

  while (!note()) {
    if (random.chance(0.5 + exchangeShare * edge)) homeWon++
    else awayWon++
    if (Math.max(homeWon, awayWon) < exchangesToWin) continue
    if (homeWon > awayWon) homeScore++
    else awayScore++
    homeWon = 0
    awayWon = 0
  }
  return moments
}

// ---- sets of tennis

/** How often the server wins a game against an equal opponent. */
const holdChance = 0.7
/** The increase in the chance of each game per set of expected margin. */
const gameEdge = 0.042
/** A lead of one game counts as this share of a set that is not won yet. */
const gameLead = 0.24
const usualGamesOfSet = 9.6

/** Draws a match in sets. The score is of games, of all sets together. */
const drawSets: DrawMatch = ({ margin }, most, random) => {
  const needed = (most + 1) / 2
  const left = partsLeft(most)
  const whole = left[needed]![needed]!
  const edge = Math.max(-0.2, Math.min(0.2, gameEdge * margin))
  const moments: Moment[] = []
  let [homeScore, awayScore, homeSets, awaySets, homeGames, awayGames] = [0, 0, 0, 0, 0, 0]
  let isHomeServing = random.chance(0.5)

  function note() {
    const isWon = Math.max(homeSets, awaySets) === needed
    const underWay = Math.min(0.9, (homeGames + awayGames) / usualGamesOfSet)
    const promised = Math.max(-0.9, Math.min(0.9, gameLead * (homeGames - awayGames)))
    moments.push({
      homeScore,
      awayScore,
      period: homeSets + awaySets - (isWon ? 1 : 0),
      situation: {
        plain: {},
        pairs: { sets: [homeSets, awaySets] },
        sided: { server: sideOf(isHomeServing) },
      },
      lead: homeSets - awaySets + promised,
      remaining: Math.max(0, left[needed - homeSets]![needed - awaySets]! - underWay) / whole,
    })
    return isWon
  }

  while (!note()) {
    const isTieBreak = homeGames === 6 && awayGames === 6
    const hold = isTieBreak ? 0.5 : holdChance
    if (random.chance((isHomeServing ? hold : 1 - hold) + edge)) {
      homeGames++
      homeScore++
    } else {
      awayGames++
      awayScore++
    }
    isHomeServing = !isHomeServing
    const ahead = Math.max(homeGames, awayGames)
    if (ahead < 6 || (ahead === 6 && Math.abs(homeGames - awayGames) < 2)) continue
    if (homeGames > awayGames) homeSets++
    else awaySets++
    homeGames = 0
    awayGames = 0
  }
  return moments
}

// ---- overs of cricket

const ballsOfOver = 6
const ballsOfInnings = 20 * ballsOfOver
const wicketsOfInnings = 10
const wicketChance = 0.052
/** The runs of a scoring ball, with the share of each number. */
const runsOfBall = [
  [1, 0.62],
  [2, 0.12],
  [4, 0.175],
  [6, 0.085],
] as const
const usualRuns = runsOfBall.reduce((sum, [runs, share]) => sum + runs * share, 0)
/** Compensates for innings that end early: all out, or the target is reached. */
const cutShort = 1.055

function drawRuns(random: Random): number {
  let draw = random.next()
  for (const [runs, share] of runsOfBall) {
    draw -= share
    if (draw < 0) return runs
  }
  return 1
}

type Side = 'home' | 'away'

/** Draws one innings each, of twenty overs; the side that bats second stops when it has passed the other's runs. */
const drawOvers: DrawMatch = ({ margin, total }, _, random) => {
  const moments: Moment[] = []
  const runs = { home: 0, away: 0 }
  const wickets = { home: 0, away: 0 }
  const usual = total / 2
  let balls = 0

  function note(period: number, batting: Side, lead: number, remaining: number) {
    moments.push({
      homeScore: runs.home,
      awayScore: runs.away,
      period,
      situation: {
        plain: { overs: Math.floor(balls / ballsOfOver) + (balls % ballsOfOver) / 10 },
        pairs: { wickets: [wickets.home, wickets.away] },
        sided: { batting_team: batting },
      },
      lead: batting === 'home' ? lead : 0 - lead,
      remaining,
    })
  }

  function playInnings(period: number, batting: Side, toPass: number) {
    const isChase = period === 1
    const expected = usual + (batting === 'home' ? margin : 0 - margin) / 2
    const scoringChance = (cutShort * expected) / (ballsOfInnings * usualRuns)
    balls = 0
    for (;;) {
      // By balls and wickets; the last wickets count most.
      const left = (1 - balls / ballsOfInnings) * (1 - (wickets[batting] / wicketsOfInnings) ** 2)
      const isOver = left === 0 || runs[batting] > toPass
      const lead = isChase
        ? runs[batting] - toPass + usual * (isOver ? 0 : left)
        : runs[batting] - usual * (1 - left)
      const remaining = isOver ? 0 : left
      note(period, batting, lead, (isChase ? remaining : 1 + remaining) / 2)
      if (isOver) return
      balls++
      const draw = random.next()
      let isWicket = draw < wicketChance
      let brought = !isWicket && draw < wicketChance + scoringChance ? drawRuns(random) : 0
      const isLast =
        balls === ballsOfInnings || (isWicket && wickets[batting] === wicketsOfInnings - 1)
      // A tie would have to be decided, so the last ball is drawn again until there is none.
      while (isLast && runs[batting] + brought === toPass) {
        isWicket = false
        brought = drawRuns(random)
      }
      if (isWicket) wickets[batting]++
      runs[batting] += brought
    }
  }

  const first = sideOf(random.chance(0.5))
  playInnings(0, first, Number.POSITIVE_INFINITY)
  playInnings(1, first === 'home' ? 'away' : 'home', runs[first])
  return moments
}

const usualParts = (most: number) => partsLeft(most).at(-1)!.at(-1)!

interface MatchPlay {
  readonly draw: DrawMatch
  /** Returns the approximate number of moments of a match with this many parts. */
  readonly usualLength: (most: number) => number
}

const usualExchanges = 7.5

/** The kinds of play, by what wins a match. */
export const matchPlays = {
  parts: { draw: drawParts, usualLength: (most) => usualExchanges * usualParts(most) },
  sets: { draw: drawSets, usualLength: (most) => usualGamesOfSet * usualParts(most) },
  overs: { draw: drawOvers, usualLength: () => 2 * ballsOfInnings },
} as const satisfies Readonly<Record<string, MatchPlay>>

export const isMatchPlay = (play: string): play is keyof typeof matchPlays => play in matchPlays
