/** MCP messages on the wire: JSON-RPC 2.0 (supplement 4). */

import { z } from 'zod'
import { errorAnswer } from './envelope.ts'

/** The most messages of one body. */
export const mostMessages = 20

export const maxMcpBytes = 64 * 1024

const version = z.literal('2.0')
const id = z.union([z.string(), z.int()])

export const mcpMessage = z.looseObject({
  jsonrpc: version,
  id: id.optional().describe('Absent in a notification, which gets no response.'),
  method: z
    .string()
    .describe('initialize, ping, tools/list, tools/call, or a notification.')
    .meta({ examples: ['tools/list'] }),
  params: z.looseObject({}).optional(),
})

export const mcpBody = z.union([mcpMessage, z.array(mcpMessage).min(1).max(mostMessages)])

export const mcpResponse = z.looseObject({
  jsonrpc: version,
  id: id.nullable().describe('The id of the request; null if it had no readable one.'),
  result: z.looseObject({}).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
})

/** One response, or the responses of a batch, in its order. */
export const mcpAnswer = z.union([mcpResponse, z.array(mcpResponse)])

/** The refusal of a message whose id is known: the fields of an error elsewhere, but `error` has JSON-RPC's form. */
export const mcpRefusal = errorAnswer.extend({
  jsonrpc: version,
  id: id.nullable(),
  error: z.object({
    code: z.int(),
    message: z.string(),
    data: errorAnswer.shape.error.describe('As `error` on the other routes.'),
  }),
})
