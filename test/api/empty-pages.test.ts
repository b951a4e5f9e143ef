import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { type SimulatedService, startAt, startSimulated } from './simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
})
afterEach(() => service.close())

const about = (sportsbook: string) => ({
  sportsbook,
  observedAt: service.clock(),
  event: {
    externalId: null,
    sport: 'basketball',
    league: 'NBA',
    homeTeam: 'New York Knicks',
    awayTeam: 'Brooklyn Nets',
    startsAt: startAt + 3_600_000,
    isLive: false,
  },
})

/** Returns a record of all that a sportsbook offers on the game. */
const offer = (sportsbook: string, ...prices: readonly number[]): FeedRecord => ({
  ...about(sportsbook),
  type: 'odds',
  mode: 'snapshot',
  markets: prices.map((price) => ({
    marketType: 'moneyline',
    line: null,
    playerName: null,
    statCategory: null,
    externalId: null,
    maxBet: null,
    suspended: false,
    selections: [
      {
        selection: null,
        selectionType: 'home',
        line: null,
        price,
        externalId: null,
        removed: false,
        suspended: false,
        maxBet: null,
        changedAt: null,
        publicBetPct: null,
        deepLink: null,
      },
    ],
  })),
})

function say(...records: FeedRecord[]) {
  service.step(1_000)
  service.say(records)
}

const idOfGame = () => service.boards.live.events('*')[0]!.id

async function ask(query: string, tier: 'enterprise' | 'hobby', tag?: string) {
  const key = await service.key(tier)
  const headers = tag === undefined ? {} : { 'if-none-match': tag }
  return service.get(`/odds?${query}`, key, headers)
}

it('says the status of the one event that is asked for and has no prices', async () => {
  say(offer('draftkings', 1.9), offer('fanduel', 1.9))
  const id = idOfGame()
  const storeOf = async (query: string) => {
    const { body } = await ask(query, 'enterprise')
    expect(body.data).toEqual([])
    return body.meta.store
  }
  // The game has prices, only not these.
  expect(await storeOf(`event=${id}&market=total_points`)).toEqual({
    ready: true,
    reason: 'no_match',
  })
  say(offer('draftkings'), offer('fanduel'))
  const empty = { ready: true, reason: 'store_empty' }
  expect(await storeOf(`event=${id}`)).toEqual({ ...empty, event_status: 'upcoming' })
  say({ ...about('draftkings'), type: 'event_status', status: 'final' })
  for (const query of [
    `event=${id}`,
    `event=${id}&market=total_points`,
    `event=${id}&group_by=event`,
    `event=${id}&sort=-odds_american`,
    `event=${id.replace(/_b\d.*$/, '')}`,
  ]) {
    expect([query, await storeOf(query)]).toEqual([query, { ...empty, event_status: 'final' }])
  }
  for (const query of ['', 'event=nba_bulls_knicks_2027-01-14_b3', `event=${id},no_such`]) {
    expect([query, await storeOf(query)]).toEqual([query, empty])
  }
})

it('says it of the event in the path too', async () => {
  say(offer('draftkings', 1.9))
  const id = idOfGame()
  const key = await service.key('enterprise')
  const pageOf = async (query = '') => (await service.get(`/events/${id}/odds${query}`, key)).body
  expect((await pageOf()).meta).not.toHaveProperty('store')
  const storeOf = async (query?: string) => {
    const body = await pageOf(query)
    expect(body.data).toEqual([])
    return body.meta.store
  }
  expect(await storeOf('?market=total_points')).toEqual({ ready: true, reason: 'no_match' })
  say({ ...about('draftkings'), type: 'event_status', status: 'final' })
  const over = { ready: true, reason: 'store_empty', event_status: 'final' }
  expect([await storeOf(), await storeOf('?market=total_points')]).toEqual([over, over])
})

it('has another tag once the status is another', async () => {
  say(offer('draftkings', 1.9))
  const query = `event=${idOfGame()}`
  say(offer('draftkings'))
  const before = await ask(query, 'enterprise')
  expect((await ask(query, 'enterprise', before.etag)).status).toBe(304)
  say({ ...about('draftkings'), type: 'event_status', status: 'postponed' })
  const after = await ask(query, 'enterprise', before.etag)
  expect([after.status, after.body.meta.store.event_status]).toEqual([200, 'postponed'])
  expect(after.etag).not.toBe(before.etag)
})

it('says nothing of an event whose sportsbooks the tier does not see', async () => {
  say(offer('pinnacle', 1.9))
  const query = `event=${idOfGame()}`
  say({ ...about('pinnacle'), type: 'event_status', status: 'final' })
  const known = await ask(query, 'enterprise')
  expect(known.body.meta.store).toHaveProperty('event_status', 'final')
  const hidden = await ask(query, 'hobby')
  expect(hidden.body.meta.store).toEqual({ ready: true, reason: 'store_empty' })
  const unknown = await ask('event=nba_bulls_knicks_2027-01-14_b3', 'hobby')
  expect(hidden.body.meta.store).toEqual(unknown.body.meta.store)
})
