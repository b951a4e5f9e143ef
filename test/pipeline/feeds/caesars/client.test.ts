import { afterEach, describe, expect, it } from 'vitest'
import { caesars } from '../../../../pipeline/feeds/caesars/source.ts'
import { hasSample, readJsonSample, selectionsOf } from '../feed-samples.ts'
import { type Answering, answerJson, hasty, openSource, runFeed } from '../loopback-source.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const samples = 'feeds/crossbook/mlb_allstar_2025-07-16'

describe.skipIf(!hasSample(samples))('Caesars client (needs ../shared)', () => {
  /** Serves a schedule with one event, and the event as at a moment. */
  const at =
    (moment: string): Answering =>
    (path, response, request) => {
      const schedule = { competitions: [{ events: [{ id: 'd829bd86' }] }] }
      const event = () => readJsonSample(`${samples}/${moment}/caesars_event.json`)
      answerJson(path.includes('/schedule') ? schedule : event())(path, response, request)
    }

  it('requests the tabs of the scheduled events, and withdraws the rung of a moved line', async () => {
    const source = await openSource(at('20250715T0328Z'))
    const feed = runFeed(
      caesars.open({
        ...hasty,
        baseUrl: source.baseUrl,
        state: 'NJ',
        competitions: [{ sportId: 'baseball', competitionId: 'mlb' }],
        tabs: ['Listed Pitcher'],
      }),
    )
    closing.push(source.close, feed.stop)
    await feed.until(() => feed.odds().length > 0)
    const site = '/regions/us/locations/nj/brands/czr/sb'
    expect(source.requests().slice(0, 2)).toEqual([
      `${site}/v3/sports/baseball/events/schedule?competitionIds=mlb`,
      `${site}/v4/events/d829bd86/tabs/Listed%20Pitcher`,
    ])
    const before = selectionsOf(feed.odds().slice(0, 1))
    expect(before).toHaveLength(4)

    source.answerWith((path, response, request) => {
      if (path.includes('/schedule')) return at('20250715T0328Z')(path, response, request)
      const event = readJsonSample(`${samples}/20250715T0328Z/caesars_event.json`) as {
        markets: { line?: number }[]
      }
      const markets = event.markets.map((market) =>
        market.line ? { ...market, line: 2.5 } : market,
      )
      answerJson({ ...event, markets })(path, response, request)
    })
    const removed = () => selectionsOf(feed.odds()).filter((selection) => selection.removed)
    await feed.until(() => removed().length > 0)
    expect(removed().map(({ line }) => line)).toEqual([1.5, 1.5, 1.5, 1.5])
    const kept = selectionsOf(feed.odds().slice(-1)).filter((selection) => !selection.removed)
    expect(kept.map(({ line }) => line)).toEqual([2.5, 2.5, 2.5, 2.5])
  })
})
