/**
 * The frames of the WebSocket: a table by type of the frames that the service sends (supplement
 * 1.5, 1.6), one of the frames that it accepts (1.4), and their decoder. The decoder knows every
 * spelling that clients use, but no ids: the code that filters by a sport or an event checks
 * whether it is known.
 */

import { z } from 'zod'
import { timestamp } from '../http/envelope.ts'
import { example } from '../http/example.ts'
import { exampleOdds, oddsItem } from '../http/odds.ts'
import { familyNames } from '../opportunity.ts'
import { tableChannelNames, type WebsocketChannel, websocketChannels } from './channels.ts'
import {
  exampleProof,
  type OpportunityEventName,
  proof,
  resumed,
  resync,
  sentRow,
  sourceNews,
  streamError,
  streamEvents,
  streamedKinds,
  trial,
} from './events.ts'
import {
  type FrameFilters,
  filterSpellings,
  frameFilters,
  frameSpellings,
  shownFilterMembers,
  shownValues,
  valuesGiven,
} from './filters.ts'
import { type Message, messageOf } from './message.ts'
import { type TableEventName, tableEventNames, tableEvents } from './tables.ts'

// ---- frames from the service

const slug = z.string()
const count = z.int().min(0)
const sentAt = '2027-01-14T21:05:02.300Z'

const globalSeq = z
  .int()
  .min(0)
  .describe(
    'The value for `from_seq`. Grows from frame to frame, with gaps; across connections, with time alone.',
  )

/** Returns the schema of one type's frame, in the envelope of all. @param seq its number in the example */
const envelope = <const Type extends string, Members extends z.ZodRawShape>(
  type: Type,
  seq: number,
  members: Members,
  at = sentAt,
) =>
  z.object({
    type: z.literal(type),
    seq: example(z.int().min(1), seq, 'Counts the frames of the connection, without a gap.'),
    ...members,
    timestamp: example(timestamp, at),
  })

/** Returns a frame whose example consists of its fields' examples. */
const frame = <const Type extends string, Members extends z.ZodRawShape>(
  type: Type,
  seq: number,
  description: string,
  members: Members,
  at?: string,
) => messageOf(description, envelope(type, seq, members, at))

/** The fields of a frame that reports a change and can be replayed. */
const changed = {
  global_seq: example(globalSeq, 90_214),
  replay: z.literal(true).optional().describe('Sent again, after `from_seq`.'),
}
const source = example(slug, 'draftkings')
const rows = {
  source: source.describe('The sportsbook.'),
  data: example(z.array(sentRow), [exampleOdds]),
  count: example(count, 1),
}
const parts = {
  chunk: z.int().min(1).optional().describe('From 1; absent when there is one chunk.'),
  totalChunks: z.int().min(1).optional(),
}

/** Returns one value by the name of each family. */
const ofFamilies = <Value>(value: Value) =>
  Object.fromEntries(familyNames.map((family) => [family, value]))

/** The new and the expired opportunities of each family. */
const opportunityFrames = Object.fromEntries(
  streamedKinds.flatMap(({ prefix, item, examples, events }) => {
    const [detected, expired] = [`${prefix}:detected`, `${prefix}:expired`]
    const ids = examples.map(({ id }) => id)
    const ended = z.object({ expired: example(z.array(z.string()), ids) })
    return [
      [detected, frame(detected, 9, events.detected, { ...changed, data: z.array(item) })],
      [expired, frame(expired, 9, events.expired, { ...changed, data: ended })],
    ]
  }),
) as Readonly<Record<OpportunityEventName, ReturnType<typeof frame>>>

/** Returns the events of tables, each as the `data` of a frame. */
const tableFrames = <Name extends TableEventName>(names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name) => {
      const { schema, description } = tableEvents[name]
      return [name, frame(name, 9, description, { data: schema })]
    }),
  ) as Readonly<Record<Name, ReturnType<typeof frame>>>

const tableSnapshots = tableFrames(tableChannelNames.map((of) => tableEventNames(of)[0]))
const tableChanges = tableFrames(tableChannelNames.flatMap((of) => tableEventNames(of).slice(1)))

const { shape: eventStatus } = streamEvents['event:status'].schema

