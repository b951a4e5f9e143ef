import { describe, expect, it } from 'vitest'
import { parseBovada } from '../../../../pipeline/feeds/bovada/parse.ts'
import {
  countObjects,
  countReasons,
  hasSample,
  oddsOf,
  readJsonSample,
  repeatedSelections,
  selectionsOf,
} from '../feed-samples.ts'

const observedAt = Date.parse('2024-12-16T02:00:00Z')

const outcome = (type: string, price?: Record<string, string>, parts = {}) => ({
  id: `o${type}`,
  description: type,
  status: 'O',
  type,
  price,
  ...parts,
})

const coupon = (
  market: Record<string, unknown>,
  { sport = 'Soccer', event = {} as Record<string, unknown> } = {},
) => [
  {
    path: [
      { description: 'National League', type: 'LEAGUE' },
      { description: 'Rwanda', type: 'COUNTRY' },
      { description: sport, type: 'SPORT' },
    ],
    events: [
      {
        id: 'e',
        description: 'H vs A',
        type: 'GAMEEVENT',
        startTime: 1734354000000,
        live: false,
        numMarkets: 1,
        competitors: [
          { id: 'h', name: 'H', home: true },
          { id: 'a', name: 'A', home: false },
        ],
        displayGroups: [
          {
            markets: [
              {
                id: 'm',
                description: 'Total',
                key: '2W-OU',
                status: 'O',
                period: { description: 'Game', abbreviation: 'G' },
                outcomes: [],
                ...market,
              },
            ],
          },
        ],
        ...event,
      },
    ],
  },
]

const skipReason = (...parts: Parameters<typeof coupon>) =>
  parseBovada(coupon(...parts), observedAt).skipped[0]?.reason

describe('Bovada parser', () => {
  it('takes the mean of the two handicaps of a quarter line', () => {
    const market = {
      outcomes: [
        outcome('O', { american: '+102', handicap: '2.0', handicap2: '2.5' }),
        outcome('U', { american: '-132', handicap: '2.0', handicap2: '2.5' }),
      ],
    }
    const { records } = parseBovada(coupon(market), observedAt)
    expect(oddsOf(records)[0]?.markets).toMatchObject([{ marketType: 'total_goals', line: 2.25 }])
  })

  it('reads EVEN as 2.0 and signed texts as American odds', () => {
    const market = {
      outcomes: [
        outcome('O', { american: 'EVEN', handicap: '2.5' }),
        outcome('U', { american: '-125', handicap: '2.5' }),
      ],
    }
    const { records } = parseBovada(coupon(market), observedAt)
    expect(selectionsOf(records).map(({ price }) => price)).toEqual([2, 1.8])
  })

  it('ignores a start with a fraction of a millisecond', () => {
    const event = { startTime: 1734354000000.5 }
    expect(skipReason({}, { event })).toBe('malformed')
  })

  it('is a snapshot only if the response has all markets of the event', () => {
    const market = { outcomes: [outcome('O', { american: '+102', handicap: '2.5' })] }
    const modeOf = (numMarkets: number) =>
      oddsOf(parseBovada(coupon(market, { event: { numMarkets } }), observedAt).records)[0]?.mode
    expect(modeOf(1)).toBe('snapshot')
    expect(modeOf(31)).toBe('delta')
  })

  it('keeps a suspended market and leaves a closed one out', () => {
    const outcomes = [outcome('O', { american: '+102', handicap: '2.5' })]
    const suspended = parseBovada(coupon({ status: 'S', outcomes }), observedAt)
    expect(selectionsOf(suspended.records)).toMatchObject([{ price: 2.02, suspended: true }])
    expect(skipReason({ status: 'C', outcomes })).toBe('closed')
  })

  it('keeps regulation time apart where a game can go on', () => {
    const market = {
      period: { description: 'Regulation Time', abbreviation: 'RT' },
      outcomes: [outcome('O', { american: '+102', handicap: '5.5' })],
    }
    expect(skipReason(market, { sport: 'Hockey' })).toBe('unmapped_period')
    expect(selectionsOf(parseBovada(coupon(market), observedAt).records)).toHaveLength(1)
  })

  it('puts the period before the type', () => {
    const market = {
      period: { description: 'First Half', abbreviation: '1H' },
      outcomes: [outcome('O', { american: '+102', handicap: '0.5' })],
    }
    expect(selectionsOf(parseBovada(coupon(market), observedAt).records)[0]?.marketType).toBe(
      '1st_half_total_goals',
    )
  })

  it('names what it cannot place', () => {
    const over = outcome('O', { american: '+102', handicap: '2.5' })
    expect(skipReason({ description: 'Total Throw-Ins', outcomes: [over] })).toBe('unmapped_market')
    expect(skipReason({ outcomes: [outcome('H', { american: '+102' })] })).toBe(
      'unmapped_selection',
    )
    expect(skipReason({ outcomes: [outcome('O', { american: '+102' })] })).toBe('no_line')
    expect(skipReason({ outcomes: [outcome('O', { american: '50', handicap: '2.5' })] })).toBe(
      'bad_price',
    )
    expect(skipReason({ outcomes: [outcome('O', { handicap: '2.5' })] })).toBe('no_price')
    expect(skipReason({ outcomes: [over] }, { event: { type: 'RANKEVENT' } })).toBe('outright')
    expect(skipReason({ outcomes: [over] }, { event: { competitors: [] } })).toBe(
      'unknown_participant',
    )
    const swapped = outcome('H', { american: '+102', handicap: '-0.5' }, { competitorId: 'a' })
    expect(skipReason({ key: '2W-HCAP', description: 'Goal Spread', outcomes: [swapped] })).toBe(
      'unknown_participant',
    )
    expect(parseBovada({}, observedAt).skipped[0]?.reason).toBe('malformed_payload')
  })
})

