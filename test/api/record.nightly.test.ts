/**
 * `/record` and `/record/public` over an archive of made-up lives, closes and results, against a slow recomputation,
 * life by life and bet by bet.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { studentT } from '../../pipeline/rules/odds/closing-line-value.ts'
import { type Fees, netOf } from '../../pipeline/rules/odds/fees.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import type { OpportunityKind } from '../../schemas/opportunity.ts'
import type { LifeEnd, OpportunityLife } from '../../schemas/opportunity-life.ts'
import { standardFees } from '../../schemas/reference/fees.ts'
import { topics } from '../../schemas/topics.ts'
import { type FilledArchive, fillArchive } from '../pipeline/archive/filled-archive.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

const hour = 3_600_000
const first = Date.parse('2026-11-16T12:00:00Z')
const now = Date.parse('2026-11-20T12:00:00Z')
const games = 60
const hidden = 'circa'

/** Returns a pseudo-random number that depends on its place only. */
function drawn(...place: number[]): number {
  let state = 7
  for (const part of place) state = (Math.imul(state ^ part, 0x9e3779b1) ^ (state >>> 13)) >>> 0
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b) >>> 0
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
}
const oneOf = <T>(items: readonly T[], ...place: number[]) =>
  items[Math.floor(drawn(...place) * items.length)]!

const idOf = (game: number) => `nba_a${game}_b${game}_2026-11-17_b3`
const startOf = (game: number) => first + (game % 3) * 24 * hour + 9 * hour
const lineOf = (game: number) => oneOf([204, 208.5, 210.25, 211.75, 213], game, 3)
/** Returns a score. Every third total lies next to the line, for pushes, half wins and half losses. */
function scoreOf(game: number) {
  const away = 91 + Math.floor(drawn(game, 2) * 30)
  const home = 90 + Math.floor(drawn(game, 1) * 30)
  return { home: game % 3 === 0 ? Math.round(lineOf(game)) - away : home, away }
}
/** Returns whether the game has a result. Every tenth has none. */
const hasResult = (game: number) => game % 10 !== 0

/** Returns whether the game was played five days after the start that it had when its lives were detected. */
const isMoved = (game: number) => game % 7 === 3
/** Returns whether a score settles bets on the game. */
const isSettled = (game: number) => hasResult(game) && !isMoved(game)

/** The events of some games, as they were listed, and as they were after the last life; of others there is nothing. */
const events = [...Array(games).keys()]
  .filter((game) => isMoved(game) || game % 2 === 0)
  .flatMap((game) => {
    const row = (updatedAt: number, laterMs: number): EventRow => ({
      id: idOf(game),
      sport: 'basketball',
      league: 'nba',
      leagueMapped: true,
      homeTeam: `a${game}`,
      awayTeam: `b${game}`,
      flipped: false,
      startsAt: startOf(game) + laterMs,
      isLive: false,
      status: 'upcoming',
      updatedAt,
    })
    const listed = row(first - hour, isMoved(game) ? -120 * hour : 0)
    return [listed, row(now - hour, 0)]
  })

interface Made {
  readonly game: number
  readonly life: OpportunityLife
  /** The sharp book's no-vig close of the first leg; null for none. */
  readonly close: number | null
}

const books = ['draftkings', 'fanduel', 'betmgm', 'bovada', hidden] as const
const made: Made[] = []
const closes: ClosingLine[] = []
let lastId = 310_778_204_665_000

function closed(game: number, sportsbook: string, of: Partial<ClosingLine>): ClosingLine {
  return {
    oddsId: ++lastId,
    eventId: idOf(game),
    sport: 'basketball',
    league: 'nba',
    sportsbook,
    marketType: 'moneyline',
    selection: 'any',
    selectionType: 'home',
    line: null,
    playerName: null,
    statCategory: null,
    startsAt: startOf(game),
    capturedAt: startOf(game),
    pricedAt: startOf(game),
    price: 1.9,
    noVig: 0.5,
    withheld: null,
    missing: null,
    missingSince: null,
    ...of,
  }
}

