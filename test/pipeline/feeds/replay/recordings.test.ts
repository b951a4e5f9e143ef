import { statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openRecording } from '../../../../pipeline/feeds/replay/open-recording.ts'
import {
  RecordingError,
  UnsupportedRecordingError,
} from '../../../../pipeline/feeds/replay/recording.ts'
import { createFolder, iso, oddsOf, priceCount, pushLine, readSteps } from './written.ts'

const { folder, write } = createFolder()

const seriesHeader =
  'event_id,sport_key,home_team,away_team,commence_time,bookmaker,last_update,market,outcome_name,price,point,snapshot_utc'

/** Returns a row of a made-up game; `rest` is bookmaker, market, outcome, price, point and snapshot. */
function seriesRow(event: string, rest: readonly string[], sport = 'basketball_nba'): string {
  const [bookmaker, market, outcome, price, point, snapshot] = rest
  const teams = event === 'a' ? 'Utah Jazz,Miami Heat' : 'Boston Celtics,Chicago Bulls'
  return `${event},${sport},${teams},2026-03-04T00:10:00Z,${bookmaker},2026-03-03T20:59:00Z,${market},${outcome},${price},${point},${snapshot}`
}

const moneyline = (event: string, book: string, snapshot: string) =>
  (event === 'a' ? ['Utah Jazz', 'Miami Heat'] : ['Boston Celtics', 'Chicago Bulls']).map((team) =>
    seriesRow(event, [book, 'h2h', team, '1.9', '', snapshot]),
  )

