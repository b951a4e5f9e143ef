/** The figures of the documents' opportunities, computed from their own prices by the rules of the service. */

import { describe, expect, it } from 'vitest'
import { shownShares } from '../../../pipeline/rules/odds/arbitrage.ts'
import { confidenceScore, lowHoldConfidence } from '../../../pipeline/rules/odds/confidence.ts'
import { qualityScore } from '../../../pipeline/rules/odds/middles.ts'
import {
  americanToDecimal,
  decimalToAmerican,
  shownPrice,
  shownProbability,
} from '../../../pipeline/rules/odds/odds.ts'
import {
  arbitrageFigures,
  evFigures,
  lowHoldFigures,
  middleWorth,
} from '../../../pipeline/rules/odds/opportunity-figures.ts'
import { exampleOf } from '../../../schemas/http/example.ts'
import { arbitrageContract } from '../../../schemas/http/opportunities/arbitrage.ts'
import { evContract } from '../../../schemas/http/opportunities/ev.ts'
import { lowHoldContract } from '../../../schemas/http/opportunities/low-hold.ts'
import { middlesContract } from '../../../schemas/http/opportunities/middles.ts'

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places
const percent = (fraction: number) => rounded(100 * fraction, 2)

/** The decimal and the implied probability that responses show beside an American price. */
const shownOf = (american: number) => {
  const price = americanToDecimal(american)
  return [shownPrice(price), shownProbability(price)]
}

/** The prices of the other side of each bet of the middle, which the example does not show. */
const otherSides = [-110, -115]

describe('the example of', () => {
  it('+EV', () => {
    const item = exampleOf(evContract.item)
    expect(item.odds_decimal).toBe(shownOf(item.odds_american)[0])
    expect(item.sharp_odds_decimal).toBe(shownOf(item.sharp_odds_american!)[0])
    const figures = evFigures({
      ...{ marketType: item.market_type, sport: item.sport, lines: [item.line] },
      prices: [americanToDecimal(item.odds_american)],
      // The sharp book has +108 on the under.
      against: [item.sharp_odds_american!, 108].map(americanToDecimal),
      ...{ sources: 1, measure: null, outcome: 0 },
    })!
    const { fair, ev, kelly, width } = figures
    const of = { bookCount: item.book_count, ageMs: 1_000 * item.oldest_odds_age_seconds }
    const confidence = confidenceScore({ ...of, isLive: false, width, referenceWeight: 1 })
    expect(item).toMatchObject({
      ...{ fair_probability: rounded(fair, 4), no_vig_odds: decimalToAmerican(1 / fair) },
      ...{ ev_percentage: percent(ev), ev_percent: percent(ev), kelly_percent: percent(kelly) },
      ...{ market_width: percent(width), confidence, confidence_score: confidence },
    })
    expect(exampleOf(evContract.list)).toMatchObject({
      meta: { summary: { avg_ev: item.ev_percent, max_ev: item.ev_percent } },
    })
  })

  it('arbitrage', () => {
    const item = exampleOf(arbitrageContract.item)
    for (const leg of item.legs) {
      expect([leg.odds_decimal, leg.implied_probability]).toEqual(shownOf(leg.odds_american))
      expect(leg.deep_link).toContain(leg.odds_id)
    }
    const { profit, total, shares } = arbitrageFigures({
      ...{ marketType: item.market_type, sport: item.sport, league: item.league },
      lines: item.legs.map(({ line }) => line),
      prices: item.legs.map((leg) => americanToDecimal(leg.odds_american)),
    })
    expect(item).toMatchObject({ profit_percent: percent(profit), implied_total: percent(total) })
    expect(item.legs.map((leg) => leg.stake_percent)).toEqual(shownShares([...shares]))
    expect(exampleOf(arbitrageContract.list)).toMatchObject({
      meta: { summary: { avg_profit: percent(profit), max_profit: percent(profit) } },
    })
  })

  it('a middle', () => {
    const item = exampleOf(middlesContract.item)
    const sides = [item.side1, item.side2]
    for (const { odds, ...side } of sides) {
      expect([odds.decimal, odds.probability]).toEqual(shownOf(odds.american))
      const { american, decimal, probability } = odds
      expect(side).toMatchObject({
        ...{ odds_american: american, odds_decimal: decimal, odds_probability: probability },
      })
      expect(side.deep_link).toContain(side.odds_id)
    }
    const prices = sides.map(({ odds }) => americanToDecimal(odds.american))
    const worth = middleWorth({
      ...{ marketType: item.market_type, sport: item.sport, league: item.league },
      lines: sides.map(({ line }) => line),
      ...{ prices, offered: prices, against: otherSides.map(americanToDecimal) },
    })!
    const { shares, worst, best, breakEven, expectedValue, probability, outlook, size } = worth
    const oldest = Math.max(...sides.map((side) => side.odds_age_seconds))
    const traits = { probability, expectedValue, size, oldestAgeMs: 1_000 * oldest }
    expect(item).toMatchObject({
      ...{ middle_size: size, middle_numbers: [...outlook.numbers] },
      ...{ middle_probability: rounded(probability, 4), push_numbers: [...outlook.pushNumbers] },
      push_probability: outlook.pushProbability,
      ...{ expected_value: percent(expectedValue), roi_percentage: percent(expectedValue) },
      ...{ worst_case_loss: percent(worst), best_case_profit: percent(best) },
      ...{ break_even_percent: percent(breakEven), odds_age_seconds: oldest },
      ...{ key_numbers: [...outlook.keyNumbers], quality_score: rounded(qualityScore(traits), 1) },
      market_overround: percent(worth.impliedTotal),
    })
    expect(sides.map(({ stake_percent }) => stake_percent)).toEqual(shownShares([...shares]))
    expect(sides.map(({ odds }) => odds.fair_probability)).toEqual(
      worth.fair.map((fair) => rounded(fair, 4)),
    )
  })

  it('a low hold', () => {
    const item = exampleOf(lowHoldContract.item)
    const sides = [item.side1, item.side2]
    const prices = sides.map(({ odds }) => americanToDecimal(odds.american))
    const { hold } = lowHoldFigures({ prices })
    for (const [i, { odds, books }] of sides.entries()) {
      const [decimal, probability] = shownOf(odds.american)
      expect(odds).toMatchObject({ decimal, probability, implied_probability: probability })
      expect(odds.fair_probability).toBe(rounded(1 / prices[i]! / (1 + hold), 4))
      expect(item.all_books).toEqual(expect.arrayContaining(books))
    }
    expect(item).toMatchObject({
      hold_percentage: percent(hold),
      confidence: lowHoldConfidence({
        ...{ bookCount: item.all_books.length, ageMs: 1_000 * item.odds_age_seconds },
        ...{ isLive: false, hold },
      }),
    })
    expect(exampleOf(lowHoldContract.list)).toMatchObject({
      meta: { summary: { avg_hold: percent(hold), min_hold: percent(hold) } },
    })
  })
})
