/**
 * Clients that know the board as of an earlier stamp than the head: whose socket was full, or who have
 * just been given what there is. From where each stands it is told every row once, as it is by now, a
 * piece a tick, and is live again when nothing is left.
 */

import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import { appendNews } from './channels/odds/news-frames.ts'
import type { OddsNews } from './channels/odds/odds-news.ts'
import { type OddsTick, oddsTick } from './channels/odds/odds-tick.ts'
import type { Delivery } from './delivery.ts'
import { isOpen, type Member } from './member.ts'
import type { Timeline } from './timeline.ts'

/** Work on them in one tick. */
const catchUpMs = 4
/** Rows a client is told at once. */
const rowsAtOnce = 4_000

export interface CatchingUp {
  /**
   * @param position the stamp up to which the client knows the board
   * @param seq the number of the last change of it that the client was told
   */
  fallBehind(member: Member, position: number, seq: number): void
  /** Tells those who are behind a piece each; the rest of them with the next tick. */
  tick(): void
  /** It is not told from its position any more. */
  leave(member: Member): void
}

export interface CatchingUpOptions {
  readonly view: BoardView
  readonly timeline: Timeline
  readonly delivery: Delivery
  /** What a client's book comes to, beside what it is told of its completion. */
  readonly proofOf: (member: Member) => object
  /** What came after the client's position is not remembered. */
  readonly tooOld: (member: Member) => void
}

export function createCatchingUp(options: CatchingUpOptions): CatchingUp {
  const { view, timeline, delivery, proofOf, tooOld } = options
  /** Those of phase `behind`; whoever has waited longest comes first. */
  const behind = new Set<Member>()

  /**
   * @param ticks those of this round, by where they begin: many fell behind at once
   * @returns whether the client has been told all there is
   */
  function catchUp(member: Member, ticks: Map<number, OddsTick | null>): boolean {
    const { odds } = member
    if (!odds) return true
    const { head } = timeline
    if (!odds.question.reaches(member.position, member.knownSince)) {
      if (member.position < view.removals.forgotten) {
        tooOld(member)
        return false
      }
      const changed = odds.question.changedSince(member.position)
      member.backlog = [...new Set([...member.backlog, ...changed])]
      member.position = head
      // Once it has been told of these, it has what there is now.
      member.knownSince = head
    }
    if (member.backlog.length > 0) {
      sendNews(member, odds.question.tell(member.backlog.slice(0, rowsAtOnce)))
      member.backlog = member.backlog.slice(rowsAtOnce)
      return false
    }
    if (member.position >= head) return true
    let changed = ticks.get(member.position)
    if (changed === undefined) {
      changed = oddsTick(view, member.position, rowsAtOnce)
      ticks.set(member.position, changed)
    }
    if (!changed) {
      tooOld(member)
      return false
    }
    sendNews(member, odds.question.catchUp(changed, member.knownSince))
    member.position = changed.upTo
    return member.position >= head && isOpen(member)
  }

  function sendNews(member: Member, news: OddsNews) {
    if (news.size === 0) return
    const { framing, isReplay, odds } = member
    delivery.sendOwn(member, (frames, width, now) =>
      appendNews(frames, view, news, {
        framing,
        width,
        now,
        globalSeqOf: () => member.globalSeq,
        fields: odds?.subscription.fields,
        isReplay,
      }),
    )
  }

  return {
    fallBehind(member, position, seq) {
      member.phase = 'behind'
      member.position = position
      member.globalSeq = seq
      if (member.knownSince >= 0) member.knownSince = position
      behind.add(member)
    },

    tick() {
      const until = performance.now() + catchUpMs
      const ticks = new Map<number, OddsTick | null>()
      for (const member of [...behind]) {
        if (!isOpen(member)) continue
        if (performance.now() > until) return
        // Until it has caught up it goes to the end of the queue.
        behind.delete(member)
        behind.add(member)
        if (!catchUp(member, ticks)) continue
        behind.delete(member)
        member.phase = 'live'
        member.knownSince = timeline.head
        member.isReplay = false
        if (member.completion) {
          const complete = member.completion
          member.completion = null
          delivery.tell(member, 'snapshot:complete', { ...complete(), ...proofOf(member) })
        }
      }
    },

    leave(member) {
      behind.delete(member)
    },
  }
}
