/**
 * Changes out to everybody who asked for them. Time goes in ticks: what changed since the last one is
 * looked at once, encoded once for all who ask for the same, and handed to each socket in one write.
 *
 * Every client is read from its own **position**. One that is up to date gets the shared bytes; one
 * whose socket is full gets nothing, and later, from where it stands, each row once as it is by then:
 * no queue grows for it. What goes on the wire is `framing.ts`; who may ask is decided elsewhere.
 *
 * Here is what a client can do, and the tick: its order and its rate. A client begins by
 * `beginnings.ts`, is brought up to the head by `catching-up.ts`, and is told from there on with its
 * groups, all of it through `delivery.ts`.
 */

import type { Logger } from 'pino'
import type { Log, Position } from '../../pipeline/log/log.ts'
import type { CloseCode, StreamErrorCode } from '../../schemas/stream/channels.ts'
import type { Boards } from '../boards.ts'
import { createBeginnings } from './beginnings.ts'
import { createCatchingUp } from './catching-up.ts'
import { createOddsGroups } from './channels/odds/odds-groups.ts'
import { createOpportunityGroups } from './channels/opportunities/opportunity-groups.ts'
import { createDelivery } from './delivery.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLogReplay } from './log-replay.ts'
import {
  type ClientOptions,
  type Connection,
  createMember,
  type Member,
  type Start,
} from './member.ts'
import type { Subscription } from './subscription.ts'
import { createTimeline } from './timeline.ts'
import type { Framing } from './transports/framing.ts'

export interface Client {
  /** Sends a message of this name at once. */
  tell(name: string, members: object): void
  /** Begins what is asked for, in place of what was asked for before. */
  subscribe(subscription: Subscription, start: Start): void
  /**
   * Goes on with prices that are among those asked for before; all else is as it was.
   * @returns false when the client has not been given all of what it asked for before, or that was
   *   only just now: `subscribe` instead
   */
  narrow(subscription: Subscription): boolean
  drained(): void
  /** The socket is gone. */
  gone(): void
  close(code: CloseCode, reason: string): void
  /** Tells why and closes. */
  fail(code: StreamErrorCode, message: string, close: CloseCode): void
}

export interface Fanout {
  open(connection: Connection, framing: Framing, options: ClientOptions): Client
  /** The number of the last change: of a tick, of a sportsbook in it, or of opportunities. */
  readonly globalSeq: number
  /** How far the board remembers: a stamp at or before the position. */
  stampAt(position: Position): number | undefined
  /** The position the board is at now. */
  positionNow(): string | null
  readonly clientCount: number
  /** Tells everybody that the service stops, and closes. */
  close(): void
}

export interface FanoutOptions {
  readonly boards: Boards
  readonly log: Pick<Log, 'epoch' | 'follow'>
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
  /** A socket that takes nothing for so long is given up. */
  readonly stallMs?: number
}

/**
 * Time from a tick to the next. A tick costs a system call a socket, however little there is to say:
 * a process without time to spare takes longer ones, until some is left or the longest is reached.
 */
const leastTickMs = 10
const longestTickMs = 30
/** The longest is this much for each socket, where that is more. */
const longestTickMsPerClient = 0.01
/** Load above which ticks grow, and below which they shrink. */
const busy = 0.95
const idle = 0.88
const tickGrowth = 1.1
/** What the newest tick counts in the load. */
const loadWeight = 0.1
/** While there are no clients. */
const quietTickMs = 100

