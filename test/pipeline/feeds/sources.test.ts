/** The numbered cases that every polled source passes, with its responses on the loopback interface. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../../pipeline/feeds/kit/source.ts'
import type { Health } from '../../../pipeline/feeds/kit/source-health.ts'
import { liveSources } from '../../../pipeline/feeds/live-sources.ts'
import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { projectRoot } from '../../../schemas/project-root.ts'
import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import { selectionsOf } from './feed-samples.ts'
import {
  type Answering,
  type Answers,
  answering,
  answerJson,
  openSource,
  runFeed,
} from './loopback-source.ts'
import { sourceCases } from './source-cases.ts'

const status =
  (code: number, body = '{}', headers: Readonly<Record<string, string>> = {}): Answering =>
  (_path, response) => {
    response.writeHead(code, headers).end(body)
  }
const silence: Answering = () => {}
const ofAnotherShape = answerJson({ error: 'maintenance' })
const failures: Record<string, [Answering, string]> = {
  '7 a refusal': [status(401), 'fetch_http_401'],
  '8 a refusal by region': [status(403, '<html>Access Denied</html>'), 'fetch_http_403'],
  '9 too many requests': [status(429, 'slow down', { 'retry-after': '1' }), 'fetch_http_429'],
  '10 an error of its own': [status(500, 'oops'), 'fetch_http_500'],
  '11 an answer that is cut': [status(200, '[{"id":"e","na'), 'fetch_not_json'],
  '12 JSON of another shape': [ofAnotherShape, 'fetch_malformed'],
  '13 silence': [silence, 'fetch_timeout'],
}

/** Returns each price as a line, like the cases. */
const offered = (records: readonly OddsRecord[]) =>
  selectionsOf(records)
    .map(({ marketType, selectionType, line, price }) =>
      [marketType, selectionType, line ?? '', price?.toFixed(4)].join(' '),
    )
    .toSorted()

let source: Awaited<ReturnType<typeof openSource>>
beforeEach(async () => {
  source = await openSource(status(404))
})
afterEach(() => source.close())

it('cover all live sources except streams, which have their own tests', () => {
  const streams = ['polymarket', 'betfair-exchange']
  expect(sourceCases.map((one) => one.source.name).toSorted()).toEqual(
    liveSources
      .map(({ name }) => name)
      .filter((name) => !streams.includes(name))
      .toSorted(),
  )
})

