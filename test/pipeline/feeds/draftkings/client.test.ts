import { afterEach, describe, expect, it } from 'vitest'
import { draftKings } from '../../../../pipeline/feeds/draftkings/source.ts'
import { selectionsOf } from '../feed-samples.ts'
import { type Answering, answerJson, hasty, openSource, runFeed } from '../loopback-source.ts'

const game = (over: number, sides: readonly string[] = ['Over', 'Under']) => ({
  sports: [{ id: '7', name: 'Baseball' }],
  leagues: [{ id: '84240', name: 'MLB' }],
  events: [
    {
      id: 'e',
      sportId: '7',
      leagueId: '84240',
      name: 'A @ H',
      startEventDate: '2025-07-13T17:35:00.0000000Z',
      status: 'NOT_STARTED',
      participants: [
        { name: 'H', venueRole: 'Home' },
        { name: 'A', venueRole: 'Away' },
      ],
    },
  ],
  markets: [{ id: 'm', eventId: 'e', name: 'Total', marketType: { name: 'Total' } }],
  selections: sides.map((outcomeType) => ({
    id: outcomeType,
    marketId: 'm',
    label: outcomeType,
    outcomeType,
    points: 8.5,
    trueOdds: over,
  })),
})

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(answer: Answering) {
  const source = await openSource(answer)
  const feed = runFeed(
    draftKings.open({
      ...hasty,
      baseUrl: source.baseUrl,
      state: 'NJ',
      leagues: [{ leagueId: '84240', subcategories: [{ categoryId: '493', id: '4519' }] }],
    }),
  )
  closing.push(source.close, feed.stop)
  return { source, feed }
}

describe('DraftKings client', () => {
  it('withdraws what a response no longer names', async () => {
    const { source, feed } = await start(answerJson(game(1.9)))
    await feed.until(() => feed.odds().length > 0)
    source.answerWith(answerJson(game(1.9, ['Over'])))
    const removed = () => selectionsOf(feed.odds()).filter((selection) => selection.removed)
    await feed.until(() => removed().length > 0)
    expect(removed()).toMatchObject([{ selectionType: 'under', line: 8.5, price: null }])
    source.answerWith(answerJson({ ...game(1.9), events: [], markets: [], selections: [] }))
    await feed.until(() => removed().length > 1)
    expect(removed()[1]).toMatchObject({ selectionType: 'over' })
  })

  it('does not hold up another feed while its own source hangs', async () => {
    const hanging = await start(() => {})
    const other = await start(answerJson(game(1.9)))
    await other.feed.until(() => other.feed.odds().length >= 5)
    expect(hanging.feed.odds()).toEqual([])
  })
})
