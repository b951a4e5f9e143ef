/**
 * The API over a simulated market on the test's clock: every step is decided by the board processor
 * and applied to the boards at once, so a client's view at any time is exact.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import { openApp } from '../../api/app.ts'
import { createBoards } from '../../api/boards.ts'
import { createSimulation } from '../../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../../pipeline/log/embedded/embedded-log.ts'
import type { Append, LogRecord, Position } from '../../pipeline/log/log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import { type Fees, noFees } from '../../pipeline/rules/odds/fees.ts'
import { sharpChain } from '../../pipeline/rules/odds/sharp-books.ts'
import type { FeedRecord, TickRecord } from '../../schemas/feed-record.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { topics } from '../../schemas/topics.ts'
import { testSettings } from './service-in-process.ts'

export const startAt = Date.parse('2026-05-02T18:00:00Z')

export interface SimulatedMarket {
  readonly seed: number
  readonly events: number
  readonly changesPerSecond: number
  readonly books: readonly string[]
  readonly leagues?: readonly string[]
}

/** A response, parsed. */
export interface Reply {
  readonly status: number
  readonly etag: string
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

export type SimulatedService = Awaited<ReturnType<typeof startSimulated>>

/** The reference of +EV: the chosen sportsbook, and those that stand in for it. */
export interface SharpChoice {
  readonly sharpBook: string
  readonly chain: readonly string[]
}

const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') ?? false

/** @param market null for no simulation; records then come through `say` */
export async function startSimulated(
  market: SimulatedMarket | null,
  { sharpBook, chain }: SharpChoice = { sharpBook: 'pinnacle', chain: sharpChain('pinnacle') },
  fees: Fees = noFees,
) {
  const path = await mkdtemp(join(tmpdir(), 'overround-simulated-'))
  const log = await openEmbeddedLog({ path })
  let now = startAt
  const clock = () => now
  // The same secret makes links of two services comparable.
  const links = createSignedLinks('of a test')
  const app = openApp({
    log,
    clock,
    logger: createLogger(testSettings, 'test'),
    settings: { ...testSettings, sharpBook, fees, alertTargets: 'any' },
    workTimer: () => 0,
    monotonic: () => 0,
    // These boards get their records from `say`.
    boards: { ...createBoards(log, clock, fees, links), follow: () => Promise.resolve() },
  })
  const { boards, accounts, routes } = app
  const base = `http://127.0.0.1:${await app.listen()}/api/v1`
  const simulation = market && createSimulation({ ...market, startAt })
  const state = serviceProcessor(chain, { fees }).create()
  let offset = 0

  const logRecord = ({ topic, key, value }: Append): LogRecord => ({
    topic,
    partition: 0,
    offset: offset++,
    key,
    value,
  })

  /** Passes records observed now through the board processor to both boards. */
  function say(records: readonly FeedRecord[]) {
    const tick: TickRecord = { type: 'tick', observedAt: now }
    const inputs = [
      ...records.map((record) => logRecord(toAppend(record))),
      { topic: topics.feedOdds, partition: 0, offset: offset++, key: 'tick', value: tick },
    ] as LogRecord[]
    const changes = state.decide(inputs).map(logRecord)
    // Each table counts the records of all.
    const offsets = Object.fromEntries(Object.values(topics).map(({ name }) => [name, [offset]]))
    const position: Position = { epoch: 'simulated', offsets }
    boards.take({ reset: false, records: changes, position, caughtUp: true })
    boards.advance()
  }

  async function request(
    method: string,
    path: string,
    key: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<Reply> {
    const response = await fetch(base + path, {
      method,
      // Closing would wait a second for each kept connection.
      headers: { Connection: 'close', ...(key !== '' && { 'X-API-Key': key }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      text,
      body: isJson(response) && text !== '' ? JSON.parse(text) : undefined,
    }
  }

  say(simulation?.step(now) ?? [])
  await app.ready

  return {
    boards,
    accounts,
    routes,
    base,
    clock,
    say,
    /** Advances time and moves the market. */
    step(ms: number) {
      now += ms
      say(simulation?.step(now) ?? [])
    },
    /** Advances time without any records. */
    wait(ms: number) {
      now += ms
      boards.advance()
    },
    /** Returns a key of a new account. */
    async key(tier: Tier, addOns: readonly ('streaming' | 'game_state')[] = []): Promise<string> {
      const { value } = await accounts.create({ name: tier, tier, addOns, expiresAt: null })
      return value
    },
    get: (path: string, key: string, headers: Record<string, string> = {}) =>
      request('GET', path, key, headers),
    post: (path: string, key: string, body: object) =>
      request('POST', path, key, { 'Content-Type': 'application/json' }, JSON.stringify(body)),
    request,
    async close() {
      await app.close()
      await log.close()
      await rm(path, { recursive: true })
    },
  }
}
