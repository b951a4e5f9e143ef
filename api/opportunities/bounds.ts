/** The bounds that leave items out of lists and streams even where a client does not name them. */

import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { Kind } from './kind.ts'

type Contracts = typeof opportunityContracts

/** Parameters, of whichever kinds. */
export type BoundName = {
  [Name in keyof Contracts]: keyof Contracts[Name]['bounds']
}[keyof Contracts]
export type Bounds = Readonly<Record<BoundName, number>>

/** Of a list of one kind. */
export function listBounds({ contract }: Kind, query: Readonly<Record<string, unknown>>) {
  const bounds = Object.entries(contract.bounds).map(
    ([name, { ofLists }]) => [name, (query[name] as number | undefined) ?? ofLists] as const,
  )
  return Object.fromEntries(bounds)
}

/** A parameter that two kinds have is one parameter of a stream. */
const ofStreams = Object.fromEntries(
  Object.values(opportunityContracts).flatMap(({ bounds }) =>
    Object.entries(bounds).map(([name, of]) => [name, of.ofStreams]),
  ),
) as Bounds

const boundNames = Object.keys(ofStreams) as readonly BoundName[]

/** Of a stream of every kind. */
export const streamBounds = (filters: Readonly<Partial<Record<BoundName, number | undefined>>>) =>
  Object.fromEntries(boundNames.map((name) => [name, filters[name] ?? ofStreams[name]])) as Bounds
