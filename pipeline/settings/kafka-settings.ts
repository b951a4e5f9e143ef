/**
 * Settings of a Kafka cluster and its schema registry: addresses, credentials, and the policy of topics. The adapter in
 * `log/kafka/` acts on them.
 */

import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import {
  bearer,
  brokers,
  flag,
  httpAddress,
  oneOf,
  pem,
  secret,
  whole,
  within,
} from './setting-decoders.ts'

/** The compression that brokers apply to topics; null leaves the broker's own. */
export const compressions = ['uncompressed', 'gzip', 'snappy', 'lz4', 'zstd'] as const
export type Compression = (typeof compressions)[number]

/** Policy of all topics; null leaves a value to the cluster. */
export interface TopicPolicy {
  /** The partitions of each topic, fixed when it is created. */
  readonly partitions: number
  /** The number of copies of each topic; null: the cluster's, or three if it has three brokers. */
  readonly replicationFactor: number | null
  /** The copies that must have a record before it is acknowledged; null: two of three. */
  readonly minInsyncReplicas: number | null
  readonly compression: Compression | null
  /** How long topics that are not compacted keep records; null: each topic's own time. */
  readonly retentionMs: number | null
  /** How long a tombstone stays readable, and so how old a position can be. */
  readonly tombstonesKeptMs: number
}

/** Returns `stated`, with defaults for the rest. */
export const topicPolicyOf = (stated: Partial<TopicPolicy>): TopicPolicy => ({
  partitions: stated.partitions ?? 8,
  replicationFactor: stated.replicationFactor ?? null,
  minInsyncReplicas: stated.minInsyncReplicas ?? null,
  compression: stated.compression ?? null,
  retentionMs: stated.retentionMs ?? null,
  tombstonesKeptMs: stated.tombstonesKeptMs ?? 24 * 3_600_000,
})

/** Certificates of a TLS connection besides the system's authorities: contents of PEM files. */
export interface Tls {
  /** Authorities to trust in place of the system's. */
  readonly ca: string | null
  /** Our own certificate with its key, for servers that require one. */
  readonly client: {
    readonly certificate: string
    readonly key: string
    readonly passphrase: string | null
  } | null
}

/** Returns the options for Node's TLS. */
export function tlsOptions({ ca, client }: Tls) {
  return {
    ...(ca !== null && { ca }),
    ...(client && {
      cert: client.certificate,
      key: client.key,
      ...(client.passphrase !== null && { passphrase: client.passphrase }),
    }),
  }
}

/** A client of an OAuth 2 server that issues tokens for client credentials. */
export interface OauthClient {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | null
  readonly tls: Tls | null
}

export type Sasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
      readonly username: string
      readonly password: string
    }
  | { readonly mechanism: 'oauthbearer'; readonly client: OauthClient }

export type RegistryAuth =
  | { readonly username: string; readonly password: string }
  | { readonly token: string }

export interface KafkaSettings extends TopicPolicy {
  readonly brokers: readonly string[]
  readonly topicPrefix: string
  /** How long a member of a group that died keeps its shares. */
  readonly sessionTimeoutMs: number
  /** How missing topics and schemas are handled. */
  readonly setup: 'create' | 'check'
  readonly tls: Tls | null
  readonly sasl: Sasl | null
  readonly registryUrl: string
  readonly registryAuth: RegistryAuth | null
  readonly registryTls: Tls | null
}

