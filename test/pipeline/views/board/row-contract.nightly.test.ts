/** A stored row, against an independent implementation of the contract. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createBlock,
  type Selection,
  type Sighted,
} from '../../../../pipeline/views/board/block.ts'
import { createOddsRows } from '../../../../pipeline/views/board/odds-rows.ts'
import { eventTexts, rowHead, sportsbookText } from '../../../../pipeline/views/board/row-text.ts'
import { attributeList, noAttributes } from '../../../../schemas/attributes.ts'
import type { EventRow } from '../../../../schemas/event.ts'
import { exampleOdds, oddsDelta, oddsItem } from '../../../../schemas/http/odds.ts'
import { oddsFields } from '../../../../schemas/http/odds-columns.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { withheldReasons } from '../../../../schemas/withheld-price.ts'
import { anyAttributes } from '../../../attribute-values.ts'
import { american, shownChance } from '../naive-board.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.constantFrom('"', '\\', 'Zoë "Q" 東京 🔥', 'x'.repeat(300), '\u2028'),
)
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const at = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
const line = fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)

const standing = fc.record({
  id: fc.integer({ min: 1e14, max: 1e15 - 1 }),
  sportsbook: text,
  sportsbookName: text,
  isLinked: fc.boolean(),
  eventId: text,
  sport: text,
  league: text,
  homeTeam: text,
  awayTeam: text,
  startsAt: at,
  marketType: text,
  selection: text,
  selectionType: text,
  line: orNull(line),
  playerName: orNull(text),
  statCategory: orNull(text),
})
type Standing = typeof standing extends fc.Arbitrary<infer Value> ? Value : never

const moving = fc
  .tuple(
    fc.record({
      price: fc.oneof(
        fc.constantFrom(1.001, 1.5, 2, 1.9090909090909092, 1e6),
        fc.double({ min: 1.001, max: 1_000, noNaN: true }),
      ),
      changedAt: orNull(at),
      isLive: fc.boolean(),
      isActive: fc.boolean(),
    }),
    anyAttributes,
    orNull(fc.constantFrom(...withheldReasons)),
  )
  .map(([state, attributes, withheld]) => ({ ...state, ...attributes, withheld }))
type Moving = typeof moving extends fc.Arbitrary<infer Value> ? Value : never

const iso = (instant: number) => new Date(instant).toISOString()

/** Three places; below 1.01 six, never above the price. */
function decimal(price: number): number {
  if (price >= 1.01) return Number(price.toFixed(3))
  const nearest = Number(price.toFixed(6))
  return nearest > price ? Number((nearest - 1e-6).toFixed(6)) : nearest
}

/** Returns the changing fields, in the order of interface 2.1. */
function movingJson(row: Moving, lastSeenAt: number): object {
  const { price, changedAt, isLive, isActive } = row
  const probability = shownChance(price)
  return {
    last_seen_at: iso(lastSeenAt),
    timestamp: iso(lastSeenAt),
    odds_changed_at: changedAt === null ? null : iso(changedAt),
    odds_american: american(price),
    odds_decimal: decimal(price),
    odds_probability: probability,
    probability,
    is_live: isLive,
    is_active: isActive,
    status: isLive ? 'live' : 'upcoming',
    ...Object.fromEntries(
      attributeList.flatMap(([name, { json, shown }]) =>
        shown && row[name] !== null ? [[json, row[name]]] : [],
      ),
    ),
    ...(row.withheld !== null && { withheld: row.withheld }),
  }
}

const rowJson = (of: Standing, row: Moving, lastSeenAt: number): object => ({
  id: String(of.id),
  sportsbook: of.sportsbook,
  sportsbook_name: of.sportsbookName,
  event_id: of.eventId,
  sport: of.sport,
  league: of.league,
  home_team: of.homeTeam,
  away_team: of.awayTeam,
  market_type: of.marketType,
  selection: of.selection,
  selection_type: of.selectionType,
  line: of.line,
  event_start_time: iso(of.startsAt),
  ...(of.playerName !== null && { player_name: of.playerName }),
  ...(of.isLinked && { deep_link: `/api/v1/deeplink/${of.id}` }),
  ...(of.statCategory !== null && { stat_category: of.statCategory }),
  ...movingJson(row, lastSeenAt),
})

