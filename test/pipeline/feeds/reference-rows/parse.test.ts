import { describe, expect, it } from 'vitest'
import {
  parseReferenceCsv,
  parseReferenceJson,
} from '../../../../pipeline/feeds/reference-rows/parse.ts'
import { findMarket } from '../../../../schemas/reference/markets.ts'
import {
  countReasons,
  hasSample,
  oddsOf,
  readSample,
  repeatedSelections,
  selectionsOf,
} from '../feed-samples.ts'

const americanOf = (decimal: number) =>
  decimal >= 2 ? Math.round((decimal - 1) * 100) : -Math.round(100 / (decimal - 1))

let nextId = 1
const row = (
  market_type: string,
  selection: string,
  selection_type: string,
  { decimal = 1.9, ...parts }: Record<string, unknown> & { decimal?: number } = {},
) => ({
  id: nextId++,
  sportsbook: 'novig',
  event_id: 'event',
  sport: 'soccer',
  league: 'fifa_-_world_cup',
  home_team: 'England',
  away_team: 'Argentina',
  market_type,
  selection,
  selection_type,
  odds_american: americanOf(decimal),
  odds_decimal: decimal,
  odds_probability: 1 / decimal,
  line: null,
  event_start_time: '2026-07-15T19:00:00Z',
  is_live: false,
  timestamp: '2026-07-13T01:45:33.481436094Z',
  ...parts,
})

const typesOf = (rows: readonly unknown[]) =>
  selectionsOf(parseReferenceJson(rows).records).map(({ selectionType }) => selectionType)
const reasonsOf = (rows: readonly unknown[]) => countReasons(parseReferenceJson(rows).skipped)

