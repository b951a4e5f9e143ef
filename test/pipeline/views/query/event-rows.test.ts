import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer, type PageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import { compile } from '../../../../pipeline/views/query/compiled-filter.ts'
import { writeEventRows } from '../../../../pipeline/views/query/event-rows.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { writeOddsPage } from '../../../../pipeline/views/query/odds-page.ts'
import {
  announcements,
  anyFilter,
  anyStep,
  createBoardPair,
  eventId,
  sportsbooks,
} from '../histories.ts'

const everything = { limit: Number.POSITIVE_INFINITY, offset: 0 }
const textOf = ({ bytes, length }: PageBuffer) => bytes.toString('utf8', 0, length)

describe('the rows of an event', () => {
  it('are those of a page of the event, byte by byte', () => {
    const drawnFilter: fc.Arbitrary<OddsFilter> = fc.oneof(
      anyFilter,
      fc.constant({}),
      fc.constant({ sportsbooks: [sportsbooks[0]] }),
    )
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: false }), { maxLength: 12 }),
        drawnFilter,
        (steps, filter) => {
          const { view, take, step } = createBoardPair()
          take(announcements())
          for (const each of steps) step(each)
          const { eventIds } = filter
          for (let fixture = 0; fixture < 5; fixture++) {
            const event = view.find(eventId(fixture))
            if (!event) continue
            const rows = createPageBuffer()
            const page = createPageBuffer()
            const { count, lastSeenAt } = writeEventRows(compile(view, filter), event, rows)
            const isOfFilter = !eventIds || eventIds.includes(event.id)
            const ofEvent = { ...filter, eventIds: isOfFilter ? [event.id] : [] }
            const paged = writeOddsPage(view, ofEvent, everything, page)
            expect([count, lastSeenAt]).toEqual([paged.count, paged.updatedAt])
            expect(textOf(rows)).toBe(textOf(page))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
