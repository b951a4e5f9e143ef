import { describe, expect, it } from 'vitest'
import { parseCaesars } from '../../../../pipeline/feeds/caesars/parse.ts'
import {
  countObjects,
  countReasons,
  hasSample,
  oddsOf,
  readJsonSample,
  repeatedSelections,
  selectionsOf,
} from '../feed-samples.ts'

const observedAt = Date.parse('2025-07-13T16:00:00Z')

const selection = (type: string, name: string, parts: Record<string, unknown> = {}) => ({
  id: `${type}-${name}`,
  name,
  type,
  active: true,
  price: { a: -110, d: 1.9, f: '10/11' },
  ...parts,
})

const page = (market: Record<string, unknown>, event: Record<string, unknown> = {}) => ({
  id: 'e',
  name: '|A| |at| |H|',
  startTime: '2025-07-13T20:10:00Z',
  type: 'MATCH',
  sportId: 'baseball',
  competitionName: 'MLB',
  active: true,
  started: false,
  markets: [{ id: 'm', name: '|Money Line|', active: true, selections: [], ...market }],
  ...event,
})

const skipReason = (...parts: Parameters<typeof page>) =>
  parseCaesars(page(...parts), observedAt).skipped[0]?.reason

describe('Caesars parser', () => {
  it('plays "at" the second team and "vs" at the first', () => {
    const market = { selections: [selection('home', '|H|')] }
    const eventOf = (name: string) =>
      oddsOf(parseCaesars(page(market, { name }), observedAt).records)[0]?.event
    expect(eventOf('|A| |at| |H|')).toMatchObject({ homeTeam: 'H', awayTeam: 'A' })
    expect(eventOf('|H| |vs| |A|')).toMatchObject({ homeTeam: 'H', awayTeam: 'A' })
  })

  it('negates the home line for the away side', () => {
    const market = {
      name: '|Run Line|',
      line: 1.5,
      selections: [selection('away', '|A|'), selection('home', '|H|')],
    }
    expect(selectionsOf(parseCaesars(page(market), observedAt).records)).toMatchObject([
      { marketType: 'run_line', selectionType: 'away', line: -1.5 },
      { marketType: 'run_line', selectionType: 'home', line: 1.5 },
    ])
  })

  it('prices by the American format, and keeps unavailable prices as suspended', () => {
    const market = {
      selections: [
        selection('home', '|H|', { price: { a: -124, d: 1.8 } }),
        selection('away', '|A|', { active: false, price: null }),
      ],
    }
    expect(selectionsOf(parseCaesars(page(market), observedAt).records)).toMatchObject([
      { selectionType: 'home', price: 1 + 100 / 124, suspended: false },
      { selectionType: 'away', price: null, suspended: true },
    ])
    const closed = parseCaesars(page({ ...market, active: false }), observedAt)
    expect(oddsOf(closed.records)[0]?.markets).toMatchObject([{ suspended: true }])
  })

  it('names what it cannot place', () => {
    const home = [selection('home', '|H|')]
    expect(skipReason({ name: '|Race To 3|', selections: home })).toBe('unmapped_market')
    expect(skipReason({ selections: home, metadata: { period: 'FIRST_HALF' } })).toBe(
      'unmapped_period',
    )
    expect(skipReason({ selections: [selection('home', '|A|')] })).toBe('unknown_participant')
    expect(skipReason({ name: '|Run Line|', selections: home })).toBe('no_line')
    expect(skipReason({ selections: [selection('home', '|H|', { price: null })] })).toBe('no_price')
    expect(skipReason({ selections: [selection('home', '|H|', { price: { a: 0 } })] })).toBe(
      'bad_price',
    )
    expect(skipReason({ selections: home }, { type: 'OUTRIGHT' })).toBe('outright')
    expect(skipReason({ selections: home }, { sportId: 'chess' })).toBe('unknown_sport')
    expect(skipReason({ movingLines: { linePrices: [{}] } })).toBe('unmapped_line')
    expect(parseCaesars(null, observedAt).skipped[0]?.reason).toBe('malformed_payload')
  })
})

