/** Records of feeds, and of the archive's topics, that are deleted before anybody has read them. */

import { randomUUID } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Archive, ArchiveRow } from '../../../pipeline/archive/archive.ts'
import { runArchiver } from '../../../pipeline/archive/archiver.ts'
import { openKafkaLog } from '../../../pipeline/log/kafka/kafka-log.ts'
import type { Log } from '../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import { run } from '../../../pipeline/run/run.ts'
import type { BoardRecord, FeedMarket } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import type { PriceChange } from '../../../schemas/price-change.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import '../../kafka-setup.ts'

const kafka = inject('kafka')
const absent = 'reason' in kafka
const { brokers, registryUrl } = absent ? { brokers: [], registryUrl: '' } : kafka

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function withAdmin<Value>(
  work: (admin: ReturnType<Kafka['admin']>) => Promise<Value>,
): Promise<Value> {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Deletes all records that a topic has. */
const emptyTopic = (topic: string) =>
  withAdmin(async (admin) => {
    const [end] = await admin.fetchTopicOffsets(topic)
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: end!.high }] })
  })

const deletedUnread = /^records were deleted before they were read/

async function open(topicPrefix: string) {
  const warnings: object[] = []
  const warn = (fields: object, message: string) => {
    if (deletedUnread.test(message)) warnings.push(fields)
  }
  const log = await openKafkaLog({
    ...{ brokers, registryUrl, topicPrefix },
    ...{ clientId: 'overround-test', partitions: 1, sessionTimeoutMs: 2_000 },
    logger: { debug() {}, info() {}, warn },
  })
  closing.push(() => log.close())
  return { log, warnings }
}

async function newPrefix() {
  const topicPrefix = `unread-${randomUUID().slice(0, 8)}.`
  closing.push(() =>
    withAdmin(async (admin) => {
      const names = await admin.listTopics()
      await admin.deleteTopics({ topics: names.filter((name) => name.startsWith(topicPrefix)) })
    }),
  )
  return topicPrefix
}

const at = Date.parse('2026-11-20T12:00:00Z')

const moneyline = (home: number, away: number): FeedMarket => ({
  ...{ marketType: 'moneyline', line: null, playerName: null, statCategory: null },
  ...{ externalId: null, maxBet: null, suspended: false },
  selections: (['home', 'away'] as const).map((selectionType) => ({
    selection: selectionType === 'home' ? 'Alphaville' : 'Betaburg',
    ...{ selectionType, line: null, price: selectionType === 'home' ? home : away },
    ...{ externalId: null, removed: false, suspended: false, maxBet: null },
    ...{ changedAt: null, publicBetPct: null, deepLink: null },
  })),
})

const odds = (sportsbook: string, home: number, away: number): BoardRecord => ({
  ...{ type: 'odds', sportsbook, mode: 'snapshot', observedAt: at },
  event: {
    ...{ externalId: `${sportsbook}-1`, sport: 'basketball', league: 'nba' },
    ...{ homeTeam: 'Alphaville', awayTeam: 'Betaburg' },
    ...{ startsAt: at + 3_600_000, isLive: false },
  },
  markets: [moneyline(home, away)],
})

const push = (log: Log, ...records: BoardRecord[]) =>
  log.append(
    records.map((value) => ({ topic: topics.feedOdds, partitionKey: 0, key: 'board', value })),
  )

async function pricesOf(log: Log) {
  const prices: string[] = []
  const { signal } = new AbortController()
  for await (const rows of log.replay([topics.odds], { partitions: [0], signal })) {
    for (const { value } of rows) {
      const { sportsbook, selectionType, price } = value as OddsRow
      prices.push(`${sportsbook} ${selectionType} ${price}`)
    }
  }
  return prices.sort()
}

/** Starts a pipeline. @returns what stops it */
function startPipeline(log: Log) {
  const stop = new AbortController()
  const running = run(serviceProcessor(['pinnacle']), log, { signal: stop.signal })
  return async () => {
    stop.abort()
    await running
    await log.close()
  }
}

