/**
 * What a client of a stream asks for, within its rights: which channels, and of each what. Two
 * subscriptions of equal questions are one and the same.
 */

import type { Tier } from '../../../schemas/reference/tier-books.ts'
import { type WebsocketChannel, websocketChannels } from '../../../schemas/stream/channels.ts'
import type { Scope } from '../../access/scope.ts'
import { type Features, lackOf } from '../../access/tiers.ts'
import { isOlderId } from '../../ask/event-filters.ts'
import { requestedOdds } from '../../ask/odds-filter.ts'
import { ApiError } from '../../errors.ts'
import type { StreamQuery } from '../delivery/channel.ts'
import { channelNamed, channelTypes } from './all-channels.ts'
import { filterKey, type StreamFilters } from './filters.ts'

/** The channels an account may have. */
export const allowedChannels = (features: Features): readonly WebsocketChannel[] =>
  websocketChannels.filter((channel) => isAllowed(channel, features))

export function isAllowed(channel: WebsocketChannel, features: Features): boolean {
  const feature = channelNamed(channel).feature(channel)
  return feature === null || features[feature]
}

/** What an account is told that may not have these channels. */
export function lackOfChannels(channels: readonly WebsocketChannel[], tier: Tier): string {
  const features = channels.flatMap((channel) => channelNamed(channel).feature(channel) ?? [])
  const [addOn, ...others] = new Set(channels.map((channel) => channelNamed(channel).addOn))
  return lackOf(tier, features, others.length > 0 ? undefined : addOn)
}

/** Many clients ask for the same, and keep what they ask for as long as they listen. */
const known = new WeakMap<Scope, Map<string, StreamQuery>>()
const mostKnown = 1_000
/** Longer questions are not remembered. */
const longestKept = 1_000

/**
 * @param names those the account may have
 * @returns the same for the same question
 * @throws ApiError invalid_filter, tier_restricted
 */
export function streamQueryOf(
  scope: Scope,
  names: readonly WebsocketChannel[],
  filters: StreamFilters,
): StreamQuery {
  const key = `${names} ${filterKey(filters)}`
  if (key.length > longestKept) return createStreamQuery(scope, names, filters)
  let ofScope = known.get(scope)
  if (!ofScope || ofScope.size >= mostKnown) {
    ofScope = new Map()
    known.set(scope, ofScope)
  }
  let query = ofScope.get(key)
  if (!query) {
    query = createStreamQuery(scope, names, filters)
    ofScope.set(key, query)
  }
  return query
}

function createStreamQuery(
  scope: Scope,
  names: readonly WebsocketChannel[],
  filters: StreamFilters,
): StreamQuery {
  const older = filters.event?.filter(isOlderId)
  if (older && older.length > 0) throw olderIds(older)
  const requested = requestedOdds(filters, scope)
  const request = { scope, names, filters, requested }
  return {
    scope,
    queries: channelTypes.flatMap((type) => type.query(request) ?? []),
    echo: requested.echo,
  }
}

/**
 * Whether a client of the first subscription can go on with the second: at least one channel that can
 * be narrowed is in both, and the others are as before or absent. The filters tell whether the prices
 * are fewer.
 */
export function canNarrow(before: StreamQuery, now: StreamQuery): boolean {
  const pairs = now.queries.map((query) => ({
    query,
    was: before.queries.find(({ type }) => type === query.type),
  }))
  return (
    pairs.some(({ query, was }) => was && query.type.isResumable) &&
    pairs.every(({ query, was }) => was && (query.type.isResumable || was.key === query.key))
  )
}

/** Such an id may stand for another game tomorrow, and a stream would change under its reader. */
const olderIds = (ids: readonly string[]) =>
  new ApiError('invalid_filter', `Name events by their whole ids, not as ${ids.join(', ')}.`, {
    details: {
      fields: { event: ids },
      reference: { event: '/api/v1/events' },
      did_you_mean: [],
    },
  })
