import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageBuffer } from '../../../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import { createShownRows, writeOddsPage } from '../../../../pipeline/views/query/odds-page.ts'
import {
  type OddsSort,
  sortFields,
  writeSortedOdds,
} from '../../../../pipeline/views/query/sorted-odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import {
  announcements,
  anyFilter,
  anyOp,
  anyStep,
  changelog,
  createBoardPair,
  recordOf,
} from '../histories.ts'
import { logRecord, walk } from '../naive-board.ts'

interface Question {
  readonly filter: OddsFilter
  readonly limit: number
  readonly offset: number
  readonly sort: OddsSort | undefined
}

const anyQuestion: fc.Arbitrary<Question> = fc.record({
  filter: anyFilter,
  limit: fc.integer({ min: 1, max: 30 }),
  offset: fc.nat(10),
  sort: fc.option(fc.record({ field: fc.constantFrom(...sortFields), descending: fc.boolean() }), {
    nil: undefined,
  }),
})

const buffer = createPageBuffer()

/** Compares some hundred thousand times, for which `expect` alone would take most of the time. */
function expectSame(actual: unknown, expected: unknown) {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

/** Returns the exact page and its tag. Reading without copying must give the same tag. */
function tagged(view: BoardView, { filter, limit, offset, sort }: Question) {
  const range = { limit, offset }
  const read = (into: typeof buffer | null) =>
    sort
      ? writeSortedOdds(view, filter, sort, range, into)
      : writeOddsPage(view, filter, range, into)
  buffer.length = 0
  const { total, hasMore, content, ...page } = read(buffer)
  const tag = content.digest()
  const looked = read(null)
  expectSame(looked.content.digest(), tag)
  expectSame({ ...looked, content: null }, { ...page, total, hasMore, content: null })
  const rows = buffer.bytes.toString('utf8', 0, buffer.length)
  return { tag, bytes: JSON.stringify([rows, total, hasMore]) }
}

describe('the tag of a page', () => {
  it('is the same for the same bytes and another for other bytes', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep({ resets: true }), { minLength: 5, maxLength: 30 }),
        fc.array(anyQuestion, { minLength: 6, maxLength: 6 }),
        (history, questions) => {
          const { view, take, step } = createBoardPair()
          const tagOf = new Map<string, string>()
          const bytesOf = new Map<string, string>()
          take(announcements())
          for (const each of history) {
            step(each)
            for (const question of questions) {
              const { tag, bytes } = tagged(view, question)
              expectSame(bytesOf.get(tag) ?? bytes, bytes)
              expectSame(tagOf.get(bytes) ?? tag, tag)
              bytesOf.set(tag, bytes)
              tagOf.set(bytes, tag)
            }
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('changes with every field of a row', () => {
    const first = {
      op: 'odds',
      fixture: 0,
      book: 0,
      answer: 12,
      price: 2.5,
      changed: true,
      isLive: false,
      isActive: true,
      at: 0,
    } as const
    const { view, take } = createBoardPair()
    take([...announcements(), recordOf(first)])
    const tags = new Set<string>()
    let states = 0
    const look = () => {
      tags.add(tagged(view, { filter: {}, limit: 5, offset: 0, sort: undefined }).tag)
      states++
    }
    look()
    for (const changes of [
      { price: 2.501 },
      { changed: false },
      { at: 1 },
      { isLive: true },
      { isActive: false },
      { attributes: { maxBet: 0 } },
      { attributes: { maxBet: 500 } },
      { attributes: { publicBetPct: 0 } },
      { attributes: { publicBetPct: 0.37 } },
    ]) {
      take([recordOf({ ...first, ...changes })])
      look()
    }
    take([
      recordOf({ op: 'sighting', fixture: 0, book: 0, at: 5, externalId: null }),
      recordOf(first),
    ])
    look()
    const event = { op: 'event', fixture: 0, day: 0, flipped: false, rename: false, isLive: false }
    for (const changes of [{ day: 1 }, { rename: true }, { flipped: true }]) {
      take([recordOf({ ...event, ...changes } as Parameters<typeof recordOf>[0])])
      look()
    }
    expect(tags.size).toBe(states)
  })
})

describe('the rows of a page', () => {
  it('stay valid only while its bytes are the same, whatever its filter', () => {
    let stood = 0
    let fell = 0
    fc.assert(
      fc.property(
        fc.array(anyOp(), { minLength: 80, maxLength: 160 }),
        fc.array(anyQuestion, { minLength: 10, maxLength: 10 }),
        (ops, questions) => {
          const { view, naive, take } = createBoardPair()
          take(announcements())
          for (const op of ops.slice(0, 60)) take(changelog([op], naive))
          const kept = questions.map(({ filter: asked, limit, offset }, i) => {
            const { sportsbooks, sports, leagues, marketTypes, live, mainLine, lineSet } = asked
            const counted = { sportsbooks, sports, leagues, marketTypes, live, mainLine, lineSet }
            const filters = [asked, { ...counted, mainLine: undefined, live: undefined }, counted]
            const filter = filters[i % filters.length]!
            const shown = createShownRows(view, () => filter)
            const read = () => {
              buffer.length = 0
              const { total, hasMore } = writeOddsPage(
                view,
                filter,
                { limit, offset },
                buffer,
                shown,
              )
              return JSON.stringify([
                buffer.bytes.toString('utf8', 0, buffer.length),
                total,
                hasMore,
              ])
            }
            return { shown, read, text: read(), question: { filter, limit, offset } }
          })
          for (const op of ops.slice(60)) {
            take(changelog([op], naive))
            for (const page of kept) {
              const { shown, question } = page
              if (shown.stand()) {
                stood++
                expectSame(page.text, tagged(view, { ...question, sort: undefined }).bytes)
              } else {
                fell++
                page.text = page.read()
                expectSame(page.text, tagged(view, { ...question, sort: undefined }).bytes)
              }
            }
          }
        },
      ),
      { numRuns: 40, endOnFailure: true },
    )
    expect(stood).toBeGreaterThan(1_000)
    expect(fell).toBeGreaterThan(1_000)
  })
})

describe('two views of one board', () => {
  it('have the same bytes however their records were cut into batches', () => {
    fc.assert(
      fc.property(fc.array(anyOp(), { maxLength: 150 }), anyQuestion, (ops, question) => {
        const [slow, fast] = [createBoardPair(), createBoardPair()]
        slow.take(announcements())
        const records = [...announcements()]
        for (const op of ops) {
          const step = changelog([op], slow.naive)
          slow.take(step)
          records.push(...step)
        }
        fast.take(records)
        expect(tagged(fast.view, question)).toEqual(tagged(slow.view, question))
      }),
      { numRuns: 20 },
    )
  })

  it('have the same bytes, and the same tags, whenever they were first requested', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyOp(), fc.boolean()), { minLength: 20, maxLength: 100 }),
        anyQuestion,
        (steps, question) => {
          const [asked, unasked, fresh] = [createBoardPair(), createBoardPair(), createBoardPair()]
          asked.take(announcements())
          unasked.take(announcements())
          for (const [op, isAsked] of steps) {
            const records = changelog([op], asked.naive)
            asked.take(records)
            unasked.take(records)
            if (isAsked) walk(asked.view, {}, 200)
          }
          // A view that started later reads only the newest row of each key.
          const rows = asked.naive.rows()
          fresh.take([
            ...rows.map(({ event }) => logRecord(topics.events, event.id, event)),
            ...rows.map(({ odds, lastSeenAt }) =>
              logRecord(topics.odds, String(odds.id), { ...odds, observedAt: lastSeenAt }),
            ),
            ...asked.naive.mainLineRecords(),
          ])
          const all = { filter: {}, limit: 200, offset: 0, sort: undefined }
          for (const each of [all, question]) {
            const told = tagged(asked.view, each)
            expectSame(tagged(unasked.view, each), told)
            expectSame(tagged(fresh.view, each), told)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})
