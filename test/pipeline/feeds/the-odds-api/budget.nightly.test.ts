/** A month of The Odds API on its budget, against a source that counts credits as the real one does. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Credits, FeedSink } from '../../../../pipeline/feeds/feed.ts'
import type { Health } from '../../../../pipeline/feeds/kit/source-health.ts'
import type { Estimate } from '../../../../pipeline/feeds/the-odds-api/credits-plan.ts'
import { theOddsApi } from '../../../../pipeline/feeds/the-odds-api/source.ts'
import { openSource } from '../loopback-source.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const monthBegins = Date.parse('2026-11-01T00:00:00.000Z')
const monthEnds = Date.parse('2026-12-01T00:00:00.000Z')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Returns six games a night, from 00:00 to 03:30 UTC, as in basketball; none on Mondays. */
function gamesBetween(from: number, to: number) {
  const games: { readonly id: string; readonly startsAt: number }[] = []
  for (let night = monthBegins - day; night < to; night += day) {
    if (new Date(night).getUTCDay() === 1) continue
    for (let game = 0; game < 6; game++) {
      const startsAt = night + Math.floor(game / 2) * 1.5 * hour
      if (startsAt + 3 * hour > from && startsAt < to)
        games.push({ id: `g${startsAt}-${game}`, startsAt })
    }
  }
  return games
}

interface Played {
  readonly until?: number
  readonly plan?: number
  /** Credits that others spend with the same key each day. */
  readonly othersPerDay?: number
  /** Interval at which another process takes over the feed (ms). */
  readonly movesEveryMs?: number
}

/** Runs the feed on a stepped clock over a month. */
async function play(
  config: Partial<Parameters<typeof theOddsApi.open>[0]>,
  {
    until = monthEnds,
    plan: sold = 500,
    othersPerDay = 0,
    movesEveryMs = Number.POSITIVE_INFINITY,
  }: Played = {},
) {
  let plan = sold
  let isRenewed = false
  let now = monthBegins
  let used = 0
  let ours = 0
  const calls: { readonly at: number; readonly isProps: boolean; readonly cost: number }[] = []
  const source = await openSource((path, response) => {
    const url = new URL(path, 'http://source.test')
    // The next month has its own plan.
    if (now >= monthEnds && !isRenewed) {
      isRenewed = true
      used = 0
      plan = 500
    }
    const others = Math.min(plan, Math.floor((othersPerDay * (now - monthBegins)) / day))
    const markets = url.searchParams.get('markets')?.split(',').length ?? 0
    const cost = markets * (url.searchParams.get('regions')?.split(',').length ?? 0)
    if (used + others + cost > plan) {
      response.writeHead(401)
      return response.end('{"message":"…","error_code":"OUT_OF_USAGE_CREDITS"}')
    }
    used += cost
    ours += cost
    if (cost > 0) calls.push({ at: now, isProps: url.pathname.includes('/events/'), cost })
    response.setHeader('x-requests-used', String(used + others))
    response.setHeader('x-requests-remaining', String(Math.max(0, plan - used - others)))
    const [, id] = /\/events\/([^/]+)\/odds/.exec(url.pathname) ?? []
    const games = gamesBetween(now, now + 3 * day).map((game) => ({
      id: game.id,
      sport_key: 'basketball_nba',
      commence_time: new Date(game.startsAt).toISOString(),
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      bookmakers: [],
    }))
    const body = id === undefined ? games : games.find((game) => game.id === id)
    response.end(JSON.stringify(cost === 0 ? [] : body))
  })
  closing.push(source.close)
  const reports: { readonly health: Health; readonly credits: Credits | null }[] = []
  const estimates: Estimate[] = []
  let cursor: string | null = null
  const sink: FeedSink = {
    async publish() {},
    skipped() {},
    report(health, credits, left) {
      reports.push({ health, credits })
      cursor = left
    },
  }
  while (now < until) {
    const stop = new AbortController()
    const movesAt = now + movesEveryMs
    const feed = theOddsApi.open({
      apiKey: 'k',
      sports: ['basketball_nba'],
      markets: ['h2h'],
      baseUrl: source.baseUrl,
      creditsPerMonth: 500,
      onEstimate: (estimate) => estimates.push(estimate as Estimate),
      ...config,
      http: {
        retries: 0,
        now: () => now,
        async sleep(ms) {
          now = Math.min(now + Math.max(1, ms), movesAt)
          if (now >= until || now >= movesAt) stop.abort()
        },
      },
    })
    await feed.run(sink, stop.signal, cursor)
  }
  return { calls, ours, reports, estimate: estimates[0]! }
}

