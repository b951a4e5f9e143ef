/**
 * Opportunities, from a tier's feed to their frames: all there are in the beginning, and then what came
 * and went since a client was last told. They have ticks of their own, fewer than prices.
 */

import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import type { Item } from '../../../../pipeline/views/opportunities/priced.ts'
import {
  familyNames,
  familyOf,
  type OpportunityKind,
  opportunityKinds,
} from '../../../../schemas/opportunity.ts'
import type { Scope } from '../../../access/scope.ts'
import { type Bounds, streamBounds } from '../../../opportunities/bounds.ts'
import { type Listing, requestedOpportunities } from '../../../opportunities/listing.ts'
import { type Asked, type Channel, type Member, type Seat, whole } from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/member.ts'
import type { Transport } from '../../framing/framing.ts'
import type { ChannelParts, ChannelType } from '../channel-type.ts'
import { appendChange, appendChunk } from './opportunity-frames.ts'
import {
  byWorth,
  changedOf,
  createOpportunityFeed,
  createOpportunityQuestion,
  type OpportunityFeed,
  type OpportunityQuestion,
  opportunityWriter,
  standingItem,
} from './opportunity-news.ts'
import { type Pace, paceOf } from './opportunity-pace.ts'

/** Opportunities are looked at this often, and not for more than a tenth of the time. */
const opportunityTickMs = 100
const opportunitiesAtOnce = 40
/** Looked at in one go to find those that are asked for. */
const metAtOnce = 500

interface OpportunitiesAsked extends Asked {
  readonly scope: Scope
  readonly kinds: readonly OpportunityKind[]
  readonly listing: Listing
  readonly bounds: Bounds
  readonly pace: Pace | null
}

/** Those who ask for the same opportunities. */
interface OpportunityGroup {
  readonly asked: OpportunitiesAsked
  readonly question: OpportunityQuestion
  readonly seats: Set<OpportunitySeat>
  /** Takes what there is in the beginning, some at a time; null once it has. */
  filling: Iterator<void> | null
}

interface OpportunitySeat extends Seat {
  readonly group: OpportunityGroup
  /** The place in the journal of its question up to which it has been told. */
  place: number
  /** Ids that it was to be told of, but which did not stand at that moment; null for none. */
  untold: Set<string> | null
}

export const opportunityChannel: ChannelType = {
  names: ['opportunities', ...familyNames],
  feature: (name) => name as (typeof familyNames)[number],
  isResumable: false,
  noTotals: (transport) => totalsOf(transport, 0),
  asked({ scope, names, filters, requested }): OpportunitiesAsked | null {
    const families = filters.kinds ?? familyNames
    const kinds = opportunityKinds.filter((kind) => {
      const family = familyOf(kind)
      return names.includes(family) && families.includes(family)
    })
    if (kinds.length === 0) return null
    const bounds = streamBounds(filters)
    const pace = paceOf(filters)
    // Whoever is too young yet is told later, and so is asked for.
    const { min_age_ms: _, ...ofRows } = filters
    return {
      type: opportunityChannel,
      key: JSON.stringify([requested.asked, kinds, bounds, pace]),
      scope,
      kinds,
      listing: requestedOpportunities({ ...ofRows, offset: 0 }, scope),
      bounds,
      pace,
    }
  },
  open: openOpportunities,
}

/** What `snapshot:complete` says: a WebSocket is told the chunks of each kind, and no total. */
const totalsOf = (transport: Transport, count: number) =>
  transport === 'sse' ? { total_opportunities: count } : {}

