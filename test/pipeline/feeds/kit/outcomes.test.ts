import { describe, expect, it } from 'vitest'
import {
  numberOf,
  priceOfAmerican,
  priceOfContract,
  type StatedOutcome,
  stakeOf,
  toMarkets,
} from '../../../../pipeline/feeds/kit/outcomes.ts'

const outcome = (parts: Partial<StatedOutcome>): StatedOutcome => ({
  marketId: 'm',
  marketType: 'total_goals',
  playerName: null,
  statCategory: null,
  selectionType: 'over',
  selection: null,
  line: null,
  price: 1.9,
  externalId: null,
  suspended: false,
  ...parts,
})

describe('markets built from selections', () => {
  it('puts a total’s line on the market and a spread’s on its sides', () => {
    const { markets } = toMarkets([
      outcome({ line: 2.5 }),
      outcome({ line: 2.5, selectionType: 'under' }),
      outcome({ marketType: 'point_spread', selectionType: 'home', line: 0 }),
      outcome({ marketType: 'point_spread', selectionType: 'away', line: 0 }),
      outcome({ marketType: 'point_spread', selectionType: 'away', line: -1.5 }),
    ])
    expect(
      markets.map(({ line, selections }) => [line, selections.map((selection) => selection.line)]),
    ).toEqual([
      [2.5, [null, null]],
      [null, [0, 0]],
      [null, [-1.5]],
    ])
  })

  it('takes a line that is no handicap as one of both sides', () => {
    const race = { marketType: 'race_to_points', line: 20 }
    const { markets } = toMarkets([
      outcome({ ...race, selectionType: 'home' }),
      outcome({ ...race, selectionType: 'away' }),
    ])
    expect(markets).toMatchObject([{ line: 20, selections: [{ line: null }, { line: null }] }])
  })

  it('recognises one selection under two labels, and one player under two spellings', () => {
    const goals = { marketType: 'player_goals', line: 0.5 }
    const { markets, repeated } = toMarkets([
      outcome({ marketType: 'moneyline', selectionType: 'home', selection: 'Leeds' }),
      outcome({ marketType: 'moneyline', selectionType: 'home', selection: 'Leeds United' }),
      outcome({ ...goals, playerName: 'Julián Álvarez' }),
      outcome({ ...goals, playerName: 'Julian Alvarez', selection: 'Alvarez Over' }),
      outcome({ marketType: 'first_scorer', selectionType: 'player', selection: 'A' }),
      outcome({ marketType: 'first_scorer', selectionType: 'player', selection: 'B' }),
    ])
    expect(markets.map(({ selections }) => selections.length)).toEqual([1, 1, 2])
    expect(repeated).toHaveLength(2)
  })

  it('keeps the two-sided market of a repeated question', () => {
    const { markets, repeated } = toMarkets([
      outcome({ marketId: 'ladder', line: 4.5, price: 1.71 }),
      outcome({ marketId: 'ladder', line: 5.5, price: 2.45 }),
      outcome({ marketId: 'main', line: 4.5, price: 1.7 }),
      outcome({ marketId: 'main', line: 4.5, selectionType: 'under' }),
    ])
    expect(markets.map(({ externalId, line }) => [externalId, line])).toEqual([
      ['ladder', 5.5],
      ['main', 4.5],
    ])
    expect(repeated).toEqual([{ reason: 'duplicate_selection', detail: 'total_goals over 4.5' }])
  })

  it('suspends a market only when all of it is', () => {
    const both = (second: boolean) =>
      toMarkets([
        outcome({ suspended: true, line: 1 }),
        outcome({ suspended: second, line: 1, selectionType: 'under' }),
      ]).markets[0]?.suspended
    expect([both(true), both(false)]).toEqual([true, false])
  })

  it('keeps each side’s team total a market of its own', () => {
    const { markets } = toMarkets(
      ['home_over', 'away_over', 'home_under', 'away_under'].map((selectionType) =>
        outcome({ marketId: null, marketType: 'team_total', selectionType, line: 1.5 }),
      ),
    )
    expect(
      markets.map(({ selections }) => selections.map(({ selectionType }) => selectionType)),
    ).toEqual([
      ['home_over', 'home_under'],
      ['away_over', 'away_under'],
    ])
  })

  it('prefers an open selection to a withdrawn one, without a skip', () => {
    const gone = outcome({ marketId: 'closed', price: null, removed: true })
    const { markets, repeated } = toMarkets([gone, outcome({ marketId: 'open', line: null })])
    expect(markets).toMatchObject([{ externalId: 'open', selections: [{ removed: false }] }])
    expect(repeated).toEqual([])
    const suspended = outcome({ selectionType: 'under', suspended: true })
    expect(toMarkets([gone]).markets).toMatchObject([
      { suspended: false, selections: [{ removed: true, price: null }] },
    ])
    expect(toMarkets([{ ...gone, marketId: 'm' }, suspended]).markets).toMatchObject([
      { suspended: true },
    ])
  })

  it('ignores American odds beyond any price', () => {
    expect([1e9, -1e20].map(priceOfAmerican)).toEqual([null, null])
  })

  it('ignores numbers that cannot be American odds', () => {
    expect([150, -200, 99, -120.5, 0, Number.NaN].map(priceOfAmerican)).toEqual([
      2.5,
      1.5,
      null,
      null,
      null,
      null,
    ])
  })

  it('accepts a contract price only between nothing and a dollar', () => {
    expect([0.5, 0.8, 0, 1, -0.2, 1.2, Number.NaN].map(priceOfContract)).toEqual([
      2,
      1.25,
      null,
      null,
      null,
      null,
      null,
    ])
  })

  it('reads a figure that is a number or the text of one', () => {
    expect(
      ['0.4100', '.48', '-1', 2.5, '1e9', '', '.', ' 1', null, Number.NaN].map(numberOf),
    ).toEqual([0.41, 0.48, -1, 2.5, null, null, null, null, null, null])
  })

  it('counts a stake in whole cents, without losing one to binary', () => {
    expect([stakeOf(200, 0.57), stakeOf(33.333, 0.1)]).toEqual([114, 3.33])
  })
})
