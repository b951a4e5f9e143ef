import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkBudget } from '../../api/access/work-budget.ts'
import { requestedOdds } from '../../api/ask/odds-filter.ts'
import { oddsChannel } from '../../api/stream/channels/odds/odds-channel.ts'
import type { StreamQuery } from '../../api/stream/delivery/channel.ts'
import { createFanout, type Fanout } from '../../api/stream/fanout/fanout.ts'
import { sseFraming } from '../../api/stream/framing/sse-framing.ts'
import { createPositionTokens } from '../../api/stream/timeline/positions.ts'
import { createLogger } from '../../pipeline/process/logger.ts'
import { topics } from '../../schemas/topics.ts'
import { knicks } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const budget = createWorkBudget(() => 0)
const payer = { accountId: 'a', tier: 'pro', requestsPerMinute: 300 } as const

describe('the fan-out', () => {
  let by: ReturnType<typeof createStreamsByHand>
  let fanout: Fanout
  beforeEach(() => {
    by = createStreamsByHand()
    by.event(knicks)
    const logger = createLogger({ logLevel: 'silent' }, 'test')
    const tokens = createPositionTokens('x')
    fanout = createFanout({ ...by, chain: [], tokens, budget, logger })
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
        heartbeat: () => ({}),
      },
    )
    return { client, closed }
  }

  /** Creates a query of all prices that counts the reads of its filter. Equal keys share one query. */
  function watched(key = 'all') {
    const scope = by.streams.scopes.of({ tier: 'sharp', isOwner: false })
    const names = ['odds'] as const
    const requested = requestedOdds({}, scope)
    const times = { reads: 0 }
    const counted = <Filter>(ask: () => Filter) => {
      return () => {
        times.reads++
        return ask()
      }
    }
    const watching = {
      ...requested,
      filter: counted(requested.filter),
      changesFilter: counted(requested.changesFilter),
      queryKey: key,
    }
    const odds = oddsChannel.query({ scope, names, filters: {}, requested: watching })!
    const query: StreamQuery = { scope, queries: [odds], echo: requested.echo }
    return { times, query }
  }

  it('does not read the log again for a client that has left', async () => {
    fanout.close()
    by.slowLog(20)
    let replays = 0
    const slow: typeof by.log = {
      epoch: by.log.epoch,
      async *follow(...options) {
        replays++
        yield* by.log.follow(...options)
      },
    }
    const logger = createLogger({ logLevel: 'silent' }, 'test')
    fanout = createFanout({
      ...by,
      log: slow,
      chain: [],
      tokens: createPositionTokens('of a test'),
      budget,
      logger,
    })
    const { query } = watched()
    const tables = [topics.events, topics.odds]
    const offsets = Object.fromEntries(tables.map(({ name }) => [name, [0]]))
    const position = { epoch: by.log.epoch, offsets, mark: null }
    const clients = Array.from({ length: 20 }, () => open().client)
    for (const client of clients) client.subscribe(query, { from: 'position', position }, payer)
    await by.until('a replay', () => replays > 0)
    for (const client of clients) client.gone()
    await by.pass(10_000)
    expect(replays).toBe(1)
  })

  it('does not resume a client that is gone', async () => {
    const [gone, there] = [watched('gone'), watched('there')]
    const first = open()
    first.client.gone()
    first.client.subscribe(gone.query, { from: 'snapshot' }, payer)
    open().client.subscribe(there.query, { from: 'snapshot' }, payer)
    await by.until('the other is taken up', () => there.times.reads > 0)
    await by.pass(30)
    by.advance(10)
    by.odds(knicks, { sportsbook: 'draftkings', price: 1.9 })
    const before = there.times.reads
    await by.until('the other is told', () => there.times.reads > before)
    expect(gone.times.reads).toBe(0)
  })

  it('ends clients that come after it has stopped', () => {
    const early = open()
    fanout.close()
    const late = open()
    late.client.subscribe(watched().query, { from: 'snapshot' }, payer)
    expect([early.closed, late.closed]).toEqual([[1001], [1001]])
    expect(fanout.clientCount).toBe(0)
  })
})
