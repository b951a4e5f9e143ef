/**
 * Creates the AsyncAPI 3.0 document of the streams from the tables of `schemas/stream` and the query parameters of
 * the routes. It describes the service as the application, which sends events and frames and receives clients'
 * requests.
 */

import type { z } from 'zod'
import { oddsDelta, oddsOfFields } from '../../schemas/http/odds.ts'
import type { QueryShape } from '../../schemas/http/query.ts'
import { familyNames } from '../../schemas/opportunity.ts'
import {
  closeCodes,
  type SseChannel,
  sseChannels,
  streamErrorCodes,
  tableChannelNames,
  websocketChannels,
} from '../../schemas/stream/channels.ts'
import { type ClientFrameType, clientFrames } from '../../schemas/stream/client-frames.ts'
import {
  channelEvents,
  type StreamEventName,
  streamEvents,
  streamedKinds,
  unnamedBlock,
} from '../../schemas/stream/events.ts'
import type { Message } from '../../schemas/stream/message.ts'
import { sseQueryAt, websocketQuery } from '../../schemas/stream/parameters.ts'
import { type ServerFrameType, serverFrames } from '../../schemas/stream/server-frames.ts'
import { tables } from '../../schemas/stream/tables.ts'
import { createSchemas, refTo, type Schemas } from './openapi-schemas.ts'
import type { JsonSchema } from './portable-schema.ts'

/** Schemas that several messages share, with their names in the document. */
const sharedRows: readonly (readonly [string, z.ZodType])[] = [
  ['OddsDelta', oddsDelta],
  ['OddsOfFields', oddsOfFields],
  ...streamedKinds.map(({ schemaName, item }) => [schemaName, item] as const),
  ...Object.values(tables).map(({ schemaName, row }) => [schemaName, row] as const),
  ['Expired', streamEvents['ev:expired'].schema],
]

/** @param version of the document and the service; the interface is v1, as in the paths */
export function createAsyncApi(version: string): object {
  const schemas = createSchemas()
  for (const [name, schema] of sharedRows) schemas.answer(name, schema)
  const messages = messagesIn(schemas)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Overround streams',
      version,
      description: introduction(),
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers,
    channels: {
      ...Object.fromEntries(sseRoutes.map((route) => [route.id, sseChannelOf(route)])),
      websocket: websocketChannelOf(),
    },
    operations: {
      ...Object.fromEntries(
        sseRoutes.map((route) => [`send${capital(route.id)}`, sseOperationOf(route)]),
      ),
      ...websocketOperations(),
    },
    components: {
      schemas: onlyUsed(schemas.components(), messages),
      messages,
      securitySchemes,
    },
  }
}

// ---- names

const entriesOf = <Name extends string>(table: Readonly<Record<Name, Message>>) =>
  Object.entries(table) as [Name, Message][]

/** Joins a name to one word: `oddsUpdate` of `odds:update`, `refreshToken` of `refresh_token`. */
const wordOf = (name: string) =>
  name.replace(/[:_]([a-z])/g, (_, letter: string) => letter.toUpperCase())

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const eventKey = (name: StreamEventName) => `${wordOf(name)}Event`
const frameKey = (type: ServerFrameType) => `${wordOf(type)}Frame`
const unnamedKey = 'unnamedEvent'
const requestKey = (type: ClientFrameType) => `${wordOf(type)}Request`

// ---- messages

/** Returns all messages by key, and adds their schemas to `schemas`. */
function messagesIn(schemas: Schemas): Record<string, object> {
  const messages: Record<string, object> = {}
  for (const [name, message] of entriesOf(streamEvents)) {
    const key = eventKey(name)
    const payload = schemas.answer(capital(key), message.schema)
    messages[key] = { name, ...messageOf(message, payload, namedBlock(name)) }
  }
  const payload = schemas.answer('UnnamedEvent', unnamedBlock.schema)
  messages[unnamedKey] = { name: 'unnamed', ...messageOf(unnamedBlock, payload, anyBlock) }
  for (const [type, message] of entriesOf(serverFrames)) {
    const key = frameKey(type)
    const payload = schemas.answer(capital(key), message.schema)
    messages[key] = { name: type, ...messageOf(message, payload) }
  }
  for (const [type, message] of entriesOf(clientFrames)) {
    const key = requestKey(type)
    const payload = schemas.body(capital(key), message.schema)
    messages[key] = { name: type, ...messageOf(message, payload) }
  }
  return messages
}

/** Fields of an SSE block besides its data. The document lists them as headers. */
interface Block {
  readonly schema: object
  readonly example: object
}

