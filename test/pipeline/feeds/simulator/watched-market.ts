/** A simulated market on the real board with its opportunities, at any time of the test's clock. */
import {
  createSimulation,
  type SimulationOptions,
} from '../../../../pipeline/feeds/simulator/simulation.ts'
import { toAppend } from '../../../../pipeline/feeds/sink.ts'
import type { LogRecord } from '../../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../../pipeline/processors/service-processor.ts'
import { sharpChain } from '../../../../pipeline/rules/odds/sharp-books.ts'
import type { FeedRecord, TickRecord } from '../../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import type { OpportunityRow } from '../../../../schemas/opportunity.ts'
import { topics } from '../../../../schemas/topics.ts'

const isOfBoard = ({ type }: FeedRecord) =>
  type === 'odds' || type === 'event_status' || type === 'book_status'

/** An opportunity, with its current prices. */
export interface Standing {
  readonly row: OpportunityRow
  readonly legs: readonly OddsRow[]
}

export interface WatchedMarket {
  now(): number
  step(ms: number): void
  openNow(kind: OpportunityRow['kind']): Standing[]
}

/** Returns the profit of an arbitrage as a fraction of its stakes. */
export const profitOf = ({ legs }: Standing) =>
  1 / legs.reduce((sum, { price }) => sum + 1 / (price ?? 1), 0) - 1

export function watchMarket(options: SimulationOptions): WatchedMarket {
  const simulation = createSimulation(options)
  const state = serviceProcessor(sharpChain('pinnacle')).create()
  const odds = new Map<string, OddsRow>()
  const opportunities = new Map<string, OpportunityRow>()
  const tables = new Map<string, Map<string, unknown>>([
    [topics.odds.name, odds],
    [topics.opportunities.name, opportunities],
  ])
  let now = options.startAt
  let offset = 0

  function take(records: readonly FeedRecord[]) {
    const tick: TickRecord = { type: 'tick', observedAt: now }
    const inputs: LogRecord[] = [
      ...records.filter(isOfBoard).map((record) => toAppend(record)),
    ].map(({ topic, key, value }) => ({ topic, partition: 0, offset: offset++, key, value }))
    inputs.push({
      topic: topics.feedOdds,
      partition: 0,
      offset: offset++,
      key: 'tick',
      value: tick,
    })
    for (const { topic, key, value } of state.decide(inputs)) {
      const table = tables.get(topic.name)
      if (value === null) table?.delete(key)
      else table?.set(key, value)
    }
  }

  take(simulation.step(now))
  return {
    now: () => now,
    step(ms) {
      now += ms
      take(simulation.step(now))
    },
    openNow: (kind) =>
      [...opportunities.values()]
        .filter((row) => row.kind === kind)
        .map((row) => ({ row, legs: row.legs.map((id) => odds.get(String(id)) as OddsRow) })),
  }
}
