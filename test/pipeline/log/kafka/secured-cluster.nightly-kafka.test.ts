/**
 * A cluster secured as in production: TLS with certificates on both sides, every SASL mechanism, rights
 * that are denied unless granted, a registry behind TLS and a login, and the real processes on it.
 */

import { execFile, execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import kafkajs, { type AclEntry, type Admin, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findJava } from '../../../../infra/kafka-local/jars.ts'
import { findFreePort } from '../../../../infra/kafka-local/jvm.ts'
import { startLocalKafka } from '../../../../infra/kafka-local/kafka-local.ts'
import type { LocalKafka } from '../../../../infra/kafka-local/local-kafka.ts'
import { openKafkaLog } from '../../../../pipeline/log/kafka/kafka-log.ts'
import { LogSetupError, LogUnavailableError } from '../../../../pipeline/log/log.ts'
import { readConfig } from '../../../../pipeline/settings/config.ts'
import type { KafkaSettings } from '../../../../pipeline/settings/kafka-settings.ts'
import { projectRoot } from '../../../../schemas/project-root.ts'
import { topics } from '../../../../schemas/topics.ts'
import { inherited, type Service, startService } from '../../../service.ts'

// kafkajs is CommonJS, so Node imports only some of its names.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const hasJava = await findJava().then(
  () => true,
  () => false,
)

const folder = mkdtempSync(join(tmpdir(), 'overround-secured-'))
const file = (name: string) => join(folder, name)
const secretFile = (name: string, text: string) => {
  writeFileSync(file(name), `${text}\n`)
  return file(name)
}

const users = {
  admin: 'of-all',
  'odds-pipeline': 'of:the-pipeline',
  'odds-api': 'of the api',
  'odds-setup': 'of-the-setup',
}
const oauthClient = { id: 'odds robot', secret: 'of:the:robot' }
const registryToken = 'of-the-registry'
const prefix = 'secured.'

let kafka: LocalKafka
let brokers: string
let tokens: Awaited<ReturnType<typeof startTokenServer>>
let registry: Awaited<ReturnType<typeof startRegistryGate>>