export const kafkaSettings = {
  OVERROUND_KAFKA_BROKERS: brokers
    .optional()
    .describe('Kafka brokers as host:port, comma-separated; unset: the embedded log.'),
  OVERROUND_SCHEMA_REGISTRY_URL: httpAddress('an http address, as in http://localhost:8081', [
    'user',
    'path',
  ])
    .optional()
    .describe('Base address of the Confluent-compatible registry; needed with Kafka.'),
  OVERROUND_KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]*$/, 'must be letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Prefix of every topic, group and transaction name, for shared clusters.'),
  OVERROUND_KAFKA_PARTITIONS: whole(1, 1_000)
    .default(8)
    .describe('Partitions of topics that are created; all topics have the same number.'),
  OVERROUND_KAFKA_SESSION_MS: whole(1_000, 300_000)
    .default(4_000)
    .describe(
      'How long a dead pipeline keeps its partitions and feeds (ms); 6000 if the brokers allow no less.',
    ),
  OVERROUND_KAFKA_REPLICATION_FACTOR: whole(1, 100)
    .optional()
    .describe(
      'Copies of topics that are created; default: the cluster’s setting, or three with three brokers.',
    ),
  OVERROUND_KAFKA_MIN_INSYNC_REPLICAS: whole(1, 100)
    .optional()
    .describe('Copies that must have a record before it is acknowledged; default: two of three.'),
  OVERROUND_KAFKA_COMPRESSION: oneOf(...compressions)
    .optional()
    .describe('Compression of topics that are created; default: the cluster’s.'),
  OVERROUND_KAFKA_RETENTION_HOURS: within(1, 8_760)
    .optional()
    .describe(
      'Hours that topics keep feed records and records for the archive; default: 48, dead letters 168.',
    ),
  OVERROUND_KAFKA_TOMBSTONE_HOURS: within(1, 8_760)
    .default(24)
    .describe('Hours that streams can resume from an old position.'),
  OVERROUND_KAFKA_SETUP: oneOf('create', 'check')
    .default('create')
    .describe('Missing topics and schemas: create makes them; check makes nothing and names them.'),
  OVERROUND_KAFKA_TLS: flag
    .optional()
    .describe('Whether to connect to brokers by TLS; default: if one of its files is named.'),
  OVERROUND_KAFKA_TLS_CA_FILE: pem.describe(
    'PEM file of the authorities that certify the brokers; default: those of the system.',
  ),
  OVERROUND_KAFKA_TLS_CERT_FILE: pem.describe('PEM file of our certificate for brokers.'),
  OVERROUND_KAFKA_TLS_KEY_FILE: pem.describe('PEM file of its key.'),
  OVERROUND_KAFKA_TLS_KEY_PASSPHRASE: secret.describe('Passphrase of that key.'),
  OVERROUND_KAFKA_SASL_MECHANISM: z
    .string()
    .toLowerCase()
    .pipe(oneOf('plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'))
    .optional()
    .describe('How to log in to the brokers; unset: without a login.'),
  OVERROUND_KAFKA_SASL_USERNAME: z.string().optional().describe('User for plain and scram.'),
  OVERROUND_KAFKA_SASL_PASSWORD: secret.describe('Its password.'),
  OVERROUND_KAFKA_OAUTH_TOKEN_URL: httpAddress('an http address', ['path', 'query'])
    .optional()
    .describe('Address at which oauthbearer gets tokens, by client credentials.'),
  OVERROUND_KAFKA_OAUTH_CLIENT_ID: z.string().optional().describe('Client id for these tokens.'),
  OVERROUND_KAFKA_OAUTH_CLIENT_SECRET: secret.describe('Its secret.'),
  OVERROUND_KAFKA_OAUTH_SCOPE: z.string().optional().describe('Scope of these tokens.'),
  OVERROUND_SCHEMA_REGISTRY_USERNAME: z
    .string()
    .optional()
    .describe('User of the registry; unset: none, or the one in its address.'),
  OVERROUND_SCHEMA_REGISTRY_PASSWORD: secret.describe('Its password.'),
  OVERROUND_SCHEMA_REGISTRY_TOKEN: bearer
    .min(1)
    .optional()
    .describe('A bearer token instead of a user.'),
  OVERROUND_SCHEMA_REGISTRY_TLS_CA_FILE: pem.describe(
    'PEM file of the authorities that certify the registry; default: those of the system.',
  ),
  OVERROUND_SCHEMA_REGISTRY_TLS_CERT_FILE: pem.describe('PEM file of our certificate for it.'),
  OVERROUND_SCHEMA_REGISTRY_TLS_KEY_FILE: pem.describe('PEM file of its key.'),
} as const

