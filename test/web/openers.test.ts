import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOpeners, ownLines } from '../../api/web/client/data/openers.ts'
import { createPriceStore, type Question } from '../../api/web/client/data/price-store.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import { createTrends, record, seed } from '../../api/web/client/grid/trends.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const question = (eventId: string, market = 'moneyline', line: number | null = null) =>
  ({
    key: `${eventId} ${market}`,
    ...{ eventId, market, player: null, answers: ['home', 'away'] },
    cells: new Map(['home', 'away'].map((answer) => [answer, new Map([['pinnacle', { line }]])])),
  }) as unknown as Question

const price = (
  eventId: string,
  answer: string,
  prices: readonly (number | null)[],
  line = null,
) => ({
  event_id: eventId,
  ...{ selection_type: answer, line, open: { odds_decimal: prices[0] } },
  course: prices.slice(1).map((odds_decimal) => ({ odds_decimal })),
})

/** Wants what a test names, and plays a service with these pages. */
async function run(wanted: readonly [Question, string][], pages: readonly unknown[]) {
  const paths: string[] = []
  const courses: [string, object][] = []
  let isMissing = false
  const openers = createOpeners(
    ({ key }, course) => courses.push([key, Object.fromEntries(course)]),
    () => {
      isMissing = true
    },
    async <Body>(path: string) => {
      const page = pages[paths.length]
      paths.push(path)
      if (page === undefined || 'status' in (page as object)) throw page ?? { status: 503 }
      return page as Body
    },
  )
  for (const [one, sportsbook] of wanted) openers.want(one, sportsbook)
  await vi.advanceTimersByTimeAsync(10_000)
  return { paths, courses, isMissing: () => isMissing, openers }
}

const page = (data: readonly object[], hasMore = false) => ({
  data,
  pagination: { has_more: hasMore },
})

it('the games in sight are asked for at once, by market and sportsbook, page by page', async () => {
  const { paths, courses } = await run(
    [
      [question('a'), 'pinnacle'],
      [question('b'), 'pinnacle'],
      [question('a', 'total_points'), 'pinnacle'],
      [question('c'), 'circa'],
      [question('a'), 'pinnacle'],
    ],
    [
      page([]),
      page([]),
      page([price('a', 'home', [2, 1.9, null, 1.8]), price('a', 'draw', [3])], true),
      page([price('b', 'away', [1.7])]),
    ],
  )
  expect(paths.map((path) => path.replace('/historical/prices?', ''))).toEqual([
    'event=c&market=moneyline&sportsbook=circa&points=40&limit=1000&offset=0',
    'event=a&market=total_points&sportsbook=pinnacle&points=40&limit=1000&offset=0',
    'event=a,b&market=moneyline&sportsbook=pinnacle&points=40&limit=1000&offset=0',
    'event=a,b&market=moneyline&sportsbook=pinnacle&points=40&limit=1000&offset=2',
  ])
  expect(courses).toEqual([
    ['a moneyline', { home: [2, 1.9, 1.8] }],
    ['b moneyline', { away: [1.7] }],
  ])
})

it('another line of a question is no course of it', async () => {
  const { courses } = await run(
    [[question('a', 'spread', -3.5), 'pinnacle']],
    [page([{ ...price('a', 'home', [2, 1.9]), line: -4.5 }])],
  )
  expect(courses).toEqual([])
})

it('a line that has moved is asked for by itself, also while another one is on its way', async () => {
  const price = (line: number, opener: number) => [
    { event_id: 'a', selection_type: 'home', line, open: { odds_decimal: opener }, course: [] },
    { event_id: 'a', selection_type: 'away', line: -line, open: { odds_decimal: 2 }, course: [] },
  ]
  const store = createPriceStore()
  const put = (line: number) =>
    store.update(
      ['home', 'away'].map((selection_type) => ({
        ...{ id: `${selection_type}`, event_id: 'a', market_type: 'point_spread', selection_type },
        ...{ sportsbook: 'pinnacle', line: selection_type === 'home' ? line : -line },
        odds_decimal: 1.9,
      })),
      1,
    )
  put(-3.5)
  const [moving] = store.questions.values()
  const trends = createTrends()
  const lines = () => ownLines(moving!, 'pinnacle')
  const openNow = () => trends.find(lines().key)?.open
  const all = page([...price(-3.5, 1.95), ...price(-4.5, 1.8)])
  const paths: string[] = []
  const openers = createOpeners(
    (_, course, { key, byAnswer }) => {
      const trend = trends.find(key)
      if (trend) seed(trend, [...byAnswer.keys()], course)
    },
    () => {},
    async <Body>(path: string) => {
      paths.push(path)
      return all as Body
    },
  )
  const draw = () => {
    record(trends.of(lines().key, 2), [0.5, 0.5])
    openers.want(moving!, 'pinnacle')
  }
  draw()
  put(-4.5)
  draw()
  expect(openNow()).toEqual([null, null])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openNow()).toEqual([2, 1.8])
  put(-3.5)
  draw()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(openNow()).toEqual([2, 1.95])
  // Both lines are of one event, and each was asked for once.
  expect(paths).toHaveLength(1)
  expect(paths[0]).toContain('event=a&')
  // Another sharp book has its own opener.
  expect(trends.find(ownLines(moving!, 'circa').key)).toBeUndefined()
})