/** An archive in memory, which says how far it is as ClickHouse does. */
function createArchive() {
  const inserted: ArchiveRow[] = []
  const archive = {
    async insert(table: string, _name: string, rows: readonly ArchiveRow[]) {
      if (table === 'price_changes') inserted.push(...rows)
    },
    async query(sql: string) {
      if (!sql.includes('FROM price_changes')) return []
      const reached = Math.max(-1, ...inserted.map(({ log_offset }) => Number(log_offset)))
      if (reached < 0) return sql.includes('GROUP BY') ? [] : [{ offset: null }]
      return [{ month: 202611, offset: String(reached) }]
    },
  } as unknown as Archive
  return { archive, prices: () => inserted.map(({ price }) => price) }
}

const changed = (price: number): PriceChange => ({
  ...{ oddsId: 1, eventId: 'event', league: 'nba', at, what: 2, price },
  ...{ isLive: false, isActive: true, of: null },
})

const change = (log: Log, ...prices: number[]) =>
  log.append(
    prices.map((price) => ({
      ...{ topic: topics.priceChanges as Topic, partitionKey: 0, key: 'event' },
      value: changed(price),
    })),
  )

const named = absent ? ` (skipped: ${kafka.reason})` : ''

describe.skipIf(absent)(`records that are deleted unread${named}`, () => {
  test('are told of once, and a pipeline continues with the oldest that is left', async () => {
    const topicPrefix = await newPrefix()
    const topic = `${topicPrefix}${topics.feedOdds.name}`
    const before = await open(topicPrefix)
    await push(before.log, odds('pinnacle', 2, 1.8), odds('draftkings', 1.9, 1.9))
    const stopBefore = startPipeline(before.log)
    await expect.poll(() => pricesOf(before.log)).toHaveLength(4)
    await stopBefore()

    // It is away: a price moves, another sportsbook comes, and both are deleted.
    const writer = await open(topicPrefix)
    await push(writer.log, odds('pinnacle', 2.1, 1.75), odds('fanduel', 2.2, 1.7))
    await emptyTopic(topic)
    const first = await open(topicPrefix)
    const stopFirst = startPipeline(first.log)
    const deleted = { group: `${topicPrefix}board`, topic, partition: 0, records: 2 }
    await expect.poll(() => first.warnings).toMatchObject([deleted])
    expect(first.log.deletedUnread().counts).toEqual(new Map([[topics.feedOdds.name, 2]]))
    await expect.poll(() => first.log.committed([topics.feedOdds], 'board')).toEqual([4])
    await stopFirst()

    // Nothing has come since: the next one is where the first was.
    const second = await open(topicPrefix)
    const stopSecond = startPipeline(second.log)
    await push(writer.log, odds('pinnacle', 2.3, 1.65))
    const left = ['pinnacle away 1.65', 'pinnacle home 2.3']
    const kept = ['draftkings away 1.9', 'draftkings home 1.9']
    await expect.poll(() => pricesOf(second.log)).toEqual([...kept, ...left])
    expect(second.warnings).toEqual([])
    await stopSecond()
  })

  test('are told of by an archiver, which archives what is left', async () => {
    const topicPrefix = await newPrefix()
    const topic = `${topicPrefix}${topics.priceChanges.name}`
    const { archive, prices } = createArchive()
    const start = async () => {
      const stop = new AbortController()
      const { log, warnings } = await open(topicPrefix)
      const running = runArchiver(log, archive, { signal: stop.signal, fillMs: 1 })
      const end = async () => {
        stop.abort()
        await running
        await log.close()
      }
      return { log, warnings, end }
    }
    const before = await start()
    await change(before.log, 2, 2.1)
    await expect.poll(prices).toEqual([2, 2.1])
    await expect.poll(() => before.log.lag([topics.priceChanges], 'archive')).toBe(0)
    await before.end()

    const writer = await open(topicPrefix)
    await change(writer.log, 2.2, 2.3, 2.4)
    await emptyTopic(topic)
    await change(writer.log, 2.5)
    const after = await start()
    await expect.poll(prices).toEqual([2, 2.1, 2.5])
    const deleted = { group: `${topicPrefix}archive`, topic, partition: 0, records: 3 }
    expect(after.warnings).toMatchObject([deleted])
    expect(after.log.deletedUnread().counts).toEqual(new Map([[topics.priceChanges.name, 3]]))
    await after.end()
  })
})
