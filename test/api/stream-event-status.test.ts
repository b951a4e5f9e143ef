/** Messages of streams when an event's status changes. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { streamEvents } from '../../schemas/stream/events.ts'
import { serverFrames } from '../../schemas/stream/server-frames.ts'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const dk = { sportsbook: 'draftkings', price: 1.9 }
const fd = { sportsbook: 'fanduel', price: 2 }

let by: ReturnType<typeof createStreamsByHand>
type Client = ReturnType<typeof by.open>

beforeEach(() => {
  by = createStreamsByHand()
  by.event(knicks)
  by.event(leeds)
  by.odds(knicks, dk, fd)
  by.odds(leeds, { sportsbook: 'pinnacle', price: 2.5 })
})
afterEach(() => by.close())

async function open(query: string): Promise<Client> {
  const client = by.open(`channels=odds${query}`)
  await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
  return client
}

async function end() {
  by.advance(1)
  by.event(knicks, { status: 'final' })
  by.withdraw(knicks, dk, fd)
  await by.pass(50)
}

const statuses = (client: Client) =>
  client
    .of('event:status')
    .flatMap(({ events }) => events.map(({ status }: { status: string }) => status))

it('send the status and the removed prices', async () => {
  const client = await open('')
  await end()
  const [received] = client.of('event:status')
  expect(serverFrames['event:status'].schema.parse(received)).toEqual(received)
  expect(received).toMatchObject({
    count: 1,
    events: [
      { id: knicks, status: 'final', is_live: false, start_time: '2027-01-15T00:40:00.000Z' },
    ],
  })
  expect(
    client
      .of('odds:removed')
      .map(({ source }) => source)
      .sort(),
  ).toEqual(['draftkings', 'fanduel'])
  expect(streamEvents['event:status'].schema.safeParse(received).success).toBe(true)
})

it('reach clients with the event in their query, at a sportsbook that had it', async () => {
  const [league, other, book, without] = [
    await open('&league=nba'),
    await open('&league=england_-_premier_league'),
    await open('&sportsbook=fanduel'),
    await open('&sportsbook=pinnacle'),
  ]
  // Its prices are withdrawn before the event is over.
  by.withdraw(knicks, fd)
  await by.pass(50)
  await end()
  expect([league, other, book, without].map(statuses)).toEqual([['final'], [], ['final'], []])
})

it('send a slow client the current status', async () => {
  const client = await open('')
  client.state.isFull = true
  by.odds(knicks, { ...dk, price: 1.95 })
  await by.pass(50)
  by.advance(1)
  by.event(knicks, { status: 'live', isLive: true })
  await by.pass(50)
  await end()
  expect(statuses(client)).toEqual([])
  client.state.isFull = false
  client.session.drained()
  await by.pass(100)
  expect(statuses(client)).toEqual(['final'])
})
