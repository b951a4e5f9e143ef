/**
 * The Model Context Protocol, spoken by the official server without sessions: each request gets its response, and
 * nothing is remembered between requests.
 */

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListToolsRequestSchema,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { ApiError, errorBody } from '../errors.ts'
import type { Admitted } from '../route.ts'
import { nearTools } from './near-tools.ts'
import type { Tool } from './tools.ts'

export interface McpServer {
  /**
   * Returns the response to a request, with the request's id.
   * @throws any error of a tool that is not an ApiError
   */
  ask(request: JSONRPCRequest, by: Admitted): Promise<object>
}

export interface McpServerOptions {
  readonly version: string
  /** Instructions to the model about all tools. */
  readonly instructions: string
  readonly tools: readonly Tool[]
}

/** A request without a response so far. */
interface PendingRequest {
  /** The client's id of the request. */
  readonly id: RequestId
  readonly by: Admitted
  answer(response: object): void
  fail(error: unknown): void
}

const requests = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
} as const

export function createMcpServer({ version, instructions, tools }: McpServerOptions): McpServer {
  const server = new Server(
    { name: 'overround', version },
    { capabilities: { tools: {} }, instructions },
  )
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  const noSuchTool = (name: string) => {
    const near = nearTools(name, [...byName.keys()])
    const hint = near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`
    return `There is no tool ${name}${hint}; tools/list has them.`
  }
  const toolOfPath = new Map(tools.map(({ path, definition }) => [path, definition.name]))
  const list = { tools: tools.map(({ definition }) => definition) }
  // Clients may use the same ids, so each request gets an id of ours.
  const pendingById = new Map<RequestId, PendingRequest>()
  let lastId = 0

  server.setRequestHandler(ListToolsRequestSchema, () => list)
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    const pending = pendingById.get(requestId)!
    const tool = byName.get(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, noSuchTool(params.name))
    try {
      return resultOf(await tool.call(params.arguments ?? {}, pending.by))
    } catch (error) {
      if (error instanceof ApiError) return failureOf(error, tool, toolOfPath)
      pending.fail(error)
      throw error
    }
  })

  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message: JSONRPCMessage) {
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return
      const pending = pendingById.get(message.id!)
      pending?.answer({ ...message, id: pending.id })
    },
  }
  const connected = server.connect(transport)

  return {
    async ask(request, by) {
      const problem = findProblem(request)
      if (problem !== undefined) {
        const error = { code: ErrorCode.InvalidParams, message: problem }
        return { jsonrpc: '2.0', id: request.id, error }
      }
      await connected
      const id = ++lastId
      try {
        return await new Promise<object>((answer, fail) => {
          pendingById.set(id, { id: request.id, by, answer, fail })
          transport.onmessage?.({ ...request, id })
        })
      } finally {
        pendingById.delete(id)
      }
    },
  }
}

/** Returns the error in the parameters of a known request, if any. */
function findProblem(request: JSONRPCRequest): string | undefined {
  if (!Object.hasOwn(requests, request.method)) return undefined
  const parsed = requests[request.method as keyof typeof requests].safeParse(request)
  const issue = parsed.error?.issues[0]
  return issue && `Invalid params: ${issue.path.join('.')}: ${issue.message}`
}

/** Returns the text alone. Structured content would repeat it and double its cost to a model. */
function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

/** Returns the usual error, with paths replaced by the tools that stand for them, and their parameters by arguments. */
function failureOf(
  error: ApiError,
  { inPath }: Tool,
  toolOfPath: ReadonlyMap<string, string>,
): CallToolResult {
  const text = JSON.stringify(errorBody(error), (name, value: unknown) => {
    if (name === 'parameters' && Array.isArray(value)) return value.map((of) => inPath[of] ?? of)
    return typeof value === 'string' ? (toolOfPath.get(value) ?? value) : value
  })
  return { content: [{ type: 'text', text }], isError: true }
}
