/**
 * Settings: the one place that reads the environment. Each has a name, a decoder, a unit, a default
 * and a sentence; an unknown `OVERROUND_*` name or a value that does not decode stops the start.
 */

import { z } from 'zod'

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off'], 'is true or false')
  .transform((text) => text === 'true' || text === '1' || text === 'on')

const loopbacks = new Set(['127.0.0.1', 'localhost', '::1'])

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const settings = {
  OVERROUND_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  OVERROUND_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3000)
    .describe('Port to listen on; 0 takes a free one.'),
  OVERROUND_ROLE: z
    .enum(['standalone', 'pipeline', 'api'])
    .default('standalone')
    .describe('standalone runs everything in one process; pipeline and api need Kafka.'),
  OVERROUND_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Where the embedded log and analytics live.'),
  OVERROUND_EMBEDDED_HOURS: z.coerce
    .number()
    .min(0.1)
    .max(48)
    .default(6)
    .describe('Hours the embedded log keeps what feeds said; tables are kept for good.'),
  OVERROUND_KAFKA_BROKERS: list
    .refine((brokers) => brokers.length > 0, 'names no broker')
    .optional()
    .describe('host:port, comma-separated; unset keeps the log embedded.'),
  OVERROUND_SCHEMA_REGISTRY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base address of the Confluent-compatible registry; needed with Kafka.'),
  OVERROUND_KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]*$/, 'has letters, digits, dots, dashes and underscores only')
    .default('')
    .describe('Put before every topic, group and transaction name, for clusters that are shared.'),
  OVERROUND_KAFKA_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(8)
    .describe('Partitions of topics that are created; all topics have the same number.'),
  OVERROUND_FEEDS: list
    .default(['simulator'])
    .describe('Sources, comma-separated: simulator, replay:<path>, …, or none (push ingest only).'),
  OVERROUND_FEEDS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON file with the settings of live sources, by feed name.'),
  OVERROUND_SIMULATOR_RATE: z.coerce
    .number()
    .min(10)
    .max(50_000)
    .default(200)
    .describe('Price changes a second the simulator makes.'),
  OVERROUND_SIMULATOR_SEED: z.coerce
    .number()
    .int()
    .default(1)
    .describe('The same seed simulates the same season.'),
  OVERROUND_SANDBOX: flag
    .optional()
    .describe('Whether the three well-known test keys work; default: only on a loopback address.'),
  OVERROUND_ADMIN_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token of /api/v1/admin; unset: it answers 401.'),
  OVERROUND_INGEST_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token of /api/v1/ingest; unset: it answers 401.'),
  OVERROUND_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('How much the process tells.'),
} as const

type Settings = { readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

export interface Config {
  readonly host: string
  readonly port: number
  readonly role: 'standalone' | 'pipeline' | 'api'
  readonly dataDir: string
  readonly embeddedHours: number
  /** Null keeps the log embedded under `dataDir`. */
  readonly kafka: {
    readonly brokers: readonly string[]
    readonly registryUrl: string
    readonly partitions: number
    readonly topicPrefix: string
  } | null
  readonly feeds: readonly string[]
  readonly feedsFile: string | null
  readonly simulator: { readonly changesPerSecond: number; readonly seed: number }
  readonly sandbox: boolean
  readonly adminToken: string | null
  readonly ingestToken: string | null
  readonly logLevel: Settings['OVERROUND_LOG_LEVEL']
}

/** What is wrong with the settings, each in a sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Something outside keeps the process from starting; the message says what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** @throws ConfigError naming every setting that is unknown or does not decode */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  for (const name of Object.keys(environment)) {
    if (name.startsWith('OVERROUND_') && !(name in settings)) {
      problems.push(`${name} is not a setting; ${known(name)}`)
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, decoder] of Object.entries(settings)) {
    const text = environment[name]
    const parsed = decoder.safeParse(text === '' ? undefined : text)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues[0]?.message}${got(name, text)}`)
  }
  const read = values as unknown as Settings
  const brokers = read.OVERROUND_KAFKA_BROKERS
  const registryUrl = read.OVERROUND_SCHEMA_REGISTRY_URL
  if (brokers && !registryUrl) {
    problems.push('OVERROUND_SCHEMA_REGISTRY_URL is needed when OVERROUND_KAFKA_BROKERS is set')
  }
  if (read.OVERROUND_ROLE !== undefined && read.OVERROUND_ROLE !== 'standalone' && !brokers) {
    problems.push(`OVERROUND_ROLE=${read.OVERROUND_ROLE} needs OVERROUND_KAFKA_BROKERS`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.freeze({
    host: read.OVERROUND_HOST,
    port: read.OVERROUND_PORT,
    role: read.OVERROUND_ROLE,
    dataDir: read.OVERROUND_DATA_DIR,
    embeddedHours: read.OVERROUND_EMBEDDED_HOURS,
    kafka:
      brokers && registryUrl
        ? {
            brokers,
            registryUrl,
            partitions: read.OVERROUND_KAFKA_PARTITIONS,
            topicPrefix: read.OVERROUND_KAFKA_TOPIC_PREFIX,
          }
        : null,
    feeds: read.OVERROUND_FEEDS,
    feedsFile: read.OVERROUND_FEEDS_FILE ?? null,
    simulator: {
      changesPerSecond: read.OVERROUND_SIMULATOR_RATE,
      seed: read.OVERROUND_SIMULATOR_SEED,
    },
    sandbox: read.OVERROUND_SANDBOX ?? loopbacks.has(read.OVERROUND_HOST),
    adminToken: read.OVERROUND_ADMIN_TOKEN ?? null,
    ingestToken: read.OVERROUND_INGEST_TOKEN ?? null,
    logLevel: read.OVERROUND_LOG_LEVEL,
  })
}

/** The settings as a table, for `--help`. */
export function describeSettings(): string {
  return Object.entries(settings)
    .map(([name, decoder]) => `${name}\n    ${decoder.description}`)
    .join('\n')
}

/** The value that was wrong; not of a secret, because problems are logged. */
const got = (name: string, text: string | undefined) =>
  name.endsWith('_TOKEN') ? '' : ` (got "${text}")`

function known(name: string): string {
  const stem = name.slice(0, 'OVERROUND_'.length + 4)
  const similar = Object.keys(settings).filter((other) => other.startsWith(stem))
  return similar.length > 0
    ? `did you mean ${similar.join(' or ')}?`
    : `known are ${Object.keys(settings).join(', ')}`
}
