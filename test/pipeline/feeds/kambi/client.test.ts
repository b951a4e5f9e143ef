import { afterEach, describe, expect, it } from 'vitest'
import { kambi } from '../../../../pipeline/feeds/kambi/source.ts'
import { SettingsError } from '../../../../pipeline/feeds/kit/source.ts'
import type { Health } from '../../../../pipeline/feeds/kit/source-health.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'
import { createRecordingSink, json, openSource, type Source } from '../loopback.ts'
import { hasPayloads, loadText, oddsOf } from '../payloads.ts'

let source: Source | undefined
afterEach(() => source?.close())

const event = (id: number) => ({
  id,
  name: 'Away @ Home',
  homeName: 'Home',
  awayName: 'Away',
  start: '2099-01-01T00:00:00Z',
  group: 'MLB',
  sport: 'BASEBALL',
  state: 'NOT_STARTED',
})
const boardOf = (id: number) => ({
  events: [event(id)],
  betOffers: [
    {
      id: id * 10,
      eventId: id,
      criterion: { label: 'Moneyline' },
      betOfferType: { id: 2 },
      outcomes: [{ id: id * 100, type: 'OT_ONE', odds: 2000 }],
    },
  ],
})

describe('the feed of Kambi', () => {
  it('reads the board of every listed event, and continues when one fails', async () => {
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.includes('/listView/'))
        json(response, { events: [1, 2, 3].map((id) => ({ event: event(id) })) })
      else if (path.endsWith('/event/2.json')) json(response, '{"betOffers":[{"id"')
      else json(response, boardOf(Number(/(\d+)\.json$/.exec(path)?.[1])))
    })
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = kambi.open({
      operator: 'rsiusnj',
      paths: ['baseball/mlb'],
      live: false,
      intervalMs: 5,
      baseUrl,
      http: { retries: 1, backoffMs: 1 },
    })
    const running = feed.run(sink, controller.signal)
    await until(() => skips.length >= 2)
    controller.abort()
    await running
    const odds = oddsOf({ records: records as never })
    expect(odds.slice(0, 2).map(({ event: { externalId } }) => externalId)).toEqual(['1', '3'])
    expect(
      odds.every(({ sportsbook, markets }) => sportsbook === 'betrivers' && markets.length),
    ).toBe(true)
    expect(skips[0]?.reason).toBe('fetch_not_json')
    expect(source.requests[0]).toBe(
      '/offering/v2018/rsiusnj/listView/baseball/mlb/all/all/matches.json?lang=en_GB&market=GB',
    )
  })

  it.each([
    ['is no list', { events: null }],
    ['has no event that can be read', { events: [{ event: {} }, { event: {} }] }],
  ])('withdraws nothing after a list of events that %s', async (_, unreadable) => {
    let listed: unknown = { events: [1, 2].map((id) => ({ event: event(id) })) }
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.includes('/listView/')) json(response, listed)
      else json(response, boardOf(Number(/(\d+)\.json$/.exec(path)?.[1])))
    })
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const feed = kambi.open({
      ...{ operator: 'rsiusnj', paths: ['baseball/mlb'], live: false, intervalMs: 5 },
      baseUrl: source.baseUrl,
      http: { retries: 0 },
    })
    const running = feed.run(sink, controller.signal)
    const removed = () =>
      oddsOf({ records: records as never })
        .flatMap(({ markets }) => markets.flatMap(({ selections }) => selections))
        .filter((selection) => selection.removed)
    await until(() => records.length > 0)
    listed = unreadable
    const isRefused = () => skips.some(({ reason }) => reason === 'fetch_unexpected_answer')
    await until(() => isRefused() || removed().length > 0)
    controller.abort()
    await running
    expect(removed()).toEqual([])
  })

  it('skips an event without an id, and withdraws nothing by a list that has one', async () => {
    const named = (...ids: readonly number[]) => ids.map((id) => ({ event: event(id) }))
    const nameless = { event: { name: 'Away @ Home' } }
    const lists = [named(1, 2), [...named(1), nameless], [null, ...named(1)], named(1)]
    let round = 0
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.includes('/listView/')) json(response, { events: lists[round] })
      else json(response, boardOf(Number(/(\d+)\.json$/.exec(path)?.[1])))
    })
    const { sink, records, skips } = createRecordingSink()
    const controller = new AbortController()
    const removedAfter: unknown[] = []
    const healths: (string | null)[] = []
    const feed = kambi.open({
      ...{ operator: 'rsiusnj', paths: ['baseball/mlb'], live: false, intervalMs: 500 },
      baseUrl: source.baseUrl,
      http: {
        retries: 0,
        now: () => round * 500,
        async sleep() {
          removedAfter.push(
            oddsOf({ records: records as never }).flatMap(({ event: { externalId }, markets }) =>
              markets.some(({ selections }) => selections.some(({ removed }) => removed))
                ? [externalId]
                : [],
            ),
          )
          if (++round === lists.length) controller.abort()
        },
      },
    })
    const report = ({ state, reason }: Health) => void healths.push(reason ?? state)
    await feed.run({ ...sink, report }, controller.signal)
    expect(removedAfter).toEqual([[], [], [], ['2']])
    expect(skips.map(({ reason }) => reason)).toEqual(['malformed', 'malformed'])
    expect(healths).toContain('unreadable')
    expect(healths.at(-1)).toBe('up')
  })

  it.each([401, 403, 429])('asks for no further board after status %i', async (status) => {
    source = await openSource((request, response) => {
      const path = new URL(request.url ?? '', 'http://x').pathname
      if (path.includes('/listView/')) {
        json(response, { events: [1, 2, 3, 4].map((id) => ({ event: event(id) })) })
      } else if (path.endsWith('/event/2.json')) json(response, { error: 'no' }, status)
      else json(response, boardOf(Number(/(\d+)\.json$/.exec(path)?.[1])))
    })
    const { sink, records } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = kambi.open({
      ...{ operator: 'rsiusnj', paths: ['baseball/mlb'], live: false, baseUrl },
      http: { retries: 0, sleep: async () => controller.abort() },
    })
    await feed.run(sink, controller.signal)
    const odds = oddsOf({ records: records as never })
    expect(odds.map(({ event: { externalId } }) => externalId)).toEqual(['1'])
    expect(source.requests.filter((path) => path.includes('/betoffer/'))).toHaveLength(2)
  })

  describe('of games in play', () => {
    const liveGame = { ...event(9), group: 'NBA', sport: 'BASKETBALL', state: 'STARTED' }
    const spread = (id: number, ...lines: readonly number[]) => ({
      ...{ id, eventId: id, criterion: { label: 'Point Spread - Including Overtime' } },
      betOfferType: { id: 1 },
      outcomes: lines.flatMap((line) => [
        { id: line * 10, type: 'OT_ONE', odds: 1900, line: line * 1000 },
        { id: line * 10 + 1, type: 'OT_TWO', odds: 1900, line: -line * 1000 },
      ]),
    })
    type Round = { readonly live: unknown; readonly board?: unknown }

    /** Returns the home side's lines on the board after each round, by what each record says. */
    async function linesAfter(rounds: readonly Round[]) {
      let round = 0
      source = await openSource((request, response) => {
        const { live, board } = rounds[round] ?? (rounds.at(-1) as Round)
        const path = new URL(request.url ?? '', 'http://x').pathname
        if (path.includes('/live/')) json(response, live)
        else if (path.includes('/listView/')) {
          json(response, { events: board ? [{ event: liveGame }] : [] })
        } else json(response, board)
      })
      const { sink, records } = createRecordingSink()
      const controller = new AbortController()
      const after: string[][] = []
      const feed = kambi.open({
        ...{ operator: 'ub', paths: ['basketball/nba'], intervalMs: 500 },
        baseUrl: source.baseUrl,
        http: {
          retries: 0,
          now: () => round * 500,
          async sleep() {
            after.push(openLines(oddsOf({ records: records as never })))
            if (++round === rounds.length) controller.abort()
          },
        },
      })
      await feed.run(sink, controller.signal)
      return after
    }

    function openLines(records: readonly OddsRecord[]): string[] {
      const open = new Set<string>()
      for (const { mode, markets } of records) {
        if (mode === 'snapshot') open.clear()
        for (const { line, selections } of markets) {
          for (const { removed, selectionType, ...own } of selections) {
            if (selectionType !== 'home') continue
            if (removed) open.delete(String(own.line ?? line))
            else open.add(String(own.line ?? line))
          }
        }
      }
      return [...open]
    }

    const live = (...lines: readonly number[]) => ({
      liveEvents: [
        { event: liveGame, ...(lines.length > 0 && { mainBetOffer: spread(9, ...lines) }) },
      ],
    })
    /** Another game, so that a response has something to read. */
    const others = [{ event: { ...liveGame, id: 8 } }]
    const board = (...lines: readonly number[]) => ({
      events: [liveGame],
      betOffers: [spread(9, ...lines)],
    })

    it('withdraws the main line that moved, is offered no more, or whose game is over', async () => {
      const rounds = [{ live: live(-5.5) }, { live: live(-7.5) }, { live: live() }]
      expect(await linesAfter(rounds)).toEqual([['-5.5'], ['-7.5'], []])
      const over = [{ live: live(-5.5) }, { live: { liveEvents: [] } }]
      expect(await linesAfter(over)).toEqual([['-5.5'], []])
    })

    it('withdraws nothing by an answer that cannot be read', async () => {
      const rounds = [{ live: live(-5.5) }, { live: { error: 'maintenance' } }]
      expect(await linesAfter(rounds)).toEqual([['-5.5'], ['-5.5']])
    })

    it('withdraws nothing by a list with an event that cannot be read, for as long as it is usable', async () => {
      const unread = { live: { liveEvents: [{ event: { name: 'Away @ Home' } }, ...others] } }
      const rounds = Array.from({ length: 123 }, () => unread)
      const after = await linesAfter([{ live: live(-5.5) }, ...rounds])
      expect(after[120]).toEqual(['-5.5'])
      expect(after[122]).toEqual([])
    })

    it('leaves the other prices of the board of a game, until the board lacks them', async () => {
      const rounds = [
        { live: live(-5.5), board: board(-5.5, -6.5) },
        { live: live(-7.5), board: board(-5.5, -6.5) },
        { live: live(-7.5), board: board(-7.5) },
        { live: live(-7.5) },
        { live: live() },
      ]
      expect(await linesAfter(rounds)).toEqual([
        ['-5.5', '-6.5'],
        ['-5.5', '-6.5', '-7.5'],
        ['-7.5'],
        ['-7.5'],
        [],
      ])
    })
  })

  it('requires the sportsbook of an operator that is not listed', () => {
    expect(() => kambi.open({ operator: 'zz', paths: [] })).toThrow(SettingsError)
    expect(kambi.open({ operator: 'zz', sportsbook: 'unibet', paths: [] }).name).toBe('kambi')
  })

  it.skipIf(!hasPayloads)(
    'publishes a recorded board and games in play (needs ../shared)',
    async () => {
      const folder = 'feeds/kambi'
      source = await openSource((request, response) => {
        const path = new URL(request.url ?? '', 'http://x').pathname
        if (path.includes('/listView/')) json(response, { events: [{ event: event(1022036491) }] })
        else if (path.includes('/live/'))
          json(response, loadText(`${folder}/event_live_open_2019-02-11.json`))
        else json(response, loadText(`${folder}/betoffer_event_mlb_phi_sd_2025-07-13.json`))
      })
      const { sink, records, until } = createRecordingSink()
      const controller = new AbortController()
      const { baseUrl } = source
      const feed = kambi.open({
        operator: 'ub',
        paths: ['baseball/mlb'],
        intervalMs: 60_000,
        baseUrl,
      })
      const running = feed.run(sink, controller.signal)
      await until(() => records.some(({ type }) => type === 'game_state'))
      controller.abort()
      await running
      // One status, one board, and price, status and score of five games.
      expect(records).toHaveLength(1 + 1 + 15)
    },
  )
})
