/** The scores of games in play: some sportsbooks report them besides prices. */
import type { GameStateRecord } from '../../../schemas/feed-record.ts'
import { countsUp } from '../../rules/games/game-periods.ts'
import { type Game, playedShare, winnerOf } from './game.ts'
import type { Listing } from './listing.ts'
import { noSituation, type Situation } from './match-play.ts'
import { trait } from './random.ts'

/** The sportsbooks that report scores; `laggards` report the previous score. */
const scoreBooks: ReadonlySet<string> = new Set([
  'draftkings',
  'fanduel',
  'bet365',
  'betmgm',
  'betrivers',
])
const laggards: ReadonlySet<string> = new Set(['betmgm', 'betrivers'])
/** The share of reports that are wrong. */
const wrongShare = 0.004

const ordinal = (n: number) => `${n}${['th', 'st', 'nd', 'rd'][n < 4 ? n : 0]}`

type State = GameStateRecord['state']

/** The report on a game at one moment, with the game's own sides. */
export interface Report {
  readonly home: number
  readonly away: number
  readonly period: number
  /** The played share of the period; 0 if it is not reported. */
  readonly within: number
  readonly isFinal: boolean
  readonly situation: Situation
}

/** Returns null for a game whose score is not reported. */
export function reportOn(game: Game, at: number): Report | null {
  const { model } = game.league
  if (model.play === 'drift') return null
  const { homeScore: home, awayScore: away, course, moment } = game
  const isFinal = winnerOf(game) !== null
  if (course !== null) {
    const { period, situation } = moment ?? course[0]!
    return { home, away, period, within: 0, isFinal, situation }
  }
  const { count } = model.periods
  const share = playedShare(game, at)
  const played = Math.min(0.9999, share)
  const period = Math.floor(played * count)
  const within = played * count - period
  return { home, away, period, within, isFinal, situation: situationOf(game, share) }
}

/**
 * Returns the situation. It depends only on the game's number and how much is played, so that all
 * sportsbooks have the same.
 */
function situationOf({ number, league }: Game, share: number): Situation {
  const moment = Math.floor(share * 400)
  const draw = (what: string) => trait(`${number}|${moment}|${what}`, 20)
  const side = draw('side') < 0.5 ? 'home' : 'away'
  /** Returns a count that only grows, with the given mean for a whole game. */
  const counted = (what: string, mean: number) => {
    const of = (which: string) => Math.floor(share * 2 * mean * trait(`${number}|${which}`, 21))
    return [of(`${what} home`), of(`${what} away`)] as const
  }
  switch (league.sport) {
    case 'basketball':
      return {
        plain: { is_timeout: draw('timeout') < 0.05 },
        pairs: { fouls: counted('fouls', 18) },
        sided: { possession: side },
      }
    case 'football':
      return {
        plain: { is_timeout: draw('timeout') < 0.05 },
        pairs: {},
        sided: { possession: side },
      }
    case 'hockey':
      return draw('penalty') < 0.15
        ? { plain: {}, pairs: {}, sided: { power_play: side } }
        : noSituation
    case 'soccer':
      return {
        plain: {},
        pairs: { corners: counted('corners', 5), yellow_cards: counted('yellow cards', 2) },
        sided: {},
      }
    case 'baseball':
      return {
        plain: {
          outs: Math.floor(3 * draw('outs')),
          balls: Math.floor(4 * draw('balls')),
          strikes: Math.floor(3 * draw('strikes')),
          runner_first: draw('first') < 0.3,
          runner_second: draw('second') < 0.2,
          runner_third: draw('third') < 0.1,
        },
        pairs: { hits: counted('hits', 8) },
        sided: {},
      }
    default:
      return noSituation
  }
}

/**
 * Returns the state of the game with this sportsbook's sides, sometimes with a wrong score; null if
 * it reports none.
 * @param before the last report
 */
export function gameStateOf(
  listing: Listing,
  now: Report,
  before: Report | undefined,
  at: number,
): GameStateRecord | null {
  const { game, book, event, isSwapped } = listing
  if (!scoreBooks.has(book.id)) return null
  const report = laggards.has(book.id) && before && !now.isFinal ? before : now
  const { home, away, isFinal, period, within } = report
  const luck = trait(`${book.id}|${game.number}|${at}`, 22)
  // All sportsbooks count sets, maps and frames alike.
  const isWrong = !isFinal && game.course === null && luck < wrongShare
  const shownHome = isWrong ? home + 1 + Math.floor((20 * luck) / wrongShare) : home
  return {
    type: 'game_state',
    sportsbook: book.id,
    observedAt: at - book.latencyMs,
    event: event.isLive ? event : { ...event, isLive: true },
    state: {
      home_score: isSwapped ? away : shownHome,
      away_score: isSwapped ? shownHome : away,
      game_period: isFinal ? 'final' : periodOf(listing, period, within),
      game_clock: isFinal || !hasClock(game) ? null : clockOf(game, period, within),
      ...(!isFinal && situationAsSeen(report.situation, isSwapped)),
    },
  }
}

/** Returns the period in the sportsbook's own spelling. */
function periodOf({ game, book }: Listing, period: number, within: number): string {
  const { sport, model } = game.league
  const { name } = model.periods
  const isTerse = book.id === 'bet365'
  if (sport === 'baseball') {
    const half = within < 0.5 ? 'top' : 'bottom'
    return isTerse ? `${half.toUpperCase()}_${period + 1}` : `${half} of ${ordinal(period + 1)}`
  }
  return isTerse ? `${name.toUpperCase()}_${period + 1}` : `${ordinal(period + 1)} ${name}`
}

function situationAsSeen({ plain, pairs, sided }: Situation, isSwapped: boolean): State {
  const state: Record<string, State[string]> = { ...plain }
  for (const [name, pair] of Object.entries(pairs)) {
    const [home, away] = isSwapped ? [pair[1], pair[0]] : pair
    state[`${name}_home`] = home
    state[`${name}_away`] = away
  }
  for (const [name, side] of Object.entries(sided)) {
    state[name] = (side === 'home') === isSwapped ? 'away' : 'home'
  }
  return state
}

const hasClock = ({ league, course }: Game) => league.sport !== 'baseball' && course === null

/** Returns the clock, up or down as in the sport. */
function clockOf({ league }: Game, period: number, within: number): string {
  const { id, sport } = league
  const minutes = periodMinutes[id] ?? periodMinutes[sport] ?? 40
  return minutesText(countsUp(sport) ? minutes * (period + within) : minutes * (1 - within))
}

/** The minutes of one period, by sport or league; both rugby codes have halves of forty. */
const periodMinutes: Readonly<Record<string, number>> = {
  soccer: 45,
  basketball: 12,
  ncaab: 20,
  football: 15,
  hockey: 20,
  australian_rules: 20,
}

function minutesText(minutes: number): string {
  const whole = Math.floor(minutes)
  const seconds = Math.floor((minutes - whole) * 60)
  return `${whole}:${String(seconds).padStart(2, '0')}`
}