describe('Bovada markets of other sports', () => {
  const price = { american: '-110' }
  const lined = (handicap: string) => ({ american: '-110', handicap })
  const winner = [outcome('A', price), outcome('H', price)]
  const threeWays = [...winner, outcome('D', price)]
  const spread = [outcome('A', lined('3.5')), outcome('H', lined('-3.5'))]
  const overs = [outcome('O', lined('22.5')), outcome('U', lined('22.5'))]

  it.each([
    ['Tennis', '2W-12', 'Moneyline', 'Match', 'MT', winner, 'moneyline'],
    ['Tennis', '2W-HCAP', 'Game Spread', 'Match', 'MT', spread, 'game_handicap'],
    ['Tennis', '2W-HCAP', 'Set Spread', 'Match', 'M', spread, 'set_handicap'],
    ['Tennis', '2W-OU', 'Total Games', 'Match', 'MT', overs, 'total_games'],
    ['Tennis', '2W-12', 'Moneyline', '1st Set', '1S', winner, '1st_set_moneyline'],
    ['Tennis', '2W-OU', 'Number of Sets', 'Match', 'MT', overs, 'total_sets'],
    ['Tennis', '2W-OU', 'Total Sets', 'Match', 'M', overs, 'total_sets'],
    ['Basketball', '2W-12', 'Moneyline', 'Game', 'G', winner, 'moneyline'],
    ['Basketball', '2W-HCAP', 'Point Spread', 'First Half', '1H', spread, '1st_half_point_spread'],
    [
      'Basketball',
      '3W-1X2',
      '3-Way Moneyline',
      '1st Quarter',
      '1Q',
      threeWays,
      '1st_quarter_moneyline_3-way',
    ],
    ['Football', '2W-OU', 'Total', '4th Quarter', '4Q', overs, '4th_quarter_total_points'],
    ['Football', '2W-OU', 'Total Points - H', 'Game', 'G', overs, 'team_total'],
    ['Hockey', '2W-HCAP', 'Puck Line', 'Game', 'G', spread, 'puck_line'],
    ['Hockey', '3W-1X2', '3-Way Moneyline', 'Regulation Time', 'RT', threeWays, 'moneyline_3-way'],
    ['Hockey', '2W-12', 'Moneyline', '1st Period', 'P1', winner, '1st_period_moneyline'],
    [
      'Hockey',
      '3W-1X2',
      '3-Way Moneyline',
      '1st Period',
      'P1',
      threeWays,
      '1st_period_moneyline_3-way',
    ],
    ['Hockey', '2W-OU', 'Total Goals O/U - A', 'Game', 'G', overs, 'team_total_goals'],
    ['Baseball', '2W-HCAP', 'Runline', 'Game', 'G', spread, 'run_line'],
    ['Baseball', '2W-OU', 'Total', 'First 5 Innings', '5I', overs, '1st_5_innings_total_runs'],
    ['Soccer', '3W-1X2', '3-Way Moneyline', 'Regulation Time', 'RT', threeWays, 'moneyline'],
    ['Soccer', '2W-OU', 'Total Corners', 'Regulation Time', 'RT', overs, 'total_corners'],
  ] as const)(
    '%s %s %s of %s (%s)',
    (sport, key, description, period, abbreviation, outcomes, type) => {
      const market = { key, description, period: { description: period, abbreviation }, outcomes }
      const { records, skipped } = parseBovada(coupon(market, { sport }), observedAt)
      const types = new Set(selectionsOf(records).map(({ marketType }) => marketType))
      expect([[...types], skipped]).toEqual([[type], []])
      expect(selectionsOf(records)).toHaveLength(outcomes.length)
    },
  )

  it.each([
    [
      'Hockey',
      '2W-12',
      'Moneyline',
      'Regulation Time',
      'RT',
      'unmapped_period',
      'RT Regulation Time',
    ],
    ['Hockey', '2W-OU', 'Total', 'Overtime', 'OT', 'unmapped_period', 'OT Overtime'],
    ['Tennis', '2W-HCAP', 'Spread', 'Match', 'MT', 'unmapped_market', '2W-HCAP Spread'],
    ['Soccer', '2W-12', 'Moneyline', 'Regulation Time', 'RT', 'unmapped_market', '2W-12 Moneyline'],
    [
      'Hockey',
      '2W-OU',
      'Total Saves - A Goalie (A)',
      'Game',
      'G',
      'unmapped_market',
      '2W-OU Total Saves',
    ],
  ] as const)(
    'leaves out %s %s %s of %s (%s), with its label',
    (sport, key, description, period, abbreviation, reason, label) => {
      const market = {
        key,
        description,
        period: { description: period, abbreviation },
        outcomes: winner,
      }
      const { records, skipped } = parseBovada(coupon(market, { sport }), observedAt)
      expect(selectionsOf(records)).toEqual([])
      expect(skipped[0]).toMatchObject({ reason, label })
    },
  )
})

