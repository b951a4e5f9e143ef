/** The example of a call of the tool server. */

export const mcpExample = {
  body: {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'get_sports', arguments: {} },
  },
  answer: {
    jsonrpc: '2.0',
    id: 2,
    result: { content: [{ type: 'text', text: '{"success":true,"data":[]}' }] },
  },
} as const
