import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { connectionsTo, userOf } from '../../../../pipeline/log/kafka/connection.ts'

const directory = mkdtempSync(join(tmpdir(), 'overround-connection-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Makes a key and its self-signed certificate. */
function clientOf(subject: string) {
  const [key, certificate] = [join(directory, 'client.key'), join(directory, 'client.crt')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, '-subj', subject, ...files], {
    stdio: 'ignore',
  })
  const read = (file: string) => readFileSync(file, 'utf8')
  return { key: read(key), certificate: read(certificate), passphrase: null }
}

it.each([
  ['/O=odds/CN=api', 'User:CN=api,O=odds'],
  ['/', 'User:'],
])('a client with the certificate of %s comes as %s', (subject, user) => {
  const tls = { ca: null, client: clientOf(subject) }
  const connect = connectionsTo({ brokers: ['127.0.0.1:1'], clientId: 'test', tls })
  expect(userOf(connect())).toBe(user)
})
