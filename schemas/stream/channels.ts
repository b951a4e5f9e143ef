/**
 * The channels of the streams, and the codes of their errors and closes, a table each (interface 6.1, supplement 1.3,
 * 1.9, 1.10). The messages are in `events.ts`, `server-frames.ts` and `client-frames.ts`.
 */

import { type Family, familyNames } from '../opportunity.ts'

/** The channels that send a table row by row; their messages are in `tables.ts`. */
export const tableChannels = {
  gamestate: 'Scores and situations of games in play.',
} as const

export type TableChannel = keyof typeof tableChannels
export const tableChannelNames = Object.keys(tableChannels) as readonly TableChannel[]

/** The values of `channel` of an SSE stream; the events of each are in `events.ts`. */
export const sseChannels = {
  odds: 'All prices and their changes.',
  opportunities: 'Opportunities of the tier’s families.',
  ...tableChannels,
  all: 'All of these; game state only if the account has it.',
} as const

export type SseChannel = keyof typeof sseChannels
export const sseChannelNames = Object.keys(sseChannels) as readonly SseChannel[]
/** The channel of an address that names none. */
export const defaultSseChannel: SseChannel = 'opportunities'

/** A channel of a WebSocket, which may have any number of them. */
export type WebsocketChannel = Family | 'odds' | TableChannel
export const websocketChannels: readonly WebsocketChannel[] = [
  ...familyNames,
  'odds',
  ...tableChannelNames,
]

interface Close {
  /** The side that ends the connection with it; `nobody` sends 1006, which clients see when a connection is lost. */
  readonly sender: 'either' | 'service' | 'nobody'
  readonly means: string
  readonly advice: string
}

export const closeCodes = {
  1000: { sender: 'either', means: 'The normal end.', advice: 'Stop.' },
  1001: {
    sender: 'service',
    means: 'The service stops, or the rights of the key have changed.',
    advice: 'Reconnect and resume.',
  },
  1006: { sender: 'nobody', means: 'The connection was lost.', advice: 'Reconnect and resume.' },
  1008: {
    sender: 'service',
    means: 'The client went on sending too many frames.',
    advice: 'Send less, then reconnect.',
  },
  1009: {
    sender: 'either',
    means:
      'A frame was larger than the other side allows. After one of more than 128 KB the service may also just cut the connection.',
    advice: 'Allow frames of 512 KB, and send frames of at most 64 KB.',
  },
  1013: {
    sender: 'service',
    means: 'The client reads too slowly, or the service cannot serve it now.',
    advice: 'Request less, or reconnect later.',
  },
  4001: {
    sender: 'service',
    means: 'The key is missing, not known, expired, disabled or displaced.',
    advice: 'Do not reconnect without another key.',
  },
  4003: { sender: 'service', means: 'The account may not stream.', advice: 'Do not reconnect.' },
  4029: {
    sender: 'service',
    means: 'The key already has its maximum of open streams.',
    advice: 'Do not reconnect before another stream ends.',
  },
} as const satisfies Record<number, Close>

export type CloseCode = keyof typeof closeCodes

interface FrameError {
  readonly means: string
  /** The code that the connection is closed with next; null if it stays open. */
  readonly closesWith: CloseCode | null
}

/** Codes of `error` frames and events. */
export const streamErrorCodes = {
  invalid_message: {
    means: 'The frame is no JSON object with a `type`, or a field has the wrong type.',
    closesWith: null,
  },
  unknown_message_type: { means: 'The frame type is unknown.', closesWith: null },
  missing_token: { means: '`auth` and `refresh_token` carry a `token`.', closesWith: null },
  missing_channels: {
    means:
      '`channels` has no channel that is known and allowed: a frame has no effect; after such an address no data is sent until a frame names one.',
    closesWith: null,
  },
  not_authenticated: { means: 'Before `auth` only `ping` is accepted.', closesWith: null },
  already_authenticated: { means: 'The connection already has a key.', closesWith: null },
  invalid_filter: {
    means: 'A filter has an unknown value; its other values count.',
    closesWith: null,
  },
  validation_error: {
    means:
      'A filter in the URL is malformed or unknown: no data is sent until a frame sets filters. Or a frame has such a filter: it has no effect. Other malformed parameters are ignored.',
    closesWith: null,
  },
  missing_api_key: { means: 'No API key came in time.', closesWith: 4001 },
  invalid_api_key: { means: 'The API key is not known.', closesWith: 4001 },
  expired_api_key: { means: 'The key or its account has expired.', closesWith: 4001 },
  disabled_api_key: { means: 'The key or its account is disabled.', closesWith: 4001 },
  tier_restricted: {
    means: 'The account may not stream; or not this channel or sportsbook: the others continue.',
    closesWith: 4003,
  },
  too_many_book_sets: {
    means:
      'The process already keeps opportunities for its maximum of sportsbook sets: a frame has no effect, a new stream is closed.',
    closesWith: 1013,
  },
  too_many_streams: { means: 'The key already has its maximum of open streams.', closesWith: 4029 },
  rate_limited: {
    means:
      'More than 20 frames in a second; the fifth time in a row ends the connection. Or the key has used up its requests of the minute: a new connection ends with 1013.',
    closesWith: null,
  },
  work_limited: {
    means:
      'The account has used up the processing time of its tier: a frame has no effect, a new stream is closed; retry after some seconds. Until then heartbeats have no proof.',
    closesWith: null,
  },
  rights_changed: {
    means: 'The tier or add-ons of the account have changed: reconnect to use the new ones.',
    closesWith: 1001,
  },
  displaced: {
    means: 'The key has its maximum of streams, and a newer one took the place of this one.',
    closesWith: 4001,
  },
  service_stopping: { means: 'The service stops: reconnect.', closesWith: 1001 },
  upstream_error: {
    means:
      'Some data is temporarily missing. Or the stream cannot go on, and ends with 1001 or 1013: reconnect.',
    closesWith: null,
  },
  backpressure: { means: 'The client reads too slowly.', closesWith: 1013 },
} as const satisfies Record<string, FrameError>

export type StreamErrorCode = keyof typeof streamErrorCodes
export const streamErrorNames = Object.keys(streamErrorCodes) as readonly StreamErrorCode[]
