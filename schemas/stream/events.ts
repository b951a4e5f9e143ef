/**
 * The events of the SSE streams: one table, by name, of the content of each one's `data` (interface 6.2, supplement
 * 2.3, 2.5, 2.6). The names are those of the `event` field.
 */

import { z } from 'zod'
import { timestamp } from '../http/envelope.ts'
import { eventStatus } from '../http/events.ts'
import { example, exampleOf } from '../http/example.ts'
import { longestPosition } from '../http/issued-texts.ts'
import { exampleOdds, oddsDelta, oddsItem, oddsOfFields } from '../http/odds.ts'
import { opportunityContracts } from '../http/opportunities/contracts.ts'
import { sourceState } from '../http/sources.ts'
import { type EventPrefix, familyOf, opportunityKinds, prefixOf } from '../opportunity.ts'
import {
  type SseChannel,
  sseChannelNames,
  streamErrorNames,
  type TableChannel,
  tableChannelNames,
} from './channels.ts'
import { chunk } from './chunk.ts'
import { type Message, messageOf } from './message.ts'
import { tableEventNames, tableEvents } from './tables.ts'

// ---- rows

/** Each kind of opportunity as streams send it, in order. */
export const streamedKinds = opportunityKinds.map((kind) => {
  const { item, schemaName, events } = opportunityContracts[kind]
  const examples: readonly { readonly id: string }[] = [exampleOf(item)]
  return { family: familyOf(kind), prefix: prefixOf(kind), item, examples, schemaName, events }
})

/** A current row. */
export const sentRow = z.union([oddsItem, oddsOfFields])

const changedRow = z
  .union([oddsItem, oddsDelta, oddsOfFields])
  .describe('A row that is new to the client, or the changes of one it has.')

// ---- fields

const count = z.int().min(0)
const slug = z.string()

/** The position of a stream, in a text that only this service reads; `resume_from` of a later connection. */
export const position = z
  .string()
  .regex(/^[A-Za-z0-9:._-]+$/)
  .max(longestPosition)
  .describe('Position of this connection: the `resume_from` of the next one.')

/**
 * Sent with `proof=true`, on the odds channel: a summary of the client's rows after everything sent
 * before on the connection. All three are absent while more is waiting to be sent. A position is
 * absent if it is too long to be sent back.
 */
export const proof = {
  position: position.optional(),
  rows: count.optional().describe('With `proof=true`: rows the client has now.'),
  checksum: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional()
    .describe('With `proof=true`: the checksum of these rows, as the introduction defines it.'),
}

export const exampleProof = {
  position: 'v3:1kq9w2:310-48211-0-5127-12',
  rows: 1_420,
  checksum: '9f03c6d1',
}

/** The field of a streaming trial. */
export const trial = z.object({
  active: example(z.boolean(), true),
  expires_at: example(timestamp, '2027-01-15T01:05:00.000Z'),
  remaining_hours: example(z.number(), 3.9),
  max_streams: example(z.int(), 1),
})

export const resumed = z
  .boolean()
  .describe(
    'Whether the stream tries to continue from `resume_from`, without a snapshot of the odds. If that fails, `resync` follows.',
  )

export const resync = {
  reason: example(
    z.enum(['other_log', 'other_books', 'too_old', 'too_far', 'too_many', 'replaced']),
    'too_old',
    '`other_log`: the position is of another log or version; `other_books`: of another tier or choice of sportsbooks; `too_old`: no longer kept; `too_far`: too much has changed; `too_many`: too many resumed at once, or the log was too slow; `replaced`: the board was reloaded.',
  ),
  message: example(z.string(), 'The position is older than what is kept; a snapshot follows.'),
}

/** The fields of an error on both transports. */
export const streamError = {
  code: z.enum(streamErrorNames),
  message: z.string(),
  retry_ms: count
    .optional()
    .describe(
      'With `service_stopping`: wait before reconnecting, in ms. It differs between streams, so that not all return at once; an `EventSource` obeys it.',
    ),
}

/** The fields of a source in streams. */
export const sourceNews = {
  source: example(z.string(), 'the-odds-api', 'Its name, such as `the-odds-api`.'),
  state: example(sourceState, 'down'),
  since: example(timestamp, '2027-01-14T21:05:31.000Z', 'When it came into this state.'),
  sportsbooks: example(
    z.array(z.string()),
    ['draftkings', 'fanduel'],
    'Its sportsbooks that the key sees.',
  ),
}

