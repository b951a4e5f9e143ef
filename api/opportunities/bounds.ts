/** Bounds with defaults: they exclude items from lists and streams even if a client does not send them. */

import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import { byKind, type OpportunityKind, opportunityKinds } from '../../schemas/opportunity.ts'
import type { Kind } from './kind.ts'

type Contracts = typeof opportunityContracts

/** Names of bounds of all kinds. */
export type BoundName = {
  [Name in keyof Contracts]: keyof Contracts[Name]['bounds']
}[keyof Contracts]
export type Bounds = Readonly<Record<OpportunityKind, Readonly<Record<string, number>>>>

/** Returns the bounds of a kind's list. */
export function listBounds({ contract }: Kind, query: Readonly<Record<string, unknown>>) {
  const bounds = Object.entries(contract.bounds).map(
    ([name, { ofLists }]) => [name, (query[name] as number | undefined) ?? ofLists] as const,
  )
  return Object.fromEntries(bounds)
}

/**
 * Returns the bounds of a stream of all kinds. A parameter changes only the kind whose contract has
 * it for streams. Another kind with a bound of this name keeps its default.
 */
export const streamBounds = (
  filters: Readonly<Partial<Record<BoundName, number | undefined>>>,
): Bounds =>
  byKind((kind) => {
    const { bounds, streamQuery, addressQuery }: OpportunityContract = opportunityContracts[kind]
    const parameters = { ...streamQuery, ...addressQuery }
    const values = Object.entries(bounds).map(([name, { ofStreams }]) => {
      const requested = name in parameters ? filters[name as BoundName] : undefined
      return [name, requested ?? ofStreams] as const
    })
    return Object.fromEntries(values)
  })

/** Returns whether all figures within `narrow` are within `wide`. */
export const areNarrower = (wide: Bounds, narrow: Bounds) =>
  opportunityKinds.every((kind) =>
    Object.entries(wide[kind]).every(([name, bound]) => {
      const other = narrow[kind][name]!
      return name.startsWith('max_') ? other <= bound : other >= bound
    }),
  )
