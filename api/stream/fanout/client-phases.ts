/**
 * The state machine of stream clients. The table `transitions` has each phase's reactions to
 * events, if they differ from the usual ones. A client subscribes and starts at a tick (with a
 * snapshot, or with the changes it missed). It gets `snapshot:complete`, catches up, and is live:
 * then the channels send to it. Time is always an argument.
 *
 * Clients that wait, receive a snapshot or are behind have a queue for each of these phases, served in rotation.
 */

import type { Logger } from 'pino'
import { InvariantError, invariant } from '../../../pipeline/invariant.ts'
import { sseChannelNames, websocketChannels } from '../../../schemas/stream/channels.ts'
import type { WorkBudget } from '../../access/work-budget.ts'
import type {
  Channel,
  ChannelQuery,
  Client,
  Phase,
  PhaseKind,
  ReadResult,
  Start,
  StreamQuery,
  Subscription,
  Turn,
} from '../delivery/channel.ts'
import { fromSnapshot, gone, isOpen, live, noSubscriptions } from '../delivery/client.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Transport } from '../framing/framing.ts'
import type { ResyncReason } from '../timeline/positions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { proofPatienceMs } from './heartbeats.ts'

const channelNames = {
  sse: sseChannelNames,
  websocket: websocketChannels,
} satisfies Record<Transport, readonly string[]>

/** Time for snapshots, and for clients that are behind, in one run of work. */
const pumpMs = 4
const catchUpMs = 4
/** Least time between two starts of one client. */
const beginEveryMs = 500
const noProof = {}
/** How long to wait for a position ahead of the board: other processes may be ahead. */
const aheadMs = 2_000

const reasons: Readonly<Record<ResyncReason, string>> = {
  other_log: 'The position belongs to another log, or has another version.',
  other_books:
    'The position belongs to other sportsbooks: the tier or the choice of `books` has changed.',
  too_old: 'The changes since the position are no longer kept.',
  too_far: 'Too much has changed since the position.',
  too_many: 'Too many clients resume at once, or the log does not answer.',
  replaced: 'The board was reloaded.',
}

/** A client while it is in one of these phases. */
type In<Kind extends PhaseKind> = Client & { phase: Extract<Phase, { kind: Kind }> }

/** The events of a client. Every phase handles each of them. */
interface Events<Kind extends PhaseKind> {
  /** It sends a query that replaces the one before. */
  subscribed(client: In<Kind>, query: StreamQuery, start: Start, now: number): void
  /** It changes its query, as `ClientHandle.change`. @returns false if it must subscribe instead */
  changed(client: In<Kind>, query: StreamQuery, now: number): boolean
  /** It is served at a tick. */
  tick(client: In<Kind>, turn: Turn): void
  /** Its full socket takes frames again. */
  drained(client: In<Kind>): void
  /** Its socket was full at a tick. Its subscriptions keep its position. */
  passedBy(client: In<Kind>): void
  /** The log has been read for it. */
  logRead(client: In<Kind>, result: ReadResult): void
  /** Its snapshot has been sent. */
  snapshotSent(client: In<Kind>, completion: object | null): void
  /** It has reached the head. @param proven the proof to send with the completion */
  caughtUp(client: In<Kind>, proven: object): void
  /** It cannot continue: the board was replaced, or no longer reaches back to its position. */
  lost(client: In<Kind>, reason: ResyncReason): void
  /** The service stops. */
  stopped(client: In<Kind>): void
  /** Its socket is gone. */
  gone(client: In<Kind>): void
}

export interface ClientPhases {
  /** Returns the event handlers of the client's phase. */
  on(client: Client): Events<PhaseKind>
  /**
   * Starts waiting clients and sends some rows to each client that is behind. Call it once the
   * timeline's head is up to date with the board.
   */
  tick(turn: Turn): void
  /** Sends snapshots to sockets that take them. @returns whether there are more to send */
  pump(turn: Turn): boolean
  /** Returns the current proof of the client's book. Empty if it wants none, null until further calls complete it. */
  proof(client: Client): object | null
}

