/** The outcome guard on recorded boards: which prices it withholds there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parseReferenceCsv } from '../../../../pipeline/feeds/reference-rows/parse.ts'
import { toAppend } from '../../../../pipeline/feeds/sink.ts'
import { createOutcomeGuard } from '../../../../pipeline/rules/odds/outcome-guard.ts'
import { outcomesOf } from '../../../../pipeline/rules/odds/questions.ts'
import type { BoardRecord } from '../../../../schemas/feed-record.ts'
import { topics } from '../../../../schemas/topics.ts'
import type { WithheldPrice } from '../../../../schemas/withheld-price.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const data = new URL('../../../../../shared/data/', import.meta.url)
const football = new URL('football-data/', data)
const books = 'B365 BW IW PS WH VC 1XB BF BFE BFD BMGM BV CL LB'.split(' ')

describe.skipIf(!existsSync(data))('the outcome guard on real boards (needs ../shared)', () => {
  it('withholds only prices of other questions on the World Cup board', () => {
    const file = new URL('snapshots/sharpapi-sample/argentina_england_2026-07-15_b3.csv', data)
    const board = createRealBoard({ sharpChain: ['pinnacle'] })
    for (const record of parseReferenceCsv(readFileSync(file, 'utf8')).records) {
      board.take([toAppend(record).value as BoardRecord])
    }
    const withheld = [...board.tableOf(topics.withheldPrices).values()].flatMap((value) => {
      const row = board.tables.odds.get(String((value as WithheldPrice).id))!
      if (outcomesOf(row.marketType, 'soccer')) return []
      return [`${row.sportsbook} ${row.marketType} ${row.selectionType} ${row.price}`]
    })
    // At caesars it is the score of the first half, with 0-0 at 3.25 and not at 9.
    expect(withheld.sort()).toEqual([
      'caesars correct_score 2_2 126',
      'caesars correct_score 2_3 801',
      'caesars correct_score 3_1 201',
      'caesars correct_score 3_2 651',
      'thescorebet correct_score 1_1 34',
      'thescorebet correct_score 1_2 751',
      'thescorebet correct_score 2_0 67',
      'thescorebet correct_score 2_1 751',
    ])
  })

  it('withholds no result of a football match, each judged by itself', () => {
    const judgeOutcome = createOutcomeGuard()
    const marks = new Uint8Array(books.length)
    let judged = 0
    for (const name of readdirSync(football).filter((one) => /^[A-Z]+\d_/.test(one))) {
      const rows: Record<string, string>[] = parse(readFileSync(new URL(name, football)), {
        columns: true,
        bom: true,
        relax_column_count: true,
      })
      for (const row of rows) {
        for (const outcome of ['H', 'D', 'A', 'CH', 'CD', 'CA']) {
          const prices = Float64Array.from(books, (book) => Number(row[`${book}${outcome}`]) || 0)
          judged += prices.filter((price) => price > 0).length
          expect(judgeOutcome(prices, books.length, false, marks), name).toBe(false)
        }
      }
    }
    expect(judged).toBeGreaterThan(550_000)
  })
})
