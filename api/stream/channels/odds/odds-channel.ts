/**
 * Prices. Those who ask for the same share one question, one encoding of each tick and one proof.
 * A client begins with a snapshot or from where it left: by the board's memory where that reaches,
 * else by the log. From where it stands it is told every row once, as it is by then.
 */

import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type Scope, seesAll } from '../../../access/scope.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import { requireFields } from '../../../ask/odds-shape.ts'
import {
  type Asked,
  type Beginning,
  type Channel,
  type Member,
  resumed,
  type Seat,
  type Start,
  whole,
} from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/member.ts'
import type { FrameNumbers } from '../../timeline/frame-numbers.ts'
import type { ChannelParts, ChannelType } from '../channel-type.ts'
import { appendMoved, appendNews, appendStatuses, appendWhole } from './news-frames.ts'
import {
  createOddsQuestion,
  type MissedRow,
  type OddsNews,
  type OddsQuestion,
} from './odds-news.ts'
import { createOddsSnapshot } from './odds-snapshot.ts'
import { type BookProof, createProver } from './proof.ts'
import { type RowFields, rowFields } from './row-fields.ts'
import { createTickTexts } from './tick-texts.ts'

/** Rows a client that is behind is told at once. */
const rowsAtOnce = 4_000
/** From so many different questions on a row is told to several, and is written once for all of them. */
const manyGroups = 8

interface OddsAsked extends Asked {
  readonly scope: Scope
  readonly requested: RequestedOdds
  /** The members rows are told with; undefined for all. */
  readonly fields: RowFields | undefined
}

/** Those who ask for the same prices. */
interface OddsGroup {
  readonly asked: OddsAsked
  readonly question: OddsQuestion
  readonly seats: Set<OddsSeat>
  /** The proof of their books, once one of them asks for it. */
  proof: BookProof | null
}

/** Where a client stands; up to date only while it is not live. */
interface OddsSeat extends Seat {
  group: OddsGroup
  /** The stamp up to which it has been told of the board. */
  position: number
  /** The number of its last frame while it is behind: it may come back with it. */
  globalSeq: number
  /** What it has missed up to `backlogTo`, as far as it has not been told of it. */
  backlog: readonly MissedRow[]
  backlogTo: number
  isReplay: boolean
}

const nothing: readonly MissedRow[] = []
const noNews: OddsNews = new Map()
const noEvents: ReadonlySet<ViewEvent> = new Set()

export const oddsChannel: ChannelType = {
  names: ['odds'],
  feature: () => null,
  isResumable: true,
  noTotals: { books: [], total_odds: 0 },
  asked({ names, scope, filters, requested }): OddsAsked | null {
    if (!names.includes('odds')) return null
    const fields = filters.fields && rowFields(requireFields(filters.fields))
    const key = JSON.stringify([requested.asked, fields])
    return { type: oddsChannel, key, scope, requested, fields }
  },
  open: openOdds,
}