function messageOf({ description, examples }: Message, payload: JsonSchema, block?: Block): object {
  return {
    summary: description,
    ...(block && { headers: block.schema }),
    payload,
    examples: examples.map((example) => ({
      ...(block && { headers: block.example }),
      payload: example,
    })),
  }
}

const blockId = {
  type: 'string',
  pattern: '^evt_\\d{5,}$',
  description: 'Counts the blocks of the connection.',
}
const anyBlock: Block = {
  schema: { type: 'object', properties: { id: blockId }, required: ['id'] },
  example: { id: 'evt_00042' },
}
const namedBlock = (event: StreamEventName): Block => ({
  schema: {
    type: 'object',
    properties: { event: { type: 'string', const: event }, id: blockId },
    required: ['event', 'id'],
  },
  example: { event, id: 'evt_00042' },
})

/** Keeps only the schemas that the messages use. */
function onlyUsed(
  schemas: Readonly<Record<string, JsonSchema>>,
  messages: object,
): Record<string, JsonSchema> {
  const used = new Set<string>()
  const visit = (node: object) => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue
      used.add(name!)
      visit(schemas[name!]!)
    }
  }
  visit(messages)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

// ---- servers and access

const anyKey = ['apiKeyHeader', 'apiKeyBearer', 'apiKeyQuery'].map((name) =>
  refTo('securitySchemes', name),
)

const hostVariable = {
  host: {
    default: 'localhost:3000',
    description: 'The address of the service that sent this document.',
  },
}

const servers = {
  sse: {
    host: '{host}',
    protocol: 'http',
    description: 'Server-Sent Events; `https` behind a proxy with TLS.',
    variables: hostVariable,
    security: anyKey,
  },
  websocket: {
    host: '{host}',
    protocol: 'ws',
    description: 'WebSocket on the same port; `wss` behind a proxy with TLS.',
    variables: hostVariable,
    security: anyKey,
  },
}

const securitySchemes = {
  apiKeyHeader: {
    type: 'httpApiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Takes precedence.',
  },
  apiKeyBearer: { type: 'http', scheme: 'bearer', description: 'The key as a bearer token.' },
  apiKeyQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'api_key',
    description:
      'For browsers, which cannot send headers with a stream; URLs end up in logs. A WebSocket without any of the three may send `auth`.',
  },
}

// ---- Server-Sent Events

export interface SseRoute {
  /** Name of its channel in the document. */
  readonly id: string
  readonly address: string
  readonly channel: SseChannel
  readonly summary: string
}

/** All paths of event streams. */
export const sseRoutes: readonly SseRoute[] = [
  {
    id: 'stream',
    address: '/api/v1/stream',
    channel: 'all',
    summary: 'The requested channel: its events, and no others.',
  },
  ...entriesOfChannels().map(([channel, means]) => ({
    id: `stream${capital(channel)}`,
    address: `/api/v1/stream/${channel}`,
    channel,
    summary: means,
  })),
  {
    id: 'streamEvent',
    address: '/api/v1/stream/events/{eventId}',
    channel: 'odds',
    summary: 'The odds of one event.',
  },
]

function entriesOfChannels() {
  return Object.entries(sseChannels) as [SseChannel, string][]
}

/** With `type`, `/stream` sends blocks without a name. */
const sseMessages = ({ id, channel }: SseRoute) => [
  ...channelEvents[channel].map(eventKey),
  ...(id === 'stream' ? [unnamedKey] : []),
]

function sseChannelOf(route: SseRoute): object {
  const { address, summary } = route
  return {
    address,
    summary,
    servers: [{ $ref: '#/servers/sse' }],
    messages: messagesOf(sseMessages(route)),
    ...(address.includes('{eventId}') && {
      parameters: {
        eventId: {
          description: 'The id of the event.',
          examples: ['nba_bulls_knicks_2027-01-14_b3'],
        },
      },
    }),
  }
}

