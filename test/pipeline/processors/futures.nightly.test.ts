/** The table of futures under invalid statements, and after a restart. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createSink, toAppend } from '../../../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Append, LogRecord } from '../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import { passedOnAfterMs } from '../../../pipeline/rules/odds/freshness.ts'
import { run } from '../../../pipeline/run/run.ts'
import type {
  FeedFuture,
  FeedFutureSelection,
  FuturesRecord,
} from '../../../schemas/feed-record.ts'
import type { FutureRow } from '../../../schemas/future.ts'
import { topics } from '../../../schemas/topics.ts'

const at = Date.parse('2026-11-22T12:00:00Z')

const price = (selection: string, of: Partial<FeedFutureSelection> = {}): FeedFutureSelection => ({
  selection,
  line: null,
  price: 9,
  removed: false,
  suspended: false,
  changedAt: null,
  externalId: null,
  deepLink: null,
  ...of,
})

const said = (
  prices: readonly FeedFutureSelection[],
  of: Partial<FuturesRecord> = {},
  future: Partial<FeedFuture> = {},
): FuturesRecord => ({
  type: 'futures',
  sportsbook: 'draftkings',
  mode: 'snapshot',
  observedAt: at,
  future: {
    externalId: null,
    sport: 'basketball',
    league: 'NBA',
    name: 'Champion',
    futureType: 'TEAM',
    subject: null,
    season: '2026-27',
    settlesAt: null,
    ...future,
  },
  prices,
  ...of,
})

function createTable() {
  const state = serviceProcessor(['pinnacle']).create()
  const rows = new Map<string, FutureRow>()
  let offset = 0
  return {
    rows,
    counts: state.counts,
    say(...records: readonly FuturesRecord[]) {
      const inputs = records.map(toAppend).map(
        ({ topic, key, value }: Append): LogRecord => ({
          ...{ topic, key, value, partition: 0, offset: offset++ },
        }),
      )
      for (const { topic, key, value } of state.decide(inputs)) {
        if (topic.name !== topics.futures.name) continue
        if (value === null) rows.delete(key)
        else rows.set(key, value as FutureRow)
      }
    },
    shown: () =>
      [...rows.values()].flatMap(({ prices }) =>
        prices.map(({ selection, price: shown, isActive }) => [selection, shown, isActive]),
      ),
  }
}

describe('futures that contradict themselves', () => {
  it('lose a selection with two prices, under any spelling, and nothing else', () => {
    const table = createTable()
    table.say(said([price('Knicks'), price('NY Knicks', { price: 12 }), price('BOS Celtics')]))
    expect(table.shown()).toEqual([['Boston Celtics', 9, true]])
    expect(table.counts.get('ambiguous_selection')).toBe(1)
  })

  it('keep a suspended price, and none that never was', () => {
    const table = createTable()
    table.say(said([price('Knicks')]))
    const suspended = { price: null, suspended: true }
    table.say(said([price('Knicks', suspended), price('Utah Jazz', suspended)]))
    expect(table.shown()).toEqual([['New York Knicks', 9, false]])
    expect(table.counts.get('suspended_without_price')).toBe(1)
  })

  it('take the first of two markets that a sportsbook lists as one, until it is gone', () => {
    const table = createTable()
    const first = { externalId: 'a' }
    const second = { externalId: 'b' }
    table.say(said([price('Knicks')], {}, first))
    table.say(said([price('Knicks', { price: 3 })], { observedAt: at + 1 }, second))
    expect(table.shown()).toEqual([['New York Knicks', 9, true]])
    expect(table.counts.get('second_future')).toBe(1)
    table.say(said([], { observedAt: at + 2 }, first))
    table.say(said([price('Knicks', { price: 3 })], { observedAt: at + 3 }, second))
    expect(table.shown()).toEqual([['New York Knicks', 3, true]])
  })

  it('are those of a new listing once it is stated twice without the old one', () => {
    const table = createTable()
    const state = (externalId: string, decimal: number, later: number, more: object = {}) =>
      table.say(
        said(
          [price('Knicks', { price: decimal })],
          { observedAt: at + later, ...more },
          { externalId },
        ),
      )
    state('a', 4.5, 0)
    // One reading of the source has both, in this order or the other.
    for (const later of [1, 2, 3]) {
      state('a', 4.5, later)
      state('b', 3.5, later)
    }
    state('b', 3.5, 4)
    state('a', 4.5, 4)
    expect(table.shown()).toEqual([['New York Knicks', 4.5, true]])
    state('b', 3.5, 5)
    state('b', 3.5, 5)
    state('c', 9, 6)
    state('b', 3.5, 7)
    state('b', 3, 8, { mode: 'delta' })
    expect(table.shown()).toEqual([['New York Knicks', 4.5, true]])
    state('b', 3.5, 8)
    expect(table.shown()).toEqual([['New York Knicks', 3.5, true]])
    state('a', 4.5, 9)
    expect(table.shown()).toEqual([['New York Knicks', 3.5, true]])
  })

  // Steps: the external id, when it is stated, and its price if it has one.
  it.each<[string, [string | null, number, number?][]]>([
    [
      'the first listing ends in a reading of another',
      [
        ['a', 0, 9],
        ['b', 2, 3],
        ['a', 2],
      ],
    ],
    [
      'the end of the first is stated late',
      [
        ['a', 0, 9],
        ['b', 2, 3],
        ['a', 1],
      ],
    ],
    [
      'a late statement has no external id',
      [
        ['a', 0, 9],
        ['b', 2],
        [null, 1, 9],
      ],
    ],
  ])('are the same when a batch is taken again: %s', (_, steps) => {
    const records = steps.map(([externalId, later, decimal]) => {
      const prices = decimal === undefined ? [] : [price('Knicks', { price: decimal })]
      return said(prices, { observedAt: at + later }, { externalId })
    })
    const [once, twice] = [createTable(), createTable()]
    once.say(...records)
    twice.say(...records)
    twice.say(...records)
    expect(twice.shown()).toEqual(once.shown())
  })

  it('of a new listing owe nothing to the old one', () => {
    const table = createTable()
    const suspended = price('Boston Celtics', { price: null, suspended: true })
    table.say(said([price('Knicks'), price('Boston Celtics')], {}, { externalId: 'a' }))
    for (const later of [1, 2]) {
      const own = [price('Knicks', { price: 3 }), suspended]
      table.say(said(own, { observedAt: at + later }, { externalId: 'b' }))
    }
    expect(table.shown()).toEqual([['New York Knicks', 3, true]])
  })

  it('count if a source passes them on while the sportsbook’s own are silent', () => {
    const table = createTable()
    const state = (via: string | null, decimal: number, later: number) =>
      table.say(said([price('Knicks', { price: decimal })], { observedAt: at + later, via }))
    state(null, 4.5, -15_000)
    state(null, 4.5, 0)
    state('the-odds-api', 3.5, passedOnAfterMs)
    expect(table.shown()).toEqual([['New York Knicks', 4.5, true]])
    expect(table.counts.get('other_source')).toBe(1)
    state('the-odds-api', 3.5, passedOnAfterMs + 1)
    expect(table.shown()).toEqual([['New York Knicks', 3.5, true]])
    state(null, 4, passedOnAfterMs + 2)
    expect(table.shown()).toEqual([['New York Knicks', 4, true]])
  })

  it('of a sportsbook’s own stand a minute beside those a source passes on, and are then stated anew', () => {
    const table = createTable()
    const state = (via: string | null, later: number, decimal: number | null, mode = 'snapshot') =>
      table.say(
        said(decimal === null ? [] : [price('Knicks', { price: decimal })], {
          observedAt: at + later,
          mode: mode as FuturesRecord['mode'],
          via,
        }),
      )
    const shows = (decimal: number) =>
      expect(table.shown()).toEqual([['New York Knicks', decimal, true]])
    state(null, 0, 4.5)
    state('the-odds-api', 59_999, 3.5)
    shows(4.5)
    state('the-odds-api', 60_000, 3.5)
    shows(3.5)
    for (const decimal of [null, 4.4]) state(null, 90_000, decimal, 'delta')
    expect(table.counts.get('delta_of_replaced_prices')).toBe(2)
    state('the-odds-api', 120_000, 3.4)
    shows(3.4)
    state(null, 150_000, 4.3)
    state(null, 170_000, null, 'delta')
    state('the-odds-api', 300_000, 3.3)
    shows(4.3)
  })

  it('stay unchanged when deltas would make a row too large for the log', () => {
    const table = createTable()
    const long = 'é'.repeat(280)
    for (let part = 0; part < 30; part++) {
      const prices = Array.from({ length: 100 }, (_, i) => price(`${part} ${i} ${long}`))
      table.say(said(prices, { mode: 'delta', observedAt: at + part }))
    }
    const [row] = [...table.rows.values()]
    expect(topics.futures.encode(row as FutureRow).length).toBeLessThan(1024 * 1024 + 1)
    expect(table.counts.get('future_too_large')).toBeGreaterThan(0)
  })

  it('are kept under names that no rule knows', () => {
    const table = createTable()
    for (const name of ['__proto__', 'constructor', '🏆', '2026', ' ', '/', 'winner|fanduel']) {
      table.say(said([price('__proto__'), price('🥇')], {}, { name }))
    }
    for (const { prices } of table.rows.values()) expect(prices).toHaveLength(2)
    expect(table.rows.size).toBe(7)
  })

  it('have the time of a price change: the sportsbook’s, else that of the sighting', () => {
    const table = createTable()
    const times = () => [...table.rows.values()][0]?.prices.map(({ changedAt }) => changedAt)
    table.say(said([price('Knicks')]))
    expect(times()).toEqual([null])
    table.say(said([price('Knicks', { price: 8 })], { observedAt: at + 5 }))
    expect(times()).toEqual([at + 5])
    table.say(said([price('Knicks', { price: 7, changedAt: at + 6 })], { observedAt: at + 9 }))
    expect(times()).toEqual([at + 6])
    const before = [...table.rows.values()][0]
    table.say(said([price('Knicks', { price: 7 })], { observedAt: at + 20 }))
    expect([...table.rows.values()][0]).toBe(before)
    table.say(said([price('Knicks', { price: 6, changedAt: at + 90 })], { observedAt: at + 30 }))
    expect(times()).toEqual([at + 30])
  })
})

describe('futures on the log', () => {
  let path = ''
  afterEach(() => rm(path, { recursive: true, force: true }))

  /** Returns the rows that a new process restores and ends with. */
  async function rowsAfter(records: readonly FuturesRecord[]) {
    const log = await openEmbeddedLog({ path })
    const stop = new AbortController()
    const processor = serviceProcessor(['pinnacle'])
    const running = run(processor, log, { signal: stop.signal })
    await createSink(log, () => at).publish(records)
    const lag = () => log.lag(processor.inputs, processor.name)
    await expect.poll(lag).toBe(0)
    const rows = new Map<string, unknown>()
    for await (const part of log.replay([topics.futures], {
      partitions: [0],
      signal: stop.signal,
    })) {
      for (const { key, value } of part) rows.set(key, value)
    }
    stop.abort()
    await running
    await log.close()
    return rows
  }

  it('continue after a restart where they were', async () => {
    path = await mkdtemp(join(tmpdir(), 'overround-futures-'))
    const first = await rowsAfter([
      said([price('Knicks'), price('BOS Celtics')]),
      said([price('Knicks')], { sportsbook: 'fanduel' }, { name: 'NBA Winner' }),
    ])
    expect([...first.keys()].sort()).toEqual([
      'nba_champion_2027|draftkings',
      'nba_champion_2027|fanduel',
    ])
    const idOf = (rows: ReadonlyMap<string, unknown>) =>
      (rows.get('nba_champion_2027|draftkings') as FutureRow).prices.map(({ id }) => id)
    const removed = price('Celtics', { price: null, removed: true })
    const late = said([price('Knicks', { price: 2 })], { observedAt: at - 1 })
    const second = await rowsAfter([late, said([removed], { mode: 'delta', observedAt: at + 1 })])
    expect(second.size).toBe(2)
    expect(idOf(second)).toEqual(idOf(first).slice(1))
  })
})
