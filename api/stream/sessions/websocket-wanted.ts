/**
 * What a WebSocket asks for, by its address and by its frames. What is known and allowed counts; the
 * client is told of the rest.
 */

import { findSportsbook } from '../../../schemas/reference/sportsbooks.ts'
import {
  type StreamErrorCode,
  type WebsocketChannel,
  websocketChannels,
} from '../../../schemas/stream/channels.ts'
import type { Caller } from '../../access/keys.ts'
import { lackOfSportsbooks, outsideTier, type Scope } from '../../access/scope.ts'
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

/** What a client has said in words that are not known: nothing is sent before it says it anew. */
export type Unclear = 'channels' | 'filters' | 'frame'

/** A member absent stands for all. */
export interface Wanted {
  /** As named; null for all the account may have. */
  readonly channels: readonly WebsocketChannel[] | null
  readonly filters: StreamFilters
  readonly unclear: readonly Unclear[]
}

export const nothingUnclear: readonly Unclear[] = []

/** What is left unclear once a frame has been understood. */
export const clearedBy = (
  unclear: readonly Unclear[],
  { hasChannels, hasFilters }: { readonly hasChannels: boolean; readonly hasFilters: boolean },
) =>
  unclear.filter(
    (what) => (what === 'channels' && !hasChannels) || (what === 'filters' && !hasFilters),
  )

/** Takes what is to be told the client. */
export type Report = (code: StreamErrorCode, message: string) => void

/**
 * The channels named, without those the account may not have; null where none is named, empty where
 * there is none of these names.
 * @throws ApiError tier_restricted where it may have none of them
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
  report('missing_channels', `Channels are ${websocketChannels.join(', ')}.`)
  return noChannels
}

const noChannels: readonly WebsocketChannel[] = []

/** Those of the channels that the account may have. @throws ApiError tier_restricted for none */
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

/** What is subscribed to. Values that are not known, or not to be seen, are told and left out. */
export function resolveQuery(
  wanted: Wanted,
  { features }: Caller,
  scope: Scope,
  report: Report,
): { readonly query: StreamQuery; readonly wanted: Wanted } {
  const channels = wanted.channels ?? allowedChannels(features)
  const denied = wanted.filters.kinds?.filter((kind) => !isAllowed(kind, features)) ?? []
  if (denied.length > 0) {
    report('tier_restricted', lackOfChannels(denied, scope.tier))
  }
  let filters = withKnownFields(withinScope(wanted.filters, scope, report), report)
  for (;;) {
    try {
      const query = streamQueryOf(scope, channels, filters)
      return { query, wanted: { ...wanted, filters } }
    } catch (reason) {
      if (!(reason instanceof ApiError) || reason.code !== 'invalid_filter') throw reason
      report('invalid_filter', reason.message)
      filters = withoutUnknown(filters, reason)
    }
  }
}

function withinScope(filters: StreamFilters, scope: Scope, report: Report): StreamFilters {
  const outside = filters.sportsbook?.filter((name) => {
    const known = findSportsbook(name)
    return known && outsideTier(scope.tier, [known.id]) !== undefined
  })
  if (!outside || outside.length === 0) return filters
  const ids = outside.map((name) => findSportsbook(name)!.id)
  report('tier_restricted', lackOfSportsbooks(scope.tier, ids))
  return { ...filters, sportsbook: filters.sportsbook?.filter((name) => !outside.includes(name)) }
}

function withKnownFields(filters: StreamFilters, report: Report): StreamFilters {
  const strangers = filters.fields?.filter((name) => !isField(name))
  if (!strangers || strangers.length === 0) return filters
  report('validation_error', `fields names ${shownNames(strangers)}; ${knownFields}`)
  const left = filters.fields?.filter(isField) ?? []
  // Without a member that there is, rows are told by their ids alone.
  return { ...filters, fields: left.length > 0 ? left : ['id'] }
}

/** A filter without a known value matches nothing. */
function withoutUnknown(filters: StreamFilters, { details }: ApiError): StreamFilters {
  const { fields } = details.details as { fields: Readonly<Record<string, readonly string[]>> }
  const left: Record<string, unknown> = { ...filters }
  for (const [name, unknown] of Object.entries(fields)) {
    const values = left[name]
    if (Array.isArray(values)) left[name] = values.filter((value) => !unknown.includes(value))
  }
  return left
}