const near = (at: number) => {
  const toStart = Math.min(...gamesBetween(at, at + 3 * day).map(({ startsAt }) => startsAt - at))
  return toStart <= 0 ? 'in play' : toStart <= hour ? 'near' : toStart <= 6 * hour ? 'today' : 'far'
}

describe('a budget of credits', () => {
  it('lasts the month, and gives most to games near their start and in play', async () => {
    const { calls, ours, reports } = await play({})
    expect(ours).toBeLessThanOrEqual(500)
    expect(ours).toBeGreaterThan(400)
    // No request was refused, so the budget never ran out.
    expect(reports.every(({ health }) => health.state !== 'out_of_credits')).toBe(true)
    for (let week = 0; week < 4; week++) {
      const from = monthBegins + week * 7 * day
      const ofWeek = calls.filter(({ at }) => at >= from && at < from + 7 * day)
      expect(ofWeek.length).toBeGreaterThan(60)
    }
    const perHour = (kind: string, hoursPerDay: number) =>
      calls.filter(({ at }) => near(at) === kind).length / hoursPerDay
    expect(perHour('in play', 6)).toBeGreaterThan(perHour('near', 1))
    expect(perHour('near', 1)).toBeGreaterThan(perHour('today', 5))
    expect(perHour('today', 5)).toBeGreaterThan(perHour('far', 12))
    expect(reports.at(-1)?.credits).toMatchObject({ used: ours, left: 500 - ours, perMonth: 500 })
  })

  it('does not burn a free plan in three hours, with the default markets', async () => {
    const { markets: _, ...settings } = { markets: ['h2h'] }
    const config = { ...settings, markets: ['h2h', 'spreads', 'totals'] }
    const { ours } = await play(config, { until: monthBegins + 3 * hour })
    expect(ours).toBeLessThanOrEqual(30)
    const month = await play(config)
    expect(month.ours).toBeLessThanOrEqual(500)
    expect(month.calls.some(({ at }) => at > monthEnds - 4 * day)).toBe(true)
  })

  it('is the smaller of the setting and the source’s remaining credits', async () => {
    // Others spend 150 credits. On the last day there may be none left for them.
    const { ours } = await play({}, { othersPerDay: 5 })
    expect(ours).toBeLessThan(365)
    expect(ours).toBeGreaterThan(300)
    const small = await play({ creditsPerMonth: 100 }, { plan: 20_000 })
    expect(small.ours).toBeLessThanOrEqual(100)
    expect(small.ours).toBeGreaterThan(60)
  })

  it('has separate parts for props and for rounds', async () => {
    const { calls } = await play({ eventMarkets: ['player_points'], propsCreditsPerMonth: 200 })
    const spent = (isProps: boolean) =>
      calls.reduce((sum, call) => (call.isProps === isProps ? sum + call.cost : sum), 0)
    expect(spent(true)).toBeLessThanOrEqual(200)
    expect(spent(true)).toBeGreaterThan(50)
    expect(spent(false)).toBeLessThanOrEqual(300)
    expect(spent(false)).toBeGreaterThan(200)
  })

  it('continues where it was when other processes take over the feed, twenty times a day', async () => {
    const config = { eventMarkets: ['player_points'] }
    const until = monthBegins + 10 * day
    const moved = await play(config, { until, movesEveryMs: 71 * minute })
    const { calls } = await play(config, { until })
    // The feed moved two hundred times. Each time the budget is recomputed, and no move costs an extra request.
    expect(calls.length).toBeGreaterThan(100)
    expect(Math.abs(moved.calls.length - calls.length)).toBeLessThan(0.1 * calls.length)
    expect(moved.reports.at(-1)?.credits?.used).toBe(moved.ours)
  })

  it('that is used up reports it, requests nothing that costs, and continues with the next month', async () => {
    const { calls, reports } = await play({}, { plan: 0, until: monthEnds + day })
    expect(calls.every(({ at }) => at >= monthEnds)).toBe(true)
    expect(calls.length).toBeGreaterThan(10)
    const states = reports.map(({ health }) => health.state)
    expect(new Set(states)).toEqual(new Set(['degraded', 'out_of_credits', 'up']))
    expect(reports.at(-1)?.health.state).toBe('up')
  })

  it('logs its budget at the start', async () => {
    const { estimate } = await play({}, { until: monthBegins + hour })
    expect(estimate).toEqual({
      creditsPerCall: 1,
      creditsPerMonth: 500,
      callsPerDay: 16.7,
      wantedPerMonth: 43_200,
      wouldEndAt: '2026-11-01T08:20:00.000Z',
    })
  })
})
