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
import { kindOf } from '../../../opportunities/all-kinds.ts'
import { areNarrower, streamBounds } from '../../../opportunities/bounds.ts'
import type { Kind } from '../../../opportunities/kind.ts'
import { requestedOpportunities } from '../../../opportunities/listing.ts'
import {
  type Channel,
  type ChannelQuery,
  type Subscription,
  whole,
} from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/client.ts'
import { mostLength } from '../../framing/chunks.ts'
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
  type MatchedQuery,
  type OpportunityFeed,
  type OpportunityNews,
  opportunityWriter,
  validItem,
} from './opportunity-news.ts'
import { paceOf } from './opportunity-pace.ts'

/** Shortest time between two ticks. They take at most a tenth of the time. */
const opportunityTickMs = 100
const opportunitiesAtOnce = 40
/** Opportunities examined in one step. */
const trackedAtOnce = 500

interface OpportunityQuery extends ChannelQuery, MatchedQuery {
  readonly filters: StreamFilters
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

/**
 * Returns where each chunk of a snapshot ends; an empty one has one chunk. The first chunk already
 * states the number of chunks. Only kinds that list all sportsbooks of a line have items long
 * enough to matter. Those are written twice, first for their lengths alone, because keeping all
 * texts of a board would need too much memory.
 */
function* chunkEnds(
  { ties }: Kind,
  items: readonly Item[],
  write: (item: Item) => string,
): Generator<void, readonly number[]> {
  const ends: number[] = []
  let from = 0
  let length = 0
  for (const [at, item] of items.entries()) {
    const added = ties ? write(item).length + 1 : 0
    if (at > from && (at - from === opportunitiesAtOnce || length + added > mostLength)) {
      ends.push(at)
      from = at
      length = 0
      if (ties) yield
    }
    length += added
  }
  return [...ends, items.length]
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
  /** For a scope whose opportunities are computed only while they are read, `release` ends the reading. */
  const feeds = new Map<Scope, OpportunityFeed & { readonly release?: () => void }>()
  /** Events whose prices moved since the last tick. */
  const moved = new Set<ViewEvent>()
  let nextAt = Number.NEGATIVE_INFINITY

  function feedOf(scope: Scope): OpportunityFeed {
    let feed = feeds.get(scope)
    if (!feed) {
      const release = scope.among?.set?.hold()
      feed = { ...createOpportunityFeed(scope), ...(release && { release }) }
      feeds.set(scope, feed)
    }
    return feed
  }

  function sharedQueryOf(query: OpportunityQuery): SharedQuery {
    let shared = sharedQueries.get(query.key)
    if (!shared) {
      const { scope } = query
      const before = [...sharedQueries.values()].filter((other) => other.query.scope === scope)
      const matched = createMatchedOpportunities(query)
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
      const valid = news.map(({ detected }) =>
        byWorth(detected.flatMap((id) => validItem(scope, id, now) ?? [])),
      )
      const writtenIn = new Map<string | undefined, readonly (readonly string[])[]>()
      const timestamp = isoTime(now)
      const clients = upToDate.map(({ client }) => client)
      sendShared(clients, (frames, framing, width, state) => {
        const nextSeq = timeline.opportunityNumbers()
        let written = writtenIn.get(state)
        if (written === undefined) {
          const write = opportunityWriter(scope, chain, now, state)
          written = valid.map((items) => items.map(write))
          writtenIn.set(state, written)
        }
        for (const [i, { kind, expired }] of news.entries()) {
          const items = written[i]!
          appendChange(frames, framing, { kind, items, expired, nextSeq, timestamp }, width)
        }
      })
      for (const subscription of upToDate) subscription.position = matched.position
    }
  }

  /** Sends the opportunities detected and expired since the client's position. */
  function sendMissed(subscription: OpportunitySubscription) {
    const { client, skipped, wider } = subscription
    const { framing, options } = client
    const { matched, query } = subscription.shared
    const news = wider
      ? matched.difference(wider.shared.matched.at(wider.position))
      : matched.since(subscription.position)
    subscription.wider = null
    subscription.position = matched.position
    subscription.skipped = null
    if (!news) return lost(client, 'too_old')
    const now = clock()
    const write = opportunityWriter(query.scope, chain, now, options.state)
    sendOwn(client, (frames, width, timestamp) => {
      const nextSeq = timeline.opportunityNumbers()
      const append = ({ kind, detected, expired }: OpportunityNews) => {
        const items = byWorth(validFor(subscription, detected, now)).map(write)
        appendChange(frames, framing, { kind, items, expired, nextSeq, timestamp }, width)
      }
      const isSent = (id: string) => !skipped?.has(id)
      for (const change of news) append({ ...change, expired: change.expired.filter(isSent) })
      // Opportunities skipped earlier that are valid now.
      for (const kind of skipped ? matched.kinds : []) {
        const detected = matched.shown(kind).filter((id) => !isSent(id))
        append({ kind, detected, expired: [] })
      }
    })
  }

  /**
   * Returns the valid opportunities. The others are noted as skipped: they are sent once they are valid; if they
   * expire first, nothing is sent.
   */
  const validFor = (subscription: OpportunitySubscription, ids: readonly string[], now: number) =>
    ids.flatMap((id) => {
      const item = validItem(subscription.shared.query.scope, id, now)
      if (item) return item
      subscription.skipped ??= new Set()
      subscription.skipped.add(id)
      return []
    })

  function* snapshot(subscription: OpportunitySubscription) {
    const { client, shared } = subscription
    const { matched, query } = shared
    const { framing } = client
    let count = 0
    while (!isFilled(shared)) yield
    // Changes during the snapshot are sent after it, from this position on, so the counts already sent stay correct.
    subscription.position = matched.position
    const began = clock()
    const shown = matched.kinds.map((kind) => [kind, matched.shown(kind)] as const)
    const all: (readonly [OpportunityKind, readonly Item[]])[] = []
    for (const [kind, ids] of shown) {
      const valid: Item[] = []
      for (let from = 0; from < ids.length; from += trackedAtOnce) {
        valid.push(...validFor(subscription, ids.slice(from, from + trackedAtOnce), began))
        yield
      }
      all.push([kind, byWorth(valid)])
    }
    const write = opportunityWriter(query.scope, chain, began, client.options.state)
    for (const [kind, valid] of all) {
      count += valid.length
      const ends = yield* chunkEnds(kindOf(kind), valid, write)
      for (const [chunk, end] of ends.entries()) {
        const offset = ends[chunk - 1] ?? 0
        const items = valid.slice(offset, end).map(write)
        const content = { kind, items, offset, total: valid.length, chunk, chunks: ends.length }
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
    feeds.get(scope)?.release?.()
    feeds.delete(scope)
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
      // Joins the new query before it leaves the old one, so that their feed stays.
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
