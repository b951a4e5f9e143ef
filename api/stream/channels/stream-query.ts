/** Makes stream queries: the channels and filters of a client, within its rights. Equal requests get one object. */

import type { Tier } from '../../../schemas/reference/tier-books.ts'
import { type WebsocketChannel, websocketChannels } from '../../../schemas/stream/channels.ts'
import type { Scope } from '../../access/scope.ts'
import { type Features, lackOfFeatures } from '../../access/tiers.ts'
import { isOlderId } from '../../ask/event-filters.ts'
import { requestedOdds } from '../../ask/odds-filter.ts'
import { ApiError } from '../../errors.ts'
import type { StreamQuery } from '../delivery/channel.ts'
import { channelNamed, channelTypes } from './all-channels.ts'
import { filterKey, type StreamFilters } from './filters.ts'

/** Returns the channels that an account may subscribe to. */
export const allowedChannels = (features: Features): readonly WebsocketChannel[] =>
  websocketChannels.filter((channel) => isAllowed(channel, features))

export function isAllowed(channel: WebsocketChannel, features: Features): boolean {
  const feature = channelNamed(channel).feature(channel)
  return feature === null || features[feature]
}

/** Returns the error for an account without these channels, the same as in REST. */
export function channelsRefused(channels: readonly WebsocketChannel[], tier: Tier): ApiError {
  const features = channels.flatMap((channel) => channelNamed(channel).feature(channel) ?? [])
  const [addOn, ...others] = new Set(channels.map((channel) => channelNamed(channel).addOn))
  const lack = lackOfFeatures(tier, features, others.length > 0 ? undefined : addOn)
  return new ApiError('tier_restricted', ...lack)
}

/** Returns its message. */
export const lackOfChannels = (channels: readonly WebsocketChannel[], tier: Tier): string =>
  channelsRefused(channels, tier).message

/** Cache of queries. Many clients send equal ones, which must be the same object. */
const cachedQueries = new WeakMap<Scope, Map<string, StreamQuery>>()
const mostCached = 1_000
/** Queries with longer keys are not cached. */
const longestCached = 1_000

/**
 * @param names channels that the account may subscribe to
 * @returns the same object for equal arguments
 * @throws ApiError invalid_filter, tier_restricted
 */
export function streamQueryOf(
  scope: Scope,
  names: readonly WebsocketChannel[],
  filters: StreamFilters,
): StreamQuery {
  const query = queryOf(scope, names, filters)
  // The cached query's set of sportsbooks may have gone to sleep since.
  if (query.queries.some(({ type }) => type.names.includes('opportunities'))) {
    scope.among?.set?.reserve()
  }
  return query
}

function queryOf(
  scope: Scope,
  names: readonly WebsocketChannel[],
  filters: StreamFilters,
): StreamQuery {
  const key = `${names} ${filterKey(filters)}`
  if (key.length > longestCached) return createStreamQuery(scope, names, filters)
  let ofScope = cachedQueries.get(scope)
  if (!ofScope || ofScope.size >= mostCached) {
    ofScope = new Map()
    cachedQueries.set(scope, ofScope)
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

/** A short id may mean another game tomorrow, so streams refuse it. */
const olderIds = (ids: readonly string[]) =>
  new ApiError('invalid_filter', `Streams need whole event ids, not ${ids.join(', ')}.`, {
    details: {
      fields: { event: ids },
      reference: { event: '/api/v1/events' },
      did_you_mean: [],
    },
  })
