/** The board's handling of markets on the topic with unusual names or contents. */

import { describe, expect, it } from 'vitest'
import { boardProcessor } from '../../../../pipeline/processors/service-processor.ts'
import type { FeedMarket, FeedSelection, OddsRecord } from '../../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import { topics } from '../../../../schemas/topics.ts'
import { noon, selection, statement } from '../../../oracle/moneylines.ts'

const lined = (type: string, line: number | null, price = 1.9): FeedSelection => ({
  ...selection('home', price),
  selectionType: type,
  line,
})
const market = (
  marketType: string,
  selections: readonly FeedSelection[],
  line: number | null = null,
) =>
  ({
    ...statement('a', 'Leeds United', 'Brentford', []).markets[0],
    marketType,
    line,
    playerName: null,
    statCategory: null,
    suspended: false,
    selections,
  }) as FeedMarket

/** Returns the rows of one record, and the counts. */
function decide(sport: string, ...markets: readonly FeedMarket[]) {
  const counts = new Map<string, number>()
  const state = boardProcessor().create(counts)
  const stated = statement('corner_shop', 'Leeds United', 'Brentford', [])
  const event = { ...stated.event, sport, league: `a_${sport}_league` }
  const value: OddsRecord = { ...stated, event, markets }
  const changes = state.decide([
    { topic: topics.feedOdds, value, offset: 0, timestamp: noon, key: event.league } as never,
  ])
  const rows = changes.flatMap(({ topic, value }) =>
    topic === (topics.odds as unknown) && value ? [value as OddsRow] : [],
  )
  return { rows: rows.map((row) => [row.marketType, row.selectionType, row.line]), counts }
}

const sides = (line: number | null) => [
  lined('home', line),
  lined('away', line === null ? null : -line),
]

describe('a record that somebody else put on the topic', () => {
  it.each([
    ['hockey', 'spread', 'puck_line'],
    ['baseball', 'Handicap', 'run_line'],
    ['basketball', 'alternate_spreads', 'point_spread'],
  ])('has our name for its market: %s %s', (sport, name, marketType) => {
    expect(decide(sport, market(name, sides(-1.5))).rows).toEqual([
      [marketType, 'home', -1.5],
      [marketType, 'away', 1.5],
    ])
  })

  it('has a slug for an unknown market, which is counted', () => {
    const { rows, counts } = decide('basketball', market('Largest Lead', [lined('over', 9.5)]))
    expect(rows).toEqual([['largest_lead', 'over', 9.5]])
    expect(counts.get('unlisted_market')).toBe(1)
  })

  it.each([
    ['answer_of_another_market', 'moneyline', [...sides(null), lined('over', null)], 2],
    ['missing_line', 'total_points', [lined('over', null), lined('under', 200.5)], 1],
    ['contradictory_lines', 'point_spread', [lined('home', -1.5), lined('away', -1.5)], 0],
  ] as const)('leaves out and counts %s', (fault, type, selections, kept) => {
    const { rows, counts } = decide('basketball', market(type, selections))
    expect(rows).toHaveLength(kept)
    expect(counts.get(fault)).toBe(selections.length - kept)
  })
})
