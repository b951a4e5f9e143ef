/**
 * The channel of opportunities: a snapshot, then those detected and expired since a client's position. Its ticks are
 * less frequent than those of prices.
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
import { areNarrower, type Bounds, streamBounds } from '../../../opportunities/bounds.ts'
import { type Listing, requestedOpportunities } from '../../../opportunities/listing.ts'
import {
  type Channel,
  type ChannelQuery,
  type Client,
  type Subscription,
  whole,
} from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/client.ts'
import type { Transport } from '../../framing/framing.ts'
import type { ChannelParts, ChannelType } from '../channel-type.ts'
import { isNarrower, type StreamFilters } from '../filters.ts'
import { appendChange, appendChunk } from './opportunity-frames.ts'
import {
  byWorth,
  changedOf,
  createMatchedOpportunities,
  createOpportunityFeed,
  type MatchedOpportunities,
  type OpportunityFeed,
  opportunityWriter,
  validItem,
} from './opportunity-news.ts'
import { type Pace, paceOf } from './opportunity-pace.ts'

/** Shortest time between two ticks. They take at most a tenth of the time. */
const opportunityTickMs = 100
const opportunitiesAtOnce = 40
/** Opportunities examined in one step. */
const trackedAtOnce = 500

interface OpportunityQuery extends ChannelQuery {
  readonly scope: Scope
  readonly filters: StreamFilters
  readonly kinds: readonly OpportunityKind[]
  readonly listing: Listing
  readonly bounds: Bounds
  readonly pace: Pace | null
}

/** A query and its clients. */
interface SharedQuery {
  readonly query: OpportunityQuery
  readonly matched: MatchedOpportunities
  readonly subscriptions: Set<OpportunitySubscription>
  /** Fills `matched` step by step; null when done. */
  filling: Iterator<void> | null
}

interface OpportunitySubscription extends Subscription {
  shared: SharedQuery
  /** The wider query that it had, and its position there, until it has caught up; null for none. */
  wider: Pick<OpportunitySubscription, 'shared' | 'position'> | null
  /** Its position in the journal of `matched`. */
  position: number
  /** Ids skipped because the opportunity was not valid then. They are sent once it is. Null for none. */
  skipped: Set<string> | null
}

export const opportunityChannel: ChannelType = {
  names: ['opportunities', ...familyNames],
  feature: (name) => name as (typeof familyNames)[number],
  isResumable: false,
  // A pace remembers what it has sent, so another query starts anew.
  isNarrower: (wide: OpportunityQuery, narrow: OpportunityQuery) =>
    wide.scope === narrow.scope &&
    !wide.pace &&
    !narrow.pace &&
    narrow.kinds.every((kind) => wide.kinds.includes(kind)) &&
    areNarrower(wide.bounds, narrow.bounds) &&
    isNarrower(wide.filters, narrow.filters),
  noTotals: (transport) => totalsOf(transport, 0),
  query({ scope, names, filters, requested }): OpportunityQuery | null {
    const families = filters.kinds ?? familyNames
    const kinds = opportunityKinds.filter((kind) => {
      const family = familyOf(kind)
      return names.includes(family) && families.includes(family)
    })
    if (kinds.length === 0) return null
    const bounds = streamBounds(filters)
    const pace = paceOf(filters)
    // An opportunity that is too young is sent later, so age is not a filter of rows.
    const { min_age_ms: _, ...ofRows } = filters
    return {
      type: opportunityChannel,
      key: JSON.stringify([requested.queryKey, kinds, bounds, pace]),
      scope,
      filters,
      kinds,
      listing: requestedOpportunities({ ...ofRows, offset: 0 }, scope),
      bounds,
      pace,
    }
  },
  open: openOpportunities,
}

/** Returns the fields of `snapshot:complete`. On a WebSocket the chunks of each kind are counted instead. */
const totalsOf = (transport: Transport, count: number) =>
  transport === 'sse' ? { total_opportunities: count } : {}