describe('Caesars markets of other sports', () => {
  const winner = [selection('away', '|A|'), selection('home', '|H|')]
  const tied = [...winner, selection('draw', '|Tie|')]
  const overs = [selection('over', '|Over|'), selection('under', '|Under|')]
  const read = (
    sportId: string,
    name: string,
    period: string | null,
    selections: object[],
    line?: number,
  ) => {
    const { records, skipped } = parseCaesars(
      page(
        {
          name,
          selections,
          ...(period && { metadata: { period } }),
          ...(line !== undefined && { line }),
        },
        { sportId, competitionName: 'A League' },
      ),
      observedAt,
    )
    const rows = selectionsOf(records)
    return rows.length > 0
      ? [...new Set(rows.map(({ marketType }) => marketType))].join()
      : `${skipped[0]?.reason}: ${skipped[0]?.label}`
  }

  it.each([
    ['americanfootball', '|Spread|', 'MATCH_INC_OT', winner, -9, 'point_spread'],
    ['americanfootball', '|Match Spread|', 'MATCH_INC_OT', winner, -9, 'point_spread'],
    ['americanfootball', '|Money Line|', 'MATCH_INC_OT', winner, undefined, 'moneyline'],
    ['americanfootball', '|Total Points|', 'MATCH_INC_OT', overs, 49, 'total_points'],
    ['americanfootball', '|1st Half Spread|', 'FIRST_HALF', winner, -4.5, '1st_half_point_spread'],
    [
      'americanfootball',
      '|1st Half Money Line|',
      'FIRST_HALF',
      tied,
      undefined,
      '1st_half_moneyline_3-way',
    ],
    [
      'americanfootball',
      '|1st Half Money Line|',
      'FIRST_HALF',
      winner,
      undefined,
      '1st_half_moneyline',
    ],
    ['americanfootball', '|2nd Half Spread (Inc. OT)|', null, winner, -3, '2nd_half_point_spread'],
    [
      'americanfootball',
      '|1st Quarter Total Points|',
      null,
      overs,
      9.5,
      '1st_quarter_total_points',
    ],
    ['americanfootball', '|H Total Points|', 'MATCH_INC_OT', overs, 24.5, 'team_total'],
    ['americanfootball', '|Total Away Points|', 'MATCH_INC_OT', overs, 20.5, 'team_total'],
    ['basketball', '|Spread|', 'MATCH_INC_OT', winner, -3.5, 'point_spread'],
    ['basketball', '|1st Half Betting|', 'FIRST_HALF', tied, undefined, '1st_half_moneyline_3-way'],
    ['icehockey', '|Puck Line|', 'MATCH_INC_OT', winner, -1.5, 'puck_line'],
    ['icehockey', '|Total Goals|', 'MATCH_INC_OT', overs, 6.5, 'total_goals'],
    ['icehockey', '|Money Line|', 'MATCH', tied, undefined, 'moneyline_3-way'],
    [
      'icehockey',
      '|1st Period Money Line|',
      'FIRST_PERIOD',
      tied,
      undefined,
      '1st_period_moneyline_3-way',
    ],
    ['baseball', '|Run Line|', 'MATCH_INC_OT', winner, -1.5, 'run_line'],
    ['baseball', '|Total Home Runs|', 'MATCH_INC_OT', overs, 1.5, 'total_home_runs'],
    ['baseball', '|Total Away Runs|', 'MATCH_INC_OT', overs, 4.5, 'team_total_runs'],
    [
      'baseball',
      '|1st 5 Innings Money Line|',
      null,
      tied,
      undefined,
      '1st_5_innings_moneyline_3-way',
    ],
    ['tennis', '|Match Betting|', 'MATCH', winner, undefined, 'moneyline'],
    ['tennis', '|Total Games|', 'MATCH', overs, 22.5, 'total_games'],
    ['tennis', '|Set 1 Winner|', null, winner, undefined, '1st_set_moneyline'],
    ['football', '|Draw No Bet|', 'MATCH', winner, undefined, 'draw_no_bet'],
    ['football', '|1st Half Total Goals|', 'FIRST_HALF', overs, 1.5, '1st_half_total_goals'],
    ['icehockey', '|Puck Line|', 'MATCH', winner, -1.5, 'unmapped_period: MATCH'],
    ['icehockey', '|Money Line|', 'MATCH', winner, undefined, 'unmapped_period: MATCH'],
    [
      'americanfootball',
      '|Money Line|',
      'OVERTIME',
      winner,
      undefined,
      'unmapped_period: OVERTIME',
    ],
    [
      'americanfootball',
      '|1st Half Spread|',
      'SECOND_HALF',
      winner,
      -4.5,
      'unmapped_period: SECOND_HALF',
    ],
    ['basketball', '|Spread|', 'MATCH_INC_OT', tied, -3, 'unmapped_market: Spread'],
    ['tennis', '|Handicap|', 'MATCH', winner, -1.5, 'unmapped_market: Handicap'],
    ['basketball', '|A Player - Total Dunks|', null, overs, 1.5, 'unmapped_market: Total Dunks'],
  ] as const)('%s %s of %s is read', (sportId, name, period, selections, line, expected) => {
    expect(read(sportId, name, period, [...selections], line)).toBe(expected)
  })

  it('gives a side its total', () => {
    const { records } = parseCaesars(
      page({ name: '|A Total Points|', line: 20.5, selections: overs }, { sportId: 'basketball' }),
      observedAt,
    )
    expect(selectionsOf(records)).toMatchObject([
      { marketType: 'team_total', selectionType: 'away_over', line: 20.5 },
      { marketType: 'team_total', selectionType: 'away_under', line: 20.5 },
    ])
  })
})

