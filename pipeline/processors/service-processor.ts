/**
 * The processor of the service: every table that is kept from feeds, in one commit, with a separate state for each
 * partition. A further table is one more line here.
 */

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
 * @param chain the sportsbooks that +EV is measured against, the first choice first
 * @param options.fees those that opportunities count
 * @param options.references sportsbooks that measure others, and that nobody can bet at
 * @param options.keepsHistory whether the history that tables drop is written, for an archive
 */
export const serviceProcessor = (
  chain: readonly string[],
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

/** Creates the processor of the board alone, or with other tables. */
export function boardProcessor({
  tables = [],
  derived = [],
  keepsHistory = false,
}: {
  /** Tables besides those of the service. */
  readonly tables?: readonly EventTable[]
  /** Derived tables, in their order of dependency. */
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
