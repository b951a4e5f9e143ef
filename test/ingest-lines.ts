/** Converts feed records to push-ingest JSON: the inverse of `pipeline/feeds/push/parse.ts`. */

import { type Place, type StatedAttributes, statedMembers } from '../schemas/attributes.ts'
import type { FeedEvent, FeedMarket, FeedRecord } from '../schemas/feed-record.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Returns a record of a type that the board reads as a line, without empty fields. */
export function toIngestLine(record: FeedRecord): string {
  return JSON.stringify(toIngestJson(record), (member, value) =>
    value === null || (value === false && falseUnlessSaid.has(member)) ? undefined : value,
  )
}

const falseUnlessSaid = new Set(['is_live', 'removed', 'suspended'])

function toIngestJson(record: FeedRecord): object {
  const { sportsbook } = record
  const observed_at = iso(record.observedAt)
  switch (record.type) {
    case 'odds':
      return {
        type: 'odds',
        sportsbook,
        mode: record.mode,
        observed_at,
        event: eventJson(record.event),
        markets: record.markets.map(marketJson),
      }
    case 'event_status':
      return {
        type: 'event_status',
        sportsbook,
        observed_at,
        event: eventJson(record.event),
        status: record.status,
      }
    case 'book_status':
      return { type: 'book_status', sportsbook, observed_at, status: record.status }
    default:
      throw new RangeError(`${record.type} is not a record of the board`)
  }
}

function eventJson(event: FeedEvent): object {
  return {
    external_id: event.externalId,
    sport: event.sport,
    league: event.league,
    home_team: event.homeTeam,
    away_team: event.awayTeam,
    start_time: iso(event.startsAt),
    is_live: event.isLive,
  }
}

const attributesJson = <At extends Place>(at: At, stated: StatedAttributes<At>) =>
  Object.fromEntries(statedMembers(at).map(({ name, json }) => [json, stated[name]]))

function marketJson(market: FeedMarket): object {
  return {
    market_type: market.marketType,
    line: market.line,
    player_name: market.playerName,
    stat_category: market.statCategory,
    ...attributesJson('market', market),
    suspended: market.suspended,
    selections: market.selections.map((selection) => ({
      selection: selection.selection,
      selection_type: selection.selectionType,
      line: selection.line,
      odds_decimal: selection.price,
      removed: selection.removed,
      suspended: selection.suspended,
      changed_at: selection.changedAt === null ? null : iso(selection.changedAt),
      ...attributesJson('selection', selection),
    })),
  }
}
