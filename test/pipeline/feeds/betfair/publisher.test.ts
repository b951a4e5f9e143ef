import { expect, it } from 'vitest'
import { createBetfairBook } from '../../../../pipeline/feeds/betfair/book.ts'
import { createPublisher } from '../../../../pipeline/feeds/betfair/publisher.ts'
import type { StreamSink } from '../../../../pipeline/feeds/kit/stream-feed.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'
import { catalogue, definition, image, update } from './exchange.ts'

it('has an event in play as long as one of its markets is, whichever market changes', async () => {
  const [names] = catalogue
  const published: FeedRecord[] = []
  const catalogueOfBoth = {
    names: new Map(['1.1', '1.2'].map((marketId) => [marketId, { ...names!, marketId }])),
    isAwaited: () => false,
    ask() {},
    forget() {},
  }
  const sink: StreamSink = {
    publish: async (records) => {
      published.push(...records)
    },
    skipped() {},
    heard: async () => {},
  }
  const publisher = createPublisher(sink, createBetfairBook(), catalogueOfBoth, 30_000)
  const drawNoBet = (more: object = {}) => definition({ marketType: 'DRAW_NO_BET', ...more })
  const [first] = image(2.4).mc
  const both = [first, { ...first, id: '1.2', marketDefinition: drawNoBet() }]
  const messages = [
    { ...image(2.4), mc: both },
    update(2_000, { id: '1.1', marketDefinition: definition({ inPlay: true }) }),
    update(3_000, { id: '1.2', marketDefinition: drawNoBet({ status: 'SUSPENDED' }) }),
    update(4_000, { id: '1.1', rc: [{ id: 1, batb: [[0, 2.3, 5]] }] }),
  ]
  for (const message of messages) await publisher.take(message as never)
  const odds = published.flatMap((record) =>
    record.type === 'odds' ? [[record.observedAt, record.mode, record.event.isLive]] : [],
  )
  expect(odds).toEqual([
    [1_000, 'snapshot', false],
    [2_000, 'delta', true],
    [3_000, 'delta', true],
    [4_000, 'delta', true],
  ])
})
