/**
 * Two boards that differ only in hidden prices: a caller who may not see the difference gets the same responses from
 * both, byte for byte, headers included, on every route, stream and tool. Figures that are measured against hidden
 * prices are rounded to steps, and the prices here differ as far as the steps allow.
 *
 * Only random fields (`position`, cursors, request ids) and those of the account are masked.
 */

import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../api/route.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { evFigures, veil, veiledFigures } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { FeedRecord } from '../../schemas/feed-record.ts'
import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'
import {
  inHours,
  knicks,
  leeds,
  moneyline,
  packers,
  parsed,
  push,
  spread,
  total,
} from './hand-made-market.ts'
import { oddsRecord } from './service-in-process.ts'
import { type SimulatedService, startAt, startSimulated } from './simulated-service.ts'
import { type Events, type Frames, openEvents, openFrames } from './stream-reader.ts'

type Pair = readonly [number, number]
type Prices = readonly number[]

const bruins = {
  sport: 'hockey',
  league: 'NHL',
  home: 'Boston Bruins',
  away: 'New York Rangers',
  startsAt: inHours(-1),
  isLive: true,
} as const

// ---- the two boards

const sharp = ['pinnacle', 'circa', 'bookmaker'] as const
const unseen = ['unibet_uk', 'betway'] as const
const hiddenBooks: readonly string[] = [...sharp, ...unseen]

/** Returns the veiled figures of a market's prices. */
function veiledMarket(prices: Prices): string {
  const devigged = devig(prices)!
  const fair = devigged.probabilities.map((of) => Math.floor(of / veil.fair))
  return JSON.stringify([fair, Math.ceil(devigged.overround / veil.width)])
}

/** Returns two markets as far apart as possible with the same veiled figures. */
function twins(around: Pair): readonly [Prices, Prices] {
  const bySteps = new Map<string, Prices[]>()
  for (let i = -40; i <= 40; i++) {
    for (let j = -40; j <= 40; j++) {
      const prices = [around[0] + i / 1_000, around[1] + j / 1_000]
      const key = veiledMarket(prices)
      bySteps.set(key, [...(bySteps.get(key) ?? []), prices])
    }
  }
  const alike = [...bySteps.values()].reduce((a, b) => (b.length > a.length ? b : a))
  return [alike[0]!, alike.at(-1)!]
}

const even = twins([1.93, 1.97])
const over = twins([1.95, 1.95])

interface World {
  readonly service: SimulatedService
  /** Moves the hidden prices, in one world only or differently in each. */
  moveHidden(): void
  /** Moves the prices that all see, alike in both worlds. */
  moveSeen(): void
}