export const serverFrames = {
  connected: frame(
    'connected',
    1,
    'The first frame: the key is valid and may see this. While the service starts, heartbeats come before it, as do replies to frames.',
    {
      message: example(z.string(), 'Stream ready'),
      stream_id: example(z.string().regex(/^ws_/), 'ws_k3v9d2_a81f'),
      tier: example(z.string(), 'pro'),
      features: z.object(ofFamilies(example(z.boolean(), true))),
      channels: example(
        shownValues,
        ['ev', 'odds'],
        'The requested channels; null for all of the tier. Empty if none of the names exists: no data is sent until a frame names one that does.',
      ),
      global_seq: example(globalSeq, 90_211),
      books: z.object({
        max: example(z.int(), 15, 'Sportsbooks of the tier; -1 for any number.'),
        allowed: example(
          shownValues,
          ['draftkings', 'fanduel', 'betmgm'],
          'Which they are; null for all.',
        ),
      }),
      resumed: resumed.optional(),
      trial: trial.optional(),
    },
    '2027-01-14T21:05:00.010Z',
  ),
  subscribed: {
    schema: envelope('subscribed', 2, { channels: shownValues, ...shownFilterMembers }),
    description:
      'Channels and filters in effect from now on; null for all, an empty list for nothing (none of the values that were sent is known).',
    examples: [
      {
        type: 'subscribed',
        seq: 2,
        channels: ['ev', 'odds'],
        sports: ['basketball'],
        sportsbooks: null,
        leagues: ['nba'],
        markets: null,
        eventIds: ['nba_bulls_knicks_2027-01-14_b3'],
        min_ev: 3,
        min_profit: 0.5,
        timestamp: '2027-01-14T21:05:00.050Z',
      },
    ],
  },
  opportunities_snapshot: {
    schema: z.union(
      streamedKinds.map(
        ({ family, item }): z.ZodObject =>
          envelope('opportunities_snapshot', 3, { [family]: z.array(item), ...parts }),
      ),
    ),
    description: 'The current opportunities of one family, or a part of them; sent even if empty.',
    examples: streamedKinds.map(({ family, examples }, i) => ({
      type: 'opportunities_snapshot',
      seq: 3 + i,
      [family]: examples,
      ...(i === 0 && { chunk: 1, totalChunks: 2 }),
      timestamp: sentAt,
    })),
  },
  initial: frame(
    'initial',
    5,
    'Current rows of one sportsbook, or a part of them. A board without any row has one frame with an empty `source`; filters that match nothing have none.',
    rows,
  ),
  ...tableSnapshots,
  'snapshot:complete': frame(
    'snapshot:complete',
    7,
    streamEvents['snapshot:complete'].description,
    {
      books: example(
        z.array(slug),
        ['draftkings', 'fanduel'],
        'Sportsbooks of the rows in `initial` frames.',
      ),
      total_odds: example(count.optional(), 1_420, 'Rows sent in `initial` frames.'),
      resumed: z
        .boolean()
        .describe(
          'Whether the rows of prices were left out: as requested, or because the client has them.',
        ),
      progressive: example(z.boolean(), true, 'Whether rows came sportsbook by sportsbook.'),
      ...proof,
    },
  ),
  'odds:update': frame(
    'odds:update',
    8,
    'Rows of one sportsbook that are new or have changed, each whole.',
    { ...changed, ...rows },
  ),
  'odds:locked': frame(
    'odds:locked',
    9,
    'Rows that take no bets (`is_active: false`); each is in an `odds:update` too.',
    {
      ...changed,
      ...rows,
      data: example(
        rows.data.refine(
          (given) => given.every((row) => !row.is_active),
          'has only rows that take no bets',
        ),
        [{ ...exampleOdds, is_active: false }],
      ),
    },
  ),
  'odds:removed': frame('odds:removed', 9, streamEvents['odds:removed'].description, {
    ...changed,
    source,
    ids: z.array(oddsItem.shape.id),
    count: rows.count,
  }),
  'event:status': frame('event:status', 9, streamEvents['event:status'].description, eventStatus),
  ...opportunityFrames,
  ...tableChanges,
  'source:status': frame(
    'source:status',
    10,
    streamEvents['source:status'].description,
    sourceNews,
  ),
  heartbeat: {
    schema: envelope('heartbeat', 10, proof),
    description: streamEvents.heartbeat.description,
    examples: [
      { type: 'heartbeat', seq: 10, timestamp: sentAt },
      { type: 'heartbeat', seq: 11, ...exampleProof, timestamp: sentAt },
    ],
  },
  pong: frame('pong', 10, 'The reply to `ping`.', {}),
  error: frame(
    'error',
    11,
    'Something is wrong; the connection stays open unless the code says otherwise.',
    {
      ...streamError,
      code: example(streamError.code, 'unknown_message_type'),
      message: example(streamError.message, 'No handler for this type.'),
    },
  ),
  resync: frame('resync', 2, streamEvents.resync.description, resync),
} as const satisfies Record<string, Message>

export type ServerFrameType = keyof typeof serverFrames
export type ServerFrame<Type extends ServerFrameType> = z.output<
  (typeof serverFrames)[Type]['schema']
>

// ---- frames from clients

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
