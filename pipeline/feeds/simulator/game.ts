/**
 * One simulated game: who is truly better and by how much, how that belief wanders before the game
 * and how play decides it. Sportsbooks see it late: the last beliefs are kept, each with its
 * instant, so that a book that runs 20 s behind the anchor prices what was true 20 s ago.
 */
import type { SimulatedLeague } from './catalogue.ts'
import { inventPlayers, type Participant } from './participants.ts'
import { type Random, trait } from './random.ts'
import { type PropModel, propModels } from './sport-models.ts'

export interface PlayerProp {
  readonly player: string
  readonly marketType: string
  readonly statCategory: string
  readonly mean: number
  readonly sd: number
  /** How much of the game's form goes to this player, signed. */
  readonly sensitivity: number
}

export interface Game {
  /** The truth that matching has to find: unique, also among games of earlier runs. */
  readonly number: number
  readonly league: SimulatedLeague
  readonly home: Participant
  readonly away: Participant
  readonly startsAt: number
  readonly endsAt: number
  readonly props: readonly PlayerProp[]
  stage: 'upcoming' | 'live' | 'final'
  /** Expected over the whole game, home minus away. */
  margin: number
  total: number
  form: number
  /** Share of the game that is still to be played. */
  remaining: number
  homeScore: number
  awayScore: number
  playedUntil: number
  movedAt: number
  /** Beliefs recorded so far; the newest is `version - 1`. */
  version: number
  readonly beliefs: Float64Array
}

/** Members of one belief in `Game.beliefs`, by offset. */
export const beliefAt = 0
export const beliefMargin = 1
export const beliefTotal = 2
export const beliefForm = 3
export const beliefRemaining = 4
export const beliefScored = 5
const beliefSize = 6
const beliefsKept = 32

export interface GameIn {
  readonly number: number
  readonly league: SimulatedLeague
  readonly home: Participant
  readonly away: Participant
  readonly startsAt: number
}

const playersListed = 3

export function createGame(given: GameIn, at: number, random: Random): Game {
  const { league, startsAt } = given
  const { model } = league
  const game: Game = {
    ...given,
    endsAt: Math.round(startsAt + model.durationMs * random.between(0.92, 1.12)),
    props: league.hasProps ? createProps(given, random) : [],
    stage: 'upcoming',
    margin: model.homeAdvantage + model.strengthSd * random.normal(),
    total: model.total * (1 + 0.05 * random.normal()),
    form: 0,
    remaining: 1,
    homeScore: 0,
    awayScore: 0,
    playedUntil: startsAt,
    movedAt: at,
    version: 0,
    beliefs: new Float64Array(beliefSize * beliefsKept),
  }
  recordBelief(game, at)
  return game
}

function createProps({ league, home, away }: GameIn, random: Random): PlayerProp[] {
  const models = propModels[league.sport] ?? []
  return [home, away].flatMap((side) =>
    inventPlayers(league.id, side.key, playersListed).flatMap((player, i) =>
      // Two statistics a player, in turn, so that a team shows all of them.
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
    marketType: model.marketType,
    statCategory: model.statCategory,
    mean,
    sd: model.spread === null ? Math.sqrt(1.2 * mean) : model.spread * mean,
    sensitivity: random.between(-1, 1),
  }
}

/** Records the belief of now; the oldest one is overwritten. */
export function recordBelief(game: Game, at: number) {
  const { beliefs } = game
  const offset = (game.version % beliefsKept) * beliefSize
  const played = 1 - game.remaining
  const score = game.homeScore - game.awayScore
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

/** The newest belief that was held at `at`, as a version; the oldest kept one for earlier instants. */
export function versionAt(game: Game, at: number): number {
  const oldest = Math.max(0, game.version - beliefsKept)
  let version = game.version - 1
  while (version > oldest && game.beliefs[offsetOf(version) + beliefAt]! > at) version--
  return version
}

export function offsetOf(version: number): number {
  return (version % beliefsKept) * beliefSize
}

/** News before the game: one of margin, total and players' form takes a step. */
export function wander(game: Game, at: number, random: Random) {
  const { model } = game.league
  // A day of news moves the line by about a fifth of what play itself will.
  const hours = Math.min(6, (at - game.movedAt) / 3_600_000)
  const size = 0.05 * Math.sqrt(hours) + 0.008
  const which = random.next()
  if (which < 0.45) game.margin += model.marginSd * size * random.normal()
  else if (which < 0.85) game.total += model.totalSd * size * random.normal()
  else game.form += 12 * size * random.normal()
  game.total = Math.max(model.total * 0.75, Math.min(model.total * 1.25, game.total))
  recordBelief(game, at)
}

/**
 * Plays on until `at`.
 * @returns whether somebody scored
 */
export function playOn(game: Game, at: number, random: Random): boolean {
  const { model } = game.league
  const until = Math.min(at, game.endsAt)
  const share = Math.max(0, until - game.playedUntil) / (game.endsAt - game.startsAt)
  game.playedUntil = until
  game.remaining = Math.max(0, (game.endsAt - until) / (game.endsAt - game.startsAt))
  const scoredBefore = game.homeScore + game.awayScore
  const homeMean = Math.max(0.1, (game.total + game.margin) / 2) * share
  const awayMean = Math.max(0.1, (game.total - game.margin) / 2) * share
  if (model.play === 'drift') {
    game.margin += model.marginSd * Math.sqrt(share) * random.normal()
  } else if (model.play === 'points') {
    const sd = model.totalSd * Math.sqrt(share / 2)
    game.homeScore += Math.max(0, Math.round(homeMean + sd * random.normal()))
    game.awayScore += Math.max(0, Math.round(awayMean + sd * random.normal()))
  } else {
    const isTouchdowns = model.play === 'touchdowns'
    const unit = isTouchdowns ? 5.2 : 1
    const worth = () => (!isTouchdowns ? 1 : random.chance(0.55) ? 7 : 3)
    for (let n = random.poisson(homeMean / unit); n > 0; n--) game.homeScore += worth()
    for (let n = random.poisson(awayMean / unit); n > 0; n--) game.awayScore += worth()
  }
  recordBelief(game, at)
  return game.homeScore + game.awayScore > scoredBefore
}
