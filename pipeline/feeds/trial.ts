/** A look at a live source before its settings are used: runs the feed once without the log, and counts its records. */

import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Credits, Feed, FeedSink } from './feed.ts'
import { adviceOn, type Health, startingHealth } from './kit/source-health.ts'

/** The result of a trial. */
export interface Trial {
  readonly health: Health
  readonly credits: Credits | null
  /** Whether the first round has ended; false for a stream, which has none, and for a round that took too long. */
  readonly isWholeRound: boolean
  readonly sportsbooks: readonly string[]
  /** The number of events by league, as the source names leagues. */
  readonly leagues: Readonly<Record<string, number>>
  readonly events: number
  readonly prices: number
  /** Things that were left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** The first events that came, for a person to compare with the source's own page. */
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

/** Returns what to do about what came, or did not; null where nothing is wrong. */
export function adviceOnTrial({ health, events }: Pick<Trial, 'health' | 'events'>): string | null {
  const { state, reason } = health
  if (reason === 'http_403' || reason === 'http_451') {
    return 'It refuses this machine, often because of its country or data centre, or the key: use a proxy that it accepts as baseUrl, or correct the key.'
  }
  if (reason === 'http_429') return adviceOn({ state: 'down', reason })
  if (state === 'needs_key') return 'The key or login is refused: correct it and test again.'
  if (state === 'out_of_credits') return adviceOn(health)
  if (events > 0) return null
  if (reason === null) {
    return 'It answers, and offers no games there now: check the names or ids of leagues on its own page.'
  }
  if (reason === 'network' || reason === 'timeout') {
    return 'It cannot be reached from this process: check the network, the proxy, and the address in the settings.'
  }
  if (reason === 'http_404') return 'It knows no such address: check the ids in the settings.'
  return 'It does not answer as expected now: test again in some minutes, and look at the log of this process.'
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
  const skipped: Record<string, number> = {}
  let health = startingHealth(now())
  let credits: Credits | null = null

  const sink: FeedSink = {
    async publish(records) {
      for (const record of records) {
        if (record.type !== 'odds') continue
        const { markets, event } = record
        const { league, homeTeam, awayTeam, startsAt } = event
        const sportsbook = idOfSportsbook(record.sportsbook)
        sportsbooks.add(sportsbook)
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
  const leagues: Record<string, number> = {}
  for (const { league } of tried) leagues[league] = (leagues[league] ?? 0) + 1
  return {
    ...{ health, credits, skipped, leagues },
    isWholeRound: roundEnded.signal.aborted,
    sportsbooks: [...sportsbooks].sort(),
    events: tried.length,
    prices: tried.reduce((sum, { prices }) => sum + prices, 0),
    examples: tried.slice(0, mostExamples),
  }
}
