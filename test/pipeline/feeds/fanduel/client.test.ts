import { afterEach, describe, expect, it } from 'vitest'
import { fanDuel } from '../../../../pipeline/feeds/fanduel/source.ts'
import { hasSample, readJsonSample, selectionsOf } from '../feed-samples.ts'
import { type Answering, answerJson, hasty, openSource, runFeed } from '../loopback-source.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Serves the list of a page with one event or none, and that event's tab. */
const answering =
  (eventIds: readonly string[], tab: unknown): Answering =>
  (path, response, request) => {
    const events = Object.fromEntries(eventIds.map((id) => [id, {}]))
    const body = path.startsWith('/api/content-managed-page') ? { attachments: { events } } : tab
    answerJson(body)(path, response, request)
  }

describe.skipIf(!hasSample('feeds/fanduel'))('FanDuel client (needs ../shared)', () => {
  const tab = () => readJsonSample('feeds/fanduel/ncaaf_event_stanford_colorado_2023-10-14.json')

  async function start(answer: Answering) {
    const source = await openSource(answer)
    const feed = runFeed(
      fanDuel.open({
        ...hasty,
        baseUrl: source.baseUrl,
        state: 'NJ',
        applicationKey: 'key',
        pages: ['ncaaf'],
      }),
    )
    closing.push(source.close, feed.stop)
    return { source, feed }
  }

  it('requests the tabs of the events that the page lists', async () => {
    const { source, feed } = await start(answering(['32700294'], tab()))
    await feed.until(() => feed.odds().length > 0)
    expect(source.requests().slice(0, 2)).toEqual([
      '/api/content-managed-page?page=CUSTOM&customPageId=ncaaf&_ak=key',
      '/api/event-page?eventId=32700294&tab=popular&_ak=key',
    ])
    expect(selectionsOf(feed.odds().slice(0, 1))).toHaveLength(26)
  })

  it('withdraws nothing while the event’s page is missing', async () => {
    const { source, feed } = await start(answering(['32700294'], tab()))
    await feed.until(() => feed.odds().length > 0)
    source.answerWith((path, response, request) => {
      if (path.startsWith('/api/event-page')) response.writeHead(404).end('not found')
      else answering(['32700294'], null)(path, response, request)
    })
    await feed.until(() => feed.skips.some(({ reason }) => reason === 'fetch_http_404'))
    expect(selectionsOf(feed.odds()).filter(({ removed }) => removed)).toEqual([])
  })
})