describe('reference rows', () => {
  it('makes one snapshot per event and sportsbook, as new as its newest row', () => {
    const { records } = parseReferenceJson({
      data: [
        row('draw_no_bet', 'England', 'home', { timestamp: '2026-07-13T01:45:33.477503590Z' }),
        row('draw_no_bet', 'Argentina', 'away', { timestamp: '2026-07-13T01:45:33.469089785Z' }),
        row('draw_no_bet', 'England', 'home', { sportsbook: 'pinnacle' }),
      ],
    })
    expect(oddsOf(records).map(({ sportsbook, mode }) => [sportsbook, mode])).toEqual([
      ['novig', 'snapshot'],
      ['pinnacle', 'snapshot'],
    ])
    expect(records[0]?.observedAt).toBe(Date.parse('2026-07-13T01:45:33.477Z'))
  })

  it.each([
    ['a decimal that the American rounds', 1.985, -102, 1.985],
    ['a decimal that the American rounds', 3.335, 234, 3.335],
    ['a decimal that is cut from the American', 1.91, -110, 1 + 100 / 110],
    ['a decimal that is cut from the American', 1.909, -110, 1 + 100 / 110],
    ['two forms of one price', 2.5, 150, 2.5],
  ])('takes the exact form of %s: %d, %d', (_, odds_decimal, odds_american, price) => {
    const rows = [
      row('draw_no_bet', 'England', 'home', { odds_decimal, odds_american }),
      row('draw_no_bet', 'Argentina', 'away', { decimal: 2 }),
    ]
    expect(selectionsOf(parseReferenceJson(rows).records)[0]?.price).toBe(price)
  })

  it('keeps the players, limits and freshness of a JSON row', () => {
    const { records } = parseReferenceJson([
      row('player_shots', 'Sample Forward Over', 'over', {
        line: 2.5,
        player_name: 'Sample Forward',
        stat_category: 'shots',
        max_bet: 1500,
        public_bet_pct: 0.57,
        odds_changed_at: '2026-07-13T01:00:00Z',
        is_active: false,
      }),
    ])
    expect(oddsOf(records)[0]?.markets).toMatchObject([
      {
        marketType: 'player_shots',
        line: 2.5,
        playerName: 'Sample Forward',
        statCategory: 'shots',
        selections: [
          {
            selectionType: 'over',
            suspended: true,
            maxBet: 1500,
            publicBetPct: 0.57,
            changedAt: Date.parse('2026-07-13T01:00:00Z'),
          },
        ],
      },
    ])
  })

  it('prices by the American format if the two agree, else not at all', () => {
    const agreeing = row('draw_no_bet', 'England', 'home', { odds_american: -213, decimal: 1.469 })
    const { records } = parseReferenceJson([{ ...agreeing, odds_american: -213 }])
    expect(selectionsOf(records)[0]?.price).toBe(1 + 100 / 213)
    expect(reasonsOf([{ ...agreeing, odds_american: -200 }])).toEqual({ price_mismatch: 1 })
    expect(reasonsOf([{ ...agreeing, odds_american: 50 }])).toEqual({ bad_price: 1 })
  })

  it('reads both sides of each outcome of an exchange as one three-way moneyline', () => {
    const rows = [
      row('moneyline', 'England Yes', 'home', { decimal: 2.74 }),
      row('moneyline', 'Argentina Yes', 'away', { decimal: 3.12 }),
      row('moneyline', 'Argentina @ England Yes', 'home', { decimal: 3.03 }),
      row('moneyline', 'England No', 'home', { decimal: 1.549 }),
      row('moneyline', 'Argentina No', 'away', { decimal: 1.448 }),
      row('moneyline', 'Argentina @ England No', 'home', { decimal: 1.469 }),
    ]
    expect(typesOf(rows)).toEqual(['home', 'away', 'draw'])
    expect(reasonsOf(rows)).toEqual({ lay_side: 3 })
  })

  it('reads a tie on regulation time as the draw', () => {
    expect(
      typesOf([
        row('moneyline', 'England', 'home', { decimal: 2.74 }),
        row('moneyline', 'Argentina', 'away', { decimal: 3.28 }),
        row('moneyline', 'Reg Time: Tie', 'other', { decimal: 3.08 }),
      ]),
    ).toEqual(['home', 'away', 'draw'])
  })

  it('leaves out a soccer moneyline of two ways, and one whose prices are of two markets', () => {
    const two = [
      row('moneyline', 'England', 'home', { decimal: 1.855 }),
      row('moneyline', 'Argentina', 'away', { decimal: 2.09 }),
    ]
    expect(reasonsOf(two)).toEqual({ not_three_way: 2 })
    expect(reasonsOf([...two, row('moneyline', 'DRAW', 'draw', { decimal: 3.06 })])).toEqual({
      mixed_market: 3,
    })
  })

  it('reads the results of a double chance from its label', () => {
    expect(
      typesOf([
        row('double_chance', 'England / Argentina', 'other'),
        row('double_chance', 'England / Draw', 'home'),
        row('double_chance', 'Tie or Argentina', 'away_draw'),
      ]),
    ).toEqual(['home_away', 'home_draw', 'away_draw'])
  })

  it('reads compounds, and keeps fragments of them out of other markets', () => {
    expect(
      typesOf([
        row('match_result_both_teams_to_score', 'England win and Yes', 'home'),
        row('match_result_both_teams_to_score', 'Argentina & No', 'other'),
        row('clean_sheet', 'Argentina Yes', 'yes'),
        row('to_win_either_half', 'England No', 'home'),
        row('first_team_to_score', 'No Goal', 'other'),
      ]),
    ).toEqual(['home_yes', 'away_no', 'away_yes', 'home_no', 'no'])
    expect(
      reasonsOf([
        row('match_result_both_teams_to_score', 'Draw', 'draw_no'),
        row('1st_half_both_teams_to_score', 'England & No', 'no'),
        row('2nd_half_total_goals', 'Draw &', 'draw', { line: 1.5 }),
        row('total_shots_on_target', 'England', 'home', { line: 4.5 }),
        row('team_to_score', 'Yes', 'yes'),
        row('binary', 'Yes', 'yes'),
        row('no_such_market', 'Yes', 'yes'),
      ]),
    ).toEqual({
      ambiguous_selection: 1,
      mixed_market: 3,
      unknown_participant: 1,
      ambiguous_market: 1,
      unmapped_market: 1,
    })
  })

  it('takes the line of a result and total from its label', () => {
    const { records } = parseReferenceJson([
      row('match_result_total_goals', 'Draw & Under 1.5', 'draw_under'),
    ])
    expect(selectionsOf(records)).toMatchObject([{ selectionType: 'draw_under', line: 1.5 }])
  })

  it('has no line for a score, whatever was read out of its label', () => {
    const { records } = parseReferenceJson([
      row('correct_score', 'England 3-2', '3_2', { line: -2 }),
    ])
    expect(selectionsOf(records)).toMatchObject([
      { selectionType: '3_2', selection: '3-2', line: null },
    ])
  })

  it('makes a scorer a yes or no of one player', () => {
    const { records, skipped } = parseReferenceJson([
      row('first_goal_scorer', 'Leandro Paredes Yes', 'other'),
      row('first_goal_scorer', 'Harry Kane No', 'other'),
      row('first_goal_scorer', 'Jude Bellingham Over', 'over', { line: 0.5 }),
      row('first_goal_scorer', 'None', 'other'),
      row('anytime_goal_scorer', 'Lautaro Martínez (ARG)', 'other'),
      row('anytime_goal_scorer', 'England Marcus Rashford', 'other'),
    ])
    expect(
      selectionsOf(records).map(({ playerName, selectionType, line }) => [
        playerName,
        selectionType,
        line,
      ]),
    ).toEqual([
      ['Leandro Paredes', 'yes', null],
      ['Harry Kane', 'no', null],
      ['Jude Bellingham', 'yes', null],
      [null, 'no', null],
      ['Lautaro Martínez', 'yes', null],
    ])
    expect(countReasons(skipped)).toEqual({ mixed_market: 1 })
  })

  it('leaves out a game’s total that its label or its player makes another’s', () => {
    const at = { line: 1.5 }
    const rows = [
      row('total_shots', 'Lionel Messi Over', 'over', at),
      row('total_shots', 'England Over 1.5', 'over', at),
      row('total_shots', 'Kane Under', 'under', at),
      row('total_shots', 'Over', 'over', { ...at, player_name: 'Lionel Messi' }),
      row('total_shots', 'Over 1.5 Shots', 'over', at),
      row('team_total_shots', 'England Over', 'home_over', at),
    ]
    expect(typesOf(rows)).toEqual(['over', 'home_over'])
    expect(reasonsOf(rows)).toEqual({ mixed_market: 4 })
  })

  it('leaves out a ladder whose rungs are out of order, and only that one', () => {
    const over = (market: string, line: number, decimal: number) =>
      row(market, 'Over', 'over', { line, decimal })
    const { records, skipped } = parseReferenceJson([
      over('total_corners', 0.5, 1.8),
      over('total_corners', 7.5, 1.526),
      row('total_corners', 'Under', 'under', { line: 7.5, decimal: 2.35 }),
      over('total_goals', 1.5, 1.4),
      over('total_goals', 2.5, 2.4),
    ])
    expect(countReasons(skipped)).toEqual({ mixed_market: 3 })
    expect(selectionsOf(records).map(({ marketType }) => marketType)).toEqual([
      'total_goals',
      'total_goals',
    ])
  })

  it('leaves out a selection with two prices, and states one price once', () => {
    const corners = (decimal: number) =>
      row('total_corners', 'Over', 'over', { line: 9.5, decimal })
    expect(reasonsOf([corners(1.9), corners(2.1)])).toEqual({ duplicate_selection: 2 })
    expect(reasonsOf([corners(1.9), corners(1.9)])).toEqual({ duplicate_selection: 1 })
  })

  it('leaves out outrights and rows without two sides', () => {
    expect(
      reasonsOf([
        row('outright', 'England', 'outright'),
        row('tournament_winner', 'England', 'other'),
        row('player_assists', 'Lucas Digne', 'over', { line: 0.5, away_team: '' }),
        { ...row('moneyline', 'England', 'home'), odds_decimal: 'x' },
      ]),
    ).toEqual({ outright: 3, malformed_row: 1 })
  })

  it('returns a reason for a text of another shape', () => {
    expect(parseReferenceCsv('a,b\n1\n').skipped[0]?.reason).toBe('malformed_payload')
    expect(parseReferenceCsv('a,b\n1,2\n').skipped[0]?.reason).toBe('malformed_row')
    expect(parseReferenceJson('<html>').skipped[0]?.reason).toBe('malformed_payload')
  })
})

