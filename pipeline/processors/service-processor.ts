/**
 * The processor of the service: updates all tables that are computed from feeds in one commit, with a separate state
 * for each partition. To add a table, add a line here.
 */

import type { Chains } from '../rules/odds/chains.ts'
import { type Fees, noFees } from '../rules/odds/fees.ts'
import { noReferences } from '../rules/odds/sharp-books.ts'
import { type Derived, withDerived } from './derived.ts'
import { createEventProcessor, type EventTable } from './event-tables.ts'
import { futures } from './futures.ts'
import { gameStates } from './game-states.ts'
import { opportunities } from './opportunities/opportunities.ts'
import { perPartition } from './per-partition.ts'
import { latestOdds } from './prices/latest-odds.ts'
import type { Processor } from './processor.ts'
import { recordedTime } from './recorded-time.ts'
import { splits } from './splits.ts'
import { sportsbookStatus } from './sportsbook-status.ts'

/** The consumer group of the processor. */
const group = 'board'

/**
 * @param chain what +EV is measured against
 * @param options.fees the fees that are subtracted from prices in opportunities
 * @param options.references sportsbooks that others are measured against, and that nobody bets at
 * @param options.keepsHistory whether past states of the tables are also written, for the archive
 */
export const serviceProcessor = (
  chain: Chains,
  {
    fees = noFees,
    keepsHistory = false,
    references = noReferences,
  }: {
    readonly fees?: Fees
    readonly keepsHistory?: boolean
    readonly references?: ReadonlySet<string>
  } = {},
): Processor =>
  boardProcessor({ derived: [opportunities(chain, fees, keepsHistory, references)], keepsHistory })

/** Creates a processor with the tables of the board, and any others given. */
export function boardProcessor({
  tables = [],
  derived = [],
  keepsHistory = false,
}: {
  /** Tables besides those of the service. */
  readonly tables?: readonly EventTable[]
  /** Derived tables; each may use the ones before it. */
  readonly derived?: readonly Derived[]
  readonly keepsHistory?: boolean
} = {}): Processor {
  const processor = createEventProcessor(group, [
    latestOdds(keepsHistory),
    sportsbookStatus,
    futures,
    gameStates,
    recordedTime,
    splits(keepsHistory),
    ...tables,
  ])
  return perPartition(derived.reduce(withDerived, processor))
}
