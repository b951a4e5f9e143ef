import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { UsageError } from '../../../api/command-line/exit-codes.ts'
import {
  differences,
  differenceTable,
  isFailure,
  manifestYaml,
  readManifest,
} from '../../../api/command-line/topics.ts'
import type { Difference } from '../../../pipeline/log/kafka/setup.ts'
import { ConfigError } from '../../../pipeline/settings/config.ts'
import { topics } from '../../../schemas/topics.ts'

const settings = {
  OVERROUND_KAFKA_PARTITIONS: '24',
  OVERROUND_KAFKA_TOPIC_PREFIX: 'odds.',
  OVERROUND_KAFKA_COMPRESSION: 'zstd',
}
const nobody = { principal: [] }

it('needs no setting of the service but those of the cluster', () => {
  const service = {
    OVERROUND_ROLE: 'pipeline',
    OVERROUND_ADMIN_TOKEN_FILE: '/run/secrets/of-the-api-alone',
    OVERROUND_FEEDS: 'of-a-later-version',
  }
  expect(readManifest({ ...settings, ...service }, nobody)).toEqual(readManifest(settings, nobody))
  const misspelt = { ...settings, OVERROUND_KAFKA_PARTITION: '8' }
  expect(() => readManifest(misspelt, nobody)).toThrow(ConfigError)
})

describe('the manifest', () => {
  const manifest = readManifest(settings, { principal: ['api=User:odds-api'] })

  it('has every topic, schema and right, by the settings and without a cluster', () => {
    const names = Object.values(topics).map(({ name }) => `odds.${name}`)
    expect(manifest.topics.map(({ name }) => name)).toEqual(['odds.meta', ...names])
    expect(manifest.schemas.map(({ subject }) => subject)).toEqual(
      names.map((name) => `${name}-value`),
    )
    expect(manifest.topics.find(({ name }) => name === 'odds.odds')).toEqual({
      name: 'odds.odds',
      partitions: 24,
      replicationFactor: 3,
      settings: expect.objectContaining({
        'cleanup.policy': 'compact',
        'compression.type': 'zstd',
        'min.insync.replicas': '2',
      }),
    })
    const byRole = (role: string) => manifest.rights.filter((right) => right.role === role)
    expect(new Set(byRole('api').map(({ principal }) => principal))).toEqual(
      new Set(['User:odds-api']),
    )
    expect(new Set(byRole('pipeline').map(({ principal }) => principal))).toEqual(new Set([null]))
  })

  it('needs no address, and takes those that are set', () => {
    const registry = { OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081' }
    for (const more of [{ OVERROUND_KAFKA_BROKERS: '' }, registry, { OVERROUND_ROLE: 'api' }]) {
      expect(readManifest({ ...settings, ...more }, nobody).topics).toEqual(manifest.topics)
    }
  })

  it('is the same as YAML, without references from place to place', () => {
    const text = manifestYaml(manifest)
    expect(parse(text)).toEqual(JSON.parse(JSON.stringify(manifest)))
    expect(text).not.toMatch(/[&*]a\d/)
  })
})

describe('what is asked', () => {
  it.each([['api'], ['api='], ['api=odds'], ['nobody=User:odds'], ['=User:odds']])(
    'is refused where --principal is %s',
    (pair) => {
      expect(() => readManifest({}, { principal: [pair] })).toThrow(UsageError)
    },
  )

  it('is refused without a cluster, and with settings that are wrong', async () => {
    await expect(differences(settings, nobody, null)).rejects.toThrow(UsageError)
    const wrong = { OVERROUND_KAFKA_PARTITIONS: 'many' }
    expect(() => readManifest(wrong, nobody)).toThrow(ConfigError)
  })
})

it.each([
  ['nothing', 'partitions', [], [false, false]],
  ['another choice', 'min.insync.replicas', ['noted'], [true, false]],
  ['a spare partition', 'partitions', ['warned', 'noted'], [true, false]],
  ['a missing copy', 'replication.factor', ['warned'], [true, false]],
  ['too few partitions', 'partitions', ['warned', 'refused'], [true, true]],
  ['a setting that is not visible', 'retention.ms', ['warned'], [true, true]],
] as const)('%s left fails diff or apply', (_what, setting, gravities, expected) => {
  const left = gravities.map(
    (gravity): Difference => ({
      ...{ kind: 'topic', name: 'odds', setting, is: '9', wanted: '8', why: '' },
      gravity,
    }),
  )
  const applying = { note() {} }
  expect([isFailure(left, null), isFailure(left, applying)]).toEqual(expected)
})

it('a difference is a line with the actual value, the expected one and the reason', () => {
  const plain = (_format: string, text: string) => text
  expect(differenceTable([], plain)).toBe('The cluster is as it should be.')
  const [, line] = differenceTable(
    [
      {
        ...{ kind: 'topic', name: 'odds', setting: 'replication.factor', is: '1', wanted: '3' },
        ...{ gravity: 'warned', why: 'a single copy' },
      },
    ],
    plain,
  ).split('\n')
  expect(line!.split(/ {2,}/)).toEqual([
    ...['warned', 'topic', 'odds', 'replication.factor', '1', '3', 'a single copy'],
  ])
})
