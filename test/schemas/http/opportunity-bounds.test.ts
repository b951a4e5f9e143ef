/** Each bound of a kind of opportunity is a parameter of streams, or named here as one of lists alone. */

import { expect, it } from 'vitest'
import { opportunityContracts } from '../../../schemas/http/opportunities/contracts.ts'
import type { OpportunityContract } from '../../../schemas/http/opportunities/opportunity.ts'
import { type OpportunityKind, opportunityKinds } from '../../../schemas/opportunity.ts'
import { streamFilters } from '../../../schemas/stream/filters.ts'

const ofListsAlone: Partial<Record<OpportunityKind, readonly string[]>> = { ev: ['max_hold'] }

it.each(opportunityKinds)('streams take the bounds of %s', (kind) => {
  const contract: OpportunityContract = opportunityContracts[kind]
  const { bounds, streamQuery = {}, addressQuery = {} } = contract
  const taken = Object.entries({ ...streamQuery, ...addressQuery })
  const names = [...taken.map(([name]) => name), ...(ofListsAlone[kind] ?? [])]
  expect(names.sort()).toEqual(Object.keys(bounds).sort())
  for (const [name, query] of taken) {
    expect(streamFilters.get(name)?.query).toBe(query)
    expect(streamFilters.get(name)?.frame !== undefined).toBe(name in streamQuery)
  }
})
