/** Snapshots of opportunities that take several steps, while the board moves on. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestedOdds } from '../../api/ask/odds-filter.ts'
import type { ChannelParts } from '../../api/stream/channels/channel-type.ts'
import { opportunityChannel } from '../../api/stream/channels/opportunities/opportunity-channel.ts'
import { createClient, fromSnapshot, live } from '../../api/stream/delivery/client.ts'
import { createDelivery } from '../../api/stream/delivery/delivery.ts'
import { unwatched } from '../../api/stream/delivery/stream-watcher.ts'
import type { Frames } from '../../api/stream/framing/frames.ts'
import { websocketFraming } from '../../api/stream/framing/websocket-framing.ts'
import { createTimeline } from '../../api/stream/timeline/timeline.ts'
import { topics } from '../../schemas/topics.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

type Streams = ReturnType<typeof createStreamsByHand>

const legs = [
  { sportsbook: 'draftkings', price: 2.05 },
  { sportsbook: 'fanduel', price: 2.05, selectionType: 'away' },
] as const
// More than a step examines.
const eventIds = Array.from({ length: 501 }, (_, i) => `nba_bulls_knicks_2027-01-14_${i}`)
const [first] = eventIds as [string]
const steps = [0, 1, 2, 3, 4, 5, 6]

let by: Streams
beforeAll(() => {
  by = createStreamsByHand()
  for (const id of eventIds) {
    by.event(id)
    by.odds(id, ...legs)
    by.arbitrage(id, ...legs)
  }
})
afterAll(() => by.close())

/** Adds a low hold of the first event. */
function detect(id: string) {
  const [arbitrage] = by.boards.opportunities.all('arbitrage')
  const value = { ...arbitrage!.row, id, kind: 'low_hold' as const }
  by.boards.opportunities.apply([
    { topic: topics.opportunities, key: id, value, partition: 0, offset: 0 },
  ])
}

/** Streams to a client. @returns how often the low hold was sent, and how often its end */
function streamed(id: string, { step, meanwhile, after }: Course) {
  const sent: string[] = []
  const ended: string[] = []
  const connection = {
    send({ page, ends }: Frames) {
      for (const [i, end] of ends.entries()) {
        const frame = JSON.parse(page.bytes.toString('utf8', i === 0 ? 0 : ends[i - 1], end))
        const { low_hold = frame.data?.expired ? [] : frame.data } = frame
        sent.push(...(low_hold ?? []).map((item: { id: string }) => item.id))
        ended.push(...(frame.data?.expired ?? []))
      }
      return true
    },
    hold() {},
    close() {},
  }
  const { clock, live: view, streams } = by
  const scope = streams.scopes.of({ tier: 'sharp', isOwner: false })
  const options = { proof: false, heartbeatMs: 1_000, state: undefined, heartbeat: () => ({}) }
  const client = createClient(connection, websocketFraming, options)
  const parts: Partial<ChannelParts> = {
    clock,
    chain: [],
    timeline: createTimeline(view, clock),
    delivery: createDelivery({ clock, now: () => 0, ended() {}, watcher: unwatched }),
  }
  const channel = opportunityChannel.open(parts as ChannelParts)
  const names = ['arbitrage', 'low_hold'] as const
  const requested = requestedOdds({}, scope)
  const query = opportunityChannel.query({ scope, names, filters: {}, requested })
  const subscription = channel.join(client, query!)
  channel.begin(subscription, fromSnapshot)
  const snapshot = channel.snapshot(subscription)
  const tickAt = (now: number) =>
    channel.tick({ now, time: clock(), changes: null, spent: () => 0 })
  for (let taken = 0; taken < step; taken++) snapshot.next()
  meanwhile(tickAt)
  while (!snapshot.next().done);
  client.phase = live
  after()
  tickAt(1_000)
  tickAt(2_000)
  channel.leave(subscription)
  const timesOf = (ids: readonly string[]) => ids.filter((named) => named === id).length
  return [timesOf(sent), timesOf(ended)]
}

interface Course {
  /** Steps of the snapshot taken first. */
  readonly step: number
  meanwhile(tickAt: (now: number) => void): void
  after(): void
}

it.each(steps)('an opportunity that is detected at step %i of a snapshot is sent once', (step) => {
  const id = `detected at step ${step}`
  const meanwhile = (tickAt: (now: number) => void) => {
    detect(id)
    tickAt(0)
  }
  expect(streamed(id, { step, meanwhile, after() {} })).toEqual([1, 0])
})

it.each(steps)('one that does not hold at step %i, and then does again, is sent once', (step) => {
  const id = `back after step ${step}`
  detect(id)
  const meanwhile = () => by.withdraw(first, legs[0])
  const after = () => by.odds(first, ...legs)
  expect(streamed(id, { step, meanwhile, after })).toEqual([1, 0])
})

it.each(steps)('one that ends at step %i has as many ends as it was sent', (step) => {
  const id = `gone at step ${step}`
  detect(id)
  const meanwhile = () => by.withdraw(first, legs[0])
  const [sent, ended] = streamed(id, { step, meanwhile, after() {} })
  expect(ended).toBe(sent)
  by.odds(first, ...legs)
})