describe('an odds series', () => {
  it('is one snapshot record for each event and sportsbook at each moment', async () => {
    const path = write(
      'series.csv',
      [
        seriesHeader,
        ...moneyline('a', 'tab', '20260303_210000'),
        seriesRow('a', ['tab', 'spreads', 'Utah Jazz', '1.95', '-3.5', '20260303_210000']),
        seriesRow('a', ['tab', 'spreads', 'Miami Heat', '1.85', '3.5', '20260303_210000']),
        ...moneyline('a', 'neds', '20260303_210000'),
        ...moneyline('a', 'tab', '20260304_003000_daily'),
        ...moneyline('a', 'neds', '20260304_003000_daily'),
      ].join('\n'),
    )
    const steps = await readSteps(path)
    expect(steps.map(({ at }) => iso(at))).toEqual([
      '2026-03-03T21:00:00.000Z',
      '2026-03-04T00:30:00.000Z',
    ])
    // Sportsbooks are sorted by key.
    const [, first, third] = oddsOf(steps)
    expect(first).toMatchObject({
      sportsbook: 'tab',
      mode: 'snapshot',
      observedAt: steps[0]?.at,
      event: { externalId: 'a', league: 'nba', homeTeam: 'Utah Jazz', isLive: false },
    })
    expect(first?.markets).toHaveLength(2)
    expect(first?.markets[1]).toMatchObject({
      marketType: 'point_spread',
      selections: [
        { selectionType: 'home', line: -3.5, price: 1.95 },
        { selectionType: 'away', line: 3.5, price: 1.85 },
      ],
    })
    expect(third?.event.isLive).toBe(true)
  })

  it('withdraws a sportsbook that is missing from its event, and no event that is missing', async () => {
    const path = write(
      'gone.csv',
      [
        seriesHeader,
        ...moneyline('a', 'tab', '20260303_210000'),
        ...moneyline('a', 'neds', '20260303_210000'),
        ...moneyline('b', 'tab', '20260303_210000'),
        ...moneyline('a', 'tab', '20260303_220000'),
        ...moneyline('b', 'neds', '20260304_003000'),
      ].join('\n'),
    )
    const [, second = [], third = []] = (await readSteps(path)).map((step) =>
      oddsOf([step]).map(({ sportsbook, observedAt, event, markets }) => [
        event.externalId,
        sportsbook,
        markets.length,
        event.isLive,
        iso(observedAt),
      ]),
    )
    expect(second).toEqual([
      ['a', 'tab', 1, false, '2026-03-03T22:00:00.000Z'],
      ['a', 'neds', 0, false, '2026-03-03T22:00:00.000Z'],
    ])
    // Event b was not read in between. A sportsbook missing from it now is compared with its last read.
    expect(third).toEqual([
      ['b', 'neds', 1, true, '2026-03-04T00:30:00.000Z'],
      ['b', 'tab', 0, true, '2026-03-04T00:30:00.000Z'],
    ])
  })

  it('withdraws a sportsbook whose prices are not available any more', async () => {
    const path = write(
      'unusable.csv',
      [
        seriesHeader,
        ...moneyline('a', 'betfair_ex_au', '20260303_210000'),
        seriesRow('a', ['betfair_ex_au', 'h2h_lay', 'Utah Jazz', '1.9', '', '20260303_220000']),
        seriesRow('a', ['betfair_ex_au', 'h2h', 'Utah Jazz', '1.0', '', '20260303_220000']),
      ].join('\n'),
    )
    const [, last] = await readSteps(path)
    expect(last?.records).toMatchObject([{ sportsbook: 'betfair', markets: [] }])
    expect(last?.skipped.map(({ reason }) => reason).sort()).toEqual(['bad_price', 'lay_side'])
  })

  it('skips rows that are broken, without a time or out of order, and reads the rest', async () => {
    const [home = '', away = ''] = moneyline('a', 'tab', '20260303_210000')
    const path = write(
      'broken.csv',
      [
        seriesHeader,
        home,
        'a,basketball_nba,Utah Jazz',
        seriesRow('a', ['tab', 'h2h', '', '1.9', '', '20260303_210000']),
        seriesRow('a', ['tab', 'spreads', 'Utah Jazz', '1.9', 'about 3', '20260303_210000']),
        seriesRow('a', ['tab', 'spreads', 'Utah Jazz', '1.9', '-3.5', 'yesterday']),
        seriesRow('a', ['tab', 'spreads', 'Utah Jazz', '1.9', '-3.5', '20260302_210000']),
        seriesRow('a', ['tab', 'spreads', 'Utah Jazz', 'evens', '-3.5', '20260303_210000']),
        away,
      ].join('\n'),
    )
    const [step, ...more] = await readSteps(path)
    expect(more).toEqual([])
    expect(priceCount(oddsOf([step!]))).toBe(2)
    expect(step?.skipped.map(({ reason }) => reason).sort()).toEqual([
      'bad_price',
      'malformed_row',
      'malformed_row',
      'malformed_row',
      'no_time',
      'out_of_order',
    ])
    expect(step?.skipped).toContainEqual({ reason: 'malformed_row', detail: 'line 3' })
  })

  it('takes the league from the options or the file name when the rows have none', async () => {
    const text = [seriesHeader, ...moneyline('a', 'tab', '20260303_210000')]
      .join('\n')
      .replaceAll('sport_key,', '')
      .replaceAll('basketball_nba,', '')
    const [step] = await readSteps(write('nba_odds.csv', text))
    expect(step?.records).toMatchObject([{ event: { league: 'nba', sport: 'basketball' } }])
    const unnamed = write('odds.csv', text)
    expect((await readSteps(unnamed, { league: 'NBA' })).length).toBe(1)
    await expect(readSteps(unnamed)).rejects.toThrow(/does not say its league.*\?league=afl/)
    await expect(readSteps(unnamed, { league: 'moon' })).rejects.toThrow(/moon is none we can use/)
  })
})

