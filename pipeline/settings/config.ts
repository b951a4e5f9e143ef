/**
 * Settings: only this file reads the environment. Each has a name, a decoder, a unit, a default and a sentence; an
 * unknown `OVERROUND_*` name or a value that does not decode stops the start. Files that settings name, secrets and
 * certificates, are read here too.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type LogLevel, logLevels } from '../../schemas/log-level.ts'
import { findSportsbook, idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Fees, feesWith, noFees } from '../rules/odds/fees.ts'
import { type KafkaSettings, kafkaOf, kafkaSecrets, kafkaSettings } from './kafka-settings.ts'
import {
  bearer,
  flag,
  httpAddress,
  list,
  mustBe,
  numberThat,
  oneOf,
  whole,
  within,
} from './setting-decoders.ts'

/** A token that clients present, which is too long to be guessed. */
const token = bearer.pipe(z.string().min(16, mustBe('at least 16 characters long'))).optional()

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

/** `off`, `standard`, a rate a sportsbook, or the standard with such rates in place of some. */
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

/** Settings whose empty value reads as "none", while their default is something: an empty value is refused. */
const neverEmpty: ReadonlySet<string> = new Set(['OVERROUND_FEEDS', 'OVERROUND_CORS_ORIGINS'])

const settings = {
  OVERROUND_HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  OVERROUND_PORT: whole(0, 65_535).default(3000).describe('Port to listen on; 0 takes a free one.'),
  OVERROUND_HEALTH_PORT: whole(0, 65_535)
    .optional()
    .describe(
      'Port of /livez, /readyz, /health and /metrics of a pipeline without an API, at OVERROUND_HOST; unset: none.',
    ),
  OVERROUND_DRAIN_MS: whole(0, 600_000)
    .optional()
    .describe(
      'How long a stopping service still responds while /readyz is 503, so that a load balancer moves on (ms); unset: 3000 with the role api, else 0.',
    ),
  OVERROUND_LISTENER: oneOf('auto', 'uws', 'uws-older', 'node')
    .default('auto')
    .describe(
      'HTTP server: one of two builds of uWebSockets.js, or node:http; auto uses the first that loads.',
    ),
  OVERROUND_TRUSTED_PROXIES: list
    .refine((networks) => networks.every((network) => isNetwork.safeParse(network).success), {
      error: 'must be addresses or networks, as in 127.0.0.1,10.0.0.0/8',
    })
    .default([])
    .describe('Proxies whose X-Forwarded-For is trusted, so that limits by address count clients.'),
  OVERROUND_CONNECTIONS_PER_ADDRESS: whole(0, 1_000_000)
    .default(2_000)
    .describe(
      'Connections without a complete request that one address may have; 0: no limit. This machine and trusted proxies have no limit.',
    ),
  OVERROUND_CORS_ORIGINS: origins
    .default('*')
    .describe('Origins whose pages may read responses: *, off, or a list. Never with credentials.'),
  OVERROUND_ROLE: oneOf('standalone', 'pipeline', 'api')
    .default('standalone')
    .describe('standalone runs everything in one process; pipeline and api need Kafka.'),
  OVERROUND_DEPLOYMENT: z
    .string()
    .regex(
      /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}$/,
      'must be letters, digits, dots, dashes and underscores',
    )
    .optional()
    .describe(
      'Name of this deployment, the same in all its processes; a log of another is refused.',
    ),
  OVERROUND_ADOPT_LOG: flag
    .default(false)
    .describe(
      'Whether a start takes over the log of another deployment, or of one with other kinds of prices, that no longer runs.',
    ),
  OVERROUND_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Directory of the embedded log and archive.'),
  OVERROUND_EMBEDDED_HOURS: within(0.1, 48)
    .default(6)
    .describe('Hours that the embedded log keeps feed records; tables stay.'),
  ...kafkaSettings,
  OVERROUND_FEEDS: list
    .refine((feeds) => feeds.length > 0, {
      error: 'has to name feeds, or be none (pushed prices only) or simulator',
    })
    .default(['simulator'])
    .describe('Feeds, comma-separated: simulator, replay:<path>, …, or none (pushed prices only).'),
  OVERROUND_FEEDS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('JSON file with the settings of live sources, by feed name.'),
  OVERROUND_SIMULATOR_RATE: within(10, 50_000)
    .default(200)
    .describe('Price changes a second of the simulator.'),
  OVERROUND_SIMULATOR_SEED: numberThat('a whole number', Number.isSafeInteger)
    .default(1)
    .describe('Seed of the simulator: the same seed gives the same season.'),
  OVERROUND_SHARP_BOOK: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-]+$/, 'must be the id of a sportsbook, as in pinnacle')
    .transform(idOfSportsbook)
    .default('pinnacle')
    .describe('Sharp book for +EV; if it does not quote a market, other sharp books are used.'),
  OVERROUND_CONSENSUS: flag
    .default(true)
    .describe(
      'Whether the consensus of other sportsbooks measures +EV where no sharp book quotes the market.',
    ),
  OVERROUND_REFERENCES: list
    .transform((books) => books.map(idOfSportsbook))
    .refine((books) => !books.includes('unknown'), {
      error: 'must be names of sportsbooks, as in our_model',
    })
    .default([])
    .describe(
      'Sportsbooks that only measure others, such as a model of your own: never the best price, never in an opportunity.',
    ),
  OVERROUND_FEES: fees
    .default(() => noFees)
    .describe(
      'Exchange fees in opportunities: off, standard, or rates such as standard,betfair=0.02. Default: off.',
    ),
  OVERROUND_BOOK_SETS: numberThat(
    'a whole number from 1 to 256',
    (value) => Number.isInteger(value) && value >= 1 && value <= 256,
  )
    .default(32)
    .describe(
      'Sets of sportsbooks whose own opportunities a process keeps at once, see `books=` of opportunities.',
    ),
  OVERROUND_LINK_HOSTS: list
    .refine((hosts) => hosts.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)), {
      error: 'must be host names, as in example.com',
    })
    .default([])
    .describe('Further hosts that a deep link’s fallback may lead to.'),
  OVERROUND_PUBLIC_LISTS: flag
    .default(true)
    .describe(
      'Whether /sports, /leagues, /sportsbooks and /markets can be read without a key, ten times a minute; false: only with one.',
    ),
  OVERROUND_PUBLIC_REDIRECTS: flag
    .default(true)
    .describe(
      'Whether /deeplink/{id} accepts plain ids without a key, for prices that the free tier sees; false: only signed addresses.',
    ),
  OVERROUND_PUBLIC_RECORD: flag
    .default(false)
    .describe(
      'Whether everybody may read /record/public: what was listed at the sportsbooks that the free tier sees, and what became of it.',
    ),
  OVERROUND_ALERT_TARGETS: oneOf('public', 'any')
    .default('public')
    .describe(
      'Where alerts may send messages: public is https to public addresses; any is also http, this machine and private networks.',
    ),
  OVERROUND_SMTP_URL: z
    .url({ protocol: /^smtps?$/, ...mustBe('an smtp or smtps address') })
    .optional()
    .describe(
      'Server that alerts are mailed by, with user and password: smtps://user:password@mail.example.com. Unset: no mail is sent. smtp goes on with TLS where the server offers it.',
    ),
  OVERROUND_MAIL_FROM: z
    .email(mustBe('a mail address'))
    .optional()
    .describe('Sender of that mail. Required with OVERROUND_SMTP_URL.'),
  OVERROUND_PUBLIC_URL: httpAddress
    .optional()
    .describe(
      'Address of this service as clients reach it, for links in alerts; unset: http at OVERROUND_HOST and OVERROUND_PORT.',
    ),
  OVERROUND_ARCHIVE: oneOf('auto', 'anew', 'off')
    .default('auto')
    .describe(
      'The archive of price changes and closing lines: auto uses OVERROUND_CLICKHOUSE_URL or, standalone, an embedded ClickHouse under OVERROUND_DATA_DIR; anew also replaces a missing one; off keeps none.',
    ),
  OVERROUND_CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, ...mustBe('an http address, as in http://localhost:8123') })
    .optional()
    .describe('ClickHouse server for the archive, with user and password if needed.'),
  OVERROUND_CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be lower-case letters, digits and underscores')
    .default('overround')
    .describe('Database on that server; created if missing.'),
  OVERROUND_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,62}$/, 'must be the name of a cluster')
    .optional()
    .describe('Cluster of that server; tables are created and replicated on it.'),
  OVERROUND_ARCHIVE_DAYS: whole(1, 10_000)
    .optional()
    .describe(
      'Days that the archive keeps price changes, splits, usage and lives of opportunities; closing lines stay. Unset: an archive that exists keeps them as before, a new one for 730 days.',
    ),
  OVERROUND_SANDBOX: flag
    .optional()
    .describe(
      'Whether the three well-known test keys work; default: only on a loopback address, and not through a proxy.',
    ),
  OVERROUND_COMPRESSION: flag
    .default(true)
    .describe(
      'Whether responses are compressed (gzip, Brotli, permessage-deflate) for clients that accept it.',
    ),
  OVERROUND_WEB: flag
    .default(true)
    .describe('Whether the odds board and its pages are served; false: only the API.'),
  OVERROUND_SANDBOX_HOSTS: list
    .default([])
    .describe('Host names with a dot to accept while the test keys work.'),
  OVERROUND_STREAM_DISPLACEMENT: flag
    .default(false)
    .describe(
      'Whether a new stream replaces the oldest if the key has its maximum of streams; false: it is refused.',
    ),
  OVERROUND_ADMIN_TOKEN: token.describe('Bearer token of /api/v1/admin; unset: 401.'),
  OVERROUND_INGEST_TOKEN: token.describe('Bearer token of /api/v1/ingest; unset: 401.'),
  OVERROUND_LOG_LEVEL: oneOf(...logLevels)
    .default('info')
    .describe('Level of the text log; at a terminal usually warn.'),
} as const

