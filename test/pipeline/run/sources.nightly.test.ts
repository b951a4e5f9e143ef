/**
 * A source that fails in every way in turn, and the effects: in the table of sources, for its
 * sportsbooks, in the log, and in the number of calls. Time is stepped.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { aborted } from '../../../pipeline/async/abort-signals.ts'
import type { Feed, FeedSink } from '../../../pipeline/feeds/feed.ts'
import { createPollingFeed } from '../../../pipeline/feeds/kit/polling-feed.ts'
import { startingHealth } from '../../../pipeline/feeds/kit/source-health.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { type Log, LogUnavailableError } from '../../../pipeline/log/log.ts'
import { createSources, type Sources } from '../../../pipeline/run/sources.ts'
import type {
  BookStatusRecord,
  FeedRecord,
  OddsRecord,
  TickRecord,
} from '../../../schemas/feed-record.ts'
import type { Audience, SourceRow } from '../../../schemas/source.ts'
import { topics } from '../../../schemas/topics.ts'
import { type Answering, answerJson, openSource } from '../feeds/loopback-source.ts'

const oddsAbout = (sportsbook: string): OddsRecord => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observedAt: 1,
  event: {
    externalId: 'e',
    sport: 'football',
    league: 'NFL',
    homeTeam: 'H',
    awayTeam: 'A',
    startsAt: 9,
    isLive: false,
  },
  markets: [
    {
      marketType: 'moneyline',
      line: null,
      playerName: null,
      statCategory: null,
      suspended: false,
      selections: [],
    },
  ],
})

const refuse =
  (status: number, headers: Record<string, string> = {}, body = 'no'): Answering =>
  (_path, response) =>
    response.writeHead(status, headers).end(body)
/** Never responds, until the connection is given up. */
const silence: Answering = () => {}
const slowBody: Answering = (_path, response) => void response.writeHead(200).write('[')
const garbage: Answering = (_path, response) => response.end('<html>maintenance</html>')
const fine = answerJson([])

const often = { interval: 2 }

/** Fails as a holder's write does while the log is away. */
async function notTaken() {
  throw new LogUnavailableError('commit')
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openLog(): Promise<Log> {
  const path = await mkdtemp(join(tmpdir(), 'overround-sources-'))
  const log = await openEmbeddedLog({ path })
  closing.push(async () => {
    await log.close()
    await rm(path, { recursive: true })
  })
  return log
}

/** Creates a clock that the test moves, which wakes sleepers. */
function createClock() {
  let now = Date.parse('2026-11-20T12:00:00.000Z')
  const sleepers = new Set<{ readonly until: number; wake(): void }>()
  return {
    now: () => now,
    sleeping: () => sleepers.size,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted()
      if (ms <= 0) return
      await new Promise<void>((resolve, reject) => {
        const sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper)
            signal.removeEventListener('abort', stop)
            resolve()
          },
        }
        const stop = () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        }
        sleepers.add(sleeper)
        signal.addEventListener('abort', stop)
      })
    },
    move(ms: number) {
      now += ms
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake()
    },
  }
}

interface Opened {
  readonly name?: string
  readonly sportsbooks?: readonly string[]
  readonly audience?: Audience
  readonly passesOn?: boolean
  /** Timeout of a silent source (ms). By default long, so that one that responds has time. */
  readonly timeoutMs?: number
  /** Whether the log refuses its holder's writes. */
  readonly isRefused?: boolean
}

