/** Splits in the form in which they are pushed. */

import { expect } from 'vitest'
import { type InProcess, oddsRecord, type Quote } from './service-in-process.ts'

/** Returns a record of push ingest for the game of the same quote's odds record. */
export const splitsRecord = (now: number, splits: object, quote: Quote) => {
  const { sportsbook, observed_at, event } = oddsRecord(now, quote)
  return { type: 'splits', sportsbook, observed_at, event, splits }
}

export const knicksSplits = {
  moneyline: {
    away_odds: 150,
    home_odds: -180,
    handle_pct: { away: 0.31, home: 0.69 },
    bets_pct: { away: 28, home: 72 },
  },
  spread: { away_line: 4.5, home_line: -4.5, bets_pct: { away: 0.39, home: 0.61 } },
  total: { line: 228.5, handle_pct: { over: 0.63, under: 0.37 }, bets_pct: { over: 0, under: 0 } },
}

/** Pushes Nets at Knicks from two source books, one with the sides reversed, and a game of soccer. */
export async function pushSplits(service: InProcess) {
  const now = service.clock()
  const { body } = await service.ingest([
    oddsRecord(now, { sportsbook: 'draftkings' }),
    splitsRecord(now, knicksSplits, { sportsbook: 'draftkings' }),
    splitsRecord(
      now,
      {
        moneyline: { home_odds: 140, bets_pct: { away: 0.6, home: 0.4 } },
        spread: { away_line: -5, home_line: 5, handle_pct: { away: 0.7, home: 0.3 } },
      },
      { sportsbook: 'circa', home: 'Brooklyn Nets', away: 'New York Knicks' },
    ),
    splitsRecord(
      now,
      { moneyline: { bets_pct: { home: 55, away: 20 } } },
      {
        sportsbook: 'betmgm',
        sport: 'soccer',
        league: 'England - Premier League',
        home: 'Leeds United',
        away: 'Brentford',
        startsAt: '2026-11-21T15:00:00Z',
      },
    ),
  ])
  expect(body.data.rejected).toEqual([])
  await service.settled()
}