export function createFanout(options: FanoutOptions): Fanout {
  const { boards, log, chain, clock, logger, stallMs } = options
  const { live: view } = boards
  const members = new Set<Member>()
  const stop = new AbortController()
  const timeline = createTimeline(view)
  const delivery = createDelivery(clock, (member) => {
    members.delete(member)
    leave(member)
  })
  const tooOld = (member: Member) => beginnings.resync(member, 'too_old')
  const oddsGroups = createOddsGroups(view, timeline, delivery)
  const { proofOf } = oddsGroups
  const opportunityGroups = createOpportunityGroups({ chain, clock, timeline, delivery, tooOld })
  const catchingUp = createCatchingUp({ view, timeline, delivery, proofOf, tooOld })
  const beginnings = createBeginnings({
    view,
    timeline,
    delivery,
    oddsGroups,
    opportunityGroups,
    catchingUp,
    logReplay: createLogReplay(log, stop.signal),
    isReady: boards.isReady,
    logger,
    stop: stop.signal,
  })
  const heartbeats = createHeartbeats({ members, clock, delivery, proofOf, stallMs })

  /** Nothing that was asked for so far is told any more. */
  function leave(member: Member) {
    oddsGroups.leave(member)
    opportunityGroups.leave(member)
    beginnings.leave(member)
    catchingUp.leave(member)
  }

  const stopped = (member: Member) =>
    delivery.fail(member, 'service_stopping', 'The service stops.', 1001)

  // ---- ticks

  function tick() {
    if (!boards.isReady()) return
    // Times of day come from the clock; how long things take, and how often, does not.
    const now = clock()
    const started = performance.now()
    const changes = timeline.advance(now, members.size > 0)
    if (changes === 'replaced') replaceAll()
    else if (changes) {
      opportunityGroups.noteMoved(changes.changed)
      oddsGroups.tell(changes, now, catchingUp.fallBehind)
    }
    opportunityGroups.tick(started, now)
    beginnings.tick()
    catchingUp.tick()
    heartbeats.tick(started)
  }

  function replaceAll() {
    oddsGroups.restart()
    for (const member of members) {
      if (member.phase === 'waiting' || member.isGone) continue
      beginnings.resync(member, 'replaced')
    }
  }

  /** When the next tick is due (`performance.now`). */
  let dueAt = performance.now()
  let tickMs = leastTickMs
  let used = performance.eventLoopUtilization()
  /** Share of its time the process has had something to do, over the last ticks. */
  let load = 0
  let timer: NodeJS.Timeout | undefined

  function loop() {
    tick()
    const usedBefore = used
    used = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(used, usedBefore)
    load += loadWeight * (utilization - load)
    if (load > busy) tickMs *= tickGrowth
    else if (load < idle) tickMs /= tickGrowth
    const longest = Math.max(longestTickMs, longestTickMsPerClient * members.size)
    tickMs = Math.max(leastTickMs, Math.min(longest, tickMs))
    schedule(members.size > 0 ? tickMs : quietTickMs)
  }

  function schedule(ms: number) {
    const now = performance.now()
    // What else there is to do has its turn between two timers, however short the time.
    dueAt = Math.max(now, Math.min(dueAt, now) + ms)
    timer = setTimeout(loop, Math.max(1, Math.floor(dueAt - now)))
  }
  schedule(leastTickMs)

  return {
    open(connection, framing, of) {
      const member = createMember(connection, framing, of, timeline)
      members.add(member)
      if (stop.signal.aborted) stopped(member)
      else if (members.size === 1) {
        // So far ticks were long.
        clearTimeout(timer)
        schedule(0)
      }
      return {
        tell: (name, content) => delivery.tell(member, name, content),
        subscribe(subscription, start) {
          // It may have gone with the frame before.
          if (member.isGone) return
          leave(member)
          beginnings.ask(member, subscription, start)
        },
        narrow: (subscription) => beginnings.narrow(member, subscription),
        drained() {
          delivery.drained(member)
          beginnings.drained(member)
        },
        gone: () => delivery.drop(member),
        close: (code, reason) => delivery.close(member, code, reason),
        fail: (code, message, close) => delivery.fail(member, code, message, close),
      }
    },
    get globalSeq() {
      return timeline.globalSeq
    },
    stampAt: timeline.stampAt,
    positionNow: timeline.positionNow,
    get clientCount() {
      return members.size
    },
    close() {
      clearTimeout(timer)
      stop.abort()
      for (const member of members) stopped(member)
    },
  }
}