function openOdds(parts: ChannelParts): Channel<OddsAsked, OddsSeat> {
  const { view, timeline, delivery, logReplay, tokens, passedBy, lost } = parts
  const groups = new Map<string, OddsGroup>()
  const prover = createProver(view)
  const kept = {
    whole: createTickTexts(view, appendWhole),
    moved: createTickTexts(view, appendMoved),
  }

  function groupOf(asked: OddsAsked): OddsGroup {
    let group = groups.get(asked.key)
    if (!group) {
      const question = createOddsQuestion(view, asked.requested)
      group = { asked, question, seats: new Set(), proof: null }
      groups.set(asked.key, group)
    }
    return group
  }

  function leave(seat: OddsSeat) {
    const { seats, asked } = seat.group
    if (seats.delete(seat) && seats.size === 0) groups.delete(asked.key)
  }

  /** @param seq the number of the last change up to the position that the client was told */
  function standAt(seat: OddsSeat, position: number, seq: number) {
    seat.position = position
    seat.globalSeq = seq
  }

  // ---- beginning

  function begin(seat: OddsSeat, start: Start): Beginning {
    seat.position = timeline.head
    seat.globalSeq = timeline.globalSeq
    seat.backlog = nothing
    seat.isReplay = false
    if (start.from === 'snapshot') return whole
    if (start.from === 'now') return resumed
    if (start.from === 'sequence') {
      const stamp = timeline.stampBefore(start.globalSeq)
      // What happened since then is forgotten, so the client would keep rows that have gone.
      if (stamp === undefined || stamp < view.journal.reach) return whole
      seat.position = stamp
      // A client that leaves before it has caught up comes back with the number it had.
      seat.globalSeq = start.globalSeq
      seat.isReplay = true
      return resumed
    }
    const { position } = start
    if (timeline.isAhead(position)) return { kind: 'lost', reason: 'other_log' }
    const stamp = timeline.stampAt(position)
    if (stamp === undefined || stamp < view.journal.reach) {
      return {
        kind: 'reads',
        async missed(left) {
          const { asked, question } = seat.group
          const changed = await logReplay.since(position, left)
          if (!changed?.ok) return changed
          // The sportsbook of a row that had gone before this process started is not known, and a tier
          // that sees only some sportsbooks must not be told of rows of others.
          const rows = question.missedAmong(changed, seesAll(asked.scope))
          if (!rows) return { ok: false, reason: 'too_old' }
          seat.backlog = rows
          return changed
        },
      }
    }
    seat.position = stamp
    return resumed
  }

  function snapshot(seat: OddsSeat) {
    const { framing } = seat.member
    const { asked } = seat.group
    return (function* () {
      const rows = createOddsSnapshot(view, asked, framing.isByBook)
      for (;;) {
        let hasChunk = false
        delivery.sendOwn(seat.member, (frames, width, time) => {
          hasChunk = rows.next(frames, framing, width, time)
        })
        if (!hasChunk) return { books: rows.sportsbooks, total_odds: rows.sent }
        yield
      }
    })()
  }

  // ---- up to the head

  /** @returns whether the client has been told all there is */
  function catchUp(seat: OddsSeat): boolean {
    if (seat.backlog.length === 0 && !takeUp(seat)) return seat.position >= timeline.head
    tellPiece(seat)
    if (seat.backlog.length > 0) return false
    seat.position = Math.max(seat.position, seat.backlogTo)
    if (seat.position < timeline.head || !isOpen(seat.member)) return false
    // It has all there is: it may come back with the number of now.
    seat.globalSeq = timeline.globalSeq
    seat.isReplay = false
    return true
  }

  /** Takes up what the client has missed. @returns whether there is any */
  function takeUp(seat: OddsSeat): boolean {
    const { member, group, position } = seat
    const { head } = timeline
    if (position >= head) return false
    const missed = group.question.missedSince(position, head)
    if (!missed) {
      lost(member, 'too_old')
      return false
    }
    sendNews(seat, noNews, statusesSince(position))
    seat.backlog = missed
    seat.backlogTo = head
    return true
  }

  /** Tells some of it, as it is now: of a replay tick by tick, each row in the frame of its newest change. */
  function tellPiece(seat: OddsSeat) {
    const { backlog, isReplay } = seat
    const { question } = seat.group
    const first = backlog[0]?.stamp ?? 0
    if (!isReplay || first === 0) {
      sendNews(seat, question.tell(backlog.slice(0, rowsAtOnce)))
      seat.backlog = backlog.slice(rowsAtOnce)
      return
    }
    let left = rowsAtOnce
    let from = 0
    while (from < backlog.length && left > 0 && isOpen(seat.member)) {
      const tick = timeline.tickAfter(backlog[from]!.stamp - 1)
      let to = from
      while (to < backlog.length && backlog[to]!.stamp <= tick.upTo && to - from < rowsAtOnce) to++
      // Of a part of a tick the frames are others than they were.
      const isWhole = from === 0 || backlog[from - 1]!.stamp <= tick.since
      const isAll = to === backlog.length || backlog[to]!.stamp > tick.upTo
      const numbers = isWhole && isAll ? tick.numbering(seat.globalSeq) : undefined
      sendNews(seat, question.tell(backlog.slice(from, to)), noEvents, numbers)
      seat.position = backlog[to - 1]!.stamp
      left -= to - from
      from = to
    }
    seat.backlog = backlog.slice(from)
  }

  function statusesSince(since: number): Set<ViewEvent> {
    const events = new Set<ViewEvent>()
    for (const { event } of view.statuses.after(since)) events.add(event)
    return events
  }

  /** @param numbers those of the tick that told it before; else the frames go on from the last one */
  function sendNews(
    seat: OddsSeat,
    news: OddsNews,
    statuses: ReadonlySet<ViewEvent> = noEvents,
    numbers?: FrameNumbers,
  ) {
    const { member, group, isReplay } = seat
    const events = group.question.asked(statuses)
    if (news.size === 0 && events.length === 0) return
    const { framing } = member
    const { fields } = group.asked
    const given: FrameNumbers = {
      next(...frame) {
        seat.globalSeq = numbers?.next(...frame) ?? timeline.numberAfter(seat.globalSeq)
        return seat.globalSeq
      },
      isTold: (...part) => numbers?.isTold(...part) ?? false,
    }
    delivery.sendOwn(member, (frames, width, now) => {
      appendStatuses(frames, events, { framing, width, now })
      appendNews(frames, view, news, { framing, width, now, numbers: given, fields, isReplay })
    })
  }

  const channel: Channel<OddsAsked, OddsSeat> = {
    type: oddsChannel,

    join(member, asked) {
      const group = groupOf(asked)
      const seat: OddsSeat = {
        channel,
        member,
        group,
        position: 0,
        globalSeq: 0,
        backlog: nothing,
        backlogTo: 0,
        isReplay: false,
      }
      group.seats.add(seat)
      return seat
    },

    begin,
    snapshot,

    tick({ changes, time }) {
      if (!changes) return
      const { changed, seqBefore, numbering } = changes
      const now = isoTime(time)
      const texts = groups.size < manyGroups ? undefined : kept
      texts?.whole.begin(changed)
      texts?.moved.begin(changed)
      for (const group of groups.values()) {
        const news = group.question.take(changed)
        const events = group.question.asked(changed.statuses)
        const { fields } = group.asked
        const upToDate: Member[] = []
        for (const seat of group.seats) {
          const { member } = seat
          if (member.phase !== live) continue
          if (isOpen(member)) upToDate.push(member)
          else {
            standAt(seat, changed.since, seqBefore)
            passedBy(member)
          }
        }
        if ((news.size === 0 && events.length === 0) || upToDate.length === 0) continue
        delivery.sendShared(upToDate, (frames, framing, width) => {
          appendStatuses(frames, events, { framing, width, now })
          appendNews(frames, view, news, {
            framing,
            width,
            now,
            numbers: numbering(),
            fields,
            texts,
          })
        })
      }
    },

    catchUp,

    proof({ group }) {
      // Between ticks the board may have moved past what the client was told.
      if (view.watermark !== timeline.head) return {}
      group.proof ??= prover.open()
      const said = group.proof.step(group.asked.requested.filter())
      if (!said) return null
      const position = timeline.positionNow()
      const isSealed = !seesAll(group.asked.scope)
      return { position: position && tokens.of(position, isSealed), ...said }
    },

    narrow(seat, asked) {
      leave(seat)
      seat.group = groupOf(asked)
      seat.group.seats.add(seat)
      if (seat.member.phase === live) standAt(seat, timeline.head, timeline.globalSeq)
    },

    restart() {},

    leave,
  }
  return channel
}
