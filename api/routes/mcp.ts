/**
 * POST /api/v1/mcp and POST /mcp: the tools, over streamable HTTP without sessions (supplement 4).
 *
 * `initialize`, `tools/list` and `tools/call` count as one request each, also in a batch; other messages are free. An
 * error has the HTTP status and fields of every other route. If there is one message with a known id, the error is a
 * JSON-RPC error as well, with the usual `error` in its `data`. In a batch, requests after the first are refused one
 * by one.
 */

import { isUtf8 } from 'node:buffer'
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { mcpExample } from '../../schemas/http/examples/mcp.ts'
import {
  maxMcpBytes,
  mcpAnswer,
  mcpBody,
  mcpRefusal,
  mostMessages,
} from '../../schemas/http/mcp.ts'
import { ApiError, errorBody, errorHeaders } from '../errors.ts'
import { createMcpServer, type McpServer } from '../mcp/mcp-server.ts'
import { createTools } from '../mcp/tools.ts'
import {
  type ActionRoute,
  type Admitted,
  type Answer,
  countingAction,
  type Route,
} from '../route.ts'
import { ownVersion } from '../version.ts'

const instructions =
  'Prices of many sportsbooks, one board per game. Ids that filters take come from get_sports, ' +
  'get_leagues, get_sportsbooks, get_markets and get_events; an unknown one is answered with the ' +
  'nearest there is. Times are UTC. Prices are as of `updated_at`. Responses are short: if there is ' +
  '`more`, repeat the call with its fields as further arguments; `limit` makes room for more at ' +
  'once. Null fields are left out, and so is what has no room: `…_left_out` counts it.'

/** @param routes that the tools are made of */
export function createMcpRoutes(routes: readonly Route[]): readonly ActionRoute[] {
  const tools = createTools(routes)
  const server = createMcpServer({ version: ownVersion, instructions, tools })
  return [
    createMcpRoute(server, '/api/v1/mcp'),
    { ...createMcpRoute(server, '/mcp'), isHidden: true },
  ]
}

const createMcpRoute = (server: McpServer, path: string) =>
  countingAction({
    method: 'post',
    path,
    tag: 'Tools',
    summary: 'A Model Context Protocol server',
    description:
      'JSON-RPC 2.0 over streamable HTTP, without sessions: `initialize`, `ping`, `tools/list`, `tools/call` and notifications. Each, except `ping` and notifications, counts as a request of the minute. A tool returns the response of its route; an error of the route is a result with `isError`.',
    query: {},
    headers: ['accept', 'mcp-protocol-version'],
    isForOwnPages: true,
    body: {
      as: 'bytes',
      schema: z.instanceof(Buffer),
      whole: mcpBody,
      maxBytes: maxMcpBytes,
      example: mcpExample.body,
    },
    refusal: mcpRefusal,
    answer: {
      description: 'The response, or those of a batch.',
      schema: mcpAnswer,
      example: mcpExample.answer,
    },
    otherAnswer: { status: 202, description: 'Accepted; there is nothing to respond to.' },
    errors: ['forbidden'],
    async handle({ body, headers, admit, timed }) {
      let by: Admitted
      try {
        by = admit(false)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return refused(error, {
          id: body.length > longestUnpaid ? undefined : readMessages(body).id,
        })
      }
      const read = await timed(() => readMessages(body))
      if (!read.ok) return refused(read.error, { id: null, code: read.code })
      try {
        checkRevision(headers['mcp-protocol-version']!, read.messages)
        const respond = (message: unknown) =>
          isCounted(message)
            ? respondTo(message, server, admit(true))
            : timed(() => respondTo(message, server, by))
        const response = read.isBatch
          ? await respondToAll(read.messages, respond)
          : await respond(read.messages[0])
        return response ? shown(response, headers.accept!) : { status: 202 }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // A malformed message gets a JSON-RPC response, with a null id if it has none. A refused caller may not speak
        // JSON-RPC, so without an id it gets the usual body.
        return refused(error, { id: isMalformed(error) ? (read.id ?? null) : read.id })
      }
    },
  })

// ---- messages

/** A longer body of a refused caller is not read for its id. */
const longestUnpaid = 4_096

type Id = string | number

type ReadMessages =
  | {
      readonly ok: true
      readonly messages: readonly unknown[]
      readonly isBatch: boolean
      /** Id of a single message; undefined for a batch or a message without one. */
      readonly id: Id | undefined
    }
  | { readonly ok: false; readonly code: number; readonly error: ApiError; readonly id?: undefined }