describe.skipIf(!hasSample('feeds/bovada'))('Bovada sample (needs ../shared)', () => {
  const sample = () => readJsonSample('feeds/bovada/coupon_soccer.json')

  it('reads every price once, as a snapshot of all five markets', () => {
    const payload = sample()
    const { records, skipped } = parseBovada(payload, observedAt)
    expect(selectionsOf(records)).toHaveLength(12)
    expect(countReasons(skipped)).toEqual({})
    expect(countObjects(payload, (object) => 'american' in object)).toBe(12)
    expect(repeatedSelections(records)).toEqual([])
    expect(oddsOf(records)[0]).toMatchObject({
      mode: 'snapshot',
      event: {
        externalId: '14537379',
        sport: 'soccer',
        league: 'Rwanda - National League',
        homeTeam: 'Vision FC',
        awayTeam: 'Etincelles',
        startsAt: 1734354000000,
      },
    })
  })

  it('has the lines and prices of the file', () => {
    const selections = selectionsOf(parseBovada(sample(), observedAt).records)
    const find = (id: string) => selections.find(({ externalId }) => externalId === id)
    expect(find('1795595635')).toMatchObject({
      marketType: 'point_spread',
      selectionType: 'home',
      line: -0.25,
    })
    expect(find('1795595635')?.price).toBeCloseTo(1 + 100 / 102, 12)
    expect(find('1795595636')).toMatchObject({ selectionType: 'away', line: 0.25, price: 1.78125 })
    expect(find('1795595469')).toMatchObject({ marketType: 'total_goals', line: 2, price: 2.02 })
    expect(find('1791257264')).toMatchObject({ marketType: 'moneyline', selectionType: 'draw' })
    expect(find('1795595638')).toMatchObject({
      marketType: 'both_teams_to_score',
      selectionType: 'no',
    })
    // The total of both teams has type H; only the description identifies it.
    expect(find('1795435476')).toMatchObject({
      marketType: 'double_chance',
      selectionType: 'home_away',
    })
  })
})

describe('Bovada sets of tennis', () => {
  const priced = (type: string, description: string) =>
    outcome(type, { american: '+150' }, { id: description, description })
  const read = (description: string, outcomes: readonly object[]) => {
    const period = { description: 'Match', abbreviation: 'M' }
    const market = { key: 'GAME-PROP-MULTI', description, period, outcomes }
    const { records, skipped } = parseBovada(coupon(market, { sport: 'Tennis' }), observedAt)
    return {
      answers: selectionsOf(records).map(({ marketType, selectionType, line }) =>
        [marketType, selectionType, line].filter((part) => part !== null).join(' '),
      ),
      skipped: skipped.map(({ reason }) => reason),
    }
  }

  it.each<[how: string, outcomes: readonly string[], types: string]>([
    ['by the name of the winner', ['H 2-0', 'H 2-1', 'A 2-0', 'A 2 - 1'], '    '],
    ['by the side of the winner', ['2-0', '2-1', '2-0', '1-2'], 'HHAA'],
    ["with home's first", ['2-0', '2-1', '0-2', '1:2'], '    '],
  ])('are a score, %s', (_, outcomes, types) => {
    const stated = outcomes.map((text, at) => priced(types.charAt(at), text))
    expect(read('Set Betting', stated)).toEqual({
      answers: ['2_0', '2_1', '0_2', '1_2'].map((score) => `set_betting ${score}`),
      skipped: [],
    })
  })

  it('are no score of another player, nor a level one', () => {
    expect(read('Set Betting', [priced(' ', 'B 2-0'), priced('D', '1-1')])).toEqual({
      answers: [],
      skipped: ['unmapped_selection', 'unmapped_selection'],
    })
  })

  it.each([
    ['2', '3'],
    ['2 Sets', '3 Sets'],
    ['Exactly 2 Sets', 'Exactly 3 Sets'],
  ] as const)('in number are under and over of the line between two: %s, %s', (fewer, more) => {
    const answers = ['total_sets over 2.5', 'total_sets under 2.5']
    const stated = [priced(' ', more), priced(' ', fewer)]
    expect(read('Number of Sets', stated)).toEqual({ answers, skipped: [] })
  })

  it('in number are left out where there are three', () => {
    const stated = ['3', '4', '5'].map((sets) => priced(' ', sets))
    expect(read('Total Sets', stated)).toEqual({
      answers: [],
      skipped: stated.map(() => 'unmapped_selection'),
    })
  })
})
