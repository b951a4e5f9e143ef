/** The pages' reading of the bets of opportunities. */

import { expect, it } from 'vitest'
import { lowHoldLegs } from '../../api/web/client/data/legs.ts'

const side = (selection: string, books: readonly string[]) => ({
  selection,
  ...{ selection_type: selection, line: null },
  books,
  odds: {
    ...{ decimal: 2, american: 100 },
    ...{ implied_probability: 0.5, probability: 0.5, fair_probability: 0.5 },
  },
  max_bet_by_book: { caesars: 250, fanduel: 90 },
  deep_links: Object.fromEntries(books.map((book) => [book, `https://${book}.example/`])),
})

const legs = (home: readonly string[], away: readonly string[]) =>
  lowHoldLegs([side('home', home), side('away', away)]).map(
    ({ sportsbook, tied, deepLink, maxBet }) => [sportsbook, tied, deepLink, maxBet],
  )

it('takes a low hold at two sportsbooks if one leads both sides, and names the tied and limits', () => {
  expect(legs(['betmgm'], ['betmgm', 'caesars', 'fanduel'])).toEqual([
    ['betmgm', [], 'https://betmgm.example/', null],
    ['caesars', ['betmgm', 'fanduel'], 'https://caesars.example/', 250],
  ])
  expect(legs(['betmgm', 'caesars'], ['fanduel'])).toEqual([
    ['betmgm', ['caesars'], 'https://betmgm.example/', null],
    ['fanduel', [], 'https://fanduel.example/', 90],
  ])
})