function sseOperationOf(route: SseRoute): object {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${route.id}` },
    summary: route.summary,
    messages: refsIn(route.id, sseMessages(route)),
    bindings: {
      http: {
        method: 'GET',
        query: querySchema(sseQueryAt(route.address)),
        bindingVersion: '0.3.0',
      },
    },
  }
}

// ---- WebSocket

const sentFrames = entriesOf(serverFrames).map(([type]) => frameKey(type))

function websocketChannelOf(): object {
  const requests = entriesOf(clientFrames).map(([type]) => requestKey(type))
  return {
    address: '/ws',
    summary: `Any of ${websocketChannels.join(', ')} in one connection.`,
    description: 'Also at `/` and `/api/v1/ws`.',
    servers: [{ $ref: '#/servers/websocket' }],
    messages: messagesOf([...sentFrames, ...requests]),
    bindings: {
      ws: { method: 'GET', query: querySchema(websocketQuery), bindingVersion: '0.1.0' },
    },
  }
}

function websocketOperations(): Record<string, object> {
  const channel = { $ref: '#/channels/websocket' }
  const receive = (Object.keys(clientFrames) as ClientFrameType[]).map((type) => {
    const { description, reply } = clientFrames[type]
    const operation = {
      action: 'receive',
      channel,
      summary: description,
      messages: refsIn('websocket', [requestKey(type)]),
      reply: { channel, messages: refsIn('websocket', [frameKey(reply), frameKey('error')]) },
    }
    return [`receive${capital(wordOf(type))}`, operation] as const
  })
  return {
    sendFrames: {
      action: 'send',
      channel,
      summary: 'Everything the service sends on a WebSocket.',
      messages: refsIn('websocket', sentFrames),
    },
    ...Object.fromEntries(receive),
  }
}

// ---- parts

const messagesOf = (keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, refTo('messages', key)]))

const refsIn = (channel: string, keys: readonly string[]) =>
  keys.map((key) => ({ $ref: `#/channels/${channel}/messages/${key}` }))

/** Returns query parameters as the properties of an object. */
function querySchema(shape: QueryShape): object {
  const properties = Object.entries(shape).map(([name, parameter]) => {
    const { examples = [], ...schema } = parameter.meta() ?? {}
    const shown = (examples as unknown[]).map((example) =>
      schema.type === 'array' ? String(example).split(',') : example,
    )
    return [name, { ...schema, ...(shown.length > 0 && { examples: shown }) }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

const tableOf = (head: readonly string[], rows: readonly (readonly unknown[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

function introduction(): string {
  const errors = Object.entries(streamErrorCodes).map(([code, { means, closesWith }]) => [
    `\`${code}\``,
    means,
    closesWith ?? 'stays open',
  ])
  const closes = Object.entries(closeCodes).map(([code, { sender, means, advice }]) => [
    code,
    sender,
    means,
    advice,
  ])
  const channels = entriesOfChannels().map(([name, means]) => [`\`${name}\``, means])
  return `Changes as they happen, by Server-Sent Events or by WebSocket. Both need the right to stream, which the enterprise tier has; others can add or try it. Times are RFC 3339 in UTC, prices decimal and American odds. Lists in a URL are separated by commas.

## Server-Sent Events

A block has an \`event\`, an \`id\` that counts the blocks of the connection (\`evt_00001\`), and one line of \`data\`. First comes \`connected\`, then snapshots in chunks, then \`snapshot:complete\`, then changes. A row of \`odds:update\` that the client already has replaces only the fields it contains; a new one is whole. A client that reconnects without \`resume_from\` must forget its rows and gets a snapshot.

${tableOf(['Channel', 'Carries'], channels)}

Before the stream begins, errors are sent as on other routes: 400, 401, 403, 404 (no such event) or 429 with a JSON body.

## WebSocket

Text frames of JSON, at most 256 KB each. \`seq\` counts the frames of the connection without a gap; blanks may follow it. First come \`connected\` and \`subscribed\`, then \`opportunities_snapshot\` of ${familyNames.map((name) => `\`${name}\``).join(', ')}, \`initial\` by sportsbook and ${tableChannelNames.map((name) => `\`${name}:snapshot\``).join(', ')}, as subscribed, then \`snapshot:complete\`, then changes. Rows are whole, or have the requested \`fields\`.

On each connection, an opportunity is detected and expires in turn, beginning with the snapshot.

## Proof and resumption

With \`proof=true\` and odds, \`snapshot:complete\` and each heartbeat have \`position\`, \`rows\` and \`checksum\` of the client's rows after everything sent before. They are absent while more is waiting to be sent. The checksum is made from each row's text \`id odds_decimal odds_american line is_live is_active\`, the fields as in JSON, separated by one space, the id without quotes, such as \`48210773391546 1.893 -112 -4.5 false true\`: the CRC-32 (as in zlib) of its UTF-8 bytes, summed over all rows modulo 2^32, as eight lower-case hexadecimal digits. Without rows it is \`00000000\`.

Send a position as \`resume_from\` of the next connection, with the same filters, to continue from there: \`connected\` has \`resumed: true\`, and instead of a snapshot of the odds come the rows changed since, as in \`odds:update\`, and the removed ids. If that is not possible, \`resync\` gives the reason: the client forgets its rows, and a snapshot follows as for a new client. Opportunities are sent whole in either case.

## Errors

${tableOf(['Code', 'Meaning', 'The connection'], errors)}

The numbers are close codes of the WebSocket; the event stream ends instead.

${tableOf(['Close code', 'From', 'Meaning', 'What to do'], closes)}`
}
