/** Markets of players that are pushed without one: who the labels name, and what becomes of those that name nobody. */

import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import type { FeedRecord } from '../../../../schemas/feed-record.ts'
import { topics } from '../../../../schemas/topics.ts'
import { createRealBoard } from '../../../oracle/real-board.ts'

const now = Date.parse('2026-11-21T00:00:00Z')

type Selection = readonly [type: string, label: string | null, price?: number | undefined]

function parse(
  sportsbook: string,
  market: { readonly type: string; readonly line?: number; readonly player?: string },
  selections: readonly Selection[],
  sport = 'basketball',
) {
  const [home_team, away_team] =
    sport === 'tennis' ? ['Jannik Sinner', 'Carlos Alcaraz'] : ['New York Knicks', 'Boston Celtics']
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook,
      mode: 'snapshot',
      observed_at: new Date(now).toISOString(),
      event: {
        sport,
        league: `a ${sport} league`,
        home_team,
        away_team,
        start_time: '2026-11-21T19:00:00Z',
      },
      markets: [
        {
          market_type: market.type,
          line: market.line ?? null,
          player_name: market.player ?? null,
          selections: selections.map(([selection_type, selection, odds_decimal = 1.9]) => ({
            selection_type,
            selection,
            odds_decimal,
          })),
        },
      ],
    },
    now,
  )
  if (!parsed.ok || parsed.record.type !== 'odds') throw new Error(JSON.stringify(parsed))
  return { record: parsed.record, warnings: parsed.warnings.map(({ code }) => code) }
}

function playersOf(selections: readonly Selection[], sport?: string) {
  const type = sport === 'tennis' ? 'player_aces' : 'player_points'
  const { record, warnings } = parse('draftkings', { type, line: 25.5 }, selections, sport)
  return [...record.markets.map(({ playerName }) => playerName), ...warnings]
}

describe('the labels of a market of players', () => {
  it.each([
    'LeBron James Over',
    'Over LeBron James',
    'LeBron James Over 25.5',
    'LeBron James - Over (25.5)',
    'Over (25.5): LeBron James',
    'LeBron James o25.5',
    'LeBron James 25+',
    'LeBron James',
  ])('name him: %s', (label) => {
    expect(playersOf([['over', label]])).toEqual(['LeBron James'])
  })

  it.each([
    "Shaquille O'Neal",
    'James, LeBron',
    'OG Anunoby',
    'Josh Allen (BUF)',
    'Karl-Anthony Towns',
  ])('name him as he is written: %s', (name) => {
    expect(playersOf([['over', `${name} Over 25.5`]])).toEqual([name])
  })

  it.each([
    'Will Smith',
    'WILL SMITH',
    'Smith, Will',
    'Will Smith (LAD)',
    'Will Anderson Jr.',
    'Chance Comanche',
    'Brayden Point',
    'Cameron Long',
    'B. Point',
    'Travis Head',
    'A.J. Brown',
    'A. J. Brown',
    'A J Brown',
    'Brown, A.J.',
    'A. Judge',
    'Judge A.',
    'V.J. Edgecombe',
    'D.J. Moore',
    'J.A. Happ',
    'Lee Kang-in',
    'Kang-In Lee',
    'Hwang In-beom',
    'Kim Ji-won',
    'Kike Hernandez',
    'Kiké Hernández',
  ])('name him though a part of his name is like a word of labels: %s', (name) => {
    expect(playersOf([['over', `${name} Over 25.5`]])).toEqual([name])
  })

  it.each([
    null,
    'Over',
    'Over 25.5',
    'Over 25.5 points',
    'To Score',
    'James Over',
    'Any Other Player',
    'LeBron James & Anthony Davis Over',
    'LeBron James and Anthony Davis Over',
    'LeBron James 1st Half Over',
    'New York Knicks Over',
    'Knicks Over',
    'Will There Be Overtime',
    'Total Goals In First Half',
    'Anytime Goalscorer',
    'Will Knicks Over',
    'Will Someone Over',
    'Will Smith Anytime',
    'Will Smith Homer',
    'Aaron Judge Walk-Off Over',
    'Point Guard Over',
    'Head Coach Over',
    'Will Smith (First Half) Over',
    'will smith over',
    'Smith In Over',
    'Over-Under Smith',
    'Tatum Half-Court Over',
    'Long Throw-In Over',
    'Early Kick-Off Over',
    'Left Field Over',
    'Bonus Point Over',
    'QB Rush Over',
    'Red Zone Over',
    'Even Strength Over',
    'A Substitute Over',
    'Knicks V. Celtics Over',
    'NYK V. BOS Over',
    'T.B.A. Over 4.5',
    'O.T. Over',
    'L.A. Over 25.5',
    'U.S.A. Over',
    'Will Homer Over 0.5',
    'Will Steal',
    'Will Strikeout',
    'Will NYK Over',
    'Chance Created Over 1.5',
    'Two Point Over',
    'Long Rush Over 12.5',
    'Red-Zone Targets Over 1.5',
    'Two-Run Homer',
    'Set-Piece Shot',
    'Run-Out Wicket',
    'No-Ball Count',
    'Top-Order Wicket',
  ])('name nobody for certain: %s', (label) => {
    expect(playersOf([['over', label]])).toEqual([null, 'missing_player'])
  })

  it('name a side where the sides are players', () => {
    expect(playersOf([['over', 'Jannik Sinner Over']], 'tennis')).toEqual(['Jannik Sinner'])
  })

  it('give each player a market of his own', () => {
    const { record, warnings } = parse('draftkings', { type: 'player_points', line: 25.5 }, [
      ['over', 'LeBron James Over', 2.1],
      ['under', 'LeBron James Under', 1.75],
      ['over', 'Anthony Davis Over', 1.7],
      ['under', 'Anthony Davis Under', 2.05],
    ])
    expect(warnings).toEqual([])
    expect(
      record.markets.map(({ playerName, selections }) => [
        playerName,
        ...selections.map((of) => of.price),
      ]),
    ).toEqual([
      ['LeBron James', 2.1, 1.75],
      ['Anthony Davis', 1.7, 2.05],
    ])
  })

  it('leave a bare over and under to the one player whom they name', () => {
    expect(
      playersOf([
        ['over', 'LeBron James'],
        ['under', 'Under 25.5'],
      ]),
    ).toEqual(['LeBron James'])
    const two: readonly Selection[] = [
      ['over', 'LeBron James'],
      ['over', 'Anthony Davis'],
      ['under', null],
    ]
    expect(playersOf(two)).toEqual(['LeBron James', 'Anthony Davis', null, 'missing_player'])
  })
})

