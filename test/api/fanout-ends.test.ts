import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFanout, type Fanout } from '../../api/stream/fanout.ts'
import { subscriptionOf } from '../../api/stream/subscription.ts'
import { sseFraming } from '../../api/stream/transports/sse.ts'
import { createLogger } from '../../pipeline/logger.ts'
import { topics } from '../../schemas/topics.ts'
import { knicks } from './small-board.ts'
import { eventually } from './stream-reader.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

describe('the fan-out', () => {
  let by: ReturnType<typeof createStreamsByHand>
  let fanout: Fanout
  beforeEach(() => {
    by = createStreamsByHand()
    by.event(knicks)
    const logger = createLogger({ logLevel: 'silent' }, 'test')
    fanout = createFanout({ ...by, chain: [], logger })
  })
  afterEach(() => {
    fanout.close()
    by.close()
  })

  function open() {
    const closed: number[] = []
    const client = fanout.open(
      { send: () => true, hold() {}, close: (code) => closed.push(code) },
      sseFraming,
      {
        proof: false,
        heartbeatMs: 30_000,
        state: undefined,
        isByBook: false,
        heartbeat: () => ({}),
      },
    )
    return { client, closed }
  }

  /** All prices, and how often it was asked which these are. */
  function watched() {
    const subscription = subscriptionOf(by.streams.scopes.sharp, ['odds'], {})
    const odds = subscription.odds!
    const asked = { count: 0 }
    const counted = (name: 'filter' | 'changesFilter') => () => {
      asked.count++
      return odds.requested[name]()
    }
    const requested = {
      ...odds.requested,
      filter: counted('filter'),
      changesFilter: counted('changesFilter'),
    }
    return { asked, subscription: { ...subscription, odds: { ...odds, requested } } }
  }

  it('reads the log again for nobody who has left', async () => {
    fanout.close()
    let replays = 0
    const slow: typeof by.log = {
      epoch: by.log.epoch,
      async *follow(...asked) {
        replays++
        await delay(20)
        yield* by.log.follow(...asked)
      },
    }
    const logger = createLogger({ logLevel: 'silent' }, 'test')
    fanout = createFanout({ ...by, log: slow, chain: [], logger })
    const { subscription } = watched()
    const tables = [topics.events, topics.odds]
    const offsets = Object.fromEntries(tables.map(({ name }) => [name, [0]]))
    const position = { epoch: by.log.epoch, offsets }
    const clients = Array.from({ length: 20 }, () => open().client)
    for (const client of clients) client.subscribe(subscription, { from: 'position', position })
    await eventually('a replay', () => replays > 0)
    for (const client of clients) client.gone()
    const begun = replays
    await delay(200)
    expect(replays).toBeLessThanOrEqual(begun + 1)
  })

  it('does not take up who is gone', async () => {
    const [gone, there] = [watched(), watched()]
    const first = open()
    first.client.gone()
    first.client.subscribe(gone.subscription, { from: 'snapshot' })
    // The same key would be the same question.
    there.subscription.odds = { ...there.subscription.odds, key: 'another' }
    open().client.subscribe(there.subscription, { from: 'snapshot' })
    await eventually('the other is taken up', () => there.asked.count > 0)
    await delay(30)
    by.advance(10)
    by.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    const before = there.asked.count
    await eventually('the other is told', () => there.asked.count > before)
    expect(gone.asked.count).toBe(0)
  })

  it('ends who comes when it has stopped', () => {
    const early = open()
    fanout.close()
    const late = open()
    late.client.subscribe(watched().subscription, { from: 'snapshot' })
    expect([early.closed, late.closed]).toEqual([[1001], [1001]])
    expect(fanout.clientCount).toBe(0)
  })
})
