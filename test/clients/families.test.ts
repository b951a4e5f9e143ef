import { expect, it } from 'vitest'
import { eventPrefixes } from '../../api/clients/typescript/src/stream/stream-client.ts'
import { familyOf, opportunityKinds, prefixOf } from '../../schemas/opportunity.ts'

it('opportunities, and their events, have the same names in the client and in the service', () => {
  const expected = opportunityKinds.map((kind) => [familyOf(kind), prefixOf(kind)] as const)
  expect(Object.entries(eventPrefixes)).toEqual(expected)
})