describe('push records', () => {
  it('are a step for each observed time, late ones where they came', async () => {
    const path = write(
      'push.ndjson',
      [
        pushLine('2026-03-03T21:00:00Z'),
        pushLine('2026-03-03T21:00:00Z'),
        pushLine('2026-03-03T21:05:00Z'),
        pushLine('2026-03-03T21:01:00Z'),
        pushLine('2026-03-03T21:06:00Z'),
      ].join('\n'),
    )
    const steps = await readSteps(path)
    expect(steps.map(({ at, records }) => [iso(at)?.slice(11, 16), records.length])).toEqual([
      ['21:00', 2],
      ['21:05', 2],
      ['21:06', 1],
    ])
  })

  it('name a bad line by code and number, and the rest continues', async () => {
    const lines = [
      '{"type":',
      pushLine('2026-03-03T21:00:00Z'),
      '',
      pushLine('2026-03-03T21:00:00Z', 0.5),
      pushLine('2026-03-03T21:01:00Z'),
    ]
    const path = write('bad.jsonl.gz', gzipSync(lines.join('\r\n')))
    expect((await openRecording(path)).shape).toBe('push records')
    const steps = await readSteps(path)
    expect(oddsOf(steps)).toHaveLength(3)
    const skips = steps.flatMap(({ skipped }) => skipped)
    expect(skips.map(({ reason, detail }) => [reason, detail.split(':')[0]])).toEqual([
      ['invalid_json', 'line 1'],
      ['invalid_price', 'line 4'],
    ])
  })

  it('may be as long as push allows', async () => {
    const markets = Array.from({ length: 400 }, (_, line) => ({
      market_type: 'total_points',
      line,
      external_id: 'x'.repeat(200),
      selections: [{ selection_type: 'over', odds_decimal: 1.9 }],
    }))
    const path = write('long.ndjson', pushLine('2026-03-03T21:00:00Z', 2, { markets }))
    expect(statSync(path).size).toBeGreaterThan(100_000)
    expect(priceCount(oddsOf(await readSteps(path)))).toBe(400)
  })

  it('of the future are refused if the recording keeps its own time', async () => {
    const path = write('future.ndjson', pushLine('2096-03-03T21:00:00Z'))
    const [step] = await readSteps(path, { now: Date.parse('2026-03-03T21:00:00Z') })
    expect(step).toMatchObject({
      at: null,
      records: [],
      skipped: [{ reason: 'observed_in_future' }],
    })
  })
})

