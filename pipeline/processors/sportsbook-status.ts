/** Whether each sportsbook's source is up: a failed fetch and an empty snapshot are different facts. */

import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { topics } from '../../schemas/topics.ts'
import type { EventTable } from './event-tables.ts'

export const sportsbookStatus: EventTable = {
  inputs: [topics.feedOdds],
  tables: [topics.sportsbookStatus],
  create({ emit }) {
    const known = new Map<string, SportsbookStatus>()
    return {
      restore({ key, value }) {
        if (value) known.set(key, value as SportsbookStatus)
      },
      take: {
        book_status({ sportsbook, status, observedAt: since }, partition) {
          const before = known.get(sportsbook)
          if (before && (before.since > since || before.status === status)) return
          const value = { sportsbook, status, since }
          known.set(sportsbook, value)
          // Each partition has a row of its own, to be restored from.
          const topic = topics.sportsbookStatus
          emit({ topic, partitionKey: partition, key: sportsbook, value })
        },
      },
    }
  },
}