// ---- events

const snapshots = [
  z.object({ odds: example(z.array(sentRow).max(1_000), [exampleOdds]), ...chunk }),
  ...streamedKinds.map(({ family, item }) => z.object({ [family]: z.array(item), ...chunk })),
]

const sentAt = '2027-01-14T21:05:40.000Z'

export const exampleDelta: z.input<typeof oddsDelta> = {
  id: exampleOdds.id,
  line: -4.5,
  last_seen_at: '2027-01-14T21:05:32.104Z',
  timestamp: '2027-01-14T21:05:32.104Z',
  odds_changed_at: '2027-01-14T21:05:31.000Z',
  odds_american: -112,
  odds_decimal: 1.893,
  odds_probability: 0.5283,
  probability: 0.5283,
  is_live: false,
  is_active: true,
  status: 'upcoming',
}

/** The sportsbook of the changed rows. */
const book = example(z.string(), 'draftkings')
const one = example(count, 1)
const values = example(z.array(z.string()).nullable(), null, 'In canonical ids; null for all.')

export type OpportunityEventName = `${EventPrefix}:${'detected' | 'expired'}`

const expired = z.object({
  expired: z.array(z.string()).describe('Ids of opportunities that have ended.'),
  timestamp,
})

/** The two events of each kind. */
const opportunityEvents = Object.fromEntries(
  streamedKinds.flatMap(({ prefix, item, examples, events }) => [
    [`${prefix}:detected`, messageOf(events.detected, z.array(item))],
    [
      `${prefix}:expired`,
      {
        schema: expired,
        description: events.expired,
        examples: [{ expired: examples.map(({ id }) => id), timestamp: sentAt }],
      },
    ],
  ]),
) as Readonly<Record<OpportunityEventName, Message>>

export const streamEvents = {
  connected: messageOf(
    'The first event: the channel and the filters as understood.',
    z.object({
      stream_id: example(z.string().regex(/^stream_\d+/), 'stream_1799960700123'),
      channel: example(z.enum(sseChannelNames), 'odds', '`all` with `only`.'),
      filters: z.object({
        sportsbook: values,
        sport: example(values, ['basketball']),
        league: example(values, ['nba']),
        event: values,
        market: values,
      }),
      reconnected: z.boolean().describe('Whether a `Last-Event-ID` was sent.'),
      resumed: resumed.optional(),
      trial: example(trial.optional(), exampleOf(trial)),
    }),
  ),
  snapshot: {
    schema: z.union(snapshots),
    description:
      'A part of the current odds, or of one family of opportunities; sent even if empty.',
    examples: snapshots.map(exampleOf),
  },
  'snapshot:complete': messageOf(
    'The snapshot is complete; changes follow. With `proof=true` or `resume_from` it comes when the client is up to date: changes since the start come before it.',
    z.object({
      status: z.literal('ready'),
      books: example(
        z.array(slug),
        ['draftkings', 'fanduel'],
        'Sportsbooks of the rows in `snapshot`; none where rows were left out.',
      ),
      total_odds: example(count, 1_420, 'Rows sent in `snapshot`.'),
      total_opportunities: example(count.optional(), 0),
      resumed: resumed.optional(),
      position: example(proof.position, exampleProof.position),
      rows: example(proof.rows, exampleProof.rows),
      checksum: example(proof.checksum, exampleProof.checksum),
    }),
  ),
  'odds:update': {
    schema: z.object({
      odds: z.array(changedRow),
      count,
      book,
      partial: z.boolean().describe('More events of the same batch follow.'),
    }),
    description: 'Rows of one sportsbook that are new or have changed.',
    examples: [
      { odds: [exampleDelta], count: 1, book: 'draftkings', partial: false },
      { odds: [exampleOdds], count: 1, book: 'draftkings', partial: true },
    ],
  },
  'odds:locked': messageOf(
    'Rows that take no bets (`is_active: false`); each is in an `odds:update` too.',
    z.object({
      odds: example(
        z
          .array(changedRow)
          .refine((rows) => rows.every((row) => !row.is_active), 'has only rows that take no bets'),
        [{ ...exampleDelta, is_active: false }],
      ),
      count: one,
      book,
      partial: z.boolean(),
    }),
  ),
  'odds:removed': messageOf(
    'Rows that have left the board or the filter; one that returns has the same id.',
    z.object({ ids: z.array(oddsItem.shape.id), count: one, book }),
  ),
  'event:status': messageOf(
    'Events of the subscription have changed their status. Of one that is `final` or `cancelled` all prices are removed.',
    z.object({
      events: z.array(
        z.object({
          id: example(z.string(), exampleOdds.event_id),
          status: example(eventStatus, 'final'),
          is_live: z.boolean(),
          start_time: example(timestamp, '2027-01-15T00:40:00.000Z'),
        }),
      ),
      count: one,
    }),
  ),
  ...opportunityEvents,
  ...tableEvents,
  'source:status': messageOf(
    'A source of prices has changed state. Sportsbooks whose sources are all neither `up` nor `degraded` have no active prices.',
    z.object(sourceNews),
  ),
  heartbeat: {
    schema: z.object({ timestamp, ...proof }),
    description: 'The stream is alive; after 60 s without one, it may be lost.',
    examples: [{ timestamp: sentAt }, { timestamp: sentAt, ...exampleProof }],
  },
  error: {
    schema: z.object(streamError),
    description: 'Something is wrong; the stream goes on unless the code says otherwise.',
    examples: [
      { code: 'upstream_error', message: 'One sportsbook is unreachable, retrying.' },
      { code: 'service_stopping', message: 'The service is stopping; reconnect.', retry_ms: 2_340 },
    ],
  },
  resync: messageOf(
    'The stream cannot be resumed: forget all rows, a snapshot follows.',
    z.object(resync),
  ),
} as const satisfies Record<string, Message>

