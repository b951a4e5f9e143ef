/** The free tier sees its sportsbooks exactly as they were a minute ago, and nothing newer. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../pipeline/feeds/simulator/random.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import { walk } from '../pipeline/views/naive-board.ts'
import { type SimulatedService, startSimulated } from './simulated-service.ts'

const freeBooks = [...(tierBooks.free ?? [])]

/** Returns every row of the free sportsbooks, with their events and offers. */
function seenBy(board: BoardView): string {
  const rows = walk(board, { sportsbooks: freeBooks }, 200)
  const events = [...new Set(rows.map(({ event_id }) => String(event_id)))].map((id) => {
    const event = board.find(id)!
    const offers = [...event.offers.values()]
      .filter(({ sportsbook, rowCount }) => rowCount > 0 && freeBooks.includes(sportsbook))
      .map(({ sportsbook, externalId, lastSeenAt }) => [sportsbook, externalId, lastSeenAt])
      .sort()
    return [event.row, offers]
  })
  return createHash('sha256')
    .update(JSON.stringify([rows, events]))
    .digest('hex')
}

describe('the free tier', () => {
  let service: SimulatedService
  beforeAll(async () => {
    service = await startSimulated({
      seed: 3,
      events: 12,
      changesPerSecond: 60,
      books: ['pinnacle', 'draftkings', 'fanduel', 'betmgm'],
    })
  })
  afterAll(() => service.close())

  it('equals the full view of a minute before, restricted to its sportsbooks, at 20 random moments', async () => {
    const random = createRandom(7)
    const { live, delayed } = service.boards
    const key = await service.key('free')
    const history = new Map<number, string>()
    const steps = 240
    const moments = new Set<number>()
    while (moments.size < 20) moments.add(61 + random.below(steps - 61))
    for (let second = 0; second < steps; second++) {
      history.set(second, seenBy(live))
      if (moments.has(second)) {
        expect([second, seenBy(delayed)]).toEqual([second, history.get(second - 60)])
        expect(delayed.rows.size).toBeGreaterThan(100)
      }
      service.step(1_000)
    }
    expect(new Set(history.values()).size).toBeGreaterThan(200)

    const { body } = await service.get('/odds?limit=200', key)
    for (const row of body.data) {
      expect(freeBooks).toContain(row.sportsbook)
      expect(Date.parse(row.last_seen_at)).toBeLessThanOrEqual(service.clock() - 60_000)
    }
    expect(body.meta.books_available).toEqual([...freeBooks].sort())
  })
})
