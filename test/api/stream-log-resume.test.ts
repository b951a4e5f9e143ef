/** What a client gets that resumes from a position before the API started: the changes come from the log. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const dk = { sportsbook: 'draftkings', price: 1.9 }
const fd = { sportsbook: 'fanduel', price: 2 }

let by: ReturnType<typeof createStreamsByHand>
beforeEach(() => {
  by = createStreamsByHand()
  by.event(knicks)
  by.event(leeds)
  by.odds(knicks, dk, fd)
  by.odds(leeds, { sportsbook: 'pinnacle', price: 2.5 })
})
afterEach(() => by.close())

async function resume(position: string, query = '') {
  const client = by.open(`channels=odds&proof=true&resume_from=${position}${query}`)
  await by.until('the end', () => client.of('snapshot:complete').length > 0)
  expect(client.of('snapshot:complete')).toMatchObject([{ resumed: true }])
  return client
}
type Client = Awaited<ReturnType<typeof resume>>

const updates = (client: Client) => client.of('odds:update').flatMap(({ data }) => data)

it('prices that are withheld since, or no longer', async () => {
  by.withhold(leeds, { sportsbook: 'pinnacle', price: 2.5 }, 'books_disagree')
  const position = by.positionNow()
  by.withhold(knicks, fd, 'far_from_consensus')
  by.withhold(leeds, { sportsbook: 'pinnacle', price: 2.5 }, null)
  await by.pass(150)
  const rows = updates(await resume(position))
  expect(rows).toMatchObject([
    { sportsbook: 'fanduel', withheld: 'far_from_consensus' },
    { sportsbook: 'pinnacle', odds_decimal: 2.5 },
  ])
  expect(rows[1].withheld ?? null).toBeNull()
})