for (let game = 0; game < games; game++) {
  const line = lineOf(game)
  const homeClose = 0.4 + 0.2 * drawn(game, 4)
  const overClose = 0.45 + 0.1 * drawn(game, 5)
  const total = { marketType: 'total_points', line } as const
  closes.push(
    closed(game, 'pinnacle', { noVig: homeClose }),
    closed(game, 'betfair', { noVig: 0.9 }),
    closed(game, 'pinnacle', { ...total, selectionType: 'over', noVig: overClose }),
    // Retail closes are not used as a reference.
    closed(game, 'fanduel', { ...total, selectionType: 'under', noVig: 0.5 }),
  )
  for (let n = 0; n < 4; n++) {
    const place = [game, n + 10]
    const kind = oneOf<OpportunityKind>(['ev', 'ev', 'arbitrage', 'middle'], ...place, 1)
    const isTotal = drawn(...place, 2) < 0.6
    const isLive = drawn(...place, 3) < 0.1
    const at = first + Math.floor(drawn(...place, 4) * 60) * hour
    const stood = Math.floor(drawn(...place, 5) * 200_000)
    const sides = isTotal ? (['over', 'under'] as const) : (['home', 'away'] as const)
    const [bookA, bookB] = [oneOf(books, ...place, 6), oneOf(books, ...place, 7)]
    const legs = (kind === 'ev' ? sides.slice(0, 1) : sides).map((selectionType, leg) => ({
      oddsId: ++lastId,
      sportsbook: leg === 0 ? bookA : bookB,
      selectionType,
      line: isTotal ? line : null,
    }))
    const prices = legs.map((_, leg) => 1.8 + 0.6 * drawn(...place, 8, leg))
    const figures = (later: number) => ({ at: at + later, worth: drawn(...place, 9) / 20, prices })
    const isHidden = legs.some(({ sportsbook }) => sportsbook === hidden)
    const life: OpportunityLife = {
      id: (0x1000_0000_0000 + game * 100 + n).toString(16).padStart(16, '0'),
      kind,
      eventId: idOf(game),
      sport: 'basketball',
      league: 'nba',
      marketType: isTotal ? 'total_points' : 'moneyline',
      playerName: null,
      isLive,
      legs,
      detected: figures(0),
      peak: figures(0),
      gone: figures(stood),
      references: kind === 'ev' ? ['pinnacle'] : [],
      // 4: all sportsbooks; 1 and 2: the sportsbooks of hobby and pro.
      scopes: isHidden ? 4 : 7,
      isSuspected: false,
      why: oneOf<LifeEnd>(['moved', 'withdrawn', 'suspended', 'started'], ...place, 10),
    }
    made.push({ game, life, close: isLive ? null : isTotal ? overClose : homeClose })
  }
}

const results = [...Array(games).keys()].filter(hasResult).map(
  (game): GameResultRow => ({
    eventId: idOf(game),
    sport: 'basketball',
    league: 'nba',
    startsAt: startOf(game),
    status: 'final',
    reports: [
      {
        sportsbook: 'fanduel',
        observedAt: startOf(game) + 3 * hour,
        final: scoreOf(game),
        endedIn: 'Q4',
        periods: [],
      },
    ],
  }),
)

// ---- the slow computation

/** Returns the gain of a bet of 100, settled half by half; null without a result. */
function clerk({ game }: Made, type: string, line: number | null, price: number): number | null {
  if (!isSettled(game)) return null
  const { home, away } = scoreOf(game)
  const pays = (gap: number) => (gap > 0 ? 50 * (price - 1) : gap < 0 ? -50 : 0)
  if (line === null) return 2 * pays(type === 'home' ? home - away : away - home)
  const halves = Number.isInteger(2 * line) ? [line, line] : [line - 0.25, line + 0.25]
  return halves.reduce((sum, half) => {
    const gap = home + away - half
    return sum + pays(type === 'over' ? gap : -gap)
  }, 0)
}

/** Returns the gain of 100 on a life, split over its legs by share. */
function gained(one: Made): number | null {
  const { legs, detected } = one.life
  const booksum = detected.prices.reduce((sum, price) => sum + 1 / price, 0)
  let sum = 0
  for (const [i, { selectionType, line }] of legs.entries()) {
    const gain = clerk(one, selectionType, line, detected.prices[i]!)
    if (gain === null) return null
    sum += gain / detected.prices[i]! / booksum
  }
  return sum
}