async function world(which: 0 | 1, said: readonly FeedRecord[] = []): Promise<World> {
  const service = await startSimulated(null)
  service.say(said)
  let moves = 0
  const seen = tierBooks.pro ? [...tierBooks.pro] : []
  const offers = (books: readonly string[], of: (i: number) => readonly object[]) =>
    Object.fromEntries(books.map((book, i) => [book, of(i)]))
  const nudge = (i: number) => ((i * 7 + moves * 3) % 5) / 20

  /** Pushes these sportsbooks' score of the game in play. */
  function sayScore(books: readonly string[], home: number) {
    const now = service.clock()
    const records = books.map((sportsbook) => {
      const { markets: _, mode: __, ...record } = oddsRecord(now, { ...bruins, sportsbook })
      return { ...record, type: 'game_state', state: { home_score: home, away_score: 1 } }
    })
    service.say(parsed(now, records))
  }

  function saySeen() {
    push(
      service,
      knicks,
      offers(seen, (i) => [
        moneyline(1.9 + nudge(i), 2.05 - nudge(i + 1)),
        total(220.5, 1.85 + nudge(i), 1.9 + nudge(i + 2)),
        total(224.5, 2.3 + nudge(i), 1.6),
        spread(-2.5, 1.9, 1.95),
      ]),
    )
    push(
      service,
      leeds,
      offers(seen, (i) => [moneyline(2.5 + nudge(i), 2.9, 3.3)]),
    )
    push(
      service,
      bruins,
      offers(['draftkings', 'fanduel'], (i) => [moneyline(1.9 + nudge(i), 1.9)]),
    )
    sayScore(['draftkings', 'fanduel'], 2 + moves)
  }

  function sayHidden() {
    const shift = which === 0 ? 0 : 0.02 * (1 + (moves % 3))
    const [ml, tot] = [even[which], over[which]] as [number[], number[]]
    push(service, knicks, {
      ...offers(sharp, () => [moneyline(ml[0]!, ml[1]!), total(220.5, tot[0]!, tot[1]!)]),
      ...offers(unseen, () => [moneyline(1.92 + shift, 1.98), total(220.5, 1.91 + shift, 1.9)]),
    })
    push(
      service,
      packers,
      offers(unseen, () => [moneyline(1.9 + shift, 1.9)]),
    )
    sayScore(hiddenBooks, which === 0 ? 2 : 4 + moves)
  }

  saySeen()
  sayHidden()
  service.step(70_000)
  saySeen()
  sayHidden()
  service.step(1_000)
  return {
    service,
    moveHidden() {
      if (which === 0) return
      // These prices move more often and to other values, within their steps.
      for (let i = 0; i < 3; i++) {
        moves++
        sayHidden()
      }
    },
    moveSeen() {
      moves = 1
      saySeen()
    },
  }
}

// ---- all requests

/** Returns requests of every read route, by its path. */
function requestsOf(routes: readonly Route[], event: string, ids: readonly string[]): string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    ':sportId': ['basketball'],
    ':sport': ['basketball', 'hockey'],
    ':leagueId': ['nba'],
    ':bookId': ['draftkings', 'pinnacle'],
    ':eventId': [event],
    ':id': ids,
  }
  const queries: Readonly<Record<string, readonly string[]>> = {
    '/odds': [
      '',
      'league=nba',
      'sort=-odds_american&limit=7',
      'is_main_line=true',
      'group_by=event',
    ],
    '/odds/delta': [
      `since=${new Date(startAt).toISOString()}`,
      'since=2026-05-02T18:01:11.000Z&limit=5',
    ],
    '/odds/best': ['', 'market=main', `event=${event}`],
    '/odds/comparison': [`event=${event}`],
    '/odds/closing': [`event_id=${event}`],
    '/futures/odds': ['league=nba'],
    '/futures/comparison': ['future_id=nba_champion_2026'],
    '/splits/history': [`event_id=${event}`],
    '/deeplinks': ids.map((id) => `id=${id}`),
    '/opportunities/ev': [
      'limit=200',
      'limit=200&max_hold=10&sort=-confidence',
      'min_ev=2&sort=-kelly',
      'max_odds_age=30',
      'arb_available=true',
      'devig_book=circa&limit=200&max_hold=10',
      'devig_book=betway',
      'devig_book=draftkings&limit=200',
    ],
    '/opportunities/arbitrage': ['min_profit=-100&limit=200', 'format=csv'],
    '/opportunities/middles': ['limit=200&sort=ev'],
    '/opportunities/low_hold': ['max_hold=10&limit=200', 'sportsbook=betmgm'],
  }
  return routes
    .filter(({ kind, path }) => kind === 'read' && !path.includes('openapi'))
    .map(({ path }) => path.replace('/api/v1', ''))
    .flatMap((path) => {
      const parameter = /:\w+/.exec(path)?.[0]
      const at = parameter
        ? (values[parameter] ?? []).map((value) => path.replace(parameter, value))
        : [path]
      expect([path, at.length > 0]).toEqual([path, true])
      return at.flatMap((one) => (queries[path] ?? ['']).map((query) => `${one}?${query}`))
    })
}

