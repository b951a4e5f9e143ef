/**
 * The clients of the streams as one state machine: what each event means in each phase is one table,
 * `transitions`. A client asks, begins with a tick (with a snapshot, or with what it has missed since
 * it left), is told of its completion, is brought up to the head from where it stands, and is live
 * from there on: then the channels tell it. Time is an argument everywhere.
 *
 * A client that waits, is given a snapshot or is behind stands in the queue of its phase. Nobody is
 * served twice before the others in the queue were served once.
 */

import type { Logger } from 'pino'
import { InvariantError, invariant } from '../../../pipeline/invariant.ts'
import { sseChannelNames, websocketChannels } from '../../../schemas/stream/channels.ts'
import type { WorkBudget } from '../../access/work-budget.ts'
import type {
  Answer,
  Channel,
  Member,
  Phase,
  PhaseKind,
  Seat,
  Start,
  Subscription,
  Turn,
} from '../delivery/channel.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { fromSnapshot, gone, isOpen, live, noSeats } from '../delivery/member.ts'
import type { Transport } from '../framing/framing.ts'
import type { ResyncReason } from '../timeline/positions.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { proofPatienceMs } from './heartbeats.ts'

const channelNames = {
  sse: sseChannelNames,
  websocket: websocketChannels,
} satisfies Record<Transport, readonly string[]>

/** Work on snapshots, and on those who are behind, before others have their turn. */
const pumpMs = 4
const catchUpMs = 4
/** How often one client may begin anew. */
const beginEveryMs = 500
const noProof = {}
/** How long a position ahead of the board is waited for: other processes may be ahead. */
const aheadMs = 2_000

const reasons: Readonly<Record<ResyncReason, string>> = {
  other_log: 'The position is of another log, or of another version.',
  too_old: 'What came after the position is not kept any more.',
  too_far: 'More has changed since than is told again.',
  too_many:
    'Too many come back at once for each to be told what it missed, or the log does not answer.',
  replaced: 'The board was read anew.',
}

/** A client while it is in one of these phases. */
type In<Kind extends PhaseKind> = Member & { phase: Extract<Phase, { kind: Kind }> }

/** What happens to a client. Every phase has an answer to each. */
interface Events<Kind extends PhaseKind> {
  /** It asks for this, in place of what it asked for before. */
  asked(member: In<Kind>, subscription: Subscription, start: Start, now: number): void
  /** It asks for less. @returns false when it is to ask anew */
  narrowed(member: In<Kind>, subscription: Subscription, now: number): boolean
  /** It has its turn in a tick. */
  tick(member: In<Kind>, turn: Turn): void
  /** Its socket, which was full, takes frames again. */
  drained(member: In<Kind>): void
  /** A tick went by its full socket; its seats say where it stands. */
  passedBy(member: In<Kind>): void
  /** The log has been read for it. */
  answered(member: In<Kind>, answer: Answer): void
  /** It has been given all there is. */
  given(member: In<Kind>, completion: object | null): void
  /** It has been told all up to the head. @param proven what its book must come to, where that is told now */
  caughtUp(member: In<Kind>, proven: object): void
  /** What it knows cannot be gone on from: the board was replaced, or its place is forgotten. */
  lost(member: In<Kind>, reason: ResyncReason): void
  /** The service stops. */
  stopped(member: In<Kind>): void
  /** Its socket is gone, or has been given up. */
  gone(member: In<Kind>): void
}

export interface Clients {
  /** The table's answers for the phase that the client is in. */
  on(member: Member): Events<PhaseKind>
  /** Takes up who waits, and tells those who are behind a piece each; the board and the head are one. */
  tick(turn: Turn): void
  /** Works through snapshots while their sockets take them. @returns whether more is to be done */
  pump(turn: Turn): boolean
  /**
   * What the client's book must come to as of now, where it asked for that; null while that is still
   * being worked out.
   */
  proof(member: Member): object | null
}

