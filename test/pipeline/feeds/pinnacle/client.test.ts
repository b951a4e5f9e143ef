import { afterEach, describe, expect, it } from 'vitest'
import { createAnswerOrder, pinnacle } from '../../../../pipeline/feeds/pinnacle/source.ts'
import { createRecordingSink, json, openSource, type Source } from '../loopback.ts'
import { hasPayloads, loadText, oddsOf } from '../payloads.ts'

let source: Source | undefined
afterEach(() => source?.close())

const matchups = [
  {
    id: 1,
    type: 'matchup',
    participants: [
      { alignment: 'home', name: 'Home' },
      { alignment: 'away', name: 'Away' },
    ],
    league: { name: 'NFL', sport: { name: 'Football' } },
    startTime: '2099-01-01T00:00:00Z',
    units: 'Regular',
  },
]
const markets = (version: number, price: number) => [
  {
    matchupId: 1,
    type: 'moneyline',
    period: 0,
    key: 's;0;m',
    status: 'open',
    version,
    prices: [
      { designation: 'home', price },
      { designation: 'away', price: -120 },
    ],
  },
]

describe('the feed of Pinnacle', () => {
  it('drops a response that is older than the one before', async () => {
    const answers = [markets(5, 110), markets(4, 105), markets(6, 120)]
    let round = 0
    source = await openSource((request, response) => {
      expect(request.headers['x-api-key']).toBe('guest')
      if (request.url?.endsWith('/matchups')) json(response, matchups)
      else json(response, answers[Math.min(round++, 2)])
    })
    const { sink, records, skips, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = pinnacle.open({ leagues: [889], apiKey: 'guest', intervalMs: 5, baseUrl })
    const running = feed.run(sink, controller.signal)
    const prices = () =>
      oddsOf({ records: records as never }).map(
        ({ markets: [found] }) => found?.selections[0]?.price,
      )
    await until(() => prices().length >= 2)
    controller.abort()
    await running
    expect(prices().slice(0, 2)).toEqual([2.1, 2.2])
    expect(skips[0]).toMatchObject({ reason: 'fetch_late_answer' })
  })

  it('accepts a source that restarts its count', () => {
    const order = createAnswerOrder()
    const of = (version: number) => new Map([['1|s;0;m', version]])
    expect(order.isLate(of(9))).toBe(false)
    expect([1, 2, 3, 4, 5].map((version) => order.isLate(of(version)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it.skipIf(!hasPayloads)('publishes a recorded week (needs ../shared)', async () => {
    const folder = 'feeds/pinnacle-arcadia'
    source = await openSource((request, response) =>
      json(
        response,
        loadText(
          request.url === '/0.1/leagues/889/matchups'
            ? `${folder}/nfl_2025w1_matchups.json`
            : `${folder}/nfl_2025w1_markets_straight.json`,
        ),
      ),
    )
    const { sink, records, until } = createRecordingSink()
    const controller = new AbortController()
    const { baseUrl } = source
    const feed = pinnacle.open({
      leagues: [889],
      apiKey: 'guest',
      intervalMs: 60_000,
      baseUrl,
    })
    const running = feed.run(sink, controller.signal)
    await until(() => records.some(({ type }) => type === 'odds'))
    controller.abort()
    await running
    expect(records).toHaveLength(17)
    expect(records[0]).toMatchObject({ type: 'book_status', sportsbook: 'pinnacle', status: 'up' })
  })
})
