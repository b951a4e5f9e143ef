import { describe, expect, it } from 'vitest'
import type { FeedSink, Parsed } from '../../../../pipeline/feeds/feed.ts'
import { createLastSeen, createPollingFeed } from '../../../../pipeline/feeds/kit/polling-feed.ts'
import type { Health } from '../../../../pipeline/feeds/kit/source-health.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'
import { createRecordingSink } from '../loopback.ts'

const oddsAbout = (externalId: string, sportsbook = 'pinnacle'): OddsRecord => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observedAt: 1,
  event: {
    externalId,
    sport: 'football',
    league: 'NFL',
    homeTeam: 'H',
    awayTeam: 'A',
    startsAt: 9,
    isLive: false,
  },
  markets: [{ marketType: 'moneyline' } as OddsRecord['markets'][number]],
})

type Round = readonly OddsRecord[] | 'fails' | Parsed

/** Runs a feed through rounds of each target's responses, on a clock of 1000 ms a round. */
async function play(rounds: readonly (readonly Round[])[], sportsbooks = ['pinnacle']) {
  const { sink, records, skips } = createRecordingSink()
  const healths: Health[] = []
  const controller = new AbortController()
  let round = 0
  let at = 0
  const feed = createPollingFeed<number>({
    name: 'test',
    sportsbooks,
    targets: [...(rounds[0] ?? [])].map((_, index) => index),
    intervalMs: 1_000,
    openReader: () =>
      async function* read(target, get) {
        const answer = rounds[round]?.[target] ?? []
        if (answer === 'fails') throw new Error('no answer')
        await get('http://source.test/')
        yield 'skipped' in answer ? answer : { records: answer, skipped: [] }
        if ('isBroken' in answer) throw new Error('no more')
      },
    http: {
      now: () => at,
      fetch: async () => new Response('{}'),
      async sleep(ms) {
        at += ms
        round++
        if (round >= rounds.length) controller.abort()
      },
    },
  })
  const report: FeedSink['report'] = (health) => void healths.push(health)
  await feed.run({ ...sink, report }, controller.signal)
  return { records, skips, healths }
}

const statusesIn = (records: readonly { type: string }[]) =>
  records.filter(({ type }) => type === 'book_status')

