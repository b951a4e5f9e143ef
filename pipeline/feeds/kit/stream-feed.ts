/**
 * The loop of a streamed feed: connects, lets the client publish messages, and reconnects when the
 * connection has ended. `source-health.ts` sets the wait before. The client interprets the
 * messages.
 */

import type { FeedRecord } from '../../../schemas/feed-record.ts'
import { sleep as sleepUnlessAborted } from '../../async/abort-signals.ts'
import type { Feed, Skip } from '../feed.ts'
import { FetchError } from './http-source.ts'
import { createSelfReport } from './self-report.ts'
import type { Outcome } from './source-health.ts'

/** The sink of a client. */
export interface StreamSink {
  publish(records: readonly FeedRecord[]): Promise<void>
  skipped(skips: readonly Skip[]): void
  /** Notes that a message has come: the source is up. @param observedAt epoch ms */
  heard(observedAt: number): Promise<void>
}

/** Thrown when the stream ended, or sent something outside its protocol. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** snake_case. */
  readonly reason: string

  constructor(reason: string, detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail}`, options)
    this.reason = reason
  }
}

type Failed = Outcome & { readonly kind: 'failed' } & { readonly countedAs: string }

/** Returns the meaning of a connection's end by the error's own reason. */
export function failureOfStream(error: unknown): Failed {
  const isFetch = error instanceof FetchError
  const reason = isFetch || error instanceof StreamError ? error.reason : 'network'
  const countedAs = `${isFetch ? 'fetch' : 'stream'}_${reason}`
  return { kind: 'failed', reason, notBefore: isFetch ? error.notBefore : null, countedAs }
}

export interface StreamFeedOptions {
  readonly name: string
  readonly sportsbook: string
  /** Other sportsbooks that are down when the source is down. Default: none. */
  readonly alsoGives?: readonly string[]
  /**
   * Opens a run; each call of the result is one connection, which rejects when it has ended. It
   * resolves if the client wants another one: that is no failure, and the next begins at once.
   * @param signal aborts when the run ends, also when the sink has failed
   */
  readonly open: (sink: StreamSink, signal: AbortSignal) => () => Promise<void>
  /** The meaning of a connection's end, and the reason that it is counted under. */
  readonly failureOf: (error: unknown) => Failed
  /**
   * The wait before a reconnect is a random share of that of `source-health.ts`, up to `backoffMaxMs`. Default 500
   * ms, 30 s.
   */
  readonly backoffMs?: number | undefined
  readonly backoffMaxMs?: number | undefined
  /** Failed connections in a row before the source counts as down. Default 3. */
  readonly downAfterAttempts?: number | undefined
  readonly onFailure?: ((error: unknown) => void) | undefined
  readonly now?: (() => number) | undefined
  /** For tests: chance and waiting. */
  readonly random?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

/** An error of the sink: the source is not at fault. */
class SinkError extends Error {}

/** Runs until `signal` aborts; rejects only when the sink does. */
export function createStreamFeed(options: StreamFeedOptions): Feed {
  const { name, sportsbook, alsoGives = [], backoffMs = 500, backoffMaxMs = 30_000 } = options
  const { onFailure, now = Date.now, random = Math.random, downAfterAttempts = 3 } = options
  const { sleep = sleepUnlessAborted } = options

  return {
    name,
    async run(sink, signal) {
      async function publish(records: readonly FeedRecord[]) {
        await sink.publish(records).catch((cause: unknown) => {
          throw new SinkError('publish', { cause })
        })
      }
      const self = createSelfReport({
        sportsbooks: [sportsbook, ...alsoGives],
        policy: { downAfter: downAfterAttempts, retryMs: backoffMs },
        now,
        publish,
        report: sink.report?.bind(sink),
      })
      const skipped = (skips: readonly Skip[]) => {
        if (skips.length > 0) sink.skipped(sportsbook, skips)
      }
      const ending = new AbortController()
      const runSignal = AbortSignal.any([signal, ending.signal])
      const listen = options.open({ publish, skipped, heard: self.streamed }, runSignal)

      async function fail(error: unknown) {
        if (error instanceof SinkError) throw error
        onFailure?.(error)
        const { countedAs, ...failed } = options.failureOf(error)
        skipped([{ reason: countedAs, detail: messageOf(error) }])
        await self.hear(failed)
      }

      try {
        while (!signal.aborted) {
          await listen().catch((error: unknown) => (signal.aborted ? undefined : fail(error)))
          if (signal.aborted) return
          const { state, reason, nextTryAt } = self.health()
          const askedMs = Math.max(0, (nextTryAt ?? 0) - now())
          // Unless the wait is prescribed, it is random: all clients that a source lost must not
          // return at once.
          const isNamed = state === 'needs_key' || reason === 'http_429'
          const waitMs = isNamed ? askedMs : random() * Math.min(backoffMaxMs, askedMs)
          await sleep(waitMs, signal).catch(() => {})
        }
      } catch (error) {
        throw error instanceof SinkError ? error.cause : error
      } finally {
        ending.abort()
      }
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