/** Requests a path and returns the response with random fields masked. */
async function answerTo(base: string, path: string, key: string, etag = '') {
  const response = await fetch(base + path, {
    redirect: 'manual',
    headers: {
      // Random fields change the length of a compressed body.
      'Accept-Encoding': 'identity',
      ...(key && { 'X-API-Key': key }),
      ...(etag && { 'If-None-Match': etag }),
    },
  })
  const headers = [...response.headers].filter(
    ([name]) => !['date', 'x-request-id', 'keep-alive'].includes(name),
  )
  const text = masked(await response.text())
  const isMasked = text.includes('"…"')
  return {
    path,
    status: response.status,
    headers: headers.map(([name, value]) => [name, name === 'etag' && isMasked ? '…' : value]),
    text,
    etag: response.headers.get('etag') ?? '',
  }
}

/** Masks random fields, also inside nested JSON texts, as tools return them. */
const masked = (text: string) =>
  text.replaceAll(/(\\*")(position|next_cursor|cursor)\1:\1[^"\\]*\1/g, '$1$2$1:"…"')

function shown(
  { etag, headers, ...others }: Awaited<ReturnType<typeof answerTo>>,
  isRandom = others.text.includes('"…"'),
) {
  if (!isRandom) return { ...others, headers, etag }
  return { ...others, headers: headers.filter(([name]) => name !== 'etag') }
}

async function compare(a: World, b: World, tier: Tier, keyless = false) {
  const event = a.service.boards.live.events('*').find(({ row }) => row.league === 'nba')!.id
  const rows = a.service.boards.live.rows
  const oddsIds: string[] = []
  const { body } = await a.service.get(
    `/odds?event=${event}&limit=200`,
    await a.service.key('enterprise'),
  )
  for (const { id } of body.data) oddsIds.push(id)
  const found: string[] = []
  for (const kind of ['ev', 'arbitrage', 'middles', 'low_hold']) {
    const list = await a.service.get(
      `/opportunities/${kind}?limit=40`,
      await a.service.key('enterprise'),
    )
    found.push(...list.body.data.map(({ id }: { id: string }) => id).slice(0, 40))
  }
  expect(rows.size).toBeGreaterThan(100)
  const ids = [...found, ...oddsIds.filter((_, i) => i % 9 === 0)]
  const paths = [
    ...requestsOf(a.service.routes, event, ids),
    ...[...ids, ...oddsIds].slice(0, 30).map((id) => `/deeplink/${id}`),
  ]
  let [here, there] = ['', '']
  let answered = 0
  for (const [i, path] of paths.entries()) {
    if (i % 4 === 0 && !keyless) {
      here = await a.service.key(tier, ['game_state'])
      there = await b.service.key(tier, ['game_state'])
    }
    const one = await answerTo(a.service.base, path, here)
    const other = await answerTo(b.service.base, path, there)
    expect(shown(other)).toEqual(shown(one))
    if (one.status === 200) answered++
    // Neither cached nor recomputed responses may leak the difference.
    b.moveHidden()
    a.moveHidden()
    const again = await answerTo(a.service.base, path, here, one.etag)
    const otherAgain = await answerTo(b.service.base, path, there, other.etag)
    // The tag of a text with random fields is random too, and a 304 carries it without the text.
    const isRandom = one.text.includes('"…"')
    expect(shown(otherAgain, isRandom)).toEqual(shown(again, isRandom))
  }
  return answered
}

// ---- all that streams send

/**
 * Returns what a stream and a socket were sent, without what comes by real time: heartbeats, pongs, and which of the
 * channels comes first. Each channel's frames keep their order, and numbers of prices theirs on the socket.
 */
