/** Main lines kept while prices move, against those of a board that is looked at anew. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import { bookMask } from '../../../../pipeline/views/query/compiled-filter.ts'
import { createKeptMainLines } from '../../../../pipeline/views/query/kept-main-lines.ts'
import {
  announcements,
  anyLadderOp,
  anyStep,
  changelog,
  createBoardPair,
  type Op,
  sportsbooks,
} from '../histories.ts'

const anyMoment = fc.record({
  step: anyStep({ resets: true, op: anyLadderOp }),
  /** Steps done ahead at this moment, of a pass that begins where none is under way. */
  steps: fc.nat(4),
  isAsked: fc.boolean(),
})

/** All sportsbooks are known before the first is asked for. */
const oneOfEach = sportsbooks.map(
  (_, book): Op => ({
    op: 'odds',
    fixture: 0,
    book,
    answer: 3,
    price: 2,
    changed: false,
    isLive: false,
    isActive: true,
    at: 0,
  }),
)

it('says of every price what a board looked at anew says, whatever was done ahead', () => {
  fc.assert(
    fc.property(
      fc.array(anyMoment, { minLength: 5, maxLength: 40 }),
      fc.constantFrom(undefined, sportsbooks.slice(0, 2)),
      (moments, allowed) => {
        const board = createBoardPair()
        const { view, naive } = board
        board.take(announcements())
        board.take(changelog(oneOfEach, naive))
        const mask = allowed && bookMask(view, allowed)
        const kept = createKeptMainLines(view, mask, 3)
        let ahead: Iterator<void> | null = null
        for (const { step, steps, isAsked } of moments) {
          board.step(step)
          ahead ??= steps > 0 ? kept.ahead() : null
          for (let i = 0; ahead && i < steps; i++) if (ahead.next().done) ahead = null
          if (isAsked) expect(mainRows(view, kept.marks(), mask)).toEqual(naiveMainRows())
        }
        expect(mainRows(view, kept.marks(), mask)).toEqual(naiveMainRows())

        function naiveMainRows() {
          const filter = { mainLine: true, lineSportsbooks: allowed }
          return naive
            .matching(filter)
            .map(({ odds }) => odds.id)
            .sort()
        }
      },
    ),
    { numRuns: 50 },
  )
})

/** Rows of the sportsbooks that count: those of others have no main line by themselves. */
function mainRows({ rows }: BoardView, marks: Uint8Array, mask: Uint8Array | undefined): number[] {
  const { listOf, lists, selections, end } = rows.columns
  const ids: number[] = []
  for (let row = 0; row < end; row++) {
    const list = listOf[lists[row]!]
    if (!list || (mask && mask[list.book] !== 1)) continue
    if (marks[selections[row]!] === 1) ids.push(rows.id(row))
  }
  return ids.sort()
}
