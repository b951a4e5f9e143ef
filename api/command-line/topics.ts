/**
 * `topics`: shows what a Kafka cluster needs for the service, how it differs, and applies the difference. With
 * `OVERROUND_KAFKA_SETUP=check` the service itself creates nothing.
 */

import { stringify } from 'yaml'
import {
  compareCluster,
  type Difference,
  type Manifest,
  manifestOf,
} from '../../pipeline/log/kafka/setup.ts'
import { roles } from '../../pipeline/run/roles.ts'
import { type Environment, readConfig, variableOf } from '../../pipeline/settings/config.ts'
import type { KafkaSettings } from '../../pipeline/settings/kafka-settings.ts'
import { UsageError } from './exit-codes.ts'
import { type Style, tableOf } from './terminal.ts'

export interface Principals {
  /** `<role>=<principal>`, such as `api=User:odds-api`. */
  readonly principal: readonly string[]
}

/** How the cluster is changed. */
export interface Applying {
  /** Whether topics that were deleted from a log in use are created again, empty. */
  readonly anew?: boolean
  /** Called with what the operator must know after a change. */
  readonly note: (text: string) => void
}

/** Placeholder addresses: the settings require a cluster, but a manifest needs none. */
const nowhere = {
  OVERROUND_KAFKA_BROKERS: 'nowhere:9092',
  OVERROUND_SCHEMA_REGISTRY_URL: 'http://nowhere',
}

/** Returns the settings with a placeholder for each address that is not set. */
function addressed(environment: Environment): Environment {
  const absent = Object.entries(nowhere).filter(([name]) =>
    [name, `${name}_FILE`].every((one) => variableOf(environment, one) === undefined),
  )
  return { ...environment, ...Object.fromEntries(absent) }
}

/**
 * Returns the settings of the cluster alone: the job that creates topics gets those of the service, and need not have
 * its files and secrets.
 */
const ofCluster = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) =>
      /^OVERROUND_(KAFKA|SCHEMA_REGISTRY)_/.test(name),
    ),
  )

/** Returns the manifest for three brokers from the settings alone, without contacting a cluster. */
export function readManifest(environment: Environment, options: Principals) {
  const { kafka } = readConfig(addressed(ofCluster(environment)))
  const principals = principalsOf(options)
  const { rights, ...rest } = manifestOf(kafka ?? {}, roles)
  return {
    ...rest,
    rights: rights.map((right) => ({ ...right, principal: principals.get(right.role) ?? null })),
  }
}

export const manifestYaml = (manifest: Manifest) =>
  stringify(manifest, { aliasDuplicateObjects: false })

/**
 * @param applying null: nothing is changed
 * @throws UsageError without a cluster; ConfigError, LogUnavailableError, LogSetupError
 */
export async function differences(
  environment: Environment,
  options: Principals,
  applying: Applying | null,
): Promise<readonly Difference[]> {
  const kafka = clusterOf(environment)
  const principals = principalsOf(options)
  return compareCluster({ kafka, roles, principals, ...applying }, applying !== null)
}

/** Settings that `apply` cannot change: partitions stay, and the brokers' tools move copies. */
const neverSet: readonly string[] = ['partitions', 'replication.factor']

/**
 * Returns whether the command failed: a comparison if anything differs, a change if it left anything
 * unset that it can set, or that the service refuses.
 */
export const isFailure = (remaining: readonly Difference[], applying: Applying | null): boolean =>
  remaining.some(
    ({ gravity, setting }) =>
      applying === null ||
      gravity === 'refused' ||
      (gravity === 'warned' && !neverSet.includes(setting)),
  )

export function differenceTable(differences: readonly Difference[], style: Style): string {
  if (differences.length === 0) return 'The cluster is as it should be.'
  const marks = {
    refused: style('red', 'refused'),
    warned: style('yellow', 'warned'),
    noted: 'noted',
  }
  const rows = differences.map(({ kind, name, setting, is, wanted, gravity, why }) => [
    gravity,
    kind,
    name,
    setting,
    is ?? '',
    wanted,
    why,
  ])
  const head = ['', 'what', 'name', 'setting', 'is', 'wanted', 'why']
  return tableOf(head, rows, style).replace(
    /^(refused|warned)/gm,
    (word) => marks[word as keyof typeof marks],
  )
}

function clusterOf(environment: Environment): KafkaSettings {
  const brokers = variableOf(environment, 'OVERROUND_KAFKA_BROKERS')
  const kafka = brokers === undefined ? null : readConfig(ofCluster(environment)).kafka
  if (kafka) return kafka
  throw new UsageError('Set OVERROUND_KAFKA_BROKERS and OVERROUND_SCHEMA_REGISTRY_URL.')
}

function principalsOf({ principal: pairs }: Principals) {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.indexOf('=')
      const [role, principal] = [pair.slice(0, at), pair.slice(at + 1)]
      if (roles.some(({ name }) => name === role) && /^\w+:.+/.test(principal)) {
        return [role, principal]
      }
      throw new UsageError(
        `--principal is a role and who runs as it, such as api=User:odds (got ${pair}).`,
      )
    }),
  )
}
