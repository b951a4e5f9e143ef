/** The client's streams in Node: its own `fetch`, and the WebSocket of the package `ws`. */

import { WebSocket } from 'ws'
import type { Network, SocketLike } from '../../api/clients/typescript/src/stream/connection.ts'
import {
  openStreamClient as open,
  type StreamClient,
  type StreamClientOptions,
} from '../../api/clients/typescript/src/stream/stream-client.ts'

export type { StreamFilters } from '../../api/clients/typescript/src/generated/stream-filters.ts'
export type { Transport } from '../../api/clients/typescript/src/stream/connection.ts'
export {
  type Channel,
  type Family,
  families,
} from '../../api/clients/typescript/src/stream/held-rows.ts'
export type {
  StreamClient,
  StreamCounts,
} from '../../api/clients/typescript/src/stream/stream-client.ts'

/** Sends the key in a header, because sockets that authenticate by frame are limited to few a minute. */
export const openSocket: Network['openSocket'] = (url, key) =>
  new WebSocket(url, {
    headers: { 'X-API-Key': key },
    perMessageDeflate: false,
  }) as unknown as SocketLike

/** Requests plain text, so that a test can read the bytes sent. */
const fetchPlain: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...init?.headers, 'Accept-Encoding': 'identity' } })

export const openStreamClient = (options: Omit<StreamClientOptions, 'network'>): StreamClient =>
  open({ ...options, network: { fetch: fetchPlain, openSocket } })
