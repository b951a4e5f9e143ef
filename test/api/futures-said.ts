/** Pushed futures, and a few markets that several sportsbooks name in their own ways. */

import { expect } from 'vitest'
import type { InProcess } from './service-in-process.ts'

export interface SaidFuture {
  readonly sportsbook: string
  readonly market: object
  readonly selections: readonly object[]
  readonly mode?: 'snapshot' | 'delta'
}

const nba = { sport: 'basketball', league: 'NBA', future_type: 'TEAM' }

/** Returns a record of push ingest. @param at epoch ms */
export const futuresRecord = (at: number, { mode = 'snapshot', ...said }: SaidFuture) => ({
  type: 'futures',
  mode,
  observed_at: new Date(at).toISOString(),
  ...said,
})

/** The NBA champion under three names, wins of the Mariners, and the Masters. */
export const someFutures: readonly SaidFuture[] = [
  {
    sportsbook: 'draftkings',
    market: { ...nba, name: 'NBA Champion', season: '2026-27', external_id: 'd1' },
    selections: [
      { selection: 'NY Knicks', odds_american: 850, external_id: 's1' },
      { selection: 'BOS Celtics', odds_decimal: 4.5 },
    ],
  },
  {
    sportsbook: 'fanduel',
    market: { ...nba, name: 'NBA Championship Winner 2026/27', settles_at: '2027-06-20T00:00:00Z' },
    selections: [
      { selection: 'New York Knicks', odds_american: 900 },
      { selection: 'Boston Celtics', odds_decimal: 4.2, suspended: true },
      { selection: 'Utah Jazz', odds_american: 50_000 },
    ],
  },
  {
    sportsbook: 'pinnacle',
    market: { ...nba, name: 'To Win the NBA Finals', settles_at: '2027-06-20T00:00:00Z' },
    selections: [{ selection: 'Knicks', odds_decimal: 12 }],
  },
  {
    sportsbook: 'caesars',
    market: {
      sport: 'baseball',
      league: 'mlb',
      name: 'Seattle Mariners Regular Season Wins 2027',
      future_type: 'OVER_UNDER',
      subject: 'Seattle Mariners',
    },
    selections: [
      { selection: 'Over', line: 88.5, odds_american: -115 },
      { selection: 'Under', line: 88.5, odds_american: -105 },
    ],
  },
  {
    sportsbook: 'draftkings',
    market: {
      sport: 'golf',
      league: 'golf_masters_tournament_winner',
      name: 'Winner',
      future_type: 'PLAYER',
      settles_at: '2027-04-11T00:00:00Z',
    },
    selections: [
      { selection: 'Scheffler, Scottie', odds_american: 450 },
      { selection: 'The Field', odds_american: -500 },
    ],
  },
]

export async function pushFutures(service: InProcess, said: readonly SaidFuture[] = someFutures) {
  const at = service.clock()
  const { body } = await service.ingest(said.map((one) => futuresRecord(at, one)))
  const none = { rejected: [], rejected_count: 0, warnings: [], warning_count: 0 }
  expect(body.data).toEqual({ accepted: said.length, ...none })
  await service.settled()
}
