/**
 * Requests in all ways that HTTP can be framed, well and badly, with each listener's expected
 * response. Where a listener cannot be fixed from outside, its own response is listed too:
 * `docs/listeners.md` has the same table.
 */

import type { Handler, ServedPath } from '../../api/server/listener.ts'
import type { ListenerName } from '../../api/server/listeners/choose-listener.ts'

/**
 * The expected response: the statuses in order, and whether the connection then ends. A connection
 * that ends must have processed nothing after the fault.
 */
export interface Expected {
  readonly statuses: readonly number[]
  readonly isEnded?: boolean
}

export interface FramingCase {
  readonly name: string
  readonly parts: readonly string[]
  /** The expected response of every listener not named in `but`. */
  readonly expected: Expected
  readonly but?: Partial<Record<ListenerName, Expected>>
  /** The text that each response must contain, in order. */
  readonly bodies?: readonly string[]
}

const host = 'Host: a\r\n'
export const get = (path = '/q', fields = '') => `GET ${path} HTTP/1.1\r\n${host}${fields}\r\n`
export const post = (fields: string, body: string) =>
  `POST /echo HTTP/1.1\r\n${host}${fields}\r\n\r\n${body}`
const chunks = '5\r\nabcde\r\n0\r\n\r\n'
/** A request that must not be found inside another's body. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'

const ok: Expected = { statuses: [200] }
const refused: Expected = { statuses: [400], isEnded: true }
const unsupported: Expected = { statuses: [505], isEnded: true }
/** No response; the connection is closed after a while. */
const dropped: Expected = { statuses: [] }
/** Bytes after the fault end the connection before the fault gets a response. */
const cutOff: Expected = { statuses: [], isEnded: true }
const cutOffOnUws = { uws: cutOff, 'uws-older': cutOff } as const

