/**
 * Futures under random histories: the processor's and the view's results against the slow
 * computation, with every sportsbook in its own words, late, contradictory and silent statements, and
 * restarts from the tables alone.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAppend } from '../../pipeline/feeds/sink.ts'
import type { Append, LogRecord } from '../../pipeline/log/log.ts'
import type { ProcessorState } from '../../pipeline/processors/processor.ts'
import { serviceProcessor } from '../../pipeline/processors/service-processor.ts'
import { createFuturesView } from '../../pipeline/views/futures/futures-view.ts'
import type { FeedFuture, FuturesRecord, TickRecord } from '../../schemas/feed-record.ts'
import { topics } from '../../schemas/topics.ts'
import { createSlowFutures, type FutureMeaning } from './slow-futures.ts'

const beginning = Date.parse('2026-11-22T12:00:00Z')
const minute = 60_000

interface Made {
  readonly market: string
  readonly wordings: readonly Pick<FeedFuture, 'name' | 'season' | 'settlesAt' | 'subject'>[]
  readonly of: Pick<FeedFuture, 'sport' | 'league' | 'futureType'>
  /** The spellings of each selection. */
  readonly selections: readonly (readonly string[])[]
  readonly lines: readonly (number | null)[]
}

const nba = { sport: 'basketball', league: 'NBA', futureType: 'TEAM' } as const
const worded = (name: string, more: object = {}) => ({
  ...{ name, season: null, settlesAt: null, subject: null },
  ...more,
})
const in2027 = { settlesAt: Date.parse('2027-06-20T00:00:00Z') }
const teams = [
  ['New York Knicks', 'NY Knicks', 'Knicks'],
  ['Boston Celtics', 'BOS Celtics'],
]
const markets: readonly Made[] = [
  {
    market: 'champion of 2027',
    of: nba,
    wordings: [
      worded('NBA Champion 2026/27'),
      worded('Winner', in2027),
      worded('Outright', in2027),
    ],
    selections: teams,
    lines: [null],
  },
  {
    market: 'champion of 2028',
    of: nba,
    wordings: [worded('NBA Champion 2027/28'), worded('Winner', { season: '2027-28' })],
    selections: teams,
    lines: [null],
  },
  {
    market: 'wins of the Mariners',
    of: { sport: 'baseball', league: 'mlb', futureType: 'OVER_UNDER' },
    wordings: [
      worded('Win Total 2027', { subject: 'SEA Mariners' }),
      worded('Seattle Mariners Regular Season Wins', {
        subject: 'Seattle Mariners',
        season: '2027',
      }),
    ],
    selections: [
      ['Over', 'over'],
      ['Under', 'UNDER'],
    ],
    lines: [88.5, 90.5],
  },
  {
    market: 'the Masters',
    of: { sport: 'golf', league: 'golf_-_masters', futureType: 'PLAYER' },
    wordings: [worded('Masters Tournament Winner 2027'), worded('To Win Outright', in2027)],
    selections: [
      ['Scottie Scheffler', 'Scheffler, Scottie'],
      ['Ludvig Åberg', 'LUDVIG ABERG'],
    ],
    lines: [null],
  },
]
const books = ['draftkings', 'fanduel', 'pinnacle']

interface History {
  readonly records: readonly (FuturesRecord | TickRecord)[]
  readonly meanings: ReadonlyMap<FuturesRecord, FutureMeaning>
}

const anyPrice = fc.record({
  choice: fc.nat(1),
  spelling: fc.nat(2),
  line: fc.nat(1),
  price: fc.option(fc.constantFrom(2, 3.5, 9), { freq: 6, nil: null }),
  removed: fc.boolean(),
})
/** Where statements are of: `ids` are the external ids of their markets. */
interface Places {
  readonly markets: number
  readonly books: readonly string[]
  readonly ids: readonly (string | null)[]
}
const everywhere: Places = { markets: markets.length, books, ids: [null, null, 'a', 'b'] }
/** So few that one market is often listed anew. */
const relisting: Places = {
  markets: 1,
  books: ['draftkings'],
  ids: [null, 'a', 'a', 'b', 'b', 'c'],
}

const anyStep = (places: Places) =>
  fc.record({
    market: fc.nat(places.markets - 1),
    wording: fc.nat(2),
    book: fc.constantFrom(...places.books),
    mode: fc.constantFrom('snapshot' as const, 'delta' as const),
    /** The delay of the record, and the time since the step before. */
    lateMs: fc.constantFrom(0, 0, 0, minute, 20 * minute),
    laterMs: fc.constantFrom(0, 1_000, 4 * minute, 9 * minute),
    id: fc.constantFrom(...places.ids),
    prices: fc.array(anyPrice, { maxLength: 5 }),
    isTick: fc.boolean(),
  })

const anyHistory = (places: Places): fc.Arbitrary<History> =>
  fc.array(anyStep(places), { minLength: 5, maxLength: 40 }).map((steps) => {
    let now = beginning
    const records: (FuturesRecord | TickRecord)[] = []
    const meanings = new Map<FuturesRecord, FutureMeaning>()
    for (const step of steps) {
      now += step.laterMs
      if (step.isTick) records.push({ type: 'tick', observedAt: now })
      const { market, of, wordings, selections, lines } = markets[step.market] as Made
      const wording = wordings[step.wording % wordings.length]
      if (!wording) continue
      const record: FuturesRecord = {
        type: 'futures',
        sportsbook: step.book,
        mode: step.mode,
        observedAt: now - step.lateMs,
        future: { ...of, ...wording, externalId: step.id },
        prices: step.prices.map(({ choice, spelling, line, price, removed }) => {
          const spellings = selections[choice] as readonly string[]
          const isRemoved = removed && step.mode === 'delta'
          return {
            selection: spellings[spelling % spellings.length] as string,
            line: lines[line % lines.length] as number | null,
            price: isRemoved ? null : price,
            removed: isRemoved,
            suspended: price === null,
            ...{ changedAt: null, externalId: null, deepLink: null },
          }
        }),
      }
      records.push(record)
      const chosen = step.prices.map(({ choice }) => (selections[choice] as readonly string[])[0])
      meanings.set(record, { market, selections: chosen as string[] })
    }
    return { records, meanings }
  })

