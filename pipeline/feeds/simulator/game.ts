/**
 * One simulated game: the true strength of its sides, how the belief about it moves before the game and how play
 * decides it. Sportsbooks see it late: the latest beliefs are kept with their times, so a book that
 * is 20 s behind the anchor prices the belief of 20 s ago.
 *
 * Play depends on the game's number and the seed. It is computed in slices of equal length, or at
 * once for a match that lasts until it is won (match-play.ts). So the score at a time is always the
 * same, even after a restart.
 */
import type { SimulatedLeague } from './catalogue.ts'
import type { Fixture } from './fixtures.ts'
import { isMatchPlay, type Moment, matchPlays } from './match-play.ts'
import type { Participant } from './participants.ts'
import { createRandom, type Random, trait } from './random.ts'
import { type PropModel, propModels } from './sport-models.ts'

export interface PlayerProp {
  readonly player: string
  readonly marketType: string
  readonly statCategory: string
  readonly mean: number
  readonly sd: number
  /** The share of the game's form that affects this player, signed. */
  readonly sensitivity: number
}

export interface Game {
  /** The identity that matching has to find; unique, even among games of earlier runs. */
  readonly number: number
  readonly league: SimulatedLeague
  readonly home: Participant
  readonly away: Participant
  readonly startsAt: number
  readonly endsAt: number
  readonly props: readonly PlayerProp[]
  readonly isPostponed: boolean
  stage: 'upcoming' | 'live' | 'final' | 'postponed'
  /** Expected over the whole game, home minus away. */
  margin: number
  total: number
  form: number
  /** The share of the game that is still to be played. */
  remaining: number
  homeScore: number
  awayScore: number
  /** The belief that play is drawn from; news does not change the true strengths. */
  readonly play: { readonly random: Random; readonly margin: number; readonly total: number }
  slicesPlayed: number
  /** The whole course of a match that lasts until it is won, at equal intervals; null for other games. */
  readonly course: readonly Moment[] | null
  /** The score; null before the first ball. */
  moment: Moment | null
  movedAt: number
  /** The number of beliefs recorded so far; the newest is `version - 1`. */
  version: number
  readonly beliefs: Float64Array
}

/** Fields of one belief in `Game.beliefs`, by offset. */
export const beliefAt = 0
export const beliefMargin = 1
export const beliefTotal = 2
export const beliefForm = 3
export const beliefRemaining = 4
export const beliefScored = 5
const beliefSize = 6
const beliefsKept = 32

export interface GameIn extends Fixture {
  readonly number: number
  readonly seed: number
}

const minute = 60_000

/** The number of parts that a game is played in, each about half a minute. */
const slices = 240

export function createGame(facts: GameIn, at: number): Game {
  const { league, startsAt, number, home, away, edge, isPostponed, seed } = facts
  const { model } = league
  const random = createRandom(number ^ Math.imul(seed, 0x9e3779b1))
  const margin = model.homeAdvantage + model.strengthSd * edge
  const total = model.total * (1 + 0.05 * random.normal())
  const durationMs = model.durationMinutes * minute * random.between(0.94, 1.1)
  const props = createProps(league, [home, away], random)
  const { count: most } = model.periods
  const matchPlay = isMatchPlay(model.play) ? matchPlays[model.play] : null
  const course = matchPlay?.draw({ margin, total }, most, random) ?? null
  const share = matchPlay && course ? (course.length - 1) / matchPlay.usualLength(most) : 1
  const game: Game = {
    number,
    league,
    home,
    away,
    startsAt,
    isPostponed,
    endsAt: Math.round(startsAt + share * durationMs),
    props,
    stage: 'upcoming',
    margin,
    total,
    form: 0,
    remaining: 1,
    homeScore: 0,
    awayScore: 0,
    play: { random, margin, total },
    slicesPlayed: 0,
    course,
    moment: null,
    movedAt: at,
    version: 0,
    beliefs: new Float64Array(beliefSize * beliefsKept),
  }
  recordBelief(game, at)
  return game
}