export type StreamEventName = keyof typeof streamEvents
export type StreamEvent<Name extends StreamEventName> = z.output<
  (typeof streamEvents)[Name]['schema']
>

const ofEvery = ['connected', 'snapshot:complete', 'source:status', 'heartbeat', 'error'] as const
const ofOdds = [
  'snapshot',
  'odds:update',
  'odds:locked',
  'odds:removed',
  'event:status',
  'resync',
] as const
const ofOpportunities = [
  'snapshot',
  ...(Object.keys(opportunityEvents) as OpportunityEventName[]),
] as const
const ofTables = Object.fromEntries(
  tableChannelNames.map((channel) => [channel, [...ofEvery, ...tableEventNames(channel)]]),
) as unknown as Readonly<Record<TableChannel, readonly StreamEventName[]>>

/** The events of each channel. */
export const channelEvents: Readonly<Record<SseChannel, readonly StreamEventName[]>> = {
  odds: [...ofEvery, ...ofOdds],
  opportunities: [...ofEvery, ...ofOpportunities],
  ...ofTables,
  all: Object.keys(streamEvents) as StreamEventName[],
}

/**
 * Events about the stream itself, sent only with a name: clients that listen to unnamed blocks take
 * those for data.
 */
export const namedOnly: ReadonlySet<string> = new Set<StreamEventName>([
  'connected',
  'snapshot:complete',
  'heartbeat',
  'error',
])

const unnamedTypes = (Object.keys(streamEvents) as StreamEventName[]).filter(
  (name) => !namedOnly.has(name),
)

/**
 * The block without a name that follows each event of data if the stream was requested by `type`.
 * It is for clients that listen only to such blocks and heartbeats.
 */
export const unnamedBlock = {
  schema: z.object({
    type: z.enum(['initial', ...unnamedTypes]),
    data: z
      .unknown()
      .describe(
        'For odds: the rows. For opportunities: a list for each of the four families, empty if not concerned. For other events, such as `odds:removed`, `ev:expired` and `event:status`: the content of the event, which is no list.',
      ),
    timestamp,
  }),
  description:
    'Only with `type` and without `channel`: repeats the previous event, except `connected`, `snapshot:complete`, `heartbeat` and `error`.',
  examples: [
    { type: 'initial', data: [exampleOdds], timestamp: sentAt },
    {
      type: 'ev:detected',
      data: Object.fromEntries(
        streamedKinds.map(({ family, examples }) => [family, family === 'ev' ? examples : []]),
      ),
      timestamp: sentAt,
    },
  ],
} as const satisfies Message
