/**
 * Sends changes to all clients, tick by tick: the changes since the last tick are found once, encoded once for each
 * shared query, and written to each socket once.
 *
 * A client with a full socket gets nothing and has no queue. It continues later from its own **position**, and gets
 * each changed row once, as it is when it is sent.
 *
 * This file owns the handle of a client and the order of a tick. `client-phases.ts` owns the phases, the channels
 * choose the rows, `framing/` encodes them and `delivery.ts` sends them. Time is read here and passed on: nothing
 * below reads a clock or waits.
 */

import type { Logger } from 'pino'
import type { Log, Position } from '../../../pipeline/log/log.ts'
import type { Chains } from '../../../pipeline/rules/odds/chains.ts'
import type { CloseCode, StreamErrorCode } from '../../../schemas/stream/channels.ts'
import type { Spender, WorkBudget } from '../../access/work-budget.ts'
import type { Boards } from '../../boards.ts'
import { channelTypes } from '../channels/all-channels.ts'
import type {
  Channel,
  Client,
  ClientOptions,
  Connection,
  Start,
  StreamQuery,
  Turn,
} from '../delivery/channel.ts'
import { createClient } from '../delivery/client.ts'
import { createDelivery } from '../delivery/delivery.ts'
import { type StreamWatcher, unwatched } from '../delivery/stream-watcher.ts'
import type { Framing } from '../framing/framing.ts'
import { createLogReplay } from '../timeline/log-replay.ts'
import type { PositionTokens } from '../timeline/positions.ts'
import { createTimeline } from '../timeline/timeline.ts'
import type { Timers } from '../timeline/timers.ts'
import { createClientPhases } from './client-phases.ts'
import { createHeartbeats } from './heartbeats.ts'
import { startTicks } from './pace.ts'
import { createSourceNews } from './source-news.ts'

/** A client as its session uses it. */
export interface ClientHandle {
  /** Sends `connected`, after which heartbeats come. */
  greet(fields: object): void
  /** Sends a message at once. */
  send(name: string, fields: object): void
  /** Starts a query that replaces the one before. @param payer the account that is charged */
  subscribe(query: StreamQuery, start: Start, payer: Spender): void
  /**
   * Changes the query. Channels with an equal or narrower query go on, the others start with a snapshot.
   * @returns false if `subscribe` must be used: no channel goes on, or the client has not received
   * all of its earlier query, or it started just now
   */
  change(query: StreamQuery): boolean
  drained(): void
  /** Called when the socket is gone. */
  gone(): void
  /** Sends an `error` and closes. */
  fail(code: StreamErrorCode, message: string, close: CloseCode): void
}

export interface Fanout {
  open(connection: Connection, framing: Framing, options: ClientOptions): ClientHandle
  /** See `Timeline.globalSeq`. */
  readonly globalSeq: number
  /** Returns a stamp at or before the position; undefined if the board does not reach back to it. */
  stampAt(position: Position): number | undefined
  /**
   * Returns whether the position is ahead of the board. A position from another process may be
   * ahead.
   */
  isAhead(position: Position): boolean
  /** Returns the board's current position. */
  positionNow(): Position | null
  readonly clientCount: number
  /** Ends all clients with `service_stopping`. */
  close(): void
}

export interface FanoutOptions {
  readonly boards: Boards
  readonly log: Pick<Log, 'epoch' | 'follow'>
  /** The chain of each game. */
  readonly chain: Chains
  readonly tokens: PositionTokens
  /** Epoch ms. */
  readonly clock: () => number
  readonly timers: Timers
  readonly logger: Logger
  readonly budget: Pick<WorkBudget, 'now' | 'charge' | 'isSpent'>
  /** Default: none. */
  readonly watcher?: StreamWatcher
  /** Called before anything of the current board is sent. */
  readonly beforeSending?: () => void
}

export function createFanout(options: FanoutOptions): Fanout {
  const { boards, log, chain, tokens, clock, timers, logger, beforeSending = () => {} } = options
  const { watcher = unwatched } = options
  const { live: view } = boards
  const clients = new Set<Client>()
  const stop = new AbortController()
  const timeline = createTimeline(view, clock)
  const logReplay = createLogReplay(log, timers)

  const delivery = createDelivery({
    clock: boards.now,
    now: timers.now,
    watcher,
    ended(client) {
      clients.delete(client)
      phases.on(client).gone(client)
    },
  })
  const channels: readonly Channel[] = channelTypes.map((type) =>
    type.open({
      view,
      timeline,
      delivery,
      logReplay,
      clock: boards.now,
      chain,
      tokens,
      passedBy: (client) => phases.on(client).passedBy(client),
      lost: (client, reason) => phases.on(client).lost(client, reason),
    }),
  )
  const phases = createClientPhases({
    channels,
    timeline,
    delivery,
    logger,
    wake: pumpSoon,
    budget: options.budget,
  })
  const sourceNews = createSourceNews({ sources: boards.sources, clients, delivery })
  const heartbeats = createHeartbeats({ clients, delivery, proof: phases.proof })

  function beginTurn(): Turn {
    const now = timers.now()
    return { now, spent: () => timers.now() - now }
  }

  // ---- ticks

  function tick() {
    if (!boards.isReady()) return
    beforeSending()
    // Times of day come from the board's clock, durations from the timers.
    const time = boards.now()
    const turn = beginTurn()
    const moved = timeline.advance(clock(), clients.size > 0)
    if (moved === 'replaced') for (const client of clients) phases.on(client).lost(client, moved)
    const changes = moved === 'replaced' ? null : moved
    const { now, spent } = turn
    const { writes } = delivery
    for (const channel of channels) channel.tick({ now, spent, time, changes })
    if (changes) watcher.delivered(changes.changed.rows)
    watcher.ticked?.(clients.size, delivery.writes - writes)
    phases.tick(turn)
    // Statuses of sources use the service's clock, even while a recording is replayed.
    sourceNews.tick(clock())
    heartbeats.tick(turn, time)
  }

  let isPumping = false

  /** Sends snapshots between ticks, after other work of the loop. */
  function pumpSoon() {
    if (isPumping) return
    isPumping = true
    timers.soon(() => {
      isPumping = false
      // Nothing is sent while the board is being read. The next tick continues.
      if (!boards.isReady()) return
      beforeSending()
      if (phases.pump(beginTurn())) pumpSoon()
    })
  }

  const pace = startTicks(timers, tick, () => clients.size)

  return {
    open(connection, framing, options) {
      const client = createClient(connection, framing, options)
      clients.add(client)
      if (stop.signal.aborted) phases.on(client).stopped(client)
      else if (clients.size === 1) pace.hurry()
      return {
        greet(fields) {
          client.nextHeartbeatAt = timers.now() + options.heartbeatMs
          delivery.sendMessage(client, 'connected', fields)
        },
        send: (name, content) => delivery.sendMessage(client, name, content),
        subscribe(query, start, payer) {
          client.payer = payer
          phases.on(client).subscribed(client, query, start, timers.now())
        },
        change: (query) => phases.on(client).changed(client, query, timers.now()),
        drained() {
          delivery.drained(client)
          phases.on(client).drained(client)
        },
        gone: () => delivery.drop(client),
        fail: (code, message, close) => delivery.fail(client, code, message, close),
      }
    },
    get globalSeq() {
      return timeline.globalSeq
    },
    stampAt: timeline.stampAt,
    isAhead: timeline.isAhead,
    positionNow: timeline.positionNow,
    get clientCount() {
      return clients.size
    },
    close() {
      pace.stop()
      stop.abort()
      for (const client of clients) phases.on(client).stopped(client)
    },
  }
}
