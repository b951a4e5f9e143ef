/** After any history of statements, no response prices an event that is over. All agree on its status. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCursors } from '../../api/ask/cursor.ts'
import { createBestRoute } from '../../api/routes/best.ts'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { listEventOdds } from '../../api/routes/event-odds.ts'
import { createEventRoute, createEventsRoute } from '../../api/routes/events.ts'
import { createOddsRoute } from '../../api/routes/odds.ts'
import type { LogRecord } from '../../pipeline/log/log.ts'
import { isOpen, isOver } from '../../pipeline/rules/games/event-end.ts'
import { createRealBoard } from '../oracle/real-board.ts'
import { histories } from '../oracle/statements.ts'
import { createSmallBoard } from './small-board.ts'

type Item = {
  readonly id: string
  readonly event_id: string
  readonly status: string
  readonly event_status?: string
}

describe('every answer', () => {
  it('agrees on the status of an event, and none prices one that is over', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(histories, ({ records }) => {
        const real = createRealBoard({ sharpChain: ['pinnacle'] })
        const shown = createSmallBoard()
        for (let from = 0; from < records.length; from += 5) {
          const changes = real.take(records.slice(from, from + 5))
          const chunk = changes.map((change) => ({ ...change, partition: 0, offset: 0 }))
          shown.board.apply(chunk as LogRecord[], { epoch: 'e', offsets: {} }, from)
          check(real, shown, seen)
        }
      }),
      { numRuns: 40 },
    )
    for (const status of ['upcoming', 'live', 'final', 'postponed', 'cancelled']) {
      expect(seen.get(status), status).toBeGreaterThan(0)
    }
  })
})

const listOdds = createOddsRoute(createCursors('a secret'))
const listEvents = createEventsRoute(createCursors('a secret'), () => 0)
const getEvent = createEventRoute(() => 0)
const best = createBestRoute(() => 0)
const compareOdds = createComparisonRoute(() => 0)

function check(
  { tables }: ReturnType<typeof createRealBoard>,
  shown: ReturnType<typeof createSmallBoard>,
  seen: Map<string, number>,
) {
  const list: Item[] = shown.get(listEvents).data
  const priced = new Set<string>(
    [...shown.get(listOdds, 'limit=200').data, ...shown.get(best, 'limit=200').data].map(
      (row: Item) => row.event_id,
    ),
  )
  for (const { id, status } of tables.events.values()) {
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const path = { path: { eventId: id } }
    expect(shown.get(getEvent, '', path).data.status).toBe(status)
    const compared = shown.get(compareOdds, `event=${id}`).data
    expect(compared.status).toBe(status)
    const listed = list.find((item) => item.id === id)
    if (listed) {
      expect(listed.event_status).toBe(status)
      expect(listed.status).toBe(status === 'live' ? 'live' : 'upcoming')
    }
    if (!isOver(status)) continue
    expect(listed).toBeUndefined()
    expect(priced.has(id)).toBe(false)
    expect(compared.markets).toEqual([])
    expect(shown.get(listEventOdds, '', path).data).toEqual([])
  }
  for (const { eventId } of tables.opportunities.values()) {
    expect(isOpen(tables.events.get(eventId)!.status)).toBe(true)
  }
}
