/** What some sportsbooks tell beside prices: the score of a game in play, and where bets go. */
import type { GameStateRecord, SplitsRecord } from '../../../schemas/feed-record.ts'
import { playedShare, winnerOf } from './game.ts'
import type { Listing } from './listing.ts'
import type { Random } from './random.ts'

const scoreBooks: ReadonlySet<string> = new Set(['draftkings', 'fanduel', 'bet365'])
const splitBooks: ReadonlySet<string> = new Set(['draftkings', 'betrivers', 'circa'])

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

/** Shares of tickets and money on the main markets; null when the sportsbook publishes none. */
export function splitsOf(listing: Listing, at: number, random: Random): SplitsRecord | null {
  const { book, event, families } = listing
  if (!splitBooks.has(book.id)) return null
  const main = (kind: string) => {
    const family = families.find((other) => other.kind === kind && other.share === 1)
    return family && !family.isWithdrawn ? family : undefined
  }
  const price = (kind: string, side: number) => {
    const family = main(kind)
    const step = family?.steps[((family.rungs - 1) >> 1) * family.sides.length + side]
    return step === undefined ? null : book.grid.prices[step]!
  }
  const shares = () => {
    const bets = Math.round(random.between(0.25, 0.75) * 100) / 100
    const handle =
      Math.round(Math.max(0.05, Math.min(0.95, bets + 0.1 * random.normal())) * 100) / 100
    return { bets: pair(bets), handle: pair(handle) }
  }
  const pair = (first: number) => [first, Math.round((1 - first) * 100) / 100] as const
  const spread = main('spread')
  const total = main('total')
  return {
    type: 'splits',
    sportsbook: book.id,
    observedAt: at - book.latencyMs,
    event,
    moneyline: main('two_way')
      ? { ...shares(), awayPrice: price('two_way', 1), homePrice: price('two_way', 0) }
      : null,
    spread: spread ? { ...shares(), awayLine: 0 - spread.center, homeLine: spread.center } : null,
    total: total ? { ...shares(), line: total.center } : null,
  }
}
