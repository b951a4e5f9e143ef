/** A source on the loopback interface whose responses a test sets, and a sink that keeps its records. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Feed, FeedSink, Skip } from '../../../pipeline/feeds/feed.ts'
import type { Health } from '../../../pipeline/feeds/kit/source-health.ts'
import type { FeedRecord, TickRecord } from '../../../schemas/feed-record.ts'

export type Answering = (path: string, response: ServerResponse, request: IncomingMessage) => void

export const answerJson =
  (body: unknown): Answering =>
  (_path, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

/** Responses by the path before the query. */
export type Answers = Readonly<Record<string, (query: URLSearchParams) => unknown>>

export const answering =
  (answers: Answers): Answering =>
  (path, response, request) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const answer = answers[pathname]
    if (answer) answerJson(answer(searchParams))(path, response, request)
    else response.writeHead(404).end()
  }

export async function openSource(answer: Answering) {
  let answering = answer
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    answering(path, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns paths with their queries, in order of first request, without repeats: a slow one is requested again. */
    requests: () => [...new Set(requests)],
    answerWith(next: Answering) {
      answering = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs a feed until a test has seen enough. */
export function runFeed(feed: Feed) {
  const records: (FeedRecord | TickRecord)[] = []
  const skips: Skip[] = []
  const healths: Health[] = []
  const sink: FeedSink = {
    async publish(published) {
      records.push(...published)
    },
    skipped(_sportsbook, skipped) {
      skips.push(...skipped)
    },
    report: (health) => void healths.push(health),
  }
  const stopping = new AbortController()
  const running = feed.run(sink, stopping.signal)
  return {
    records,
    skips,
    healths,
    statuses: () =>
      records.flatMap((record) => (record.type === 'book_status' ? [record.status] : [])),
    odds: () => records.filter((record) => record.type === 'odds'),
    async until(condition: () => boolean) {
      while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Creates a clock that skips sleeps, so that a wait of a quarter of an hour takes no time. */
export function leapingClock() {
  let leaptMs = 0
  return {
    now: () => Date.now() + leaptMs,
    async sleep(ms: number, signal: AbortSignal) {
      leaptMs += ms
      await new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 2)))
      signal.throwIfAborted()
    },
  }
}

/** Pauses short enough for a test, in the proportions of real use. */
export const hasty = {
  intervalMs: 5,
  downAfterRounds: 1,
  http: { timeoutMs: 30_000, retries: 1, backoffMs: 1, ...leapingClock() },
}
