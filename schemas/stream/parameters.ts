/**
 * A client's parameters when it opens a stream: query parameters of SSE and of the WebSocket's address (interface
 * 6.1, supplement 1.3 and 2.2).
 */

import { position } from '../http/issued-texts.ts'
import { oddsQuery } from '../http/odds-query.ts'
import { choice, choices, decimal, flag, list, text, whole } from '../http/query.ts'
import { defaultSseChannel, sseChannelNames, websocketChannels } from './channels.ts'
import { filterQuery } from './filters.ts'

const coded = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Seconds between heartbeats. */
export const defaultHeartbeatSeconds = 30

const ours = {
  state: oddsQuery.state,
  proof: flag({
    description:
      'Heartbeats have the position, the number of rows and their checksum, so that a client can verify its rows. With `fields`, include `odds_decimal`, `odds_american`, `line`, `is_live` and `is_active`.',
    example: true,
  }),
  resume_from: position({
    description:
      'A position that a proof gave, with the same filters: what changed since comes in place of a snapshot, or `resync` and a snapshot where that cannot be found out.',
  }),
  heartbeat_seconds: whole({
    description: 'Seconds between heartbeats.',
    min: 1,
    max: defaultHeartbeatSeconds,
    fallback: defaultHeartbeatSeconds,
  }),
} as const

/** The parameters of `GET /stream`. */
export const sseQuery = {
  channel: list({
    description: `The channel: ${coded(sseChannelNames.slice(0, -1))} or \`all\`; several mean \`all\`. Default: \`${defaultSseChannel}\`.`,
    example: 'odds',
    aliases: ['channels'],
  }),
  type: choice(sseChannelNames, {
    description:
      'A channel, for clients that read only unnamed messages: each event is also sent as one.',
  }),
  only: choices(websocketChannels, {
    description:
      'Exactly these channels, by the names of a WebSocket, in place of `channel`. One that the account lacks is reported by an `error`, and the others continue.',
    example: 'odds,gamestate',
  }),
  ...filterQuery,
  last_event_id: text({
    description: 'Same as the header `Last-Event-ID`: the client was connected before.',
  }),
  ...ours,
} as const

/** Returns the parameters of a stream's path, without those that the path itself sets. */
export function sseQueryAt(path: string): typeof sseQuery {
  const said = path.includes('/stream/')
    ? ['channel', 'type', 'only', ...(path.includes('/events/') ? ['event'] : [])]
    : []
  const left = Object.entries(sseQuery).filter(([name]) => !said.includes(name))
  // Readers see a removed parameter as one that is not given.
  return Object.fromEntries(left) as unknown as typeof sseQuery
}

/** The parameters of the WebSocket's address. */
export const websocketQuery = {
  channels: list({
    description: `The channels: ${coded(websocketChannels)}. Default: all of the tier.`,
    example: 'odds,ev',
    aliases: ['channel'],
  }),
  ...filterQuery,
  resume: flag({ description: 'Leaves out the snapshot of prices.', example: true }),
  from_seq: decimal({
    description: 'With `resume`: changes after this `global_seq` are sent again.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
  ...ours,
} as const
