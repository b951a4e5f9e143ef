/** Requests to the service's own API. The key is sent in a header. The browser revalidates its cached responses. */

import { type AnswerOptions, wholeAnswer } from './lost-answer.ts'
import { RefusedError, secondsIn } from './refused.ts'
import { noteRecordedTime, noteServiceTime } from './service-time.ts'
import { session } from './session.ts'

const base = '/api/v1'

/** Longest time to the end of an answer, with the work of the service before it. */
const longestAnswerMs = 30_000
/** The same for files, which slow networks take long to pass on. */
const longestFileMs = 180_000

/** @throws RefusedError for responses other than 2xx, and what `fetch` does */
async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(base + path, {
    ...init,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  noteServiceTime(response.headers.get('date'))
  if (response.ok) return response
  const body = await response.json().catch(() => null)
  const after = secondsIn(response.headers.get('retry-after'))
  throw new RefusedError(response.status, body, after)
}

const ofRead = { isWrite: false, limitMs: longestAnswerMs }
const ofWrite = { isWrite: true, limitMs: longestAnswerMs }
const jsonOf = (response: Response) => response.json()

/** @throws RefusedError, LostAnswerError; the reason of the signal if that ends it */
const send = <Body>(
  path: string,
  { signal, ...init }: RequestInit,
  read: (response: Response) => Promise<Body>,
  limits: Pick<AnswerOptions, 'isWrite' | 'limitMs'>,
): Promise<Body> =>
  wholeAnswer(
    async (ending) => {
      const response = await request(path, { ...init, signal: ending })
      // The answer that begins a stream does not say it.
      noteRecordedTime(response.headers.get('x-recorded-time'))
      return read(response)
    },
    { ...limits, signal: signal ?? undefined },
  )

const keyed = (): Record<string, string> => {
  const key = session.key()
  return key === null ? {} : { 'X-API-Key': key }
}

/** Opens a stream, which has no end: its reader watches it. */
export const openStream = (path: string, signal: AbortSignal) =>
  request(path, { headers: keyed(), signal, cache: 'no-store' })

/** @returns the body, parsed as JSON */
export const get = <Body>(path: string, signal?: AbortSignal): Promise<Body> =>
  send(path, { headers: keyed(), ...(signal && { signal }) }, jsonOf, ofRead)

/** Saves the body as a file, because a link cannot carry the key. */
export async function download(path: string, name: string): Promise<void> {
  const limits = { isWrite: false, limitMs: longestFileMs }
  const blob = await send(path, { headers: keyed() }, (response) => response.blob(), limits)
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}

/** Sends a change with the reader's key. */
export const change = <Body>(
  path: string,
  method: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Body> => sendJson(path, method, keyed(), ofWrite, body, signal)

/** Sends a question with a body, which changes nothing. */
export const post = <Body>(path: string, question: object): Promise<Body> =>
  sendJson(path, 'POST', keyed(), ofRead, question)

/** Sends a file with the reader's key. */
export const sendFile = <Body>(path: string, type: string, file: Blob): Promise<Body> =>
  send(
    path,
    { method: 'POST', headers: { ...keyed(), 'Content-Type': type }, body: file },
    jsonOf,
    { isWrite: true, limitMs: longestFileMs },
  )

/** Sends a request with the operator's admin token. */
export const administer = <Body>(path: string, method = 'GET', body?: object): Promise<Body> =>
  sendJson(
    path,
    method,
    { Authorization: `Bearer ${session.adminToken()}` },
    method === 'GET' ? ofRead : ofWrite,
    body,
  )

const sendJson = <Body>(
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  limits: typeof ofRead,
  body?: object,
  signal?: AbortSignal,
): Promise<Body> =>
  send(
    path,
    {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    },
    jsonOf,
    limits,
  )
