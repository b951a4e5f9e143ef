import { expect, it } from 'vitest'
import { openCodecs } from '../../../../pipeline/log/kafka/codec.ts'
import type { SchemaCache } from '../../../../pipeline/log/kafka/schema-cache.ts'
import type { SchemaRegistry } from '../../../../pipeline/log/kafka/schema-registry.ts'
import { LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

const registry: Partial<SchemaRegistry> = {
  find: async () => 7,
  takesAnything: async () => false,
}
const cache: Partial<SchemaCache> = { idOf: () => null, keepId() {} }

const rejected = (textBytes: number) => ({
  sportsbook: 'pinnacle',
  code: 'test',
  message: '',
  receivedAt: 1,
  text: 'x'.repeat(textBytes),
})

it('writes values of all lengths so that it reads them again', async () => {
  const topic = topics.feedRejected
  const codecOf = await openCodecs([topic], {
    registry: registry as SchemaRegistry,
    cache: cache as SchemaCache,
    topicName: ({ name }) => name,
    setup: 'check',
    holdsRecords: async () => false,
    logger: { debug() {}, info() {}, warn() {} },
  })
  const codec = codecOf(topic)
  const sizes = [100, 100, 1_000_000, 40_000, 100]
  const values = sizes.map((bytes) => codec.encode(rejected(bytes)))
  expect(values.map((value) => codec.decode(value))).toEqual(sizes.map(rejected))
})

it('asks no registry for an invalid schema id', async () => {
  const topic = topics.feedRejected
  const codecOf = await openCodecs([topic], {
    registry: { ...registry, schema: () => Promise.reject(new Error('asked')) } as SchemaRegistry,
    cache: { ...cache, schema: () => null } as unknown as SchemaCache,
    topicName: ({ name }) => name,
    setup: 'check',
    holdsRecords: async () => false,
    logger: { debug() {}, info() {}, warn() {} },
  })
  const codec = codecOf(topic)
  const poison = Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3])
  await codec.prepare([poison, Buffer.alloc(8)])
  expect(() => codec.decode(poison)).toThrow('is not in the registry')
})

const away = new LogUnavailableError('does not answer')

/** Opens the codecs of two topics; the cache has all schemas. */
function openBoth(options: {
  readonly find: SchemaRegistry['find']
  readonly holdsRecords?: () => Promise<boolean>
}) {
  const { find, holdsRecords = async () => false } = options
  const registered: string[] = []
  const register = async (subject: string) => registered.push(subject)
  const opening = openCodecs([topics.feedRejected, topics.odds], {
    registry: { ...registry, find, register } as SchemaRegistry,
    cache: { ...cache, idOf: () => 7 } as unknown as SchemaCache,
    topicName: ({ name }) => name,
    setup: 'create',
    holdsRecords,
    logger: { debug() {}, info() {}, warn() {} },
  })
  return { opening, registered }
}

it('uses the ids that it has met while the registry is away', async () => {
  const { opening, registered } = openBoth({ find: () => Promise.reject(away) })
  await opening
  expect(registered).toEqual([])
})

it('does not take brokers that are away for a registry that is', async () => {
  const { opening, registered } = openBoth({
    find: async () => null,
    holdsRecords: () => Promise.reject(away),
  })
  await expect(opening).rejects.toBe(away)
  expect(registered).toEqual([])
})

it('registers nothing with a registry that responds for some schemas only', async () => {
  const { opening, registered } = openBoth({
    find: async (subject) => (subject === 'odds-value' ? null : Promise.reject(away)),
  })
  await expect(opening).rejects.toBe(away)
  expect(registered).toEqual([])
})