describe('a polled feed', () => {
  it('reports up with the first response, once', async () => {
    const { records } = await play([[[oddsAbout('1')]], [[oddsAbout('1')]]])
    expect(records.map(({ type }) => type)).toEqual(['book_status', 'odds', 'odds'])
  })

  it.each([
    ['after an answer', [] as readonly number[]],
    ['after a part', [1]],
  ])(
    'asks its plan anew every hour, and follows it before the time it had %s',
    async (_, failing) => {
      const hour = 3_600_000
      const calls: [number, number][] = []
      const controller = new AbortController()
      let at = 0
      const feed = createPollingFeed<number>({
        name: 'test',
        sportsbooks: [],
        targets: [0, 1],
        intervalMs: 1_000,
        // The plan of the first hours waits for months.
        dueAt: (_target, askedAt) => askedAt + (at < 5 * hour ? 1_000 : 6) * hour,
        spent: () => calls.length,
        openReader: () =>
          async function* read(target) {
            calls.push([target, at / hour])
            yield { records: [oddsAbout('1')], skipped: [] }
            if (failing.includes(target)) throw new Error('no more')
          },
        http: {
          now: () => at,
          async sleep(ms) {
            at += ms
            if (at > 7 * hour || ms === 0) controller.abort()
          },
        },
      })
      await feed.run({ publish: async () => {}, skipped: () => {} }, controller.signal)
      expect(calls).toEqual([
        [0, 0],
        [1, 0],
        [0, 6],
        [1, 6],
      ])
    },
  )

  it('is down after three rounds without a response, at growing intervals, and up with the next one', async () => {
    const { records } = await play([['fails'], ['fails'], ['fails'], ['fails'], [[oddsAbout('1')]]])
    expect(statusesIn(records)).toEqual([
      { type: 'book_status', sportsbook: 'pinnacle', observedAt: 3_000, status: 'down' },
      { type: 'book_status', sportsbook: 'pinnacle', observedAt: 15_000, status: 'up' },
    ])
    // The status comes first, then prices.
    expect(records.at(-1)?.type).toBe('odds')
  })

  it('is not down while one of its targets responds', async () => {
    const round = ['fails', [oddsAbout('1')]] as const
    const { records, skips } = await play([round, round, round, round])
    expect(statusesIn(records)).toHaveLength(1)
    expect(skips.map(({ reason }) => reason)).toEqual(Array(4).fill('reader_failed'))
  })

  it('withdraws an event that a complete response no longer names', async () => {
    const { records } = await play([[[oddsAbout('1'), oddsAbout('2')]], [[oddsAbout('2')]]])
    expect(records.at(-1)).toMatchObject({
      type: 'odds',
      mode: 'snapshot',
      observedAt: 1_000,
      event: { externalId: '1' },
      markets: [],
    })
  })

  it('withdraws nothing when a response failed or could not be read', async () => {
    const unread = { records: [], skipped: [{ reason: 'malformed', detail: '' }] }
    const { records } = await play([[[oddsAbout('1')]], ['fails'], [unread], [[oddsAbout('1')]]])
    expect(records.filter(({ type }) => type === 'odds')).toHaveLength(2)
  })

  it('withdraws what a reading lacks, except what its unreadable parts may have had', async () => {
    const partly = (hides?: NonNullable<Parsed['skipped'][number]['hides']>) => ({
      records: [oddsAbout('1', 'fanduel')],
      skipped: [{ reason: 'malformed', detail: '', ...(hides && { hides }) }],
    })
    const all = [
      oddsAbout('1', 'fanduel'),
      oddsAbout('1', 'bovada'),
      oddsAbout('2', 'fanduel'),
      oddsAbout('2', 'bovada'),
    ]
    const goneAfter = async (round: Round) => {
      const { records, healths } = await play([[all], [round]], [])
      const gone = records.flatMap((record) =>
        record.type === 'odds' && record.markets.length === 0
          ? [`${record.sportsbook} ${record.event.externalId}`]
          : [],
      )
      return { gone, health: healths.at(-1) }
    }
    const degraded = { state: 'degraded', reason: 'unreadable' }
    const unknown = await goneAfter(partly())
    expect(unknown).toMatchObject({ gone: [], health: degraded })
    const ofEvent = await goneAfter(partly({ externalId: '2' }))
    expect(ofEvent).toMatchObject({ gone: ['bovada 1'], health: degraded })
    const ofBoth = await goneAfter(partly({ externalId: '2', sportsbook: 'bovada' }))
    expect(ofBoth).toMatchObject({ gone: ['bovada 1', 'fanduel 2'], health: degraded })
    expect(await goneAfter([oddsAbout('1', 'fanduel')])).toMatchObject({
      gone: ['bovada 1', 'fanduel 2', 'bovada 2'],
      health: { state: 'up', reason: null },
    })
  })

  it('is up, and withdraws nothing, where a game was left out because it began meanwhile', async () => {
    const begun = {
      records: [],
      skipped: [{ reason: 'begun_meanwhile', detail: '', hides: { externalId: '1' } }],
    }
    const { records, healths } = await play([[[oddsAbout('1')]], [begun], [[]]])
    expect(records.filter(({ type }) => type === 'odds')).toMatchObject([
      { observedAt: 1 },
      { observedAt: 2_000, markets: [] },
    ])
    expect(healths.every(({ reason }) => reason === 'starting' || reason === null)).toBe(true)
  })

  it('is degraded, and not down, while a part of each reading cannot be read', async () => {
    const partly = { records: [oddsAbout('1')], skipped: [{ reason: 'malformed', detail: '' }] }
    const { records, healths } = await play(Array(5).fill([partly]))
    expect(statusesIn(records)).toMatchObject([{ status: 'up' }])
    expect(healths.at(-1)).toMatchObject({ state: 'degraded', reason: 'unreadable', failures: 0 })
  })

  it('withdraws an event that only an incomplete reading named', async () => {
    const partly = {
      records: [oddsAbout('1'), oddsAbout('2')],
      skipped: [{ reason: 'malformed', detail: '' }],
    }
    const { records } = await play([[[oddsAbout('1')]], [partly], [[oddsAbout('1')]]])
    expect(records.at(-1)).toMatchObject({ event: { externalId: '2' }, markets: [] })
  })

  it('withdraws an event that was named before a reading failed', async () => {
    const failsAfter = { records: [oddsAbout('2')], skipped: [], isBroken: true }
    const { records } = await play([[[oddsAbout('1')]], [failsAfter], [[oddsAbout('1')]]])
    expect(records.at(-1)).toMatchObject({ event: { externalId: '2' }, markets: [] })
  })

  it('counts unreadable responses as failures', async () => {
    const unread = { records: [], skipped: [{ reason: 'error_answer', detail: '' }] }
    const { records } = await play([[unread], [unread], [unread]])
    expect(statusesIn(records)).toMatchObject([{ status: 'down' }])
  })

  it('reports every sportsbook of a source as down', async () => {
    const { records } = await play(
      [[[oddsAbout('1', 'fanduel'), oddsAbout('1', 'bovada')]], ['fails'], ['fails'], ['fails']],
      [],
    )
    expect(statusesIn(records)).toMatchObject([
      { sportsbook: 'fanduel', status: 'down' },
      { sportsbook: 'bovada', status: 'down' },
    ])
  })

  it('ends with the fault of the sink', async () => {
    const feed = createPollingFeed<number>({
      name: 'test',
      sportsbooks: ['pinnacle'],
      targets: [0],
      intervalMs: 1,
      openReader: () =>
        async function* read() {
          yield { records: [oddsAbout('1')], skipped: [] }
        },
    })
    const sink = { publish: () => Promise.reject(new Error('log is gone')), skipped: () => {} }
    await expect(feed.run(sink, new AbortController().signal)).rejects.toThrow('log is gone')
  })
})

