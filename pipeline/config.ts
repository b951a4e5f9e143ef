/**
 * Settings: the one place that reads the environment. Each has a name, a decoder, a unit, a default
 * and a sentence; an unknown `OVERROUND_*` name or a value that does not decode stops the start. Files
 * that settings name, secrets and certificates, are read here too.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type LogLevel, logLevels } from '../schemas/log-level.ts'
import { findSportsbook } from '../schemas/reference/sportsbooks.ts'
import { type KafkaSettings, kafkaOf, kafkaSecrets, kafkaSettings } from './kafka-config.ts'
import { type Fees, feesWith, noFees } from './rules/fees.ts'
import { flag, list, mustBe, numberThat, oneOf, whole, within } from './setting-decoders.ts'

/** Tokens are not shown in answers and logs, and are too long to be guessed. */
const token = z.string().min(16, mustBe('at least 16 characters long')).optional()

const loopbacks = new Set(['127.0.0.1', 'localhost', '::1'])

const isNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** `*`, `off`, or origins as browsers name them: scheme, host, and the port where it is not the usual. */
const origins = list.transform((items, context): '*' | readonly string[] => {
  const [first] = items
  if (items.length === 1 && first === '*') return '*'
  if (items.length === 1 && first === 'off') return []
  const wrong = items.find((item) => !URL.canParse(item) || new URL(item).origin !== item)
  if (items.length === 0 || wrong !== undefined) {
    context.addIssue('must be *, off, or origins, as in https://desk.example.com')
  }
  return items
})

/** `off`, `standard`, a rate a sportsbook, or the standard with such rates in the place of some. */
const fees = z.string().transform((text, context): Fees => {
  const rates: Record<string, number> = {}
  const refuse = (what: string) =>
    context.addIssue(`must be off, standard, or rates such as standard,betfair=0.02; ${what}`)
  const items = list.parse(text)
  for (const item of items) {
    if (item === 'off' || item === 'standard') continue
    const [, name = '', rate = ''] = /^([^=]+)=(0(?:\.\d+)?)$/.exec(item) ?? []
    const sportsbook = findSportsbook(name)
    if (!rate) refuse(`${item} is none of these`)
    else if (!sportsbook) refuse(`${name} is no sportsbook we know`)
    else rates[sportsbook.id] = Number(rate)
  }
  if (items.includes('off') && items.length > 1) refuse('off stands alone')
  return feesWith(items.includes('standard'), rates)
})

