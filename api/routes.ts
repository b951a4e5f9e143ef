/** Every route, in the order they are documented. */

import type { FeedSink } from '../pipeline/feeds/feed.ts'
import type { Route } from './route.ts'
import { compareOdds } from './routes/comparison.ts'
import { getEvent, listEvents } from './routes/events.ts'
import { health } from './routes/health.ts'
import { createIngest } from './routes/ingest.ts'
import { listOdds } from './routes/odds.ts'

export function createRoutes(options: {
  readonly sink: FeedSink
  readonly ingestToken: string | null
  readonly clock: () => number
}): readonly Route[] {
  const { sink, ingestToken, clock } = options
  return [
    health,
    listOdds,
    compareOdds,
    listEvents,
    getEvent,
    createIngest(sink, ingestToken, clock),
  ]
}
