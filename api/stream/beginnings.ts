/**
 * How clients begin: a snapshot of what there is, or what they have missed since they left, and after
 * it `snapshot:complete`. What changes meanwhile they are told from the stamp they began at, by
 * `catching-up.ts`.
 */

import type { Logger } from 'pino'
import { InvariantError } from '../../pipeline/invariant.ts'
import type { Position } from '../../pipeline/log/log.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { Scope } from '../access/scope.ts'
import type { CatchingUp } from './catching-up.ts'
import type { OddsGroups } from './channels/odds/odds-groups.ts'
import type { OddsQuestion } from './channels/odds/odds-news.ts'
import { createOddsSnapshot, type OddsSnapshot } from './channels/odds/odds-snapshot.ts'
import type { OpportunityGroups } from './channels/opportunities/opportunity-groups.ts'
import type { Delivery } from './delivery.ts'
import type { LogReplay } from './log-replay.ts'
import { isOpen, type Member, type Start } from './member.ts'
import { isAhead, type ResyncReason } from './positions.ts'
import type { Subscription } from './subscription.ts'
import type { Timeline } from './timeline.ts'

/** Work on snapshots before others have their turn. */
const pumpMs = 4
/** How often one client may begin anew. */
const beginEveryMs = 500
/** How long a position ahead of the board is waited for: other processes may be ahead. */
const aheadMs = 2_000

const reasons: Readonly<Record<ResyncReason | 'replaced', string>> = {
  other_log: 'The position is of another log.',
  too_old: 'What came after the position is not kept any more.',
  too_far: 'More has changed since than is told again.',
  too_many: 'Too many come back at once for each to be told what it missed.',
  replaced: 'The board was read anew.',
}

export interface Beginnings {
  /** What the client asks for now. It begins with a tick. */
  ask(member: Member, subscription: Subscription, start: Start): void
  /** See `Client.narrow`. */
  narrow(member: Member, subscription: Subscription): boolean
  /** Takes up who waits; the board and the head are one now. */
  tick(): void
  /** Goes on where a full socket stopped it. */
  drained(member: Member): void
  /** What the client knows is void; everything comes again. */
  resync(member: Member, reason: ResyncReason | 'replaced'): void
  /** It asks for something else, or is gone. */
  leave(member: Member): void
}

export interface BeginningsOptions {
  readonly view: BoardView
  readonly timeline: Timeline
  readonly delivery: Delivery
  readonly oddsGroups: OddsGroups
  readonly opportunityGroups: OpportunityGroups
  readonly catchingUp: CatchingUp
  readonly logReplay: LogReplay
  /** Whether the board is whole, and not being read anew. */
  readonly isReady: () => boolean
  readonly logger: Logger
  /** The service stops. */
  readonly stop: AbortSignal
}