it('are in the table of the guide, with their sportsbooks in the reference', () => {
  const guide = readFileSync(join(projectRoot, 'docs', 'sources.md'), 'utf8')
  const listed = new Set(guide.match(/^\| `.+? \|/gm)?.flatMap((cell) => cell.match(/[\w-]+/g)))
  expect(liveSources.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([])
  for (const { sportsbook } of sourceCases) expect(findSportsbook(sportsbook)?.id).toBe(sportsbook)
})

describe.each(sourceCases.map((one) => [one.source.name, one] as const))('%s', (name, one) => {
  const { settings, answers, sportsbook } = one
  // A source of many sportsbooks knows them only from its responses.
  const expected = (...statuses: string[]) => (name === 'the-odds-api' ? [] : statuses)

  it('1 is opened by its settings, also for the owner alone', () => {
    expect(one.source.openBy(settings, {}).name).toBe(name)
    const owners = one.source.openBy({ ...settings, audience: 'owner' }, {})
    expect(owners.source).toEqual({
      audience: 'owner',
      isExperimental: !one.source.isOfficial,
      passesOn: one.source.name === 'the-odds-api',
    })
  })

  it('2 refuses an unknown setting, and a missing one that it needs', () => {
    expect(() => one.source.openBy({ ...settings, leages: [1] }, {})).toThrow(SettingsError)
    expect(() => one.source.openBy({ ...settings, baseUrl: 'here' }, {})).toThrow(SettingsError)
    for (const name of Object.keys(settings)) {
      if (one.optional?.includes(name)) continue
      expect(() => one.source.openBy({ ...settings, [name]: undefined }, {})).toThrow(SettingsError)
    }
  })

  it('3 requests what its settings name, publishes each price once, whole events first, and reports up', async () => {
    source.answerWith(answering(answers))
    const run = runFeed(one.open(source.baseUrl))
    await run.until(() => run.odds().length > 1)
    await run.stop()
    expect(source.requests().slice(0, one.asks.length)).toEqual(one.asks)
    const [record] = run.odds()
    expect(record).toMatchObject({ sportsbook, mode: 'snapshot' })
    expect(offered(run.odds().slice(0, 1))).toEqual(one.prices)
    expect(run.statuses()).toEqual(expected('up'))
  })

  it('4 leaves out only what it cannot read', async () => {
    source.answerWith(answering(one.withJunk))
    const run = runFeed(one.open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    await run.stop()
    expect(offered(run.odds().slice(0, 1))).toEqual(one.prices)
    expect(run.skips.filter(({ reason }) => reason.startsWith('malformed'))).not.toEqual([])
  })

  it('5 withdraws only prices that are no longer offered', async () => {
    source.answerWith(answering(answers))
    const run = runFeed(one.open(source.baseUrl))
    await run.until(() => run.odds().length > 1)
    expect(run.odds().filter(isWithdrawal)).toEqual([])
    // A reading under way may still ask for what it found listed.
    source.answerWith(answering({ ...answers, ...one.empty }))
    await run.until(() => run.odds().some(isWithdrawal))
    await run.stop()
    const gone = run.odds().filter(isWithdrawal).at(-1)
    const removed = selectionsOf(gone ? [gone] : []).filter(({ removed }) => removed)
    if (gone?.mode === 'delta') expect(removed).toHaveLength(one.prices.length)
    else expect(gone?.markets).toEqual([])
    expect(run.statuses()).toEqual(expected('up'))
  })

  it('6 stops at once, whatever is under way', async () => {
    source.answerWith(silence)
    const run = runFeed(one.open(source.baseUrl))
    await run.until(() => source.requests().length > 0)
    await run.stop()
    expect(run.records).toEqual([])
  })

  it.each(Object.entries(failures))(
    '%s is counted; it is down, withdraws nothing, and comes back, also the second time',
    async (_, [bad, counted]) => {
      source.answerWith(bad)
      // On a busy machine a response may take a second. Only silence has a short timeout.
      const timeoutMs = bad === silence ? 100 : 30_000
      const run = runFeed(one.open(source.baseUrl, { timeoutMs }))
      await run.until(() => isDown(run.healths))
      expect(run.odds()).toEqual([])
      const reason = bad === ofAnotherShape ? (one.otherShape ?? counted) : counted
      expect(run.skips.map(({ reason }) => reason)).toContain(reason)
      source.answerWith(answering(answers))
      await run.until(() => run.odds().length > 0)
      source.answerWith(bad)
      await run.until(() => isDown(run.healths))
      const { length } = run.odds()
      source.answerWith(answering(answers))
      await run.until(() => run.odds().length > length)
      await run.stop()
      expect(run.statuses()).toEqual([...expected('down', 'up'), 'down', 'up'])
      expect(run.odds().filter((record) => isWithdrawal(record))).toEqual([])
    },
  )
})

/** Returns the responses with the name of their event as a number. */
const withoutEvent = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([path, answer]) => [
      path,
      (query) => JSON.parse(JSON.stringify(answer(query)).replace('"Away @ Home"', '1')),
    ]),
  )

it.each(['kambi', 'draftkings', 'fanduel', 'bovada'])(
  '%s withdraws nothing of an event that it cannot read, and says so',
  async (name) => {
    const { answers, open } = sourceCases.find((one) => one.source.name === name)!
    source.answerWith(answering(answers))
    const run = runFeed(open(source.baseUrl))
    await run.until(() => run.odds().length > 0)
    source.answerWith(answering(withoutEvent(answers)))
    await run.until(() => isDown(run.healths))
    const { length } = run.odds()
    source.answerWith(answering(answers))
    await run.until(() => run.odds().length > length)
    await run.stop()
    expect(run.healths.map(({ reason }) => reason)).toContain('unreadable')
    expect(run.statuses()).toEqual(['up', 'down', 'up'])
    expect(run.odds().filter(isWithdrawal)).toEqual([])
  },
)

const isDown = (healths: readonly Health[]) => {
  const state = healths.at(-1)?.state
  return state === 'down' || state === 'needs_key'
}

const isWithdrawal = (record: OddsRecord) =>
  record.mode === 'snapshot'
    ? record.markets.length === 0
    : selectionsOf([record]).some(({ removed }) => removed)