type Settings = { readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name]> }

export interface ArchiveConfig {
  /** A ClickHouse server, or a directory that the embedded engine keeps. */
  readonly at: { readonly url: string } | { readonly directory: string }
  readonly database: string
  /** Null for tables on one server. */
  readonly cluster: string | null
  /** Null where the setting is not set. */
  readonly keptDays: number | null
  /** Whether a missing one is created. */
  readonly isBegunAnew: boolean
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Port of the role `pipeline` for health and metrics; null for none. */
  readonly healthPort: number | null
  /** How long a stopping service still responds. */
  readonly drainMs: number
  readonly listener: Settings['OVERROUND_LISTENER']
  /** Addresses, or networks in CIDR notation. */
  readonly trustedProxies: readonly string[]
  readonly connectionsPerAddress: number
  /** `*` for any; none for no page of another origin. */
  readonly corsOrigins: '*' | readonly string[]
  readonly role: 'standalone' | 'pipeline' | 'api'
  /** Null for none. */
  readonly deployment: string | null
  /** Whether a start may take over the log of another deployment. */
  readonly adoptsLog: boolean
  readonly dataDir: string
  readonly embeddedHours: number
  /** Null keeps the log embedded under `dataDir`. */
  readonly kafka: KafkaSettings | null
  /** Null for no archive. */
  readonly archive: ArchiveConfig | null
  readonly feeds: readonly string[]
  readonly feedsFile: string | null
  readonly simulator: { readonly changesPerSecond: number; readonly seed: number }
  /** The sportsbook that +EV is measured against first. */
  readonly sharpBook: string
  /** Whether the consensus measures +EV where no sharp book does. */
  readonly consensus: boolean
  /** Sportsbooks that measure others, and that nobody can bet at. */
  readonly references: ReadonlySet<string>
  /** Fees that opportunities count, by sportsbook. */
  readonly fees: Fees
  /** The most sets of sportsbooks, chosen by accounts, whose opportunities are kept at once. */
  readonly bookSets: number
  /** Hosts that deep links may fall back to, beside those of sportsbooks. */
  readonly linkHosts: readonly string[]
  /** Whether the lists of reference data can be read without a key. */
  readonly publicLists: boolean
  readonly publicRedirects: boolean
  /** Whether the record can be read without a key. */
  readonly publicRecord: boolean
  /** The targets that alerts may have: public addresses by https, or any. */
  readonly alertTargets: 'public' | 'any'
  /** The server that sends alerts by mail, and their sender; null for no mail. */
  readonly mail: { readonly url: string; readonly from: string } | null
  /** The address of the service in alerts; null for the one it listens on. */
  readonly publicUrl: string | null
  readonly sandbox: boolean
  /** Whether it also accepts requests through a proxy. */
  readonly sandboxBehindProxies: boolean
  /** Host names accepted while it is open; see `api/server/host-guard.ts`. */
  readonly sandboxHosts: readonly string[]
  /** Whether a key's newest stream may replace its oldest. */
  readonly streamDisplacement: boolean
  readonly compression: boolean
  /** Whether the pages are served. */
  readonly web: boolean
  readonly adminToken: string | null
  readonly ingestToken: string | null
  readonly logLevel: LogLevel
}

