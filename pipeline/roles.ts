/** What of the log each role works with; a cluster that asks has to let it, and needs to let it no more. */

import { type Topic, topics } from '../schemas/topics.ts'
import { archiveGroup } from './archive/archiver.ts'
import { serviceProcessor } from './processors/service-processor.ts'

/** A kind of process, and what of the log it works with. */
export interface Role {
  readonly name: string
  readonly reads: readonly Topic[]
  readonly writes: readonly Topic[]
  /** Groups it joins and commits for. */
  readonly joins: readonly string[]
  /** Groups whose progress it asks for. */
  readonly watches: readonly string[]
}

/** What people tell an API process and it tells the others, by the log. */
const toldToApi: readonly Topic[] = [
  topics.accounts,
  topics.usage,
  topics.apiProcesses,
  topics.bets,
  topics.feedAliases,
  topics.sourcePauses,
]

const apiOnly: readonly Topic[] = [topics.accounts, topics.bets, topics.apiProcesses]

/** What `POST /ingest` brings in, as feeds do. */
const ingested: readonly Topic[] = [
  topics.feedOdds,
  topics.feedGameState,
  topics.feedSplits,
  topics.feedRejected,
]

/** The group whose members share the feeds and the clock: of each there is one, however many pipelines. */
export const holdersGroup = 'feeds'

const { name: boardGroup } = serviceProcessor([])
const all: readonly Topic[] = Object.values(topics)

/** A standalone process on a cluster is both. */
export const roles: readonly Role[] = [
  {
    name: 'pipeline',
    // Usage goes to the archive; what else is the API's is none of its business.
    reads: all.filter((topic) => !apiOnly.includes(topic)),
    writes: all.filter((topic) => !toldToApi.includes(topic)),
    joins: [boardGroup, holdersGroup, archiveGroup],
    watches: [],
  },
  {
    name: 'api',
    // Views are made of tables alone.
    reads: all.filter(({ retention }) => retention === 'compacted'),
    writes: [...toldToApi, ...ingested],
    joins: [],
    // Whether the close of a bet is in the archive yet, and how far the pipelines are behind.
    watches: [archiveGroup, boardGroup],
  },
]