const settings = {
  OVERROUND_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  OVERROUND_PORT: whole(0, 65_535).default(3000).describe('Port to listen on; 0 takes a free one.'),
  OVERROUND_HEALTH_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'Port on which a pipeline without an API answers /livez, /readyz and /health, at OVERROUND_HOST; unset: none.',
    ),
  OVERROUND_DRAIN_MS: whole(0, 600_000)
    .optional()
    .describe(
      'How long an API that is told to stop goes on answering, not ready any more, so that a balancer sends no more; unset: 3000 with the role api, else 0.',
    ),
  OVERROUND_LISTENER: oneOf('auto', 'uws', 'uws-older', 'node')
    .default('auto')
    .describe(
      'HTTP server to listen with: two builds of uWebSockets.js, or node:http; auto takes the first that loads here.',
    ),
  OVERROUND_TRUSTED_PROXIES: list
    .refine((networks) => networks.every((network) => isNetwork.safeParse(network).success), {
      error: 'must be addresses or networks, as in 127.0.0.1,10.0.0.0/8',
    })
    .default([])
    .describe('Proxies whose X-Forwarded-For is believed; limits by address then count clients.'),
  OVERROUND_CONNECTIONS_PER_ADDRESS: whole(0, 1_000_000)
    .default(2_000)
    .describe(
      'Connections without a whole request that one address may hold; 0 for no limit. This machine and trusted proxies have none.',
    ),
  OVERROUND_CORS_ORIGINS: origins
    .default('*')
    .describe('Origins whose pages may read answers: *, off, or a list. Never with credentials.'),
  OVERROUND_ROLE: oneOf('standalone', 'pipeline', 'api')
    .default('standalone')
    .describe('standalone runs everything in one process; pipeline and api need Kafka.'),
  OVERROUND_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Where the embedded log and analytics live.'),
  OVERROUND_EMBEDDED_HOURS: within(0.1, 48)
    .default(6)
    .describe('Hours the embedded log keeps what feeds said; tables are kept for good.'),
  ...kafkaSettings,
  OVERROUND_FEEDS: list
    .default(['simulator'])
    .describe('Sources, comma-separated: simulator, replay:<path>, …, or none (push ingest only).'),
  OVERROUND_FEEDS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON file with the settings of live sources, by feed name.'),
  OVERROUND_SIMULATOR_RATE: within(10, 50_000)
    .default(200)
    .describe('Price changes a second the simulator makes.'),
  OVERROUND_SIMULATOR_SEED: numberThat('a whole number', Number.isSafeInteger)
    .default(1)
    .describe('The same seed simulates the same season.'),
  OVERROUND_SHARP_BOOK: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-]+$/, 'must be the id of a sportsbook, as in pinnacle')
    .default('pinnacle')
    .describe('Sportsbook whose prices without margin +EV is measured against; others stand in.'),
  OVERROUND_FEES: fees
    .default(() => noFees)
    .describe(
      'Fees of exchanges that opportunities count: off, standard, or rates such as standard,betfair=0.02. Default: off.',
    ),
  OVERROUND_LINK_HOSTS: list
    .refine((hosts) => hosts.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)), {
      error: 'must be host names, as in example.com',
    })
    .default([])
    .describe('Hosts that a deep link’s fallback may lead to, beside those of sportsbooks.'),
  OVERROUND_PUBLIC_REDIRECTS: flag
    .default(true)
    .describe(
      'Whether /deeplink/{id} takes bare ids without a key, of what the free tier is shown; off takes signed addresses alone.',
    ),
  OVERROUND_ARCHIVE: oneOf('auto', 'anew', 'off')
    .default('auto')
    .describe(
      'Whether price changes, closing lines and the like are kept: auto does, in the ClickHouse of OVERROUND_CLICKHOUSE_URL or, standalone, in one under OVERROUND_DATA_DIR; anew also where the one that was there is missing.',
    ),
  OVERROUND_CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, ...mustBe('an http address, as in http://localhost:8123') })
    .optional()
    .describe('A ClickHouse server for the archive, with user and password where it wants them.'),
  OVERROUND_CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
    .default('overround')
    .describe('The database there; made when it is not there.'),
  OVERROUND_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,62}$/, 'must be the name of a cluster')
    .optional()
    .describe('A cluster of that server, over which the tables are made and replicated.'),
  OVERROUND_ARCHIVE_DAYS: whole(1, 10_000)
    .default(730)
    .describe(
      'Days the archive keeps price changes, splits and usage; closing lines are kept for good.',
    ),
  OVERROUND_SANDBOX: flag
    .optional()
    .describe(
      'Whether the three well-known test keys work; default: only on a loopback address, and only for requests that no proxy has sent on.',
    ),
  OVERROUND_COMPRESSION: flag
    .default(true)
    .describe('Whether clients that take gzip, Brotli or permessage-deflate are answered in it.'),
  OVERROUND_WEB: flag
    .default(true)
    .describe('Whether the odds board and its pages are served; off leaves the API alone.'),
  OVERROUND_SANDBOX_HOSTS: list
    .default([])
    .describe(
      'Names with a dot that requests may be for while those keys work, as proxies pass on.',
    ),
  OVERROUND_STREAM_DISPLACEMENT: flag
    .default(false)
    .describe(
      'Whether the newest stream of a key that has as many as it may takes the place of its oldest; else it is refused.',
    ),
  OVERROUND_ADMIN_TOKEN: token.describe('Bearer token of /api/v1/admin; unset: it answers 401.'),
  OVERROUND_INGEST_TOKEN: token.describe('Bearer token of /api/v1/ingest; unset: it answers 401.'),
  OVERROUND_LOG_LEVEL: oneOf(...logLevels)
    .default('info')
    .describe('How much the process tells.'),
} as const