it('a busy archive is asked again when the games are drawn again, one that is absent is not', async () => {
  const busy = await run([[question('a'), 'pinnacle']], [{ status: 503 }, page([])])
  busy.openers.want(question('a'), 'pinnacle')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([busy.paths.length, busy.isMissing()]).toEqual([2, false])
  const absent = await run([[question('a'), 'pinnacle']], [{ status: 503, reason: 'off' }])
  absent.openers.want(question('b'), 'pinnacle')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([absent.paths.length, absent.isMissing()]).toEqual([1, true])
})

it('a question has the move at its last sharp book, but none while the consensus measures', () => {
  const trends = createTrends()
  const one = question('a')
  const at = (fair: readonly number[] | null, sharpBook: string | null) =>
    trends.follow(one, { fair, sharpBook })?.courses[0]
  expect(at(null, null)).toBeUndefined()
  expect(at([0.5, 0.5], 'pinnacle')).toEqual([0.5])
  expect(at([0.6, 0.4], null)).toBeUndefined()
  expect(at(null, null)).toEqual([0.5])
  expect(at([0.55, 0.45], 'pinnacle')).toEqual([0.5, 0.55])
})

it.each([
  new TypeError('Failed to fetch'),
  new RefusedError(503, { error: { code: 'not_ready' } }, null),
  new RefusedError(404, null, null),
])('lines of a request that ended with %s are asked for again, after a pause', async (failure) => {
  let reads = 0
  const courses: unknown[] = []
  const openers = createOpeners(
    (one) => courses.push(one),
    () => {},
    async <Body>() => {
      reads++
      if (reads === 1) throw failure
      const home = { event_id: 'a', selection_type: 'home', line: null }
      return page([{ ...home, open: { odds_decimal: 2 }, course: [] }]) as Body
    },
  )
  const one = question('a')
  openers.want(one, 'pinnacle')
  await vi.advanceTimersByTimeAsync(1_000)
  // The next frames draw the row again.
  openers.want(one, 'pinnacle')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads).toBe(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reads, courses]).toEqual([2, [one]])
  openers.close()
})

it('a board that stays open keeps the newest lines, and asks again for one that returns', async () => {
  const paths: string[] = []
  const openers = createOpeners(
    () => {},
    () => {},
    async <Body>(path: string) => {
      paths.push(path)
      return page([]) as Body
    },
  )
  const readingsOf = async (one: Question) => {
    const before = paths.length
    openers.want(one, 'pinnacle')
    await vi.advanceTimersByTimeAsync(60_000)
    return paths.length - before
  }
  const first = question('a', 'point_spread', -3.5)
  expect(await readingsOf(first)).toBe(1)
  expect(await readingsOf(first)).toBe(0)
  for (let i = 0; i < 4_000; i++) openers.want(question(`game ${i}`), 'pinnacle')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await readingsOf(first)).toBe(1)
})

it('a board that stays open keeps the last sharp books of the newest questions', () => {
  const trends = createTrends()
  const unpriced = { fair: null, sharpBook: null }
  const follow = (id: string) =>
    trends.follow(question(id), { fair: [0.5, 0.5], sharpBook: 'pinnacle' })
  follow('a')
  expect(trends.follow(question('a'), unpriced)).toBeDefined()
  for (let i = 0; i < 4_000; i++) follow(`game ${i}`)
  expect(trends.follow(question('game 3999'), unpriced)).toBeDefined()
  trends.of(ownLines(question('a'), 'pinnacle').key, 2)
  expect(trends.follow(question('a'), unpriced)).toBeUndefined()
})