describe('a sportsbook’s last seen offer', () => {
  it('is not withdrawn when it moves to another target', () => {
    const lastSeen = createLastSeen()
    lastSeen.replace('upcoming', [oddsAbout('1')], 1)
    lastSeen.replace('live', [oddsAbout('1')], 2)
    expect(lastSeen.replace('upcoming', [], 3)).toEqual([])
    expect(lastSeen.replace('live', [], 4)).toMatchObject([{ event: { externalId: '1' } }])
  })

  it('is withdrawn when it was added after the last reading and the next one lacks it', () => {
    const lastSeen = createLastSeen()
    lastSeen.replace('all', [oddsAbout('1')], 1)
    lastSeen.add('all', [oddsAbout('2')])
    const gone = lastSeen.replace('all', [oddsAbout('1')], 2)
    expect(gone).toMatchObject([{ event: { externalId: '2' }, markets: [] }])
  })

  it.each([15, 16])(
    'is forgotten where it may be hidden once the board has expired it: %i min',
    (age) => {
      const lastSeen = createLastSeen()
      const at = 1 + age * 60_000
      lastSeen.replace('all', [oddsAbout('1')], 1)
      expect(lastSeen.replace('all', [], at, () => true)).toEqual([])
      expect(lastSeen.replace('all', [], at)).toHaveLength(age === 15 ? 1 : 0)
    },
  )

  it.each([30, 31])('is forgotten while readings fail after twice that time: %i min', (age) => {
    const lastSeen = createLastSeen()
    const observedAt = 1 + age * 60_000
    lastSeen.add('all', [oddsAbout('1')])
    lastSeen.add('all', [{ ...oddsAbout('2'), observedAt }])
    expect(lastSeen.replace('all', [], observedAt)).toHaveLength(age === 30 ? 2 : 1)
  })

  it('is kept apart by sportsbook', () => {
    const lastSeen = createLastSeen()
    lastSeen.replace('a', [oddsAbout('1', 'fanduel'), oddsAbout('1', 'bovada')], 1)
    const gone = lastSeen.replace('a', [oddsAbout('1', 'bovada')], 2)
    expect(gone).toMatchObject([{ sportsbook: 'fanduel', markets: [] }])
  })
})
