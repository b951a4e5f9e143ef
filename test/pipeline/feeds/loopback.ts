/** A source on the loopback address with scripted responses, and a sink that records. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedSink, Skip } from '../../../pipeline/feeds/feed.ts'
import type { FeedRecord, TickRecord } from '../../../schemas/feed-record.ts'

export interface Source {
  readonly baseUrl: string
  /** Requested paths with their queries, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export async function openSource(answer: Answer): Promise<Source> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Records a feed's output; `until` resolves once it has enough. */
export function createRecordingSink() {
  const records: (FeedRecord | TickRecord)[] = []
  const skips: Skip[] = []
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const check of waiting) check()
  }
  const sink: FeedSink = {
    async publish(published) {
      records.push(...published)
      wake()
    },
    skipped(_sportsbook, skipped) {
      skips.push(...skipped)
      wake()
    },
  }
  return {
    sink,
    records,
    skips,
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (holds()) resolve()
        }
        waiting.push(check)
        check()
      }),
  }
}
