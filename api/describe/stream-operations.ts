/**
 * The event streams as operations of the OpenAPI document: their addresses, parameters and errors. The AsyncAPI
 * document describes the events.
 */

import { eventStream } from '../../schemas/stream/message.ts'
import { sseQueryAt } from '../../schemas/stream/parameters.ts'
import { type SseRoute, sseRoutes } from './asyncapi.ts'
import type { Operation } from './operation.ts'

const example = `event: snapshot:complete
id: evt_00004
data: {"status":"ready","books":["draftkings","fanduel"],"total_odds":1420}

`

const ofEvent = '{eventId}'

export const streamOperations: readonly Operation[] = sseRoutes.map(operationOf)

function operationOf({ address, summary }: SseRoute): Operation {
  const isOfEvent = address.endsWith(ofEvent)
  return {
    kind: 'stream',
    method: 'get',
    path: address.replace(ofEvent, ':eventId'),
    access: 'key',
    tag: 'Streams',
    summary,
    description:
      'Endless: read it as it comes. Needs the right to stream, which the enterprise tier has; others can add or try it.',
    query: sseQueryAt(address),
    ...(isOfEvent && { pathParameters: { eventId: 'The id of the event.' } }),
    answer: {
      description: 'Events, as they happen.',
      mediaType: 'text/event-stream',
      schema: eventStream,
      example,
    },
    errors: [
      'invalid_filter',
      'tier_restricted',
      'too_many_streams',
      'too_many_book_sets',
      ...(isOfEvent ? (['not_found'] as const) : []),
    ],
  }
}
