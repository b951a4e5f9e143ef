/** Registering over a registry that is made up; a real one forgets its schemas in `kafka.kafka.test.ts`. */

import { expect, it } from 'vitest'
import { LogSetupError } from '../../../pipeline/log/log.ts'
import { registerSchema } from '../../../pipeline/log/schema-registration.ts'
import { RegistryRefusedError, type SchemaRegistry } from '../../../pipeline/log/schema-registry.ts'

const schema = { type: 'string' }

/** @param conflicts how often it answers that another change is under way */
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

it.each([
  ['a topic without records, anywhere', false, false],
  ['a further schema of a topic with records', true, true],
  ['a schema of a topic whose records are gone', true, false],
])('registers %s', async (_, isKnown, holds) => {
  const { registered, registry } = registryOf({ isKnown })
  expect(await registerSchema(registry, 'odds', schema, async () => holds)).toBe(7)
  expect(registered).toEqual(['odds-value'])
})

it('registers nothing where records were written with another registry', async () => {
  const { registered, registry } = registryOf({ isKnown: false })
  const registering = registerSchema(registry, 'odds', schema, async () => true)
  await expect(registering).rejects.toThrow(LogSetupError)
  await expect(registering).rejects.toThrow(/odds holds records.*has lost its data/)
  expect(registered).toEqual([])
})

it('waits for another process that registers the same, and not for ever', async () => {
  const passing = registryOf({ isKnown: true, conflicts: 2 })
  expect(await registerSchema(passing.registry, 'odds', schema, async () => true)).toBe(7)
  const lasting = registryOf({ isKnown: true, conflicts: 9 })
  const registering = registerSchema(lasting.registry, 'odds', schema, async () => true)
  await expect(registering).rejects.toThrow(/takes no such change/)
})
