/**
 * The processor of the service: every table that is kept from what feeds say, in one commit, with a
 * state of its own for each partition. A further table is one more line here.
 */

import { type Fees, noFees } from '../rules/fees.ts'
import { type Derived, withDerived } from './derived.ts'
import { createEventProcessor, type EventTable } from './event-tables.ts'
import { futures } from './futures.ts'
import { opportunities } from './opportunities/opportunities.ts'
import { perPartition } from './per-partition.ts'
import { latestOdds } from './prices/latest-odds.ts'
import type { Processor } from './processor.ts'
import { recordedTime } from './recorded-time.ts'
import { sportsbookStatus } from './sportsbook-status.ts'

/** The consumer group: what has been read is committed under this name. */
const group = 'board'

const eventTables: readonly EventTable[] = [latestOdds, sportsbookStatus, futures, recordedTime]

/**
 * @param chain the sportsbooks that +EV is measured against, the first choice first
 * @param fees those that opportunities count
 */
export const serviceProcessor = (chain: readonly string[], fees: Fees = noFees): Processor =>
  boardProcessor({ derived: [opportunities(chain, fees)] })

/** The board alone, or with other tables. */
export function boardProcessor({
  tables = [],
  derived = [],
}: {
  /** Beside those of the service. */
  readonly tables?: readonly EventTable[]
  /** In the order they follow from each other. */
  readonly derived?: readonly Derived[]
} = {}): Processor {
  const processor = createEventProcessor(group, [...eventTables, ...tables])
  return perPartition(derived.reduce(withDerived, processor))
}