export interface ClientsOptions {
  /** In the order of `snapshot:complete`. */
  readonly channels: readonly Channel[]
  readonly timeline: Timeline
  readonly delivery: Delivery
  readonly logger: Logger
  /** There are snapshots to be worked through: `pump` is to be called soon. */
  readonly wake: () => void
  readonly budget: Pick<WorkBudget, 'now' | 'charge' | 'isSpent'>
}

export function createClients(options: ClientsOptions): Clients {
  const { channels, timeline, delivery, logger, wake, budget } = options
  const { tell } = delivery
  const queues = {
    waiting: new Set<Member>(),
    snapshot: new Set<Member>(),
    behind: new Set<Member>(),
  }
  const queueOf = ({ kind }: Phase) =>
    kind in queues ? queues[kind as keyof typeof queues] : undefined

  const transitions: { readonly [Kind in PhaseKind]: Events<Kind> } = {
    idle: {
      asked: ask,
      narrowed: refuse,
      tick: ignore,
      drained: ignore,
      passedBy: impossible,
      answered: impossible,
      given: impossible,
      caughtUp: impossible,
      lost: ignore,
      stopped: end,
      gone: leave,
    },
    waiting: {
      asked: ask,
      narrowed: refuse,
      tick: begin,
      drained: ignore,
      passedBy: impossible,
      answered: impossible,
      given: impossible,
      caughtUp: impossible,
      // It begins on what there is by then.
      lost: ignore,
      stopped: end,
      gone: leave,
    },
    reading: {
      asked: ask,
      narrowed: refuse,
      tick: ignore,
      drained: ignore,
      passedBy: impossible,
      answered: resume,
      given: impossible,
      caughtUp: impossible,
      lost: ignore,
      stopped: end,
      gone: leave,
    },
    snapshot: {
      asked: ask,
      narrowed: refuse,
      tick: ignore,
      drained: goOn,
      passedBy: impossible,
      answered: impossible,
      given: fallBehind,
      caughtUp: impossible,
      lost: resync,
      stopped: end,
      gone: leave,
    },
    behind: {
      asked: ask,
      narrowed: narrowBehind,
      tick: catchUp,
      drained: ignore,
      passedBy: impossible,
      answered: impossible,
      given: impossible,
      caughtUp: goLive,
      lost: resync,
      stopped: end,
      gone: leave,
    },
    live: {
      asked: ask,
      narrowed: narrowLive,
      tick: ignore,
      drained: ignore,
      passedBy: fallBehind,
      answered: impossible,
      given: impossible,
      caughtUp: impossible,
      lost: resync,
      stopped: end,
      gone: leave,
    },
    gone: {
      asked: ignore,
      narrowed: refuse,
      tick: ignore,
      drained: ignore,
      passedBy: impossible,
      answered: impossible,
      given: impossible,
      caughtUp: impossible,
      lost: ignore,
      stopped: ignore,
      gone: ignore,
    },
  }

  /** The one cast: the row is that of the phase. */
  const on = (member: Member) => transitions[member.phase.kind] as Events<PhaseKind>

  function enter(member: Member, phase: Phase) {
    const before = member.phase
    queueOf(before)?.delete(member)
    member.phase = phase
    if (before.kind === 'reading') before.left.abort()
    queueOf(phase)?.add(member)
    if (phase.kind === 'snapshot') wake()
  }

  function ignore() {}

  function refuse() {
    return false
  }

  function impossible(member: Member) {
    invariant(false, `a client that is ${member.phase.kind} does not come to this`)
  }

  // ---- asking

  function ask(member: Member, subscription: Subscription, start: Start, now: number) {
    leaveSeats(member)
    member.scope = subscription.scope
    member.knowsResync = member.options.proof || start.from === 'position'
    enter(member, { kind: 'waiting', since: now, subscription, start })
  }

  function narrowBehind(member: In<'behind'>, subscription: Subscription, now: number): boolean {
    return member.phase.completion === null && narrow(member, subscription, now)
  }

  function narrowLive(member: In<'live'>, subscription: Subscription, now: number): boolean {
    if (!narrow(member, subscription, now)) return false
    // The board may be ahead of what the client was told of it.
    fallBehind(member, null)
    return true
  }

  function narrow(member: Member, { asked }: Subscription, now: number): boolean {
    if (now < member.nextBeginAt) return false
    member.nextBeginAt = now + beginEveryMs
    member.seats = member.seats.filter((seat) => {
      const { channel } = seat
      const less = asked.find(({ type }) => type === channel.type)
      if (!less) channel.leave(seat)
      else channel.narrow?.(seat, less)
      return less !== undefined
    })
    return true
  }

  function leaveSeats(member: Member) {
    for (const seat of member.seats) seat.channel.leave(seat)
    member.seats = noSeats
  }

  // ---- beginning

  /** What was done since is the client's doing. */
  function charge({ payer }: Member, since: number) {
    if (payer) budget.charge(payer, since)
  }

  function begin(member: In<'waiting'>, { now }: Turn) {
    const { since, subscription, start } = member.phase
    if (now < member.nextBeginAt) return
    const isAhead = start.from === 'position' && timeline.isAhead(start.position)
    if (isAhead && now < since + aheadMs) return
    member.nextBeginAt = now + beginEveryMs
    const before = budget.now()
    member.seats = inOrder(subscription, member).map((asked) =>
      channels.find(({ type }) => type === asked.type)!.join(member, asked),
    )
    takePlaces(member, start)
    charge(member, before)
  }

  /** What is asked for, in the order in which the transport names its channels. */
  function inOrder({ asked }: Subscription, { framing }: Member) {
    const place = ({ names }: Channel['type']) =>
      channelNames[framing.transport].findIndex((channel: string) => names.includes(channel))
    return asked.toSorted((a, b) => place(a.type) - place(b.type))
  }

  function takePlaces(member: Member, start: Start) {
    const given: Seat[] = []
    const reads: ((left: AbortSignal) => Promise<Answer | null>)[] = []
    let isResumed = false
    for (const seat of member.seats) {
      const beginning = seat.channel.begin(seat, start)
      if (beginning.kind === 'lost') return resync(member, beginning.reason)
      if (beginning.kind === 'whole') given.push(seat)
      else isResumed = true
      if (beginning.kind === 'reads') reads.push(beginning.missed)
    }
    if (reads.length > 0) return read(member, given, reads)
    // A client that comes back with a position gets its completion once it has been told everything.
    const isLate = member.options.proof || (isResumed && start.from === 'position')
    give(member, given, isResumed, isLate)
  }

  function read(
    member: Member,
    given: readonly Seat[],
    reads: readonly ((left: AbortSignal) => Promise<Answer | null>)[],
  ) {
    const left = new AbortController()
    enter(member, { kind: 'reading', given, left })
    Promise.all(reads.map((missed) => missed(left.signal))).then(
      (answers) => {
        if (left.signal.aborted) return
        const refusal = answers.find((answer) => answer && !answer.ok)
        on(member).answered(member, refusal ?? { ok: true })
      },
      (error) => {
        if (error instanceof InvariantError) throw error
        if (left.signal.aborted) return
        logger.error({ err: error }, 'the log could not be read again for a stream')
        on(member).answered(member, { ok: false, reason: 'too_old' })
      },
    )
  }

  function resume(member: In<'reading'>, answer: Answer) {
    if (answer.ok) give(member, member.phase.given, true, true)
    else resync(member, answer.reason)
  }

  function resync(member: Member, reason: ResyncReason) {
    if (!member.knowsResync) {
      return delivery.fail(member, 'upstream_error', `${reasons[reason]} Reconnect.`, 1001)
    }
    tell(member, 'resync', { reason, message: reasons[reason] })
    takePlaces(member, fromSnapshot)
  }

  // ---- what there is

  /** @param isLate the completion comes once the client has caught up, not before */
  function give(member: Member, seats: readonly Seat[], isResumed: boolean, isLate: boolean) {
    const parts = seats.map((seat) => seat.channel.snapshot(seat))
    enter(member, { kind: 'snapshot', script: script(member, parts, isResumed, isLate) })
  }

  function* script(
    member: Member,
    parts: readonly Generator<void, object>[],
    isResumed: boolean,
    isLate: boolean,
  ): Iterator<void, object | null> {
    const { framing } = member
    const none = channels.map(({ type }) => type.noTotals(framing.transport))
    const totals: object = Object.assign({}, ...none)
    for (const part of parts) Object.assign(totals, yield* part)
    const isResumable = member.seats.some(({ channel }) => channel.type.isResumable)
    const isWhole = isResumable && !isResumed
    const completion = framing.completion({ totals, isResumed, isWhole })
    if (isResumable && isLate) return completion
    tell(member, 'snapshot:complete', completion)
    return null
  }

  function goOn(member: Member) {
    queues.snapshot.add(member)
    wake()
  }

  // ---- up to the head

  function fallBehind(member: Member, completion: object | null = null) {
    enter(member, { kind: 'behind', completion, provingSince: null })
  }

  function catchUp(member: In<'behind'>, { now }: Turn) {
    const before = budget.now()
    const isTold = isCaughtUp(member)
    charge(member, before)
    if (!isTold) return
    const { phase } = member
    const proven = phase.completion ? proof(member) : noProof
    if (proven) return on(member).caughtUp(member, proven)
    // Of a large board in full swing a proof may take long, and the next heartbeat has it too.
    phase.provingSince ??= now
    if (now > phase.provingSince + proofPatienceMs) on(member).caughtUp(member, noProof)
  }

  function isCaughtUp(member: Member): boolean {
    let isTold = true
    for (const seat of member.seats) {
      if (seat.channel.catchUp?.(seat) === false) isTold = false
      if (member.phase.kind !== 'behind') return false
    }
    return isTold
  }

  function goLive(member: In<'behind'>, proven: object) {
    const { completion } = member.phase
    enter(member, live)
    if (completion) tell(member, 'snapshot:complete', { ...completion, ...proven })
  }

  function proof(member: Member): object | null {
    const { options, payer, seats } = member
    if (!options.proof || (payer && budget.isSpent(payer))) return noProof
    const before = budget.now()
    const proven = {}
    let isWhole = true
    for (const seat of seats) {
      const ofSeat = seat.channel.proof?.(seat)
      if (ofSeat === null) isWhole = false
      Object.assign(proven, ofSeat)
    }
    charge(member, before)
    return isWhole ? proven : null
  }

  // ---- the end

  function end(member: Member) {
    delivery.fail(member, 'service_stopping', 'The service stops.', 1001)
  }

  function leave(member: Member) {
    leaveSeats(member)
    enter(member, gone)
  }

  return {
    on,
    proof,
    tick(turn) {
      for (const member of queues.waiting) on(member).tick(member, turn)
      if (queues.snapshot.size > 0) wake()
      const until = turn.spent() + catchUpMs
      for (const member of [...queues.behind]) {
        if (!isOpen(member)) continue
        if (turn.spent() > until) return
        // It goes to the end of the queue until it has caught up.
        queues.behind.delete(member)
        queues.behind.add(member)
        on(member).tick(member, turn)
      }
    },

    pump(turn) {
      for (const member of queues.snapshot) {
        const { phase } = member
        // The first goes to the end of the queue; a client whose socket is full comes back by
        // `drained`.
        queues.snapshot.delete(member)
        if (phase.kind !== 'snapshot' || !isOpen(member)) continue
        const before = budget.now()
        const step = phase.script.next()
        charge(member, before)
        if (member.phase === phase) {
          if (step.done) on(member).given(member, step.value)
          else queues.snapshot.add(member)
        }
        if (turn.spent() >= pumpMs) break
      }
      return queues.snapshot.size > 0
    },
  }
}
