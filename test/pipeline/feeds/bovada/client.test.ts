import { afterEach, describe, expect, it } from 'vitest'
import { bovada } from '../../../../pipeline/feeds/bovada/source.ts'
import { hasSample, readJsonSample, selectionsOf } from '../feed-samples.ts'
import { answerJson, hasty, openSource, runFeed } from '../loopback-source.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe.skipIf(!hasSample('feeds/bovada'))('Bovada client (needs ../shared)', () => {
  it('asks for the coupon of a league, and withdraws what has gone from it', async () => {
    const source = await openSource(answerJson(readJsonSample('feeds/bovada/coupon_soccer.json')))
    const feed = runFeed(
      bovada.open({
        ...hasty,
        baseUrl: source.baseUrl,
        leagues: ['/soccer/africa/rwanda/national-league'],
      }),
    )
    closing.push(source.close, feed.stop)
    await feed.until(() => feed.odds().length > 0)
    expect(source.asked()[0]).toBe(
      '/services/sports/event/coupon/events/A/description/soccer/africa/rwanda/national-league?lang=en',
    )
    expect(feed.odds()[0]).toMatchObject({ sportsbook: 'bovada', mode: 'snapshot' })
    source.answerWith(answerJson([]))
    const removed = () => selectionsOf(feed.odds()).filter((selection) => selection.removed)
    await feed.until(() => removed().length > 0)
    expect(removed()).toHaveLength(12)
  })
})
