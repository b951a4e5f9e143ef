import kafkajs, { type AclEntry } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { archivedTopics } from '../../../../pipeline/archive/archiver.ts'
import { entryOf, isAllowed, type Right, rightsOf } from '../../../../pipeline/log/kafka/rights.ts'
import { roles } from '../../../../pipeline/run/roles.ts'
import { topics } from '../../../../schemas/topics.ts'

const { AclOperationTypes, AclPermissionTypes, ResourcePatternTypes } = kafkajs

const rights = roles.flatMap((role) =>
  rightsOf(role, { topics: Object.values(topics), metaTopic: 'meta', prefix: 'p.' }),
)
const may = (role: string, operation: string) =>
  rights
    .filter(({ resource, ...right }) => {
      const isOfTopic = resource === 'topic'
      return isOfTopic && right.role === role && right.operation === operation
    })
    .map(({ name }) => name)

describe('roles', () => {
  it('write apart: an API cannot write a table of the pipeline', () => {
    expect(may('api', 'Write').toSorted()).toEqual(
      [
        'accounts',
        'added-sources',
        'alert-deliveries',
        'alerts',
        'api-processes',
        'bets',
        'feed.aliases',
        'feed.game-state',
        'feed.odds',
        'feed.rejected',
      ]
        .concat(['feed.splits', 'meta', 'profiles', 'source-pauses', 'usage'])
        .map((name) => `p.${name}`),
    )
    const both = may('api', 'Write').filter((name) => may('pipeline', 'Write').includes(name))
    // Either may be the first to open a new log.
    expect(both.every((name) => name.startsWith('p.feed.') || name === 'p.meta')).toBe(true)
  })

  it('let an API read how far the archive is behind', () => {
    const archived = archivedTopics.map(({ name }) => `p.${name}`)
    expect(archived.filter((name) => !may('api', 'Read').includes(name))).toEqual([])
  })

  it('together write and read every topic, under their prefix', () => {
    const names = Object.values(topics).map(({ name }) => `p.${name}`)
    for (const operation of ['Read', 'Write']) {
      const named = new Set([...may('api', operation), ...may('pipeline', operation)])
      expect(names.filter((name) => !named.has(name))).toEqual([])
    }
    expect(rights.every(({ name }) => name.startsWith('p.'))).toBe(true)
  })

  it('keep an API out of groups and transactions, except those of alerts', () => {
    const held = rights.filter(({ role, resource }) => role === 'api' && resource !== 'topic')
    const group = { role: 'api', resource: 'group', pattern: 'literal' }
    expect(held).toEqual([
      { ...group, operation: 'Read', name: 'p.alerts' },
      ...['p.archive', 'p.board'].map((name) => ({ ...group, operation: 'Describe', name })),
      {
        role: 'api',
        resource: 'transactional-id',
        pattern: 'prefixed',
        operation: 'Write',
        name: 'p.alerts-',
      },
    ])
  })
})

describe('a right', () => {
  const right: Right = {
    role: 'api',
    resource: 'topic',
    name: 'p.odds',
    pattern: 'literal',
    operation: 'Describe',
  }
  const who = 'User:api'
  const entry = (change: Partial<AclEntry>): AclEntry => ({ ...entryOf(right, who), ...change })

  it.each([
    ['itself', {}],
    ['reading', { operation: AclOperationTypes.READ }],
    ['all', { operation: AclOperationTypes.ALL }],
    ['everybody', { principal: 'User:*' }],
    ['every topic', { resourceName: '*' }],
    ['a prefix', { resourceName: 'p.', resourcePatternType: ResourcePatternTypes.PREFIXED }],
  ])('is given by %s', (_what, change) => {
    expect(isAllowed([entry(change)], right, who)).toBe(true)
  })

  it.each([
    ['another', { operation: AclOperationTypes.DESCRIBE_CONFIGS }],
    ['somebody else', { principal: 'User:other' }],
    ['one machine alone', { host: '10.0.0.1' }],
    ['another topic', { resourceName: 'p.odd' }],
    ['another prefix', { resourceName: 'q.', resourcePatternType: ResourcePatternTypes.PREFIXED }],
  ])('is not given by %s', (_what, change) => {
    expect(isAllowed([entry(change)], right, who)).toBe(false)
  })

  it('is taken by a rule that denies it', () => {
    const denied = entry({
      permissionType: AclPermissionTypes.DENY,
      operation: AclOperationTypes.ALL,
    })
    expect(isAllowed([entry({}), denied], right, who)).toBe(false)
  })
})
