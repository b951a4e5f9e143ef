import { expect, it } from 'vitest'
import { type ArchiveGap, gapMessages } from '../../../pipeline/archive/archive-gaps.ts'
import { archivedTopics, archiveGroup, runArchiver } from '../../../pipeline/archive/archiver.ts'
import type { GroupPlace } from '../../../pipeline/log/log.ts'
import { topics } from '../../../schemas/topics.ts'

const { closingLines, events, opportunityLives, priceChanges, splitSnapshots, usage } = topics
const place = { partition: 3, oldest: 0, committed: null, end: 0 }

/** The offsets from which records were read again, by topic. */
let again: Readonly<Record<string, number>> = {}

/**
 * Runs the archiver on one partition without new records.
 * @param rows the newest offset in the archive, by its table
 */
async function gapsWith(
  places: readonly GroupPlace[],
  rows: Readonly<Record<string, number>>,
): Promise<readonly Partial<ArchiveGap>[]> {
  const stop = new AbortController()
  const gaps: ArchiveGap[] = []
  again = {}
  const readAgain = (from: ReadonlyMap<string, number>) => {
    again = Object.fromEntries(from)
  }
  const log = {
    epoch: 'e',
    continues: [],
    async places(asked: unknown, group: string, partition: number) {
      expect([asked, group, partition]).toEqual([archivedTopics, archiveGroup, 3])
      return places
    },
    async *join() {
      yield { partition: 3, ended: stop.signal, batches: (async function* () {})(), readAgain }
    },
  }
  const archive = {
    insert: async () => {},
    async query(statement: string) {
      const offset = rows[/FROM (\w+)/.exec(statement)![1]!]
      return (offset === undefined ? [] : [{ month: 202611, offset: String(offset) }]) as never
    },
  }
  await runArchiver(log, archive, { signal: stop.signal, onGap: (gap) => void gaps.push(gap) })
  return gaps.map(({ kind, topic, records }) => ({ kind, topic, records }))
}

it('tells of an archive that is beyond the end of its log, as with a mirror that has the epoch of its source', async () => {
  const mirror = { ...place, topic: priceChanges, end: 500 }
  expect(await gapsWith([mirror], { price_changes: 1_999_999 })).toEqual([
    { kind: 'ahead', topic: 'price-changes', records: 1_999_500 },
  ])
  expect(await gapsWith([{ ...mirror, committed: 500 }], { price_changes: 499 })).toEqual([])
})

it('tells of an archive without rows of a log whose records were read', async () => {
  const read = { ...place, topic: priceChanges, oldest: 100, committed: 700, end: 800 }
  const closes = { ...place, topic: closingLines, committed: 4, end: 4 }
  expect(await gapsWith([read, closes], {})).toEqual([
    { kind: 'empty', topic: 'price-changes', records: 600 },
    { kind: 'empty', topic: 'closing-lines', records: 4 },
  ])
  expect(again).toEqual({ 'price-changes': 100, 'closing-lines': 0 })
  // A new group reads everything, and of records that are gone nothing is missing.
  expect(await gapsWith([{ ...read, committed: null }], {})).toEqual([])
  expect(again).toEqual({})
  expect(await gapsWith([{ ...read, oldest: 700 }], {})).toEqual([])
  expect(again).toEqual({})
})

it('tells of an archive that was restored from an earlier day', async () => {
  const read = { ...place, topic: priceChanges, oldest: 4_000, committed: 9_000, end: 9_100 }
  const gap = { kind: 'behind', topic: 'price-changes' }
  expect(await gapsWith([read], { price_changes: 4_999 })).toEqual([{ ...gap, records: 4_000 }])
  expect(again).toEqual({ 'price-changes': 5_000 })
  // What the log has no more is not asked for.
  expect(await gapsWith([read], { price_changes: 99 })).toEqual([{ ...gap, records: 5_000 }])
  expect(again).toEqual({ 'price-changes': 4_000 })
})

it('is quiet about offsets that are no rows', async () => {
  // Ends of transactions after the last record.
  const read = { ...place, topic: priceChanges, committed: 9_000, end: 9_100 }
  expect(await gapsWith([read], { price_changes: 8_500 })).toEqual([])
  // Closes that were removed.
  const closes = { ...place, topic: closingLines, committed: 9_000, end: 9_000 }
  expect(await gapsWith([closes], { closing_lines: 10 })).toEqual([])
  expect(again).toEqual({})
  // Splits that were kept for fewer days than others.
  const splits = { ...place, topic: splitSnapshots, oldest: 50, committed: 50, end: 50 }
  expect(await gapsWith([read, splits], { price_changes: 8_999 })).toEqual([])
})

it('reads closes again where another topic shows that the archive was restored', async () => {
  const read = { ...place, topic: priceChanges, committed: 9_000, end: 9_000 }
  const closes = { ...place, topic: closingLines, committed: 90, end: 90 }
  const rows = { price_changes: 4_999, closing_lines: 49 }
  expect(await gapsWith([read, closes], rows)).toHaveLength(1)
  expect(again).toEqual({ 'price-changes': 5_000, 'closing-lines': 50 })
})

it('reads the last closes again without a gap, where few records follow them', async () => {
  const read = { ...place, topic: priceChanges, committed: 9_000, end: 9_000 }
  const closes = { ...place, topic: closingLines, committed: 90, end: 90 }
  expect(await gapsWith([read, closes], { price_changes: 8_599, closing_lines: 49 })).toEqual([])
  expect(again).toEqual({ 'price-changes': 8_600, 'closing-lines': 50 })
})

it('misses no rows that the archive has let expire', async () => {
  const old = { ...place, oldest: 4_000, committed: 9_000, end: 9_000 }
  const expired = [priceChanges, splitSnapshots, opportunityLives, usage].map((topic) => ({
    ...old,
    topic,
  }))
  const closes = { ...place, topic: closingLines, committed: 4, end: 4 }
  expect(await gapsWith([...expired, closes], { closing_lines: 3 })).toEqual([])
  expect(again).toEqual({})
  // Events are kept for good.
  const lost = { ...old, topic: events, oldest: 0 }
  await gapsWith([lost, { ...old, topic: priceChanges }], { price_changes: 4_999 })
  expect(again).toEqual({ events: 0, 'price-changes': 5_000 })
})

it('says what to do about each', () => {
  expect(gapMessages.ahead).toContain('delete its topic meta')
  expect(gapMessages.empty).toContain('correct OVERROUND_CLICKHOUSE_URL')
  expect(gapMessages.behind).toContain('archived again')
})