describe('a football-data season', () => {
  const header =
    'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,PSH,PSD,PSA,BFDH,BFDD,BFDA,MaxH,P>2.5,P<2.5,AHh,PAHH,PAHA,B365CH,B365CD,B365CA,PSCH,PSCD,PSCA,AHCh,PCAHH,PCAHA,XXH'
  const path = () =>
    write(
      'E1_2223.csv',
      `\uFEFF${header}\r\n` +
        'E1,27/08/2022,15:00,Cardiff,Preston,0,0,D,2.3,3.2,3.4,2.36,3.25,3.5,2.25,3.2,3.3,2.4,2.5,1.6,-0.25,2.02,1.89,2.4,3.1,3.3,,,,,1.9,2.0,9\r\n',
    )

  it('is early prices, closing prices and a result', async () => {
    const steps = await readSteps(path())
    expect(steps.map(({ at }) => iso(at))).toEqual([
      '2022-08-25T14:00:00.000Z',
      '2022-08-27T13:59:00.000Z',
      '2022-08-27T16:00:00.000Z',
    ])
    const [early = [], closing = []] = steps.map((step) => oddsOf([step]))
    expect(early.map(({ sportsbook }) => sportsbook)).toEqual(['bet365', 'pinnacle', 'betfred'])
    expect(early[1]).toMatchObject({
      event: { league: 'england_-_championship', homeTeam: 'Cardiff', awayTeam: 'Preston' },
      markets: [
        {
          marketType: 'moneyline',
          selections: [
            { selectionType: 'home', price: 2.36 },
            { selectionType: 'draw', price: 3.25 },
            { selectionType: 'away', price: 3.5 },
          ],
        },
        {
          marketType: 'total_goals',
          line: 2.5,
          selections: [
            { selectionType: 'over', price: 2.5 },
            { selectionType: 'under', price: 1.6 },
          ],
        },
        {
          marketType: 'point_spread',
          selections: [
            { selectionType: 'home', line: -0.25, price: 2.02 },
            { selectionType: 'away', line: 0.25, price: 1.89 },
          ],
        },
      ],
    })
    // Pinnacle has no usable price at the close. The file has no column of Betfred's.
    expect(closing.map(({ sportsbook, markets }) => [sportsbook, markets.length])).toEqual([
      ['bet365', 1],
      ['pinnacle', 0],
    ])
    expect(steps[2]?.records).toMatchObject([
      { type: 'game_state', state: { home_score: 0, away_score: 0, game_period: 'final' } },
      { type: 'event_status', status: 'final' },
    ])
  })

  it('skips columns without a sportsbook or a line, and unknown ones', async () => {
    const skips = (await readSteps(path())).flatMap(({ skipped }) => skipped)
    expect(skips.map(({ reason }) => reason).sort()).toEqual([
      'no_line',
      'no_line',
      'not_a_sportsbook',
      'unmapped_column',
    ])
  })

  it('skips every price of a match that cannot be identified', async () => {
    const text =
      'Div,Date,Time,HomeTeam,AwayTeam,FTR,B365H,B365D,B365A\n' +
      'XX,27/08/2022,15:00,Cardiff,Preston,D,2.3,3.2,3.4\n' +
      'E1,27/13/22,15:00,Cardiff,Preston,D,2.3,3.2,3.4\n'
    const [step, ...more] = await readSteps(write('lost.csv', text))
    expect(more).toEqual([])
    expect(step?.at).toBeNull()
    expect(step?.skipped.map(({ reason }) => reason)).toEqual([
      ...Array(3).fill('unknown_league'),
      ...Array(3).fill('bad_start'),
    ])
  })

  it('is read for the years before 2019: no time, two-digit years, closes of Pinnacle alone', async () => {
    const text =
      'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HFKC,B365H,B365D,B365A,GBH,GBD,GBA,GBAHH,GBAHA,GBAH,BbAHh,BbMxAHH,BbAvAHH,BbMx>2.5,PSCH,PSCD,PSCA\n' +
      'E0,11/08/17,Arsenal,Leicester,4,3,H,9,1.53,4.5,6.5,1.5,4.4,6.4,1.95,1.9,-1,-1,1.91,1.9,1.6,1.49,4.73,7.25\n' +
      'E0,12/08/17,Watford,Liverpool,3,3,D,,6.5,4,1.57,,,,,,,1,1.95,1.9,1.6,6.95,4.1,1.58,,\n' +
      ',,,,,,,,,,,,,,,,,,,,,,,\n'
    const steps = await readSteps(write('E0_1718.csv', text))
    expect(steps.map(({ at }) => iso(at))).toEqual([
      '2017-08-09T14:00:00.000Z',
      '2017-08-10T14:00:00.000Z',
      '2017-08-11T13:59:00.000Z',
      '2017-08-11T16:00:00.000Z',
      '2017-08-12T13:59:00.000Z',
      '2017-08-12T16:00:00.000Z',
    ])
    const [early = [], , closing = []] = steps.map((step) => oddsOf([step]))
    expect(early.map(({ sportsbook }) => sportsbook)).toEqual(['bet365', 'gamebookers'])
    expect(early[1]?.markets[1]).toMatchObject({
      marketType: 'point_spread',
      selections: [
        { selectionType: 'home', line: -1, price: 1.95 },
        { selectionType: 'away', line: 1, price: 1.9 },
      ],
    })
    // Bet365 has not withdrawn: the file has none of its closes.
    expect(closing.map(({ sportsbook }) => sportsbook)).toEqual(['pinnacle'])
    const skips = steps.flatMap(({ skipped }) => skipped)
    expect(new Set(skips.map(({ reason }) => reason))).toEqual(new Set(['not_a_sportsbook']))
  })

  it.each(['27/08/2022', '27/08/22', '2022-08-27'])('takes the date %s', async (date) => {
    const text =
      'Div,Date,Time,HomeTeam,AwayTeam,FTR,B365H,B365D,B365A\n' +
      `E1,${date},15:00,Cardiff,Preston,D,2.3,3.2,3.4\n`
    const [early] = await readSteps(write('dated.csv', text))
    expect(iso(early?.at)).toBe('2022-08-25T14:00:00.000Z')
  })

  it.each([
    ['PH,PD,PA,MaxH,MaxD,MaxA,AvgH,AvgD,AvgA', '2.1,3.4,3.6,2.2,3.5,3.7,2.0,3.3,3.5'],
    ['PSCH,PSCD,PSCA,MaxCH,MaxCD,MaxCA,AvgCH,AvgCD,AvgCA', '2.1,3.4,3.6,2.2,3.5,3.7,2.0,3.3,3.5'],
  ])('is read for an extra league: prices at the close (%s)', async (columns, prices) => {
    const text =
      `Country,League,Season,Date,Time,Home,Away,HG,AG,Res,${columns}\n` +
      `Brazil,Serie A ,2012,19/05/2012,22:30,Palmeiras,Portuguesa,1,1,D,${prices}\n` +
      `Brazil,Serie A ,2012,20/05/12,,Sport Recife,Flamengo RJ,1,1,,${prices}\n`
    const steps = await readSteps(write('BRA.csv', text))
    expect(steps.map(({ at }) => iso(at))).toEqual([
      '2012-05-19T21:29:00.000Z',
      '2012-05-19T23:30:00.000Z',
      '2012-05-20T13:59:00.000Z',
    ])
    expect(steps[0]?.records).toMatchObject([
      { sportsbook: 'pinnacle', event: { league: 'brazil_-_serie_a', homeTeam: 'Palmeiras' } },
    ])
    expect(oddsOf([steps[0]!])[0]?.markets[0]?.selections.map(({ price }) => price)).toEqual([
      2.1, 3.4, 3.6,
    ])
    const skips = steps.flatMap(({ skipped }) => skipped)
    expect(new Set(skips.map(({ reason }) => reason))).toEqual(new Set(['not_a_sportsbook']))
  })

  it('is a fixtures file without results, read at the time in its name', async () => {
    const text =
      'Div,Date,Time,HomeTeam,AwayTeam,B365H,B365D,B365A\n' +
      'E1,31/01/2026,15:00,Cardiff,Preston,2.3,3.2,3.4\n' +
      'E1,27/01/2026,15:00,Stoke,Hull,2.3,3.2,3.4\n'
    const [step, ...more] = await readSteps(write('fixtures_20260129T090739Z.csv', text))
    expect(more).toEqual([])
    expect(iso(step?.at)).toBe('2026-01-29T09:07:39.000Z')
    expect(step?.records).toMatchObject([{ event: { homeTeam: 'Cardiff', isLive: false } }])
    expect(step?.skipped.map(({ reason }) => reason)).toEqual(Array(3).fill('already_started'))
    await expect(readSteps(write('fixtures.csv', text))).rejects.toThrow(/when they were read/)
  })
})

