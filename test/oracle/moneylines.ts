/** Single statements of moneyline prices, for tests that need only a few. */

import type { FeedSelection, OddsRecord } from '../../schemas/feed-record.ts'
import { plain } from './made-up-histories.ts'

export const noon = Date.parse('2026-05-02T12:00:00Z')

export const selection = (
  selectionType: string,
  price: number,
  more: Partial<FeedSelection> = {},
): FeedSelection => ({ ...plain, selectionType, line: null, price, ...more })

/** Returns a sportsbook's offer on a match at 13:00, stated at noon or later. */
export const statement = (
  sportsbook: string,
  homeTeam: string,
  awayTeam: string,
  selections: readonly FeedSelection[],
  more: { laterMs?: number; startsLaterMs?: number; externalId?: string | null } = {},
): OddsRecord => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observedAt: noon + (more.laterMs ?? 0),
  event: {
    externalId:
      more.externalId === undefined
        ? `${sportsbook} ${[homeTeam, awayTeam].sort()}`
        : more.externalId,
    sport: 'soccer',
    league: 'england_-_premier_league',
    homeTeam,
    awayTeam,
    startsAt: noon + 3_600_000 + (more.startsLaterMs ?? 0),
    isLive: false,
  },
  markets: [
    {
      marketType: 'moneyline',
      line: null,
      playerName: null,
      statCategory: null,
      externalId: null,
      maxBet: null,
      suspended: false,
      selections,
    },
  ],
})