function readMessages(bytes: Buffer): ReadMessages {
  let value: unknown
  try {
    if (!isUtf8(bytes)) throw new Error('not UTF-8')
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return unreadable(ErrorCode.ParseError, 'The body is not JSON.')
  }
  if (!Array.isArray(value)) return { ok: true, messages: [value], isBatch: false, id: idOf(value) }
  if (value.length === 0 || value.length > mostMessages) {
    return unreadable(ErrorCode.InvalidRequest, `A batch has 1 to ${mostMessages} messages.`)
  }
  return { ok: true, messages: value, isBatch: true, id: undefined }
}

function unreadable(code: number, message: string): ReadMessages {
  return { ok: false, code, error: new ApiError('validation_error', message) }
}

function idOf(message: unknown): Id | undefined {
  if (typeof message !== 'object' || message === null || !('id' in message)) return undefined
  const { id } = message
  return typeof id === 'string' || Number.isInteger(id) ? (id as Id) : undefined
}

const countedMethods: ReadonlySet<string> = new Set(['initialize', 'tools/list', 'tools/call'])

/** Whether the message counts as a request of the minute. */
const isCounted = (message: unknown) =>
  isJSONRPCRequest(message) && countedMethods.has(message.method)

/**
 * @returns undefined for a message that gets no response
 * @throws ApiError for an invalid message
 */
async function respondTo(
  message: unknown,
  server: McpServer,
  by: Admitted,
): Promise<object | undefined> {
  if (isJSONRPCNotification(message) || isResponse(message)) return undefined
  if (!isJSONRPCRequest(message)) {
    throw new ApiError('validation_error', 'A message is a JSON-RPC 2.0 request or notification.')
  }
  return server.ask(message, by)
}

/** Whether the message is a response. We send clients no requests, so it is ignored. */
const isResponse = (message: unknown) =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)

/** @throws ApiError if the first message is refused already */
async function respondToAll(
  messages: readonly unknown[],
  respond: (message: unknown) => Promise<object | undefined>,
): Promise<readonly object[] | undefined> {
  const responses: object[] = []
  for (const message of messages) {
    try {
      if (isInitialize(message)) {
        throw new ApiError('validation_error', 'initialize is not part of a batch.')
      }
      const response = await respond(message)
      if (response) responses.push(response)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'rate_limited' && responses.length === 0) throw error
      responses.push(refusal(error, { id: idOf(message) ?? null }))
    }
    // Many tools in a row must not delay other requests.
    await nextTurn()
  }
  return responses.length > 0 ? responses : undefined
}

const isInitialize = (message: unknown) =>
  typeof message === 'object' &&
  message !== null &&
  'method' in message &&
  message.method === 'initialize'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

// ---- admission

/** @throws ApiError validation_error for an unsupported protocol revision */
function checkRevision(revision: string, messages: readonly unknown[]) {
  if (revision === '' || messages.some(isInitialize)) return
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return
  const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
  throw new ApiError('validation_error', `MCP-Protocol-Version is one of ${known}.`)
}

// ---- responses

/** Returns JSON if the client accepts it, else a stream with one event. */
function shown(response: object, accept: string): Answer {
  if (accept === '' || /application\/(json|\*)|\*\/\*/i.test(accept)) return { body: response }
  return {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' },
    body: `event: message\ndata: ${JSON.stringify(response)}\n\n`,
  }
}

/** From the range that JSON-RPC reserves for servers; `data.code` has the reason. */
const refusedCode = -32_001

interface OfMessage {
  /** Null if there is no id, as JSON-RPC requires. */
  readonly id: Id | null
  readonly code?: number
}

function refused(
  error: ApiError,
  { id, code }: { id: Id | null | undefined; code?: number },
): Answer {
  const headers = errorHeaders(error)
  const body = id === undefined ? errorBody(error) : refusal(error, { id, ...(code && { code }) })
  return { status: error.status, body, ...(headers && { headers }) }
}

/** Returns an error as JSON-RPC, besides the fields that every error has. */
function refusal(error: ApiError, { id, code = codeOf(error) }: OfMessage): object {
  const { error: data, ...beside } = errorBody(error)
  return { jsonrpc: '2.0', id, error: { code, message: error.message, data }, ...beside }
}

const isMalformed = ({ code }: ApiError) => code === 'validation_error'

const codeOf = (error: ApiError) => (isMalformed(error) ? ErrorCode.InvalidRequest : refusedCode)
