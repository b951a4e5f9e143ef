/** The history routes and `as_of` over an archive that the archiver has filled from a simulated evening. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { createCursors } from '../../api/ask/cursor.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { compareOdds } from '../../api/routes/comparison.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import type { ReadRoute } from '../../api/routes/route.ts'
import type { BoardRecord } from '../../schemas/feed-record.ts'
import { priceChange } from '../../schemas/price-change.ts'
import { simulateHistory } from '../oracle/simulated-history.ts'
import {
  changelogOf,
  changesIn,
  type FilledArchive,
  fillArchive,
} from '../pipeline/archive/filled-archive.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'
import { createSmallBoard } from './small-board.ts'

const { records } = simulateHistory({
  seed: 8,
  events: 14,
  changesPerSecond: 30,
  books: ['pinnacle', 'draftkings', 'betmgm', 'bovada', 'kalshi'],
  repeated: 0.02,
  overtaken: 0,
})
const changelog = changelogOf(records)
const changes = changesIn(changelog)
const startedAt = Date.parse('2026-05-02T18:00:00Z')
const sports = 'soccer,baseball,basketball,hockey,football,tennis,mma'

/** Instants within the minutes of trading and within the evening. */
const instants = [30_500, 100_500, 3_600_500, 6_000_500].map((ms) => startedAt + ms)

/** The board of a processor that has stopped at an instant. */
function boardAt(at: number) {
  const stopped = records.findIndex(({ observedAt }) => observedAt > at)
  const board = createSmallBoard()
  board.take(changelogOf(records.slice(0, stopped)))
  return board
}

/** What the archive does not keep. */
function comparable(body: { data: unknown; meta: Record<string, unknown> }): unknown {
  const unkept = new Set(['last_seen_at', 'timestamp', 'odds_changed_at', 'books_available'])
  return JSON.parse(JSON.stringify(body.data, (name, value) => (unkept.has(name) ? 0 : value)))
}

describe('the history of prices', () => {
  let filled: FilledArchive
  let service: InProcess
  beforeAll(async () => {
    filled = await fillArchive(changelog)
    service = await startInProcess({ archive: createArchiveAccess(filled.archive) })
  }, 120_000)
  afterAll(async () => {
    await service?.close()
    await filled?.close()
  })

  const asOf = (at: number) => `as_of=${new Date(at).toISOString()}`

  describe('the board as it was', () => {
    it.each(instants)('is that of a processor that stopped at %d, row for row', async (at) => {
      const board = boardAt(at)
      const route = createOddsRoute(createCursors('a secret'))
      let count = 0
      for (let offset = 0; offset <= 400; offset += 200) {
        const query = `sport=${sports}&limit=200&offset=${offset}`
        const there = board.get(route, query)
        const here = await service.get(`/odds?${query}&${asOf(at)}`)
        expect(here.status).toBe(200)
        expect(comparable(here.body)).toEqual(comparable(there))
        expect(here.body.pagination.total).toBe(there.pagination.total)
        count += here.body.data.length
      }
      expect(count).toBeGreaterThan(300)
    })
  })
})
