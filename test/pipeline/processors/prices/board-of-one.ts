/** The board of one sportsbook and one game, in a few words: prices in, rows out. */

import { boardProcessor } from '../../../../pipeline/processors/service-processor.ts'
import type { ClosingLine } from '../../../../schemas/closing-line.ts'
import type { FeedMarket, FeedSelection, OddsRecord } from '../../../../schemas/feed-record.ts'
import { oddsId } from '../../../../schemas/ids.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import { oddsIdentityText } from '../../../odds-identity.ts'
import { noon, selection, statement } from '../../../oracle/moneylines.ts'

type Priced = number | 'removed' | 'suspended'
/** Prices by outcome; the line is home's. */
export type Stated = readonly [
  marketType: string,
  line: number | null,
  prices: Readonly<Record<string, Priced>>,
  playerName?: string | undefined,
  /** The draw's own line, if it is another than home's. */
  drawn?: number | null,
  label?: string | null,
]

function toMarket([
  marketType,
  line,
  prices,
  playerName,
  drawn = line,
  label = null,
]: Stated): FeedMarket {
  const selections = Object.entries(prices).map(([selectionType, price]): FeedSelection => {
    const ofSide = line !== null && selectionType === 'away' ? 0 - line : line
    const own = selectionType === 'draw' ? drawn : ofSide
    const stated = { ...selection(selectionType, 2), selection: label, line: own }
    if (typeof price === 'number') return { ...stated, price }
    return { ...stated, price: null, removed: price === 'removed', suspended: price !== 'removed' }
  })
  const [sample] = statement('a', 'Leeds United', 'Brentford', []).markets
  return { ...sample!, marketType, playerName: playerName ?? null, selections }
}

/**
 * Creates a board of one sportsbook and one game, fed one record after the other.
 * @param isReversed whether another sportsbook listed the game before, with its sides reversed
 */
export function board(sport: string, isReversed = false) {
  const processor = boardProcessor()
  const tables = new Map<string, Map<string, unknown>>()
  let state = processor.create(new Map())
  let said = 0
  const record = (topic: unknown, key: string, value: unknown) =>
    ({ topic, key, value, offset: said, timestamp: noon }) as never

  function say(sportsbook: string, mode: 'snapshot' | 'delta', stated: readonly Stated[]) {
    const sides = sportsbook === 'corner_shop' ? ['A. Leeds', 'B. Ford'] : ['B. Ford', 'A. Leeds']
    const base = statement(sportsbook, sides[0]!, sides[1]!, [], { laterMs: ++said })
    const event = { ...base.event, sport, league: `a_${sport}_league` }
    const value: OddsRecord = { ...base, mode, event, markets: stated.map(toMarket) }
    take(record(topics.feedOdds, event.league, value))
  }

  function take(of: ReturnType<typeof record>) {
    for (const change of state.decide([of])) {
      const { name } = change.topic
      const table = tables.get(name) ?? new Map<string, unknown>()
      tables.set(name, table)
      if (change.value === null) table.delete(change.key)
      else table.set(change.key, change.value)
    }
  }

  if (isReversed) say('market_hall', 'snapshot', [['odd_even', null, { odd: 2, even: 2 }]])
  return {
    snapshot: (...stated: readonly Stated[]) => say('corner_shop', 'snapshot', stated),
    delta: (...stated: readonly Stated[]) => say('corner_shop', 'delta', stated),
    /** Continues in another process with these tables. */
    restart() {
      state = processor.create(new Map())
      for (const topic of processor.tables) {
        for (const [key, row] of tables.get(topic.name) ?? [])
          state.restore(record(topic, key, row))
      }
    },
    /** Continues in another process with an earlier build's tables: rows of these types and outcomes. */
    upgrade(kept: readonly (readonly [string, string, number | null, number])[]) {
      const rows = [...(tables.get(topics.odds.name)?.values() ?? [])] as OddsRow[]
      const sample = rows.find(({ sportsbook }) => sportsbook === 'corner_shop')
      const odds = new Map<string, unknown>()
      for (const [marketType, selectionType, line, price] of kept) {
        const selection = selectionType
        const row = { ...sample!, marketType, selectionType, selection, line, price }
        const id = oddsId(oddsIdentityText(row))
        odds.set(String(id), { ...row, id, isFiledByDraw: null })
      }
      tables.set(topics.odds.name, odds)
      this.restart()
    },
    tick: () => take(record(topics.feedOdds, 'tick', { type: 'tick', observedAt: noon + 9_000 })),
    closes: () =>
      ([...(tables.get(topics.closingLines.name)?.values() ?? [])] as ClosingLine[])
        .map(
          ({ marketType, selectionType, missing }) => `${marketType} ${selectionType} ${missing}`,
        )
        .sort(),
    rows: () =>
      ([...(tables.get(topics.odds.name)?.values() ?? [])] as OddsRow[])
        .filter(({ sportsbook }) => sportsbook === 'corner_shop')
        .map((row) => {
          const line = row.line === null ? '' : ` ${row.line}`
          const state = row.isActive ? '' : ' suspended'
          return `${row.marketType} ${row.selectionType}${line} ${row.price}${state}`
        })
        .sort(),
  }
}
