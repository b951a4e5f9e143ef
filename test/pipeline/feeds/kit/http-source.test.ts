import { afterEach, describe, expect, it } from 'vitest'
import {
  createHttpSource,
  FetchError,
  type HttpSourceOptions,
  type PauseCut,
} from '../../../../pipeline/feeds/kit/http-source.ts'
import { type Answer, json, openSource, type Source } from '../loopback.ts'

let source: Source | undefined
afterEach(() => source?.close())

/** Opens a source whose waits pass at once, on a clock that they advance. */
async function open(answers: readonly Answer[], options: HttpSourceOptions = {}) {
  let next = 0
  source = await openSource((request, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)]
    answer?.(request, response)
  })
  const clock = { at: 1_000_000 }
  const waits: number[] = []
  const http = createHttpSource({
    now: () => clock.at,
    random: () => 0.5,
    async sleep(ms) {
      waits.push(ms)
      clock.at += ms
    },
    ...options,
  })
  const url = `${source.baseUrl}/odds?apiKey=secret`
  const get = () => http.getJson(url, new AbortController().signal)
  return { get, http, waits, clock, url, requests: source.requests }
}

const failureOf = async (promise: Promise<unknown>): Promise<FetchError> => {
  const error = await promise.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FetchError)
  return error as FetchError
}

const ok: Answer = (_, response) => json(response, { fine: true })
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers)
    response.end('no')
  }

