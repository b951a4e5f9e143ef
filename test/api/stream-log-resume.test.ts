/** What a client gets that resumes from a position: from the log, where the board reaches back less far. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Topic, topics } from '../../schemas/topics.ts'
import { game, knicks, leeds } from './small-board.ts'
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

it('no removal of prices that are withheld no longer because they had gone, and none of them twice', async () => {
  by.withhold(leeds, { sportsbook: 'pinnacle', price: 2.5 }, 'books_disagree')
  by.withdraw(leeds, { sportsbook: 'pinnacle', price: 2.5 })
  const position = by.positionNow()
  by.withhold(leeds, { sportsbook: 'pinnacle', price: 2.5 }, null)
  by.odds(knicks, { ...dk, price: 1.8 })
  await by.pass(150)
  const client = await resume(position)
  expect(client.of('odds:removed')).toEqual([])
  expect(updates(client)).toMatchObject([{ sportsbook: 'draftkings', odds_decimal: 1.8 }])
})

it('nor a snapshot for a tier that must not learn of sportsbooks that it does not see', async () => {
  const position = by.positionNow('hobby')
  // This process has never seen the price.
  by.withhold(leeds, { sportsbook: 'betmgm', price: 2.5 }, null)
  await by.pass(150)
  const client = by.open(`channels=odds&proof=true&resume_from=${position}`, 'hobby')
  await by.until('the end', () => client.of('snapshot:complete').length > 0)
  expect(client.of('resync')).toEqual([])
})

const statuses = (client: Client) =>
  client
    .of('event:status')
    .flatMap(({ events }) =>
      events.map((one: { id: string; status: string }) => [one.id, one.status]),
    )

it('statuses that changed since, of the events in its query', async () => {
  by.withdraw(knicks, dk, fd)
  const position = by.positionNow()
  by.event(knicks, { status: 'postponed' })
  by.event(leeds, { status: 'live', isLive: true })
  await by.pass(150)
  const [all, nba] = [await resume(position), await resume(position, '&league=nba')]
  expect(statuses(all).sort()).toEqual([
    [leeds, 'live'],
    [knicks, 'postponed'],
  ])
  expect(statuses(nba)).toEqual([[knicks, 'postponed']])
  // They come before the end of the replay, and before the rows.
  const types = all.frames.map(({ type }) => type)
  expect(types.indexOf('event:status')).toBeLessThan(types.indexOf('odds:update'))
  expect(types.indexOf('event:status')).toBeLessThan(types.indexOf('snapshot:complete'))
})

it('the statuses of many events in pieces, each once and before the rows', async () => {
  const many = Array.from({ length: 9_000 }, (_, i) => `nba_game_${i}`)
  for (const id of many) {
    by.event(id)
    by.odds(id, dk)
  }
  const position = by.positionNow()
  for (const id of many) by.event(id, { status: 'postponed' })
  await by.pass(150)
  const turns: number[] = []
  const client = by.open(`channels=odds&proof=true&resume_from=${position}`)
  await by.until('the end', () => {
    turns.push(statuses(client).length)
    return client.of('snapshot:complete').length > 0
  })
  expect(statuses(client).sort()).toEqual(many.map((id) => [id, 'postponed']).sort())
  expect(turns.filter((count) => count > 0 && count < many.length)).toEqual(
    expect.arrayContaining([4_000, 8_000]),
  )
  const types = client.frames.map(({ type }) => type)
  expect(types.lastIndexOf('event:status')).toBeLessThan(types.indexOf('odds:update'))
})

it('the statuses of all events where this process no longer knows which have changed', async () => {
  await by.pass(150)
  const first = by.open('channels=odds&proof=true')
  await by.until('the snapshot', () => first.of('snapshot:complete').length > 0)
  const position = first.of('snapshot:complete')[0].position
  by.advance(1)
  by.event(knicks, { status: 'postponed' })
  // More changes of statuses than are kept, while the journal still has all of the rows.
  for (let i = 0; i < 200_001; i++) {
    by.live.apply(
      [
        {
          ...{ topic: topics.events as Topic, partition: 0, offset: 0, key: leeds },
          value: game(leeds, { status: i % 2 === 0 ? 'live' : 'upcoming' }),
        },
      ],
      ...([by.live.position!, by.clock()] as const),
    )
  }
  expect(by.live.journal.reach).toBeLessThan(by.live.statuses.reach)
  await by.pass(150)
  const second = await resume(position)
  expect(statuses(second).sort()).toEqual([
    [leeds, 'live'],
    [knicks, 'postponed'],
  ])
})
