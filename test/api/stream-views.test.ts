/** A client that comes back and sees other sportsbooks than before gets everything, however it wants to go on. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScopes, viewOf } from '../../api/access/scope.ts'
import { requestedOdds } from '../../api/ask/odds-filter.ts'
import { createPastViews } from '../../api/stream/sessions/past-views.ts'
import { replayMs } from '../../api/stream/timeline/timeline.ts'
import { knicks } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

type Streams = ReturnType<typeof createStreamsByHand>
type Seen = readonly [tier: 'sharp' | 'hobby', query: string]

describe('a WebSocket', () => {
  let by: Streams
  beforeEach(() => {
    by = createStreamsByHand()
    by.event(knicks)
    by.odds(
      knicks,
      { sportsbook: 'draftkings', price: 1.9 },
      { sportsbook: 'pinnacle', price: 1.95 },
    )
  })
  afterEach(() => by.close())

  async function complete([tier, query]: Seen, resuming = '') {
    const client = by.open(`channels=odds&proof=true&${query}${resuming}`, tier)
    await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
    const [{ resumed, position }] = client.of('snapshot:complete')
    return { client, resumed, position }
  }

  it.each<[Seen, Seen]>([
    [
      ['sharp', ''],
      ['hobby', ''],
    ],
    [
      ['hobby', ''],
      ['sharp', ''],
    ],
    [
      ['sharp', ''],
      ['sharp', 'books=draftkings'],
    ],
    [
      ['sharp', 'books=draftkings'],
      ['sharp', 'books=draftkings,pinnacle'],
    ],
  ])('of %j goes on as such, and as %j from a snapshot', async (before, after) => {
    const { client, position } = await complete(before)
    const [{ global_seq }] = client.of('connected')
    client.session.end()
    const byNumber = `&resume=true&from_seq=${global_seq}`
    const byPosition = `&resume_from=${encodeURIComponent(position)}`
    for (const resuming of [byNumber, byPosition]) {
      const same = await complete(before, resuming)
      expect([same.resumed, same.client.of('resync')]).toEqual([true, []])
      expect(same.client.of('initial')).toEqual([])
      same.client.session.end()
    }
    const { prices } = (await complete(after)).client
    const anew = await complete(after, byNumber)
    expect([anew.resumed, anew.client.prices()]).toEqual([false, prices()])
    const resynced = await complete(after, byPosition)
    expect(resynced.client.of('resync')).toMatchObject([{ reason: 'other_books' }])
    expect([resynced.resumed, resynced.client.prices()]).toEqual([false, prices()])
  })
})

describe('a WebSocket that resumes', () => {
  it('goes on from a replayed frame, which is older than its connection', async () => {
    const by = createStreamsByHand()
    by.event(knicks)
    const move = async (price: number) => {
      by.advance(10)
      by.odds(knicks, { sportsbook: 'draftkings', price })
      await by.pass(30)
    }
    await move(1.9)
    // Keeps the numbers going, with another view.
    by.open('channels=odds&books=fanduel')
    const open = async (resuming = '') => {
      const client = by.open(`channels=odds&proof=true${resuming}`)
      await by.until('all rows', () => client.of('snapshot:complete').length > 0)
      return client
    }
    const first = await open()
    const [{ global_seq: left }] = first.of('connected')
    first.session.end()
    await move(2)
    await move(2.1)
    const second = await open(`&resume=true&from_seq=${left}`)
    const [replayed] = second.of('odds:update')
    second.session.end()
    expect(replayed.global_seq).toBeGreaterThan(left)
    expect(replayed.global_seq).toBeLessThan(second.of('connected')[0].global_seq)
    const third = await open(`&resume=true&from_seq=${replayed.global_seq}`)
    expect(third.of('snapshot:complete')).toMatchObject([{ resumed: true }])
    expect(third.of('initial')).toEqual([])
    by.close()
  })
})

describe('a sportsbook that becomes the owner’s alone', () => {
  let by: Streams
  beforeEach(() => {
    by = createStreamsByHand()
    by.event(knicks)
    by.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
  })
  afterEach(() => by.close())

  it('ends the streams of the tiers that had it, and no others', async () => {
    const [hobby, sharp] = [by.open('channels=odds', 'hobby'), by.open('channels=odds', 'sharp')]
    await by.pass(100)
    by.hide('pinnacle')
    await by.pass(3_000)
    expect([hobby.state.closed, sharp.of('error')]).toMatchObject([
      null,
      [{ code: 'rights_changed' }],
    ])
    by.hide('draftkings')
    await by.pass(3_000)
    expect(hobby.of('error')).toMatchObject([{ code: 'rights_changed' }])
  })

  it('ends no stream of those who did not see it, nor of its owner', async () => {
    by.hide('our_desk')
    const owner = { tier: 'sharp', isOwner: true } as const
    const scopesNow = () =>
      [by.callerOf('sharp'), by.callerOf('hobby'), owner].map((viewer) =>
        by.streams.scopes.of(viewer),
      )
    const before = scopesNow()
    const sharp = by.open('channels=odds', 'sharp')
    await by.pass(100)
    by.odds(knicks, { sportsbook: 'our_desk', price: 2.5 })
    by.hide('his_desk')
    by.odds(knicks, { sportsbook: 'his_desk', price: 2.6 })
    await by.pass(3_000)
    expect(scopesNow().every((scope, i) => scope === before[i])).toBe(true)
    expect([sharp.state.closed, sharp.of('error')]).toEqual([null, []])
    expect([...sharp.prices().values()]).toEqual([1.9])
  })

  it('changes no cursor, at any process; what streams share is of what they see', () => {
    by.hide('our_desk')
    const { scopes } = by.streams
    const keysNow = () => {
      const scope = scopes.of(by.callerOf('sharp'))
      const chosen = scopes.among(scope, ['draftkings'], undefined)
      return [scope, chosen].map((of) => requestedOdds({ league: ['nba'] }, of))
    }
    const before = keysNow()
    // The first price of a sportsbook that is shown: the list of those that are shown is another.
    by.odds(knicks, { sportsbook: 'pinnacle', price: 1.95 })
    const after = keysNow()
    for (const [i, { askedKey, queryKey }] of after.entries()) {
      expect(askedKey).toBe(before[i]!.askedKey)
      expect(queryKey).not.toBe(before[i]!.queryKey)
    }
    const elsewhere = createScopes(by.boards).of(by.callerOf('sharp'))
    expect(requestedOdds({ league: ['nba'] }, elsewhere).askedKey).toBe(after[0]!.askedKey)
    const keys = ['sharp', 'hobby'] as const
    expect(new Set(keys.map((tier) => scopes.of(by.callerOf(tier)).asked)).size).toBe(2)
  })

  it('is another view only for those who saw it', () => {
    const { scopes } = by.streams
    const ofTier = (tier: 'hobby' | 'sharp') => () => viewOf(scopes.of(by.callerOf(tier)))
    const chosen = () =>
      viewOf(scopes.among(scopes.of(by.callerOf('sharp')), ['draftkings'], undefined))
    const views = () => [ofTier('hobby'), ofTier('sharp'), chosen].map((view) => view())
    const before = views()
    by.hide('pinnacle')
    const after = views()
    expect(after.map((view, i) => view === before[i])).toEqual([true, false, true])
    by.hide('draftkings')
    expect(views().map((view, i) => view === after[i])).toEqual([false, false, false])
  })
})

describe('the views of an account', () => {
  it('are known by number while a socket has them, and as long as numbers are', () => {
    let now = 0
    const views = createPastViews(() => now)
    const had = (view: string | null, at: number) => views.had('a', view, at)
    const leave = views.begin('a', 'some', 10)
    const leaveOther = views.begin('a', 'some', 20)
    expect([had('some', 9), had('some', 10), had('some', 99), had(null, 10)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(views.had('b', 'some', 10)).toBe(false)
    leave(30)
    expect(had('some', 99)).toBe(true)
    leaveOther(40)
    views.begin('a', null, 40)
    views.begin('a', 'some', 50)
    expect([had('some', 40), had('some', 45), had(null, 45), had('some', 50)]).toEqual([
      true,
      false,
      true,
      true,
    ])
    now = 2 * replayMs
    views.begin('b', 'some', 60)(70)
    expect([had('some', 40), had('some', 50)]).toEqual([false, true])
    // A socket that resumes.
    views.begin('a', 'some', 45)
    expect([had('some', 44), had('some', 45)]).toEqual([false, true])
  })
})