type Settings = {
  readonly [Name in keyof typeof kafkaSettings]: z.output<(typeof kafkaSettings)[Name]>
}

/** Secrets, which are never shown. The registry's address may contain a password. */
export const kafkaSecrets = [
  'OVERROUND_KAFKA_TLS_KEY_PASSPHRASE',
  'OVERROUND_KAFKA_SASL_PASSWORD',
  'OVERROUND_KAFKA_OAUTH_CLIENT_SECRET',
  'OVERROUND_SCHEMA_REGISTRY_URL',
  'OVERROUND_SCHEMA_REGISTRY_PASSWORD',
  'OVERROUND_SCHEMA_REGISTRY_TOKEN',
] as const satisfies (keyof Settings)[]

/** @param problems receives a sentence for each fault */
export function kafkaOf(
  read: Settings,
  brokers: readonly string[],
  registryUrl: string,
  problems: string[],
): KafkaSettings {
  const hours = read.OVERROUND_KAFKA_RETENTION_HOURS
  const copies = read.OVERROUND_KAFKA_REPLICATION_FACTOR ?? null
  const inSync = read.OVERROUND_KAFKA_MIN_INSYNC_REPLICAS ?? null
  if (copies !== null && inSync !== null && inSync > copies) {
    problems.push(
      `OVERROUND_KAFKA_MIN_INSYNC_REPLICAS must be at most OVERROUND_KAFKA_REPLICATION_FACTOR, ${copies}`,
    )
  }
  return {
    brokers,
    partitions: read.OVERROUND_KAFKA_PARTITIONS,
    topicPrefix: read.OVERROUND_KAFKA_TOPIC_PREFIX,
    sessionTimeoutMs: read.OVERROUND_KAFKA_SESSION_MS,
    replicationFactor: copies,
    minInsyncReplicas: inSync,
    compression: read.OVERROUND_KAFKA_COMPRESSION ?? null,
    retentionMs: hours === undefined ? null : Math.round(hours * 3_600_000),
    tombstonesKeptMs: Math.round(read.OVERROUND_KAFKA_TOMBSTONE_HOURS * 3_600_000),
    setup: read.OVERROUND_KAFKA_SETUP,
    tls: brokerTls(read, problems),
    sasl: saslOf(read, problems),
    registryUrl,
    registryAuth: registryAuthOf(read, problems),
    registryTls: tlsOf(
      'OVERROUND_SCHEMA_REGISTRY_TLS',
      {
        ca: read.OVERROUND_SCHEMA_REGISTRY_TLS_CA_FILE,
        certificate: read.OVERROUND_SCHEMA_REGISTRY_TLS_CERT_FILE,
        key: read.OVERROUND_SCHEMA_REGISTRY_TLS_KEY_FILE,
      },
      problems,
    ),
  }
}

function brokerTls(read: Settings, problems: string[]): Tls | null {
  const passphrase = read.OVERROUND_KAFKA_TLS_KEY_PASSPHRASE
  const tls = tlsOf(
    'OVERROUND_KAFKA_TLS',
    {
      ca: read.OVERROUND_KAFKA_TLS_CA_FILE,
      certificate: read.OVERROUND_KAFKA_TLS_CERT_FILE,
      key: read.OVERROUND_KAFKA_TLS_KEY_FILE,
      ...(passphrase !== undefined && { passphrase }),
    },
    problems,
  )
  if (passphrase !== undefined && read.OVERROUND_KAFKA_TLS_KEY_FILE === undefined) {
    problems.push(
      'OVERROUND_KAFKA_TLS_KEY_PASSPHRASE is set, and OVERROUND_KAFKA_TLS_KEY_FILE names no key',
    )
  }
  const wanted = read.OVERROUND_KAFKA_TLS
  if (wanted === false && tls)
    problems.push('OVERROUND_KAFKA_TLS is off, and files for it are named')
  return wanted ? (tls ?? { ca: null, client: null }) : tls
}