/** Creates a store with only this row. */
function store(of: Standing, row: Moving, lastSeenAt: number) {
  const event = { ...of, id: of.eventId } as unknown as EventRow
  const head = rowHead({
    ...of,
    link: of.isLinked ? `/api/v1/deeplink/${of.id}` : null,
    sportsbook: sportsbookText({ sportsbook: of.sportsbook, name: of.sportsbookName }),
    event: eventTexts(event),
  })
  const rows = createOddsRows(
    (a, b) => a - b,
    (some) => some.map(() => head),
  )
  const block = createBlock(of.marketType)
  const { selection: label, selectionType, playerName } = of
  const selection = { label, selectionType, line: of.line, playerName, rowCount: 0, number: 0 }
  const list: Sighted = { book: 0, lastSeenAt, head: -1, rowCount: 0, number: 0 }
  const odds = (moving: Moving) => ({ ...of, ...moving }) as unknown as OddsRow
  const number = rows.insert(of.id, block, selection as Selection, list, odds(row))
  rows.settle()
  rows.judge(number, row.withheld)
  const into = Buffer.alloc(16_384)
  return {
    update(next: Moving) {
      expect(rows.update(number, odds(next))).toBe(true)
      rows.judge(number, next.withheld)
      expect(rows.withheld(number)).toBe(next.withheld)
    },
    sight: (instant: number) => rows.sight(list, instant),
    source: () => rows.source(number),
    /** Returns the text without the comma before and the blanks after it. */
    text: () => into.toString('utf8', 1, rows.copyText(block, 0, 1, into, 0)).trimEnd(),
    /** Returns the row's content in a delta. */
    delta() {
      const length = rows.copyTail(number, into, 0)
      expect(length).toBe(rows.tailBytes(number))
      const head = `{"id":"${of.id}","line":${of.line},${rows.goneText(number)}`
      return JSON.parse(head + into.toString('utf8', 0, length)) as Record<string, unknown>
    },
  }
}

describe('a row of odds', () => {
  it('is stored as JSON.stringify writes its contract, however often it has moved', () => {
    fc.assert(
      fc.property(standing, fc.array(fc.tuple(moving, at), { minLength: 1 }), (of, moves) => {
        const [[first, seenAt]] = moves as [[Moving, number]]
        const row = store(of, first, seenAt)
        for (const [next, instant] of moves) {
          row.update(next)
          row.sight(instant)
          expect(row.text()).toBe(JSON.stringify(rowJson(of, next, instant)))
          for (const [name, { shown }] of attributeList) {
            if (!shown) expect(row.source()).toMatchObject({ [name]: next[name] })
          }
        }
      }),
    )
  })

  it('equals the result of its deltas, null fields left out', () => {
    fc.assert(
      fc.property(standing, moving, fc.array(fc.tuple(moving, at)), (of, first, moves) => {
        const row = store(of, first, 0)
        let merged = JSON.parse(row.text()) as Record<string, unknown>
        for (const [next, instant] of moves) {
          row.update(next)
          row.sight(instant)
          merged = { ...merged, ...row.delta() }
          for (const [, { json, shown }] of attributeList) {
            if (shown && merged[json] === null) delete merged[json]
          }
          if (merged.withheld === null) delete merged.withheld
          expect(merged).toEqual(rowJson(of, next, instant))
        }
      }),
    )
  })

  it('has exactly the fields of its contract, in the order of the columns', () => {
    const [of] = fc.sample(standing, { numRuns: 1, seed: 3 }) as [Standing]
    const all = { ...of, playerName: 'p', statCategory: 's', isLinked: true }
    const values = { number: 1, flag: true, text: 't', link: 'https://example.com' }
    const stated = attributeList.map(([name, { kind }]) => [name, values[kind]])
    const moves = { price: 2, changedAt: 1, isLive: true, isActive: true }
    const state = { ...moves, withheld: 'swapped' as const }
    const row = store(all, { ...state, ...noAttributes, ...Object.fromEntries(stated) }, 0)
    const shown = JSON.parse(row.text()) as Record<string, unknown>
    expect(Object.keys(shown)).toEqual(oddsFields)
    expect(Object.keys(oddsItem.shape)).toEqual(oddsFields)
    expect(oddsItem.parse(shown)).toEqual(shown)
    expect(oddsDelta.parse(row.delta())).toEqual(row.delta())
    expect(Object.keys(row.delta()).sort()).toEqual(Object.keys(oddsDelta.shape).sort())
    row.update({ ...state, ...noAttributes })
    expect(oddsDelta.parse(row.delta())).toEqual(row.delta())
  })

  it('has an example that is a row', () => {
    expect(oddsItem.strict().parse(exampleOdds)).toEqual(exampleOdds)
    expect(Object.keys(exampleOdds)).toEqual(oddsFields.filter((field) => field in exampleOdds))
  })
})
