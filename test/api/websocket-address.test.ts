import { expect, it } from 'vitest'
import { readAddress } from '../../api/stream/sessions/websocket-address.ts'

it('an address with a fault keeps its other parameters, in any of their spellings', () => {
  const tokens = { parse: () => undefined }
  const { query, problems } = readAddress('main=true&min_odds=50&kind=ev', tokens)
  expect(query).toMatchObject({ is_main_line: true, kinds: ['ev'], min_odds: undefined })
  expect([...problems.keys()]).toEqual(['min_odds'])
})

it('an address takes the bounds of every kind of opportunity', () => {
  const tokens = { parse: () => undefined }
  const bounds = { min_ev: 3, min_profit: 1, min_size: 1.5, max_hold: 4 }
  const text = Object.entries(bounds).map((bound) => bound.join('='))
  const { query, problems } = readAddress(`channels=middles&${text.join('&')}`, tokens)
  expect([query, [...problems]]).toEqual([expect.objectContaining(bounds), []])
})