type Settings = { readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

export interface ArchiveConfig {
  /** A ClickHouse server, or a directory that the embedded engine keeps. */
  readonly at: { readonly url: string } | { readonly directory: string }
  readonly database: string
  /** Null for tables on one server. */
  readonly cluster: string | null
  readonly keptDays: number
  /** One that is missing is begun anew. */
  readonly isBegunAnew: boolean
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Where the role `pipeline` says how it is; null for nowhere. */
  readonly healthPort: number | null
  /** How long a service that stops goes on answering. */
  readonly drainMs: number
  readonly listener: Settings['OVERROUND_LISTENER']
  /** Addresses, or networks in CIDR notation. */
  readonly trustedProxies: readonly string[]
  readonly connectionsPerAddress: number
  /** `*` for any; none for no page of another origin. */
  readonly corsOrigins: '*' | readonly string[]
  readonly role: 'standalone' | 'pipeline' | 'api'
  readonly dataDir: string
  readonly embeddedHours: number
  /** Null keeps the log embedded under `dataDir`. */
  readonly kafka: KafkaSettings | null
  /** Where the archive is; null for none. */
  readonly archive: ArchiveConfig | null
  readonly feeds: readonly string[]
  readonly feedsFile: string | null
  readonly simulator: { readonly changesPerSecond: number; readonly seed: number }
  /** The sportsbook that +EV is measured against first. */
  readonly sharpBook: string
  /** Fees that opportunities count, by sportsbook. */
  readonly fees: Fees
  /** Hosts that deep links may fall back to, beside those of sportsbooks. */
  readonly linkHosts: readonly string[]
  readonly publicRedirects: boolean
  readonly sandbox: boolean
  /** Whether it is open to requests that a proxy has sent on, too. */
  readonly sandboxBehindProxies: boolean
  /** Names that requests may be for while it is open; see `api/server/host-guard.ts`. */
  readonly sandboxHosts: readonly string[]
  /** Whether a key's newest stream may take the place of its oldest. */
  readonly streamDisplacement: boolean
  readonly compression: boolean
  /** Whether the pages are served. */
  readonly web: boolean
  readonly adminToken: string | null
  readonly ingestToken: string | null
  readonly logLevel: LogLevel
}

/** Why strangers may reach the keys of the sandbox, which everybody knows; null where they cannot. */
export function openSandbox({
  sandbox,
  sandboxBehindProxies,
  host,
  trustedProxies,
}: Pick<Config, 'sandbox' | 'sandboxBehindProxies' | 'host' | 'trustedProxies'>): string | null {
  if (!sandbox) return null
  if (!loopbacks.has(host)) return `it listens on ${host}`
  return sandboxBehindProxies && trustedProxies.length > 0 ? 'requests come through a proxy' : null
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
    if (name.startsWith('OVERROUND_') && !(name in settings) && !isSecretFile(name)) {
      problems.push(`${name} is not a setting; ${known(name)}`)
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, decoder] of Object.entries(settings)) {
    const text = secrets.has(name) ? readSecret(environment, name, problems) : environment[name]
    const parsed = decoder.safeParse(text === '' ? undefined : text)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name} ${parsed.error.issues[0]?.message}${got(name, text)}`)
  }
  const read = values as unknown as Settings
  const brokers = read.OVERROUND_KAFKA_BROKERS
  const registryUrl = read.OVERROUND_SCHEMA_REGISTRY_URL
  if (brokers && !registryUrl) {
    problems.push('OVERROUND_SCHEMA_REGISTRY_URL has to be set when OVERROUND_KAFKA_BROKERS is')
  }
  if (read.OVERROUND_ROLE !== undefined && read.OVERROUND_ROLE !== 'standalone' && !brokers) {
    problems.push(
      `OVERROUND_ROLE=${read.OVERROUND_ROLE} needs Kafka: set OVERROUND_KAFKA_BROKERS, or run standalone`,
    )
  }
  const kafka = brokers && registryUrl ? kafkaOf(read, brokers, registryUrl, problems) : null
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.freeze({
    host: read.OVERROUND_HOST,
    port: read.OVERROUND_PORT,
    healthPort: read.OVERROUND_HEALTH_PORT ?? null,
    drainMs: read.OVERROUND_DRAIN_MS ?? (read.OVERROUND_ROLE === 'api' ? 3_000 : 0),
    listener: read.OVERROUND_LISTENER,
    trustedProxies: read.OVERROUND_TRUSTED_PROXIES,
    connectionsPerAddress: read.OVERROUND_CONNECTIONS_PER_ADDRESS,
    corsOrigins: read.OVERROUND_CORS_ORIGINS,
    role: read.OVERROUND_ROLE,
    dataDir: read.OVERROUND_DATA_DIR,
    embeddedHours: read.OVERROUND_EMBEDDED_HOURS,
    kafka,
    archive: archiveOf(read),
    feeds: read.OVERROUND_FEEDS,
    feedsFile: read.OVERROUND_FEEDS_FILE ?? null,
    simulator: {
      changesPerSecond: read.OVERROUND_SIMULATOR_RATE,
      seed: read.OVERROUND_SIMULATOR_SEED,
    },
    sharpBook: read.OVERROUND_SHARP_BOOK,
    fees: read.OVERROUND_FEES,
    linkHosts: read.OVERROUND_LINK_HOSTS,
    publicRedirects: read.OVERROUND_PUBLIC_REDIRECTS,
    sandbox: read.OVERROUND_SANDBOX ?? loopbacks.has(read.OVERROUND_HOST),
    sandboxBehindProxies: read.OVERROUND_SANDBOX === true,
    sandboxHosts: read.OVERROUND_SANDBOX_HOSTS.map((name) => name.toLowerCase()),
    streamDisplacement: read.OVERROUND_STREAM_DISPLACEMENT,
    compression: read.OVERROUND_COMPRESSION,
    web: read.OVERROUND_WEB,
    adminToken: read.OVERROUND_ADMIN_TOKEN ?? null,
    ingestToken: read.OVERROUND_INGEST_TOKEN ?? null,
    logLevel: read.OVERROUND_LOG_LEVEL,
  })
}

function archiveOf(read: Settings): ArchiveConfig | null {
  const url = read.OVERROUND_CLICKHOUSE_URL
  // The embedded engine lets one process at a time into its directory.
  const isShared = read.OVERROUND_ROLE !== 'standalone'
  if (read.OVERROUND_ARCHIVE === 'off' || (url === undefined && isShared)) return null
  return {
    at: url === undefined ? { directory: join(read.OVERROUND_DATA_DIR, 'archive') } : { url },
    database: read.OVERROUND_CLICKHOUSE_DATABASE,
    cluster: read.OVERROUND_CLICKHOUSE_CLUSTER ?? null,
    keptDays: read.OVERROUND_ARCHIVE_DAYS,
    isBegunAnew: read.OVERROUND_ARCHIVE === 'anew',
  }
}

/** The settings as a table, for `--help`, with the defaults of those that have one. */
export function describeSettings(): string {
  return Object.entries(settings)
    .map(([name, decoder]) => {
      const value = decoder.parse(undefined)
      // An empty list or text is not worth showing as a default, and what is decoded has no text.
      const hasText = typeof value !== 'object' || Array.isArray(value)
      const hasDefault = value !== undefined && hasText && String(value) !== ''
      const told = `${decoder.description}${hasDefault ? ` Default: ${value}.` : ''}`
      const file = secrets.has(name) ? ' May be in a file, named by this name with _FILE.' : ''
      return `${name}\n    ${told}${file}`
    })
    .join('\n')
}

/** Settings that are not told, and that may be in a file named by the setting's name with `_FILE`. */
const secrets: ReadonlySet<string> = new Set([
  'OVERROUND_ADMIN_TOKEN',
  'OVERROUND_INGEST_TOKEN',
  'OVERROUND_CLICKHOUSE_URL',
  ...kafkaSecrets,
] satisfies (keyof typeof settings)[])

const fileSuffix = '_FILE'
const isSecretFile = (name: string) =>
  name.endsWith(fileSuffix) && secrets.has(name.slice(0, -fileSuffix.length))

/** A secret as it is set, or the content of the file that is named instead, without its last line break. */
function readSecret(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  problems: string[],
): string | undefined {
  const path = environment[`${name}${fileSuffix}`]
  if (!path) return environment[name]
  if (environment[name]) problems.push(`${name} and ${name}${fileSuffix} cannot both be set`)
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (text === '') problems.push(`${name}${fileSuffix} names an empty file`)
    return text
  } catch (error) {
    problems.push(`${name}${fileSuffix} cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/** The value that was wrong; not of a secret, because problems are logged. */
const got = (name: string, text: string | undefined) =>
  secrets.has(name) ? '' : ` (got ${JSON.stringify(text?.slice(0, 100))})`

function known(name: string): string {
  const stem = name.slice(0, 'OVERROUND_'.length + 4)
  const similar = Object.keys(settings).filter((other) => other.startsWith(stem))
  return similar.length > 0
    ? `did you mean ${similar.join(' or ')}?`
    : `known are ${Object.keys(settings).join(', ')}`
}
