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
    'a name that leads to a private address is refused where it is looked up: %j',
    async (found) => {
      const targets = createTargets('public', (_, done) => done(null, found))
      const outcome = await targets.send(outgoing('https://hooks.example.com/1'), running)
      expect(outcome).toMatchObject({ isDelivered: false, problem: 'leads to a private address' })
      await targets.close()
    },
  )
})

describe('where any target is allowed', () => {
  it('a name is looked up once, and the address that was found is the one that is connected to', async () => {
    const asked: string[] = []
    const resolve: ResolveHost = (host, done) => {
      asked.push(host)
      done(null, [{ address: '127.0.0.1', family: 4 }])
    }
    const targets = createTargets('any', resolve)
    const { port } = new URL(receiver.url)
    const url = `http://no-such-host.invalid:${port}/by-name`
    expect(await targets.send(outgoing(url), running)).toMatchObject({ isDelivered: true })
    expect([asked, receiver.at('/by-name').length]).toEqual([['no-such-host.invalid'], 1])
    await targets.close()
  })

  it('one of this machine is reached, and one that is not there is said so without its address', async () => {
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

  it('an answer without an end is cut off', async () => {
    receiver.answer((_, response) => {
      response.writeHead(200)
      const pour = () => {
        while (response.write('x'.repeat(65_536))) {
          // Until its buffer is full.
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

  it('one that asks to be left alone says for how long, up to five minutes', async () => {
    const targets = createTargets('any')
    for (const [header, waitMs] of [
      ['7', 7_000],
      ['86400', 300_000],
      ['soon', 0],
    ] as const) {
      receiver.answer((_, response) => response.writeHead(429, { 'Retry-After': header }).end())
      const outcome = await targets.send(outgoing(`${receiver.url}/busy`), running)
      expect(outcome).toMatchObject({ isDelivered: false, waitMs, problem: 'it answered 429' })
    }
    receiver.answer()
    await targets.close()
  })
})
