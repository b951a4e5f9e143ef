/**
 * Those who ask for the same prices: one question, one encoding of each tick and one proof for all of
 * them.
 */

import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { Delivery } from '../../delivery.ts'
import { isOpen, type Member, type OddsGroup } from '../../member.ts'
import type { NumberedTick, Timeline } from '../../timeline.ts'
import { appendNews } from './news-frames.ts'
import { createOddsQuestion, type OddsQuestion } from './odds-news.ts'
import { oddsTick } from './odds-tick.ts'
import { createProver } from './proof.ts'

export interface OddsGroups {
  join(member: Member, of: OddsGroup['subscription']): void
  leave(member: Member): void
  /**
   * Tells everybody who is live of a tick.
   * @param now epoch ms
   * @param fallBehind for a client whose socket is full: it knows the board up to `position`, and was
   *   told the change `seq` of it last
   */
  tell(
    tick: NumberedTick,
    now: number,
    fallBehind: (member: Member, position: number, seq: number) => void,
  ): void
  /** What the client's book comes to at the head, where it asked for that. */
  proofOf(member: Member): object
  /** The board has been replaced: every question begins anew. */
  restart(): void
}

export function createOddsGroups(
  view: BoardView,
  timeline: Timeline,
  { sendShared }: Delivery,
): OddsGroups {
  const groups = new Map<string, OddsGroup>()
  const prover = createProver(view)

  function groupOf(of: OddsGroup['subscription']): OddsGroup {
    let group = groups.get(of.key)
    if (!group) {
      const question = createOddsQuestion(view, of.requested)
      group = { key: of.key, question, subscription: of, members: new Set(), proof: null }
      groups.set(of.key, group)
      begin(question)
    }
    return group
  }

  /** It begins at the last tick, which is the board of now. */
  function begin(question: OddsQuestion) {
    const nothing = oddsTick(view, timeline.head)
    if (nothing) question.take(nothing)
  }

  return {
    join(member, of) {
      member.odds = groupOf(of)
      member.odds.members.add(member)
    },

    leave(member) {
      const { odds } = member
      member.odds = null
      if (odds?.members.delete(member) && odds.members.size === 0) groups.delete(odds.key)
    },

    tell({ changed, seqBefore, globalSeqOf }, now, fallBehind) {
      const time = isoTime(now)
      for (const group of groups.values()) {
        const news = group.question.take(changed)
        const { fields } = group.subscription
        const upToDate: Member[] = []
        for (const member of group.members) {
          if (member.phase !== 'live') continue
          if (isOpen(member)) upToDate.push(member)
          else fallBehind(member, changed.since, seqBefore)
        }
        if (news.size === 0 || upToDate.length === 0) continue
        sendShared(upToDate, (frames, framing, width) =>
          appendNews(frames, view, news, { framing, width, now: time, globalSeqOf, fields }),
        )
      }
    },

    proofOf({ options: { proof }, odds }) {
      if (!proof || !odds) return {}
      const { head } = timeline
      // Between ticks the board may have moved past what the client was told.
      if (view.watermark !== head) return {}
      if (odds.proof?.head !== head) {
        odds.proof = { head, said: prover.prove(odds.subscription.requested.filter()) }
      }
      return { position: timeline.positionNow(), ...odds.proof.said }
    },

    restart() {
      for (const { question } of groups.values()) {
        question.reset()
        begin(question)
      }
    },
  }
}
