import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOpeners } from '../../api/web/client/data/openers.ts'
import type { Question } from '../../api/web/client/data/price-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const question = (eventId: string, market = 'moneyline', line: number | null = null) =>
  ({
    key: `${eventId} ${market}`,
    ...{ eventId, market, player: null },
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
