/**
 * The frames that the service accepts on a WebSocket: a table by type (interface supplement 1.4), and
 * their decoder. The decoder knows every spelling that clients use, but no ids: the code that filters
 * by a sport or an event checks whether it is known.
 */

import { z } from 'zod'
import { type WebsocketChannel, websocketChannels } from './channels.ts'
import {
  type FrameFilters,
  filterSpellings,
  frameFilters,
  frameSpellings,
  valuesGiven,
} from './filters.ts'
import type { Message } from './message.ts'
import type { ServerFrameType } from './server-frames.ts'

export const maxClientFrameBytes = 65_536

const longestToken = 1_000

const token = z
  .string('is a text')
  .max(longestToken, `has at most ${longestToken} characters`)
  .describe('An API key.')

interface ClientMessage extends Message {
  /** The type of the frame sent in reply. */
  readonly reply: ServerFrameType
}

/** The preferred forms; the decoder accepts others too. */
export const clientFrames = {
  subscribe: {
    schema: z.looseObject({
      type: z.literal('subscribe'),
      channels: z
        .array(z.enum(websocketChannels))
        .min(1)
        .optional()
        .describe('Replace the current ones. Absent: no change.'),
      filters: frameFilters.optional(),
    }),
    description: 'Sets channels and filters.',
    examples: [
      {
        type: 'subscribe',
        channels: ['ev', 'odds'],
        filters: {
          sports: ['basketball'],
          leagues: ['nba'],
          eventIds: ['nba_bulls_knicks_2027-01-14_b3'],
          min_ev: 3,
        },
      },
      { type: 'subscribe' },
    ],
    reply: 'subscribed',
  },
  filter: {
    schema: z.looseObject({ type: z.literal('filter'), filters: frameFilters }),
    description: 'Sets filters.',
    examples: [{ type: 'filter', filters: { sportsbooks: 'draftkings,fanduel', markets: null } }],
    reply: 'subscribed',
  },
  ping: {
    schema: z.looseObject({ type: z.literal('ping') }),
    description: 'Checks the connection; one every 25 s keeps proxies from closing it.',
    examples: [{ type: 'ping' }],
    reply: 'pong',
  },
  auth: {
    schema: z.looseObject({ type: z.literal('auth'), token }),
    description:
      'Sends the key within 10 s, if neither URL nor headers have one. An IP address may connect so 120 times a minute; beyond that it gets 429.',
    examples: [{ type: 'auth', token: '<API_KEY>' }],
    reply: 'connected',
  },
  refresh_token: {
    schema: z.looseObject({ type: z.literal('refresh_token'), token }),
    description:
      'Switches to another key of the same account. If it is refused, the connection ends.',
    examples: [{ type: 'refresh_token', token: '<API_KEY>' }],
    reply: 'subscribed',
  },
} as const satisfies Record<string, ClientMessage>

export type ClientFrameType = keyof typeof clientFrames

export type ClientFrame =
  | {
      readonly type: 'subscribe'
      /** The channels in the order of the table; undefined when they stay unchanged, else at least one. */
      readonly channels: readonly WebsocketChannel[] | undefined
      readonly filters: FrameFilters
    }
  | { readonly type: 'filter'; readonly filters: FrameFilters }
  | { readonly type: 'ping' }
  | { readonly type: 'auth'; readonly token: string }
  | { readonly type: 'refresh_token'; readonly token: string }

interface Fault {
  readonly ok: false
  readonly code:
    | 'invalid_message'
    | 'unknown_message_type'
    | 'missing_token'
    | 'missing_channels'
    | 'validation_error'
  /** A message for people; it repeats nothing that the client sent. */
  readonly message: string
  /** For `validation_error`: the unknown fields, as sent; at least one. */
  readonly unknown?: readonly string[]
}

interface Decoded {
  readonly ok: true
  readonly frame: ClientFrame
}

interface Refused extends Fault {
  /** Its type; null for none that is known. */
  readonly type: ClientFrameType | null
  /** Whether the client may have meant to set channels or filters by it. */
  readonly isQuery: boolean
}

export type DecodedFrame = Decoded | Refused

/**
 * Decodes a client's frame. Lists are arrays or texts with commas. Filters are in `filters` or in the frame itself;
 * of several spellings of a filter the first of its row counts, and `filters` overrides the frame. An unknown field,
 * of `filters` or of the frame itself, is refused: it may be a misspelt filter, and must not become none.
 */
export function decodeClientFrame(text: string): DecodedFrame {
  if (Buffer.byteLength(text) > maxClientFrameBytes) {
    return unreadable(`A frame has at most ${maxClientFrameBytes} bytes.`)
  }
  const frame = parseObject(text)
  if (!frame) return unreadable('A frame is a JSON object.')
  const read = decodeObject(frame)
  if (read.ok) return read
  const type = Object.keys(clientFrames).find((known) => known === frame.get('type'))
  return {
    ...read,
    type: (type as ClientFrameType | undefined) ?? null,
    isQuery: type === undefined ? namesQuery(frame) : type === 'subscribe' || type === 'filter',
  }
}

