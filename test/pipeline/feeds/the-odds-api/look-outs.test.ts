/** Months of The Odds API with few credits and lists that reach a day or two ahead, on a clock of its own. */

import { describe, expect, it } from 'vitest'
import type { FeedSink } from '../../../../pipeline/feeds/feed.ts'
import { theOddsApi } from '../../../../pipeline/feeds/the-odds-api/source.ts'

const hour = 3_600_000
const day = 24 * hour
const november = Date.parse('2026-11-01T00:00:00.000Z')

/** The hours (UTC) of a night's games, by the day of the week. */
type Calendar = (weekday: number) => readonly number[]
const calendars: Readonly<Record<string, Calendar>> = {
  basketball_nba: (weekday) => (weekday === 4 ? [] : [0, 0.5, 1, 2, 3]),
  icehockey_nhl: () => [0, 0, 2, 3],
  basketball_ncaab: () => [17, 19, 21, 23],
  americanfootball_nfl: (weekday) => (weekday === 0 ? [18, 21] : weekday === 2 ? [1] : []),
  basketball_euroleague: (weekday) => (weekday === 4 || weekday === 5 ? [18, 19] : []),
}

interface Case {
  readonly sports: readonly string[]
  readonly listedDays: number
  readonly markets: readonly string[]
  readonly regions?: readonly string[]
  readonly from?: number
  readonly days: number
  /** Credits used before. */
  readonly used?: number
}

const three = ['h2h', 'spreads', 'totals']
const fiveRegions = ['us', 'us2', 'uk', 'eu', 'au']

function gamesOf(sport: string, from: number, to: number) {
  const starts: number[] = []
  for (let midnight = from - (from % day); midnight < to; midnight += day) {
    for (const at of calendars[sport]!(new Date(midnight).getUTCDay())) {
      const startsAt = midnight + at * hour
      if (startsAt > from - 3 * hour && startsAt < to) starts.push(startsAt)
    }
  }
  return starts
}

/** Runs the feed; returns the times of the paid calls of each sport, and the credits of each month. */
async function play({ sports, listedDays, markets, regions = ['us'], ...played }: Case) {
  const { from = november, days, used: usedBefore = 0 } = played
  let now = from
  let month = new Date(from).getUTCMonth()
  let used = usedBefore
  const calls = new Map<string, number[]>(sports.map((sport) => [sport, []]))
  const spent = new Map<number, number>([[month, used]])
  const fetch = async (input: string | URL | Request) => {
    const { pathname } = new URL(String(input))
    if (new Date(now).getUTCMonth() !== month) {
      month = new Date(now).getUTCMonth()
      used = 0
    }
    const sport = /sports\/(\w+)\/odds$/.exec(pathname)?.[1]
    if (sport !== undefined) {
      used += markets.length * regions.length
      calls.get(sport)!.push(now)
      spent.set(month, used)
    }
    const games = sport === undefined ? [] : gamesOf(sport, now, now + listedDays * day)
    const body = games.map((startsAt, at) => ({
      id: `${sport}-${startsAt}-${at}`,
      sport_key: sport,
      commence_time: new Date(startsAt).toISOString(),
      home_team: 'New York Knicks',
      away_team: 'Chicago Bulls',
      bookmakers: [],
    }))
    return Response.json(body, {
      headers: {
        'x-requests-used': String(used),
        'x-requests-remaining': String(Math.max(0, 500 - used)),
      },
    })
  }
  const stop = new AbortController()
  const sink: FeedSink = { async publish() {}, skipped() {} }
  const feed = theOddsApi.open({
    apiKey: 'k',
    sports: [...sports],
    markets: [...markets],
    regions: [...regions],
    creditsPerMonth: 500,
    http: {
      retries: 0,
      fetch: fetch as typeof globalThis.fetch,
      now: () => now,
      async sleep(ms) {
        now += Math.max(1, ms)
        if (now >= from + days * day) stop.abort()
      },
    },
  })
  await feed.run(sink, stop.signal)
  const longestGap = (sport: string) => {
    const at = [from, ...calls.get(sport)!, from + days * day]
    return Math.max(...at.slice(1).map((to, before) => to - at[before]!))
  }
  return { calls, spent, longestGap }
}

describe('look-outs of a budget', () => {
  it('reads each of several sports about daily, whatever the others have on', async () => {
    const sports = Object.keys(calendars)
    const { calls, spent, longestGap } = await play({
      sports,
      listedDays: 1.5,
      markets: three,
      days: 60,
    })
    for (const sport of sports) {
      expect(longestGap(sport), sport).toBeLessThanOrEqual(26 * hour)
      expect(calls.get(sport)!.length, sport).toBeGreaterThanOrEqual(60)
    }
    for (const credits of spent.values()) {
      expect(credits).toBeLessThanOrEqual(500)
      expect(credits).toBeGreaterThan(400)
    }
  })

  it('spreads look-outs evenly where they alone cost more than the month has', async () => {
    const sports = Object.keys(calendars)
    const { calls, spent, longestGap } = await play({
      sports,
      listedDays: 1.5,
      markets: three,
      regions: fiveRegions,
      days: 61,
    })
    // 33 calls a month, for five sports.
    for (const sport of sports) {
      expect(calls.get(sport)!.length, sport).toBeGreaterThanOrEqual(11)
      expect(calls.get(sport)!.length, sport).toBeLessThanOrEqual(15)
      expect(longestGap(sport), sport).toBeLessThan(8 * day)
    }
    for (const credits of spent.values()) expect(credits).toBeLessThanOrEqual(500)
  })

  it('stops for no months after the lists of the first calls', async () => {
    const sports = ['basketball_nba', 'icehockey_nhl']
    const { spent, longestGap } = await play({
      sports,
      listedDays: 1,
      markets: three,
      regions: fiveRegions,
      days: 61,
    })
    for (const sport of sports) expect(longestGap(sport), sport).toBeLessThan(4 * day)
    for (const credits of spent.values()) {
      expect(credits).toBeLessThanOrEqual(500)
      expect(credits).toBeGreaterThan(430)
    }
  })

  it('spreads what is left late in a month, and goes on with the next one', async () => {
    const from = november + 19 * day
    const { calls, spent, longestGap } = await play({
      sports: ['icehockey_nhl'],
      listedDays: 2,
      markets: three,
      from,
      days: 30,
      used: 488,
    })
    const [ofNovember, ofDecember] = [...spent.values()]
    expect(ofNovember).toBe(500)
    const at = calls.get('icehockey_nhl')!
    const december = Date.parse('2026-12-01T00:00:00.000Z')
    expect(longestGap('icehockey_nhl')).toBeLessThan(4 * day)
    expect(at.find((time) => time >= december)! - december).toBeLessThanOrEqual(hour)
    expect(ofDecember).toBeGreaterThan(250)
  })
})
