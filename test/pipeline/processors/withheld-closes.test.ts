/** The closes of prices that the guard withholds. */

import { describe, expect, it } from 'vitest'
import type { OddsRecord, TickRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { noon, selection, statement } from '../../oracle/moneylines.ts'
import { createRealBoard } from '../../oracle/real-board.ts'

const startsAt = noon + 3_600_000

function moneyline(
  sportsbook: string,
  [home, away]: readonly [number, number],
  fromStartMs: number,
  isLive = false,
): OddsRecord {
  const said = statement(
    sportsbook,
    'Northville',
    'Southbury',
    [selection('home', home), selection('away', away)],
    { laterMs: startsAt + fromStartMs - noon },
  )
  return { ...said, event: { ...said.event, sport: 'basketball', league: 'nba', isLive } }
}

const tick = (fromStartMs: number): TickRecord => ({
  type: 'tick',
  observedAt: startsAt + fromStartMs,
})

const fair = [1.87, 2] as const
const wrong = [3.4, 1.37] as const
const honest = ['draftkings', 'fanduel', 'betmgm', 'caesars'].map((book) =>
  moneyline(book, fair, -9_000),
)

/** Returns each sportsbook's close of the home side: its price, and `fair` or why it is withheld. */
function closesOf(batches: readonly (readonly (OddsRecord | TickRecord)[])[], restarts = false) {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  for (const batch of batches) {
    board.take(batch)
    if (restarts) board.restart()
  }
  const rows = [...board.tableOf(topics.closingLines).values()]
  const told = rows.flatMap(({ sportsbook, selectionType, price, noVig, withheld }) =>
    selectionType === 'home'
      ? [[sportsbook, [price, noVig !== null && 'fair', withheld].filter(Boolean).join(' ')]]
      : [],
  )
  return Object.fromEntries(told.sort()) as Record<string, string>
}

const alike = {
  betmgm: '1.87 fair',
  caesars: '1.87 fair',
  draftkings: '1.87 fair',
  fanduel: '1.87 fair',
}

/** The records one by one, each before a restart, and all in one commit. */
function eachWay(...records: readonly (OddsRecord | TickRecord)[]) {
  const one = records.map((record) => [record])
  const [first, ...others] = [closesOf([records]), closesOf(one), closesOf(one, true)]
  for (const other of others) expect(other).toEqual(first)
  return first
}

describe('the close of a price that the guard withholds', () => {
  it.each<[string, readonly (OddsRecord | TickRecord)[]]>([
    ['a tick passes the start', [tick(1_000)]],
    ['its sportsbook goes into play', [moneyline('pinnacle', [1.5, 2.6], -1_000, true), tick(500)]],
    [
      'it is in play after the others',
      [
        tick(1_000),
        ...honest.map(({ sportsbook }) => moneyline(sportsbook, [1.5, 2.6], 2_000, true)),
        moneyline('pinnacle', [1.5, 2.6], 3_000, true),
      ],
    ],
    ['a price comes after the start', [moneyline('pinnacle', fair, 2_000), tick(3_000)]],
  ])('has its price and no fair probability: %s', (_, after) => {
    const before = [tick(-10_000), ...honest, moneyline('pinnacle', wrong, -8_000)]
    expect(eachWay(...before, ...after)).toEqual({ ...alike, pinnacle: '3.4 market_mismatch' })
  })

  it('has none where the prices were not seen for so long that the board does not judge them', () => {
    const old = [...honest, moneyline('pinnacle', wrong, -8_000)].map((one) => ({
      ...one,
      observedAt: startsAt - 600_000,
    }))
    expect(eachWay(...old, tick(1_000))).toEqual({ ...alike, pinnacle: '3.4 market_mismatch' })
  })

  it('has none where a handicap has its sign turned, alone on its line', () => {
    const spread = (one: OddsRecord, line: number): OddsRecord => {
      const sides = [selection('home', 1.9, { line }), selection('away', 1.92, { line: -line })]
      const [market] = one.markets
      const markets = [{ ...market!, marketType: 'point_spread', selections: sides }]
      return { ...one, markets }
    }
    const said = honest.map((one) => spread(one, -7.5))
    const turned = spread(moneyline('pinnacle', fair, -8_000), 7.5)
    const closes = eachWay(tick(-10_000), ...said, turned, tick(1_000))
    expect(closes).toMatchObject({ fanduel: '1.9 fair', pinnacle: '1.9 swapped' })
  })

  it('says why also where it has no fair probability anyway, as the other side has no close', () => {
    const lone = moneyline('pinnacle', wrong, -8_000)
    const [market] = lone.markets
    const suspended = selection('away', wrong[1], { suspended: true })
    const halves = [{ ...market!, selections: [selection('home', 34), suspended] }]
    expect(eachWay(tick(-10_000), ...honest, { ...lone, markets: halves }, tick(1_000))).toEqual({
      ...alike,
      pinnacle: '34 far_from_consensus',
    })
  })

  it('has one where the price was right at the start', () => {
    const put = moneyline('pinnacle', fair, -2_000)
    expect(
      eachWay(
        tick(-10_000),
        ...honest,
        moneyline('pinnacle', wrong, -8_000),
        put,
        tick(1_000),
        moneyline('pinnacle', wrong, 2_000),
        tick(3_000),
      ),
    ).toEqual({ ...alike, pinnacle: '1.87 fair' })
  })

  it('has one once a correction from before the start makes it right', () => {
    expect(
      eachWay(
        tick(-10_000),
        ...honest,
        moneyline('pinnacle', wrong, -8_000),
        tick(1_000),
        moneyline('pinnacle', fair, -500),
        tick(2_000),
      ),
    ).toEqual({ ...alike, pinnacle: '1.87 fair' })
  })

  it('has one where the sportsbook is alone, so that nothing contradicts it', () => {
    expect(eachWay(tick(-10_000), moneyline('pinnacle', wrong, -8_000), tick(1_000))).toEqual({
      pinnacle: '3.4 fair',
    })
  })
})
