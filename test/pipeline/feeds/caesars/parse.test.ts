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

const skipReason = (...given: Parameters<typeof page>) =>
  parseCaesars(page(...given), observedAt).skipped[0]?.reason

describe('Caesars parser', () => {
  it('plays "at" the second team and "vs" at the first', () => {
    const market = { selections: [selection('home', '|H|')] }
    const eventOf = (name: string) =>
      oddsOf(parseCaesars(page(market, { name }), observedAt).records)[0]?.event
    expect(eventOf('|A| |at| |H|')).toMatchObject({ homeTeam: 'H', awayTeam: 'A' })
    expect(eventOf('|H| |vs| |A|')).toMatchObject({ homeTeam: 'H', awayTeam: 'A' })
  })

  it('turns the home line over for the away side', () => {
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

  it('prices by the American form, and keeps what is not to be had now as suspended', () => {
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

describe.skipIf(!hasSample('feeds/caesars'))('Caesars samples (needs ../shared)', () => {
  const countPrices = (sample: unknown) =>
    countObjects(sample, (object) => 'a' in object && 'd' in object && 'f' in object)

  it('reads the pitching tab of a baseball game', () => {
    const sample = readJsonSample('feeds/caesars/mlb_event_phi_sd_2025-07-13.json')
    const { records, skipped } = parseCaesars(sample, observedAt)
    const selections = selectionsOf(records)
    expect(selections).toHaveLength(40)
    // The ladder repeats the rung of each two-sided line, at another price for three of the four.
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
    // Of "5+" at -140 and "Over 4.5" at -142 the two-sided market's stays.
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
