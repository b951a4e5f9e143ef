/**
 * Those who ask for the same opportunities, from a tier's feed to their frames: all there are in the
 * beginning, and then what came and went since they were last told. Opportunities have ticks of their
 * own, fewer than prices.
 */

import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/board-view.ts'
import type { Scope } from '../../../access/scope.ts'
import type { Delivery } from '../../delivery.ts'
import { isOpen, type Member, type OpportunityGroup } from '../../member.ts'
import type { Subscription } from '../../subscription.ts'
import type { Timeline } from '../../timeline.ts'
import type { Frames } from '../../transports/frames.ts'
import type { Framing } from '../../transports/framing.ts'
import type { OddsTick } from '../odds/odds-tick.ts'
import {
  createOpportunityFeed,
  createOpportunityQuestion,
  everythingIn,
  type OpportunityFeed,
  type OpportunityNews,
  opportunityWriter,
} from './opportunity-news.ts'

/** Opportunities are looked at this often, and not for more than a tenth of the time. */
const opportunityTickMs = 100
const opportunitiesAtOnce = 40

type Asked = NonNullable<Subscription['opportunities']>

export interface OpportunityGroups {
  join(member: Member, scope: Scope, of: Asked): void
  leave(member: Member): void
  /** Their prices have moved: the next tick looks at these events. */
  noteMoved(changed: OddsTick): void
  /**
   * Tells everybody who is live what came and went, when that is due.
   * @param started as `performance.now` tells it
   * @param now epoch ms
   */
  tick(started: number, now: number): void
  /** Tells a member of the group all there are, a frame a step. @returns how many */
  snapshot(member: Member, group: OpportunityGroup): Generator<void, number>
}

export interface OpportunityGroupsOptions {
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  readonly clock: () => number
  readonly timeline: Timeline
  readonly delivery: Delivery
  /** What came and went since the client was last told is not remembered. */
  readonly tooOld: (member: Member) => void
}