/** Opens a pipeline's part that runs sources, over a log. */
function openSources(log: Log, clock = createClock(), self = 'here') {
  const lines: { readonly level: number; readonly msg: string; readonly state?: string }[] = []
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const records: (FeedRecord | TickRecord)[] = []
  const sink: FeedSink = {
    async publish(published) {
      records.push(...published)
    },
    skipped() {},
  }
  const sources = createSources({ log, logger, self, clock: clock.now })
  const stop = new AbortController()
  const running = [sources.keep(stop.signal)]
  closing.push(async () => {
    stop.abort()
    await Promise.all(running)
  })

  /** Opens a polled source that has a price of each sportsbook in every response. */
  async function open({
    name = 'test',
    sportsbooks = ['fanduel'],
    audience = 'all',
    passesOn = false,
    timeoutMs = 30_000,
    isRefused = false,
  }: Opened = {}) {
    const source = await openSource(fine)
    closing.push(source.close)
    let calls = 0
    const feed = createPollingFeed({
      name,
      sportsbooks: [],
      targets: ['one', 'two'],
      intervalMs: 10_000,
      openReader: () =>
        async function* read(target, get) {
          calls++
          await get(`${source.baseUrl}/${target}`)
          yield { records: sportsbooks.map(oddsAbout), skipped: [] }
        },
      http: { now: clock.now, sleep: clock.sleep, timeoutMs, backoffMs: 1, random: () => 0 },
    })
    const live = { ...feed, source: { audience, isExperimental: false, passesOn } }
    const holder = isRefused
      ? { append: notTaken, sink: { ...sink, publish: notTaken } }
      : { append: log.append, sink }
    const run = sources.run(live, holder, stop.signal)
    if (isRefused) await expect(run).rejects.toThrow(LogUnavailableError)
    else {
      running.push(run)
      await expect.poll(() => clock.sleeping(), often).toBeGreaterThan(0)
    }
    return {
      answerWith: source.answerWith,
      calls: () => calls,
      /** Returns the number of calls since the last check. */
      callsSince() {
        const counted = calls
        calls = 0
        return counted
      },
    }
  }

  return {
    clock,
    sources,
    open,
    lines,
    records,
    statuses: () =>
      records.flatMap((record) =>
        record.type === 'book_status' ? [`${record.sportsbook} ${record.status}`] : [],
      ),
    said: () => records.filter((one): one is BookStatusRecord => one.type === 'book_status'),
    async rows(): Promise<SourceRow[]> {
      const found: SourceRow[] = []
      const options = { partitions: [0], signal: stop.signal }
      for await (const batch of log.replay([topics.sources], options)) {
        found.push(...batch.map(({ value }) => value as SourceRow))
      }
      return found
    },
    async row(): Promise<SourceRow | undefined> {
      return (await this.rows())[0]
    },
  }
}

/** Advances time until the source has responded or failed once more. */
async function playRound(by: ReturnType<typeof openSources>, ms: number) {
  by.clock.move(ms)
  await expect.poll(() => by.clock.sleeping(), often).toBeGreaterThan(0)
}

