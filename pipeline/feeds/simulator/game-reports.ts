/** What some sportsbooks tell beside prices: the score of a game in play. */
import type { GameStateRecord } from '../../../schemas/feed-record.ts'
import { playedShare, winnerOf } from './game.ts'
import type { Listing } from './listing.ts'

const scoreBooks: ReadonlySet<string> = new Set(['draftkings', 'fanduel', 'bet365'])

const ordinal = (n: number) => `${n}${['th', 'st', 'nd', 'rd'][n < 4 ? n : 0]}`

/** The score as this sportsbook has the sides; null when it does not tell. */
export function gameStateOf(listing: Listing, at: number): GameStateRecord | null {
  const { game, book, event, isSwapped } = listing
  const { model, sport } = game.league
  if (!scoreBooks.has(book.id) || model.play === 'drift') return null
  const [name, count] = model.periods
  const winner = winnerOf(game)
  const played = Math.min(0.9999, playedShare(game, at))
  const period = Math.floor(played * count)
  const within = played * count - period
  const observedAt = at - book.latencyMs
  return {
    type: 'game_state',
    sportsbook: book.id,
    observedAt,
    event: event.isLive ? event : { ...event, isLive: true },
    state: {
      home_score: isSwapped ? game.awayScore : game.homeScore,
      away_score: isSwapped ? game.homeScore : game.awayScore,
      game_period:
        winner !== null
          ? 'final'
          : sport === 'baseball'
            ? `${within < 0.5 ? 'top' : 'bottom'} of ${ordinal(period + 1)}`
            : `${ordinal(period + 1)} ${name}`,
      game_clock: winner !== null ? null : clockOf(sport, period, within),
    },
  }
}

/** Up in soccer, down elsewhere; baseball has none. */
function clockOf(sport: string, period: number, within: number): string | null {
  if (sport === 'baseball') return null
  if (sport === 'soccer') return minutesText(45 * (period + within))
  return minutesText((1 - within) * (periodMinutes[sport] ?? 40))
}

/** Of one period; both rugby codes have halves of forty. */
const periodMinutes: Readonly<Record<string, number>> = {
  basketball: 12,
  football: 15,
  hockey: 20,
  australian_rules: 20,
}

function minutesText(minutes: number): string {
  const whole = Math.floor(minutes)
  const seconds = Math.floor((minutes - whole) * 60)
  return `${whole}:${String(seconds).padStart(2, '0')}`
}
