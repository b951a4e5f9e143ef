/** Bounds with defaults: they exclude items from lists and streams even if a client does not send them. */

import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { Kind } from './kind.ts'

type Contracts = typeof opportunityContracts

/** Names of bounds of all kinds. */
export type BoundName = {
  [Name in keyof Contracts]: keyof Contracts[Name]['bounds']
}[keyof Contracts]
export type Bounds = Readonly<Record<BoundName, number>>

/** Returns the bounds of a kind's list. */
export function listBounds({ contract }: Kind, query: Readonly<Record<string, unknown>>) {
  const bounds = Object.entries(contract.bounds).map(
    ([name, { ofLists }]) => [name, (query[name] as number | undefined) ?? ofLists] as const,
  )
  return Object.fromEntries(bounds)
}

/** A parameter of two kinds is one parameter of a stream. */
const ofStreams = Object.fromEntries(
  Object.values(opportunityContracts).flatMap(({ bounds }) =>
    Object.entries(bounds).map(([name, bound]) => [name, bound.ofStreams]),
  ),
) as Bounds

const boundNames = Object.keys(ofStreams) as readonly BoundName[]

/** Returns whether all figures within `narrow` are within `wide`. */
export const areNarrower = (wide: Bounds, narrow: Bounds) =>
  boundNames.every((name) =>
    name.startsWith('max_') ? narrow[name] <= wide[name] : narrow[name] >= wide[name],
  )

/** Returns the bounds of a stream of all kinds. */
export const streamBounds = (filters: Readonly<Partial<Record<BoundName, number | undefined>>>) =>
  Object.fromEntries(boundNames.map((name) => [name, filters[name] ?? ofStreams[name]])) as Bounds
