/** Pushed totals of one game at one sportsbook. */

/** @param observedAt RFC 3339 */
export const gameTotal = (
  sportsbook: string,
  over: number,
  under: number,
  line = 210.5,
  observedAt = '2026-11-20T12:00:00.000Z',
) => ({
  type: 'odds',
  sportsbook,
  mode: 'delta',
  observed_at: observedAt,
  event: {
    external_id: `${sportsbook}-1`,
    sport: 'basketball',
    league: 'NBA',
    home_team: 'New York Knicks',
    away_team: 'Chicago Bulls',
    start_time: '2026-11-21T00:30:00Z',
    is_live: false,
  },
  markets: [
    {
      market_type: 'total_points',
      external_id: 'm1',
      selections: [
        { selection: 'Over', selection_type: 'over', line, odds_decimal: over, external_id: 's1' },
        { selection: 'Under', selection_type: 'under', line, odds_decimal: under },
      ],
    },
  ],
})