describe('the fetch of polled feeds', () => {
  it('returns parsed JSON with the time of its arrival', async () => {
    const { get } = await open([ok])
    expect(await get()).toMatchObject({ body: { fine: true }, receivedAt: 1_000_000 })
  })

  it('keeps a pause that the source names, up to a day', async () => {
    const { get, clock, requests } = await open([status(429, { 'retry-after': '86400' }), ok], {
      retries: 0,
    })
    const { notBefore } = await failureOf(get())
    expect(notBefore).toBe(clock.at + 86_400_000)
    clock.at += 86_000_000
    expect((await failureOf(get())).reason).toBe('paused')
    expect(requests).toHaveLength(1)
    clock.at += 400_000
    expect((await get()).body).toEqual({ fine: true })
  })

  it('tries a paid call again unless an answer of it may have been charged', async () => {
    const broken: Answer = (_, response) => response.end('<html>')
    const { http, url, requests } = await open([status(503), broken, ok])
    const call = http.getJson(url, new AbortController().signal, { isPaid: true })
    expect((await failureOf(call)).reason).toBe('not_json')
    expect(requests).toHaveLength(2)
  })

  it('posts a body as JSON, if the source needs it', async () => {
    let method = ''
    let type: string | undefined
    let sent = ''
    const { http, url } = await open([
      (request, response) => {
        method = request.method ?? ''
        type = request.headers['content-type']
        request.on('data', (chunk) => {
          sent += String(chunk)
        })
        request.on('end', () => json(response, { fine: true }))
      },
    ])
    const { body } = await http.getJson(url, new AbortController().signal, { body: { a: [1] } })
    expect({ body, method, type, sent }).toEqual({
      body: { fine: true },
      method: 'POST',
      type: 'application/json',
      sent: '{"a":[1]}',
    })
  })

  it('retries a failing server with exponential backoff and full jitter', async () => {
    const { get, waits, requests } = await open([status(500), status(502), status(503), ok])
    expect((await get()).body).toEqual({ fine: true })
    expect(requests).toHaveLength(4)
    // Half of 500, 1000 and 2000 ms.
    expect(waits).toEqual([250, 500, 1000])
  })

  it('draws its waits from nothing up to the ceiling', async () => {
    const { get, waits } = await open([status(500)], {
      random: () => 0,
      retries: 6,
      backoffMaxMs: 4_000,
    })
    await failureOf(get())
    expect(waits).toEqual([0, 0, 0, 0, 0, 0])
    const capped = await open([status(500)], { random: () => 1, retries: 6, backoffMaxMs: 4_000 })
    await failureOf(capped.get())
    expect(capped.waits).toEqual([500, 1000, 2000, 4000, 4000, 4000])
  })

  it('gives up after its retries and names the status', async () => {
    const { get, requests } = await open([status(500)])
    expect((await failureOf(get())).reason).toBe('http_500')
    expect(requests).toHaveLength(4)
  })

  it('does not retry after a final response', async () => {
    const { get, requests } = await open([status(403)])
    expect((await failureOf(get())).reason).toBe('http_403')
    expect(requests).toHaveLength(1)
  })

  it('waits as long as Retry-After asks, in seconds', async () => {
    const { get, clock, requests } = await open([status(429, { 'retry-after': '7' }), ok])
    await get()
    expect(clock.at).toBe(1_007_000)
    expect(requests).toHaveLength(2)
  })

  it('waits as long as Retry-After asks, as a date', async () => {
    const date = new Date(1_000_000 + 20_000).toUTCString()
    const { get, clock } = await open([status(503, { 'retry-after': date }), ok])
    await get()
    expect(clock.at).toBe(1_020_000)
  })

  it('fails at once, without a request, while a long Retry-After lasts', async () => {
    const { get, clock, requests } = await open([status(429, { 'retry-after': '3600' }), ok])
    expect(await failureOf(get())).toMatchObject({ reason: 'paused', notBefore: 4_600_000 })
    await failureOf(get())
    expect(requests).toHaveLength(1)
    clock.at = 4_600_000
    expect((await get()).body).toEqual({ fine: true })
  })

  it('leaves a source alone when its allowance is used up', async () => {
    const { get, requests } = await open([
      (_, response) => {
        response.setHeader('x-requests-remaining', '0')
        json(response, [])
      },
    ])
    await get()
    expect((await failureOf(get())).reason).toBe('out_of_credits')
    expect(requests).toHaveLength(1)
  })

  it('waits for the reset of an exhausted rate limit', async () => {
    const { get, clock } = await open([
      (_, response) => {
        response.setHeader('ratelimit-remaining', '0')
        response.setHeader('ratelimit-reset', '12')
        json(response, [])
      },
      ok,
    ])
    await get()
    await get()
    expect(clock.at).toBe(1_012_000)
  })

  it.each([
    ['seconds', 1_790_000_030],
    ['milliseconds', 1_790_000_030_000],
  ])('reads a reset that is an epoch in %s', async (_, reset) => {
    const usedUp: Answer = (_, response) => {
      response.setHeader('x-ratelimit-remaining', '0')
      response.setHeader('x-ratelimit-reset', String(reset))
      json(response, [])
    }
    const { get, clock, waits } = await open([usedUp, ok])
    clock.at = 1_790_000_000_000
    await get()
    await get()
    expect(waits).toEqual([30_000])
  })

  it.each([
    { 'retry-after': '999999999999' },
    { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': '90000000' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999999' },
  ])('is silenced for an hour at most, and reports it: %j', async (headers) => {
    const cuts: PauseCut[] = []
    const onPauseCut = (cut: PauseCut) => cuts.push(cut)
    const { get, clock } = await open([status(429, headers), ok], { retries: 0, onPauseCut })
    const { notBefore } = await failureOf(get())
    expect(notBefore).toBe(clock.at + 3_600_000)
    expect(cuts).toMatchObject([{ pauseMs: 3_600_000 }])
    expect(cuts[0]?.askedMs).toBeGreaterThan(3_600_000)
    expect(cuts[0]?.place).not.toContain('secret')
    clock.at += 3_600_000
    expect((await get()).body).toEqual({ fine: true })
  })

  it('names a timeout, also one in the middle of a body', async () => {
    const { get } = await open([(_, response) => void response.write('[1,')], {
      timeoutMs: 40,
      retries: 1,
    })
    expect((await failureOf(get())).reason).toBe('timeout')
  })

  it('names a truncated body, and a foreign page', async () => {
    const cut = await open([(_, response) => json(response, '{"events":[{"id":')], { retries: 1 })
    expect((await failureOf(cut.get())).reason).toBe('not_json')
    expect(cut.requests).toHaveLength(2)
    await source?.close()
    const page = await open(
      [
        (_, response) => {
          response.writeHead(200, { 'content-type': 'text/html' })
          response.end('<HTML><TITLE>Access Denied</TITLE></HTML>')
        },
      ],
      { retries: 0 },
    )
    const error = await failureOf(page.get())
    expect(error.reason).toBe('not_json')
    expect(error.message).toContain('Access Denied')
  })

  it('refuses a body beyond its limit', async () => {
    const { get, requests } = await open([(_, r) => json(r, `"${'x'.repeat(5_000)}"`)], {
      maxBytes: 1_000,
    })
    expect((await failureOf(get())).reason).toBe('too_large')
    expect(requests).toHaveLength(1)
  })

  it('names a source that is not there', async () => {
    const { get } = await open([ok], { retries: 0 })
    await source?.close()
    expect((await failureOf(get())).reason).toBe('network')
  })

  it('keeps the query, which holds keys, out of its errors', async () => {
    const { get } = await open([status(401)])
    expect((await failureOf(get())).message).not.toContain('secret')
  })

  it('stops when it is aborted', async () => {
    const { http, url } = await open([() => {}])
    const controller = new AbortController()
    const pending = http.getJson(url, controller.signal)
    setTimeout(() => controller.abort(new Error('stop')), 20)
    await expect(pending).rejects.toThrow('stop')
  })
})
