/** Price updates of streams, held against the naive board after every tick, for any filter of `/odds`. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestedOdds } from '../../api/ask/odds-filter.ts'
import {
  createOddsNewsFinder,
  type OddsNews,
  type OddsNewsFinder,
} from '../../api/stream/channels/odds/odds-news.ts'
import { createQueryIndex } from '../../api/stream/channels/odds/query-index.ts'
import { type OddsTick, oddsTick } from '../../api/stream/timeline/odds-tick.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import {
  announcements,
  anyFilter,
  anyLadderOp,
  anyLineFilter,
  anyOp,
  anyStep,
  createBoardPair,
} from '../pipeline/views/histories.ts'
import { rendered, walk } from '../pipeline/views/naive-board.ts'

type Row = Record<string, unknown>

/** Returns a row without the fields that sightings change. */
const lasting = ({ last_seen_at, timestamp, ...row }: Row) => row

const newsOf = (question: OddsNewsFinder, tick: OddsTick) =>
  question.take(tick, [0, tick.changes.length])

/** Creates a client that reads or pauses, and gets updates as the fan-out sends them. */
function createReader(view: BoardView, question: OddsNewsFinder, filter: OddsFilter, head: number) {
  const rows = new Map<string, Row>()
  let position = head
  let isLive = false

  function apply(news: OddsNews) {
    for (const { rows: told, isWhole, removed } of news.values()) {
      for (const id of removed) rows.delete(String(id))
      for (const [i, row] of told.entries()) {
        const shown = lasting(view.rows.parse(row))
        const id = String(shown.id)
        // A partial row is sent only to clients that have the whole row.
        if (!isWhole[i]) expect([id, rows.has(id)]).toEqual([id, true])
        rows.set(id, shown)
      }
    }
  }

  // The board may be ahead of the updates sent so far.
  for (const row of walk(view, filter, 200)) rows.set(String(row.id), lasting(row))
  return {
    rows,
    take(news: OddsNews, since: number, isReading: boolean) {
      if (isLive && isReading) return apply(news)
      if (isLive) position = since
      isLive = false
    },
    /** Sends all missed rows up to the head, `most` rows at a time. */
    catchUp(most: number) {
      if (isLive) return
      const missed = question.missedSince(position, view.watermark)!
      for (let from = 0; from < missed.length; from += most) {
        apply(question.newsOf(missed.slice(from, from + most)))
      }
      isLive = true
    },
  }
}

describe('readers of the same prices', () => {
  const histories = [
    ['any prices', anyStep({ resets: false, op: anyOp() }), anyFilter],
    ['main lines, or the others', anyStep({ resets: false, op: anyLadderOp }), anyLineFilter],
  ] as const

  it.each(histories)(
    'have exactly %s, whether they read fast or slowly',
    (_name, steps, filters) => {
      fc.assert(
        fc.property(
          fc.array(
            fc.record({
              step: steps,
              /** Changes between a newcomer's snapshot and the tick. */
              later: steps,
              comes: fc.boolean(),
              reads: fc.infiniteStream(fc.boolean()),
              catchesUp: fc.infiniteStream(fc.boolean()),
            }),
            { minLength: 3, maxLength: 15 },
          ),
          filters,
          fc.integer({ min: 1, max: 5 }),
          (history, filter, most) => {
            const { view, naive, take, step } = createBoardPair()
            take(announcements())
            const requested = { filter: () => filter, changesFilter: () => filter }
            const question = createOddsNewsFinder(view, requested as unknown as RequestedOdds)
            const index = createQueryIndex<OddsNewsFinder>(view)
            index.add(question, filter)
            let head = view.watermark
            newsOf(question, oddsTick(view, head)!)
            const readers = [createReader(view, question, filter, head)]
            for (const { step: first, later, comes, reads, catchesUp } of history) {
              step({ ...first, elapsedMs: Math.min(first.elapsedMs, 5_000) })
              if (comes) readers.push(createReader(view, question, filter, head))
              step({ ...later, elapsedMs: Math.min(later.elapsedMs, 5_000) })
              const tick = oddsTick(view, head)!
              const news = newsOf(question, tick)
              if (news.size > 0) expect(index.of(tick).has(question)).toBe(true)
              for (const reader of readers) reader.take(news, head, reads.next().value)
              head = view.watermark
              const expected = new Map(
                naive.matching(filter).map((row) => [String(row.odds.id), lasting(rendered(row))]),
              )
              for (const [i, reader] of readers.entries()) {
                // The first reader always catches up.
                if (i > 0 && !catchesUp.next().value) continue
                reader.catchUp(most)
                expect(reader.rows).toEqual(expected)
              }
            }
          },
        ),
        { numRuns: 80 },
      )
    },
  )
})