/** Returns mean and interval in percent of values by game. */
function figureOf(values: readonly (readonly [game: number, value: number])[]) {
  const events = new Set(values.map(([game]) => game))
  const mean = values.reduce((sum, [, value]) => sum + value, 0) / values.length
  let spread = 0
  for (const event of events) {
    const ofEvent = values.filter(([game]) => game === event)
    spread += ofEvent.reduce((sum, [, value]) => sum + value - mean, 0) ** 2
  }
  const count = events.size
  const deviation = Math.sqrt((count / (count - 1)) * spread) / values.length
  const margin = studentT(count - 1) * deviation
  const isFew = values.length < 30 || count < 10
  return {
    samples: values.length,
    events: count,
    too_few: isFew,
    percent: isFew ? null : near(100 * mean),
    low: isFew ? null : near(100 * (mean - margin)),
    high: isFew ? null : near(100 * (mean + margin)),
  }
}
const near = (value: number) => expect.closeTo(value, 1)

function slowItem(kind: OpportunityKind, some: readonly Made[]) {
  const lives = some.filter(({ life }) => life.kind === kind)
  const stood = lives.map(({ life }) => life.gone.at - life.detected.at).sort((a, b) => a - b)
  const valued = lives.flatMap(({ game, life, close }) =>
    kind !== 'ev' || close === null || isMoved(game)
      ? []
      : [[game, close * life.detected.prices[0]! - 1] as const],
  )
  const beat = figureOf(valued.map(([game, value]) => [game, value > 0 ? 1 : 0]))
  const settled = lives.flatMap((one) => {
    const gain = gained(one)
    return gain === null ? [] : [[one.game, gain / 100] as const]
  })
  return {
    kind,
    listed: lives.length,
    events: new Set(lives.map(({ game }) => game)).size,
    median_seconds: stood[Math.floor(stood.length / 2)]! / 1_000,
    avg_worth_percent: near(
      (100 * lives.reduce((sum, { life }) => sum + life.detected.worth, 0)) / lives.length,
    ),
    gone_at_once: lives.filter(
      ({ life: { why, gone, detected } }) =>
        (why === 'withdrawn' || why === 'suspended') && gone.at - detected.at < 60_000,
    ).length,
    clv: kind === 'ev' ? figureOf(valued) : null,
    beat_close: kind === 'ev' ? beat : null,
    settled: figureOf(settled),
  }
}

/** Returns an item of the public record. */
const veiled = (item: ReturnType<typeof slowItem>) =>
  item.listed < 30 || item.events < 10 ? { ...item, avg_worth_percent: null } : item

const slowItems = (some: readonly Made[]) =>
  (['arbitrage', 'ev', 'middle'] as const)
    .filter((kind) => some.some(({ life }) => life.kind === kind))
    .map((kind) => slowItem(kind, some))
const dayOf = ({ life }: Made) => new Date(life.detected.at).toISOString().slice(0, 10)
const booksOf = ({ life }: Made) => life.legs.map(({ sportsbook }) => sportsbook)
const period = 'from=2026-11-16&to=2026-11-20'