export const framingCases: readonly FramingCase[] = [
  { name: 'a request', parts: [get('/q?a=b')], expected: ok, bodies: ['get /q a=b'] },
  {
    name: 'requests one behind the other, in one segment',
    parts: [get('/q?a=1') + get('/q?a=2') + get('/q?a=3')],
    expected: { statuses: [200, 200, 200] },
    bodies: ['get /q a=1', 'get /q a=2', 'get /q a=3'],
  },
  {
    name: 'a body and a request behind it',
    parts: [post('Content-Length: 5', 'abcde') + get()],
    expected: { statuses: [200, 200] },
    bodies: ['abcde', 'get /q '],
  },
  {
    name: 'a body in chunks, and a request behind it',
    parts: [post('Transfer-Encoding: chunked', chunks) + get()],
    expected: { statuses: [200, 200] },
    bodies: ['abcde', 'get /q '],
  },
  {
    name: 'a coding in capitals',
    parts: [post('Transfer-Encoding: CHUNKED', chunks)],
    expected: ok,
    bodies: ['abcde'],
  },
  {
    name: 'a GET with a body, and a request behind it',
    parts: [`${get('/q', 'Content-Length: 5\r\n')}abcde${get('/q?a=2')}`],
    expected: { statuses: [200, 200] },
    bodies: ['get /q ', 'get /q a=2'],
  },
  {
    name: 'two lengths that differ, and nothing behind them',
    parts: [post('Content-Length: 5\r\nContent-Length: 3', 'abcde')],
    expected: refused,
  },
  {
    name: 'an unknown coding, and nothing behind it',
    parts: [post('Transfer-Encoding: xchunked', chunks)],
    expected: refused,
  },
  {
    name: 'two lengths that differ',
    parts: [post('Content-Length: 5\r\nContent-Length: 50', `abcde${smuggled}`)],
    expected: refused,
    but: cutOffOnUws,
  },
  {
    name: 'two lengths that differ, of a GET',
    parts: [`${get('/q', 'Content-Length: 0\r\nContent-Length: 38\r\n')}${smuggled}`],
    expected: refused,
    but: cutOffOnUws,
  },
  {
    name: 'two lengths that are the same',
    parts: [post('Content-Length: 5\r\nContent-Length: 5', 'abcde')],
    expected: refused,
  },
  {
    name: 'a list of lengths',
    parts: [post('Content-Length: 5, 5', 'abcde')],
    expected: refused,
  },
  { name: 'a length with a sign', parts: [post('Content-Length: +5', 'abcde')], expected: refused },
  {
    name: 'a length beside chunks',
    parts: [post('Content-Length: 5\r\nTransfer-Encoding: chunked', chunks)],
    expected: refused,
  },
  {
    name: 'an unknown coding',
    parts: [post('Transfer-Encoding: xchunked', `${chunks}${smuggled}`)],
    expected: refused,
    but: cutOffOnUws,
  },
  {
    name: 'a coding before chunks',
    parts: [post('Transfer-Encoding: gzip, chunked', `${chunks}${smuggled}`)],
    expected: refused,
    but: cutOffOnUws,
  },
  {
    name: 'chunks twice',
    parts: [post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', chunks)],
    expected: refused,
  },
  {
    name: 'a chunk that is no number',
    parts: [post('Transfer-Encoding: chunked', `xyz\r\n${smuggled}`)],
    expected: refused,
  },
  {
    name: 'a chunk with an extension',
    parts: [post('Transfer-Encoding: chunked', '5;a=b\r\nabcde\r\n0\r\n\r\n')],
    expected: ok,
    but: { uws: dropped, 'uws-older': dropped },
  },
  {
    name: 'a trailer behind chunks',
    parts: [post('Transfer-Encoding: chunked', '5\r\nabcde\r\n0\r\nX-A: b\r\n\r\n')],
    expected: ok,
    but: { uws: unsupported, 'uws-older': unsupported },
  },
  {
    name: 'header names with . _ and !',
    parts: [get('/q', 'api_key: x\r\na.b: c\r\nd!: e\r\n')],
    expected: ok,
    but: { 'uws-older': dropped },
  },
  {
    name: 'a blank before the colon',
    parts: [get('/q', 'X-A : b\r\n')],
    expected: refused,
    but: { 'uws-older': dropped },
  },
  {
    name: 'no Host',
    parts: ['GET /q HTTP/1.1\r\n\r\n'],
    expected: refused,
    but: { 'uws-older': dropped },
  },
  {
    name: 'two Hosts',
    parts: [get('/q', 'Host: b\r\n')],
    expected: refused,
    but: { 'uws-older': ok, node: ok },
  },
  {
    name: 'HTTP/1.0',
    parts: ['GET /q HTTP/1.0\r\n\r\n'],
    expected: { statuses: [200], isEnded: true },
    but: { uws: unsupported, 'uws-older': unsupported },
  },
  {
    name: 'HTTP/1.0 that is to be kept',
    parts: [`GET /q HTTP/1.0\r\n${host}Connection: keep-alive\r\n\r\n`],
    expected: ok,
    but: { uws: unsupported, 'uws-older': unsupported },
  },
  {
    name: 'an address in absolute form',
    parts: [get('http://a/q?a=b')],
    expected: ok,
    but: { uws: unsupported, 'uws-older': unsupported },
    bodies: ['get /q a=b'],
  },
  {
    name: 'OPTIONS *',
    parts: [`OPTIONS * HTTP/1.1\r\n${host}\r\n`],
    expected: { statuses: [404] },
    but: { uws: unsupported, 'uws-older': unsupported },
  },
  {
    name: 'an upgrade to what is not known',
    parts: [
      get('/q', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
    ],
    expected: ok,
    bodies: ['get /q '],
  },
  {
    name: 'a body with such an upgrade, and a request behind it',
    parts: [post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5', 'abcde') + get()],
    expected: { statuses: [200, 200] },
    bodies: ['abcde', 'get /q '],
    // Node 26 drops a request that comes before the response to a refused upgrade with a body.
    ...(Number.parseInt(process.versions.node, 10) >= 26 && { but: { node: { statuses: [200] } } }),
  },
  {
    name: 'a body with such an upgrade',
    parts: [post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5', 'abcde')],
    expected: ok,
    bodies: ['abcde'],
  },
  {
    name: 'a body that waits to be asked for',
    parts: [post('Expect: 100-continue\r\nContent-Length: 5', ''), 'abcde'],
    expected: { statuses: [100, 200] },
    bodies: ['abcde'],
  },
  {
    name: 'Connection: close',
    parts: [get('/q', 'Connection: close\r\n')],
    expected: { statuses: [200], isEnded: true },
  },
  {
    name: 'lines without carriage returns',
    parts: ['GET /q HTTP/1.1\nHost: a\n\n'],
    expected: refused,
    but: { uws: unsupported, 'uws-older': unsupported },
  },
  {
    name: 'a field that goes on in the next line',
    parts: [get('/q', 'X-A: b\r\n c\r\n')],
    expected: refused,
    but: { 'uws-older': dropped },
  },
  {
    name: 'the preface of HTTP/2',
    parts: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    expected: refused,
    but: { uws: unsupported, 'uws-older': unsupported },
  },
]

const echoQuestion: Handler = (response, request) => {
  const said = `${request.getMethod()} ${request.getUrl()} ${request.getQuery() ?? ''}`
  response.send(200, 'X-A: b', said, false)
}

const echoBody: Handler = (response) => {
  let text = ''
  response.onAborted(() => {})
  response.onData((chunk, isLast) => {
    text += Buffer.from(chunk).toString()
    if (isLast) response.send(200, 'X-A: b', text, false)
  })
}

/** The paths that the cases request. */
export const framedPaths: readonly ServedPath[] = [
  { method: 'get', path: '/q', handle: echoQuestion },
  {
    method: 'get',
    path: '/part/:of/:address',
    handle: ((response, request) => {
      const parts = [request.getParameter(0), request.getParameter(1)]
      response.send(200, 'X-A: b', parts.join(' '), false)
    }) as Handler,
  },
  { method: 'head', path: '/q', handle: echoQuestion },
  { method: 'post', path: '/echo', handle: echoBody },
  {
    method: 'get',
    path: '/smuggled',
    handle: ((response) => {
      response.send(200, 'X-A: b', 'this is smuggled', false)
    }) as Handler,
  },
]
