/** The topics and groups of the log that each role works with. `overround topics` grants no more than these. */

import { type Topic, topics } from '../../schemas/topics.ts'
import { archivedTopics, archiveGroup } from '../archive/archiver.ts'
import type { Role } from '../log/log.ts'
import { serviceProcessor } from '../processors/service-processor.ts'

/** Tables that an API process writes at the request of a client or the operator. */
const writtenByApi: readonly Topic[] = [
  topics.accounts,
  topics.usage,
  topics.apiProcesses,
  topics.bets,
  topics.alerts,
  topics.alertDeliveries,
  topics.profiles,
  topics.feedAliases,
  topics.sourcePauses,
  topics.addedSources,
]

const apiOnly: readonly Topic[] = [
  topics.accounts,
  topics.bets,
  topics.alerts,
  topics.alertDeliveries,
  topics.profiles,
  topics.apiProcesses,
]

/** Topics of feeds, which `POST /ingest` writes too. */
const ingested: readonly Topic[] = [
  topics.feedOdds,
  topics.feedGameState,
  topics.feedSplits,
  topics.feedRejected,
]

/** The group whose members share the feeds and the clock: each has one holder, however many pipelines run. */
export const holdersGroup = 'feeds'

/** The group whose members share the alerts: one API process decides and sends them. */
export const alertsGroup = 'alerts'

const { name: boardGroup } = serviceProcessor([])
const all: readonly Topic[] = Object.values(topics)

/** The roles; a standalone process on a cluster has both. */
export const roles: readonly Role[] = [
  {
    name: 'pipeline',
    // It reads usage for the archive, and no other table of the API.
    reads: all.filter((topic) => !apiOnly.includes(topic)),
    writes: all.filter((topic) => !writtenByApi.includes(topic)),
    joins: [boardGroup, holdersGroup, archiveGroup],
    watches: [],
  },
  {
    name: 'api',
    // It builds its views from tables only. It also reads how far the archive is behind the log.
    reads: all.filter(
      (topic) => topic.retention === 'compacted' || archivedTopics.includes(topic as never),
    ),
    writes: [...writtenByApi, ...ingested],
    joins: [alertsGroup],
    // To know whether the close of a bet is in the archive, and how far pipelines are behind.
    watches: [archiveGroup, boardGroup],
  },
]
