/** Sends `source:status` when a source changes state: to clients of every channel, for the sportsbooks they see. */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { SourcesView } from '../../../pipeline/views/sources/sources-view.ts'
import type { SourceRow } from '../../../schemas/source.ts'
import { type Scope, seesSportsbook } from '../../access/scope.ts'
import type { Client } from '../delivery/channel.ts'
import { isOpen } from '../delivery/client.ts'
import type { Delivery } from '../delivery/delivery.ts'

export function createSourceNews(options: {
  readonly sources: SourcesView
  readonly clients: Iterable<Client>
  readonly delivery: Delivery
}) {
  const { sources, clients, delivery } = options
  return {
    /** @param time epoch ms */
    tick(time: number) {
      for (const row of sources.takeTurns(time)) {
        for (const client of clients) {
          const { query, phase } = client
          const hasBegun = phase.kind === 'live' || phase.kind === 'behind'
          if (!query || !hasBegun || !isOpen(client)) continue
          const news = seenBy(query.scope, row)
          if (news) delivery.sendMessage(client, 'source:status', news)
        }
      }
    },
  }
}

/** Returns the message for a scope; null if it sees none of the source's sportsbooks. */
function seenBy(scope: Scope, row: SourceRow): object | null {
  if (row.audience === 'owner' && !scope.isOwner) return null
  const sportsbooks = row.sportsbooks.filter((sportsbook) => seesSportsbook(scope, sportsbook))
  if (sportsbooks.length === 0) return null
  const { source, state, since } = row
  return { source, state, since: isoTime(since), sportsbooks }
}
