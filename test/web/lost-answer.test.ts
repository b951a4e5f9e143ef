/** Requests of the pages that get no answer, a late one or a part of one. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RefusedError } from '../../api/web/client/data/refused.ts'

/** Answers a request; without one it fails as a browser's does when its signal ends it. */
type Answer = (init: RequestInit) => Promise<Response>
let answer: Answer

const never: Answer = ({ signal }) =>
  new Promise((_, reject) => {
    const end = () => reject(signal!.reason)
    if (signal!.aborted) end()
    signal!.addEventListener('abort', end)
  })
/** Sends the head, and then nothing. */
const halfway: Answer = async ({ signal }) =>
  new Response(
    new ReadableStream({
      start(body) {
        signal!.addEventListener('abort', () => body.error(signal!.reason))
      },
    }),
  )
const json =
  (body: unknown, status = 200): Answer =>
  async () =>
    new Response(JSON.stringify(body), { status })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('document', { querySelector: () => ({ content: '{"sandboxKey":"k"}' }) })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => answer(init))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

interface Rest {
  get(path: string, signal?: AbortSignal): Promise<unknown>
  post(path: string, question: object): Promise<unknown>
  change(path: string, method: string, body: object): Promise<unknown>
  administer(path: string, method: string, body: object): Promise<unknown>
  sendFile(path: string, type: string, file: Blob): Promise<unknown>
  openStream(path: string, signal: AbortSignal): Promise<Response>
}

/** Its types are those of a browser, which tests are not compiled with. */
const restFile = '../../api/web/client/data/rest.ts'
const rest = (): Promise<Rest> => import(restFile)
const failureOf = async (request: Promise<unknown>) => {
  const failure = request.then(
    () => null,
    (error: Error) => error,
  )
  await vi.advanceTimersByTimeAsync(300_000)
  return failure
}

it.each([
  ['never comes', never],
  ['ends after its head', halfway],
])('a read whose answer %s fails, so that it is read again', async (_, how) => {
  answer = how
  const { get } = await rest()
  expect(await failureOf(get('/opportunities/ev'))).toEqual(
    new Error('The service does not respond.'),
  )
})

it.each([
  ['never comes', never],
  ['ends after its head', halfway],
  ['the browser loses', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is a page of the network', async () => new Response('<html>Sign in</html>')],
] as [string, Answer][])('a change whose answer %s says that it may be done', async (_, how) => {
  answer = how
  const { administer, change, sendFile } = await rest()
  const lost = new Error('The service did not answer: what you sent may have been done.')
  expect(await failureOf(change('/account/bets', 'POST', {}))).toEqual(lost)
  expect(await failureOf(sendFile('/account/bets', 'text/csv', new Blob(['a'])))).toEqual(lost)
  expect(await failureOf(administer('/sources', 'POST', {}))).toEqual(lost)
})

it('a question with a body changes nothing, and a lost answer to it says so', async () => {
  answer = never
  const { post } = await rest()
  expect(await failureOf(post('/tools/kelly', {}))).toEqual(
    new Error('The service does not respond.'),
  )
})

it('a refusal keeps its reason, also if its body is lost', async () => {
  answer = json({ error: { code: 'forbidden', message: 'Not with this key.' } }, 403)
  const { get } = await rest()
  expect(await failureOf(get('/odds'))).toEqual(
    new RefusedError(403, { error: { code: 'forbidden', message: 'Not with this key.' } }, null),
  )
  answer = async (init) => new Response((await halfway(init)).body, { status: 502 })
  expect(await failureOf(get('/odds'))).toMatchObject({ status: 502 })
})

it('who asked may end a request, and gets the reason', async () => {
  answer = never
  const { get } = await rest()
  const ending = new AbortController()
  const failure = failureOf(get('/odds', ending.signal))
  ending.abort(new Error('another page'))
  expect(await failure).toEqual(new Error('another page'))
  expect(await failureOf(get('/odds', ending.signal))).toEqual(new Error('another page'))
})

it('an answer in time leaves no timer, and a stream has no limit', async () => {
  answer = json({ data: 1 })
  const { get, openStream } = await rest()
  expect(await get('/odds')).toEqual({ data: 1 })
  answer = never
  const ending = new AbortController()
  const stream = openStream('/stream/odds', ending.signal)
  expect(vi.getTimerCount()).toBe(0)
  ending.abort(new Error('closed'))
  await expect(stream).rejects.toThrow('closed')
})
