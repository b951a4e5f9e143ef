/** A further table kept from statements about events can be attached without changes elsewhere. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSink } from '../../../pipeline/feeds/sink.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Log } from '../../../pipeline/log/log.ts'
import { boardProcessor } from '../../../pipeline/processors/service-processor.ts'
import { run } from '../../../pipeline/run/run.ts'
import type { FeedRecord, GameStateRecord, OddsRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'
import { type LastGameState, lastGameStates, lastGameStateTopic } from './last-game-states.ts'

const minute = 60_000
const hour = 60 * minute

type Sides = readonly [home: string, away: string]
type Said = Parameters<typeof statement>[4]

const leeds: Sides = ['Leeds United', 'Brentford']
const everton: Sides = ['Everton', 'Arsenal']

const prices = (sportsbook: string, [home, away]: Sides, said: Said = {}): OddsRecord =>
  statement(sportsbook, home, away, [selection('home', 2), selection('away', 3)], said)

function score(
  sportsbook: string,
  sides: Sides,
  [home, away]: readonly [number, number],
  said: Said = {},
): GameStateRecord {
  const { observedAt, event } = prices(sportsbook, sides, said)
  const state = { home_score: home, away_score: away }
  return { type: 'game_state', sportsbook, observedAt, event, state }
}

function createBoard(restarts = false) {
  const board = createRealBoard({ tables: [lastGameStates] })
  return {
    tables: board.tables,
    /** Takes each record by itself, with a restart in between if wanted. */
    take(...records: Parameters<typeof board.take>[0]) {
      for (const record of records) {
        board.take([record])
        if (restarts) board.restart()
      }
    },
    scores: () =>
      [...board.tableOf(lastGameStateTopic).values()].map(
        ({ eventId, sportsbook, homeScore, awayScore }: LastGameState) =>
          `${eventId.split('_')[4]} ${sportsbook} ${homeScore}:${awayScore}`,
      ),
    starts: () => [...board.tables.events.values()].map(({ startsAt }) => startsAt - noon - hour),
  }
}