describe('a multibook season', () => {
  it('is a record for each game and sportsbook, the visitor with the lower rotation', async () => {
    const text = [
      'game_id,season,week,team,date,time,score,outcome,rotation,opening_moneyline,9_moneyline,20_moneyline,20_spread,20_spread_odds,20_total,20_total_odds',
      '7,2023,1,N.Y. Jets,Mon 9/11,8:15 PM,22,FINAL OT,482,127.0,120.0,118.0,2.5,-108.0,44.5,-103.0',
      '7,2023,1,Buffalo,Mon 9/11,8:15 PM,16,FINAL OT,481,-147.0,,-131.0,-2.5,-102.0,44.5,-109.0',
    ].join('\n')
    const [lines, result] = await readSteps(write('nfl.csv', text))
    expect(iso(lines?.at)).toBe('2023-09-12T00:14:00.000Z')
    expect(oddsOf([lines!]).map(({ sportsbook }) => sportsbook)).toEqual(['book_9', 'pinnacle'])
    expect(oddsOf([lines!])[1]).toMatchObject({
      event: { league: 'nfl', homeTeam: 'N.Y. Jets', awayTeam: 'Buffalo' },
      markets: [
        {
          marketType: 'moneyline',
          selections: [{ price: 2.18 }, { selectionType: 'away' }],
        },
        {
          marketType: 'point_spread',
          selections: [
            { selectionType: 'home', line: 2.5 },
            { selectionType: 'away', line: -2.5 },
          ],
        },
        {
          marketType: 'total_points',
          line: 44.5,
          selections: [
            { selectionType: 'under', price: 1 + 100 / 103 },
            { selectionType: 'over', price: 1 + 100 / 109 },
          ],
        },
      ],
    })
    expect(lines?.skipped.map(({ reason }) => reason)).toEqual(Array(2).fill('unknown_sportsbook'))
    expect(result?.records).toMatchObject([
      { type: 'game_state', state: { home_score: 22, away_score: 16, game_period: 'final' } },
      { type: 'event_status', status: 'final' },
    ])
  })
})