function createProps(
  league: SimulatedLeague,
  sides: readonly Participant[],
  random: Random,
): PlayerProp[] {
  if (!league.hasProps) return []
  const models = propModels[league.sport] ?? []
  return sides.flatMap(({ players }) =>
    players.flatMap((player, i) =>
      // Two statistics per player, in turn, so that a team has all of them.
      [models[(2 * i) % models.length], models[(2 * i + 1) % models.length]]
        .filter((model): model is PropModel => model !== undefined)
        .map((model) => createProp(league.id, player, model, random)),
    ),
  )
}

function createProp(league: string, player: string, model: PropModel, random: Random): PlayerProp {
  const level = trait(`${league}|${player}|${model.statCategory}`, 4)
  const mean = (model.low + level * (model.high - model.low)) * random.between(0.95, 1.05)
  return {
    player,
    marketType: `player_${model.statCategory}`,
    statCategory: model.statCategory,
    mean,
    sd: model.spread === null ? Math.sqrt(1.2 * mean) : model.spread * mean,
    sensitivity: random.between(-1, 1),
  }
}

/** Records the current belief; the oldest one is overwritten. */
function recordBelief(game: Game, at: number) {
  const { beliefs } = game
  const offset = (game.version % beliefsKept) * beliefSize
  const played = 1 - game.remaining
  const score = game.moment?.lead ?? game.homeScore - game.awayScore
  const isScored = game.league.model.play !== 'drift'
  const scored = game.homeScore + game.awayScore
  beliefs[offset + beliefAt] = at
  beliefs[offset + beliefMargin] =
    isScored && played > 0 ? score + game.remaining * game.margin : game.margin
  beliefs[offset + beliefTotal] =
    isScored && played > 0 ? scored + game.remaining * game.total : game.total
  beliefs[offset + beliefForm] = game.form
  beliefs[offset + beliefRemaining] = game.remaining
  beliefs[offset + beliefScored] = scored
  game.version++
  game.movedAt = at
}

/** Returns the oldest belief that is kept. */
export const oldestVersion = ({ version }: Game) => Math.max(0, version - beliefsKept)

/** Returns the newest belief held at `at`, as a version; the oldest kept one for earlier times. */
export function versionAt(game: Game, at: number): number {
  const oldest = oldestVersion(game)
  let version = game.version - 1
  while (version > oldest && game.beliefs[offsetOf(version) + beliefAt]! > at) version--
  return version
}

export function offsetOf(version: number): number {
  return (version % beliefsKept) * beliefSize
}

/**
 * The size of an injury or the like, in units of the game's spread: large enough to make late
 * sportsbooks' prices worth a bet.
 */
const shockSizes = [0.032, 0.042] as const
/** The largest step; above it, sportsbooks would not accept bets at the old price. */
const longestStep = 0.12

/** Makes pregame news: margin, total or a player's form moves a step. */
export function wander(game: Game, at: number, isShock: boolean, random: Random) {
  const { model } = game.league
  // A day of small news moves the line by an eighth of play's own movement.
  const hours = Math.min(6, (at - game.movedAt) / 3_600_000)
  const usual = (0.03 * Math.sqrt(hours) + 0.005) * random.normal()
  const size = isShock ? random.between(...shockSizes) : Math.min(longestStep, Math.abs(usual))
  const step = Math.sign(usual) * size
  const which = random.next()
  if (which < 0.45) game.margin += model.marginSd * step
  else if (which < 0.85) game.total += model.totalSd * step
  else game.form += 12 * step
  game.total = Math.max(model.total * 0.75, Math.min(model.total * 1.25, game.total))
  recordBelief(game, at)
}

