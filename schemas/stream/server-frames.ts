/** The frames that the service sends on a WebSocket: a table by type (interface supplement 1.5 and 1.6). */

import { z } from 'zod'
import { timestamp } from '../http/envelope.ts'
import { example } from '../http/example.ts'
import { exampleOdds, oddsItem } from '../http/odds.ts'
import { familyNames } from '../opportunity.ts'
import { tableChannelNames } from './channels.ts'
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
import { shownFilterMembers, shownValues } from './filters.ts'
import { type Message, messageOf } from './message.ts'
import { type TableEventName, tableEventNames, tableEvents } from './tables.ts'

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