function openOpportunities(
  parts: ChannelParts,
): Channel<OpportunityQuery, OpportunitySubscription> {
  const { chain, clock, timeline, delivery, lost } = parts
  const { sendOwn, sendShared } = delivery
  const sharedQueries = new Map<string, SharedQuery>()
  const feeds = new Map<Scope, OpportunityFeed>()
  /** For scopes whose opportunities are computed only while they are read: functions that end the reading. */
  const holds = new Map<Scope, () => void>()
  /** Events whose prices moved since the last tick. */
  const moved = new Set<ViewEvent>()
  let nextAt = Number.NEGATIVE_INFINITY

  function feedOf(scope: Scope): OpportunityFeed {
    let feed = feeds.get(scope)
    if (!feed) {
      const hold = scope.among?.set?.hold()
      if (hold) holds.set(scope, hold)
      feed = createOpportunityFeed(scope)
      feeds.set(scope, feed)
    }
    return feed
  }

  function sharedQueryOf(query: OpportunityQuery): SharedQuery {
    let shared = sharedQueries.get(query.key)
    if (!shared) {
      const { scope, kinds, listing, bounds, pace } = query
      const before = [...sharedQueries.values()].filter((other) => other.query.scope === scope)
      const matched = createMatchedOpportunities(scope, kinds, listing, bounds, pace)
      shared = { query, matched, subscriptions: new Set(), filling: null }
      shared.filling = fill(shared, feedOf(scope), before)
      sharedQueries.set(query.key, shared)
    }
    return shared
  }

  /**
   * Fills a new `matched`, which ticks keep up to date meanwhile. One query of a feed is filled at a time, so that
   * the feed tracks every opportunity after the first.
   * @param before queries of the feed that existed before
   */
  function* fill(
    shared: SharedQuery,
    feed: OpportunityFeed,
    before: readonly SharedQuery[],
  ): Iterator<void> {
    const { query, matched } = shared
    const { scope, kinds } = query
    while (before.some((other) => sharedQueries.get(other.query.key) === other && !isFilled(other)))
      yield
    const steps = scope.among?.set?.ahead()
    while (steps && !steps.next().done) yield
    for (const kind of kinds) {
      // Copied, because its order changes meanwhile.
      const all = [...scope.opportunities.all(kind)]
      for (let from = 0; from < all.length; from += trackedAtOnce) {
        const entries = all
          .slice(from, from + trackedAtOnce)
          .filter((entry) => scope.opportunities.find(entry.row.id) === entry)
        const now = clock()
        feed.track(entries, now, hasOthers(shared))
        matched.take(changedOf(kind, entries), now)
        yield
      }
    }
    matched.begin(clock())
  }

  const hasOthers = ({ query }: SharedQuery) =>
    [...sharedQueries.values()].some(
      (other) => other.query !== query && other.query.scope === query.scope,
    )

  /** Takes one step. @returns whether `matched` is filled */
  function isFilled(shared: SharedQuery): boolean {
    if (shared.filling?.next().done) shared.filling = null
    return shared.filling === null
  }

  function sendChanged(now: number) {
    const ticks = new Map(
      [...feeds].map(([scope, feed]) => [scope, feed.tick(moved, now)] as const),
    )
    moved.clear()
    for (const shared of sharedQueries.values()) {
      const { query, matched } = shared
      const { scope } = query
      const before = matched.position
      const news = matched.take(ticks.get(scope)!, now)
      const upToDate: OpportunitySubscription[] = []
      for (const subscription of shared.subscriptions) {
        // A client that is behind with prices gets opportunities once it is live.
        if (subscription.client.phase !== live || !isOpen(subscription.client)) continue
        if (subscription.position === before && !subscription.skipped) upToDate.push(subscription)
        else sendMissed(subscription)
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
        for (const [i, change] of news.entries()) {
          appendChange(frames, framing, { ...change, items: items[i]!, nextSeq, timestamp }, width)
        }
      })
      for (const subscription of upToDate) subscription.position = matched.position
    }
  }

  /** Sends the opportunities detected and expired since the client's position. */
  function sendMissed(subscription: OpportunitySubscription) {
    const { client, skipped, wider } = subscription
    const { framing } = client
    const { matched } = subscription.shared
    const news = wider
      ? matched.difference(wider.shared.matched.at(wider.position))
      : matched.since(subscription.position)
    subscription.wider = null
    subscription.position = matched.position
    subscription.skipped = null
    if (!news) return lost(client, 'too_old')
    sendOwn(client, (frames, width, timestamp) => {
      const nextSeq = timeline.opportunityNumbers()
      const append = (
        kind: OpportunityKind,
        detected: readonly string[],
        expired: readonly string[],
      ) => {
        const items = writtenFor(subscription, detected)
        appendChange(frames, framing, { kind, items, expired, nextSeq, timestamp }, width)
      }
      for (const { kind, detected, expired } of news) {
        append(kind, detected, skipped ? expired.filter((id) => !skipped.has(id)) : expired)
      }
      // Opportunities skipped earlier that are valid now.
      for (const kind of skipped ? matched.kinds : []) {
        const again = matched.shown(kind).filter((id) => skipped?.has(id))
        append(kind, again, [])
      }
    })
  }

  /**
   * Returns the JSON of a kind's valid opportunities by current prices, best first. @param skipped collects the
   * others
   */
  function written(
    scope: Scope,
    ids: readonly string[],
    now: number,
    state: string | undefined,
    skipped?: Set<string>,
  ) {
    const items = ids.flatMap((id) => {
      const item = validItem(scope, id, now)
      if (!item) skipped?.add(id)
      return item ?? []
    })
    return byWorth(items).map(opportunityWriter(scope, chain, now, state))
  }

  /**
   * Returns the JSON to send. Skipped opportunities are sent once they are valid; if they expire first, nothing is
   * sent.
   */
  function writtenFor(subscription: OpportunitySubscription, ids: readonly string[]) {
    const skipped = subscription.skipped ?? new Set()
    const { state } = subscription.client.options
    const items = written(subscription.shared.query.scope, ids, clock(), state, skipped)
    if (skipped.size > 0) subscription.skipped = skipped
    return items
  }

  /** Returns a kind's valid opportunities, best first. The others are recorded as skipped. */
  function* validOf(subscription: OpportunitySubscription, kind: OpportunityKind, now: number) {
    const { matched, query } = subscription.shared
    const valid: Item[] = []
    const skipped = subscription.skipped ?? new Set()
    let examined = 0
    for (const id of matched.shown(kind)) {
      const item = validItem(query.scope, id, now)
      if (item) valid.push(item)
      else skipped.add(id)
      if (++examined % trackedAtOnce === 0) yield
    }
    if (skipped.size > 0) subscription.skipped = skipped
    return byWorth(valid)
  }

  function* snapshot(subscription: OpportunitySubscription) {
    const { client, shared } = subscription
    const { matched } = shared
    const { framing } = client
    const { scope } = shared.query
    let count = 0
    while (!isFilled(shared)) yield
    // Changes during the snapshot are sent after it, from this position on, so the counts already sent stay correct.
    subscription.position = matched.position
    const began = clock()
    const all: (readonly [OpportunityKind, readonly Item[]])[] = []
    for (const kind of matched.kinds) all.push([kind, yield* validOf(subscription, kind, began)])
    const write = opportunityWriter(scope, chain, began, client.options.state)
    for (const [kind, valid] of all) {
      count += valid.length
      const chunks = Math.max(1, Math.ceil(valid.length / opportunitiesAtOnce))
      for (let chunk = 0; chunk < chunks; chunk++) {
        const offset = chunk * opportunitiesAtOnce
        const items = valid.slice(offset, offset + opportunitiesAtOnce).map(write)
        const content = { kind, items, offset, total: valid.length, chunk, chunks }
        sendOwn(client, (frames, width, now) => appendChunk(frames, framing, content, width, now))
        yield
      }
    }
    return totalsOf(framing.transport, count)
  }

  function leaveShared(subscription: OpportunitySubscription, shared: SharedQuery) {
    const { subscriptions, query } = shared
    if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
    const { key, scope } = query
    sharedQueries.delete(key)
    if (hasOthers(shared)) return
    feeds.delete(scope)
    holds.get(scope)?.()
    holds.delete(scope)
  }

  const channel: Channel<OpportunityQuery, OpportunitySubscription> = {
    type: opportunityChannel,

    join(client, query) {
      const shared = sharedQueryOf(query)
      const subscription: OpportunitySubscription = {
        channel,
        client,
        shared,
        wider: null,
        position: 0,
        skipped: null,
      }
      shared.subscriptions.add(subscription)
      return subscription
    },

    begin(subscription) {
      subscription.wider = null
      subscription.skipped = null
      return whole
    },

    snapshot,

    tick(tick) {
      if (tick.changes && feeds.size > 0) {
        for (const event of tick.changes.changed.events()) moved.add(event)
      }
      if (tick.now < nextAt) return
      const before = tick.spent()
      sendChanged(tick.time)
      nextAt = tick.now + Math.max(opportunityTickMs, 10 * (tick.spent() - before))
    },

    narrow(subscription, query) {
      const { shared, position } = subscription
      if (query.key === shared.query.key) return
      // Joined before it leaves, so that their feed stays.
      subscription.shared = sharedQueryOf(query)
      subscription.shared.subscriptions.add(subscription)
      leaveShared(subscription, shared)
      subscription.wider ??= { shared, position }
    },

    catchUp(subscription) {
      if (!subscription.wider) return true
      if (!isFilled(subscription.shared) || !isOpen(subscription.client)) return false
      sendMissed(subscription)
      return true
    },

    leave: (subscription) => leaveShared(subscription, subscription.shared),
  }
  return channel
}