/** Refuses a frame that is no JSON object. */
export const unreadable = (message: string): DecodedFrame => ({
  ...refused('invalid_message', message),
  type: null,
  isQuery: true,
})

function decodeObject(frame: Members): Decoded | Fault {
  const type = frame.get('type')
  if (typeof type !== 'string') return refused('invalid_message', 'type is a text.')
  switch (type) {
    case 'subscribe':
      return decodeSubscribe(frame)
    case 'filter': {
      const read = decodeFilters(frame)
      return read.ok ? decoded({ type, filters: read.filters }) : read
    }
    case 'ping':
      return decoded({ type })
    case 'auth':
    case 'refresh_token':
      return decodeToken(type, frame)
    default:
      return refused(
        'unknown_message_type',
        `type is one of ${Object.keys(clientFrames).join(', ')}.`,
      )
  }
}

/** Own fields by name, so that inherited properties of an object cannot be taken for sent fields. */
type Members = ReadonlyMap<string, unknown>

function parseObject(text: string): Members | undefined {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : undefined

/** Returns whether a frame without a known type has channels or filters. */
const namesQuery = (frame: Members) =>
  [...frame.keys()].some(
    (name) => name === 'filters' || channelSpellings.includes(name) || filterSpellings.has(name),
  )

function decodeSubscribe(frame: Members): Decoded | Fault {
  const read = decodeFilters(frame)
  if (!read.ok) return read
  const { filters } = read
  const spelling = channelSpellings.find((name) => frame.has(name))
  if (spelling === undefined) return decoded({ type: 'subscribe', channels: undefined, filters })
  const given = frame.get(spelling)
  const missing = `channels names at least one of ${websocketChannels.join(', ')}.`
  if (!Array.isArray(given) || !isTextual(given)) return refused('missing_channels', missing)
  const parsed = valuesGiven.safeParse(given)
  if (!parsed.success) return refused('invalid_message', said('channels', parsed.error))
  const names = parsed.data ?? []
  const requested = new Set(names.map((name) => name.toLowerCase()))
  const channels = websocketChannels.filter((channel) => requested.has(channel))
  if (channels.length === 0) return refused('missing_channels', missing)
  return decoded({ type: 'subscribe', channels, filters })
}

const channelSpellings = ['channels', 'channel']

/** The fields that a requesting frame may have beside filters; the last five narrow nothing. */
const membersOfFrames: ReadonlySet<string> = new Set([
  'type',
  'filters',
  ...channelSpellings,
  'id',
  'state',
  'timestamp',
  'token',
  'api_key',
])

/** Returns whether it contains any name. */
const isTextual = (given: unknown) =>
  [given].flat().some((value) => typeof value === 'string' && value !== '')

function decodeFilters(frame: Members): { ok: true; filters: FrameFilters } | Fault {
  const nested = frame.get('filters') ?? {}
  const inside = membersOf(nested)
  if (!inside) return refused('invalid_message', 'filters is an object.')
  const isUnknown = (name: string) => !filterSpellings.has(name)
  const unknown = [
    ...[...inside.keys()].filter(isUnknown),
    ...[...frame.keys()].filter((name) => isUnknown(name) && !membersOfFrames.has(name)),
  ]
  // The whole frame is ignored.
  if (unknown.length > 0) {
    return { ...refused('validation_error', `filters has ${filterNames}, no others.`), unknown }
  }
  const given: Record<string, unknown> = {}
  for (const [name, names] of frameSpellings) {
    for (const source of [frame, inside]) {
      const spelling = names.find((known) => source.has(known))
      if (spelling !== undefined) given[name] = source.get(spelling)
    }
  }
  const parsed = frameFilters.safeParse(given)
  if (parsed.success) return { ok: true, filters: parsed.data }
  return refused('invalid_message', said('filters', parsed.error))
}

const filterNames = Object.keys(frameFilters.shape).join(', ')

function decodeToken(type: 'auth' | 'refresh_token', frame: Members): Decoded | Fault {
  const given = frame.get('token') ?? frame.get('api_key') ?? ''
  if (given === '') return refused('missing_token', `${type} carries a token.`)
  const parsed = token.safeParse(given)
  return parsed.success
    ? decoded({ type, token: parsed.data })
    : refused('invalid_message', said('token', parsed.error))
}

const decoded = (frame: ClientFrame): Decoded => ({ ok: true, frame })

const refused = (code: Fault['code'], message: string): Fault => ({ ok: false, code, message })

/** Returns the first fault, after the name of its field. */
function said(member: string, { issues }: z.ZodError): string {
  const [issue] = issues
  return `${String(issue?.path[0] ?? member)} ${issue?.message ?? 'is not valid'}.`
}
