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
import {
  type Asked,
  type Channel,
  type Client,
  type Subscription,
  whole,
} from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/client.ts'
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
  readonly subscriptions: Set<OpportunitySubscription>
  /** Takes what there is in the beginning, some at a time; null once it has. */
  filling: Iterator<void> | null
}

interface OpportunitySubscription extends Subscription {
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

function openOpportunities(
  parts: ChannelParts,
): Channel<OpportunitiesAsked, OpportunitySubscription> {
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
      group = { asked, question, subscriptions: new Set(), filling: null }
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
      const upToDate: OpportunitySubscription[] = []
      for (const subscription of group.subscriptions) {
        // A client that is behind with prices is told of opportunities once it is live.
        if (subscription.client.phase !== live || !isOpen(subscription.client)) continue
        if (subscription.place === before && !subscription.untold) upToDate.push(subscription)
        else tellSince(subscription)
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
      const clients: Client[] = upToDate.map(({ client }) => client)
      sendShared(clients, (frames, framing, width, state) => {
        const nextSeq = timeline.opportunityNumbers()
        const items = bodiesIn(state)
        for (const [i, of] of news.entries()) {
          appendChange(frames, framing, { ...of, items: items[i]!, nextSeq, timestamp }, width)
        }
      })
      for (const subscription of upToDate) subscription.place = question.place
    }
  }

  /** What came and went since the client was last told. */
  function tellSince(subscription: OpportunitySubscription) {
    const { client, untold } = subscription
    const { framing } = client
    const { question } = subscription.group
    const news = question.since(subscription.place)
    subscription.place = question.place
    subscription.untold = null
    if (!news) return lost(client, 'too_old')
    sendOwn(client, (frames, width, timestamp) => {
      const nextSeq = timeline.opportunityNumbers()
      const tell = (
        kind: OpportunityKind,
        detected: readonly string[],
        expired: readonly string[],
      ) => {
        const items = writtenFor(subscription, detected)
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
  function writtenFor(subscription: OpportunitySubscription, ids: readonly string[]) {
    const untold = subscription.untold ?? new Set()
    const { state } = subscription.client.options
    const items = written(subscription.group.asked.scope, ids, clock(), state, untold)
    if (untold.size > 0) subscription.untold = untold
    return items
  }

  /** What is shown of a kind and stands, the best first; the rest is told once it stands. */
  function* standingOf(subscription: OpportunitySubscription, kind: OpportunityKind, now: number) {
    const { question, asked } = subscription.group
    const standing: Item[] = []
    const untold = subscription.untold ?? new Set()
    let looked = 0
    for (const id of question.shown(kind)) {
      const item = standingItem(asked.scope, id, now)
      if (item) standing.push(item)
      else untold.add(id)
      if (++looked % metAtOnce === 0) yield
    }
    if (untold.size > 0) subscription.untold = untold
    return byWorth(standing)
  }

  function* snapshot(subscription: OpportunitySubscription) {
    const { client, group } = subscription
    const { question } = group
    const { framing } = client
    const { scope } = group.asked
    let count = 0
    while (!isFilled(group)) yield
    // What comes and goes while the snapshot is sent is told after it, from this place on. A count that is
    // said is kept.
    subscription.place = question.place
    const began = clock()
    const all: (readonly [OpportunityKind, readonly Item[]])[] = []
    for (const kind of question.kinds)
      all.push([kind, yield* standingOf(subscription, kind, began)])
    const write = opportunityWriter(scope, chain, began, client.options.state)
    for (const [kind, standing] of all) {
      count += standing.length
      const chunks = Math.max(1, Math.ceil(standing.length / opportunitiesAtOnce))
      for (let chunk = 0; chunk < chunks; chunk++) {
        const offset = chunk * opportunitiesAtOnce
        const items = standing.slice(offset, offset + opportunitiesAtOnce).map(write)
        const of = { kind, items, offset, total: standing.length, chunk, chunks }
        sendOwn(client, (frames, width, now) => appendChunk(frames, framing, of, width, now))
        yield
      }
    }
    return totalsOf(framing.transport, count)
  }

  const channel: Channel<OpportunitiesAsked, OpportunitySubscription> = {
    type: opportunityChannel,

    join(client, asked) {
      const group = groupOf(asked)
      const subscription: OpportunitySubscription = {
        channel,
        client,
        group,
        place: 0,
        untold: null,
      }
      group.subscriptions.add(subscription)
      return subscription
    },

    begin(subscription) {
      subscription.untold = null
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

    leave(subscription) {
      const { subscriptions, asked: left } = subscription.group
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      const { key, scope } = left
      groups.delete(key)
      if (!hasOthers(subscription.group)) feeds.delete(scope)
    },
  }
  return channel
}
