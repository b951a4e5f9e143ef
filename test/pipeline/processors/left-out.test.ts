/** A record whose decision fails is left out; all others are decided as if it had not existed. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { invariant } from '../../../pipeline/invariant.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import type { Append, Log } from '../../../pipeline/log/log.ts'
import type { Processor } from '../../../pipeline/processors/processor.ts'
import { boardProcessor } from '../../../pipeline/processors/service-processor.ts'
import { run } from '../../../pipeline/run/run.ts'
import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'

const prices = (book: string, laterMs: number, home: number, away: number) =>
  statement(book, 'Leeds United', 'Brentford', [selection('home', home), selection('away', away)], {
    laterMs,
  })

const board = boardProcessor()

/** Creates a board that fails in the middle of a record of this sportsbook. */
const failingAt = (book: string, fail: () => never): Processor => ({
  ...board,
  create(counts) {
    const state = board.create(counts)
    return {
      ...state,
      decide(records) {
        for (const record of records) {
          const { sportsbook, markets } = record.value as OddsRecord
          const [first] = markets ?? []
          if (sportsbook === book && first) {
            const selections = [first.selections[0], undefined]
            let hasFailed = false
            const get = () => {
              if (hasFailed) return undefined
              hasFailed = true
              return fail()
            }
            // One price is taken before reading the second selection fails.
            Object.defineProperty(selections, 1, { get })
            const markets = [{ ...first, selections } as FeedMarket]
            Object.assign(record.value as object, { markets })
          }
        }
        return state.decide(records)
      },
    }
  },
})

describe('a record whose decision fails', () => {
  let folder: string
  let log: Log

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'overround-left-out-'))
    log = await openEmbeddedLog({ path: join(folder, 'log') })
  })
  afterEach(async () => {
    await log.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const publish = (records: readonly OddsRecord[]) =>
    log.append(
      records.map((value) => {
        const { league } = value.event
        return { topic: topics.feedOdds, partitionKey: league, key: league, value } as Append
      }),
    )

  async function runOver(processor: Processor, recordCount: number) {
    const stop = new AbortController()
    const leftOut: string[] = []
    let decided = 0
    let counts: ReadonlyMap<string, number> = new Map()
    await run(processor, log, {
      signal: stop.signal,
      maxRecords: 4,
      clock: () => noon,
      onLeftOut: ({ message }) => leftOut.push(message),
      onCommit(batch) {
        decided += batch.records
        counts = batch.counts
        if (decided === recordCount) stop.abort()
      },
    })
    return { leftOut, counts }
  }

  async function table<Row>(topic: (typeof topics)[keyof typeof topics]): Promise<Row[]> {
    const rows: Row[] = []
    const { signal } = new AbortController()
    for await (const records of log.replay([topic], { partitions: [0], signal })) {
      for (const { value } of records) rows.push(value as Row)
    }
    return rows
  }

  const records = [
    prices('fanduel', 0, 2, 3),
    prices('draftkings', 0, 2.1, 3.1),
    prices('poison', 0, 9, 9),
    prices('fanduel', 1_000, 2.2, 3.2),
    prices('poison', 2_000, 9, 9),
    prices('draftkings', 2_000, 2.3, 3.3),
  ]

  it('leaves no trace on the tables, but a dead letter', async () => {
    await publish(records)
    const failing = failingAt('poison', () => {
      throw new TypeError('not a selection')
    })
    const { leftOut, counts } = await runOver(failing, records.length)
    expect(leftOut).toHaveLength(2)
    expect(leftOut[0]).toMatch(/feed\.odds, partition 0, offset \d+: TypeError: not a selection/)
    expect(counts.get('decision_failed')).toBe(2)
    const odds = await table<OddsRow>(topics.odds)
    expect(odds.map(({ sportsbook, price }) => `${sportsbook} ${price}`).sort()).toEqual([
      'draftkings 2.3',
      'draftkings 3.3',
      'fanduel 2.2',
      'fanduel 3.2',
    ])
    const sightings = await table<{ sportsbook: string }>(topics.sightings)
    expect(sightings.map(({ sportsbook }) => sportsbook).sort()).toEqual(['draftkings', 'fanduel'])
    const letters = await deadLetters(2)
    expect(letters).toMatchObject([
      { sportsbook: 'poison', code: 'decision_failed', receivedAt: noon },
      { sportsbook: 'poison', code: 'decision_failed' },
    ])
    expect(letters[0]?.text).toContain('"sportsbook":"poison"')
  })

  it('stops the process when it breaks an invariant of ours', async () => {
    await publish(records)
    const failing = failingAt('poison', () => {
      invariant(false, 'of ours')
      throw new Error('not reached')
    })
    await expect(runOver(failing, records.length)).rejects.toThrow('of ours')
    expect(await table(topics.odds)).toEqual([])
  })

  async function deadLetters(count: number) {
    const stop = new AbortController()
    const letters: { sportsbook: string; code: string; receivedAt: number; text: string }[] = []
    const options = { group: 'reader', signal: stop.signal }
    for await (const { batches } of log.join([topics.feedRejected], options)) {
      for await (const batch of batches) {
        for (const { value } of batch.records) letters.push(value as (typeof letters)[number])
        await batch.commit([])
        if (letters.length >= count) stop.abort()
      }
    }
    return letters
  }
})
