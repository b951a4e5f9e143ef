/**
 * Tests a live source before its settings are used: runs the feed once without the log, and counts
 * its records.
 */

import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Credits, Feed, FeedSink } from './feed.ts'
import { adviceByReason, endsRound, type Health, startingHealth } from './kit/source-health.ts'

/** The result of a trial. */
export interface Trial {
  readonly health: Health
  readonly credits: Credits | null
  /**
   * Whether the first round has ended; false for a stream (which has no rounds), and for a round
   * that took too long.
   */
  readonly isWholeRound: boolean
  readonly sportsbooks: readonly string[]
  /** The number of events by league, as the source names leagues. */
  readonly leagues: Readonly<Record<string, number>>
  /** Games and futures markets, each counted once per sportsbook. */
  readonly events: number
  readonly prices: number
  /** How many parts were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** The first events, for a person to compare with the source's own page. */
  readonly examples: readonly TriedEvent[]
}

interface TriedEvent {
  readonly sportsbook: string
  readonly league: string
  readonly awayTeam: string
  readonly homeTeam: string
  /** Epoch ms. */
  readonly startsAt: number
  readonly prices: number
}

const mostExamples = 5

/** Returns advice about the result; null if nothing is wrong. */
export function adviceOnTrial({ health, events }: Pick<Trial, 'health' | 'events'>): string | null {
  const { reason } = health
  const isRefused = reason !== null && (endsRound(reason) || reason === 'http_451')
  if (reason !== null && (isRefused || events === 0)) return adviceByReason(reason)
  if (events > 0) return null
  return 'It answers, and offers no games there now: check the names or ids of leagues on its own page.'
}

/**
 * Runs a feed until its first round has ended. A stream has no rounds: it runs until `signal` aborts.
 * @param signal ends the trial early
 * @param now epoch ms
 */
export async function tryFeed(feed: Feed, signal: AbortSignal, now: () => number): Promise<Trial> {
  const roundEnded = new AbortController()
  const sportsbooks = new Set<string>()
  const events = new Map<string, TriedEvent>()
  const seasons = new Map<string, Pick<TriedEvent, 'league' | 'prices'>>()
  const skipped: Record<string, number> = {}
  let health = startingHealth(now())
  let credits: Credits | null = null

  const sink: FeedSink = {
    async publish(records) {
      for (const record of records) {
        if (record.type !== 'odds' && record.type !== 'futures') continue
        const sportsbook = idOfSportsbook(record.sportsbook)
        sportsbooks.add(sportsbook)
        if (record.type === 'futures') {
          const { externalId, league, name, subject } = record.future
          const key = JSON.stringify([sportsbook, externalId, league, name, subject])
          const before = record.mode === 'delta' ? (seasons.get(key)?.prices ?? 0) : 0
          seasons.set(key, { league, prices: before + record.prices.length })
          continue
        }
        const { markets, event } = record
        const { league, homeTeam, awayTeam, startsAt } = event
        const key = JSON.stringify([sportsbook, event.externalId, homeTeam, awayTeam, startsAt])
        const prices = markets.reduce((sum, { selections }) => sum + selections.length, 0)
        const before = record.mode === 'delta' ? (events.get(key)?.prices ?? 0) : 0
        events.set(key, {
          ...{ sportsbook, league, homeTeam, awayTeam, startsAt, prices: before + prices },
        })
      }
    },
    skipped(_sportsbook, skips) {
      for (const { reason } of skips) skipped[reason] = (skipped[reason] ?? 0) + 1
    },
    report(next, left) {
      health = next
      credits = left
      if (health.reason !== 'starting' && health.nextTryAt !== null) roundEnded.abort()
    },
  }
  await feed.run(sink, AbortSignal.any([signal, roundEnded.signal]))

  const tried = [...events.values()]
  const all = [...tried, ...seasons.values()]
  const leagues: Record<string, number> = {}
  for (const { league } of all) leagues[league] = (leagues[league] ?? 0) + 1
  return {
    ...{ health, credits, skipped, leagues },
    isWholeRound: roundEnded.signal.aborted,
    sportsbooks: [...sportsbooks].sort(),
    events: all.length,
    prices: all.reduce((sum, { prices }) => sum + prices, 0),
    examples: tried.slice(0, mostExamples),
  }
}
