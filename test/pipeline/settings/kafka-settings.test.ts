import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../pipeline/settings/config.ts'

const directory = mkdtempSync(join(tmpdir(), 'overround-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

const inFile = (name: string, content: string) => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

const addresses = {
  OVERROUND_KAFKA_BROKERS: 'a:9092',
  OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081',
}

const read = (environment: Record<string, string>) =>
  readConfig({ ...addresses, ...environment }).kafka!

function problems(environment: Record<string, string>): string {
  try {
    read(environment)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

/** Makes a key and its self-signed certificate. */
function ownCertificate(name: string) {
  const [key, certificate] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)]
  const subject = ['-subj', `/CN=${name}`, '-days', '1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, ...subject, ...files], {
    stdio: 'ignore',
  })
  return { key, certificate }
}

describe('topics', () => {
  it('follow the settings', () => {
    expect(
      read({
        OVERROUND_KAFKA_REPLICATION_FACTOR: '5',
        OVERROUND_KAFKA_MIN_INSYNC_REPLICAS: '3',
        OVERROUND_KAFKA_COMPRESSION: 'zstd',
        OVERROUND_KAFKA_RETENTION_HOURS: '72',
        OVERROUND_KAFKA_TOMBSTONE_HOURS: '1.5',
        OVERROUND_KAFKA_SETUP: 'check',
      }),
    ).toMatchObject({
      replicationFactor: 5,
      minInsyncReplicas: 3,
      compression: 'zstd',
      retentionMs: 72 * 3_600_000,
      tombstonesKeptMs: 1.5 * 3_600_000,
      setup: 'check',
    })
  })

  it('cannot want more copies in sync than there are', () => {
    const copies = { OVERROUND_KAFKA_REPLICATION_FACTOR: '2' }
    expect(problems({ ...copies, OVERROUND_KAFKA_MIN_INSYNC_REPLICAS: '3' })).toBe(
      'OVERROUND_KAFKA_MIN_INSYNC_REPLICAS must be at most OVERROUND_KAFKA_REPLICATION_FACTOR, 2',
    )
    expect(problems({ ...copies, OVERROUND_KAFKA_MIN_INSYNC_REPLICAS: '2' })).toBe('')
  })
})

describe('secrets', () => {
  const sasl = {
    OVERROUND_KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    OVERROUND_KAFKA_SASL_USERNAME: 'odds',
  }

  it('are read from files, without the line break that editors end them with', () => {
    const at = (text: string) =>
      read({ ...sasl, OVERROUND_KAFKA_SASL_PASSWORD_FILE: inFile('password', text) }).sasl
    const expected = { mechanism: 'scram-sha-512', username: 'odds', password: ' hunter 2' }
    for (const end of ['', '\n', '\r\n']) expect(at(` hunter 2${end}`)).toEqual(expected)
    expect(at('a\n\n')).toMatchObject({ password: 'a\n' })
  })

  it('of the service itself are read from files too', () => {
    const path = inFile('admin', 'an-admin-token-of-some-length\n')
    expect(readConfig({ OVERROUND_ADMIN_TOKEN_FILE: path }).adminToken).toBe(
      'an-admin-token-of-some-length',
    )
  })

  it('that are tokens can be presented: blanks at the end are left out, others are refused', () => {
    const token = 'an-admin-token-of-some-length'
    for (const end of [' ', '\t', ' \n', '\r\n\n']) {
      const path = inFile('blank', token + end)
      expect(readConfig({ OVERROUND_ADMIN_TOKEN_FILE: path }).adminToken).toBe(token)
      expect(readConfig({ OVERROUND_INGEST_TOKEN: token + end }).ingestToken).toBe(token)
      expect(read({ OVERROUND_SCHEMA_REGISTRY_TOKEN_FILE: path }).registryAuth).toEqual({ token })
    }
    for (const name of ['ADMIN_TOKEN', 'INGEST_TOKEN', 'SCHEMA_REGISTRY_TOKEN']) {
      for (const wrong of [
        'two words of a token',
        ` ${token}`,
        `${token}é`,
        `${token}\n${token}`,
      ]) {
        expect(problems({ [`OVERROUND_${name}`]: wrong })).toBe(
          `OVERROUND_${name} must be ASCII letters, digits and signs without a blank`,
        )
      }
    }
    expect(problems({ OVERROUND_ADMIN_TOKEN: ' '.repeat(20) })).toContain('at least 16 characters')
  })

  it('are not printed when they are wrong, wherever they came from', () => {
    const path = inFile('short', 'hunter2')
    expect(problems({ OVERROUND_INGEST_TOKEN_FILE: path })).toBe(
      'OVERROUND_INGEST_TOKEN must be at least 16 characters long',
    )
    const url = { OVERROUND_SCHEMA_REGISTRY_URL: 'ftp://me:hunter2@registry' }
    expect(problems(url)).toMatch(/^OVERROUND_SCHEMA_REGISTRY_URL must be .+8081$/m)
    expect(problems(url)).not.toContain('hunter2')
  })

  it.each([
    ['both', { OVERROUND_KAFKA_SASL_PASSWORD: 'a' }, 'cannot both be set'],
    ['an empty file', {}, 'names an empty file'],
    ['no file', { OVERROUND_KAFKA_SASL_PASSWORD_FILE: '/nowhere' }, 'cannot be read: ENOENT'],
    [
      'a device',
      { OVERROUND_KAFKA_SASL_PASSWORD_FILE: '/dev/zero' },
      'OVERROUND_KAFKA_SASL_PASSWORD_FILE cannot be read: it is a device',
    ],
  ])('are refused: %s', (_what, more, reason) => {
    const path = inFile('empty', '')
    const text = problems({ ...sasl, OVERROUND_KAFKA_SASL_PASSWORD_FILE: path, ...more })
    expect(text).toContain(reason)
  })

  it('alone have a file form: other settings with that ending are unknown', () => {
    expect(problems({ OVERROUND_PORT_FILE: '/etc/port' })).toMatch(
      /^OVERROUND_PORT_FILE is not a setting/,
    )
  })
})

describe('the client’s identity', () => {
  const user = {
    OVERROUND_KAFKA_SASL_USERNAME: 'odds',
    OVERROUND_KAFKA_SASL_PASSWORD: 'hunter2',
  }
  const oauth = {
    OVERROUND_KAFKA_OAUTH_TOKEN_URL: 'https://login.example/token',
    OVERROUND_KAFKA_OAUTH_CLIENT_ID: 'odds',
    OVERROUND_KAFKA_OAUTH_CLIENT_SECRET: 'hunter2',
  }

  it.each([
    ['half a user', { OVERROUND_KAFKA_SASL_MECHANISM: 'plain' }, /_USERNAME has to be set with/],
    ['an unknown way', { ...user, OVERROUND_KAFKA_SASL_MECHANISM: 'gssapi' }, /must be one of/],
    ['a user for nothing', user, /_USERNAME is set, and/],
    [
      'a user beside a client',
      { ...user, ...oauth, OVERROUND_KAFKA_SASL_MECHANISM: 'oauthbearer' },
      /_USERNAME is set, and/,
    ],
    ['a client alone', { OVERROUND_KAFKA_SASL_MECHANISM: 'oauthbearer' }, /OAUTH_TOKEN_URL has to/],
    [
      'a user without a password at the registry',
      { OVERROUND_SCHEMA_REGISTRY_USERNAME: 'odds' },
      /go together/,
    ],
    [
      'a token beside a user at the registry',
      {
        OVERROUND_SCHEMA_REGISTRY_USERNAME: 'odds',
        OVERROUND_SCHEMA_REGISTRY_PASSWORD: 'hunter2',
        OVERROUND_SCHEMA_REGISTRY_TOKEN: 'hunter3',
      },
      /TOKEN stands alone/,
    ],
  ])('is refused: %s', (_what, environment, reason) => {
    const text = problems(environment as unknown as Record<string, string>)
    expect(text).toMatch(reason)
    expect(text).not.toContain('hunter')
  })

  it('is an OAuth client', () => {
    const environment = { ...oauth, OVERROUND_KAFKA_SASL_MECHANISM: 'OAUTHBEARER' }
    expect(read({ ...environment, OVERROUND_KAFKA_OAUTH_SCOPE: 'kafka' }).sasl).toEqual({
      mechanism: 'oauthbearer',
      client: {
        tokenUrl: 'https://login.example/token',
        clientId: 'odds',
        clientSecret: 'hunter2',
        scope: 'kafka',
        tls: null,
      },
    })
  })
})

describe('TLS', () => {
  it('is off unless asked for, and on when an authority is named', () => {
    const { certificate } = ownCertificate('authority')
    expect(read({}).tls).toBeNull()
    expect(read({ OVERROUND_KAFKA_TLS: 'on' }).tls).toEqual({ ca: null, client: null })
    const { tls } = read({ OVERROUND_KAFKA_TLS_CA_FILE: certificate })
    expect(tls).toEqual({ ca: expect.stringContaining('BEGIN CERTIFICATE'), client: null })
  })

  it('refuses at once what could not be used later', () => {
    const [one, other] = [ownCertificate('one'), ownCertificate('other')]
    const client = (certificate: string, key: string) =>
      problems({
        OVERROUND_KAFKA_TLS_CERT_FILE: certificate,
        OVERROUND_KAFKA_TLS_KEY_FILE: key,
      })
    expect(client(one.certificate, one.key)).toBe('')
    expect(client(one.certificate, other.key)).toMatch(/cannot be used: .*mismatch/i)
    expect(client(one.certificate, '/nowhere')).toMatch(/KEY_FILE names a file that cannot be read/)
    expect(client(one.certificate, '/dev/zero')).toMatch(/KEY_FILE names a .*: it is a device/)
    expect(client(one.certificate, inFile('text', 'hunter2'))).toMatch(/must name a PEM file/)
    expect(problems({ OVERROUND_KAFKA_TLS_CERT_FILE: one.certificate })).toMatch(/go together/)
    const off = { OVERROUND_KAFKA_TLS: 'off', OVERROUND_KAFKA_TLS_CA_FILE: one.certificate }
    expect(problems(off)).toMatch(/TLS is off, and files for it are named/)
    const passphrase = { OVERROUND_KAFKA_TLS_KEY_PASSPHRASE: 'hunter2' }
    for (const more of [{}, { OVERROUND_KAFKA_TLS_CA_FILE: one.certificate }]) {
      expect(problems({ ...passphrase, ...more })).toBe(
        'OVERROUND_KAFKA_TLS_KEY_PASSPHRASE is set, and OVERROUND_KAFKA_TLS_KEY_FILE names no key',
      )
    }
  })
})
