/**
 * Whether each sportsbook's sources are up, and who may see it: a failed fetch and an empty snapshot are different
 * facts.
 */

import { isOutdated, type SportsbookStatus } from '../../schemas/sportsbook-status.ts'
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
      isOwnersOnly: (sportsbook) => known.get(sportsbook)?.audience === 'owner',
      take: {
        book_status({ sportsbook, status, observedAt, audience: stated }, partition) {
          const before = known.get(sportsbook)
          const audience = stated ?? before?.audience ?? 'all'
          const isSame = before?.status === status
          if (isOutdated(observedAt, before)) return
          if (isSame && before.audience === audience) return
          const since = isSame ? before.since : observedAt
          const value: SportsbookStatus = { sportsbook, status, since, audience }
          known.set(sportsbook, value)
          // Each partition has its own row, to be restored from.
          const topic = topics.sportsbookStatus
          emit({ topic, partitionKey: partition, key: sportsbook, value })
        },
      },
    }
  },
}