/** Runs the service's processor and the view step by step, sometimes restarted from the tables. */
function createFast() {
  const processor = serviceProcessor(['pinnacle'])
  const tables = new Map<string, Map<string, Append>>()
  let state: ProcessorState = processor.create()
  let view = createFuturesView()
  let offset = 0
  const asRecord = ({ topic, key, value }: Append): LogRecord => ({
    topic,
    key,
    value: value === null ? null : topic.decode(topic.encode(value)),
    partition: 0,
    offset: offset++,
  })
  const replay = (to: (records: readonly LogRecord[]) => void) => {
    for (const table of processor.tables)
      to([...(tables.get(table.name)?.values() ?? [])].map(asRecord))
  }
  return {
    say(record: FuturesRecord | TickRecord) {
      const input =
        record.type === 'tick'
          ? ({ topic: topics.feedOdds, partitionKey: 0, key: 'tick', value: record } as Append)
          : toAppend(record)
      const changes = state.decide([asRecord(input)])
      for (const change of changes) {
        const table = tables.get(change.topic.name) ?? new Map<string, Append>()
        tables.set(change.topic.name, table)
        if (change.value === null) table.delete(change.key)
        else table.set(change.key, change)
      }
      view.apply(changes.map(asRecord))
    },
    restart() {
      state = processor.create()
      view = createFuturesView()
      replay((records) => {
        for (const record of records) state.restore(record)
        view.apply(records)
      })
    },
    /** Returns rows as the slow computation writes them, but with the ids of markets and keys of selections. */
    read() {
      const rows = new Map<string, string>()
      const ids: number[] = []
      for (const { id, offers } of view.markets()) {
        for (const [sportsbook, { row, keys }] of offers) {
          for (const [at, { id: priceId, line, price, isActive }] of row.prices.entries()) {
            rows.set(`${id}|${sportsbook}|${keys[at]}|${line ?? ''}`, `${price} ${isActive}`)
            ids.push(priceId)
          }
        }
      }
      return { rows: [...rows].sort(), ids: ids.sort() }
    },
  }
}

/** The ids that the rules must give to the words above. */
const idOf: Readonly<Record<string, string>> = {
  'champion of 2027': 'nba_champion_2027',
  'champion of 2028': 'nba_champion_2028',
  'wins of the Mariners': 'mlb_total_wins_mariners_2027',
  'the Masters': 'golf_-_masters_champion_2027',
}
const keyOf: Readonly<Record<string, string>> = {
  'New York Knicks': 'new-york-knicks',
  'Boston Celtics': 'boston-celtics',
  Over: 'over',
  Under: 'under',
  'Scottie Scheffler': 'scottie scheffler',
  'Ludvig Åberg': 'ludvig aberg',
}
const inIds = (expected: ReadonlyMap<string, string>) =>
  new Map(
    [...expected].map(([key, price]) => {
      const [market = '', book, selection = '', line] = key.split('|')
      return [[idOf[market], book, keyOf[selection], line].join('|'), price]
    }),
  )

/** Returns the history in batches, each without a tick or one tick alone. */
function batchesOf(records: History['records']): History['records'][] {
  const batches: (FuturesRecord | TickRecord)[][] = []
  for (const record of records) {
    const last = batches.at(-1)
    const joins = record.type === 'futures' && last?.[0]?.type === 'futures' && last.length < 4
    if (joins) last.push(record)
    else batches.push([record])
  }
  return batches
}

describe('futures under random histories', () => {
  it.each([
    ['', everywhere, 80],
    [' when markets are listed anew', relisting, 200],
  ])('equal the slow computation, before and after a restart%s', (_, places, numRuns) => {
    let rowsSeen = 0
    fc.assert(
      fc.property(anyHistory(places), fc.nat(40), ({ records, meanings }, restartAt) => {
        const slow = createSlowFutures((record) => meanings.get(record) as FutureMeaning)
        const fast = createFast()
        for (const [at, record] of records.entries()) {
          slow.say(record)
          fast.say(record)
          if (at === restartAt) fast.restart()
          const { rows, ids } = fast.read()
          expect(rows).toEqual([...inIds(slow.read())].sort())
          expect(new Set(ids).size).toBe(ids.length)
          rowsSeen += rows.length
        }
        const before = fast.read()
        fast.restart()
        expect(fast.read()).toEqual(before)
      }),
      { numRuns },
    )
    expect(rowsSeen).toBeGreaterThan(1_000)
  })

  it.each([
    ['', everywhere],
    [' when markets are listed anew', relisting],
  ])('end with the same rows when a batch is taken again%s', (_, places) => {
    fc.assert(
      fc.property(anyHistory(places), ({ records }) => {
        const once = createFast()
        const twice = createFast()
        for (const part of batchesOf(records)) {
          for (const record of part) once.say(record)
          for (const record of [...part, ...part]) twice.say(record)
        }
        expect(twice.read()).toEqual(once.read())
      }),
      { numRuns: 60 },
    )
  })
})
