/** The table of splits, and when a snapshot is taken. */

import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../pipeline/log/log.ts'
import { boardProcessor } from '../../../pipeline/processors/service-processor.ts'
import type { FeedRecord, SplitsRecord } from '../../../schemas/feed-record.ts'
import type { SplitSnapshot } from '../../../schemas/splits.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const minute = 60_000

type Sides = readonly [home: string, away: string]
type Said = Parameters<typeof statement>[4]
const leeds: Sides = ['Leeds United', 'Brentford']
const turned: Sides = ['Brentford', 'Leeds United']

const prices = (sportsbook: string, [home, away]: Sides, said: Said = {}) =>
  statement(sportsbook, home, away, [selection('home', 2), selection('away', 3)], said)

/** @param home share of the bets on home, of a moneyline; null for splits without figures */
function splits(
  sportsbook: string,
  sides: Sides,
  home: number | null,
  said: Said = {},
): SplitsRecord {
  const { observedAt, event } = prices(sportsbook, sides, said)
  const bets = home === null ? null : ([1 - home, home] as const)
  const moneyline = { handle: null, bets, awayPrice: null, homePrice: null }
  return { type: 'splits', sportsbook, observedAt, event, moneyline, spread: null, total: null }
}

describe.each([false, true])('the table of splits (restarting: %s)', (restarts) => {
  function createBoard() {
    const board = createRealBoard()
    return {
      take(...records: FeedRecord[]) {
        for (const record of records) {
          board.take([record])
          if (restarts) board.restart()
        }
      },
      counts: () => board.counts(),
      shown: () =>
        [...board.tableOf(topics.splits).values()].map(
          ({ sportsbook, moneyline, observedAt }) =>
            `${sportsbook} ${moneyline?.bets?.[1]} ${(observedAt - noon) / minute}`,
        ),
    }
  }

  it('has the newest record of each source book, in the orientation of the event', () => {
    const board = createBoard()
    board.take(
      prices('fanduel', leeds),
      splits('draftkings', leeds, 0.75),
      splits('betmgm', turned, 0.25, { externalId: 'm' }),
      splits('draftkings', leeds, 0.5, { laterMs: 2 * minute }),
      // A late record.
      splits('draftkings', leeds, 0.25, { laterMs: minute }),
    )
    expect(board.shown()).toEqual(['draftkings 0.5 2', 'betmgm 0.75 0'])
  })

  it('has nothing of a silent source, nor of a game that is over', () => {
    const board = createBoard()
    board.take(
      splits('draftkings', leeds, 0.75),
      splits('betmgm', leeds, 0.75),
      splits('draftkings', leeds, null, { laterMs: minute }),
    )
    expect(board.shown()).toEqual(['betmgm 0.75 0'])
    const { event } = prices('betmgm', leeds)
    const over = { sportsbook: 'betmgm', observedAt: noon + 3 * minute, event } as const
    board.take({ type: 'event_status', ...over, status: 'final' })
    expect(board.shown()).toEqual([])
    board.take(splits('betmgm', leeds, 0.5, { laterMs: 4 * minute }))
    expect(board.shown()).toEqual([])
  })
})

describe.each([false, true])('snapshots of splits (restarting: %s)', (restarts) => {
  /** Returns the snapshots of each batch, as minutes, sportsbook and share. */
  function snapshotsOf(batches: readonly (readonly FeedRecord[])[], keepsHistory = true) {
    const processor = boardProcessor({ keepsHistory })
    let state = processor.create()
    const kept = new Map<string, LogRecord>()
    const taken: SplitSnapshot[] = []
    const logRecord = (topic: Topic, key: string, value: unknown): LogRecord => {
      const read = value === null ? null : topic.decode(topic.encode(value))
      return { topic, partition: 0, offset: 0, key, value: read }
    }
    for (const batch of batches) {
      const records = batch.map((record) => {
        const topic = record.type === 'splits' ? topics.feedSplits : topics.feedOdds
        return logRecord(topic as Topic, 'k', record)
      })
      for (const { topic, key, value } of state.decide(records)) {
        const record = logRecord(topic, key, value)
        if (topic.name === topics.splitSnapshots.name) taken.push(record.value as SplitSnapshot)
        else kept.set(`${topic.name} ${key}`, record)
      }
      if (!restarts) continue
      state = processor.create()
      for (const { name } of processor.tables) {
        for (const record of kept.values()) if (record.topic.name === name) state.restore(record)
      }
    }
    return taken.map(
      ({ at, sportsbook, moneyline, flipped }) =>
        `${(at - noon) / minute} ${sportsbook} ${moneyline?.bets?.[1]}${flipped ? ' flipped' : ''}`,
    )
  }
  const at = (minutes: number, home = 0.75, sportsbook = 'draftkings') =>
    splits(sportsbook, leeds, home, { laterMs: minutes * minute })

  it('are the first record of every five minutes of the clock, changed or not', () => {
    const said = [0, 1, 4.9, 5, 5.1, 9, 11, 14.999, 15].map((minutes) => [at(minutes)])
    expect(snapshotsOf(said)).toEqual([
      '0 draftkings 0.75',
      '5 draftkings 0.75',
      '11 draftkings 0.75',
      '15 draftkings 0.75',
    ])
  })

  it('are of each source book by itself, and none of a silent one', () => {
    const said = [
      [at(0), at(1, 0.5, 'betmgm')],
      [at(6, 0.25, 'betmgm'), at(7, 0.125, 'betmgm')],
      [at(31, 0.5)],
    ]
    expect(snapshotsOf(said)).toEqual([
      '0 draftkings 0.75',
      '1 betmgm 0.5',
      '6 betmgm 0.25',
      '31 draftkings 0.5',
    ])
  })

  it('exclude late records, and a clock that goes back', () => {
    expect(snapshotsOf([[at(6)], [at(1)], [at(-20)], [at(5)], [at(7)]])).toEqual([
      '6 draftkings 0.75',
    ])
  })

  it('record how the event was shown', () => {
    const others = ['fanduel', 'betmgm', 'caesars'].map((book) => prices(book, turned))
    expect(snapshotsOf([[prices('draftkings', leeds), at(0)], others, [at(5)]])).toEqual([
      '0 draftkings 0.75',
      '5 draftkings 0.75 flipped',
    ])
  })

  it('are not taken without an archive', () => {
    expect(snapshotsOf([[at(0)], [at(5)]], false)).toEqual([])
  })
})
