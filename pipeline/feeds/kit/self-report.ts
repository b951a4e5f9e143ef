/**
 * The health of a source during one run. Each change goes to the sink, and to the board as `book_status` of its
 * sportsbooks. Polled and streamed sources are judged by one machine, `source-health.ts`.
 */

import type { FeedRecord } from '../../../schemas/feed-record.ts'
import { isServing } from '../../../schemas/source.ts'
import type { Credits, FeedSink } from '../feed.ts'
import {
  type Health,
  type HealthPolicy,
  heldUntilAfter,
  nextHealth,
  type Outcome,
  startingHealth,
} from './source-health.ts'

export type SelfReport = ReturnType<typeof createSelfReport>

export function createSelfReport(options: {
  readonly sportsbooks: readonly string[]
  readonly policy: HealthPolicy
  readonly now: () => number
  readonly report: FeedSink['report']
  readonly publish: (records: readonly FeedRecord[]) => Promise<void>
  /** For a metered source: its allowance, and the state that the next process continues from. */
  readonly credits?: () => Credits | null
  readonly cursor?: () => string | null
}) {
  const { policy, now, publish } = options
  const known = new Set(options.sportsbooks)
  let health: Health = startingHealth(now())
  let heldUntil = 0
  // Unknown at the start: an earlier process may have published "down".
  let lastStatus: 'up' | 'down' | 'unknown' = 'unknown'

  async function publishStatus(status: 'up' | 'down', observedAt: number) {
    if (lastStatus === status) return
    lastStatus = status
    const records = [...known].map(
      (sportsbook) => ({ type: 'book_status', sportsbook, observedAt, status }) as const,
    )
    if (records.length > 0) await publish(records)
  }

  const report = () =>
    options.report?.(health, options.credits?.() ?? null, options.cursor?.() ?? null)
  function turn(outcome: Outcome) {
    heldUntil = heldUntilAfter(health, outcome, now(), policy)
    health = nextHealth(health, outcome, now(), policy)
    report()
  }

  return {
    report,
    health: () => health,
    /** Returns the time before which no call is allowed (epoch ms), even if one is planned. */
    heldUntil: () => heldUntil,
    names: (sportsbook: string) => void known.add(sportsbook),
    /** Notes that a call is tried again, and its response will be late. */
    retries: (reason: string, nextAt: number) => turn({ kind: 'retrying', reason, nextAt }),
    /**
     * Handles the end of a round, or of a connection. The first failures do not make its sportsbooks `down`, because
     * it may be back in a moment.
     */
    async hear(outcome: Outcome) {
      turn(outcome)
      if (!isServing(health.state)) await publishStatus('down', now())
    },
    /** Handles a response, whatever the outcome of the round: a source that was down is back. */
    async answered(observedAt: number) {
      if (!isServing(health.state) || health.reason === 'starting') {
        turn({ kind: 'answered', nextAt: null })
      }
      await publishStatus('up', observedAt)
    },
    /** Handles a message of a stream: the source is up, because a stream has no other parts. */
    async streamed(observedAt: number) {
      if (health.state !== 'up') turn({ kind: 'answered', nextAt: null })
      await publishStatus('up', observedAt)
    },
  }
}
