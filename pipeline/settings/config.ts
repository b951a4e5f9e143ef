/**
 * The configuration: only this file reads the environment, each setting by its decoder (`settings.ts`). An unknown
 * `OVERROUND_*` name, a value that does not decode, or one without effect stops the start. Files
 * that settings name (secrets, certificates) are read here too.
 */

import { join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import type { LogLevel } from '../../schemas/log-level.ts'
import { type Chain, everyLeague } from '../rules/odds/chains.ts'
import type { Fees } from '../rules/odds/fees.ts'
import { type KafkaSettings, kafkaOf, kafkaSettings } from './kafka-settings.ts'
import { readNamedFile } from './named-file.ts'
import { neverEmpty, type Settings, secrets, settings } from './settings.ts'

const loopbacks = new Set(['127.0.0.1', 'localhost', '::1'])

export interface ArchiveConfig {
  /** A ClickHouse server, or a directory that the embedded engine keeps. */
  readonly at: { readonly url: string } | { readonly directory: string }
  readonly database: string
  /** Null for tables on one server. */
  readonly cluster: string | null
  /** Null if the setting is not set. */
  readonly keptDays: number | null
  /** Whether a missing archive is created. */
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
  /** `*` for any; empty for none. */
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
  /** Whether the consensus is the reference of +EV if no sharp book is. */
  readonly consensus: boolean
  /** Chains of anchors by league or sport, see `chainsOf`. */
  readonly anchors: ReadonlyMap<string, Chain>
  /** Sportsbooks that measure others, and that nobody can bet at. */
  readonly references: ReadonlySet<string>
  /** The fees that opportunities subtract, by sportsbook. */
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

/**
 * Returns whether links in alerts lead to an address that nobody can open, because the service
 * listens on all addresses.
 */
export const hasDeadLinks = ({
  role,
  host,
  publicUrl,
}: Pick<Config, 'role' | 'host' | 'publicUrl'>): boolean =>
  role !== 'pipeline' && publicUrl === null && (host === '0.0.0.0' || host === '::')

/** Thrown when the settings are wrong; the message has a sentence for each, which names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Thrown when the environment prevents the process's start; the message says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns a variable's value. An empty one counts as unset, except for settings that must not be
 * empty.
 */
export function variableOf(environment: Environment, name: string): string | undefined {
  const text = environment[name]
  return text === '' && !neverEmpty.has(name) ? undefined : text
}

/** @throws ConfigError naming every setting that is unknown or does not decode */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const links = serviceLinks(environment)
  if (links.size > 0) {
    problems.push(
      `${[...links].join(', ')}: Kubernetes sets these for services whose names begin with overround: set enableServiceLinks: false in the pod`,
    )
  }
  let hasListed = false
  for (const name of Object.keys(environment)) {
    if (!name.startsWith(prefix) || name in settings || isSecretFile(name) || links.has(name))
      continue
    const similar = similarTo(name)
    let advice = similar.length > 0 ? `; did you mean ${similar.join(' or ')}?` : ''
    if (advice === '' && !hasListed) {
      advice = `; known are ${Object.keys(settings).join(', ')}`
      hasListed = true
    }
    problems.push(`${name} is not a setting${advice}`)
  }
  const values: Record<string, unknown> = {}
  for (const [name, decoder] of Object.entries(settings)) {
    if (links.has(name)) continue
    const text = secrets.has(name)
      ? readSecret(environment, name, problems)
      : variableOf(environment, name)
    const parsed = decoder.safeParse(text)
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
  reportUnused(environment, read, problems)
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
    anchors: read.OVERROUND_ANCHORS,
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

/** Whether a setting is set, by itself or by a file that has it. */
type IsSet = (name: keyof Settings) => boolean

/** Settings that have an effect only together with others. */
interface Conditional {
  readonly names: readonly string[]
  /** @param read the settings, without those that did not decode */
  readonly haveEffect: (isSet: IsSet, read: Partial<Settings>) => boolean
  /** Ends the sentence that begins with "is set, and has no effect". */
  readonly otherwise: string
}

const needs = (other: keyof Settings, names: readonly string[]): Conditional => ({
  names,
  haveEffect: (isSet) => isSet(other),
  otherwise: `without ${other}: set both or neither`,
})

/** Returns the same for settings of the archive, which stay where it is turned off. */
const ofArchive = (conditional: Conditional): Conditional => ({
  ...conditional,
  haveEffect: (isSet, read) =>
    read.OVERROUND_ARCHIVE === 'off' || conditional.haveEffect(isSet, read),
})

const isSplit = (read: Partial<Settings>) =>
  read.OVERROUND_ROLE === 'pipeline' || read.OVERROUND_ROLE === 'api'

/**
 * Returns a test whether one of the feeds fits. An API runs no feeds, but may share the settings of
 * pipelines.
 */
const hasFeed =
  (isSo: (feed: string) => boolean): Conditional['haveEffect'] =>
  (_, { OVERROUND_ROLE: role, OVERROUND_FEEDS: feeds }) =>
    role === 'api' || feeds === undefined || feeds.some(isSo)

const conditionals: readonly Conditional[] = [
  needs(
    'OVERROUND_KAFKA_BROKERS',
    Object.keys(kafkaSettings).filter((name) => name !== 'OVERROUND_KAFKA_BROKERS'),
  ),
  ofArchive(needs('OVERROUND_CLICKHOUSE_URL', ['OVERROUND_CLICKHOUSE_CLUSTER'])),
  ofArchive({
    names: ['OVERROUND_CLICKHOUSE_DATABASE', 'OVERROUND_ARCHIVE_DAYS'],
    haveEffect: (isSet, read) => !isSplit(read) || isSet('OVERROUND_CLICKHOUSE_URL'),
    otherwise: 'with a role without OVERROUND_CLICKHOUSE_URL: set both or neither',
  }),
  {
    names: ['OVERROUND_EMBEDDED_HOURS'],
    haveEffect: (isSet) => !isSet('OVERROUND_KAFKA_BROKERS'),
    otherwise: 'with OVERROUND_KAFKA_BROKERS: leave out one of them',
  },
  {
    names: ['OVERROUND_SIMULATOR_RATE', 'OVERROUND_SIMULATOR_SEED'],
    haveEffect: hasFeed((feed) => feed === 'simulator'),
    otherwise: 'without simulator in OVERROUND_FEEDS: leave it out, or name that feed',
  },
  {
    names: ['OVERROUND_FEEDS_FILE'],
    haveEffect: hasFeed((feed) => !/^(none|simulator|replay:.*)$/s.test(feed)),
    otherwise:
      'with OVERROUND_FEEDS=none, simulator (the default) or replay:… alone: name its feeds in OVERROUND_FEEDS, or leave it out',
  },
  {
    names: ['OVERROUND_SHARP_BOOK', 'OVERROUND_CONSENSUS'],
    haveEffect: (_, read) => !read.OVERROUND_ANCHORS?.has(everyLeague),
    otherwise: `with ${everyLeague} in OVERROUND_ANCHORS: leave out one of them`,
  },
]

/** Reports settings that would silently have no effect. */
function reportUnused(environment: Environment, read: Partial<Settings>, problems: string[]) {
  const setBy = (name: string) =>
    [name, `${name}${fileSuffix}`].find((variable) => environment[variable])
  const isSet: IsSet = (name) => setBy(name) !== undefined
  for (const { names, haveEffect, otherwise } of conditionals) {
    if (haveEffect(isSet, read)) continue
    for (const name of names) {
      const variable = setBy(name)
      if (variable !== undefined) {
        problems.push(`${variable} is set, and has no effect ${otherwise}`)
      }
    }
  }
  const { OVERROUND_ROLE: role, OVERROUND_ARCHIVE: archive } = read
  if (archive === 'anew' && isSplit(read) && !isSet('OVERROUND_CLICKHOUSE_URL')) {
    problems.push(
      `OVERROUND_ARCHIVE=anew has no effect with OVERROUND_ROLE=${role} without OVERROUND_CLICKHOUSE_URL: this role has no archive of its own`,
    )
  }
}

function archiveOf(read: Settings): ArchiveConfig | null {
  const url = read.OVERROUND_CLICKHOUSE_URL
  // Only one process at a time can use the embedded engine's directory.
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

const fileSuffix = '_FILE'
const isSecretFile = (name: string) =>
  name.endsWith(fileSuffix) && secrets.has(name.slice(0, -fileSuffix.length))

/**
 * Returns a secret: its setting, or the content of the file named instead, without the last line
 * break.
 */
function readSecret(
  environment: Environment,
  name: string,
  problems: string[],
): string | undefined {
  const path = environment[`${name}${fileSuffix}`]
  if (!path) return variableOf(environment, name)
  if (environment[name]) problems.push(`${name} and ${name}${fileSuffix} cannot both be set`)
  try {
    const text = readNamedFile(path).replace(/\r?\n$/, '')
    if (text !== '') return text
    problems.push(`${name}${fileSuffix} names an empty file`)
    return undefined
  } catch (error) {
    problems.push(`${name}${fileSuffix} cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/** Returns the wrong value, but no secret or password in an address: problems are logged. */
const got = (name: string, text: string | undefined) =>
  secrets.has(name)
    ? ''
    : ` (got ${JSON.stringify(text?.replace(/\/\/[^/]*@/, '//…@').slice(0, 100))})`

const prefix = 'OVERROUND_'

/**
 * Returns the variables that Kubernetes sets in each pod for services in its namespace:
 * `OVERROUND_API_PORT` and others for a service named overround-api, and even `OVERROUND_PORT`
 * (with an address) for one named overround.
 */
function serviceLinks(environment: Environment): ReadonlySet<string> {
  const ofHost = /^(OVERROUND\w*)_SERVICE_HOST$/
  const services = Object.keys(environment).flatMap((name) => ofHost.exec(name)?.[1] ?? [])
  const link = new RegExp(
    `^(${services.join('|')})_(SERVICE_(HOST|PORT(_\\w+)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`,
  )
  const isLink = (name: string) =>
    link.test(name) && (!(name in settings) || /^\w+:\/\//.test(environment[name] ?? ''))
  return new Set(services.length === 0 ? [] : Object.keys(environment).filter(isLink))
}

/** Returns the settings that an unknown name may mean. */
function similarTo(name: string): readonly string[] {
  const stem = name.slice(0, prefix.length + 4)
  const names = Object.keys(settings)
  const misspelt = names.filter((other) => distance(name, other) <= 2)
  return misspelt.length > 0 ? misspelt : names.filter((other) => other.startsWith(stem))
}
