/**
 * Rights of each role on a cluster with access control (ACLs): the least that it needs, and those
 * that a cluster does not grant. No role may create or change topics; `overround topics apply` runs
 * with its own rights.
 */

import kafkajs, { type AclEntry, type Admin } from 'kafkajs'
import type { Topic } from '../../../schemas/topics.ts'
import { LogSetupError, type Role } from '../log.ts'
import { hasType } from './internals.ts'

// kafkajs is CommonJS, and Node finds only some of its names.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const resources = {
  topic: AclResourceTypes.TOPIC,
  group: AclResourceTypes.GROUP,
  'transactional-id': AclResourceTypes.TRANSACTIONAL_ID,
} as const

const operations = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
} as const

const patterns = {
  literal: ResourcePatternTypes.LITERAL,
  prefixed: ResourcePatternTypes.PREFIXED,
} as const

/** In the words of `kafka-acls.sh`. */
export interface Right {
  readonly role: string
  readonly resource: keyof typeof resources
  readonly name: string
  readonly pattern: keyof typeof patterns
  readonly operation: keyof typeof operations
}

/** @param topics all topics of the log: every role reads their metadata and settings */
export function rightsOf(
  role: Role,
  { topics, metaTopic, prefix }: { topics: readonly Topic[]; metaTopic: string; prefix: string },
): Right[] {
  const right =
    (resource: Right['resource'], operation: Right['operation'], pattern: Right['pattern']) =>
    (name: string): Right => ({ role: role.name, resource, name, pattern, operation })
  const names = (some: readonly Topic[]) => some.map(({ name }) => `${prefix}${name}`)
  const groups = (some: readonly string[]) => some.map((name) => `${prefix}${name}`)
  const own = `${prefix}${metaTopic}`
  return [
    ...[own, ...names(topics)].map(right('topic', 'Describe', 'literal')),
    ...[own, ...names(topics)].map(right('topic', 'DescribeConfigs', 'literal')),
    ...[own, ...names(role.reads)].map(right('topic', 'Read', 'literal')),
    ...names(role.writes).map(right('topic', 'Write', 'literal')),
    // A member of a group may be the first to open a new log; then it writes the log's identity.
    ...(role.joins.length > 0 ? [right('topic', 'Write', 'literal')(own)] : []),
    ...groups(role.joins).map(right('group', 'Read', 'literal')),
    ...groups(role.watches).map(right('group', 'Describe', 'literal')),
    // One transactional id per partition or name: `<group>-<share>`.
    ...groups(role.joins).map((group) =>
      right('transactional-id', 'Write', 'prefixed')(`${group}-`),
    ),
  ]
}

/** Returns a right in the cluster's form. @param principal such as `User:odds-api` */
export const entryOf = (
  { resource, name, pattern, operation }: Right,
  principal: string,
): AclEntry => ({
  principal,
  host: '*',
  resourceType: resources[resource],
  resourceName: name,
  resourcePatternType: patterns[pattern],
  operation: operations[operation],
  permissionType: AclPermissionTypes.ALLOW,
})

/** Returns all rules of the cluster; null if it has no authorizer and allows everything. */
export async function readAccess(admin: Admin): Promise<readonly AclEntry[] | null> {
  try {
    // Undefined means any name; the types of kafkajs require one.
    const any = {
      resourceType: AclResourceTypes.ANY,
      resourcePatternType: ResourcePatternTypes.ANY,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
    }
    const { resources } = await admin.describeAcls(any as Parameters<Admin['describeAcls']>[0])
    return resources.flatMap(({ acls, ...resource }) =>
      acls.map((rule) => ({
        ...rule,
        resourceType: resource.resourceType,
        resourceName: resource.resourceName,
        resourcePatternType: resource.resourcePatternType,
      })),
    )
  } catch (error) {
    const { type, message } = error as Error & { type?: string }
    if (type === 'SECURITY_DISABLED') return null
    if (type !== 'CLUSTER_AUTHORIZATION_FAILED') throw error
    throw new LogSetupError(`rights cannot be read: ${message}`, { cause: error })
  }
}

/** Returns whether the rules grant a right. As at the brokers, a rule that denies it wins. */
export function isAllowed(entries: readonly AclEntry[], right: Right, principal: string): boolean {
  const wanted = entryOf(right, principal)
  const concerning = entries.filter(
    (entry) =>
      (entry.principal === principal || entry.principal === 'User:*') && isAbout(entry, wanted),
  )
  const isForbidden = concerning.some(
    ({ permissionType, operation }) =>
      permissionType === AclPermissionTypes.DENY &&
      (operation === wanted.operation || operation === AclOperationTypes.ALL),
  )
  return (
    !isForbidden &&
    concerning.some(
      ({ permissionType, operation, host }) =>
        permissionType === AclPermissionTypes.ALLOW &&
        host === '*' &&
        (operation === AclOperationTypes.ALL || implied(operation).includes(wanted.operation)),
    )
  )
}

/** Returns whether a rule covers everything that `wanted` covers. */
function isAbout(entry: AclEntry, wanted: AclEntry): boolean {
  if (entry.resourceType !== wanted.resourceType) return false
  const { resourceName: name } = entry
  if (entry.resourcePatternType === ResourcePatternTypes.PREFIXED) {
    return wanted.resourceName.startsWith(name)
  }
  if (name === '*') return true
  return name === wanted.resourceName && entry.resourcePatternType === wanted.resourcePatternType
}

/** Returns the implied operations: the rights to read and to write imply the one to describe. */
const implied = (operation: number): readonly number[] =>
  operation === AclOperationTypes.READ || operation === AclOperationTypes.WRITE
    ? [operation, AclOperationTypes.DESCRIBE]
    : [operation]

const denial: ReadonlySet<string> = new Set(['TOPIC_AUTHORIZATION_FAILED'])

/** Returns whether the brokers refuse us a topic. */
export const isDenied = (error: Error): boolean => hasType(error, denial)