describe('the shares of bets of a multibook season', () => {
  it('are splits of the consensus, the visitor having the share of over', async () => {
    const text = [
      'game_id,season,week,team,date,time,outcome,rotation,opening_moneyline,20_moneyline,moneyline_bet_pct,moneyline_dollar_pct,spread_bet_pct,total_bet_pct',
      '7,2023,1,N.Y. Jets,Mon 9/11,8:15 PM,FINAL,482,,118.0,47.13,1890.0,0.0,30.5',
      '7,2023,1,Buffalo,Mon 9/11,8:15 PM,FINAL,481,,-131.0,52.87,2120.0,0.0,60.5',
    ].join('\n')
    const [lines] = await readSteps(write('nfl-shares.csv', text))
    expect(lines?.records.filter(({ type }) => type === 'splits')).toMatchObject([
      {
        sportsbook: 'consensus',
        observedAt: lines?.at,
        event: { homeTeam: 'N.Y. Jets', awayTeam: 'Buffalo' },
        moneyline: { bets: [0.5287, 0.4713], handle: null, awayPrice: null },
        // Two zeros mean unknown.
        spread: null,
        // These shares do not sum to the whole.
        total: null,
      },
    ])
    expect(lines?.skipped).toMatchObject([{ reason: 'bad_shares' }])
  })
})

describe('a file of game lines', () => {
  it('is the same snapshots in American odds', async () => {
    const text = [
      'sport,snapshot_label,snapshot_taken_at_utc,game_id,commence_time,home_team,away_team,bookmaker,ml_home,ml_away,spread_home,spread_home_odds,spread_away,spread_away_odds,total_line,total_over_odds,total_under_odds',
      'NHL,daily,,g,2026-01-11T00:10:00Z,Carolina Hurricanes,Seattle Kraken,betmgm,-300,240,,,,,,,',
      'NHL,open,2026-01-10T17:00:00Z,g,2026-01-11T00:10:00Z,Carolina Hurricanes,Seattle Kraken,betmgm,-300,240,-1.5,-115,1.5,-105,6.0,-115,',
    ].join('\n')
    const [step, ...more] = await readSteps(write('lines.csv', text))
    expect(more).toEqual([])
    expect(step?.skipped.map(({ reason }) => reason)).toEqual(['no_time', 'no_time'])
    expect(step?.records).toMatchObject([
      {
        sportsbook: 'betmgm',
        event: { league: 'nhl', sport: 'hockey' },
        markets: [
          { marketType: 'moneyline', selections: [{ price: 1 + 100 / 300 }, { price: 3.4 }] },
          { marketType: 'puck_line' },
          { marketType: 'total_goals', line: 6, selections: [{ selectionType: 'over' }] },
        ],
      },
    ])
  })
})

describe('reference rows', () => {
  const row = {
    id: '1',
    sportsbook: 'bet365',
    event_id: 'e',
    sport: 'basketball',
    league: 'nba',
    home_team: 'Utah Jazz',
    away_team: 'Miami Heat',
    market_type: 'moneyline',
    selection: 'Utah Jazz',
    selection_type: 'home',
    odds_american: -110,
    odds_decimal: 1.91,
    line: null,
    event_start_time: '2026-03-04T00:10:00Z',
    is_live: false,
    timestamp: '2026-03-03T21:00:00Z',
  }
  const away = { ...row, id: '2', selection: 'Miami Heat', selection_type: 'away' }

  it('are read as JSON too, a step for each moment', async () => {
    const later = [row, away].map((one) => ({
      ...one,
      sportsbook: 'pinnacle',
      timestamp: '2026-03-03T21:00:05Z',
    }))
    const path = write('rows.json', JSON.stringify({ data: [row, away, ...later] }))
    const steps = await readSteps(path)
    expect(steps.map(({ at, records }) => [iso(at)?.slice(11, 19), records.length])).toEqual([
      ['21:00:00', 1],
      ['21:00:05', 1],
    ])
  })

  it('are refused where they are one page of several, whose other prices would be withdrawn', async () => {
    const page = (has_more: boolean) =>
      JSON.stringify({ data: [row, away], pagination: { limit: 2, count: 2, has_more } })
    const opening = openRecording(write('page.json', page(true)))
    await expect(opening).rejects.toThrow(/page\.json is one page of several.*the guide replay/)
    // In a directory this kind would be left out, as a gap in the recording.
    await expect(opening).rejects.not.toBeInstanceOf(UnsupportedRecordingError)
    expect(oddsOf(await readSteps(write('whole.json', page(false))))).toHaveLength(1)
  })
})

