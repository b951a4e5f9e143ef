import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { createShownRows, writeOddsPage } from '../../../../pipeline/views/query/odds-page.ts'
import { announcements, changelog, createBoardPair, type Op } from '../histories.ts'

const odds = (fixture: number, change: Partial<Extract<Op, { op: 'odds' }>> = {}): Op => ({
  op: 'odds',
  fixture,
  book: 0,
  answer: 0,
  price: 2,
  changed: true,
  isLive: false,
  isActive: true,
  at: 0,
  ...change,
})

const game = { op: 'event', flipped: false, rename: false, isLive: false } as const

/** Returns the page with the first game's only price, on a board of two games. */
function shownPage(filter: OddsFilter, range = { limit: 1, offset: 0 }) {
  const { view, naive, take } = createBoardPair()
  const apply = (...ops: readonly Op[]) => take(changelog(ops, naive))
  take(announcements())
  apply({ ...game, fixture: 3, day: 0 }, { ...game, fixture: 4, day: 1 }, odds(3), odds(4))
  apply(odds(4, { answer: 7 }), odds(4, { answer: 19 }))
  const shown = createShownRows(view, () => filter)
  /** Reads the page with the rows that it had before, or without knowing them. */
  const read = (known?: typeof shown) => {
    const page = createPageBuffer()
    const { content, books, ...said } = writeOddsPage(view, filter, range, page, known)
    const bytes = page.bytes.toString('utf8', 0, page.length)
    return { ...said, bytes, tag: content.digest(), books: [...books] }
  }
  read(shown)
  return { apply, stands: () => shown.stand(), again: () => read(shown), anew: () => read() }
}

describe('a page of odds', () => {
  it.each([
    ['moves', { price: 3, at: 1_000 }],
    ['goes live', { isLive: true, at: 1_000 }],
  ])('stays valid when a price of another page %s', (_, change) => {
    const { apply, stands } = shownPage({ leagues: ['nba'] })
    apply(odds(4, change))
    expect(stands()).toBe(true)
  })

  it('stays valid when the main line of another page moves', () => {
    const { apply, stands } = shownPage({ leagues: ['nba'], sportsbooks: ['draftkings'] })
    apply({ op: 'mainLine', fixture: 4, answer: 7, isLive: false, lines: [7, 7, 7, 7, 7], own: [] })
    expect(stands()).toBe(true)
  })

  it.each([
    ['its price moves', {}, odds(3, { price: 3, at: 1_000 })],
    ['a row comes to its filter', {}, odds(4, { answer: 1 })],
    [
      'another row goes live and it asks for games before their start',
      { live: false },
      odds(4, { isLive: true }),
    ],
  ])('becomes invalid when %s', (_, filter, op) => {
    const { apply, stands } = shownPage(filter)
    apply(op)
    expect(stands()).toBe(false)
  })

  it.each([
    ['its price moves', {}, [odds(3, { price: 3, at: 1_000 })], true],
    ['another price moves', {}, [odds(4, { price: 3, at: 1_000 })], true],
    ['a row comes before it', {}, [odds(3, { book: 3 })], false],
    ['its row leaves', {}, [{ op: 'oddsGone', fixture: 3, book: 0, answer: 0 }], false],
    ['its game moves behind the other', {}, [{ ...game, fixture: 3, day: 2 }], false],
    ['its row leaves its filter', { live: false }, [odds(3, { isLive: true })], false],
  ] satisfies [string, OddsFilter, Op[], boolean][])(
    'is made again like a new one when %s',
    (_, filter, ops, hasSameRows) => {
      const { apply, again, anew } = shownPage(filter)
      apply(...ops)
      const { kept, ...page } = again()
      expect(page).toEqual(anew())
      expect(kept !== undefined).toBe(hasSameRows)
    },
  )
})
