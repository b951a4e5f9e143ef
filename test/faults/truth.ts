/**
 * The expected state at the end: opportunities computed from the whole board at once, and every acknowledged price
 * once in the archive.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Archive } from '../../pipeline/archive/archive.ts'
import { openKafkaLog } from '../../pipeline/log/kafka/kafka-log.ts'
import { sharpChain, withConsensus } from '../../pipeline/rules/odds/sharp-books.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import { priceChange } from '../../schemas/price-change.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { FoldedBoard } from '../oracle/real-board.ts'
import { type ExpectedOpportunity, slowOpportunities } from '../oracle/slow-opportunities.ts'
import { patienceMs } from '../patience.ts'
import { type Cluster, partitionCount, topicPrefix } from './cluster.ts'

/** Reads the tables from the log. */
export async function readBoard({ brokerAddresses, registryUrl }: Cluster): Promise<FoldedBoard> {
  const log = await openKafkaLog({
    brokers: brokerAddresses.split(','),
    registryUrl,
    clientId: 'faults-truth',
    topicPrefix,
    partitions: partitionCount,
    setup: 'check',
  })
  try {
    const partitions = Array.from({ length: log.partitionCount }, (_, partition) => partition)
    const { signal } = new AbortController()
    const table = async <Row>(topic: Topic<Row>) => {
      const rows = new Map<string, Row>()
      for await (const records of log.replay([topic as Topic], { partitions, signal })) {
        for (const { key, value } of records) rows.set(key, value as Row)
      }
      return rows
    }
    return {
      events: await table(topics.events),
      sightings: await table(topics.sightings),
      odds: await table(topics.odds),
      closingLines: await table(topics.closingLines),
      sportsbookStatus: await table(topics.sportsbookStatus),
      mainLines: new Map(),
      opportunities: await table(topics.opportunities),
    }
  } finally {
    await log.close()
  }
}

/** Returns the number of expected opportunities, and those that are missing, invented or different. */
export function judgeOpportunities(board: FoldedBoard) {
  const now = Math.max(...[...board.sightings.values()].map(({ lastSeenAt }) => lastSeenAt))
  const expected = slowOpportunities(board, now, withConsensus(sharpChain('pinnacle'))).rows
  const said = ({ kind, legs, scopes, isSuspected, reference }: ExpectedOpportunity) =>
    JSON.stringify({ kind, legs, scopes, isSuspected, reference })
  const wrong: string[] = []
  for (const id of new Set([...expected.keys(), ...board.opportunities.keys()])) {
    const [is, ought] = [board.opportunities, expected].map((rows) => rows.get(id))
    const [isSaid, oughtSaid] = [is, ought].map((row) => (row ? said(row) : 'nothing'))
    if (isSaid !== oughtSaid) wrong.push(`${id} is ${isSaid} and should be ${oughtSaid}`)
  }
  return { count: expected.size, wrong }
}

/** Returns the closes that the archive has of an event now, as its answers take them. */
export const archivedCloses = (archive: Archive, eventId: string) =>
  archive
    .query<Pick<ClosingLine, 'sportsbook' | 'selectionType' | 'price'>>(
      `SELECT sportsbook, selection_type AS selectionType, price
        FROM closing_lines FINAL WHERE event_id = {id:String}`,
      { id: eventId },
      limits,
    )
    .catch(() => [])

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e9, memoryBytes: 1e9 }

/**
 * Returns how often the archive has each price of an odds id.
 * @param newest waits until the archive has this price
 */
export async function archivedPrices(
  archive: Archive,
  oddsId: number,
  newest: number,
): Promise<ReadonlyMap<number, number>> {
  const statement = `SELECT price, toUInt32(count()) AS times FROM price_changes
    WHERE odds_id = {id:UInt64} AND bitAnd(what, {what:UInt8}) != 0 GROUP BY price`
  const what = priceChange.listed | priceChange.price
  const deadline = performance.now() + patienceMs
  for (;;) {
    const rows = await archive
      .query<{ price: number; times: number }>(statement, { id: String(oddsId), what }, limits)
      .catch(() => [])
    const counts = new Map(rows.map(({ price, times }) => [price, Number(times)] as const))
    if (counts.has(newest) || performance.now() > deadline) return counts
    await delay(500)
  }
}