describe('a file that is no recording', () => {
  it.each([
    ['notes.md', '# Notes\nabout, this'],
    ['empty.csv', ''],
    ['other.json', '{"games": []}'],
    ['broken.json', '[{"id": 1'],
    ['stream.jsonl', '{"op":"mcm","id":1}\n{"op":"mcm","id":2}\n'],
    ['table.csv', 'Div,Date,HomeTeam,AwayTeam\nE0,10/08/2025 15:00,Arsenal,Leeds\n'],
  ])('is refused with advice: %s', async (name, text) => {
    const opening = openRecording(write(`unknown/${name}`, text))
    await expect(opening).rejects.toThrow(UnsupportedRecordingError)
    await expect(opening).rejects.toThrow(
      /not a recording of a known shape.*push records.*odds series.*reference rows.*football-data season/,
    )
  })

  it.each([
    ['blank.csv', '\n \n', '(it is empty)'],
    ['quotes.csv', '"a,b\n', '(its first line has no names of columns)'],
    ['table.csv', 'Div,Date\n', '(columns Div, Date)'],
  ])('is refused with what is in it: %s', async (name, text, found) => {
    await expect(openRecording(write(`content/${name}`, text))).rejects.toThrow(found)
  })

  it.each([
    ['changes.csv', 'event_id,event_start_time,id,sportsbook,at,odds_decimal,changed\n'],
    ['changes.ndjson', '{"event_id":"a","event_start_time":"x","at":"y","changed":"price"}\n{}\n'],
    ['closes.csv', 'event_id,event_start_time,id,captured_at,priced_at\n'],
    ['changes.parquet', 'PAR1\u0015\u0004'],
  ])('of an export of history says what can be replayed instead: %s', async (name, text) => {
    const opening = openRecording(write(`exports/${name}`, text))
    await expect(opening).rejects.toThrow(UnsupportedRecordingError)
    await expect(opening).rejects.toThrow(/is an export of history.*save answers of GET \/odds/)
  })

  it('is named when it cannot be read', async () => {
    await expect(openRecording(`${folder}/nowhere.csv`)).rejects.toThrow(
      /nowhere\.csv cannot be read: ENOENT/,
    )
    await expect(openRecording(`${folder}/nowhere.csv`)).rejects.toThrow(RecordingError)
  })

  it('is named when it ends in the middle', async () => {
    const whole = gzipSync(
      [
        seriesHeader,
        ...Array(500)
          .fill(moneyline('a', 'tab', '20260303_210000'))
          .flat(),
      ].join('\n'),
    )
    const cut = write('cut.csv.gz', whole.subarray(0, whole.length - 20))
    await expect(readSteps(cut)).rejects.toThrow(/cut\.csv\.gz cannot be read/)
    const lines = gzipSync(Array(500).fill(pushLine('2026-03-03T21:00:00Z')).join('\n'))
    const cutLines = write('cut.ndjson.gz', lines.subarray(0, lines.length - 9))
    await expect(readSteps(cutLines)).rejects.toThrow(/cut\.ndjson\.gz cannot be read/)
  })

  it('is named when it only looks compressed', async () => {
    const path = write('dressed.csv.gz', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4]))
    await expect(openRecording(path)).rejects.toThrow(/dressed\.csv\.gz cannot be read/)
  })
})