describe('a source that fails', () => {
  it.each([
    ['refuses the key', refuse(401), 'needs_key'],
    ['forbids', refuse(403), 'needs_key'],
    ['asks for payment', refuse(402), 'out_of_credits'],
    [
      'says that its credits are used up',
      refuse(401, {}, '{"message":"…","error_code":"OUT_OF_USAGE_CREDITS"}'),
      'out_of_credits',
    ],
    ['asks for a long pause', refuse(429, { 'retry-after': '1800' }), 'down'],
  ] as const)(
    '%s: its sportsbooks are down with the first response, and it is logged once',
    async (_, answer, state) => {
      const by = openSources(await openLog())
      const source = await by.open()
      expect(by.statuses()).toEqual(['fanduel up'])
      source.callsSince()
      source.answerWith(answer)
      await playRound(by, 10_000)
      expect(by.statuses()).toEqual(['fanduel up', 'fanduel down'])
      // The other target is not requested, because it would be refused too.
      expect(source.callsSince()).toBe(1)
      await expect.poll(async () => (await by.row())?.state).toBe(state)
      const row = await by.row()
      expect(row).toMatchObject({ since: by.clock.now(), sportsbooks: ['fanduel'] })
      expect(row!.nextTryAt! - by.clock.now()).toBeGreaterThanOrEqual(900_000)
      // Hours of refusals add no log line, and at most four calls an hour.
      for (let tries = 0; tries < 12; tries++) await playRound(by, 900_000)
      expect(source.callsSince()).toBeLessThanOrEqual(12)
      expect(by.lines.filter(({ level }) => level >= 40)).toHaveLength(1)
      expect(by.lines.filter(({ level }) => level >= 40)[0]).toMatchObject({ state })
      source.answerWith(fine)
      await playRound(by, 3_600_000)
      expect(by.statuses()).toEqual(['fanduel up', 'fanduel down', 'fanduel up'])
      await expect.poll(async () => (await by.row())?.state).toBe('up')
      expect(by.lines.at(-1)).toMatchObject({ msg: 'source is up' })
    },
  )

  it.each([
    ['answers 500', refuse(500), undefined],
    ['answers 429 without a pause', refuse(429), undefined],
    ['is silent', silence, 400],
    ['stops in the middle of a body', slowBody, 400],
    ['sends garbage', garbage, undefined],
  ] as const)(
    '%s: it is degraded, then down, and polled ever less',
    async (_, answer, timeoutMs) => {
      const by = openSources(await openLog())
      const source = await by.open(timeoutMs === undefined ? {} : { timeoutMs })
      source.answerWith(answer)
      source.callsSince()
      await playRound(by, 10_000)
      await expect.poll(async () => (await by.row())?.state).toBe('degraded')
      expect(by.statuses()).toEqual(['fanduel up'])
      source.callsSince()
      // Each try is one call, of one target, after 10, 20, 40 s and so on.
      await playRound(by, 10_000)
      await playRound(by, 20_000)
      expect(source.callsSince()).toBe(2)
      expect(by.statuses()).toEqual(['fanduel up', 'fanduel down'])
      await expect.poll(async () => (await by.row())?.state).toBe('down')
      for (let tries = 0; tries < 2; tries++) await playRound(by, 300_000)
      expect(source.callsSince()).toBeLessThanOrEqual(2)
      // One line for degraded, one for down.
      expect(by.lines.filter(({ level }) => level >= 40)).toHaveLength(2)
      expect(JSON.stringify(by.lines)).not.toContain('stack')
      source.answerWith(fine)
      await playRound(by, 300_000)
      expect(by.statuses()).toEqual(['fanduel up', 'fanduel down', 'fanduel up'])
    },
  )

  it('is not up while a call waits for a requested pause', async () => {
    const by = openSources(await openLog())
    const source = await by.open()
    source.answerWith(refuse(429, { 'retry-after': '45' }))
    await playRound(by, 10_000)
    const row = { state: 'degraded', reason: 'http_429', since: by.clock.now() }
    await expect.poll(() => by.row()).toMatchObject(row)
    expect((await by.row())!.nextTryAt).toBe(by.clock.now() + 45_000)
    // Its prices stay: it is reported up only once, and recovers with the response.
    expect(by.statuses()).toEqual(['fanduel up'])
    source.answerWith(fine)
    await playRound(by, 45_000)
    await expect.poll(async () => (await by.row())?.state).toBe('up')
    expect(by.lines.map(({ state }) => state)).toEqual(['up', 'degraded', 'up'])
  })

  it('waits as long as requested, and is not down for a short pause', async () => {
    const by = openSources(await openLog())
    const source = await by.open()
    source.answerWith(refuse(429, { 'retry-after': '120' }))
    await playRound(by, 10_000)
    source.callsSince()
    await playRound(by, 119_000)
    expect(source.callsSince()).toBe(0)
    expect(by.statuses()).toEqual(['fanduel up'])
    source.answerWith(fine)
    await playRound(by, 1_000)
    expect(source.callsSince()).toBe(2)
  })
})