export interface ClientPhasesOptions {
  /** Channels in the order of `snapshot:complete`. */
  readonly channels: readonly Channel[]
  readonly timeline: Timeline
  readonly delivery: Delivery
  readonly logger: Logger
  /** Called when there are snapshots to send: call `pump` soon. */
  readonly wake: () => void
  readonly budget: Pick<WorkBudget, 'now' | 'charge' | 'isSpent'>
}

export function createClientPhases(options: ClientPhasesOptions): ClientPhases {
  const { channels, timeline, delivery, logger, wake, budget } = options
  const { sendMessage } = delivery
  const queues = {
    waiting: new Set<Client>(),
    snapshot: new Set<Client>(),
    behind: new Set<Client>(),
  }
  const queueOf = ({ kind }: Phase) =>
    kind in queues ? queues[kind as keyof typeof queues] : undefined

  /** The reactions of most phases. */
  const usual = {
    subscribed: subscribe,
    changed: refuse,
    tick: ignore,
    drained: ignore,
    passedBy: impossible,
    logRead: impossible,
    snapshotSent: impossible,
    caughtUp: impossible,
    lost: ignore,
    stopped: end,
    gone: leave,
  } satisfies Events<PhaseKind>
  const transitions: { readonly [Kind in PhaseKind]: Events<Kind> } = {
    idle: usual,
    // If the board is replaced, it only leaves its subscriptions: it is about to start anyway.
    waiting: { ...usual, changed: isSameQuery, tick: begin, lost: leaveSubscriptions },
    reading: { ...usual, changed: isSameQuery, logRead: resume },
    snapshot: { ...usual, drained: goOn, snapshotSent: fallBehind, lost: resync },
    behind: { ...usual, changed: changeBehind, tick: catchUp, caughtUp: goLive, lost: resync },
    live: { ...usual, changed: change, passedBy: fallBehind, lost: resync },
    gone: { ...usual, subscribed: ignore, stopped: ignore, gone: ignore },
  }

  /** The only cast: these are the handlers of the client's phase. */
  const on = (client: Client) => transitions[client.phase.kind] as Events<PhaseKind>

  function enter(client: Client, phase: Phase) {
    const before = client.phase
    queueOf(before)?.delete(client)
    client.phase = phase
    if (before.kind === 'reading') before.aborter.abort()
    queueOf(phase)?.add(client)
    if (phase.kind === 'snapshot') wake()
  }

  function ignore() {}

  function refuse() {
    return false
  }

  function impossible(client: Client) {
    invariant(false, `a client that is ${client.phase.kind} does not come to this`)
  }

  // ---- queries

  function subscribe(client: Client, query: StreamQuery, start: Start, now: number) {
    leaveSubscriptions(client)
    client.query = query
    client.knowsResync = client.options.proof || start.from === 'position'
    enter(client, { kind: 'waiting', since: now, start })
  }

  /**
   * Returns whether the query asks for nothing new. A client that has not started yet then keeps
   * its start.
   */
  function isSameQuery({ query: before }: Client, { queries }: StreamQuery): boolean {
    const others = before!.queries
    return (
      queries.length === others.length &&
      queries.every(({ type, key }) =>
        others.some((other) => other.type === type && other.key === key),
      )
    )
  }

  function changeBehind(client: In<'behind'>, query: StreamQuery, now: number): boolean {
    return client.phase.completion === null && change(client, query, now)
  }

  function change(client: In<'behind' | 'live'>, query: StreamQuery, now: number): boolean {
    const before = client.query!.queries
    const formerOf = ({ type }: ChannelQuery) => before.find((former) => former.type === type)
    const isSame = (part: ChannelQuery) => formerOf(part)?.key === part.key
    const { queries } = query
    if (isSameQuery(client, query)) return true
    const ongoing = queries.filter((part) => {
      const former = formerOf(part)
      return former && (isSame(part) || part.type.isNarrower(former, part))
    })
    if (ongoing.length === 0) return false
    const isLess = ongoing.length === queries.length
    if (isLess) {
      if (now < client.nextBeginAt) return false
      client.nextBeginAt = now + beginEveryMs
    }
    client.subscriptions = client.subscriptions.filter((subscription) => {
      const { channel } = subscription
      const part = ongoing.find(({ type }) => type === channel.type)
      if (!part) channel.leave(subscription)
      else channel.narrow?.(subscription, part)
      return part !== undefined
    })
    client.query = query
    if (!isLess) enter(client, { kind: 'waiting', since: now, start: fromSnapshot })
    // The board may be ahead of the client.
    else if (client.phase === live) fallBehind(client)
    return true
  }

  function leaveSubscriptions(client: Client) {
    for (const subscription of client.subscriptions) subscription.channel.leave(subscription)
    client.subscriptions = noSubscriptions
  }

  // ---- start

  /** Charges the time since to the client's account. */
  function charge({ payer }: Client, since: number) {
    if (payer) budget.charge(payer, since)
  }

  function begin(client: In<'waiting'>, { now }: Turn) {
    const { since, start } = client.phase
    if (now < client.nextBeginAt) return
    const isAhead = start.from === 'position' && timeline.isAhead(start.position)
    if (isAhead && now < since + aheadMs) return
    client.nextBeginAt = now + beginEveryMs
    const before = budget.now()
    const ongoing = client.subscriptions
    client.subscriptions = inOrder(client.query!, client).map((part) => {
      const going = ongoing.find(({ channel }) => channel.type === part.type)
      return going ?? channels.find(({ type }) => type === part.type)!.join(client, part)
    })
    beginChannels(client, start, ongoing)
    charge(client, before)
  }

  /** Returns the channels' queries in the transport's order of channels. */
  function inOrder({ queries }: StreamQuery, { framing }: Client) {
    const place = ({ names }: Channel['type']) =>
      channelNames[framing.transport].findIndex((channel: string) => names.includes(channel))
    return queries.toSorted((a, b) => place(a.type) - place(b.type))
  }

  /** @param ongoing subscriptions that continue from their position */
  function beginChannels(
    client: Client,
    start: Start,
    ongoing: readonly Subscription[] = noSubscriptions,
  ) {
    const awaitSnapshot: Subscription[] = []
    const reads: ((signal: AbortSignal) => Promise<ReadResult | null>)[] = []
    let isResumed = ongoing.some(({ channel }) => channel.type.isResumable)
    for (const subscription of client.subscriptions) {
      if (ongoing.includes(subscription)) continue
      const beginning = subscription.channel.begin(subscription, start)
      if (beginning.kind === 'lost') return resync(client, beginning.reason)
      if (beginning.kind === 'whole') awaitSnapshot.push(subscription)
      else isResumed = true
      if (beginning.kind === 'reads') reads.push(beginning.missed)
    }
    if (reads.length > 0) return read(client, awaitSnapshot, reads)
    // A client that resumes from a position gets its completion once it has caught up.
    const isLate = client.options.proof || (isResumed && start.from === 'position')
    sendSnapshot(client, awaitSnapshot, isResumed, isLate)
  }

  function read(
    client: Client,
    awaitSnapshot: readonly Subscription[],
    reads: readonly ((signal: AbortSignal) => Promise<ReadResult | null>)[],
  ) {
    const aborter = new AbortController()
    enter(client, { kind: 'reading', awaitSnapshot, aborter })
    Promise.all(reads.map((missed) => missed(aborter.signal))).then(
      (results) => {
        if (aborter.signal.aborted) return
        const refusal = results.find((result) => result && !result.ok)
        on(client).logRead(client, refusal ?? { ok: true })
      },
      (error) => {
        if (error instanceof InvariantError) throw error
        if (aborter.signal.aborted) return
        logger.error({ err: error }, 'reading the log for a resuming stream failed')
        on(client).logRead(client, { ok: false, reason: 'too_old' })
      },
    )
  }

  function resume(client: In<'reading'>, result: ReadResult) {
    if (result.ok) sendSnapshot(client, client.phase.awaitSnapshot, true, true)
    else resync(client, result.reason)
  }

  function resync(client: Client, reason: ResyncReason) {
    if (!client.knowsResync) {
      return delivery.fail(client, 'upstream_error', `${reasons[reason]} Reconnect.`, 1001)
    }
    sendMessage(client, 'resync', { reason, message: reasons[reason] })
    beginChannels(client, fromSnapshot)
  }

  // ---- snapshots

  /** @param isLate send the completion once the client has caught up, not before */
  function sendSnapshot(
    client: Client,
    subscriptions: readonly Subscription[],
    isResumed: boolean,
    isLate: boolean,
  ) {
    const parts = subscriptions.map((subscription) => subscription.channel.snapshot(subscription))
    enter(client, { kind: 'snapshot', script: script(client, parts, isResumed, isLate) })
  }

  function* script(
    client: Client,
    parts: readonly Generator<void, object>[],
    isResumed: boolean,
    isLate: boolean,
  ): Iterator<void, object | null> {
    const { framing } = client
    const none = channels.map(({ type }) => type.noTotals(framing.transport))
    const totals: object = Object.assign({}, ...none)
    for (const part of parts) Object.assign(totals, yield* part)
    const isResumable = client.subscriptions.some(({ channel }) => channel.type.isResumable)
    const isWhole = isResumable && !isResumed
    const completion = framing.completion({ totals, isResumed, isWhole })
    if (isResumable && isLate) return completion
    sendMessage(client, 'snapshot:complete', completion)
    return null
  }

  function goOn(client: Client) {
    queues.snapshot.add(client)
    wake()
  }

  // ---- up to the head

  function fallBehind(client: Client, completion: object | null = null) {
    enter(client, { kind: 'behind', completion, provingSince: null })
  }

  function catchUp(client: In<'behind'>, { now }: Turn) {
    const before = budget.now()
    const isDone = catchUpChannels(client)
    charge(client, before)
    if (!isDone) return
    const { phase } = client
    const proven = phase.completion ? proof(client) : noProof
    if (proven) return on(client).caughtUp(client, proven)
    // On a large busy board a proof may take long. The next heartbeat tries again.
    phase.provingSince ??= now
    if (now > phase.provingSince + proofPatienceMs) on(client).caughtUp(client, noProof)
  }

  function catchUpChannels(client: Client): boolean {
    let hasAll = true
    for (const subscription of client.subscriptions) {
      if (subscription.channel.catchUp?.(subscription) === false) hasAll = false
      if (client.phase.kind !== 'behind') return false
    }
    return hasAll
  }

  function goLive(client: In<'behind'>, proven: object) {
    const { completion } = client.phase
    enter(client, live)
    if (completion) sendMessage(client, 'snapshot:complete', { ...completion, ...proven })
  }

  function proof(client: Client): object | null {
    const { options, payer, subscriptions } = client
    if (!options.proof || (payer && budget.isSpent(payer))) return noProof
    const before = budget.now()
    const proven = {}
    let isWhole = true
    for (const subscription of subscriptions) {
      const part = subscription.channel.proof?.(subscription)
      if (part === null) isWhole = false
      Object.assign(proven, part)
    }
    charge(client, before)
    return isWhole ? proven : null
  }

  // ---- the end

  function end(client: Client) {
    delivery.fail(client, 'service_stopping', 'The service is stopping; reconnect.', 1001)
  }

  function leave(client: Client) {
    leaveSubscriptions(client)
    enter(client, gone)
  }

  return {
    on,
    proof,
    tick(turn) {
      for (const client of queues.waiting) on(client).tick(client, turn)
      if (queues.snapshot.size > 0) wake()
      const until = turn.spent() + catchUpMs
      for (const client of [...queues.behind]) {
        if (!isOpen(client)) continue
        if (turn.spent() > until) return
        // Move it to the end of the queue.
        queues.behind.delete(client)
        queues.behind.add(client)
        on(client).tick(client, turn)
      }
    },

    pump(turn) {
      for (const client of queues.snapshot) {
        const { phase } = client
        // The first client moves to the end of the queue. A client with a full socket returns by `drained`.
        queues.snapshot.delete(client)
        if (phase.kind !== 'snapshot' || !isOpen(client)) continue
        const before = budget.now()
        const step = phase.script.next()
        charge(client, before)
        if (client.phase === phase) {
          if (step.done) on(client).snapshotSent(client, step.value)
          else queues.snapshot.add(client)
        }
        if (turn.spent() >= pumpMs) break
      }
      return queues.snapshot.size > 0
    },
  }
}
