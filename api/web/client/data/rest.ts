/** Requests to the service's own API. The key is sent in a header. The browser revalidates its cached responses. */

import { RefusedError, secondsIn } from './refused.ts'
import { noteServiceTime } from './service-time.ts'
import { session } from './session.ts'

const base = '/api/v1'

/** @throws RefusedError for responses other than 2xx, TypeError if the service does not respond */
async function send(path: string, init: RequestInit): Promise<Response> {
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

const keyed = (): Record<string, string> => {
  const key = session.key()
  return key === null ? {} : { 'X-API-Key': key }
}

export const openStream = (path: string, signal: AbortSignal) =>
  send(path, { headers: keyed(), signal, cache: 'no-store' })

/** @returns the body, parsed as JSON */
export async function get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const response = await send(path, { headers: keyed(), ...(signal && { signal }) })
  return response.json()
}

/** Saves the body as a file, because a link cannot carry the key. */
export async function download(path: string, name: string): Promise<void> {
  const response = await send(path, { headers: keyed() })
  const url = URL.createObjectURL(await response.blob())
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
): Promise<Body> => sendJson(path, method, keyed(), body, signal)
/** Sends a request with a body. */
export const post = <Body>(path: string, question: object): Promise<Body> =>
  change(path, 'POST', question)

/** Sends a file with the reader's key. */
export async function sendFile<Body>(path: string, type: string, file: Blob): Promise<Body> {
  const headers = { ...keyed(), 'Content-Type': type }
  return (await send(path, { method: 'POST', headers, body: file })).json()
}

/** Sends a request with the operator's admin token. */
export const administer = <Body>(path: string, method = 'GET', body?: object): Promise<Body> =>
  sendJson(path, method, { Authorization: `Bearer ${session.adminToken()}` }, body)

async function sendJson<Body>(
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
  signal?: AbortSignal,
): Promise<Body> {
  const response = await send(path, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  return response.json()
}