describe('a sportsbook', () => {
  it('is down when all its sources are, in whichever process they run', async () => {
    const log = await openLog()
    const clock = createClock()
    const here = openSources(log, clock)
    const there = openSources(log, clock)
    const first = await here.open({ name: 'first' })
    await there.open({ name: 'second' })
    const isNamed = ({ sportsbooks }: SourceRow) => sportsbooks.includes('fanduel')
    await expect.poll(async () => (await here.rows()).filter(isNamed).length).toBe(2)
    first.answerWith(refuse(401))
    clock.move(10_000)
    await expect
      .poll(async () => (await here.rows()).find(({ source }) => source === 'first')?.state)
      .toBe('needs_key')
    expect(here.statuses()).toEqual(['fanduel up'])
    expect(there.statuses()).toEqual(['fanduel up'])
  })

  it('is reported up by the next of its sources if the log did not take the first’s record', async () => {
    const by = openSources(await openLog())
    await by.open({ name: 'first', isRefused: true })
    expect(by.records).toEqual([])
    await by.open({ name: 'second' })
    expect(by.statuses()).toEqual(['fanduel up'])
    // The refused write stopped nothing else: rows are written.
    await expect.poll(async () => (await by.row())?.source).toBe('second')
  })

  it('is the owner’s alone before its first price is, when one of its sources is', async () => {
    const by = openSources(await openLog())
    await by.open({ audience: 'owner', sportsbooks: ['fanduel', 'bovada'] })
    expect(by.said()).toMatchObject([
      { sportsbook: 'fanduel', audience: 'owner' },
      { sportsbook: 'bovada', audience: 'owner' },
    ])
    expect(by.records.map(({ type }) => type).slice(0, 3)).toEqual([
      'book_status',
      'book_status',
      'odds',
    ])
  })

  it.each([true, false])('says of prices that its source passes them on (%s)', async (passesOn) => {
    const by = openSources(await openLog())
    await by.open({ name: 'aggregator', passesOn })
    const odds = by.records.filter(({ type }) => type === 'odds')
    expect(odds).not.toEqual([])
    for (const one of odds)
      expect((one as OddsRecord).via).toBe(passesOn ? 'aggregator' : undefined)
  })
})

describe('a source that comes again', () => {
  it('continues from its last state, whether the log took it or not, or another process after it', async () => {
    const log = await openLog()
    const { clock, sources: here } = openSources(log)
    const other = openSources(log, clock, 'there')
    const given: (string | null)[] = []
    let finish = () => {}
    /** Resolves late, so that moved feeds end late, like one that waits for the log. */
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    /** Returns a feed that records its start cursor and reports this one. */
    const knowing = (cursor: string): Feed => ({
      name: 'test',
      source: { audience: 'all', isExperimental: false, passesOn: false },
      async run(sink, signal, before = null) {
        given.push(before)
        sink.report?.(startingHealth(clock.now()), null, cursor)
        await aborted(signal)
        await over
      },
    })
    const sink: FeedSink = { publish: notTaken, skipped() {} }
    async function hold(sources: Sources, cursor: string, append: Log['append']) {
      const moved = new AbortController()
      const count = given.length
      const run = sources.run(knowing(cursor), { append, sink }, moved.signal)
      await expect.poll(() => given.length, often).toBe(count + 1)
      return { move: () => moved.abort(), run }
    }

    const first = await hold(here, 'paid here', notTaken)
    first.move()
    const again = await hold(here, 'paid here again', notTaken)
    again.move()
    const elsewhere = await hold(other.sources, 'paid there', log.append)
    await expect.poll(async () => (await other.row())?.cursor, often).toBe('paid there')
    elsewhere.move()
    const last = await hold(here, 'nothing', log.append)
    last.move()
    finish()
    await Promise.all([first, again, elsewhere, last].map(({ run }) => run))
    expect(given).toEqual([null, 'paid here', null, 'paid there'])
  })
})

describe('a source that the operator pauses', () => {
  it('is not polled, its sportsbooks are down, and it continues when it is resumed', async () => {
    const log = await openLog()
    const by = openSources(log)
    const source = await by.open()
    const pause = (isPaused: boolean) =>
      log.append([
        {
          topic: topics.sourcePauses,
          partitionKey: 0,
          key: 'test',
          value: { source: 'test', isPaused, at: by.clock.now() },
        },
      ])
    await pause(true)
    await expect.poll(by.statuses).toEqual(['fanduel up', 'fanduel down'])
    await expect.poll(async () => (await by.row())?.state).toBe('paused')
    source.callsSince()
    by.clock.move(3_600_000)
    await pause(false)
    await expect.poll(by.statuses).toEqual(['fanduel up', 'fanduel down', 'fanduel up'])
    expect(source.callsSince()).toBe(2)
  })
})
