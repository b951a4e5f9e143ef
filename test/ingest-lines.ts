/** Feed records as push-ingest JSON: the way back from `pipeline/feeds/push/parse.ts`. */

import type { FeedEvent, FeedMarket, FeedRecord } from '../schemas/feed-record.ts'

const iso = (at: number) => new Date(at).toISOString()

/** Records of the types the board reads, without the members that say nothing. */
export function toIngestLine(record: FeedRecord): string {
  return JSON.stringify(toIngestJson(record), (_, value) =>
    value === null || value === false ? undefined : value,
  )
}

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

function marketJson(market: FeedMarket): object {
  return {
    market_type: market.marketType,
    line: market.line,
    player_name: market.playerName,
    stat_category: market.statCategory,
    external_id: market.externalId,
    max_bet: market.maxBet,
    suspended: market.suspended,
    selections: market.selections.map((selection) => ({
      selection: selection.selection,
      selection_type: selection.selectionType,
      line: selection.line,
      odds_decimal: selection.price,
      external_id: selection.externalId,
      removed: selection.removed,
      suspended: selection.suspended,
      max_bet: selection.maxBet,
      changed_at: selection.changedAt === null ? null : iso(selection.changedAt),
      public_bet_pct: selection.publicBetPct,
      deep_link: selection.deepLink,
    })),
  }
}
