import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { viewOf } from '../../api/access/scope.ts'
import { framesPerSecond } from '../../api/stream/sessions/frame-rate.ts'
import { knicks, leeds } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const dk = (price: number, more = {}) => ({ sportsbook: 'draftkings', price, ...more })
const total = (i: number, price: number) => ({
  sportsbook: `book_${Math.floor(i / 300)}`,
  price,
  marketType: 'total_points',
  selectionType: 'over',
  line: (i % 300) + 0.5,
})

describe('a client of the WebSocket', () => {
  let by: ReturnType<typeof createStreamsByHand>
  beforeEach(() => {
    by = createStreamsByHand()
    by.event(knicks)
    by.event(leeds)
  })
  afterEach(() => by.close())

  type Client = ReturnType<typeof by.open>
  const complete = (client: Client, at = by) =>
    at.until('the snapshot', () => client.of('snapshot:complete').length > 0)
  /** Waits for a tick, which sends the changes and then starts new clients. */
  async function tick() {
    const probe = by.open('channels=odds&league=england_-_premier_league')
    await complete(probe)
    probe.session.end()
  }
  const lastSeq = (client: Client) => client.frames.at(-1).global_seq
  /** @returns the number of its last change */
  async function leaveOnceSent(client: Client): Promise<number> {
    await by.until('the change', () => client.of('odds:update').length > 0)
    const seq = lastSeq(client)
    client.session.end()
    return seq
  }

  it('gets the number of rows in its snapshot, even if rows came while it was sent', async () => {
    for (let i = 0; i < 900; i++) by.odds(knicks, total(i, 1.9))
    const client = by.open('channels=odds')
    client.state.isFull = true
    await by.until('the first part', () => {
      if (client.of('initial').length > 0) return true
      client.session.drained()
      return false
    })
    expect(client.of('snapshot:complete')).toEqual([])
    for (let i = 900; i < 1_500; i++) by.odds(knicks, total(i, 1.9))
    client.state.isFull = false
    client.session.drained()
    await complete(client)
    const sent = client.of('initial').reduce((sum, { data }) => sum + data.length, 0)
    expect(client.of('snapshot:complete')).toMatchObject([{ total_odds: sent }])
  })

  it('resumes from its number even if no other client received anything meanwhile', async () => {
    by.odds(knicks, dk(1.9))
    by.odds(leeds, dk(2))
    by.open('channels=odds&league=england_-_premier_league')
    const first = by.open('channels=odds&league=nba')
    await complete(first)
    by.advance(50)
    by.odds(knicks, dk(1.8))
    const seq = await leaveOnceSent(first)
    by.advance(1_000)
    by.odds(knicks, dk(1.5))
    await tick()
    for (let i = 0; i < 15; i++) {
      by.advance(10_000)
      by.odds(knicks, dk(3 + i / 10, { selectionType: 'away' }))
      await tick()
    }
    const second = by.open(`channels=odds&league=nba&resume=true&from_seq=${seq}`)
    await complete(second)
    await tick()
    const isWhole = second.of('snapshot:complete')[0].resumed === false
    // If the gap is too long to resume, a snapshot comes, else the missed changes.
    expect([...second.prices().values()].sort(), `whole: ${isWhole}`).toEqual([1.5, 4.4])
  })

  it.each([
    'channels=odds',
    'channels=odds&min_odds=-10000',
    'channels=odds&live=false&market=total',
  ])('of %s gets again what others got, under the numbers they had', async (query) => {
    const books = ['pinnacle', 'draftkings', 'fanduel', 'betmgm']
    const quotes = (price: number, ...of: readonly string[]) =>
      of.map((sportsbook, i) => ({ ...total(0, price + i / 100), sportsbook }))
    by.odds(knicks, ...quotes(1.9, ...books))
    const [stays, first] = [by.open(query), by.open(query)]
    await complete(stays)
    await complete(first)
    await tick()
    by.advance(50)
    // The last of these prices does not change again.
    by.odds(knicks, ...quotes(1.95, ...books), { ...total(1, 1.9), sportsbook: 'fanduel' })
    await by.until('the change', () => [...first.prices().values()].includes(1.95))
    const seq = lastSeq(first)
    first.session.end()
    by.advance(100)
    by.odds(knicks, ...quotes(2, ...books))
    await tick()
    by.advance(100)
    by.odds(knicks, ...quotes(2.1, 'fanduel', 'pinnacle'))
    await tick()
    by.advance(100)
    by.withdraw(knicks, ...quotes(2, 'draftkings'))
    by.odds(knicks, { ...quotes(2.2, 'betmgm')[0]!, isActive: false })
    await tick()
    const second = by.open(`${query}&resume=true&from_seq=${seq}`)
    await complete(second)
    await tick()
    const received = ({ frames }: Client) =>
      frames
        .filter(({ type, global_seq }) => type.startsWith('odds:') && global_seq > seq)
        .map(({ type, source, global_seq, data, ids }) => ({
          type,
          source,
          global_seq,
          content: ids ?? data.map((row: { odds_decimal: number }) => row.odds_decimal),
        }))
    const again = received(second)
    expect(again.map(({ type, source }) => [type, source])).toEqual([
      ['odds:update', 'fanduel'],
      ['odds:update', 'pinnacle'],
      ['odds:removed', 'draftkings'],
      ['odds:update', 'betmgm'],
      ['odds:locked', 'betmgm'],
    ])
    // Frames whose prices have changed since are not sent again.
    expect(received(stays)).toEqual(expect.arrayContaining(again))
    expect(received(stays)).toHaveLength(again.length + 4)
    expect(second.of('odds:update').every(({ replay }) => replay)).toBe(true)
    const sent = second.frames.filter(({ type }) => type.startsWith('odds:'))
    expect(sent.filter(({ global_seq }) => global_seq <= seq)).toEqual([])
  })

  it.each(['channels=odds', 'channels=odds&min_odds=-10000'])(
    'of %s gets the rest under numbers that grow, and resumes from each of them without a gap',
    async (query) => {
      const books = ['draftkings', 'fanduel', 'betmgm']
      const quotes = (price: number) =>
        books.flatMap((sportsbook) =>
          Array.from({ length: 3 }, (_, i) => ({ ...total(i, price), sportsbook })),
        )
      by.odds(knicks, ...quotes(1.9))
      const first = by.open(query)
      await complete(first)
      by.advance(50)
      by.odds(knicks, ...quotes(1.91))
      const seq = await leaveOnceSent(first)
      const known = first.prices()
      for (let i = 0; i < 5; i++) {
        by.advance(100)
        // The last sportsbook's prices do not change again: a client that misses them never gets them.
        by.odds(knicks, ...quotes(2 + i / 10).slice(0, 9 - i))
        await tick()
      }
      const back = async (from: number) => {
        const client = by.open(`${query}&resume=true&from_seq=${from}`)
        await complete(client)
        expect(client.of('snapshot:complete')).toMatchObject([{ resumed: true }])
        await tick()
        return client
      }
      const second = await back(seq)
      by.advance(50)
      by.odds(knicks, ...quotes(3).slice(0, 1))
      await by.until('the change', () => [...second.prices().values()].includes(3))
      const received = second.frames.filter(({ type }) => type.startsWith('odds:'))
      const numbers = received.map(({ global_seq }) => global_seq)
      expect(numbers.length).toBeGreaterThan(3)
      expect(numbers.every((number, i) => number > (numbers[i - 1] ?? seq))).toBe(true)
      const replayed = received.filter(({ replay }) => replay)
      expect(replayed.length).toBeGreaterThanOrEqual(received.length - 1)

      const now = [...new Map([...known, ...second.prices()])].sort()
      for (const [i, { global_seq }] of replayed.entries()) {
        const upTo = second.frames.indexOf(replayed[i])
        const third = await back(global_seq)
        const had = new Map(known)
        for (const { data } of second.frames.slice(0, upTo + 1)) {
          for (const { id, odds_decimal } of data ?? []) had.set(id, odds_decimal)
        }
        expect([...new Map([...had, ...third.prices()])].sort()).toEqual(now)
        third.session.end()
      }
    },
  )

  it.each(['', '&proof=true&resume=true&from_seq=1', '&proof=true'])(
    'of an empty board gets that state with channels=odds%s',
    async (query) => {
      const client = by.open(`channels=odds${query}`)
      await complete(client)
      expect(client.of('initial')).toMatchObject([{ source: '', data: [], count: 0 }])
      expect(client.of('snapshot:complete')).toMatchObject([{ books: [], resumed: false }])
    },
  )

  it('with fields that never move gets rows once', async () => {
    by.odds(knicks, dk(1.9))
    const [still, moving] = [
      by.open('channels=odds&fields=home_team,line'),
      by.open('channels=odds&fields=home_team,odds_decimal'),
    ]
    await complete(still)
    await complete(moving)
    by.advance(50)
    by.odds(knicks, dk(1.8))
    await by.until('the move', () => moving.of('odds:update').length > 0)
    expect(still.of('odds:update')).toEqual([])
    by.advance(50)
    by.odds(knicks, dk(2.1, { selectionType: 'away' }))
    await by.until('the row', () => still.of('odds:update').length > 0)
    const [{ data }] = still.of('odds:update')
    expect(data).toEqual([{ id: expect.any(String), home_team: 'New York Knicks', line: null }])
  })

  it('that is cut off while it catches up gets the rest when it comes back', async () => {
    const count = 9_000
    by.odds(knicks, ...Array.from({ length: count }, (_, i) => total(i, 1.9)))
    const first = by.open('channels=odds')
    await complete(first)
    await tick()
    first.state.isFull = true
    by.advance(10)
    by.odds(knicks, total(0, 1.91))
    await tick()
    by.advance(10)
    by.odds(knicks, ...Array.from({ length: count }, (_, i) => total(i, 1.5)))
    await tick()
    by.open('channels=odds')
    await tick()
    by.advance(10)
    by.odds(knicks, total(0, 1.5))
    await tick()
    const from = first.frames.length
    // The socket is full again after each piece.
    first.session.drained()
    await by.until('a piece', () => first.of('odds:update', from).length > 0)
    const seq = lastSeq(first)
    const received = first.prices(from)
    expect(received.size).toBeLessThan(count)
    first.session.end()
    const second = by.open(`channels=odds&resume=true&from_seq=${seq}`)
    await by.until('the rest', () => new Map([...received, ...second.prices()]).size === count)
    const prices = new Set([...received, ...second.prices()].map(([, price]) => price))
    expect(prices).toEqual(new Set([1.5]))
  })

  it('that is cut off while it gets missed changes gets the rest later', async () => {
    const count = 9_000
    by.odds(knicks, ...Array.from({ length: count }, (_, i) => total(i, 1.9)))
    by.open('channels=odds&league=england_-_premier_league')
    const first = by.open('channels=odds')
    await complete(first)
    await tick()
    by.advance(50)
    by.odds(knicks, total(0, 1.91))
    const seq = await leaveOnceSent(first)
    by.advance(50)
    by.odds(knicks, ...Array.from({ length: count }, (_, i) => total(i, 1.5)))
    await tick()
    by.advance(50)
    by.odds(leeds, dk(2.2))
    await tick()
    const second = by.open(`channels=odds&resume=true&from_seq=${seq}`)
    await by.until('a piece', () => second.of('odds:update').length > 0)
    const received = second.prices()
    expect(received.size).toBeLessThan(count)
    const next = lastSeq(second)
    second.session.end()
    const third = by.open(`channels=odds&resume=true&from_seq=${next}`)
    await by.until('the rest', () => new Map([...received, ...third.prices()]).size === count + 1)
  })

  it('that comes back later than removals are remembered gets everything', async () => {
    by.odds(knicks, dk(1.9), dk(2.5, { selectionType: 'away' }))
    const first = by.open('channels=odds')
    await complete(first)
    by.advance(50)
    by.odds(knicks, dk(1.8))
    const seq = await leaveOnceSent(first)
    by.advance(50)
    by.withdraw(knicks, dk(1.8))
    by.advance(11 * 60_000)
    // Without clients ticks are a tenth of a second apart.
    await by.pass(250)
    const second = by.open(`channels=odds&resume=true&from_seq=${seq}`)
    await complete(second)
    expect(second.of('error')).toEqual([])
    expect(second.of('snapshot:complete')).toMatchObject([{ resumed: false }])
    expect([...second.prices().values()]).toEqual([2.5])
  })

  it('that comes to another process with its number gets everything', async () => {
    const other = createStreamsByHand()
    try {
      const seqs: number[] = []
      for (const at of [by, other]) {
        at.event(knicks)
        at.odds(knicks, dk(1.9))
        const client = at.open('channels=odds')
        await complete(client, at)
        // The other service sent more frames, with the same price of home.
        for (let i = 0; i < (at === other ? 6 : 2); i++) {
          at.advance(30)
          at.odds(knicks, dk(2 + i / 10, { selectionType: 'away' }))
          const received = client.frames.length
          await at.until('the change', () => client.of('odds:update', received).length > 0)
        }
        seqs.push(lastSeq(client))
        client.session.end()
      }
      const second = other.open(`channels=odds&resume=true&from_seq=${seqs[0]}`)
      await complete(second, other)
      expect(second.of('snapshot:complete')).toMatchObject([{ resumed: false }])
      expect([...second.prices().values()].sort()).toEqual([1.9, 2.5])
    } finally {
      other.close()
    }
  })

  it('whose number cannot be read gets everything, and the reason', async () => {
    by.odds(knicks, dk(1.9))
    const client = by.open('channels=odds&resume=true&from_seq=1.79%2E60')
    await complete(client)
    expect(client.of('error')).toMatchObject([{ code: 'validation_error' }])
    expect(client.of('snapshot:complete')).toMatchObject([{ resumed: false }])
    expect([...client.prices().values()]).toEqual([1.9])
  })

  it.each(['channels=nonsense', 'channels=odds,gamestate', 'channels=odds&resume_from=nonsense'])(
    'gets the connection message before the fault of %s',
    async (query) => {
      const client = by.open(query)
      await by.pass(300)
      expect(client.of('error')).toHaveLength(1)
      const [first, second] = client.frames
      expect([first.seq, first.type, second.seq]).toEqual([1, 'connected', 2])
    },
  )

  it('that comes back to a board which was read anew gets all of it', async () => {
    by.odds(knicks, dk(1.9))
    const first = by.open('channels=odds')
    await complete(first)
    by.advance(50)
    by.odds(knicks, dk(1.8))
    const seq = await leaveOnceSent(first)
    by.advance(50)
    by.replace()
    await tick()
    const second = by.open(`channels=odds&resume=true&from_seq=${seq}`)
    await complete(second)
    expect(second.of('snapshot:complete')).toMatchObject([{ resumed: false }])
    expect([...second.prices().values()]).toEqual([1.8])
  })

  it('whose board is replaced while it catches up gets one completion', async () => {
    const count = 9_000
    by.odds(knicks, dk(1.9))
    await tick()
    const position = by.streams.positions.now()
    by.advance(200)
    by.odds(knicks, ...Array.from({ length: count }, (_, i) => total(i, 1.5)))
    await tick()
    const client = by.open(`channels=odds&resume_from=${position}`)
    // The client starts right after the tick, and gets the first piece.
    await by.until('a piece', () => client.of('odds:update').length > 0)
    expect(client.prices().size).toBeLessThan(count)
    by.advance(50)
    by.replace()
    await complete(client)
    await tick()
    await tick()
    expect(client.of('resync')).toHaveLength(1)
    expect(client.of('snapshot:complete')).toMatchObject([{ resumed: false }])
    expect(client.prices().size).toBe(count + 1)
  })

  it('that stops within a tick, and reads on after the order is lost, has no price too many', async () => {
    const rows = 5_000
    const all = (price: number, from = 0) =>
      Array.from({ length: rows - from }, (_, i) => total(i + from, price))
    by.odds(knicks, ...all(2.1))
    const client = by.open('channels=odds&min_odds=100')
    await complete(client)
    await by.pass(100)
    const gone = client
      .of('initial')[0]
      .data.find(
        (row: { line: number; sportsbook: string }) =>
          row.line === 0.5 && row.sportsbook === 'book_0',
      ).id
    client.state.isFull = true
    by.odds(knicks, total(rows, 2.1))
    await by.pass(100)
    // In one tick the first of many rows leaves the filter. Then a piece of the tick is sent.
    by.odds(knicks, total(0, 1.5), ...all(2.2, 1))
    await by.pass(100)
    const received = client.frames.length
    client.session.drained()
    await by.until('a piece', () => client.frames.length > received)
    // More changes than the journal keeps in order.
    for (let i = 0; i < 14; i++) by.odds(knicks, ...all(2.3 + i / 10, 1))
    await by.pass(100)
    client.state.isFull = false
    client.session.drained()
    await by.pass(500)
    expect(client.of('odds:removed').flatMap(({ ids }) => ids)).toContain(gone)
  })

  it.each([
    ['a filter', 'channels=odds&min_odds=-300'],
    ['none', 'channels=odds'],
  ])(
    'that narrows %s between two ticks gets removals of what left it, and new rows whole',
    async (_, query) => {
      const [home, away, draw] = ['home', 'away', 'draw'] as const
      by.odds(knicks, dk(1.9), dk(2.5, { selectionType: away }), dk(1.2, { selectionType: draw }))
      const client = by.open(query)
      await complete(client)
      await by.pass(550)
      const from = client.frames.length
      client.say({ type: 'filter', filters: { min_odds: -200 } })
      by.advance(50)
      by.odds(knicks, dk(1.2, { selectionType: home }), dk(1.8, { selectionType: draw }))
      by.withdraw(knicks, dk(2.5, { selectionType: away }))
      await by.until('both are gone', () => {
        const ids = client.of('odds:removed', from).flatMap((frame) => frame.ids)
        return new Set(ids).size === 2
      })
      await by.pass(100)
      expect(client.of('odds:update', from)).toMatchObject([
        { data: [{ selection_type: draw, odds_decimal: 1.8, sportsbook: 'draftkings' }] },
      ])
    },
  )

  it('that narrows its filter at once gets only the narrower rows', async () => {
    by.odds(knicks, dk(1.9), { sportsbook: 'fanduel', price: 1.8 })
    const client = by.open('channels=odds')
    client.say({ type: 'subscribe', filters: { sportsbooks: ['fanduel'] } })
    await complete(client)
    by.advance(50)
    by.odds(knicks, dk(1.7), { sportsbook: 'fanduel', price: 1.6 })
    await by.until('the change', () => client.of('odds:update').length > 0)
    const sources = [...client.of('initial'), ...client.of('odds:update')].map((of) => of.source)
    expect(new Set(sources)).toEqual(new Set(['fanduel']))
  })

  it.each(['number', 'position'])(
    'resumes from its %s if it repeats its query at once',
    async (place) => {
      by.odds(knicks, dk(1.9))
      const first = by.open('channels=odds&league=nba&proof=true')
      await complete(first)
      const [{ global_seq }] = first.of('connected')
      const [{ position }] = first.of('snapshot:complete')
      first.session.end()
      by.advance(200)
      by.odds(knicks, dk(1.8))
      await tick()
      const from =
        place === 'number' ? `resume=true&from_seq=${global_seq}` : `resume_from=${position}`
      const second = by.open(`channels=odds&league=nba&proof=true&${from}`)
      second.say({ type: 'subscribe' })
      second.say({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['NBA'] } })
      await complete(second)
      expect(second.of('subscribed')).toHaveLength(3)
      expect(second.of('snapshot:complete')).toMatchObject([{ resumed: true }])
      expect([second.of('initial'), second.of('resync')]).toEqual([[], []])
      expect([...second.prices().values()]).toEqual([1.8])
    },
  )

  it('with a position that no board has reached gets everything', async () => {
    by.odds(knicks, dk(1.9))
    await by.pass(150)
    const client = by.open('channels=odds&proof=true&resume_from=v3:e:999999-999999-0-0-0')
    await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
    expect(client.of('resync')).toMatchObject([{ reason: 'other_log' }])
    expect(client.prices().size).toBe(1)
  })

  it.each([
    ['of a later version', 'v4:e:0-0', [{ reason: 'other_log' }], false],
    ['of version 2', 'v2:e:0-0-0-0', [{ reason: 'other_log' }], false],
    ['of version 1', 'v1:e:0-0-0-0', [{ reason: 'other_log' }], false],
    ['of before there were versions', 'e:0-0', [{ reason: 'other_log' }], false],
    ['of this version', 'v3:e:0-0-0-0-0', [], true],
  ])(
    'with a position %s is resynced or gets the missed changes',
    async (_, token, resyncs, resumed) => {
      by.odds(knicks, dk(1.9))
      await by.pass(150)
      const client = by.open(`channels=odds&proof=true&resume_from=${token}`)
      await complete(client)
      expect(client.of('connected')).toMatchObject([{ resumed }])
      expect(client.of('resync')).toMatchObject(resyncs)
      expect(client.of('snapshot:complete')).toMatchObject([{ resumed }])
      expect(client.prices().size).toBe(1)
    },
  )

  it('of a tier with some sportsbooks gets no removals of others’ rows', async () => {
    by.odds(knicks, dk(1.9), { sportsbook: 'pinnacle', price: 1.95 })
    await by.pass(150)
    const view = viewOf(by.streams.scopes.of(by.callerOf('hobby')))
    const position = by.tokens.of({ epoch: 'e', offsets: {} }, view)
    by.withdraw(knicks, { sportsbook: 'pinnacle', price: 1.95 })
    const client = by.open(`channels=odds&proof=true&resume_from=${position}`, 'hobby')
    await complete(client)
    expect(client.of('snapshot:complete')).toMatchObject([{ resumed: true }])
    expect(client.of('odds:removed')).toEqual([])
    expect(client.prices().size).toBe(1)
  })

  it('is closed when it takes nothing, whatever it sends itself', async () => {
    by.odds(knicks, dk(1.9))
    const client = by.open('channels=odds')
    await complete(client)
    client.state.isFull = true
    for (let seconds = 0; seconds <= 30; seconds += 6) {
      expect(client.state.closed).toBeNull()
      client.say({ type: 'ping' })
      await by.pass(6_000)
    }
    expect(client.state.closed).toBe(1013)
  })

  it('is told why it is closed with replies that it does not read', async () => {
    by.odds(knicks, dk(1.9))
    const client = by.open('channels=odds')
    await complete(client)
    client.state.isFull = true
    for (let second = 0; client.state.closed === null && second < 20; second++) {
      for (let frame = 0; frame < framesPerSecond; frame++) client.say({ type: 'ping' })
      await by.pass(1_000)
    }
    expect(client.state.closed).toBe(1013)
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'backpressure' })
    expect(client.frames.map(({ seq }) => seq)).toEqual(client.frames.map((_, i) => i + 1))
  })

  it('names events by their whole ids', async () => {
    by.odds(knicks, dk(1.9))
    const client = by.open('channels=odds&event=nba_bulls_knicks_2027-01-14')
    await complete(client)
    expect(client.of('error')).toMatchObject([{ code: 'invalid_filter' }])
    expect(client.of('subscribed')).toMatchObject([{ eventIds: [] }])
    expect(client.prices().size).toBe(0)
  })
})