function openOpportunities(parts: ChannelParts): Channel<OpportunitiesAsked, OpportunitySeat> {
  const { chain, clock, timeline, delivery, lost } = parts
  const { sendOwn, sendShared } = delivery
  const groups = new Map<string, OpportunityGroup>()
  const feeds = new Map<Scope, OpportunityFeed>()
  /** Events whose prices have moved: the next tick looks at them. */
  const moved = new Set<ViewEvent>()
  let nextAt = Number.NEGATIVE_INFINITY

  function feedOf(scope: Scope): OpportunityFeed {
    let feed = feeds.get(scope)
    if (!feed) {
      feed = createOpportunityFeed(scope)
      feeds.set(scope, feed)
    }
    return feed
  }

  function groupOf(asked: OpportunitiesAsked): OpportunityGroup {
    let group = groups.get(asked.key)
    if (!group) {
      const { scope, kinds, listing, bounds, pace } = asked
      const before = [...groups.values()].filter((other) => other.asked.scope === scope)
      const question = createOpportunityQuestion(scope, kinds, listing, bounds, pace)
      group = { asked, question, seats: new Set(), filling: null }
      group.filling = fill(group, feedOf(scope), before)
      groups.set(asked.key, group)
    }
    return group
  }

  /**
   * What comes and goes meanwhile is taken as for any other. One group of a feed is filled at a time, so that
   * the feed knows everything by the first.
   * @param before groups of the feed that were there before
   */
  function* fill(
    group: OpportunityGroup,
    feed: OpportunityFeed,
    before: readonly OpportunityGroup[],
  ): Iterator<void> {
    const { asked, question } = group
    const { scope, kinds } = asked
    while (before.some((other) => groups.get(other.asked.key) === other && !isFilled(other))) yield
    for (const kind of kinds) {
      // Its order changes while it is gone through.
      const all = [...scope.opportunities.all(kind)]
      for (let from = 0; from < all.length; from += metAtOnce) {
        const entries = all
          .slice(from, from + metAtOnce)
          .filter((entry) => scope.opportunities.find(entry.row.id) === entry)
        const now = clock()
        feed.meet(entries, now, hasOthers(group))
        question.take(changedOf(kind, entries), now)
        yield
      }
    }
    question.begin(clock())
  }

  const hasOthers = ({ asked }: OpportunityGroup) =>
    [...groups.values()].some((other) => other.asked !== asked && other.asked.scope === asked.scope)

  /** @returns whether the group knows what there is */
  function isFilled(group: OpportunityGroup): boolean {
    if (group.filling?.next().done) group.filling = null
    return group.filling === null
  }

  function tellChanged(now: number) {
    const ticks = new Map(
      [...feeds].map(([scope, feed]) => [scope, feed.tick(moved, now)] as const),
    )
    moved.clear()
    for (const group of groups.values()) {
      const { asked, question } = group
      const { scope } = asked
      const before = question.place
      const news = question.take(ticks.get(scope)!, now)
      const upToDate: OpportunitySeat[] = []
      for (const seat of group.seats) {
        // A client that is behind with prices is told of opportunities once it is live.
        if (seat.member.phase !== live || !isOpen(seat.member)) continue
        if (seat.place === before && !seat.untold) upToDate.push(seat)
        else tellSince(seat)
      }
      if (news.length === 0 || upToDate.length === 0) continue
      const bodies = new Map<string | undefined, readonly (readonly string[])[]>()
      const bodiesIn = (state: string | undefined) => {
        const known = bodies.get(state)
        const made = known ?? news.map(({ detected }) => written(scope, detected, now, state))
        bodies.set(state, made)
        return made
      }
      const timestamp = isoTime(now)
      const members: Member[] = upToDate.map(({ member }) => member)
      sendShared(members, (frames, framing, width, state) => {
        const nextSeq = timeline.opportunityNumbers()
        const items = bodiesIn(state)
        for (const [i, of] of news.entries()) {
          appendChange(frames, framing, { ...of, items: items[i]!, nextSeq, timestamp }, width)
        }
      })
      for (const seat of upToDate) seat.place = question.place
    }
  }

  /** What came and went since the client was last told. */
  function tellSince(seat: OpportunitySeat) {
    const { member, untold } = seat
    const { framing } = member
    const { question } = seat.group
    const news = question.since(seat.place)
    seat.place = question.place
    seat.untold = null
    if (!news) return lost(member, 'too_old')
    sendOwn(member, (frames, width, timestamp) => {
      const nextSeq = timeline.opportunityNumbers()
      const tell = (
        kind: OpportunityKind,
        detected: readonly string[],
        expired: readonly string[],
      ) => {
        const items = writtenFor(seat, detected)
        appendChange(frames, framing, { kind, items, expired, nextSeq, timestamp }, width)
      }
      for (const { kind, detected, expired } of news) {
        tell(kind, detected, untold ? expired.filter((id) => !untold.has(id)) : expired)
      }
      // Those that were not told earlier because they were not valid then, and are now.
      for (const kind of untold ? question.kinds : []) {
        const again = question.shown(kind).filter((id) => untold?.has(id))
        tell(kind, again, [])
      }
    })
  }

  /** JSON of those of one kind as prices are now, the best first, without those that do not stand at this moment. */
  function written(
    scope: Scope,
    ids: readonly string[],
    now: number,
    state: string | undefined,
    untold?: Set<string>,
  ) {
    const items = ids.flatMap((id) => {
      const item = standingItem(scope, id, now)
      if (!item) untold?.add(id)
      return item ?? []
    })
    return byWorth(items).map(opportunityWriter(scope, chain, now, state))
  }

  /** Those left out are told once they stand; when they go before that, the client is told nothing. */
  function writtenFor(seat: OpportunitySeat, ids: readonly string[]) {
    const untold = seat.untold ?? new Set()
    const { state } = seat.member.options
    const items = written(seat.group.asked.scope, ids, clock(), state, untold)
    if (untold.size > 0) seat.untold = untold
    return items
  }

  /** What is shown of a kind and stands, the best first; the rest is told once it stands. */
  function* standingOf(seat: OpportunitySeat, kind: OpportunityKind, now: number) {
    const { question, asked } = seat.group
    const standing: Item[] = []
    const untold = seat.untold ?? new Set()
    let looked = 0
    for (const id of question.shown(kind)) {
      const item = standingItem(asked.scope, id, now)
      if (item) standing.push(item)
      else untold.add(id)
      if (++looked % metAtOnce === 0) yield
    }
    if (untold.size > 0) seat.untold = untold
    return byWorth(standing)
  }

  function* snapshot(seat: OpportunitySeat) {
    const { member, group } = seat
    const { question } = group
    const { framing } = member
    const { scope } = group.asked
    let count = 0
    while (!isFilled(group)) yield
    // What comes and goes while the snapshot is sent is told after it, from this place on. A count that is
    // said is kept.
    seat.place = question.place
    const began = clock()
    const all: (readonly [OpportunityKind, readonly Item[]])[] = []
    for (const kind of question.kinds) all.push([kind, yield* standingOf(seat, kind, began)])
    const write = opportunityWriter(scope, chain, began, member.options.state)
    for (const [kind, standing] of all) {
      count += standing.length
      const chunks = Math.max(1, Math.ceil(standing.length / opportunitiesAtOnce))
      for (let chunk = 0; chunk < chunks; chunk++) {
        const offset = chunk * opportunitiesAtOnce
        const items = standing.slice(offset, offset + opportunitiesAtOnce).map(write)
        const of = { kind, items, offset, total: standing.length, chunk, chunks }
        sendOwn(member, (frames, width, now) => appendChunk(frames, framing, of, width, now))
        yield
      }
    }
    return totalsOf(framing.transport, count)
  }

  const channel: Channel<OpportunitiesAsked, OpportunitySeat> = {
    type: opportunityChannel,

    join(member, asked) {
      const group = groupOf(asked)
      const seat: OpportunitySeat = { channel, member, group, place: 0, untold: null }
      group.seats.add(seat)
      return seat
    },

    begin(seat) {
      seat.untold = null
      return whole
    },

    snapshot,

    tick(tick) {
      if (tick.changes && feeds.size > 0) {
        for (const event of tick.changes.changed.events()) moved.add(event)
      }
      if (tick.now < nextAt) return
      const before = tick.spent()
      tellChanged(tick.time)
      nextAt = tick.now + Math.max(opportunityTickMs, 10 * (tick.spent() - before))
    },

    leave(seat) {
      const { seats, asked: left } = seat.group
      if (!seats.delete(seat) || seats.size > 0) return
      const { key, scope } = left
      groups.delete(key)
      if (!hasOthers(seat.group)) feeds.delete(scope)
    },
  }
  return channel
}