function receivedBy({ events, socket }: { readonly events: Events; readonly socket: Frames }) {
  // A frame that was left out would leave a gap here.
  expect(socket.frames.map(({ seq }) => seq)).toEqual(socket.frames.map((_, i) => i + 1))
  expect(events.blocks.map(({ id }) => Number(id?.replace('evt_', '')))).toEqual(
    events.blocks.map((_, i) => i + 1),
  )
  const isTimed = (name: string) => /^(heartbeat|pong$)/.test(name)
  const frames = socket.frames.filter(({ type }) => !isTimed(type))
  const first = frames.find(({ type }) => type === 'connected').global_seq
  return {
    numbers: frames.filter((of) => 'global_seq' in of).map(({ global_seq }) => global_seq - first),
    frames: byChannel(frames, ({ type }) => type).map((frame) => ({
      ...frame,
      seq: '…',
      ...('global_seq' in frame && { global_seq: frame.global_seq - first }),
      ...('position' in frame && { position: '…' }),
      ...('stream_id' in frame && { stream_id: '…' }),
    })),
    blocks: byChannel(
      events.blocks.filter(({ event }) => !isTimed(event)),
      ({ event }) => event,
    ).map(({ event, data }) => [event, masked(data)]),
  }
}

/** Sorts frames by their channel; a channel's own keep their order. */
const byChannel = <T>(frames: readonly T[], nameOf: (frame: T) => string) =>
  frames.toSorted((a, b) => compareTexts(channelOf(nameOf(a)), channelOf(nameOf(b))))

const channelOf = (name: string) => name.split(':', 1)[0]!

