import { describe, expect, it } from 'vitest'
import { createBetfairBook } from '../../../../pipeline/feeds/betfair/book.ts'
import { createPublisher } from '../../../../pipeline/feeds/betfair/publisher.ts'
import type { StreamSink } from '../../../../pipeline/feeds/kit/stream-feed.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'
import { catalogue, definition, image, update } from './exchange.ts'

const marketNamed = (marketId: string, eventId: string) => {
  const [names] = catalogue
  return { ...names!, marketId, event: { ...names!.event, id: eventId } }
}

/** Opens a publisher whose catalogue has these names, and which keeps what it publishes. */
function openPublisher(names: readonly ReturnType<typeof marketNamed>[]) {
  const published: FeedRecord[] = []
  const sink: StreamSink = {
    publish: async (records) => {
      published.push(...records)
    },
    skipped() {},
    heard: async () => {},
  }
  const known = {
    names: new Map(names.map((of) => [of.marketId, of])),
    isAwaited: () => false,
    ask() {},
    forget() {},
  }
  return { published, publisher: createPublisher(sink, createBetfairBook(), known, 30_000) }
}

describe('a message in segments', () => {
  const ofOther = (more: object = {}) => definition({ eventId: '78', ...more })
  const [first] = image(2.4).mc
  const segments = [
    { segmentType: 'SEG_START', mc: [{ id: '1.1', rc: [{ id: 1, batb: [[0, 2.2, 5]] }] }] },
    { segmentType: 'SEG', mc: [] },
    { segmentType: 'SEG_END', mc: [{ id: '1.2', rc: [{ id: 1, batb: [[0, 2.3, 5]] }] }] },
  ].map((of) => ({ op: 'mcm', id: 2, ct: 'RESUB_DELTA', pt: 2_000, clk: 'c2', ...of }))

  async function take(...messages: readonly object[]) {
    const { published, publisher } = openPublisher([
      marketNamed('1.1', '77'),
      marketNamed('1.2', '78'),
    ])
    const both = [first, { ...first, id: '1.2', marketDefinition: ofOther() }]
    await publisher.take({ ...image(2.4), mc: both } as never)
    published.length = 0
    for (const message of messages) await publisher.take(message as never)
    return published.flatMap((record) =>
      record.type === 'odds'
        ? [
            [
              record.observedAt,
              record.mode,
              record.event.externalId,
              record.markets[0]?.selections[0]?.price,
            ],
          ]
        : [],
    )
  }

  it('is published when it is whole, with the changes of all its segments', async () => {
    expect(await take(...segments.slice(0, 2))).toEqual([])
    expect(await take(...segments)).toEqual([
      [2_000, 'delta', '77', 2.2],
      [2_000, 'delta', '78', 2.3],
    ])
  })

  it('is published with the next one where the rest of it has not come', async () => {
    const next = update(3_000, { id: '1.2', rc: [{ id: 1, batb: [[0, 2.1, 5]] }] }, 'c3')
    expect(await take(segments[0]!, next)).toEqual([
      [3_000, 'delta', '77', 2.2],
      [3_000, 'delta', '78', 2.1],
    ])
  })
})

it('has the time until which its stream holds back no change, also when it repeats prices', async () => {
  const { published, publisher } = openPublisher([marketNamed('1.1', '77')])
  const messages = [
    { ...image(2.4), pt: 200_000, conflateMs: 180_000 },
    update(201_000, { id: '1.1', rc: [{ id: 1, batb: [[0, 2.3, 5]] }] }),
    { op: 'mcm', id: 2, pt: 231_000, clk: 'c3', ct: 'HEARTBEAT' },
    { ...image(2.2), pt: 240_000, conflateMs: 0 },
  ]
  for (const message of messages) await publisher.take(message as never)
  const odds = published.flatMap((record) =>
    record.type === 'odds'
      ? [[record.observedAt, record.mode, record.markets[0]?.selections[0]?.price]]
      : [],
  )
  expect(odds).toEqual([
    [20_000, 'snapshot', 2.4],
    [21_000, 'delta', 2.3],
    [51_000, 'snapshot', 2.3],
    [240_000, 'snapshot', 2.2],
  ])
})

it.each([
  [60_000, [2.4, 2.3]],
  [60_001, [2.4, undefined]],
])(
  'has prices in play only if its stream holds them back a minute at most (%s ms)',
  async (conflateMs, prices) => {
    const { published, publisher } = openPublisher([marketNamed('1.1', '77')])
    const messages = [
      { ...image(2.4), pt: 200_000, conflateMs },
      update(201_000, {
        id: '1.1',
        marketDefinition: definition({ inPlay: true }),
        rc: [{ id: 1, batb: [[0, 2.3, 5]] }],
      }),
    ]
    for (const message of messages) await publisher.take(message as never)
    const odds = published.flatMap((record) =>
      record.type === 'odds' ? [record.markets[0]?.selections[0]?.price] : [],
    )
    expect(odds).toEqual(prices)
  },
)

it('has an event in play as long as one of its markets is, whichever market changes', async () => {
  const { published, publisher } = openPublisher([
    marketNamed('1.1', '77'),
    marketNamed('1.2', '77'),
  ])
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