/** Returns null if no file is named. */
function tlsOf(
  name: string,
  files: {
    readonly ca: string | undefined
    readonly certificate: string | undefined
    readonly key: string | undefined
    readonly passphrase?: string
  },
  problems: string[],
): Tls | null {
  const { ca = null, certificate, key, passphrase = null } = files
  if ((certificate === undefined) !== (key === undefined)) {
    problems.push(`${name}_CERT_FILE and ${name}_KEY_FILE go together`)
  }
  const client = certificate && key ? { certificate, key, passphrase } : null
  if (ca === null && client === null) return null
  const tls = { ca, client }
  try {
    createSecureContext(tlsOptions(tls))
  } catch (error) {
    problems.push(`the files of ${name} cannot be used: ${(error as Error).message}`)
  }
  return tls
}

function saslOf(read: Settings, problems: string[]): Sasl | null {
  const mechanism = read.OVERROUND_KAFKA_SASL_MECHANISM
  /** Reports missing settings of the mechanism, and settings of other mechanisms. */
  const needed = (names: readonly (keyof Settings)[], strangers: readonly (keyof Settings)[]) => {
    for (const name of names) {
      if (read[name] === undefined) problems.push(`${name} has to be set with ${mechanism}`)
    }
    for (const name of strangers) {
      if (read[name] !== undefined) {
        problems.push(
          `${name} is set, and OVERROUND_KAFKA_SASL_MECHANISM=${mechanism ?? ''} needs none`,
        )
      }
    }
  }
  if (mechanism === 'oauthbearer') {
    needed(oauthSettings, userSettings)
    const client = {
      tokenUrl: read.OVERROUND_KAFKA_OAUTH_TOKEN_URL ?? '',
      clientId: read.OVERROUND_KAFKA_OAUTH_CLIENT_ID ?? '',
      clientSecret: read.OVERROUND_KAFKA_OAUTH_CLIENT_SECRET ?? '',
      scope: read.OVERROUND_KAFKA_OAUTH_SCOPE ?? null,
      // A private authority of the brokers usually certifies the token server too.
      tls: read.OVERROUND_KAFKA_TLS_CA_FILE
        ? { ca: read.OVERROUND_KAFKA_TLS_CA_FILE, client: null }
        : null,
    }
    return { mechanism, client }
  }
  if (mechanism === undefined) {
    needed([], [...userSettings, ...oauthSettings, scope])
    return null
  }
  needed(userSettings, [...oauthSettings, scope])
  return {
    mechanism,
    username: read.OVERROUND_KAFKA_SASL_USERNAME ?? '',
    password: read.OVERROUND_KAFKA_SASL_PASSWORD ?? '',
  }
}

const userSettings = ['OVERROUND_KAFKA_SASL_USERNAME', 'OVERROUND_KAFKA_SASL_PASSWORD'] as const
const oauthSettings = [
  'OVERROUND_KAFKA_OAUTH_TOKEN_URL',
  'OVERROUND_KAFKA_OAUTH_CLIENT_ID',
  'OVERROUND_KAFKA_OAUTH_CLIENT_SECRET',
] as const
const scope = 'OVERROUND_KAFKA_OAUTH_SCOPE'

function registryAuthOf(read: Settings, problems: string[]): RegistryAuth | null {
  const username = read.OVERROUND_SCHEMA_REGISTRY_USERNAME
  const password = read.OVERROUND_SCHEMA_REGISTRY_PASSWORD
  const token = read.OVERROUND_SCHEMA_REGISTRY_TOKEN
  if ((username === undefined) !== (password === undefined)) {
    problems.push('OVERROUND_SCHEMA_REGISTRY_USERNAME and _PASSWORD go together')
  }
  if (token !== undefined && username !== undefined) {
    problems.push('OVERROUND_SCHEMA_REGISTRY_TOKEN stands alone, without a user')
  }
  if (token !== undefined) return { token }
  return username === undefined ? null : { username, password: password ?? '' }
}