describe('the record', () => {
  let filled: FilledArchive
  let service: InProcess
  beforeAll(async () => {
    const of = { partitionKey: 'nba' }
    filled = await fillArchive([
      ...events.map((event) => ({
        ...{ ...of, topic: topics.events, key: event.id, value: event },
      })),
      ...made.map(({ life }) => ({
        ...{ ...of, topic: topics.opportunityLives, key: life.id, value: life },
      })),
      ...closes.map((close) => ({
        ...{ ...of, topic: topics.closingLines, key: String(close.oddsId), value: close },
      })),
      ...results.map((result) => ({
        ...{ ...of, topic: topics.gameResults, key: result.eventId, value: result },
      })),
    ])
    service = await startInProcess({
      archive: createArchiveAccess(filled.archive),
      publicRecord: true,
      startAt: now,
    })
  })
  afterAll(async () => {
    await service?.close()
    await filled?.close()
  })

  const everybody = (query = period) => service.request(`/record/public?${query}`)

  it('counts, values and settles every life as a clerk would', async () => {
    const { status, body } = await service.get(`/record?${period}`)
    expect(status).toBe(200)
    expect(body.data.total).toEqual(slowItems(made))
    const days = [...new Set(made.map(dayOf))].sort().reverse()
    expect(body.data.days).toEqual(
      days.flatMap((day) =>
        slowItems(made.filter((one) => dayOf(one) === day)).map((item) => ({ ...item, day })),
      ),
    )
    const ev = body.data.total.find((item: { kind: string }) => item.kind === 'ev')
    expect(ev.clv.too_few).toBe(false)
    const route = service.routes.find(({ path }) => path === '/api/v1/record')
    expect(route?.answer?.schema?.parse(body)).toEqual(body)
  })

  it('values and settles every life at its prices after the fees that the service counts', async () => {
    const fees: Fees = new Map([
      ['bovada', { on: 'net_winnings', rate: 0.05 }],
      ['betmgm', standardFees.get('kalshi')!],
    ])
    const own = await startInProcess({
      archive: createArchiveAccess(filled.archive),
      startAt: now,
      fees,
    })
    const { body } = await own.get(`/record?${period}`)
    await own.close()
    const net = made.map((one): Made => {
      const { legs, detected } = one.life
      const prices = detected.prices.map((price, leg) =>
        netOf({ sportsbook: legs[leg]!.sportsbook, price }, fees),
      )
      return { ...one, life: { ...one.life, detected: { ...detected, prices } } }
    })
    expect(body.data.total).toEqual(slowItems(net))
    for (const [i, item] of body.data.total.entries()) {
      expect(item.settled).not.toEqual(slowItems(made)[i]!.settled)
    }
  })

  it.each([
    ['kind=ev', ({ life }: Made) => life.kind === 'ev'],
    ['sportsbook=betmgm', (one: Made) => booksOf(one).includes('betmgm')],
    ['from=2026-11-17&to=2026-11-17', (one: Made) => dayOf(one) === '2026-11-17'],
    ['league=nba', () => true],
    ['sport=soccer', () => false],
  ])('counts the requested lives: %s', async (query, isMatch) => {
    const parameters = query.includes('from') ? query : `${period}&${query}`
    const { body } = await service.get(`/record?${parameters}`)
    expect(body.data.total).toEqual(slowItems(made.filter(isMatch)))
  })

  it('shows no mean of too few samples', async () => {
    const { body } = await service.get(
      '/record?from=2026-11-16&to=2026-11-16&kind=ev&sportsbook=bovada',
    )
    const [{ clv, settled }] = body.data.total
    expect(clv).toMatchObject({ too_few: true, percent: null, low: null, high: null })
    expect(settled).toMatchObject({ too_few: true, percent: null })
  })

  it('shows everybody the results at their sportsbooks alone', async () => {
    const shown = made.filter((one) =>
      booksOf(one).every((book) => book === 'draftkings' || book === 'fanduel'),
    )
    expect(shown.length).toBeGreaterThan(20)
    const { status, body } = await everybody()
    expect([status, body.data.is_public]).toEqual([200, true])
    expect(body.data.total).toEqual(slowItems(shown).map(veiled))
    const route = service.routes.find(({ path }) => path === '/api/v1/record/public')
    expect(route?.answer?.schema?.parse(body)).toEqual(body)
    for (const filter of ['sportsbook=fanduel', 'league=nba', 'sport=basketball']) {
      const filtered = await everybody(`${period}&${filter}`)
      expect([filtered.status, filtered.body.code]).toEqual([400, 'validation_error'])
    }
  })

  it('shows everybody no worth of few opportunities, whose sharp book they do not see', async () => {
    const shown = made.filter((one) =>
      booksOf(one).every((book) => book === 'draftkings' || book === 'fanduel'),
    )
    const { body } = await everybody('from=2026-11-17&to=2026-11-17')
    const ofDay = slowItems(shown.filter((one) => dayOf(one) === '2026-11-17'))
    expect(body.data.total).toEqual(ofDay.map((item) => ({ ...item, avg_worth_percent: null })))
    const { text } = await service.request(`/record/public?${period}&format=csv`)
    const [head, ...lines] = text.trim().split('\r\n')
    const column = head!.split(',').indexOf('avg_worth_percent')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line.split(',')[column]).toBe('')
  })

  it('shows everybody nothing newer than the delay of the free tier', async () => {
    const [last] = made
      .filter((one) => booksOf(one).every((book) => book === 'draftkings' || book === 'fanduel'))
      .sort((a, b) => b.life.gone.at - a.life.gone.at)
    const listed = async (later: number) => {
      const own = await startInProcess({
        archive: createArchiveAccess(filled.archive),
        publicRecord: true,
        startAt: last!.life.gone.at + later,
      })
      const { body } = await own.request(`/record/public?${period}&kind=${last!.life.kind}`)
      await own.close()
      return body.data.total[0].listed
    }
    expect(await listed(60_000)).toBe((await listed(59_999)) + 1)
  })

  it('is worked out once a minute for everybody, in any form', async () => {
    let questions = 0
    const { archive } = filled
    const counted: typeof archive = {
      ...archive,
      query: (...of) => {
        questions++
        return archive.query(...of)
      },
    }
    const own = await startInProcess({
      archive: createArchiveAccess(counted),
      publicRecord: true,
      startAt: now,
    })
    const ask = (query: string) => own.request(`/record/public?${period}&${query}`)
    const [first, second] = await Promise.all([ask('kind=ev,middle'), ask('kind=middle,ev')])
    expect(second!.body.data).toEqual(first!.body.data)
    const before = questions
    own.advance(59_999)
    expect((await ask('kind=ev,middle&format=csv')).status).toBe(200)
    expect(questions).toBe(before)
    own.advance(1)
    await ask('kind=ev,middle')
    expect(questions).toBe(2 * before)
    await own.close()
  })

  it('is closed without a key, to a key without history, and unless the operator opens it', async () => {
    expect((await service.request(`/record?${period}`)).status).toBe(401)
    expect((await service.get(`/record?${period}`, 'free')).body.code).toBe('tier_restricted')
    const own = await startInProcess({ archive: createArchiveAccess(filled.archive) })
    expect((await own.request('/record/public')).status).toBe(404)
    await own.close()
  })

  it('is a file of days too', async () => {
    const { headers, text } = await service.get(`/record?${period}&format=csv`)
    expect(headers.get('Content-Disposition')).toContain('record_2026-11-16_2026-11-20.csv')
    const [head, ...lines] = text.trim().split('\r\n')
    expect(head).toMatch(/^day,kind,listed,events,median_seconds,.*settled_high$/)
    const { body } = await service.get(`/record?${period}`)
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual(
      body.data.days.map((item: { day: string; kind: string; listed: number }) => [
        item.day,
        item.kind,
        String(item.listed),
      ]),
    )
  })

  it.each(['from=2026-11-20&to=2026-11-19', 'from=2026-10-01&to=2026-11-19', 'from=yesterday'])(
    'refuses invalid days: %s',
    async (query) => {
      const { status, body } = await service.get(`/record?${query}`)
      expect([status, body.code]).toEqual([400, 'validation_error'])
    },
  )
})

