import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ConfigError,
  hasDeadLinks,
  openSandbox,
  readConfig,
} from '../../../pipeline/settings/config.ts'
import { describeSettings, settings } from '../../../pipeline/settings/settings.ts'
import { projectRoot } from '../../../schemas/project-root.ts'
import { standardFees } from '../../../schemas/reference/fees.ts'

/** Returns the errors of these settings; empty if they are valid. */
function problems(environment: Record<string, string>): string {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

const kafka = {
  OVERROUND_KAFKA_BROKERS: 'a:9092, b:9092,',
  OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081',
}

describe('settings', () => {
  it('are all read: one that is only declared would be accepted and have no effect', () => {
    const code = ['config.ts', 'kafka-settings.ts']
      .map((file) => readFileSync(join(projectRoot, 'pipeline', 'settings', file), 'utf8'))
      .join()
    const isRead = (name: string) =>
      new RegExp(`\\bread\\.${name}\\b|[{,] *${name}: \\w+[^}]*} = read\\b`).test(code)
    expect(Object.keys(settings).filter((name) => !isRead(name))).toEqual([])
  })

  it('have defaults', () => {
    const config = readConfig({ PATH: '/bin', overround_port: '1' })
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 3000,
      healthPort: null,
      drainMs: 0,
      trustedProxies: [],
      connectionsPerAddress: 2_000,
      corsOrigins: '*',
      listener: 'auto',
      role: 'standalone',
      dataDir: './data',
      deployment: null,
      adoptsLog: false,
      embeddedHours: 6,
      kafka: null,
      archive: {
        at: { directory: 'data/archive' },
        database: 'overround',
        cluster: null,
        keptDays: null,
        isBegunAnew: false,
      },
      feeds: ['simulator'],
      feedsFile: null,
      simulator: { changesPerSecond: 200, seed: 1 },
      sharpBook: 'pinnacle',
      consensus: true,
      anchors: new Map(),
      references: new Set(),
      fees: new Map(),
      bookSets: 32,
      linkHosts: [],
      publicLists: true,
      publicRedirects: true,
      publicRecord: false,
      alertTargets: 'public',
      mail: null,
      publicUrl: null,
      streamDisplacement: false,
      compression: true,
      web: true,
      sandbox: true,
      sandboxBehindProxies: false,
      sandboxHosts: [],
      adminToken: null,
      ingestToken: null,
      logLevel: 'info',
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('are read', () => {
    expect(
      readConfig({
        ...kafka,
        OVERROUND_HOST: '0.0.0.0',
        OVERROUND_PORT: '0',
        OVERROUND_HEALTH_PORT: '3001',
        OVERROUND_DRAIN_MS: '2000',
        OVERROUND_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
        OVERROUND_CORS_ORIGINS: 'https://desk.example.com, http://localhost:5173',
        OVERROUND_ROLE: 'api',
        OVERROUND_DATA_DIR: '/var/lib/overround',
        OVERROUND_DEPLOYMENT: 'desk',
        OVERROUND_ADOPT_LOG: 'true',
        OVERROUND_KAFKA_PARTITIONS: '12',
        OVERROUND_KAFKA_SESSION_MS: '9000',
        OVERROUND_KAFKA_TOPIC_PREFIX: 'odds.',
        OVERROUND_CLICKHOUSE_URL: 'http://clickhouse:8123',
        OVERROUND_CLICKHOUSE_DATABASE: 'odds',
        OVERROUND_CLICKHOUSE_CLUSTER: 'main',
        OVERROUND_ARCHIVE_DAYS: '90',
        OVERROUND_FEEDS: 'simulator, replay:/tmp/a b.json ,none',
        OVERROUND_FEEDS_FILE: 'feeds.json',
        OVERROUND_SIMULATOR_RATE: '500',
        OVERROUND_SIMULATOR_SEED: '-7',
        OVERROUND_SANDBOX: 'true',
        OVERROUND_SANDBOX_HOSTS: 'Odds.example.com, other.example',
        OVERROUND_ADMIN_TOKEN: 'an-admin-token-of-some-length',
        OVERROUND_INGEST_TOKEN: 'an-ingest-token-of-some-length',
        OVERROUND_LOG_LEVEL: 'silent',
        OVERROUND_BOOK_SETS: '8',
        OVERROUND_CONSENSUS: 'off',
        OVERROUND_ANCHORS: 'NBA=our_model, consensus',
        OVERROUND_REFERENCES: 'Our-Model, other model, PINNACLE',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 0,
      healthPort: 3001,
      drainMs: 2_000,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      connectionsPerAddress: 2_000,
      corsOrigins: ['https://desk.example.com', 'http://localhost:5173'],
      listener: 'auto',
      role: 'api',
      dataDir: '/var/lib/overround',
      deployment: 'desk',
      adoptsLog: true,
      embeddedHours: 6,
      kafka: {
        brokers: ['a:9092', 'b:9092'],
        registryUrl: 'http://registry:8081',
        partitions: 12,
        topicPrefix: 'odds.',
        setup: 'create',
        ...{ replicationFactor: null, minInsyncReplicas: null, compression: null },
        ...{ retentionMs: null, tombstonesKeptMs: 86_400_000 },
        ...{ tls: null, sasl: null, registryAuth: null, registryTls: null },
        sessionTimeoutMs: 9_000,
      },
      archive: {
        at: { url: 'http://clickhouse:8123' },
        database: 'odds',
        cluster: 'main',
        keptDays: 90,
        isBegunAnew: false,
      },
      feeds: ['simulator', 'replay:/tmp/a b.json', 'none'],
      feedsFile: 'feeds.json',
      simulator: { changesPerSecond: 500, seed: -7 },
      sharpBook: 'pinnacle',
      consensus: false,
      anchors: new Map([['nba', ['our_model', 'consensus']]]),
      references: new Set(['our_model', 'other_model', 'pinnacle']),
      fees: new Map(),
      bookSets: 8,
      linkHosts: [],
      publicLists: true,
      publicRedirects: true,
      publicRecord: false,
      alertTargets: 'public',
      mail: null,
      publicUrl: null,
      streamDisplacement: false,
      compression: true,
      web: true,
      sandbox: true,
      sandboxBehindProxies: true,
      sandboxHosts: ['odds.example.com', 'other.example'],
      adminToken: 'an-admin-token-of-some-length',
      ingestToken: 'an-ingest-token-of-some-length',
      logLevel: 'silent',
    })
  })

  it('place the archive', () => {
    const archiveOf = (settings: Record<string, string>) => readConfig(settings).archive
    expect(archiveOf({ OVERROUND_ARCHIVE: 'off' })).toBeNull()
    const url = 'http://clickhouse:8123'
    expect(archiveOf({ OVERROUND_ARCHIVE: 'off', OVERROUND_CLICKHOUSE_URL: url })).toBeNull()
    expect(archiveOf({ OVERROUND_CLICKHOUSE_URL: url })?.at).toEqual({ url })
    // The embedded engine allows one process in its directory.
    expect(archiveOf({ ...kafka, OVERROUND_ROLE: 'pipeline' })).toBeNull()
  })

  it('list the origins of pages that may read responses', () => {
    const origins = (text: string) => readConfig({ OVERROUND_CORS_ORIGINS: text }).corsOrigins
    expect(origins('*')).toBe('*')
    expect(origins('off')).toEqual([])
  })

  it('set the fees that count', () => {
    const fees = (text: string) => [...readConfig({ OVERROUND_FEES: text }).fees.entries()]
    const rateOf = (text: string) => fees(text).map(([sportsbook, { rate }]) => [sportsbook, rate])
    expect(fees('off')).toEqual([])
    expect(fees('standard')).toEqual([...standardFees])
    expect(rateOf('betfair=0.02, Sx Bet=0')).toEqual([
      ['betfair', 0.02],
      ['sx_bet', 0],
    ])
    expect(new Map(rateOf('standard,kalshi=0.035') as [string, number][]).get('kalshi')).toBe(0.035)
    for (const [text, says] of [
      [
        'on',
        /^OVERROUND_FEES must be off, standard, or rates .*; on is none of these \(got "on"\)$/,
      ],
      ['betfair=5', /betfair=5 is none of these/],
      ['betfare=0.05', /betfare is no sportsbook we know/],
      ['off,betfair=0.02', /off stands alone/],
      ['betfair=0.02,Betfair=0.05', /betfair is there twice/],
    ] as const) {
      expect(() => readConfig({ OVERROUND_FEES: text })).toThrow(says)
    }
  })

  it.each([
    ['127.0.0.1', undefined, true],
    ['localhost', undefined, true],
    ['::1', undefined, true],
    ['0.0.0.0', undefined, false],
    ['::', undefined, false],
    ['192.168.1.5', undefined, false],
    ['odds.example.com', undefined, false],
    ['127.0.0.1', 'false', false],
    ['127.0.0.1', '0', false],
    ['127.0.0.1', 'off', false],
    ['0.0.0.0', 'true', true],
    ['0.0.0.0', '1', true],
    ['0.0.0.0', 'on', true],
  ])('on host %s with OVERROUND_SANDBOX=%s: sandbox %s', (host, sandbox, expected) => {
    const environment = { OVERROUND_HOST: host, ...(sandbox && { OVERROUND_SANDBOX: sandbox }) }
    expect(readConfig(environment).sandbox).toBe(expected)
  })

  it.each([
    [{}, null],
    [{ OVERROUND_HOST: '::1' }, null],
    [{ OVERROUND_HOST: '0.0.0.0' }, null],
    [{ OVERROUND_HOST: '0.0.0.0', OVERROUND_SANDBOX: 'true' }, 'it listens on 0.0.0.0'],
    [{ OVERROUND_TRUSTED_PROXIES: '127.0.0.1' }, null],
    [
      { OVERROUND_TRUSTED_PROXIES: '127.0.0.1', OVERROUND_SANDBOX: 'true' },
      'requests come through a proxy',
    ],
    [{ OVERROUND_TRUSTED_PROXIES: '127.0.0.1', OVERROUND_SANDBOX: 'false' }, null],
  ])('decide whether strangers may reach the sandbox: %o', (environment, expected) => {
    expect(openSandbox(readConfig(environment))).toBe(expected)
  })

  it.each([
    [{}, false],
    [{ OVERROUND_HOST: '0.0.0.0' }, true],
    [{ OVERROUND_HOST: '::' }, true],
    [{ OVERROUND_HOST: '192.168.1.5' }, false],
    [{ OVERROUND_HOST: '0.0.0.0', OVERROUND_PUBLIC_URL: 'https://odds.example.com' }, false],
    [{ ...kafka, OVERROUND_HOST: '0.0.0.0', OVERROUND_ROLE: 'pipeline' }, false],
  ])('decide whether links in alerts lead nowhere: %o', (environment, expected) => {
    expect(hasDeadLinks(readConfig(environment))).toBe(expected)
  })

  it.each([
    ['OVERROUND_PROT', '1'],
    ['OVERROUND_', '1'],
    ['OVERROUND_port', '1'],
    ['OVERROUND_KAFKA_BROKER', 'a:1'],
    ['OVERROUND_NO_SUCH_THING', ''],
  ])('that are unknown stop the start: %s', (name, value) => {
    expect(problems({ [name]: value })).toContain(`${name} is not a setting`)
  })

  it('get a suggestion when misspelt', () => {
    expect(problems({ OVERROUND_KAFKA_BROKER: 'a:1' })).toContain('OVERROUND_KAFKA_BROKERS')
    expect(problems({ OVERROUND_ZZZ: 'a' })).toContain('OVERROUND_HOST')
    expect(problems({ OVERROUND_PROT: '1' })).toContain('did you mean OVERROUND_PORT?')
  })

  it('that are unknown and like none are followed by one list of those known', () => {
    const lines = problems({ OVERROUND_ZZZ: 'a', OVERROUND_QQQ: 'b' }).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^OVERROUND_ZZZ is not a setting; known are OVERROUND_HOST, /),
      'OVERROUND_QQQ is not a setting',
    ])
  })

  /** The variables that Kubernetes sets for a service with a port named http. */
  const linksTo = (service: string) => ({
    [`${service}_SERVICE_HOST`]: '10.96.1.2',
    [`${service}_SERVICE_PORT`]: '80',
    [`${service}_SERVICE_PORT_HTTP`]: '80',
    [`${service}_PORT`]: 'tcp://10.96.1.2:80',
    [`${service}_PORT_80_TCP`]: 'tcp://10.96.1.2:80',
    [`${service}_PORT_80_TCP_PROTO`]: 'tcp',
    [`${service}_PORT_80_TCP_PORT`]: '80',
    [`${service}_PORT_80_TCP_ADDR`]: '10.96.1.2',
  })
  it.each(['OVERROUND', 'OVERROUND_API', 'OVERROUND_HEALTH'])(
    'say what to do about services of Kubernetes: %s',
    (service) => {
      const links = linksTo(service)
      expect(problems(links)).toBe(
        `${Object.keys(links).join(', ')}: Kubernetes sets these for services whose names begin with overround: set enableServiceLinks: false in the pod`,
      )
      expect(problems({ ...links, OVERROUND_ROLE: 'x' }).split('\n')).toHaveLength(2)
    },
  )

  it('may be set beside services of Kubernetes', () => {
    const environment = { ...linksTo('OVERROUND'), OVERROUND_PORT: '5000', OVERROUND_API_PROT: '1' }
    const [first, second] = problems(environment).split('\n')
    expect(first).not.toMatch(/OVERROUND_PORT[,:]/)
    expect(second).toContain('OVERROUND_API_PROT is not a setting')
  })

  it.each([
    ['OVERROUND_PORT', ['-1', '65536', 'http', '80.5', 'NaN', 'Infinity', ' ', '\t\n', '80 81']],
    ['OVERROUND_HEALTH_PORT', [' ', 'NaN']],
    ['OVERROUND_EMBEDDED_HOURS', [' ', 'NaN', 'Infinity']],
    [
      'OVERROUND_TRUSTED_PROXIES',
      ['localhost', '10.0.0.0/33', '10.0.0.0/8/8', '127.0.0.1:80', '*'],
    ],
    [
      'OVERROUND_CORS_ORIGINS',
      [
        'desk.example.com',
        'https://desk.example.com/',
        '*,https://a.example',
        'off,*',
        'null',
        ',',
      ],
    ],
    ['OVERROUND_ROLE', ['Standalone', 'worker']],
    ['OVERROUND_SCHEMA_REGISTRY_URL', ['registry', '//registry']],
    ['OVERROUND_KAFKA_TOPIC_PREFIX', ['a b', 'a/b', 'ä']],
    ['OVERROUND_KAFKA_PARTITIONS', ['0', '-1', '1001', '1.5', 'many']],
    ['OVERROUND_SIMULATOR_RATE', ['9', '50001', 'fast']],
    ['OVERROUND_SIMULATOR_SEED', ['1.5', 'x', ' ']],
    ['OVERROUND_BOOK_SETS', [' ']],
    ['OVERROUND_SANDBOX', ['yes', 'TRUE', '2']],
    ['OVERROUND_INGEST_TOKEN', ['short']],
    ['OVERROUND_LOG_LEVEL', ['loud', 'INFO', 'fatal']],
  ])('that do not decode stop the start: %s', (name, values) => {
    for (const value of values) {
      expect([value, problems({ [name]: value })]).toEqual([value, expect.stringContaining(name)])
    }
  })

  it.each([
    ['OVERROUND_PORT', 'abc', 'must be a whole number from 0 to 65535 (got "abc")'],
    ['OVERROUND_PORT', '80.5', 'must be a whole number from 0 to 65535 (got "80.5")'],
    ['OVERROUND_EMBEDDED_HOURS', '99', 'must be a number from 0.1 to 48 (got "99")'],
    ['OVERROUND_ROLE', 'x', 'must be one of standalone, pipeline, api (got "x")'],
    ['OVERROUND_SANDBOX', 'a\nb', 'must be on or off (got "a\\nb")'],
    ['OVERROUND_SIMULATOR_SEED', '1.5', 'must be a whole number (got "1.5")'],
    ['OVERROUND_INGEST_TOKEN', 'short', 'must be at least 16 characters long'],
  ])('have a one-line error for %s=%s with the expected form', (name, value, expected) => {
    expect(problems({ [name]: value })).toBe(`${name} ${expected}`)
  })

  it('of mail belong together', () => {
    const OVERROUND_SMTP_URL = 'smtps://me:secret@mail.example.com'
    const OVERROUND_MAIL_FROM = 'odds@example.com'
    expect(problems({ OVERROUND_SMTP_URL })).toContain('have to be set together')
    expect(problems({ OVERROUND_MAIL_FROM })).toContain('have to be set together')
    expect(problems({ OVERROUND_SMTP_URL: 'https://a', OVERROUND_MAIL_FROM })).toContain('smtp')
    expect(readConfig({ OVERROUND_SMTP_URL, OVERROUND_MAIL_FROM }).mail).toEqual({
      ...{ url: OVERROUND_SMTP_URL, from: OVERROUND_MAIL_FROM },
    })
  })

  it('that are empty count as unset, unless that reads as the opposite of the default', () => {
    const names = describeSettings().match(/OVERROUND_\w+$/gm)!
    expect(names).toContain('OVERROUND_PORT')
    const refused = ['OVERROUND_FEEDS', 'OVERROUND_CORS_ORIGINS']
    const others = names.filter((name) => !refused.includes(name))
    expect(others).toHaveLength(names.length - 2)
    expect(readConfig(Object.fromEntries(others.map((name) => [name, ''])))).toEqual(readConfig({}))
    for (const empty of ['', ' ', ' , ']) {
      expect(problems({ OVERROUND_FEEDS: empty })).toBe(
        `OVERROUND_FEEDS has to name feeds, or be none (pushed prices only) or simulator (got "${empty}")`,
      )
      expect(problems({ OVERROUND_CORS_ORIGINS: empty })).toContain('must be *, off, or origins')
    }
  })

  it.each([
    ['OVERROUND_FEEDS', 'kambi, the-odds-api,kambi', 'kambi'],
    ['OVERROUND_FEEDS', 'simulator,simulator', 'simulator'],
    ['OVERROUND_KAFKA_BROKERS', 'a:9092,b:9092, a:9092', 'a:9092'],
  ])('that would do the same twice are refused: %s=%s', (name, text, twice) => {
    expect(problems({ ...kafka, [name]: text })).toBe(`${name} has ${twice} twice (got "${text}")`)
  })

  it('are all named when several are wrong', () => {
    const text = problems({ OVERROUND_PORT: 'x', OVERROUND_ROLE: 'y', OVERROUND_WHAT: 'z' })
    expect(text.split('\n')).toHaveLength(3)
  })

  it('with Kafka need a registry', () => {
    const { OVERROUND_KAFKA_BROKERS } = kafka
    expect(problems({ OVERROUND_KAFKA_BROKERS })).toContain('OVERROUND_SCHEMA_REGISTRY_URL')
    expect(problems(kafka)).toBe('')
  })

  it('for a role of several processes need Kafka', () => {
    for (const role of ['pipeline', 'api']) {
      expect(problems({ OVERROUND_ROLE: role })).toContain('OVERROUND_KAFKA_BROKERS')
      expect(problems({ OVERROUND_ROLE: role, ...kafka })).toBe('')
    }
  })

  it('that are numbers may have blanks around them', () => {
    expect(readConfig({ OVERROUND_PORT: ' 80\n' }).port).toBe(80)
    expect(readConfig({ OVERROUND_SIMULATOR_RATE: ' 50.5 ' }).simulator.changesPerSecond).toBe(50.5)
  })

  it('of a cluster are refused one by one where no broker is set', () => {
    const cluster = {
      OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081',
      OVERROUND_KAFKA_TOPIC_PREFIX: 'odds.',
      OVERROUND_KAFKA_PARTITIONS: '8',
      OVERROUND_KAFKA_SASL_PASSWORD: 'hunter2',
      OVERROUND_SCHEMA_REGISTRY_TOKEN_FILE: '/run/secrets/registry',
    }
    for (const brokers of [{}, { OVERROUND_KAFKA_BROKERS: '' }]) {
      for (const [name, value] of Object.entries(cluster)) {
        expect(problems({ ...brokers, [name]: value })).toContain(
          `${name} is set, and has no effect without OVERROUND_KAFKA_BROKERS: set both or neither`,
        )
      }
      const all = problems({ ...brokers, ...cluster }).split('\n')
      expect(all.filter((line) => line.includes('has no effect'))).toHaveLength(5)
    }
    // A list of brokers that is wrong is the only problem.
    expect(problems({ ...cluster, OVERROUND_KAFKA_BROKERS: ',' })).not.toContain('has no effect')
  })

  it('of a ClickHouse server are refused without its address', () => {
    const url = { OVERROUND_CLICKHOUSE_URL: 'http://clickhouse:8123' }
    const cluster = { OVERROUND_CLICKHOUSE_CLUSTER: 'main' }
    expect(problems(cluster)).toBe(
      'OVERROUND_CLICKHOUSE_CLUSTER is set, and has no effect without OVERROUND_CLICKHOUSE_URL: set both or neither',
    )
    expect(problems({ ...cluster, ...url })).toBe('')
    // The embedded archive has a database too.
    expect(problems({ OVERROUND_CLICKHOUSE_DATABASE: 'odds' })).toBe('')
    // They may stay where the archive is turned off.
    const off = { ...cluster, OVERROUND_ARCHIVE: 'off' }
    expect(problems(off)).toBe('')
    const more = { OVERROUND_CLICKHOUSE_DATABASE: 'odds', OVERROUND_ARCHIVE_DAYS: '30' }
    for (const OVERROUND_ROLE of ['standalone', 'pipeline', 'api']) {
      expect(problems({ ...kafka, ...off, ...more, OVERROUND_ROLE })).toBe('')
    }
    const anew = { OVERROUND_ARCHIVE: 'anew' }
    expect(problems(anew)).toBe('')
    for (const OVERROUND_ROLE of ['pipeline', 'api']) {
      expect(problems({ ...kafka, ...anew, OVERROUND_ROLE })).toBe(
        `OVERROUND_ARCHIVE=anew has no effect with OVERROUND_ROLE=${OVERROUND_ROLE} without OVERROUND_CLICKHOUSE_URL: this role has no archive of its own`,
      )
      expect(problems({ ...kafka, ...anew, ...url, OVERROUND_ROLE })).toBe('')
    }
  })

  it.each([
    [{ ...kafka, OVERROUND_KAFKA_OAUTH_SCOPE: 'x' }, 'OVERROUND_KAFKA_SASL_MECHANISM= needs none'],
    [
      {
        ...kafka,
        ...{ OVERROUND_KAFKA_SASL_MECHANISM: 'plain', OVERROUND_KAFKA_OAUTH_SCOPE: 'x' },
        ...{ OVERROUND_KAFKA_SASL_USERNAME: 'a', OVERROUND_KAFKA_SASL_PASSWORD: 'b' },
      },
      'OVERROUND_KAFKA_SASL_MECHANISM=plain needs none',
    ],
    [{ ...kafka, OVERROUND_EMBEDDED_HOURS: '24' }, 'has no effect with OVERROUND_KAFKA_BROKERS'],
    [
      { ...kafka, OVERROUND_ROLE: 'api', OVERROUND_ARCHIVE_DAYS: '30' },
      'has no effect with a role without OVERROUND_CLICKHOUSE_URL',
    ],
    [
      { ...kafka, OVERROUND_ROLE: 'pipeline', OVERROUND_CLICKHOUSE_DATABASE: 'odds' },
      'has no effect with a role without OVERROUND_CLICKHOUSE_URL',
    ],
    [
      { OVERROUND_FEEDS: 'none', OVERROUND_SIMULATOR_RATE: '500' },
      'has no effect without simulator in OVERROUND_FEEDS',
    ],
    [
      { OVERROUND_FEEDS: 'kalshi', OVERROUND_SIMULATOR_SEED: '2' },
      'has no effect without simulator in OVERROUND_FEEDS',
    ],
    [
      { OVERROUND_FEEDS: 'none', OVERROUND_FEEDS_FILE: '/nowhere' },
      'has no effect with OVERROUND_FEEDS=none',
    ],
    [
      { OVERROUND_FEEDS_FILE: 'feeds.json' },
      'simulator (the default) or replay:… alone: name its feeds in OVERROUND_FEEDS',
    ],
    [
      { OVERROUND_FEEDS: 'simulator,replay:kambi.csv?retime=true', OVERROUND_FEEDS_FILE: 'a.json' },
      'OVERROUND_FEEDS_FILE is set, and has no effect',
    ],
  ])('without effect are refused: %o', (environment, problem) => {
    expect(problems(environment).split('\n')).toEqual([expect.stringContaining(problem)])
  })

  it('of feeds may be those of an API too, which shares its settings with pipelines', () => {
    const feeds = { OVERROUND_FEEDS: 'none', OVERROUND_FEEDS_FILE: 'feeds.json' }
    expect(problems({ ...kafka, ...feeds, OVERROUND_ROLE: 'api' })).toBe('')
    const beside = { OVERROUND_FEEDS: 'simulator,kalshi', OVERROUND_FEEDS_FILE: 'feeds.json' }
    expect(problems(beside)).toBe('')
  })

  it('of test keys may name hosts that have no effect, since that does no harm', () => {
    const hosts = { OVERROUND_SANDBOX: 'false', OVERROUND_SANDBOX_HOSTS: 'odds.example.com' }
    expect(problems(hosts)).toBe('')
  })

  it('in hours are whole milliseconds', () => {
    const hours = { OVERROUND_KAFKA_RETENTION_HOURS: '2.2', OVERROUND_KAFKA_TOMBSTONE_HOURS: '1.1' }
    expect(readConfig({ ...kafka, ...hours }).kafka).toMatchObject({
      retentionMs: 7_920_000,
      tombstonesKeptMs: 3_960_000,
    })
  })

  it('with an empty broker list are refused', () => {
    expect(problems({ ...kafka, OVERROUND_KAFKA_BROKERS: ' , ' })).toContain(
      'OVERROUND_KAFKA_BROKERS',
    )
  })

  it('with a registry that has no http address are refused', () => {
    for (const url of ['localhost:8081', 'ftp://registry', 'file:///registry']) {
      const text = problems({ ...kafka, OVERROUND_SCHEMA_REGISTRY_URL: url })
      expect([url, text]).toEqual([url, expect.stringContaining('OVERROUND_SCHEMA_REGISTRY_URL')])
    }
  })

  const clickhouse =
    'OVERROUND_CLICKHOUSE_URL must be an http address, as in http://localhost:8123 or http://user:password@localhost:8123, without'
  const registry =
    'OVERROUND_SCHEMA_REGISTRY_URL must be an http address, as in http://localhost:8081, without'
  const publicUrl =
    'OVERROUND_PUBLIC_URL must be an http address, as in https://odds.example.com, without'
  it.each([
    ['OVERROUND_CLICKHOUSE_URL', 'http://h:8123/?user=a&password=b', `${clickhouse} a query (?…)`],
    ['OVERROUND_CLICKHOUSE_URL', 'http://h:8123/odds', `${clickhouse} a path`],
    ['OVERROUND_CLICKHOUSE_URL', 'http://h:8123/#a', `${clickhouse} a fragment (#…)`],
    [
      'OVERROUND_CLICKHOUSE_URL',
      'http://user:hunter%zz@h:8123',
      'OVERROUND_CLICKHOUSE_URL has a % in its user or password that is no escape: write it as %25',
    ],
    [
      'OVERROUND_SCHEMA_REGISTRY_URL',
      'http://100%:hunter@h:8081',
      'OVERROUND_SCHEMA_REGISTRY_URL has a % in its user or password that is no escape: write it as %25',
    ],
    ['OVERROUND_SCHEMA_REGISTRY_URL', 'http://h:8081/api?a=b', `${registry} a query (?…)`],
    [
      'OVERROUND_SMTP_URL',
      'smtp://me:hunter%@h',
      'OVERROUND_SMTP_URL has a % in its user or password that is no escape: write it as %25',
    ],
    [
      'OVERROUND_PUBLIC_URL',
      'https://h.example/odds?a=b',
      `${publicUrl} a query (?…) (got "https://h.example/odds?a=b")`,
    ],
    [
      'OVERROUND_PUBLIC_URL',
      'https://me:hunter@h.example',
      `${publicUrl} a user or password (got "https://…@h.example")`,
    ],
  ])('that are addresses name what their reader cannot take: %s=%s', (name, text, problem) => {
    const OVERROUND_MAIL_FROM = 'odds@example.com'
    const mail = { OVERROUND_SMTP_URL: 'smtp://h', OVERROUND_MAIL_FROM }
    expect(problems({ ...kafka, ...mail, [name]: text }).split('\n')).toContain(problem)
    expect(problems({ ...kafka, ...mail, [name]: text })).not.toContain('hunter')
  })

  it.each([
    ['OVERROUND_CLICKHOUSE_URL', 'https://user:p%40ss%25@h:8443/'],
    ['OVERROUND_SCHEMA_REGISTRY_URL', 'http://user:password@h/apis/ccompat/v7'],
    ['OVERROUND_PUBLIC_URL', 'https://h.example/odds/'],
    ['OVERROUND_KAFKA_BROKERS', 'kafka_1:9092,10.0.0.1:9093'],
  ])('that are addresses take what their reader takes: %s=%s', (name, text) => {
    expect(problems({ ...kafka, [name]: text })).toBe('')
  })

  const noIpv6 = 'the Kafka client takes no IPv6 address, but a host name that leads to one'
  it.each([
    ['localhost', 'names localhost, which is no host:port, as in localhost:9092'],
    ['a:9092, b:9092x', 'names b:9092x, which is no host:port, as in localhost:9092'],
    ['a:0', 'names a:0, which is no host:port, as in localhost:9092'],
    ['a:65536', 'names a:65536, which is no host:port, as in localhost:9092'],
    [':9092', 'names :9092, which is no host:port, as in localhost:9092'],
    ['SSL://a:9092', 'names SSL://a:9092, which is no host:port, as in localhost:9092'],
    ['[::1]:9092', `names [::1]:9092: ${noIpv6}`],
    ['::1:9092', `names ::1:9092: ${noIpv6}`],
  ])('refuse what is no broker: %s', (text, problem) => {
    expect(problems({ ...kafka, OVERROUND_KAFKA_BROKERS: text })).toBe(
      `OVERROUND_KAFKA_BROKERS ${problem} (got "${text}")`,
    )
  })

  it('keep tokens out of printed texts', () => {
    for (const name of ['OVERROUND_INGEST_TOKEN', 'OVERROUND_ADMIN_TOKEN']) {
      expect(problems({ [name]: 'hunter2' })).not.toContain('hunter2')
    }
  })

  it('are described with their defaults', () => {
    const text = describeSettings()
    expect(text).toContain('0 takes a free one. Default: 3000.')
    expect(text).toContain('Default: simulator.')
    expect(text).not.toMatch(/undefined|Default: \.$/m)
  })

  it('are described, each in a sentence', () => {
    const lines = describeSettings().split('\n')
    expect(lines.length % 2).toBe(0)
    for (const [i, line] of lines.entries()) {
      expect(line).toMatch(i % 2 === 0 ? /^OVERROUND_[A-Z_]+$/ : /^ {4}\S.*\.$/)
    }
  })
})
