/**
 * What a client of a stream asks for, within its rights: which channels, and of each what. Two
 * subscriptions with equal keys see the same and share one encoding.
 */

import { type OpportunityKind, opportunityKinds } from '../../schemas/opportunity.ts'
import {
  type Family,
  type WebsocketChannel,
  websocketChannels,
} from '../../schemas/stream/channels.ts'
import { defaultMinEv } from '../../schemas/stream/parameters.ts'
import type { Scope } from '../access/scope.ts'
import type { Features } from '../access/tiers.ts'
import { isOlderId } from '../ask/event-filters.ts'
import { type OddsFilterQuery, type RequestedOdds, requestedOdds } from '../ask/odds-filter.ts'
import { requireFields } from '../ask/odds-shape.ts'
import { ApiError } from '../errors.ts'
import { defaultMaxHold, defaultMinProfit, defaultMinSize } from '../opportunities/beside.ts'
import { type Listing, requestedOpportunities } from '../opportunities/listing.ts'
import { type RowFields, rowFields } from './channels/odds/row-fields.ts'
import type { OpportunityBounds } from './channels/opportunities/opportunity-news.ts'
import { familyOf } from './transports/framing.ts'

export interface StreamFilters extends OddsFilterQuery {
  /** The members rows are told with, `id` aside, which always is one. */
  readonly fields?: readonly string[] | undefined
  /** Percent. */
  readonly min_ev?: number | undefined
  readonly min_profit?: number | undefined
  readonly max_hold?: number | undefined
  /** Points. */
  readonly min_size?: number | undefined
}

export interface Subscription {
  readonly scope: Scope
  readonly odds: {
    readonly key: string
    readonly requested: RequestedOdds
    readonly fields: RowFields | undefined
  } | null
  readonly opportunities: {
    readonly key: string
    readonly kinds: readonly OpportunityKind[]
    readonly listing: Listing
    readonly bounds: OpportunityBounds
  } | null
  readonly hasGameState: boolean
  /** The filters in our ids, by their REST names; absent for all. */
  echo(): Readonly<Record<string, unknown>>
}

/** The channels an account may have. */
export const allowedChannels = (features: Features): readonly WebsocketChannel[] =>
  websocketChannels.filter((channel) => isAllowed(channel, features))

export function isAllowed(channel: WebsocketChannel, features: Features): boolean {
  if (channel === 'odds') return true
  return channel === 'gamestate' ? features.game_state : features[channel satisfies Family]
}

/** What tells one question from another. */
const filterNames = [
  'sport',
  'league',
  'sportsbook',
  'add_sportsbook',
  'market',
  'event',
  'live',
  'team',
  'date',
  'q',
  'min_odds',
  'max_odds',
  'is_main_line',
  'fields',
  'min_ev',
  'min_profit',
  'max_hold',
  'min_size',
] as const satisfies readonly (keyof StreamFilters)[]

/** Many clients ask for the same, and keep what they ask for as long as they listen. */
const known = new WeakMap<Scope, Map<string, Subscription>>()
const mostKnown = 1_000
/** Longer questions are not remembered. */
const longestKept = 1_000

/**
 * @param channels those the account may have
 * @returns the same for the same question
 * @throws ApiError invalid_filter, tier_restricted, validation_error
 */
export function subscriptionOf(
  scope: Scope,
  channels: readonly WebsocketChannel[],
  filters: StreamFilters,
): Subscription {
  const key = JSON.stringify([channels, filterNames.map((name) => filters[name] ?? null)])
  if (key.length > longestKept) return createSubscription(scope, channels, filters)
  let ofScope = known.get(scope)
  if (!ofScope || ofScope.size >= mostKnown) {
    ofScope = new Map()
    known.set(scope, ofScope)
  }
  let subscription = ofScope.get(key)
  if (!subscription) {
    subscription = createSubscription(scope, channels, filters)
    ofScope.set(key, subscription)
  }
  return subscription
}

function createSubscription(
  scope: Scope,
  channels: readonly WebsocketChannel[],
  filters: StreamFilters,
): Subscription {
  const older = filters.event?.filter(isOlderId)
  if (older && older.length > 0) throw olderIds(older)
  const kinds = opportunityKinds.filter((kind) => channels.includes(familyOf[kind]))
  const requested = requestedOdds(filters, scope)
  const fields = filters.fields && rowFields(requireFields(filters.fields))
  const bounds: OpportunityBounds = {
    minEv: filters.min_ev ?? defaultMinEv,
    minProfit: filters.min_profit ?? defaultMinProfit,
    minSize: filters.min_size ?? defaultMinSize,
    maxHold: filters.max_hold ?? defaultMaxHold,
  }
  return {
    scope,
    odds: channels.includes('odds')
      ? { key: JSON.stringify([requested.asked, fields]), requested, fields }
      : null,
    opportunities:
      kinds.length > 0
        ? {
            key: JSON.stringify([requested.asked, kinds, bounds]),
            kinds,
            listing: requestedOpportunities({ ...filters, offset: 0 }, scope),
            bounds,
          }
        : null,
    hasGameState: channels.includes('gamestate'),
    echo: requested.echo,
  }
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