export function createBeginnings(options: BeginningsOptions): Beginnings {
  const { view, timeline, delivery, oddsGroups, opportunityGroups, catchingUp } = options
  const { logReplay, isReady, logger, stop } = options
  const { sendOwn, tell } = delivery
  /** Clients that have asked for something and not begun. */
  const waiting = new Set<Member>()
  /** Those with a script and room in their sockets; whoever has waited longest comes first. */
  const pumping = new Set<Member>()
  let isPumping = false

  function join(member: Member) {
    const { subscription, start } = member
    const now = performance.now()
    if (!subscription || now < member.nextBeginAt) return
    if (start.from === 'position' && isAhead(start.position, view.position)) {
      if (now < member.askedAt + aheadMs) return
    }
    waiting.delete(member)
    member.nextBeginAt = now + beginEveryMs
    const { scope, odds, opportunities } = subscription
    if (odds) oddsGroups.join(member, odds)
    if (opportunities) opportunityGroups.join(member, scope, opportunities)
    begin(member, scope)
  }

  function begin(member: Member, scope: Scope) {
    const { start, odds } = member
    member.position = timeline.head
    member.globalSeq = timeline.globalSeq
    member.knownSince = knownAtFirst(member)
    if (!odds || start.from === 'now') return play(member, null, odds !== null)
    if (start.from === 'sequence') {
      const stamp = timeline.stampBefore(start.globalSeq)
      // Without what has gone since, what is left would not be all.
      if (stamp === undefined || stamp < view.removals.forgotten) return playWhole(member)
      member.position = stamp
      // Who breaks off before the end of it comes back with the number it had.
      member.globalSeq = start.globalSeq
      member.isReplay = true
      return play(member, null, true)
    }
    if (start.from === 'position') {
      if (isAhead(start.position, view.position)) return resync(member, 'other_log')
      const stamp = timeline.stampAt(start.position)
      if (stamp !== undefined && stamp >= view.removals.forgotten) {
        member.position = stamp
        member.knownSince = -1
        return play(member, null, true, true)
      }
      return replay(member, start.position, scope, odds.question)
    }
    playWhole(member)
  }

  /** Rows that come later than this are not known to it; -1 where it is not known which it has. */
  const knownAtFirst = ({ odds }: Member) => (odds?.question.isStateful ? -1 : timeline.head)

  // ---- from the log

  function replay(member: Member, from: Position, scope: Scope, question: OddsQuestion) {
    const { generation } = member
    member.phase = 'waiting'
    member.position = timeline.head
    member.knownSince = -1
    const isWanted = () => !member.isGone && member.generation === generation
    logReplay.missed(from, scope, question, isWanted).then(
      (missed) => {
        if (!missed || !isWanted()) return
        if (!missed.ok) return resync(member, missed.reason)
        member.backlog = [...missed.ids]
        play(member, null, true, true)
      },
      (error) => {
        if (error instanceof InvariantError) throw error
        if (!isWanted() || stop.aborted) return
        logger.error({ err: error }, 'the log could not be read again for a stream')
        resync(member, 'too_old')
      },
    )
  }

  function resync(member: Member, reason: ResyncReason | 'replaced') {
    // Others do not know the word, and would keep what is gone.
    if (!member.options.proof && member.start.from !== 'position') {
      return delivery.fail(member, 'upstream_error', `${reasons[reason]} Reconnect.`, 1001)
    }
    tell(member, 'resync', { reason, message: reasons[reason] })
    member.position = timeline.head
    member.globalSeq = timeline.globalSeq
    member.knownSince = knownAtFirst(member)
    member.backlog = []
    member.completion = null
    member.isReplay = false
    playWhole(member)
  }

  // ---- what there is

  function playWhole(member: Member) {
    const { odds } = member
    const snapshot = odds && createOddsSnapshot(view, odds.subscription, member.options.isByBook)
    play(member, snapshot, false)
  }

  /** @param isLate the completion comes once the client has caught up, not before */
  function play(
    member: Member,
    snapshot: OddsSnapshot | null,
    resumed: boolean,
    isLate = member.options.proof,
  ) {
    catchingUp.leave(member)
    member.untold = null
    member.phase = 'snapshot'
    member.script = script(member, snapshot, resumed, isLate)
    // An earlier beginning does not keep its place.
    pumping.delete(member)
    pumping.add(member)
    pump()
  }

  function* script(
    member: Member,
    snapshot: OddsSnapshot | null,
    resumed: boolean,
    isLate: boolean,
  ): Iterator<void> {
    const { odds, opportunities, subscription } = member
    const { isByBook } = member.options
    let totalOpportunities = 0
    if (snapshot && !isByBook) yield* oddsPart(member, snapshot)
    if (opportunities) totalOpportunities = yield* opportunityGroups.snapshot(member, opportunities)
    if (snapshot && isByBook) yield* oddsPart(member, snapshot)
    if (subscription?.hasGameState) {
      // Nothing keeps the state of games yet.
      const none = { events: [], count: 0, total: 0, offset: 0, has_more: false }
      tell(member, 'gamestate:snapshot', isByBook ? { data: none } : none)
    }
    const books = snapshot?.sportsbooks ?? []
    const complete = () =>
      isByBook
        ? { books, resumed, progressive: snapshot !== null }
        : {
            status: 'ready',
            books,
            total_odds: snapshot?.total ?? 0,
            total_opportunities: totalOpportunities,
            ...(resumed && { resumed }),
          }
    if (odds && isLate) member.completion = complete
    else tell(member, 'snapshot:complete', complete())
  }

  function* oddsPart(member: Member, snapshot: OddsSnapshot) {
    for (;;) {
      let hasChunk = false
      sendOwn(member, (frames, width, now) => {
        hasChunk = snapshot.next(frames, member.framing, width, now)
      })
      if (!hasChunk) return
      yield
    }
  }

  /** Works through beginnings while their sockets take them, a little at a time. */
  function pump() {
    if (isPumping || pumping.size === 0) return
    isPumping = true
    setImmediate(() => {
      isPumping = false
      // The next tick goes on.
      if (!isReady()) return
      const until = performance.now() + pumpMs
      let isBusy = false
      for (const member of pumping) {
        // Whoever comes first goes to the end of the queue.
        pumping.delete(member)
        if (!member.script || member.isGone) continue
        // `drained` puts it back.
        if (!isOpen(member)) continue
        if (member.script.next().done) {
          member.script = null
          if (member.isGone) continue
          catchingUp.fallBehind(member, member.position, member.globalSeq)
        } else {
          pumping.add(member)
          isBusy = true
        }
        if (performance.now() >= until) break
      }
      if (isBusy || pumping.size > 0) pump()
    })
  }

  return {
    ask(member, subscription, start) {
      member.generation++
      member.subscription = subscription
      member.start = start
      member.phase = 'waiting'
      member.askedAt = performance.now()
      waiting.add(member)
    },

    narrow(member, subscription) {
      const { odds } = subscription
      const isSettled = member.phase === 'live' || member.phase === 'behind'
      if (!odds || !member.odds || !isSettled || member.completion) return false
      if (performance.now() < member.nextBeginAt) return false
      member.nextBeginAt = performance.now() + beginEveryMs
      member.subscription = subscription
      if (!subscription.opportunities) opportunityGroups.leave(member)
      oddsGroups.leave(member)
      oddsGroups.join(member, odds)
      // The board may be ahead of what the client was told of it.
      if (member.phase === 'live') {
        catchingUp.fallBehind(member, timeline.head, timeline.globalSeq)
      }
      return true
    },

    tick() {
      for (const member of waiting) join(member)
      pump()
    },

    drained(member) {
      if (!member.script) return
      pumping.add(member)
      pump()
    },

    resync,

    leave(member) {
      waiting.delete(member)
      pumping.delete(member)
      member.script = null
      member.completion = null
      member.backlog = []
      member.isReplay = false
    },
  }
}
