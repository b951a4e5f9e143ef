import { describe, expect, it } from 'vitest'
import type { LogRecord } from '../../../pipeline/log/log.ts'
import { serviceProcessor } from '../../../pipeline/processors/service-processor.ts'
import type { BoardRecord, FeedMarket } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'

const at = Date.parse('2026-11-20T12:00:00Z')

const moneyline = (home: number, away: number): FeedMarket => ({
  marketType: 'moneyline',
  line: null,
  playerName: null,
  statCategory: null,
  externalId: null,
  maxBet: null,
  suspended: false,
  selections: (['home', 'away'] as const).map((selectionType) => ({
    selection: selectionType === 'home' ? 'Alphaville' : 'Betaburg',
    selectionType,
    line: null,
    price: selectionType === 'home' ? home : away,
    externalId: null,
    removed: false,
    suspended: false,
    maxBet: null,
    changedAt: null,
    publicBetPct: null,
    deepLink: null,
  })),
})

const odds = (league: string, sportsbook: string, home: number, away: number): BoardRecord => ({
  type: 'odds',
  sportsbook,
  mode: 'snapshot',
  observedAt: at,
  event: {
    externalId: `${sportsbook}-1`,
    sport: 'basketball',
    league,
    homeTeam: 'Alphaville',
    awayTeam: 'Betaburg',
    startsAt: at + 3_600_000,
    isLive: false,
  },
  markets: [moneyline(home, away)],
})

describe('a state per partition', () => {
  const state = serviceProcessor(['pinnacle']).create()
  let offset = 0
  const record = (partition: number, value: BoardRecord): LogRecord => ({
    topic: topics.feedOdds,
    partition,
    offset: offset++,
    key: 'k',
    value,
  })
  const arbitrage = (league: string, partition: number) =>
    [odds(league, 'draftkings', 2.1, 1.8), odds(league, 'fanduel', 1.8, 2.1)].map((of) =>
      record(partition, of),
    )
  const leaguesOf = (changes: ReturnType<typeof state.decide>) =>
    new Set(
      changes
        .filter(({ topic }) => topic.name === topics.opportunities.name)
        .map(({ partitionKey }) => partitionKey),
    )

  it('writes nothing of another partition, whatever a clock or a source does', () => {
    expect(leaguesOf(state.decide(arbitrage('alpha_league', 0)))).toEqual(new Set(['alpha_league']))
    expect(leaguesOf(state.decide(arbitrage('beta_league', 1)))).toEqual(new Set(['beta_league']))
    const tick = { type: 'tick', observedAt: at + 6 * 60_000 } as const
    expect(leaguesOf(state.decide([record(0, tick)]))).toEqual(new Set(['alpha_league']))
    const down = {
      type: 'book_status',
      sportsbook: 'fanduel',
      observedAt: at,
      status: 'down',
    } as const
    expect(leaguesOf(state.decide([record(1, down)]))).toEqual(new Set(['beta_league']))
  })

  it('takes a batch of several partitions apart', () => {
    const both = [...arbitrage('gamma_league', 2), ...arbitrage('delta_league', 3)]
    expect(leaguesOf(state.decide(both))).toEqual(new Set(['gamma_league', 'delta_league']))
  })
})
