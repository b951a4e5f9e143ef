/** The markets that a board follows while it stays open. */

import { expect, it } from 'vitest'
import type { MarketKinds } from '../../api/web/client/data/market-kinds.ts'
import { withNewMarkets } from '../../api/web/client/data/markets.ts'

const kinds = new Map(
  Object.entries({ player_points: 7, player_rebounds: 8, player_dunks: null }).map(
    ([id, numerical_id]) => [id, { answers: 'over_under', numerical_id }],
  ),
) as unknown as MarketKinds

it('a market that loses its last price is still followed, and a new one comes behind it', () => {
  const both = withNewMarkets([], ['player_points', 'player_rebounds'], kinds)
  expect(withNewMarkets(both, ['player_rebounds'], kinds)).toEqual(both)
  expect(withNewMarkets(['player_rebounds'], ['player_points', 'player_rebounds'], kinds)).toEqual([
    'player_rebounds',
    'player_points',
  ])
})

it('a market that the service does not list is followed only while it has prices', () => {
  expect(withNewMarkets(['player_points', 'player_dunks'], ['player_points'], kinds)).toEqual([
    'player_points',
  ])
})