/** Returns the share of the game that is played at a time: nobody scores at half-time. */
export function playedShare({ startsAt, endsAt, league }: Game, at: number): number {
  const passed = Math.max(0, Math.min(1, (at - startsAt) / (endsAt - startsAt)))
  const { interval } = league.model
  if (!interval) return passed
  const { from, to } = interval
  const playing = 1 - (to - from)
  return (Math.min(passed, from) + Math.max(0, passed - to)) / playing
}

/**
 * Plays on until `at`.
 * @returns whether somebody scored
 */
export function playOn(game: Game, at: number): boolean {
  const { course } = game
  const { model } = game.league
  const scoredBefore = game.homeScore + game.awayScore
  if (course !== null) {
    moveTo(game, momentAt(game, course, at))
    recordBelief(game, at)
    return game.homeScore + game.awayScore > scoredBefore
  }
  const length = (game.endsAt - game.startsAt) / slices
  const due = at >= game.endsAt ? slices : Math.floor((at - game.startsAt) / length)
  while (game.slicesPlayed < due) {
    const from = game.startsAt + game.slicesPlayed * length
    playSlice(game, playedShare(game, from + length) - playedShare(game, from))
    game.slicesPlayed++
  }
  game.remaining = 1 - playedShare(game, game.startsAt + due * length)
  const isLevel = game.homeScore === game.awayScore
  if (due === slices && isLevel && !model.hasDraw && model.play !== 'drift') breakTie(game)
  recordBelief(game, at)
  return game.homeScore + game.awayScore > scoredBefore
}

function momentAt({ startsAt, endsAt }: Game, course: readonly Moment[], at: number): Moment {
  const share = Math.max(0, Math.min(1, (at - startsAt) / (endsAt - startsAt)))
  return course[Math.floor(share * (course.length - 1))]!
}

function moveTo(game: Game, moment: Moment) {
  game.moment = moment
  game.homeScore = moment.homeScore
  game.awayScore = moment.awayScore
  game.remaining = moment.remaining
}

/** The points of a score, drawn from 0 to 1, and on average. */
const scores = {
  goals: { mean: 1, worth: () => 1 },
  touchdowns: { mean: 5.2, worth: (draw: number) => (draw < 0.55 ? 7 : 3) },
  baskets: { mean: 2.1, worth: (draw: number) => (draw < 0.2 ? 1 : draw < 0.7 ? 2 : 3) },
  tries: { mean: 5, worth: (draw: number) => (draw < 0.4 ? 7 : draw < 0.6 ? 5 : 3) },
  kicks: { mean: 3.75, worth: (draw: number) => (draw < 0.55 ? 6 : 1) },
} as const

function playSlice(game: Game, share: number) {
  const { play, marginSd } = game.league.model
  const { random, margin, total } = game.play
  if (share <= 0) return
  if (play === 'drift') {
    game.margin += marginSd * Math.sqrt(share) * random.normal()
    return
  }
  if (isMatchPlay(play)) return
  const { mean, worth } = scores[play]
  const homeMean = Math.max(0.1, (total + margin) / 2) * share
  const awayMean = Math.max(0.1, (total - margin) / 2) * share
  for (let n = random.poisson(homeMean / mean); n > 0; n--) game.homeScore += worth(random.next())
  for (let n = random.poisson(awayMean / mean); n > 0; n--) game.awayScore += worth(random.next())
}

/** Plays the extra time of games that need a winner. */
function breakTie(game: Game) {
  const { random } = game.play
  const { play } = game.league.model
  const points = play === 'touchdowns' ? 3 : play === 'goals' ? 1 : 2
  if (random.chance(0.5)) game.homeScore += points
  else game.awayScore += points
}

/** Returns the winner of a game that is over; null while it is not. */
export function winnerOf(game: Game): 'home' | 'away' | 'draw' | null {
  if (game.stage !== 'final') return null
  const { moment, margin, homeScore, awayScore } = game
  const isScored = game.league.model.play !== 'drift'
  const lead = isScored ? (moment?.lead ?? homeScore - awayScore) : margin
  return lead > 0 ? 'home' : lead < 0 ? 'away' : 'draw'
}
