import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTargets, type ResolveHost, targetProblem } from '../../../api/alerts/targets.ts'
import { openReceiver, type Receiver } from './receiver.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const running = new AbortController().signal
const outgoing = (url: string) => ({ url, headers: {}, body: '{}' })

describe('where public targets alone are allowed', () => {
  it.each([
    'http://hooks.example.com/1',
    'https://127.0.0.1/1',
    'https://localhost/1',
    'https://api.localhost/1',
    'https://10.1.2.3/1',
    'https://192.168.0.1:8443/1',
    'https://172.16.0.1/1',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/1',
    'https://0.0.0.0/1',
    // Other ways to write 127.0.0.1.
    'https://2130706433/1',
    'https://0x7f.1/1',
    'https://0177.0.0.1/1',
    'https://[::1]/1',
    'https://[::]/1',
    'https://[::ffff:127.0.0.1]/1',
    'https://[fe80::1]/1',
    'https://[fd00::1]/1',
    'https://[64:ff9b::7f00:1]/1',
    'https://[2002:7f00:1::]/1',
    // Addresses of older schemes, which contain others, and a block that nobody has.
    'https://[::127.0.0.1]/1',
    'https://[::10.0.0.1]/1',
    'https://[4000::1]/1',
    'https://user:password@hooks.example.com/1',
  ])('%s is refused as it is written', (url) => {
    expect(targetProblem(url, 'public')).not.toBeNull()
  })

  it.each(['https://hooks.example.com/1', 'https://8.8.8.8/1', 'https://[2001:4860:4860::8888]/1'])(
    '%s is not',
    (url) => {
      expect(targetProblem(url, 'public')).toBeNull()
    },
  )

  it.each([
    [[{ address: '127.0.0.1', family: 4 }]],
    [[{ address: '::1', family: 6 }]],
    [
      [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    ],
  ])(
    'a name that leads to a private address is refused when it is looked up: %j',
    async (found) => {
      const targets = createTargets('public', null, (_, done) => done(null, found))
      const outcome = await targets.send(outgoing('https://hooks.example.com/1'), running)
      expect(outcome).toMatchObject({ isDelivered: false, problem: 'leads to a private address' })
      await targets.close()
    },
  )
})

describe('where any target is allowed', () => {
  it('a name is looked up once, and the connection goes to the address found', async () => {
    const asked: string[] = []
    const resolve: ResolveHost = (host, done) => {
      asked.push(host)
      done(null, [{ address: '127.0.0.1', family: 4 }])
    }
    const targets = createTargets('any', null, resolve)
    const { port } = new URL(receiver.url)
    const url = `http://no-such-host.invalid:${port}/by-name`
    expect(await targets.send(outgoing(url), running)).toMatchObject({ isDelivered: true })
    expect([asked, receiver.at('/by-name').length]).toEqual([['no-such-host.invalid'], 1])
    await targets.close()
  })

  it('a local target is reached, and a missing one is reported without its address', async () => {
    const targets = createTargets('any')
    expect(await targets.send(outgoing(`${receiver.url}/here`), running)).toMatchObject({
      isDelivered: true,
    })
    const gone = await openReceiver()
    await gone.close()
    const { isDelivered, problem } = await targets.send(outgoing(`${gone.url}/secret`), running)
    expect([isDelivered, problem]).toEqual([false, 'it cannot be reached (ECONNREFUSED)'])
    await targets.close()
  })

  it('a response without an end is cut off', async () => {
    receiver.answer((_, response) => {
      response.writeHead(200)
      const pour = () => {
        while (response.write('x'.repeat(65_536))) {
          // Writes until the socket's buffer is full.
        }
      }
      response.on('drain', pour)
      pour()
    })
    const targets = createTargets('any')
    const outcome = await targets.send(outgoing(`${receiver.url}/endless`), running)
    expect(outcome.isDelivered).toBe(true)
    receiver.answer()
    await targets.close()
  })

  it('one that asks for a pause gets it, up to five minutes', async () => {
    const targets = createTargets('any')
    for (const [header, waitMs] of [
      ['7', 7_000],
      ['86400', 300_000],
      ['soon', 0],
      [new Date(Date.now() + 86_400_000).toUTCString(), 300_000],
      [new Date(Date.now() - 86_400_000).toUTCString(), 0],
    ] as const) {
      receiver.answer((_, response) => response.writeHead(429, { 'Retry-After': header }).end())
      const outcome = await targets.send(outgoing(`${receiver.url}/busy`), running)
      expect(outcome).toMatchObject({ isDelivered: false, waitMs, problem: 'it answered 429' })
    }
    receiver.answer()
    await targets.close()
  })
})

describe('mail', () => {
  const message = { id: 'msg_1', to: 'me@example.com', subject: '+EV 4 %: A @ B', text: 'one\ntwo' }

  /** Opens a server that accepts mail for anybody but `nobody@`. */
  async function openMailServer() {
    const mails: string[] = []
    const server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
      onRcptTo: ({ address }, _, done) =>
        done(address.startsWith('nobody@') ? new Error('no such mailbox') : null),
      onData(stream, _, done) {
        let text = ''
        stream.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        stream.on('end', () => {
          mails.push(text)
          done()
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    const close = () => new Promise<void>((resolve) => server.close(resolve))
    return { mails, url: `smtp://127.0.0.1:${port}`, close }
  }

  it('arrives as text with its subject and its id, also where only public targets are allowed', async () => {
    const server = await openMailServer()
    const targets = createTargets('public', { url: server.url, from: 'odds@example.com' })
    expect(await targets.send(message, running)).toMatchObject({ isDelivered: true, problem: null })
    const [mail] = server.mails
    for (const line of [
      ...['From: odds@example.com', 'To: me@example.com', 'Subject: +EV 4 %: A @ B'],
      ...['Message-ID: <msg_1@example.com>', 'one\r\ntwo'],
    ]) {
      expect(mail).toContain(line)
    }
    // A subject cannot add header lines.
    const subject = 'A\r\nBcc: other@example.com'
    expect((await targets.send({ ...message, subject }, running)).isDelivered).toBe(true)
    expect(server.mails[1]).not.toMatch(/^Bcc:/m)
    await targets.close()
    await server.close()
  })

  it('that is refused, or has no server, gives the reason', async () => {
    const server = await openMailServer()
    const targets = createTargets('public', { url: server.url, from: 'odds@example.com' })
    const problemOf = async (to: string) =>
      (await targets.send({ ...message, to }, running)).problem
    expect(await problemOf('nobody@example.com')).toBe('the mail server answered 550')
    await server.close()
    expect(await problemOf('me@example.com')).toMatch(/^the mail server cannot be reached/)
    await targets.close()
    const without = createTargets('public')
    expect((await without.send(message, running)).problem).toBe('this service sends no mail')
    await without.close()
  })
})
