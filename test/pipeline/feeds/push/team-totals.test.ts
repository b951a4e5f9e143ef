/** The side of a pushed team total, in the ways that sportsbooks name it. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'

const now = Date.parse('2026-11-21T00:00:00Z')

interface Stated {
  readonly sport?: string
  readonly league?: string
  readonly home?: string
  readonly away?: string
  readonly market: string
  readonly player?: string
  readonly selections: readonly (readonly [type: string, label?: string])[]
}

function push({ sport = 'basketball', league = 'NBA', ...stated }: Stated) {
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook: 'draftkings',
      mode: 'snapshot',
      observed_at: new Date(now).toISOString(),
      event: {
        sport,
        league,
        home_team: stated.home ?? 'New York Knicks',
        away_team: stated.away ?? 'Philadelphia 76ers',
        start_time: '2026-11-21T19:00:00Z',
      },
      markets: [
        {
          market_type: stated.market,
          line: 112.5,
          ...(stated.player !== undefined && { player_name: stated.player }),
          selections: stated.selections.map(([selection_type, selection]) => ({
            selection_type,
            odds_decimal: 1.9,
            ...(selection !== undefined && { selection }),
          })),
        },
      ],
    },
    now,
  )
  if (!parsed.ok || parsed.record.type !== 'odds') throw new Error(JSON.stringify(parsed))
  const [market] = parsed.record.markets
  return {
    read: [market?.marketType, ...(market?.selections.map((of) => of.selectionType) ?? [])].join(
      ' ',
    ),
    playerName: market?.playerName,
    warnings: parsed.warnings.map(({ code }) => code),
  }
}

const soccer = { sport: 'soccer', league: 'England - Premier League' }
const colleges = { league: 'NCAAB', home: 'Michigan', away: 'Michigan State' }
const afl = {
  sport: 'australian_rules',
  league: 'AFL',
  home: 'Melbourne',
  away: 'North Melbourne',
  market: 'team_total',
}
const nations = { ...soccer, league: 'World Cup', home: 'Guinea', away: 'Equatorial Guinea' }
const baseball = {
  sport: 'baseball',
  league: 'MLB',
  home: 'Boston Red Sox',
  away: 'Chicago White Sox',
}

describe('a team total', () => {
  it.each<[read: string, stated: Stated]>([
    ['team_total home_over', { market: 'team_total', selections: [['home_over']] }],
    [
      'team_total home_over',
      { market: 'team_total', selections: [['over', 'New York Knicks Over']] },
    ],
    [
      'team_total home_over',
      { market: 'team_total', selections: [['over', 'Over New York Knicks']] },
    ],
    ['team_total home_over', { market: 'team_total', selections: [['over', 'NY Knicks']] }],
    [
      'team_total home_over',
      { market: 'Team Totals', selections: [['over', 'Knicks Over 112.5']] },
    ],
    [
      'team_total home_under',
      { market: 'team_total', selections: [['under', 'Knicks - Under 112.5']] },
    ],
    ['team_total home_over', { market: 'team_total', selections: [['over', 'Knicks o112.5']] }],
    ['team_total home_under', { market: 'team_total', selections: [['under', 'Home Under']] }],
    ['team_total away_over', { market: 'team_total', selections: [['over', 'Over (Away)']] }],
    ['team_total away_over', { market: 'team_total', selections: [['over', '76ers Over']] }],
    [
      'team_total away_under',
      { market: 'team_total', selections: [['under', 'PHI 76ers Total Points Under']] },
    ],
    ['team_total home_over', { market: 'team_total', selections: [['over_home']] }],
    ['team_total home_over', { market: 'team_total', selections: [['knicks_over']] }],
    [
      'team_total home_over',
      { market: 'team_total', player: 'New York Knicks', selections: [['over']] },
    ],
    [
      'team_total home_over home_under',
      { market: 'team_total_home', selections: [['over'], ['under']] },
    ],
    ['team_total away_over', { market: 'away_team_total', selections: [['over']] }],
    [
      'team_total home_over',
      { market: 'Home Team Total Points', selections: [['over', 'Over 112.5']] },
    ],
    ['team_total home_over', { market: 'home_total', selections: [['over']] }],
    [
      'team_total home_over',
      { market: 'New York Knicks Team Total', selections: [['over', 'Over']] },
    ],
    ['team_total away_over', { market: 'Team Total - Philadelphia 76ers', selections: [['over']] }],
    ['team_total home_over', { market: 'Total Points by New York Knicks', selections: [['over']] }],
    ['team_total home_over', { market: 'Knicks Over/Under', selections: [['over']] }],
    [
      '1st_half_team_total home_over',
      { market: '1st Half Knicks Team Total', selections: [['over']] },
    ],
    ['1st_half_team_total home_over', { market: 'Knicks 1st Half Total', selections: [['over']] }],
    [
      '1st_half_team_total home_over',
      { market: '1st_half_team_total', selections: [['over', 'Knicks Over']] },
    ],
    [
      'team_total_goals away_over',
      {
        ...soccer,
        home: 'Leeds United',
        away: 'Brentford',
        market: 'Brentford Total Goals',
        selections: [['over']],
      },
    ],
    [
      'team_total_goals home_under',
      {
        ...soccer,
        home: 'Leeds United',
        away: 'Brentford',
        market: 'team_total',
        selections: [['under', 'Leeds Under 1.5']],
      },
    ],
    [
      'team_total_goals home_under',
      {
        ...soccer,
        home: 'Leeds United',
        away: 'Brentford',
        market: 'home_team_goals',
        selections: [['under']],
      },
    ],
    [
      'team_total_runs home_over',
      { ...baseball, market: 'team_total', selections: [['over', 'Red Sox Over']] },
    ],
    [
      'team_total_runs away_over',
      { ...baseball, market: 'Chicago White Sox Total Runs', selections: [['over']] },
    ],
    [
      'team_total away_over',
      { ...colleges, market: 'team_total', selections: [['over', 'Michigan St. Over 70.5']] },
    ],
    [
      'team_total away_over',
      { ...colleges, market: 'team_total', player: 'Michigan St', selections: [['over']] },
    ],
    [
      'team_total away_over',
      { ...colleges, market: 'Michigan St Team Total', selections: [['over']] },
    ],
    [
      'team_total home_over',
      { ...colleges, market: 'team_total', selections: [['over', 'Michigan Over 70.5']] },
    ],
    ['team_total away_over', { ...afl, selections: [['over', 'Nth Melbourne Over']] }],
    ['team_total home_over', { ...afl, selections: [['over', 'Melbourne Demons Over']] }],
  ])('%s: %j', (read, stated) => {
    expect(push(stated)).toEqual({ read, playerName: null, warnings: [] })
  })

  it.each<[read: string, stated: Stated]>([
    [
      'team_total over under',
      { market: 'team_total', selections: [['over'], ['under', 'Under 112.5']] },
    ],
    ['team_total over', { market: 'team_total', selections: [['over', 'Celtics Over']] }],
    [
      'team_total over',
      { market: 'New York Knicks Team Total', selections: [['over', '76ers Over']] },
    ],
    [
      'team_total_runs over',
      { ...baseball, market: 'team_total', selections: [['over', 'Sox Over']] },
    ],
    [
      'team_total_goals over',
      { ...nations, market: 'team_total', selections: [['over', 'Eq. Guinea Over']] },
    ],
  ])('of unknown side gets a warning that it matches no other: %s %j', (read, stated) => {
    expect(push(stated)).toMatchObject({ read, warnings: ['unclear_team'] })
  })

  it.each<[read: string, stated: Stated]>([
    ['total_points over', { market: 'total', selections: [['over', 'Over']] }],
    ['total_home_runs over', { ...baseball, market: 'total home runs', selections: [['over']] }],
  ])('is on neither side: %s', (read, stated) => {
    expect(push(stated)).toMatchObject({ read, warnings: [] })
  })
})