export function createOpportunityGroups(options: OpportunityGroupsOptions): OpportunityGroups {
  const { chain, clock, timeline, delivery, tooOld } = options
  const { sendOwn, sendShared } = delivery
  const groups = new Map<string, OpportunityGroup>()
  const feeds = new Map<Scope, OpportunityFeed>()
  const moved = new Set<ViewEvent>()
  let nextAt = 0

  function feedOf(scope: Scope): OpportunityFeed {
    let feed = feeds.get(scope)
    if (!feed) {
      feed = createOpportunityFeed(scope)
      feeds.set(scope, feed)
    }
    return feed
  }

  function groupOf(scope: Scope, of: Asked): OpportunityGroup {
    let group = groups.get(of.key)
    if (!group) {
      // What it shows first is what the feed knows: only then does nothing end unnoticed.
      feedOf(scope).lookAtAll()
      tellChanged(clock())
      const question = createOpportunityQuestion(of.kinds, of.listing, of.bounds)
      question.take(everythingIn(scope), clock())
      group = { key: of.key, scope, question, members: new Set() }
      groups.set(of.key, group)
    }
    return group
  }

  function tellChanged(now: number) {
    const ticks = new Map(
      [...feeds].map(([scope, feed]) => [scope, feed.tick(moved, now)] as const),
    )
    moved.clear()
    for (const group of groups.values()) {
      const { scope, question } = group
      const before = question.place
      const news = question.take(ticks.get(scope)!, now)
      const upToDate: Member[] = []
      for (const member of group.members) {
        if (member.phase !== 'live' || !isOpen(member)) continue
        if (member.place === before && !member.untold) upToDate.push(member)
        else catchUp(member, group)
      }
      if (news.length === 0 || upToDate.length === 0) continue
      const bodies = news.map((of) => ({ items: written(null, scope, of.detected, now), ...of }))
      const seqs = bodies.map(() => timeline.nextSeq())
      const timestamp = isoTime(now)
      sendShared(upToDate, (frames, framing, width) => {
        for (const [i, of] of bodies.entries()) {
          appendOpportunities(frames, framing, width, { globalSeq: seqs[i]!, timestamp, ...of })
        }
      })
      for (const member of upToDate) member.place = question.place
    }
  }

  function catchUp(member: Member, { scope, question }: OpportunityGroup) {
    const { framing, untold } = member
    const news = question.since(member.place)
    member.place = question.place
    member.untold = null
    if (!news) return tooOld(member)
    const { globalSeq } = timeline
    sendOwn(member, (frames, width, timestamp) => {
      for (const { kind, detected, expired } of news) {
        const of = {
          kind,
          detected,
          expired: untold ? expired.filter((id) => !untold.has(id)) : expired,
          items: written(member, scope, detected),
          globalSeq,
          timestamp,
        }
        appendOpportunities(frames, framing, width, of)
      }
      // What could not be shown when it was its turn, and stands after all.
      for (const kind of untold ? question.kinds : []) {
        const again = question.shown(kind).filter((id) => untold?.has(id))
        const items = written(member, scope, again)
        if (items.length === 0) continue
        framing.detected(frames, { kind, items, globalSeq, timestamp }, width)
      }
    })
  }

  /**
   * JSON of opportunities as prices are now. One that does not stand at this moment is not told of:
   * the client is told when it does, and nothing when it goes.
   */
  function written(
    member: Member | null,
    scope: Scope,
    ids: readonly string[],
    now = clock(),
  ): string[] {
    const write = opportunityWriter(scope, chain, now)
    return ids.flatMap((id) => {
      const text = write(id)
      if (text !== null) return [text]
      if (member) {
        member.untold ??= new Set()
        member.untold.add(id)
      }
      return []
    })
  }

  return {
    join(member, scope, of) {
      member.opportunities = groupOf(scope, of)
      member.opportunities.members.add(member)
    },

    leave(member) {
      const { opportunities } = member
      member.opportunities = null
      member.untold = null
      if (!opportunities?.members.delete(member) || opportunities.members.size > 0) return
      groups.delete(opportunities.key)
      const { scope } = opportunities
      if (![...groups.values()].some((group) => group.scope === scope)) feeds.delete(scope)
    },

    noteMoved(changed) {
      if (feeds.size > 0) for (const event of changed.events()) moved.add(event)
    },

    tick(started, now) {
      if (started < nextAt) return
      const before = performance.now()
      tellChanged(now)
      const took = performance.now() - before
      nextAt = started + Math.max(opportunityTickMs, 10 * took)
    },

    *snapshot(member, { scope, question }) {
      const { framing } = member
      let count = 0
      // What comes and goes while it is being told is told from here on.
      member.place = question.place
      const all = question.kinds.map((kind) => [kind, question.shown(kind)] as const)
      for (const [kind, ids] of all) {
        count += ids.length
        const chunks = Math.max(1, Math.ceil(ids.length / opportunitiesAtOnce))
        for (let chunk = 0; chunk < chunks; chunk++) {
          const offset = chunk * opportunitiesAtOnce
          const part = ids.slice(offset, offset + opportunitiesAtOnce)
          const items = written(member, scope, part)
          const of = { kind, items, offset, total: ids.length, chunk, chunks }
          sendOwn(member, (frames, width, now) =>
            framing.opportunitySnapshot(frames, of, width, now),
          )
          yield
        }
      }
      return count
    },
  }
}

function appendOpportunities(
  frames: Frames,
  framing: Framing,
  width: number,
  of: OpportunityNews & {
    readonly items: readonly string[]
    readonly globalSeq: number
    readonly timestamp: string
  },
) {
  const { expired: ids, items } = of
  if (ids.length > 0) framing.expired(frames, { ids, ...of }, width)
  if (items.length > 0) framing.detected(frames, { ...of, items }, width)
}
