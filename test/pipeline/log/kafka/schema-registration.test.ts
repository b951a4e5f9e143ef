/** Registration at a fake registry; a real one loses its schemas in `kafka-log.kafka.test.ts`. */

import { expect, it } from 'vitest'
import { registerSchemas } from '../../../../pipeline/log/kafka/schema-registration.ts'
import {
  RegistryRefusedError,
  type SchemaRegistry,
} from '../../../../pipeline/log/kafka/schema-registry.ts'
import { LogSetupError } from '../../../../pipeline/log/log.ts'

const schema = { type: 'string' }

/** @param conflicts how often it responds that another change is in progress */
function registryOf({ isKnown, conflicts = 0 }: { isKnown: boolean; conflicts?: number }) {
  const registered: string[] = []
  const registry: Partial<SchemaRegistry> = {
    isKnown: async () => isKnown,
    async register(subject) {
      registered.push(subject)
      if (registered.length <= conflicts) throw new RegistryRefusedError('POST', 409, 'another')
      return 7
    },
  }
  return { registered, registry: registry as SchemaRegistry }
}

const register = (
  registry: SchemaRegistry,
  holdsRecords: (topic: string) => boolean,
  names = ['odds'],
) =>
  registerSchemas(
    registry,
    names.map((topic) => ({ topic, schema })),
    async (topic) => holdsRecords(topic),
  )

it.each([
  ['a topic without records, anywhere', false, false],
  ['a further schema of a topic with records', true, true],
  ['a schema of a topic whose records are gone', true, false],
])('registers %s', async (_, isKnown, holds) => {
  const { registered, registry } = registryOf({ isKnown })
  expect(await register(registry, () => holds)).toEqual(new Map([['odds', 7]]))
  expect(registered).toEqual(['odds-value'])
})

it('registers nothing if records of one topic were written with another registry', async () => {
  const { registered, registry } = registryOf({ isKnown: false })
  const registering = register(registry, (topic) => topic === 'odds', ['bets', 'odds', 'usage'])
  await expect(registering).rejects.toThrow(LogSetupError)
  await expect(registering).rejects.toThrow(/hold records \(odds\).*has lost its data/)
  expect(registered).toEqual([])
})

it('asks whether the registry knows a topic after whether it holds records', async () => {
  // Another process registers and writes between the two.
  let isWritten = false
  const { registry } = registryOf({ isKnown: false })
  const isKnown = async () => isWritten
  const registering = register({ ...registry, isKnown }, () => {
    isWritten = true
    return true
  })
  expect(await registering).toEqual(new Map([['odds', 7]]))
})

it('waits for another process that registers the same, and not for ever', async () => {
  const passing = registryOf({ isKnown: true, conflicts: 2 })
  expect(await register(passing.registry, () => true)).toEqual(new Map([['odds', 7]]))
  const lasting = registryOf({ isKnown: true, conflicts: 9 })
  await expect(register(lasting.registry, () => true)).rejects.toThrow(/takes no such change/)
})