const folder = 'snapshots/sharpapi-sample'

describe.skipIf(!hasSample(folder))('reference sample (needs ../shared)', () => {
  const match = () => parseReferenceCsv(readSample(`${folder}/argentina_england_2026-07-15_b3.csv`))

  it('places or skips each of the 2,932 rows', () => {
    const { records, skipped } = match()
    expect(selectionsOf(records)).toHaveLength(2702)
    expect(countReasons(skipped)).toEqual({
      ambiguous_market: 27,
      ambiguous_selection: 3,
      lay_side: 3,
      mixed_market: 132,
      no_line: 2,
      not_three_way: 2,
      outright: 23,
      unknown_participant: 8,
      unmapped_selection: 30,
    })
    expect(
      readSample(`${folder}/argentina_england_2026-07-15_b3.csv`).trim().split('\n'),
    ).toHaveLength(1 + 2702 + skipped.length)
  })

  it('names no selection twice, and only market types of the registry', () => {
    const { records } = match()
    expect(repeatedSelections(records)).toEqual([])
    const unlisted = selectionsOf(records).filter(({ marketType }) => !findMarket(marketType))
    expect(unlisted).toEqual([])
  })

  it('has a snapshot of each of the 17 sources, oldest first', () => {
    const { records } = match()
    expect(oddsOf(records)).toHaveLength(17)
    expect(oddsOf(records).every(({ mode }) => mode === 'snapshot')).toBe(true)
    const times = records.map(({ observedAt }) => observedAt)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBe(Date.parse('2026-07-13T01:37:00.160Z'))
    const starts = new Map(
      oddsOf(records).map((record) => [record.sportsbook, record.event.startsAt]),
    )
    expect(starts.get('kalshi')).toBe(Date.UTC(2026, 6, 15))
    expect(starts.get('pinnacle')).toBe(Date.UTC(2026, 6, 15, 19))
  })

  it('has the prices of the file', () => {
    const selections = selectionsOf(match().records)
    const priceOf = (sportsbook: string, marketType: string, type: string, line: number | null) =>
      selections.find(
        (row) =>
          row.sportsbook === sportsbook &&
          row.marketType === marketType &&
          row.selectionType === type &&
          row.line === line,
      )?.price
    expect(priceOf('pinnacle', 'moneyline', 'draw', null)).toBe(2.96)
    expect(priceOf('novig', 'moneyline', 'draw', null)).toBe(3.03)
    expect(priceOf('bovada', '1st_half_moneyline', 'home', null)).toBe(3.35)
    expect(priceOf('pinnacle', 'point_spread', 'home', -0.75)).toBe(3.33)
    expect(priceOf('sx_bet', 'total_goals', 'under', 0.5)).toBe(9.2)
    expect(priceOf('hardrock', 'team_total_goals', 'away_over', 2.5)).toBe(6.25)
    expect(priceOf('circa', 'moneyline', 'draw', null)).toBeUndefined()
  })

  it('has complementary lines on the two sides of every spread rung', () => {
    const rungs = oddsOf(match().records)
      .flatMap(({ markets }) => markets)
      .filter(({ marketType }) => findMarket(marketType)?.hasLine)
      .filter(({ selections }) => selections.some(({ selectionType }) => selectionType === 'home'))
    expect(rungs.length).toBeGreaterThan(30)
    for (const { selections } of rungs) {
      const line = (side: string) =>
        selections.find(({ selectionType }) => selectionType === side)?.line
      if (line('away') !== undefined) expect(Number(line('home')) + Number(line('away'))).toBe(0)
    }
  })

  it('reads the outrights file by its labels', () => {
    const { records, skipped } = parseReferenceCsv(
      readSample(`${folder}/worldcup_outrights_and_specials.csv`),
    )
    const futures = records.filter((record) => record.type === 'futures')
    expect(futures).toHaveLength(records.length)
    const reasons = countReasons(skipped)
    const placed = futures.reduce((sum, { prices }) => sum + prices.length, 0)
    expect([placed, reasons]).toEqual([
      421,
      // The two three-way rows are one side each of a bet between two players.
      {
        ambiguous_market: 142,
        lay_side: 8,
        not_three_way: 2,
        outright: 32,
        unknown_selection: 26,
      },
    ])
    expect(placed + skipped.length).toBe(631)
    const sayers = (name: string) =>
      futures
        .filter(({ future }) => future.name === name)
        .map(({ sportsbook, future, prices }) => [sportsbook, future.futureType, prices.length])
    expect([...sayers('Winner'), ...sayers('Outright Winner')].sort()).toEqual([
      ['fanduel', 'TEAM', 4],
      ['ladbrokes', 'TEAM', 4],
      ['polymarket', 'TEAM', 4],
      ['saba', 'TEAM', 4],
    ])
    expect(sayers('Top Goalscorer')).toEqual([
      ['ladbrokes', 'PLAYER', 8],
      ['polymarket', 'PLAYER', 12],
    ])
  })
})
