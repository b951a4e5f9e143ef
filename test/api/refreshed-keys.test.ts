/** `refresh_token` on a WebSocket whose account sees other sportsbooks since it subscribed. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createStreamsByHand } from './streams-without-sockets.ts'

const id = 'nba_bulls_knicks_2026-11-21_b3'

let byHand: ReturnType<typeof createStreamsByHand>
beforeEach(() => {
  byHand = createStreamsByHand()
  byHand.event(id)
  byHand.odds(id, { sportsbook: 'draftkings', price: 1.9 }, { sportsbook: 'fanduel', price: 1.8 })
})
afterEach(() => byHand.close())

async function subscribed(query: string) {
  const client = byHand.open(query)
  await byHand.until('a snapshot', () => client.of('snapshot:complete').length > 0)
  return client
}

/** Moves both prices. @returns how many the client gets */
async function movedPrices(client: Awaited<ReturnType<typeof subscribed>>, to: number) {
  const from = client.frames.length
  byHand.odds(id, { sportsbook: 'draftkings', price: to }, { sportsbook: 'fanduel', price: to })
  await byHand.pass(3_000)
  return client.prices(from).size
}

const frame = { type: 'refresh_token', token: 'sharp' }

it.each(['channels=odds', 'channels=odds&books=draftkings,fanduel'])(
  'with %s, a refreshed key gets no price of a sportsbook that has become the owner’s alone',
  async (query) => {
    const client = await subscribed(query)
    byHand.hide('fanduel')
    // Before the rights of open streams are checked.
    const from = client.frames.length
    client.say(frame)
    await byHand.until('another snapshot', () => client.of('snapshot:complete', from).length > 0)
    expect(client.prices(from).size).toBe(1)
    expect(await movedPrices(client, 2.1)).toBe(1)
    expect(client.state.closed).toBeNull()
  },
)

it('a refreshed key with the same sportsbooks goes on where it was', async () => {
  const client = await subscribed('channels=odds')
  const from = client.frames.length
  client.say(frame)
  expect(await movedPrices(client, 2.1)).toBe(2)
  expect(client.of('subscribed', from)).toHaveLength(1)
  expect(client.of('snapshot:complete', from)).toEqual([])
})