describe.skipIf(!hasSample('feeds/caesars'))('Caesars samples (needs ../shared)', () => {
  const countPrices = (sample: unknown) =>
    countObjects(sample, (object) => 'a' in object && 'd' in object && 'f' in object)

  it('reads the pitching tab of a baseball game', () => {
    const sample = readJsonSample('feeds/caesars/mlb_event_phi_sd_2025-07-13.json')
    const { records, skipped } = parseCaesars(sample, observedAt)
    const selections = selectionsOf(records)
    expect(selections).toHaveLength(40)
    // The ladder repeats the rung of each two-sided line, at another price for three of four.
    expect(countReasons(skipped)).toEqual({ unmapped_market: 6, duplicate_selection: 4 })
    expect(countPrices(sample)).toBe(50)
    expect(repeatedSelections(records)).toEqual([])
    expect(oddsOf(records)[0]).toMatchObject({
      mode: 'delta',
      event: {
        externalId: '4b561110-6793-4d77-9508-fb9c1f315a42',
        sport: 'baseball',
        league: 'MLB',
        homeTeam: 'San Diego Padres',
        awayTeam: 'Philadelphia Phillies',
        startsAt: Date.UTC(2025, 6, 13, 20, 10),
      },
    })
    const find = (marketType: string, player: string, type: string, line: number) =>
      selections.find(
        (row) =>
          row.marketType === marketType &&
          row.playerName === player &&
          row.selectionType === type &&
          row.line === line,
      )
    expect(find('player_strikeouts', 'Cristopher Sanchez', 'over', 2.5)).toMatchObject({
      price: 1 + 100 / 1500,
      statCategory: 'strikeouts',
      externalId: '8e1984b5-1009-39b3-a957-f38f49fb0f56',
    })
    // Of "5+" at -140 and "Over 4.5" at -142, the two-sided market's price is kept.
    expect(find('player_strikeouts', 'Cristopher Sanchez', 'over', 4.5)?.price).toBe(1 + 100 / 142)
    expect(find('player_strikeouts', 'Cristopher Sanchez', 'under', 4.5)?.price).toBe(2.04)
    expect(find('player_outs_recorded', 'Nick Pivetta', 'over', 17.5)?.price).toBe(1 + 100 / 113)
    expect(find('player_earned_runs', 'Nick Pivetta', 'under', 2.5)?.price).toBe(1 + 100 / 154)
    expect(find('player_hits_allowed', 'Nick Pivetta', 'over', 8.5)?.price).toBe(12)
  })

  it('reads the main tab of a soccer match', () => {
    const sample = readJsonSample('feeds/caesars/soccer_event_2025-03-12.json')
    const { records, skipped } = parseCaesars(sample, observedAt)
    const selections = selectionsOf(records)
    expect(selections).toHaveLength(73)
    expect(countReasons(skipped)).toEqual({ duplicate_selection: 2 })
    expect(countPrices(sample)).toBe(75)
    expect(repeatedSelections(records)).toEqual([])
    expect(oddsOf(records)[0]?.event).toMatchObject({
      sport: 'soccer',
      league: 'South African Premier League',
      homeTeam: 'Kaizer Chiefs',
      awayTeam: 'Cape Town City',
    })
    const find = (marketType: string, selectionType: string, line: number | null = null) =>
      selections.find(
        (row) =>
          row.marketType === marketType && row.selectionType === selectionType && row.line === line,
      )
    expect(find('moneyline', 'home')?.price).toBe(1 + 100 / 124)
    expect(find('moneyline', 'draw')?.price).toBe(3.15)
    expect(find('point_spread', 'home', -0.5)?.price).toBe(1 + 100 / 120)
    expect(find('point_spread', 'away', 0.5)?.price).toBe(1 + 100 / 110)
    expect(find('total_goals', 'over', 2.5)?.price).toBe(2.35)
    expect(find('total_goals', 'under', 5.5)?.price).toBe(1 + 100 / 6000)
    expect(find('1st_half_moneyline', 'draw')?.price).toBe(1 + 100 / 103)
    expect(find('2nd_half_moneyline', 'away')?.price).toBe(4.7)
    expect(find('both_teams_to_score', 'no')?.price).toBe(1 + 100 / 140)
    expect(find('match_result_both_teams_to_score', 'away_yes')?.price).toBe(10)
    // "Cape Town City 1-0" is 0-1 from the home side's view.
    expect(find('correct_score', '0_1')).toMatchObject({ selection: '0-1', price: 9.5 })
  })

  it.each(['20250715T0328Z', '20250715T1459Z', '20250715T1811Z'])(
    'reads the pitchers of the all-star game at %s',
    (moment) => {
      const sample = readJsonSample(
        `feeds/crossbook/mlb_allstar_2025-07-16/${moment}/caesars_event.json`,
      )
      const { records, skipped } = parseCaesars(sample, observedAt)
      expect(selectionsOf(records)).toHaveLength(4)
      expect(countReasons(skipped)).toEqual({ unmapped_market: 6 })
      expect(countPrices(sample)).toBe(10)
      expect(new Set(selectionsOf(records).map(({ playerName }) => playerName))).toEqual(
        new Set(['Paul Skenes', 'Tarik Skubal']),
      )
      expect(oddsOf(records)[0]?.event).toMatchObject({
        homeTeam: 'National League',
        awayTeam: 'American League',
      })
    },
  )
})