describe('two boards that differ in hidden prices alone', () => {
  it.each(['free', 'hobby', 'pro'] as const)('respond to %s alike on every route', async (tier) => {
    const [a, b] = await Promise.all([world(0), world(1)])
    try {
      expect(await compare(a, b, tier)).toBeGreaterThan(tier === 'pro' ? 60 : 20)
      // The comparison proves nothing unless the worlds differ.
      const [full, other] = await Promise.all(
        [a, b].map(async ({ service }) =>
          service.get('/opportunities/ev?limit=200', await service.key('sharp')),
        ),
      )
      expect(full!.text).not.toBe(other!.text)
      expect(full!.body.data.length).toBeGreaterThan(5)
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })

  it('respond without a key alike', async () => {
    const [a, b] = await Promise.all([world(0), world(1)])
    try {
      const paths = ['/sports', '/leagues', '/sportsbooks', '/markets', '/health']
      for (const path of paths) {
        const one = await answerTo(a.service.base, path, '')
        const other = await answerTo(b.service.base, path, '')
        expect(shown(other)).toEqual(shown(one))
      }
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })

  it('respond to a sharp account alike if the difference is the owner’s', async () => {
    const owned = hiddenBooks.map(
      (sportsbook): FeedRecord => ({
        type: 'book_status',
        sportsbook,
        observedAt: startAt,
        status: 'up',
        audience: 'owner',
      }),
    )
    const [a, b] = await Promise.all([world(0, owned), world(1, owned)])
    try {
      expect(await compare(a, b, 'sharp')).toBeGreaterThan(20)
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })

  it('respond to the free tier alike until its minute is over', async () => {
    const [a, b] = await Promise.all([world(0), world(0)])
    try {
      a.service.step(10_000)
      b.service.step(10_000)
      const { service } = b
      const fresh = oddsRecord(service.clock(), {
        sportsbook: 'draftkings',
        ...knicks,
        markets: [moneyline(1.5, 2.9), total(230.5, 1.9, 1.9)],
      })
      service.say(parsed(service.clock(), [fresh]))
      expect(await compare(a, b, 'free')).toBeGreaterThan(10)
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })

  it('do not show pro by the requested age when the hidden price moved', async () => {
    /** Pushes the visible price three times. At `moment` the hidden price moves too and creates value. */
    const valueFrom = async (moment: number) => {
      const service = await startSimulated(null)
      const say = (home: number, away: number) =>
        push(service, knicks, {
          draftkings: [moneyline(2.1, 1.8)],
          pinnacle: [moneyline(home, away)],
          circa: [moneyline(home, away)],
        })
      for (const [at, ms] of [20_000, 60_000, 10_000].entries()) {
        if (at < moment) say(2.3, 1.69)
        else say(1.95, 1.95)
        service.step(ms)
      }
      return service
    }
    const [early, late] = await Promise.all([valueFrom(1), valueFrom(2)])
    try {
      for (const [age, count] of [
        [5_000, 1],
        [11_000, 0],
        [60_000, 0],
      ] as const) {
        const [one, other] = await Promise.all(
          [early, late].map(async (service) => {
            const path = `/opportunities/ev?min_age_ms=${age}`
            return (await service.get(path, await service.key('pro'))).body.data
          }),
        )
        expect(one).toEqual(other)
        expect([age, one.length]).toEqual([age, count])
      }
    } finally {
      await Promise.all([early.close(), late.close()])
    }
  })

  it('are streamed to pro alike', async () => {
    const [a, b] = await Promise.all([world(0), world(1)])
    try {
      const streamed = async (of: World) => {
        const key = await of.service.key('pro', ['streaming', 'game_state'])
        const headers = { 'X-API-Key': key }
        const events = await openEvents(`${of.service.base}/stream?channel=all&proof=true`, headers)
        await events.next('snapshot:complete')
        // Channels go in the address: a late subscribe frame on a busy machine would find a snapshot under way.
        const channels = 'odds,ev,arbitrage,low_hold,gamestate'
        const socket = await openFrames(
          `${of.service.base.replace('http', 'ws')}/ws?api_key=${key}&proof=true&channels=${channels}`,
        )
        await socket.next('snapshot:complete')
        return { events, socket }
      }
      const [here, there] = [await streamed(a), await streamed(b)]
      a.moveHidden()
      b.moveHidden()
      a.moveSeen()
      b.moveSeen()
      // Each channel sends by a timer of its own, opportunities later where the process is busy.
      const lastOfChannels = ['odds:update', 'low_hold:detected', 'gamestate:update']
      for (const { events, socket } of [here, there]) {
        for (const name of lastOfChannels) {
          await events.next(name)
          await socket.next(name)
        }
        // The pong follows what a tick sends besides.
        socket.send({ type: 'ping' })
        await socket.next('pong')
      }
      // The last blocks of the stream may still be on their way.
      const areAlike = () => isDeepStrictEqual(receivedBy(there), receivedBy(here))
      await expect.poll(areAlike).toBe(true)
      expect(receivedBy(there)).toEqual(receivedBy(here))
      for (const { events, socket } of [here, there]) {
        events.close()
        socket.close()
      }
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })

  it('are the same to the tools of pro', async () => {
    const [a, b] = await Promise.all([world(0), world(1)])
    try {
      const call = async ({ service }: World, method: string, params: object) => {
        const headers = {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        }
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const key = await service.key('pro', ['game_state'])
        return masked((await service.request('POST', '/mcp', key, headers, body)).text)
      }
      const { tools } = JSON.parse(await call(a, 'tools/list', {})).result
      expect(tools.length).toBeGreaterThan(5)
      for (const { name } of tools as readonly { name: string }[]) {
        // This tool is about the account, not the board.
        if (name === 'get_account_info') continue
        const [one, other] = [
          await call(a, 'tools/call', { name, arguments: {} }),
          await call(b, 'tools/call', { name, arguments: {} }),
        ]
        expect([name, other]).toEqual([name, one])
      }
    } finally {
      await Promise.all([a.service.close(), b.service.close()])
    }
  })
})

describe('veiled prices', () => {
  it('cannot be distinguished by any figures of any price', () => {
    const [first, second] = even
    for (let price = 1.5; price < 3; price += 0.01) {
      for (const outcome of [0, 1]) {
        const [one, other] = [first, second].map((against) => {
          const of = {
            marketType: 'moneyline',
            sport: 'basketball',
            lines: [null],
            sources: 1,
            measure: null,
            against,
            outcome,
          }
          const figures = evFigures({ ...of, prices: [price] })!
          return veiledFigures(figures, price)
        })
        expect(other).toEqual(one)
      }
    }
    // Prices may differ by this much.
    expect(Math.abs(first[0]! - second[0]!)).toBeGreaterThan(0.008)
  })
})
