/** A local target for alerts, which records what it receives and responds as configured. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MessageOf } from '../../../schemas/http/alerts.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The message of an opportunity, which most tests send. Others read their own fields. */
  readonly body: MessageOf<'alert.opportunity'>
  /** Time of receipt, epoch ms. */
  readonly at: number
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

type Answering = (received: Received, response: ServerResponse) => unknown

const accept: Answering = (_, response) => response.writeHead(204).end()

export async function openReceiver(port = 0) {
  const received: Received[] = []
  let answer = accept
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const one: Received = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        text,
        body: JSON.parse(text),
        at: Date.now(),
      }
      received.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the response to later requests; by default 204. */
    answer(how = accept) {
      answer = how
    },
    /** Returns the messages received at a path. */
    at: (path: string) => received.filter((one) => one.path === path),
    ids: (path: string) =>
      received.filter((one) => one.path === path).map(({ headers }) => headers['webhook-id']),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