describe('the line of an over labelled by the least that wins', () => {
  const points = { type: 'player_points', player: 'LeBron James' }
  it.each([
    ['25+', 25, 24.5],
    ['LeBron James 25+ Points', 25, 24.5],
    ['25+', 24.5, 24.5],
    ['Over 25', 25, 25],
    ['25', 25, 25],
    ['Over +25', 25, 25],
  ])('%s at %d is %d', (label, line, read) => {
    const [market] = parse('fanduel', { ...points, line }, [['over', label]]).record.markets
    expect(market?.selections[0]?.line ?? market?.line).toBe(read)
  })
  it('is half less for the over alone', () => {
    const [market] = parse('fanduel', { ...points, line: 25 }, [['under', '25+']]).record.markets
    expect(market?.selections[0]?.line ?? market?.line).toBe(25)
  })
  it('stays beside an under at the stated line, which is withdrawn', () => {
    const { record, warnings } = parse('fanduel', { ...points, line: 25 }, [
      ['over', '25+'],
      ['under', 'Under 25'],
    ])
    const read = record.markets[0]?.selections.map((of) => [of.selectionType, of.line, of.removed])
    expect(read).toEqual([
      ['over', 24.5, false],
      ['under', null, true],
    ])
    expect(warnings).toEqual(['contradictory_lines'])
  })
  it('stays beside an under of its own line', () => {
    const { record, warnings } = parse('fanduel', { ...points, line: 24.5 }, [
      ['over', '25+'],
      ['under', 'Under 24.5'],
    ])
    expect(record.markets[0]?.selections.map((of) => of.removed)).toEqual([false, false])
    expect(warnings).toEqual([])
  })
})

/** Returns the opportunities among records that disagree. */
function opportunitiesOf(records: readonly FeedRecord[]) {
  const board = createRealBoard({ sharpChain: ['pinnacle'] })
  board.take([{ type: 'tick', observedAt: now }, ...records])
  return [...board.tableOf(topics.opportunities).values()]
}

describe('prices of players', () => {
  const points = { type: 'player_points', line: 25.5 }
  const over: readonly Selection[] = [
    ['over', 'Over', 2.1],
    ['under', 'Under', 1.75],
  ]
  const under: readonly Selection[] = [
    ['over', 'Over', 1.75],
    ['under', 'Under', 2.05],
  ]

  it('are no bet against each other where nobody is named', () => {
    const records = [parse('draftkings', points, over), parse('fanduel', points, under)]
    expect(opportunitiesOf(records.map(({ record }) => record))).toEqual([])
  })

  it('are an arbitrage where a label and a field name one player', () => {
    const labelled = over.map(
      ([type, label, price]): Selection => [type, `LeBron James ${label}`, price],
    )
    const stated = parse('fanduel', { ...points, player: 'LeBron James' }, under)
    expect(
      opportunitiesOf([parse('draftkings', points, labelled).record, stated.record]),
    ).not.toEqual([])
  })
})
