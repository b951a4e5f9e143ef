import { expect, it } from 'vitest'
import { readAddress } from '../../api/stream/sessions/websocket-address.ts'

it('an address with a fault keeps its other parameters, in any of their spellings', () => {
  const tokens = { parse: () => undefined }
  const { query, problems } = readAddress('main=true&min_odds=50&kind=ev', tokens)
  expect(query).toMatchObject({ is_main_line: true, kinds: ['ev'], min_odds: undefined })
  expect([...problems.keys()]).toEqual(['min_odds'])
})
