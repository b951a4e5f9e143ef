/**
 * A made-up slate of games with everything that can happen to closes: delays with and without a new start,
 * starts moved to and fro, postponed, cancelled and resumed games, sportsbooks that come late, leave,
 * suspend, fall silent, go into play early or by mistake, or reverse the sides, late deliveries and clock
 * steps.
 */

import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import type {
  EventStatus,
  EventStatusRecord,
  FeedMarket,
  OddsRecord,
  TickRecord,
} from '../../schemas/feed-record.ts'
import { selection } from './moneylines.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const beginning = Date.parse('2026-05-02T12:00:00Z')
const books = ['steady', 'second', 'third', 'turned', 'fifth']

type Said = OddsRecord | EventStatusRecord

export interface Delivered {
  readonly arrivesAt: number
  readonly game: number
  readonly record: Said | TickRecord
}

/** The course of a game. */
const fates = [
  'plain',
  'plain',
  'plain',
  'delayed',
  'moved later',
  'moved later too late',
  'moved earlier',
  'moved into the past',
  'postponed',
  'postponed too late',
  'postponed and given a start',
  'postponed and begun',
  'cancelled',
  'broken off and resumed',
] as const

/** The behavior of a sportsbook on a game. */
const ways = [
  'steady',
  'steady',
  'early into play',
  'into play by mistake',
  'leaves',
  'leaves and returns',
  'suspends',
  'lists without prices',
  'comes late',
  'falls silent',
  'never in play',
  'of another start',
] as const

/** Returns the records of the slate in order of arrival. Each game has its own league. */
export function makeSlate(seed: number, gameCount: number): Delivered[] {
  const random = createRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[random.below(of.length)] as T
  const delivered: Delivered[] = []
  const clockEnd = beginning + 12 * hour

  for (let game = 0; game < gameCount; game++) {
    const fate = pick(fates)
    const start = beginning + hour + random.below(90) * minute
    const later = start + (30 + random.below(120)) * minute
    /** Time at which the new start or the postponement is reported. */
    const saidAt =
      fate === 'moved later too late' || fate === 'postponed too late'
        ? start + (1 + random.below(15)) * minute
        : start - (1 + random.below(25)) * minute
    const newStart =
      fate === 'moved earlier'
        ? saidAt + random.below(10) * minute
        : fate === 'moved into the past'
          ? saidAt - (1 + random.below(10)) * minute
          : later
    const moves = fate.startsWith('moved')
    const startSaid = (at: number) => {
      if (fate === 'postponed and given a start' && at > saidAt + 10 * minute) return later
      if (fate === 'broken off and resumed' && at > start + 40 * minute) return later + 5 * hour
      return moves && at >= saidAt ? newStart : start
    }
    const begins =
      fate === 'delayed' || fate === 'postponed and begun'
        ? start + (10 + random.below(30)) * minute
        : fate === 'postponed and given a start'
          ? later
          : moves
            ? newStart
            : start
    const ends = fate.startsWith('postponed') && !fate.includes(' and ') ? saidAt : Infinity
    const over = fate === 'cancelled' ? saidAt : ends

    for (const book of books) {
      const way = pick(ways)
      const isReversed = book === 'turned'
      const own = way === 'of another start' ? 5 * minute : 0
      const goesLiveAt =
        way === 'never in play'
          ? Number.POSITIVE_INFINITY
          : begins + (way === 'early into play' ? -3 * minute : random.below(120) * second)
      let line = 200.5 + random.below(10)
      let home = 1.5 + random.below(100) / 100
      const eventOf = (at: number, isLive: boolean) => ({
        externalId: null,
        sport: 'basketball',
        league: `slate ${game}`,
        homeTeam: isReversed ? 'Southbury' : 'Northville',
        awayTeam: isReversed ? 'Northville' : 'Southbury',
        startsAt: startSaid(at) + own,
        isLive,
      })
      const externalId = `${book} ${game}`
      const deliver = (record: Said) => {
        const lateMs = random.chance(0.03) ? random.below(100) * second : random.below(2_000)
        delivered.push({ arrivesAt: record.observedAt + lateMs, game, record })
      }
      const isResumed = (at: number) =>
        fate === 'broken off and resumed' && at > start + 40 * minute
      const first =
        way === 'comes late'
          ? start - 5 * minute + random.below(15) * minute
          : beginning + random.below(30) * minute
      const last = fate === 'plain' ? begins + 10 * minute : start + 100 * minute
      for (let at = first; at < Math.min(last, over + 12 * minute); ) {
        if (random.chance(0.3)) home = Math.round((home + random.below(21) / 100 - 0.1) * 100) / 100
        if (random.chance(0.15)) line += random.below(3) - 1
        home = Math.max(1.05, home)
        const away = Math.round((1 / (1.04 - 1 / Math.max(home, 1.2))) * 1_000) / 1_000
        const isMistaken =
          way === 'into play by mistake' && at > start - 40 * minute && at < start - 35 * minute
        const isLive = (at >= goesLiveAt && !isResumed(at)) || isMistaken
        const isAway =
          (way === 'leaves' && at > start - 10 * minute) ||
          (way === 'leaves and returns' && at > start - 20 * minute && at < start - 8 * minute)
        const isSuspended = way === 'suspends' && at > start - 6 * minute && !isLive
        const isUnpriced = way === 'lists without prices' && random.chance(0.8)
        const isSilent = way === 'falls silent' && at > start - 25 * minute
        if (!isSilent && !(fate === 'cancelled' && at > saidAt)) {
          const sides: readonly [number, number] = isReversed ? [away, home] : [home, away]
          const markets = isAway
            ? []
            : [
                marketOf('moneyline', null, { home: sides[0], away: sides[1] }, isSuspended),
                marketOf(
                  'total_points',
                  line,
                  { over: 1.9, under: isUnpriced ? null : 1.95 },
                  false,
                ),
              ]
          deliver({
            type: 'odds',
            sportsbook: book,
            mode: random.chance(0.2) && markets.length > 0 ? 'delta' : 'snapshot',
            observedAt: at,
            event: { ...eventOf(at, isLive), externalId },
            markets,
          })
        }
        const isNear = Math.abs(at - start) < 12 * minute
        at += (isNear ? 20 + random.below(100) : 120 + random.below(500)) * second
      }
      const status: EventStatus | null = fate.startsWith('postponed')
        ? 'postponed'
        : fate === 'cancelled'
          ? 'cancelled'
          : null
      if (status) {
        const observedAt = saidAt + random.below(60) * second
        const event = { ...eventOf(observedAt, false), externalId }
        deliver({ type: 'event_status', sportsbook: book, observedAt, event, status })
      }
    }
  }

  for (let at = beginning; at < clockEnd; at += minute) {
    // The clock briefly runs ahead or falls back.
    const stepMs = random.chance(0.01) ? hour : random.chance(0.02) ? -20 * minute : 0
    delivered.push({ arrivesAt: at, game: -1, record: { type: 'tick', observedAt: at + stepMs } })
  }
  return delivered.sort((a, b) => a.arrivesAt - b.arrivesAt)
}

function marketOf(
  marketType: string,
  line: number | null,
  prices: Readonly<Record<string, number | null>>,
  suspended: boolean,
): FeedMarket {
  const selections = Object.entries(prices).map(([type, price]) => ({
    ...selection(type, 2),
    price,
    suspended: price === null,
  }))
  const none = { playerName: null, statCategory: null, externalId: null, maxBet: null }
  return { marketType, line, suspended, selections, ...none }
}