beforeAll(async () => {
  if (!hasJava) return
  makeCertificates()
  tokens = await startTokenServer()
  const port = await findFreePort()
  brokers = `127.0.0.1:${port}`
  kafka = await startLocalKafka({
    securedListener: { protocol: 'SASL_SSL', port, users },
    jvmOptions: [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokens.address}/keys`],
    settings: {
      'listener.name.secured.ssl.keystore.type': 'PEM',
      'listener.name.secured.ssl.keystore.location': file('server.pem'),
      'listener.name.secured.ssl.truststore.type': 'PEM',
      'listener.name.secured.ssl.truststore.location': file('ca.crt'),
      'listener.name.secured.ssl.client.auth': 'required',
      'listener.name.secured.oauthbearer.sasl.server.callback.handler.class':
        'org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler',
      'sasl.oauthbearer.jwks.endpoint.url': `${tokens.address}/keys`,
      'sasl.oauthbearer.expected.audience': 'kafka',
      'sasl.oauthbearer.expected.issuer': tokens.address,
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // The plain listener is for the broker only.
      'super.users': 'User:ANONYMOUS;User:admin',
    },
  })
  registry = await startRegistryGate(kafka.registryUrl)
})

afterAll(async () => {
  tokens?.server.close()
  registry?.server.close()
  await kafka?.stop()
  rmSync(folder, { recursive: true })
})

describe.skipIf(!hasJava)('a secured cluster', () => {
  test('is shown, and set up correctly, by the command line', async () => {
    const principals = [
      ...['--principal', 'pipeline=User:odds-pipeline'],
      ...['--principal', 'api=User:odds-api'],
    ]
    const before = await topicsCommand('diff', ...principals, '--json')
    expect(before.code).toBe(1)
    const kinds = (output: string) => {
      const found = JSON.parse(output) as readonly { kind: string }[]
      return (kind: string) => found.filter((each) => each.kind === kind).length
    }
    const missing = kinds(before.output)
    expect([missing('topic'), missing('schema')]).toEqual([
      Object.keys(topics).length + 1,
      Object.keys(topics).length,
    ])
    expect(missing('right')).toBeGreaterThan(100)

    // A start without the right to create names the missing right.
    await expect(open('odds-api', {})).rejects.toThrow(/secured\.odds: .*lacks the right Describe/)

    const applied = await topicsCommand('apply', ...principals)
    expect(applied).toMatchObject({ code: 0, output: 'The cluster is as it should be.\n' })
    const again = await topicsCommand('diff', ...principals, '--json')
    expect([again.code, again.output]).toEqual([0, '[]\n'])
    // Missing rights, settings and topics are found and repaired.
    const spread = await topicsCommand('diff', '--principal', 'api=User:somebody', '--json')
    expect([spread.code, kinds(spread.output)('topic')]).toEqual([1, 0])
    expect(kinds(spread.output)('right')).toBeGreaterThan(50)
    const other = { OVERROUND_KAFKA_TOMBSTONE_HOURS: '48', OVERROUND_KAFKA_COMPRESSION: 'zstd' }
    expect((await topicsCommandWith(other, 'diff')).output).toMatch(
      /^warned +topic +secured\.odds +delete\.retention\.ms +86400000 +172800000/m,
    )
    expect((await topicsCommandWith(other, 'apply')).code).toBe(0)
    expect((await topicsCommandWith(other, 'diff')).code).toBe(0)
  })

  test('counts as set up with a spare partition, which nothing can take back', async () => {
    const own = { OVERROUND_KAFKA_TOPIC_PREFIX: 'spare.' }
    expect((await topicsCommandWith(own, 'apply')).code).toBe(0)
    const topic = `spare.${topics.odds.name}`
    await asAdmin((admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] }))
    const told = /^warned +topic +spare\.odds +partitions +3 +2 /m
    const left = (code: number) => ({ code, output: expect.stringMatching(told) })
    // Brokers show it a moment later.
    await expect.poll(() => topicsCommandWith(own, 'diff')).toMatchObject(left(1))
    expect(await topicsCommandWith(own, 'apply')).toMatchObject(left(0))
    const fewer = { ...own, OVERROUND_KAFKA_PARTITIONS: '4' }
    expect((await topicsCommandWith(fewer, 'apply')).code).toBe(1)
  })

  test('is set up with the rights that the guide names, and not without the right to describe', async () => {
    const own = 'setup.'
    const prefixed = { OVERROUND_KAFKA_TOPIC_PREFIX: own }
    const asSetup = {
      ...prefixed,
      OVERROUND_KAFKA_SASL_USERNAME: 'odds-setup',
      OVERROUND_KAFKA_SASL_PASSWORD_FILE: secretFile('setup.password', users['odds-setup']),
    }
    expect((await topicsCommandWith(prefixed, 'apply')).code).toBe(0)
    const admin = { ...prefixed, OVERROUND_KAFKA_SASL_PASSWORD: users.admin }
    const log = await open('admin', admin)
    const value = { sportsbook: 'book', status: 'up' as const, since: 1 }
    await log.append([{ topic: topics.sportsbookStatus, partitionKey: 0, key: 'book', value }])
    await log.close()
    await forgetSubjects(own)

    await allow('odds-setup', onCluster('CREATE', 'ALTER'))
    const blind = await topicsCommandWith(asSetup, 'apply')
    expect(await subjectsOf(own)).toEqual([])
    expect(blind.errors).toMatch(/lacks the right Describe on these topics.* setup\.accounts/)
    expect(blind.code).not.toBe(0)

    await allow('odds-setup', onTopics(own, 'DESCRIBE', 'ALTER_CONFIGS'))
    const lost = await topicsCommandWith(asSetup, 'apply')
    expect(await subjectsOf(own)).toEqual([])
    expect(lost.errors).toContain(`hold records (${own}${topics.sportsbookStatus.name})`)
    expect(lost.code).not.toBe(0)

    const anew = { ...asSetup, OVERROUND_KAFKA_TOPIC_PREFIX: `${own}anew.` }
    const principal = ['--principal', 'api=User:odds-api']
    const made = await topicsCommandWith(anew, 'apply', ...principal)
    expect(made).toMatchObject({ code: 0, output: 'The cluster is as it should be.\n' })
    const other = { ...anew, OVERROUND_KAFKA_TOMBSTONE_HOURS: '48' }
    expect((await topicsCommandWith(other, 'diff')).code).toBe(1)
    expect((await topicsCommandWith(other, 'apply', ...principal)).code).toBe(0)
  })

  test('is served by roles with exactly the rights they need', async () => {
    const pipeline = await startRole('pipeline', 'SCRAM-SHA-512')
    let api: Service | undefined
    try {
      await expect.poll(() => pipeline.output()).toMatch(/partition assigned/)
      api = await startRole('api', 'scram-sha-256')
      const admin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
      const create = () =>
        fetch(`${api!.address}/admin/accounts`, {
          method: 'POST',
          headers: admin,
          body: JSON.stringify({ name: 'desk', tier: 'pro' }),
        })
      let made = await create()
      // A first write that connects while the board opens may get a 503 with a time to retry.
      for (let tries = 0; made.status === 503 && tries < 20; tries++) {
        await delay(1_000 * Number(made.headers.get('retry-after')))
        made = await create()
      }
      expect(made.status).toBe(201)
      const { data: account } = (await made.json()) as { data: { key: string } }
      const get = async (service: Service, cursor = '') => {
        const headers = { 'X-API-Key': account.key }
        const path = `/odds?limit=5&cursor=${cursor}`
        const answer = await fetch(`${service.address}${path}`, { headers })
        const { data, pagination } = (await answer.json()) as {
          data?: readonly unknown[]
          pagination?: { next_cursor: string }
        }
        return { status: answer.status, rows: data?.length, next: pagination?.next_cursor }
      }
      const page = await get(api)
      expect(page).toMatchObject({ status: 200, rows: 5 })
      // Usage has been written too by then.
      expect(await api.stop()).toBe(0)
      expect(api.output()).not.toMatch(/AUTHORIZATION|denied|not authorized/i)

      // The schemas are known by now, so no registry is needed.
      registry.isAway = true
      api = await startRole('api', 'scram-sha-256', { token: 'another-token-of-the-operator' })
      expect(await get(api)).toMatchObject({ status: 200, rows: 5 })
      expect(api.output()).toMatch(/registry is away; its schema is known/)

      // Another process accepts the cursor, whatever its tokens.
      const cursor = page.next!
      expect(await get(api, cursor)).toMatchObject({ status: 200, rows: 5 })
      expect(await get(api, `${cursor.slice(0, -1)}_`)).toMatchObject({ status: 400 })
      expect([await api.stop(), await pipeline.stop()]).toEqual([0, 0])
    } finally {
      registry.isAway = false
      await Promise.all([api?.kill(), pipeline.kill()])
    }
    expect(pipeline.output()).not.toMatch(/AUTHORIZATION|denied|not authorized/i)
    expect(registry.writesBy('reader')).toEqual([])
  })

  test('keeps an API from writing tables', async () => {
    const log = await open('odds-api', {})
    const price = { topic: topics.sportsbookStatus, partitionKey: 0, key: 'book' }
    const value = { sportsbook: 'book', status: 'up' as const, since: 1 }
    await expect(log.append([{ ...price, value }])).rejects.toMatchObject({
      cause: { type: 'TOPIC_AUTHORIZATION_FAILED' },
    })
    const reason = `User:odds-api lacks the right Write on the topic ${prefix}${price.topic.name};`
    await expect(log.append([{ ...price, value }])).rejects.toThrow(reason)
    expect(log.refusedWrites()?.reason).toContain(reason)
    await log.close()
  })

  test.each([
    ['pipeline', 'WRITE', topics.feedOdds],
    ['pipeline', 'WRITE', topics.odds],
    ['pipeline', 'READ', topics.feedOdds],
    ['api', 'WRITE', topics.apiProcesses],
    ['api', 'READ', topics.odds],
  ] as const)(
    'ends a %s that lacks %s on a topic, and names it',
    async (role, operation, { name }) => {
      const allowAgain = await deny(`odds-${role}`, onTopics(`${prefix}${name}`, operation))
      const service = await startRole(role, 'scram-sha-512', { early: true })
      try {
        expect(await service.ended).toBe(1)
        const right = operation === 'READ' ? 'Read' : 'Write'
        expect(service.output()).toMatch(
          new RegExp(
            `overround cannot go on: .*: User:odds-${role} lacks the right ${right} on the topic ${prefix}${name}; overround topics apply`,
          ),
        )
      } finally {
        await service.kill()
        await allowAgain()
      }
    },
  )

  test('lets an API serve that may not write what a request asks for, and says why', async () => {
    const name = `${prefix}${topics.accounts.name}`
    const pipeline = await startRole('pipeline', 'SCRAM-SHA-512')
    const allowAgain = await deny('odds-api', onTopics(name, 'WRITE'))
    let api: Service | undefined
    try {
      api = await startRole('api', 'scram-sha-256')
      const create = async () => {
        const answer = await fetch(`${api!.address}/admin/accounts`, {
          method: 'POST',
          headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'desk', tier: 'pro' }),
        })
        return { status: answer.status }
      }
      const logCheck = async () => {
        const answer = await fetch(`${api!.address}/readyz`)
        const { checks } = (await answer.json()) as { checks: { log: object } }
        return { ...checks.log, status: answer.status }
      }
      const reason = `append to ${name}: User:odds-api lacks the right Write on the topic ${name}`
      const tryAndCheck = async () => [(await create()).status, await logCheck()]
      const told = { status: 200, message: expect.stringContaining(reason) }
      await expect.poll(tryAndCheck).toEqual([503, told])
      expect(api.output()).toContain('the brokers refuse what this process writes')
      await allowAgain()
      await expect.poll(async () => (await create()).status).toBe(201)
      expect(await logCheck()).toEqual({ status: 200 })
      expect([await api.stop(), await pipeline.stop()]).toEqual([0, 0])
    } finally {
      await Promise.all([api?.kill(), pipeline.kill()])
    }
  })

  test('says whose certificate has ended, and when those in use will', async () => {
    const log = await open('odds-api', {})
    const days = log.certificates().map(({ whose, endsAt }) => {
      const days = (endsAt - Date.now()) / 86_400_000
      return [whose, days > 1 && days < 2]
    })
    expect(days).toEqual([
      ['own', true],
      ['broker', true],
    ])
    await log.close()
    const ours = settings('odds-api', {
      OVERROUND_KAFKA_TLS_CERT_FILE: file('client-expired.crt'),
      OVERROUND_KAFKA_TLS_KEY_FILE: file('client-expired.key'),
    })
    await expect(openKafkaLog({ ...ours, clientId: 'late' })).rejects.toThrow(
      /the broker refuses our certificate \(OVERROUND_KAFKA_TLS_CERT_FILE\)/,
    )
    const key = readFileSync(file('server-expired.key'))
    const server = createTlsServer({ key, cert: readFileSync(file('server-expired.crt')) })
    const expired = [`127.0.0.1:${await listening(server)}`]
    try {
      const theirs = { ...settings('odds-api', {}), brokers: expired, clientId: 'late' }
      await expect(openKafkaLog(theirs)).rejects.toThrow(/the broker's certificate has expired/)
    } finally {
      server.close()
    }
  })

  test('names the right that a member of a group lacks, if waiting would not help', async () => {
    const log = await open('odds-api', {})
    const joining = async () => {
      for await (const _ of log.join([topics.feedOdds], { group: 'board', signal: never() }));
    }
    await expect(joining()).rejects.toThrow(/lacks a right on the group; overround topics apply/)
    await expect(joining()).rejects.toThrow(LogSetupError)
    const leasing = async () => {
      for await (const _ of log.lease(['clock'], { group: 'feeds', signal: never() }));
    }
    await expect(leasing()).rejects.toThrow(/lacks a right on the group/)
    await log.close()
  })

  test('accepts a token that a server issues for client credentials', async () => {
    const granted = await topicsCommand('apply', '--principal', `api=User:${oauthClient.id}`)
    expect(granted.code).toBe(0)
    const given = tokens.given
    const log = await openKafkaLog({ ...oauth(), clientId: 'robot', topicPrefix: prefix })
    const replay = log.replay([topics.events], { partitions: [0], signal: never() })
    for await (const _ of replay);
    await log.close()
    // All connections share one token for as long as it is valid.
    expect(tokens.given).toBe(given + 1)
  })

  test.each([
    ['a wrong password', () => settings('odds-api', { OVERROUND_KAFKA_SASL_PASSWORD: 'wrong' })],
    ['an unknown user', () => settings('nobody', {})],
  ])('refuses %s, and that ends a start at once', async (_what, wrong) => {
    const startedAt = performance.now()
    const opening = openKafkaLog({ ...wrong(), clientId: 'stranger' })
    await expect(opening).rejects.toThrow(LogSetupError)
    await expect(opening).rejects.toThrow(/does not let us in: .*auth/i)
    // kafkajs retries for 13 s where that may help.
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  test('names the fault if no connection comes about', async () => {
    const stranger = settings('odds-api', { OVERROUND_KAFKA_TLS_CA_FILE: file('stranger.crt') })
    const certificate = openKafkaLog({ ...stranger, clientId: 'stranger' })
    await Promise.all([
      expect(certificate).rejects.toThrow(/self-signed|unable to verify|certificate/i),
      expect(certificate).rejects.toThrow(LogUnavailableError),
    ])
    await expect(certificate).rejects.toThrow(/OVERROUND_KAFKA_TLS_CA_FILE names the authority/)
    const { tls, sasl, ...rest } = settings('odds-api', {})
    const left = { ...rest, clientId: 'stranger' }
    await Promise.all([
      // The broker closes connections that it does not understand.
      expect(openKafkaLog(left)).rejects.toThrow(/may want TLS \(OVERROUND_KAFKA_TLS/),
      expect(openKafkaLog({ ...left, tls })).rejects.toThrow(/OVERROUND_KAFKA_SASL_MECHANISM/),
      expect(openKafkaLog({ ...left, sasl })).rejects.toThrow(/may want TLS/),
      expect(openKafkaLog({ ...left, sasl, tls: { ca: tls!.ca, client: null } })).rejects.toThrow(
        /certificate/,
      ),
      expect(openKafkaLog({ ...left, tls, brokers: kafka.brokers.split(',') })).rejects.toThrow(
        /unset OVERROUND_KAFKA_TLS/,
      ),
    ])
    const token = openKafkaLog({ ...oauth('wrong'), clientId: 'stranger' })
    await Promise.all([
      expect(token).rejects.toThrow(/access token from http.*answered 401.*invalid_client/),
      expect(token).rejects.toThrow(LogSetupError),
    ])
  })
})

const adminToken = 'an-admin-token-of-some-length'
const never = () => new AbortController().signal

/** Settings that all processes share; secrets are in files. */
const shared = () => ({
  OVERROUND_KAFKA_BROKERS: brokers,
  OVERROUND_KAFKA_TOPIC_PREFIX: prefix,
  OVERROUND_KAFKA_PARTITIONS: '2',
  OVERROUND_KAFKA_SETUP: 'check',
  OVERROUND_KAFKA_TLS_CA_FILE: file('ca.crt'),
  OVERROUND_KAFKA_TLS_CERT_FILE: file('client.crt'),
  OVERROUND_KAFKA_TLS_KEY_FILE: file('client.key'),
  OVERROUND_SCHEMA_REGISTRY_URL: registry.address,
  OVERROUND_SCHEMA_REGISTRY_TLS_CA_FILE: file('ca.crt'),
})

const asUser = (user: keyof typeof users, mechanism: string) => ({
  ...shared(),
  OVERROUND_KAFKA_SASL_MECHANISM: mechanism,
  OVERROUND_KAFKA_SASL_USERNAME: user,
  OVERROUND_KAFKA_SASL_PASSWORD_FILE: secretFile(`${user}.password`, users[user]),
  // Only a process that creates topics needs to write to the registry.
  ...(user === 'admin'
    ? {
        OVERROUND_SCHEMA_REGISTRY_USERNAME: 'writer',
        OVERROUND_SCHEMA_REGISTRY_PASSWORD: registryToken,
      }
    : { OVERROUND_SCHEMA_REGISTRY_TOKEN_FILE: secretFile('registry.token', registryToken) }),
})

function settings(user: string, more: Record<string, string>): KafkaSettings {
  const { OVERROUND_KAFKA_SASL_PASSWORD_FILE: passwordFile, ...rest } = asUser('odds-api', 'plain')
  const password = more.OVERROUND_KAFKA_SASL_PASSWORD
    ? {}
    : { OVERROUND_KAFKA_SASL_PASSWORD_FILE: passwordFile }
  return readConfig({ ...rest, ...password, OVERROUND_KAFKA_SASL_USERNAME: user, ...more }).kafka!
}

const open = (user: string, more: Record<string, string>) =>
  openKafkaLog({ ...settings(user, more), clientId: 'overround-test' })

function oauth(secret = oauthClient.secret): KafkaSettings {
  return readConfig({
    ...shared(),
    OVERROUND_SCHEMA_REGISTRY_TOKEN: registryToken,
    OVERROUND_KAFKA_SASL_MECHANISM: 'OAUTHBEARER',
    OVERROUND_KAFKA_OAUTH_TOKEN_URL: `${tokens.address}/token`,
    OVERROUND_KAFKA_OAUTH_CLIENT_ID: oauthClient.id,
    OVERROUND_KAFKA_OAUTH_CLIENT_SECRET: secret,
    OVERROUND_KAFKA_OAUTH_SCOPE: 'odds',
  }).kafka!
}

const startRole = (
  role: 'pipeline' | 'api',
  mechanism: string,
  { token = adminToken, early = role === 'pipeline' } = {},
) =>
  startService({
    early,
    env: {
      ...asUser(`odds-${role}`, mechanism),
      OVERROUND_ROLE: role,
      OVERROUND_LOG_LEVEL: 'info',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_SANDBOX: 'false',
      OVERROUND_DATA_DIR: file(role),
      ...(role === 'api' && { OVERROUND_ADMIN_TOKEN_FILE: secretFile('admin.token', token) }),
    },
  })

const topicsCommand = (...words: string[]) => topicsCommandWith({}, ...words)

function topicsCommandWith(more: Record<string, string>, ...words: string[]) {
  const command = join(projectRoot, 'dist', 'api', 'command-line', 'main.js')
  const env = { ...inherited(), ...asUser('admin', 'plain'), ...more }
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    const run = [command, 'topics', ...words]
    execFile(process.execPath, run, { env, maxBuffer: 2 ** 24 }, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors })
    })
  })
}

type Operation = keyof typeof AclOperationTypes
type Grant = Pick<AclEntry, 'resourceType' | 'resourceName' | 'resourcePatternType' | 'operation'>

const onCluster = (...operations: Operation[]) =>
  operations.map(
    (operation): Grant => ({
      resourceType: AclResourceTypes.CLUSTER,
      resourceName: 'kafka-cluster',
      resourcePatternType: ResourcePatternTypes.LITERAL,
      operation: AclOperationTypes[operation],
    }),
  )

const onTopics = (name: string, ...operations: Operation[]) =>
  operations.map(
    (operation): Grant => ({
      resourceType: AclResourceTypes.TOPIC,
      resourceName: name,
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      operation: AclOperationTypes[operation],
    }),
  )

async function asAdmin(work: (admin: Admin) => Promise<unknown>) {
  const admin = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  await work(admin)
  await admin.disconnect()
}

function rulesOf(user: keyof typeof users, grants: readonly Grant[], type: 'ALLOW' | 'DENY') {
  const whom = { principal: `User:${user}`, host: '*', permissionType: AclPermissionTypes[type] }
  return grants.map((grant) => ({ ...grant, ...whom }))
}

const allow = (user: keyof typeof users, grants: readonly Grant[]) =>
  asAdmin((admin) => admin.createAcls({ acl: rulesOf(user, grants, 'ALLOW') }))

/** @returns what takes it back */
async function deny(user: keyof typeof users, grants: readonly Grant[]) {
  const acl = rulesOf(user, grants, 'DENY')
  await asAdmin((admin) => admin.createAcls({ acl }))
  return () => asAdmin((admin) => admin.deleteAcls({ filters: acl }))
}

async function subjectsOf(topicPrefix: string) {
  const subjects = (await (await fetch(`${kafka.registryUrl}/subjects`)).json()) as string[]
  return subjects.filter((subject) => subject.startsWith(topicPrefix))
}

async function forgetSubjects(topicPrefix: string) {
  for (const subject of await subjectsOf(topicPrefix)) {
    for (const query of ['', '?permanent=true']) {
      await fetch(`${kafka.registryUrl}/subjects/${subject}${query}`, { method: 'DELETE' })
    }
  }
}

/** Makes our own authority, its certificates for a server and a client, and a stranger's. */
function makeCertificates() {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  for (const authority of ['ca', 'stranger']) {
    const files = ['-keyout', file(`${authority}.key`), '-out', file(`${authority}.crt`)]
    openssl('req', '-x509', ...ec, '-subj', `/CN=${authority}`, '-days', '2', ...files)
  }
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  for (const name of ['server', 'client']) {
    const request = ['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)]
    openssl('req', ...ec, '-subj', `/CN=${name}`, ...request)
    const by = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2']
    const certificate = ['-out', file(`${name}.crt`), '-extfile', file('names')]
    openssl('x509', '-req', '-in', file(`${name}.csr`), ...by, ...certificate)
  }
  for (const name of ['server-expired', 'client-expired']) {
    const [of] = name.split('-')
    const by = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '-1']
    const certificate = ['-out', file(`${name}.crt`), '-extfile', file('names')]
    openssl('x509', '-req', '-in', file(`${of}.csr`), ...by, ...certificate)
    writeFileSync(file(`${name}.key`), readFileSync(file(`${of}.key`)))
  }
  const both = ['server.key', 'server.crt'].map((name) => readFileSync(file(name), 'utf8'))
  writeFileSync(file('server.pem'), both.join(''))
}

const listening = (server: NetServer) =>
  new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** Issues signed tokens to one client, and its public key to the broker. */
async function startTokenServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const state = { given: 0, address: '', server: null as unknown as Server }
  const basic = [oauthClient.id, oauthClient.secret].map(encodeURIComponent).join(':')
  state.server = createServer(async (request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/keys') {
      const key = publicKey.export({ format: 'jwk' })
      return answer(200, { keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] })
    }
    const form = new URLSearchParams(await bodyOf(request))
    const isOurs =
      request.headers.authorization === `Basic ${Buffer.from(basic).toString('base64')}` &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'odds'
    if (!isOurs) return answer(401, { error: 'invalid_client' })
    state.given++
    answer(200, {
      access_token: tokenBy(privateKey, { iss: state.address }),
      token_type: 'Bearer',
      expires_in: 600,
    })
  })
  state.address = `http://127.0.0.1:${await listening(state.server)}`
  return state
}

function tokenBy(key: KeyObject, more: object): string {
  const now = Math.floor(Date.now() / 1_000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { ...more, sub: oauthClient.id, aud: 'kafka', scope: 'odds', iat: now - 1 }
  const text = `${part({ alg: 'RS256', kid: 'one' })}.${part({ ...claims, exp: now + 600 })}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

/** Puts the registry behind TLS and a login: `writer` may do everything, a bearer of the token may read. */
async function startRegistryGate(target: string) {
  const writes: { who: string; what: string }[] = []
  const logins = new Map([
    [`Basic ${Buffer.from(`writer:${registryToken}`).toString('base64')}`, 'writer'],
    [`Bearer ${registryToken}`, 'reader'],
  ])
  const tls = { key: readFileSync(file('server.key')), cert: readFileSync(file('server.crt')) }
  const state = {
    isAway: false,
    address: '',
    server: null as unknown as Server,
    writesBy: (who: string) => writes.filter((write) => write.who === who),
  }
  state.server = createSecureServer(tls, async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await bodyOf(request)
    const who = logins.get(headers.authorization ?? '')
    const isWrite = method === 'PUT' || /^\/subjects\/[^/]+\/versions$/.test(url)
    if (isWrite && who) writes.push({ who, what: `${method} ${url}` })
    if (state.isAway) return response.destroy()
    if (!who || (isWrite && who === 'reader')) {
      const refusal = { error_code: who ? 403 : 401, message: 'not you' }
      return response.writeHead(refusal.error_code).end(JSON.stringify(refusal))
    }
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      ...(body !== '' && { body }),
    })
    response.writeHead(answer.status).end(await answer.text())
  })
  state.address = `https://127.0.0.1:${await listening(state.server)}`
  return state
}
