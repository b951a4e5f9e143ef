/** The query of a WebSocket, from its address and frames. Unknown and forbidden parts are reported and left out. */

import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import {
  type StreamErrorCode,
  type WebsocketChannel,
  websocketChannels,
} from '../../../schemas/stream/channels.ts'
import type { Caller } from '../../access/keys.ts'
import {
  lackOfSportsbooks,
  outsideTier,
  type RequestScopes,
  type Scope,
} from '../../access/scope.ts'
import { isField, knownFields } from '../../ask/odds-shape.ts'
import { ApiError } from '../../errors.ts'
import type { StreamFilters } from '../channels/filters.ts'
import {
  allowedChannels,
  isAllowed,
  lackOfChannels,
  streamQueryOf,
} from '../channels/stream-query.ts'
import type { StreamQuery } from '../delivery/channel.ts'
import { shownNames } from './near-filters.ts'

/** A part of the query that could not be read. Nothing is sent until the client corrects it. */
export type Unclear = 'channels' | 'filters' | 'frame'

/** The query a client wants. An absent filter means all. */
export interface Wanted {
  /** Null for all that the account may have. */
  readonly channels: readonly WebsocketChannel[] | null
  readonly filters: StreamFilters
  readonly unclear: readonly Unclear[]
}

export const nothingUnclear: readonly Unclear[] = []

/** Returns the parts still unclear after a valid frame. */
export const clearedBy = (
  unclear: readonly Unclear[],
  { hasChannels, hasFilters }: { readonly hasChannels: boolean; readonly hasFilters: boolean },
) =>
  unclear.filter(
    (part) => (part === 'channels' && !hasChannels) || (part === 'filters' && !hasFilters),
  )

/** Sends an `error` to the client. */
export type Report = (code: StreamErrorCode, message: string) => void

/**
 * Returns the named channels that the account may have.
 * @returns null if none is named, empty if none of the names exists
 * @throws ApiError tier_restricted if it may have none of them
 */
export function namedChannels(
  names: readonly string[] | undefined,
  caller: Caller,
  report: Report,
): readonly WebsocketChannel[] | null {
  if (!names) return null
  const lower = names.map((name) => name.toLowerCase())
  const known = websocketChannels.filter((channel) => lower.includes(channel))
  if (known.length > 0) return permitted(known, caller, report)
  report('missing_channels', `Unknown channel: choose from ${websocketChannels.join(', ')}.`)
  return noChannels
}

const noChannels: readonly WebsocketChannel[] = []

/** Returns why the account may have none of these channels; undefined if it may have one. */
export const lackOfAll = (
  channels: readonly WebsocketChannel[],
  { tier, features }: Caller,
): string | undefined =>
  channels.some((channel) => isAllowed(channel, features))
    ? undefined
    : lackOfChannels(channels, tier)

/** Returns the channels that the account may have. @throws ApiError tier_restricted for none */
export function permitted(
  channels: readonly WebsocketChannel[],
  { tier, features }: Caller,
  report: Report,
): readonly WebsocketChannel[] {
  const allowed = channels.filter((channel) => isAllowed(channel, features))
  const denied = channels.filter((channel) => !allowed.includes(channel))
  const message = lackOfChannels(denied, tier)
  if (allowed.length === 0) throw new ApiError('tier_restricted', message)
  if (denied.length > 0) report('tier_restricted', message)
  return allowed
}

/**
 * Returns the stream query. Unknown and forbidden values are reported and left out.
 * @throws ApiError validation_error for `books` that the account cannot choose, too_many_book_sets
 */
export function resolveQuery(
  wanted: Wanted,
  caller: Caller,
  scopes: RequestScopes,
  report: Report,
): { readonly query: StreamQuery; readonly wanted: Wanted } {
  const { features } = caller
  const whole = scopes.of(caller)
  const channels = wanted.channels ?? allowedChannels(features)
  const denied = wanted.filters.kinds?.filter((kind) => !isAllowed(kind, features)) ?? []
  if (denied.length > 0) {
    report('tier_restricted', lackOfChannels(denied, whole.tier))
  }
  let filters = withKnownFields(withinScope(wanted.filters, whole, report), report)
  for (;;) {
    try {
      const scope = scopes.among(whole, filters.books, caller)
      const query = streamQueryOf(scope, channels, filters)
      return { query, wanted: { ...wanted, filters } }
    } catch (reason) {
      if (!(reason instanceof ApiError) || reason.code !== 'invalid_filter') throw reason
      const known = withoutUnknown(filters, reason)
      // If no filter has the value, this loop would never end.
      if (!known) throw reason
      report('invalid_filter', reason.message)
      filters = known
    }
  }
}

/** The filters that name sportsbooks. Errors call all of them `sportsbook`. */
const naming = ['sportsbook', 'add_sportsbook', 'books'] as const

/** Leaves out the sportsbooks outside the tier, and reports them. */
function withinScope(filters: StreamFilters, { tier }: Scope, report: Report): StreamFilters {
  const outside = new Set<string>()
  const left: Record<string, unknown> = { ...filters }
  for (const name of naming) {
    left[name] = filters[name]?.filter((value) => {
      const known = findSportsbook(value)
      if (!known || outsideTier(tier, [known.id]) === undefined) return true
      outside.add(known.id)
      return false
    })
  }
  if (outside.size === 0) return filters
  report('tier_restricted', lackOfSportsbooks(tier, [...outside]))
  return left
}

function withKnownFields(filters: StreamFilters, report: Report): StreamFilters {
  const strangers = filters.fields?.filter((name) => !isField(name))
  if (!strangers || strangers.length === 0) return filters
  report('validation_error', `fields names ${shownNames(strangers)}; ${knownFields}`)
  const left = filters.fields?.filter(isField) ?? []
  // Without a known field, rows have only their ids.
  return { ...filters, fields: left.length > 0 ? left : ['id'] }
}

/**
 * Leaves out unknown values. A filter without known values matches nothing.
 * @returns null if no filter has an unknown value
 */
function withoutUnknown(filters: StreamFilters, { details }: ApiError): StreamFilters | null {
  const { fields } = details.details as { fields: Readonly<Record<string, readonly string[]>> }
  const left: Record<string, unknown> = { ...filters }
  let isLess = false
  for (const [field, strangers] of Object.entries(fields)) {
    const unknown = new Set(strangers)
    for (const name of field === 'sportsbook' ? naming : [field]) {
      const values = left[name]
      if (!Array.isArray(values)) continue
      const known = values.filter((value) => !unknown.has(value))
      isLess ||= known.length < values.length
      left[name] = known
    }
  }
  return isLess ? left : null
}
