/** Snapshots of opportunities that take several steps, while the board moves on. */

import { expect, it } from 'vitest'
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

it('an opportunity that is detected during a long snapshot is sent once, at whatever step', () => {
  const by = createStreamsByHand()
  const legs = [
    { sportsbook: 'draftkings', price: 2.05 },
    { sportsbook: 'fanduel', price: 2.05, selectionType: 'away' },
  ] as const
  // More than a step examines.
  const eventIds = Array.from({ length: 501 }, (_, i) => `nba_bulls_knicks_2027-01-14_${i}`)
  for (const id of eventIds) {
    by.event(id)
    by.odds(id, ...legs)
    by.arbitrage(id, ...legs)
  }
  const { clock, live: view, boards, streams } = by
  const scope = streams.scopes.of({ tier: 'sharp', isOwner: false })
  const query = opportunityChannel.query({
    scope,
    names: ['arbitrage', 'low_hold'],
    filters: {},
    requested: requestedOdds({}, scope),
  })
  const [arbitrage] = scope.opportunities.all('arbitrage')

  function detectAtStep(step: number) {
    const id = `detected at step ${step}`
    const sent: { readonly id: string }[] = []
    const connection = {
      send({ page, ends }: Frames) {
        for (const [i, end] of ends.entries()) {
          const frame = JSON.parse(page.bytes.toString('utf8', i === 0 ? 0 : ends[i - 1], end))
          sent.push(...(frame.low_hold ?? frame.data ?? []))
        }
        return true
      },
      hold() {},
      close() {},
    }
    const options = { proof: false, heartbeatMs: 1_000, state: undefined, heartbeat: () => ({}) }
    const client = createClient(connection, websocketFraming, options)
    const parts: Partial<ChannelParts> = {
      clock,
      chain: [],
      timeline: createTimeline(view, clock),
      delivery: createDelivery({ clock, now: () => 0, ended() {}, watcher: unwatched }),
    }
    const channel = opportunityChannel.open(parts as ChannelParts)
    const subscription = channel.join(client, query!)
    channel.begin(subscription, fromSnapshot)
    const snapshot = channel.snapshot(subscription)
    const tickAt = (now: number) =>
      channel.tick({ now, time: clock(), changes: null, spent: () => 0 })
    for (let taken = 0; taken < step; taken++) snapshot.next()
    const value = { ...arbitrage!.row, id, kind: 'low_hold' as const }
    boards.opportunities.apply([
      { topic: topics.opportunities, key: id, value, partition: 0, offset: 0 },
    ])
    tickAt(0)
    while (!snapshot.next().done);
    client.phase = live
    tickAt(1_000)
    channel.leave(subscription)
    return sent.filter((item) => item.id === id).length
  }

  expect([0, 1, 2, 3, 4, 5, 6].map(detectAtStep)).toEqual([1, 1, 1, 1, 1, 1, 1])
  by.close()
})
