import { beforeEach, describe, expect, it } from 'vitest'
import { openCodecs } from '../../../../pipeline/log/kafka/codec.ts'
import type { SchemaCache } from '../../../../pipeline/log/kafka/schema-cache.ts'
import { createSchemaReader } from '../../../../pipeline/log/kafka/schema-reader.ts'
import type { SchemaRegistry } from '../../../../pipeline/log/kafka/schema-registry.ts'
import { LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { topics } from '../../../../schemas/topics.ts'

let now: number
let asked: number[]
let told: string[]
/** Schemas of the registry by id, each from some instant on (ms). */
let registered: Map<number, { readonly schema: object; readonly from: number }>
let isAway: boolean
let kept: Map<number, object>
beforeEach(() => {
  now = 0
  asked = []
  told = []
  registered = new Map()
  isAway = false
  kept = new Map()
})

const logger = {
  debug() {},
  info: ({ id }: { id?: number }, message: string) => void told.push(`${id}: ${message}`),
  warn: ({ id }: { id?: number }, message: string) => void told.push(`${id}: ${message}`),
}

const parts = () => ({
  registry: {
    async schema(id: number) {
      asked.push(id)
      if (isAway) throw new LogUnavailableError('away')
      const of = registered.get(id)
      return of && of.from <= now ? of.schema : null
    },
  },
  cache: {
    schema: (id: number) => kept.get(id) ?? null,
    keepSchema: (id: number, schema: object) => void kept.set(id, schema),
  },
  logger,
  now: () => now,
  async pause(ms: number) {
    now += ms
  },
})

describe('a schema that a follower of the registry does not have yet', () => {
  it('is asked for again until it comes', async () => {
    registered.set(17, { schema: { type: 'int' }, from: 3_000 })
    const read = createSchemaReader(parts())
    const [first, second] = await Promise.all([read(17), read(17)])
    expect([first, second]).toEqual([{ type: 'int' }, { type: 'int' }])
    expect(asked.length).toBeLessThan(10)
    expect(now).toBeLessThan(10_000)
    expect([kept.get(17), told]).toEqual([{ type: 'int' }, []])
  })

  it('is given up after some seconds, said once, and asked for again at a later record', async () => {
    const read = createSchemaReader(parts())
    expect(await read(17)).toBeNull()
    const gaveUpAt = now
    expect(gaveUpAt).toBeGreaterThan(5_000)
    expect(told).toEqual(['17: a schema is not in the registry: its records are left out'])
    const { length } = asked
    expect(await read(17)).toBeNull()
    expect([asked.length, now]).toEqual([length, gaveUpAt])
    for (let minute = 0; minute < 3; minute++) {
      now += 60_000
      expect(await read(17)).toBeNull()
    }
    expect([asked.length, told.length]).toEqual([length + 3, 1])
    registered.set(17, { schema: { type: 'int' }, from: now })
    now += 60_000
    expect(await read(17)).toEqual({ type: 'int' })
    expect(told[1]).toBe('17: a schema that was missing is in the registry')
  })

  it('is not waited for beside many others that there are not', async () => {
    const read = createSchemaReader(parts())
    for (let id = 1; id <= 100; id++) expect(await read(id)).toBeNull()
    expect(now).toBeLessThan(10_000)
    expect(asked.length).toBeLessThan(110)
  })

  it('is asked for as before once the registry answers again', async () => {
    registered.set(17, { schema: { type: 'int' }, from: 1_000 })
    isAway = true
    const read = createSchemaReader(parts())
    await expect(read(17)).rejects.toThrow('away')
    isAway = false
    expect(await read(17)).toEqual({ type: 'int' })
  })
})

it('records whose schema comes late are decoded from then on', async () => {
  const topic = topics.feedRejected
  const { registry, cache, ...others } = parts()
  const open = (id: number) =>
    openCodecs([topic], {
      registry: {
        ...registry,
        find: async () => id,
        takesAnything: async () => false,
      } as unknown as SchemaRegistry,
      cache: { ...cache, idOf: () => null, keepId() {} } as SchemaCache,
      topicName: ({ name }) => name,
      setup: 'check',
      holdsRecords: async () => false,
      ...others,
    })
  const row = { sportsbook: 'pinnacle', code: 'x', message: '', receivedAt: 1, text: 'y' }
  const value = (await open(17))(topic).encode(row)
  const reader = (await open(7))(topic)
  await reader.prepare([value])
  expect(() => reader.decode(value)).toThrow('schema 17 is not in the registry')
  registered.set(17, { schema: topic.schema as object, from: now })
  now += 60_000
  await reader.prepare([value])
  expect(reader.decode(value)).toEqual(row)
})