it('settles no handicap of soccer that was listed after the start that the game had in truth', async () => {
  const startsAt = first + 6 * hour
  const eventId = 'epl_leeds_brentford_2026-11-16_b3'
  const of = { sport: 'soccer', league: 'england_-_premier_league' }
  const lifeAt = (n: number, at: number, more: Partial<OpportunityLife> = {}): OpportunityLife => ({
    ...made[0]!.life,
    ...{ id: `${n}`.padStart(16, '0'), kind: 'ev', eventId, ...of, references: [], why: 'moved' },
    ...{ marketType: 'point_spread', isLive: false, scopes: 7 },
    legs: [{ oddsId: ++lastId, sportsbook: 'fanduel', selectionType: 'home', line: -0.5 }],
    ...Object.fromEntries(
      ['detected', 'peak', 'gone'].map((when) => [when, { at, worth: 0.02, prices: [2] }]),
    ),
    ...more,
  })
  const over = { oddsId: ++lastId, sportsbook: 'fanduel', selectionType: 'over', line: 2.5 }
  const lives = [
    lifeAt(1, startsAt - 60_000),
    lifeAt(2, startsAt),
    lifeAt(3, startsAt + 1),
    lifeAt(4, startsAt - 60_000, { isLive: true }),
    lifeAt(5, startsAt + 60_000, { marketType: 'total_goals', legs: [over] }),
  ]
  const observedAt = startsAt + 2 * hour
  const report = { ...results[0]!.reports[0]!, observedAt, final: { home: 2, away: 1 } }
  const result: GameResultRow = {
    ...{ ...results[0]!, eventId, ...of, startsAt },
    reports: [{ ...report, endedIn: '2H' }],
  }
  const own = await fillArchive([
    ...lives.map((life) => ({
      ...{ topic: topics.opportunityLives, partitionKey: of.league, key: life.id, value: life },
    })),
    { topic: topics.gameResults, partitionKey: of.league, key: eventId, value: result },
  ])
  const service = await startInProcess({ archive: createArchiveAccess(own.archive), startAt: now })
  const { body } = await service.get(`/record?${period}`)
  await service.close()
  await own.close()
  expect(body.data.total[0].listed).toBe(5)
  expect(body.data.total[0].settled.samples).toBe(3)
})
