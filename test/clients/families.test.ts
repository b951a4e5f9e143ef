import { expect, it } from 'vitest'
import { eventPrefixes } from '../../api/clients/typescript/src/stream/stream-client.ts'
import { familyOf, opportunityKinds, prefixOf } from '../../schemas/opportunity.ts'

it('of opportunities, and their events, are named by the client as by the service', () => {
  const expected = opportunityKinds.map((kind) => [familyOf(kind), prefixOf(kind)] as const)
  expect(Object.entries(eventPrefixes)).toEqual(expected)
})