/** Returns why strangers may reach the sandbox, whose keys are public; null when they cannot. */
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

/** Thrown when the settings are wrong; the message has a sentence for each, which names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Thrown when the environment prevents the process's start; the message says what to do. */
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
    const parsed = decoder.safeParse(text === '' && !neverEmpty.has(name) ? undefined : text)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name} ${parsed.error.issues[0]?.message}${got(name, text)}`)
  }
  const read = values as unknown as Settings
  const brokers = read.OVERROUND_KAFKA_BROKERS
  const registryUrl = read.OVERROUND_SCHEMA_REGISTRY_URL
  if (brokers && !registryUrl) {
    problems.push('OVERROUND_SCHEMA_REGISTRY_URL has to be set when OVERROUND_KAFKA_BROKERS is')
  }
  const { OVERROUND_SMTP_URL: smtpUrl, OVERROUND_MAIL_FROM: from } = read
  if ((smtpUrl === undefined) !== (from === undefined)) {
    problems.push('OVERROUND_SMTP_URL and OVERROUND_MAIL_FROM have to be set together')
  }
  reportUnused(environment, problems)
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
    deployment: read.OVERROUND_DEPLOYMENT ?? null,
    adoptsLog: read.OVERROUND_ADOPT_LOG,
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
    consensus: read.OVERROUND_CONSENSUS,
    references: new Set(read.OVERROUND_REFERENCES),
    fees: read.OVERROUND_FEES,
    bookSets: read.OVERROUND_BOOK_SETS,
    linkHosts: read.OVERROUND_LINK_HOSTS,
    publicLists: read.OVERROUND_PUBLIC_LISTS,
    publicRedirects: read.OVERROUND_PUBLIC_REDIRECTS,
    publicRecord: read.OVERROUND_PUBLIC_RECORD,
    alertTargets: read.OVERROUND_ALERT_TARGETS,
    mail: smtpUrl && from ? { url: smtpUrl, from } : null,
    publicUrl: read.OVERROUND_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
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

/** Settings that have no meaning without another one, by the name of the other. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  OVERROUND_KAFKA_BROKERS: Object.keys(kafkaSettings).filter(
    (name) => name !== 'OVERROUND_KAFKA_BROKERS',
  ),
  OVERROUND_CLICKHOUSE_URL: ['OVERROUND_CLICKHOUSE_CLUSTER'],
}

/** Reports settings that would silently have no effect, because another one is not set. */
function reportUnused(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
) {
  const setBy = (name: string) =>
    [name, `${name}${fileSuffix}`].find((variable) => environment[variable])
  for (const [other, names] of Object.entries(dependents)) {
    if (setBy(other) !== undefined) continue
    for (const name of names) {
      const variable = setBy(name)
      if (variable !== undefined) {
        problems.push(`${variable} is set, and has no effect without ${other}: set both or neither`)
      }
    }
  }
  const { OVERROUND_ROLE: role, OVERROUND_ARCHIVE: archive } = environment
  const isSplit = role === 'pipeline' || role === 'api'
  if (archive === 'anew' && isSplit && setBy('OVERROUND_CLICKHOUSE_URL') === undefined) {
    problems.push(
      `OVERROUND_ARCHIVE=anew has no effect with OVERROUND_ROLE=${role} without OVERROUND_CLICKHOUSE_URL: this role has no archive of its own`,
    )
  }
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
    keptDays: read.OVERROUND_ARCHIVE_DAYS ?? null,
    isBegunAnew: read.OVERROUND_ARCHIVE === 'anew',
  }
}

/** Returns the settings as a table, for `--help`, with the defaults of those that have one. */
export function describeSettings(): string {
  return Object.entries(settings)
    .map(([name, decoder]) => {
      const value = decoder.parse(undefined)
      // Empty defaults are not shown, nor decoded ones, which have no text.
      const hasText = typeof value !== 'object' || Array.isArray(value)
      const hasDefault = value !== undefined && hasText && String(value) !== ''
      const text = `${decoder.description}${hasDefault ? ` Default: ${value}.` : ''}`
      const file = secrets.has(name) ? ' To read it from a file, add _FILE to the name.' : ''
      return `${name}\n    ${text}${file}`
    })
    .join('\n')
}

/** Secrets: never shown, and readable from a file that `<setting>_FILE` names. */
const secrets: ReadonlySet<string> = new Set([
  'OVERROUND_ADMIN_TOKEN',
  'OVERROUND_INGEST_TOKEN',
  'OVERROUND_CLICKHOUSE_URL',
  'OVERROUND_SMTP_URL',
  ...kafkaSecrets,
] satisfies (keyof typeof settings)[])

const fileSuffix = '_FILE'
const isSecretFile = (name: string) =>
  name.endsWith(fileSuffix) && secrets.has(name.slice(0, -fileSuffix.length))

/** Returns a secret as set, or the content of the file named instead, without its last line break. */
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

/** Returns the wrong value; not for a secret, because problems are logged. */
const got = (name: string, text: string | undefined) =>
  secrets.has(name) ? '' : ` (got ${JSON.stringify(text?.slice(0, 100))})`

function known(name: string): string {
  const stem = name.slice(0, 'OVERROUND_'.length + 4)
  const names = Object.keys(settings)
  const misspelt = names.filter((other) => distance(name, other) <= 2)
  const similar = misspelt.length > 0 ? misspelt : names.filter((other) => other.startsWith(stem))
  return similar.length > 0
    ? `did you mean ${similar.join(' or ')}?`
    : `known are ${names.join(', ')}`
}