describe.each([false, true])('a table of game states (restarting: %s)', (restarts) => {
  it('finds the event of prices, however the sportsbook spells and orders its sides', () => {
    const board = createBoard(restarts)
    board.take(
      prices('fanduel', leeds),
      score('fanduel', leeds, [1, 0]),
      score('draftkings', ['Brentford FC', 'Leeds'], [0, 2], { externalId: '7' }),
    )
    expect(board.tables.events.size).toBe(1)
    expect(board.scores()).toEqual(['brentford fanduel 1:0', 'brentford draftkings 2:0'])
  })

  it('makes the event where there is none, and prices that follow are of the same', () => {
    const board = createBoard(restarts)
    board.take(
      score('fanduel', leeds, [0, 1]),
      prices('draftkings', leeds),
      prices('fanduel', leeds),
    )
    expect(board.tables.events.size).toBe(1)
    expect(board.tables.odds.size).toBe(4)
    expect(board.scores()).toEqual(['brentford fanduel 0:1'])
  })

  it('keeps the newest state, whatever comes late', () => {
    const board = createBoard(restarts)
    board.take(
      score('fanduel', leeds, [0, 0]),
      score('fanduel', leeds, [1, 0], { laterMs: 2 * minute }),
      score('fanduel', leeds, [0, 0], { laterMs: minute }),
    )
    expect(board.scores()).toEqual(['brentford fanduel 1:0'])
  })

  it('changes nothing set by prices: neither start nor listing nor freshness', () => {
    const board = createBoard(restarts)
    board.take(prices('fanduel', leeds))
    const before = structuredClone(board.tables)
    board.take(
      score('fanduel', leeds, [0, 1], {
        laterMs: minute,
        startsLaterMs: 5 * minute,
        externalId: 'scores',
      }),
    )
    expect(board.tables).toEqual(before)
    expect(board.scores()).toEqual(['brentford fanduel 0:1'])
  })

  it('sets the start of a game as long as nobody has given prices', () => {
    const board = createBoard(restarts)
    board.take(
      score('fanduel', leeds, [0, 0]),
      score('fanduel', leeds, [0, 0], { laterMs: minute, startsLaterMs: 5 * minute }),
      // An older record that arrives late.
      score('fanduel', leeds, [0, 0], { laterMs: 1_000, startsLaterMs: 3 * minute }),
    )
    expect(board.starts()).toEqual([5 * minute])
    board.take(
      prices('fanduel', leeds, { startsLaterMs: 7 * minute }),
      score('fanduel', leeds, [0, 1], { laterMs: 2 * minute, startsLaterMs: 9 * minute }),
    )
    expect(board.starts()).toEqual([7 * minute])
  })

  it('follows a game through a relisting', () => {
    const board = createBoard(restarts)
    board.take(
      prices('fanduel', leeds, { externalId: 'A' }),
      score('fanduel', leeds, [1, 0], { externalId: 'A' }),
      prices('fanduel', leeds, { externalId: 'B', laterMs: minute }),
      score('fanduel', leeds, [1, 1], { externalId: 'B', laterMs: 2 * minute }),
    )
    expect(board.scores()).toEqual(['brentford fanduel 1:1'])
    // A late record under the former id still finds the game.
    board.take(score('fanduel', leeds, [2, 1], { externalId: 'A', laterMs: 3 * minute }))
    expect(board.tables.events.size).toBe(1)
    expect(board.scores()).toEqual(['brentford fanduel 2:1'])
  })

  it('has no state of a game whose listing was moved to another', () => {
    const board = createBoard(restarts)
    board.take(
      prices('fanduel', leeds, { externalId: 'A' }),
      score('fanduel', leeds, [1, 0], { externalId: 'A' }),
      prices('fanduel', everton, { externalId: 'A', laterMs: minute }),
    )
    expect(board.scores()).toEqual([])
    // Nor does a record under the other's id count while that game has prices.
    board.take(score('fanduel', leeds, [1, 1], { externalId: 'A', laterMs: 2 * minute }))
    expect(board.scores()).toEqual([])
    board.take(score('fanduel', everton, [0, 3], { externalId: 'A', laterMs: 3 * minute }))
    expect(board.scores()).toEqual(['arsenal fanduel 0:3'])
  })

  it('has no state whose sides were corrected', () => {
    const board = createBoard(restarts)
    board.take(
      prices('draftkings', leeds),
      prices('fanduel', leeds),
      score('fanduel', leeds, [1, 0]),
      prices('fanduel', ['Brentford', 'Leeds United'], { laterMs: minute }),
    )
    expect(board.scores()).toEqual([])
  })

  it('keeps a state when the prices expire, and forgets it with the event', () => {
    const board = createBoard(restarts)
    board.take(prices('fanduel', leeds), score('fanduel', leeds, [1, 0]))
    board.take({ type: 'tick', observedAt: noon + 2 * hour })
    expect(board.tables.odds.size).toBe(0)
    expect(board.scores()).toEqual(['brentford fanduel 1:0'])
    board.take({ type: 'tick', observedAt: noon + 50 * hour })
    expect([board.tables.events.size, board.tables.sightings.size]).toEqual([0, 0])
    expect(board.scores()).toEqual([])
  })
})

describe('a table of game states over a log', () => {
  it('is kept in the commits of the board, and restored with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'overround-event-tables-'))
    const processor = boardProcessor({ tables: [lastGameStates] })

    /** Publishes records, and runs the processor until it has taken all of them. */
    async function play(log: Log, records: readonly FeedRecord[]) {
      await createSink(log, () => noon).publish(records)
      const stop = new AbortController()
      let left = records.length
      await run(processor, log, {
        signal: stop.signal,
        onCommit(batch) {
          left -= batch.records
          if (left === 0) stop.abort()
        },
      })
    }
    async function scores(log: Log): Promise<LastGameState[]> {
      const partitions = Array.from({ length: log.partitionCount }, (_, i) => i)
      const rows: LastGameState[] = []
      const { signal } = new AbortController()
      for await (const records of log.replay([lastGameStateTopic], { partitions, signal })) {
        for (const { value } of records) rows.push(value as LastGameState)
      }
      return rows
    }

    try {
      let log = await openEmbeddedLog({ path: folder })
      await play(log, [prices('fanduel', leeds), score('draftkings', leeds, [1, 0])])
      await log.close()
      log = await openEmbeddedLog({ path: folder })
      const late = score('draftkings', leeds, [0, 0], { laterMs: -minute })
      await play(log, [late, score('fanduel', leeds, [2, 0], { laterMs: minute })])
      const rows = await scores(log)
      expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(1)
      expect(
        rows.map((row) => `${row.sportsbook} ${row.homeScore}:${row.awayScore}`).sort(),
      ).toEqual(['draftkings 1:0', 'fanduel 2:0'])
      expect(await log.lag([topics.feedOdds, topics.feedGameState], processor.name)).toBe(0)
      await log.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
