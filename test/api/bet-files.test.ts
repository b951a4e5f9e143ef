/** Bet files as sportsbooks, trackers and people export them: fields read from each line, refusals by name. */

import { describe, expect, it, test } from 'vitest'
import { csvOf, writeCsv } from '../../api/bets/bet-answers.ts'
import { isRejection, readBets } from '../../api/bets/stated-bets.ts'
import type { TableOptions } from '../../api/bets/table/formats.ts'
import words from '../../api/bets/table/import-words.json' with { type: 'json' }
import { createDatesSeen, readTime } from '../../api/bets/table/local-time.ts'
import { returnOf } from '../../pipeline/rules/bets/settle-bet.ts'
import { americanToDecimal, isPrice } from '../../pipeline/rules/odds/odds.ts'
import { betOutcomes } from '../../schemas/bet.ts'
import { betColumns } from '../../schemas/http/bets/files.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const now = Date.parse('2026-12-01T00:00:00Z')

const unstated: TableOptions = {
  ...{ decimal: null, dateOrder: null, timeZone: null, oddsFormat: null },
  ...{ sportsbook: null, league: null, ignoresOthers: false },
}

function read(text: string, options: Partial<TableOptions> = {}) {
  const lines = []
  for (const one of readBets(Buffer.from(text), { ...unstated, ...options }, now)) {
    if (one === null) continue
    const { stated } = one
    if (isRejection(stated)) lines.push(stated.code)
    else {
      const { statement, verdict } = stated
      const { event } = statement
      lines.push({
        ...statement,
        at: new Date(statement.placedAt).toISOString(),
        starts: new Date(event.startsAt!).toISOString(),
        event,
        verdict,
      })
    }
  }
  return lines
}

describe('an export of', () => {
  it('a US sportsbook: one column for the event, American odds, dollars, results', () => {
    const text = [
      'Bet ID,Date Placed,Event,Event Date,League,Market,Pick,Odds,Risk,Status,Payout',
      '91,11/20/2026 7:30 PM,Brooklyn Nets @ New York Knicks,11/20/2026,NBA,Spread,New York Knicks -4.5,-110,$55.00,Won,$105.00',
      '92,11/21/2026 1:05 PM,Chicago Bulls @ Boston Celtics,11/21/2026,NBA,Total,Over 215.5,EVEN,"$1,100.00",Lost,$0.00',
      '93,11/22/2026 1:05 PM,Chicago Bulls @ Boston Celtics,11/22/2026,NBA,Moneyline,Chicago Bulls,"+1,200",20,Pending,',
    ].join('\n')
    expect(read(text, { sportsbook: 'DraftKings', timeZone: 'America/New_York' })).toMatchObject([
      {
        reference: '91',
        at: '2026-11-21T00:30:00.000Z',
        event: { homeTeam: 'New York Knicks', awayTeam: 'Brooklyn Nets', isDay: true },
        ...{ selection: 'New York Knicks', line: -4.5, price: 1 + 100 / 110, stake: 55 },
        sportsbook: 'draftkings',
        verdict: { outcome: 'won', returned: 105 },
      },
      { selection: 'Over', line: 215.5, price: 2, stake: 1100, verdict: { outcome: 'lost' } },
      { price: 13, stake: 20, verdict: null },
    ])
  })

  it.each([
    ['NBA', 'basketball', 'nba'],
    ['NCAAB', 'basketball', 'ncaab'],
    ['Basketball', 'basketball', null],
    ['Kabaddi', 'kabaddi', null],
  ])('a tracker with %s in the column of the sport', (stated, sport, league) => {
    const text = [
      'Date,Sport,Teams,Event Date,Market,Pick,Odds,Stake',
      `2026-11-20,${stated},Orlando Magic @ Boston Celtics,2026-11-20,Moneyline,Boston Celtics,-110,10`,
    ].join('\n')
    expect(read(text, { sportsbook: 'DraftKings', timeZone: 'UTC' })).toMatchObject([
      { event: { sport, league } },
    ])
  })

  it('a tracker with wide gaps in its events', () => {
    const text = [
      'Date,Sport,Teams,Event Date,Market,Pick,Odds,Stake',
      '2026-11-20,NBA,Orlando   Magic   @\tBoston  Celtics,2026-11-20,Moneyline,Boston Celtics,-110,10',
    ].join('\n')
    expect(read(text, { sportsbook: 'DraftKings', timeZone: 'UTC' })).toMatchObject([
      { event: { homeTeam: 'Boston Celtics', awayTeam: 'Orlando Magic' } },
    ])
  })

  it('a German tracker: semicolons, decimal commas, days first, its own words', () => {
    const text = [
      '\ufeffsep=;',
      'Datum;Begegnung;Spielbeginn;Liga;Wettart;Tipp;Quote;Einsatz;Buchmacher;Ergebnis;Gewinn',
      '20.11.2026 14:00;Bayern - Dortmund;21.11.2026 18:30;Bundesliga;Moneyline;home;1,85;25,00 €;bet365;gewonnen;21,25',
      '03.11.2026 09:15;Köln - Mainz;04.11.2026;Bundesliga;Total Goals;Over 2,5;2,05;1.250,50;bet365;verloren;-1.250,50',
    ].join('\r\n')
    expect(read(text, { timeZone: 'Europe/Berlin' })).toMatchObject([
      {
        ...{ at: '2026-11-20T13:00:00.000Z', starts: '2026-11-21T17:30:00.000Z' },
        ...{ price: 1.85, stake: 25 },
        verdict: { outcome: 'won', returned: 46.25 },
      },
      {
        event: { homeTeam: 'Köln', isDay: true },
        ...{ selection: 'Over', line: 2.5, price: 2.05, stake: 1250.5 },
        verdict: { outcome: 'lost', returned: 0 },
      },
    ])
  })

  it('a UK punter: tabs, fractions, names of months', () => {
    const text = [
      'placed\tmatch\tkick off\tcompetition\tmarket\tselection\tprice\tstake\tbookie\tresult',
      '20 Nov 2026 2:00pm\tArsenal v Chelsea\t21 Nov 2026\tEngland - Premier League\tMatch Winner\tArsenal\t10/11\t£10\tWilliam Hill\tVoid',
      'Nov 3, 2026 14:00\tArsenal v Chelsea\tNov 4, 2026\tEngland - Premier League\tMatch Winner\tdraw\tEvens\t10\tWilliam Hill\t',
    ].join('\n')
    expect(read(text, { timeZone: 'Europe/London' })).toMatchObject([
      { at: '2026-11-20T14:00:00.000Z', price: 1 + 10 / 11, verdict: { outcome: 'refunded' } },
      { at: '2026-11-03T14:00:00.000Z', price: 2, selection: 'draw', verdict: null },
    ])
  })

  test.each([
    ['hong_kong', '0.91', 1.91],
    ['malay', '-0.8', 2.25],
    ['indonesian', '-1.25', 1.8],
    ['decimal', '1,91', 1.91],
    ['probability', '52.5%', 1 / 0.525],
    ['american', '150', 2.5],
    ['fractional', '6/4', 2.5],
  ] as const)('an Asian agent or another: odds in %s', (oddsFormat, odds, price) => {
    const [bet] = read(one({ odds: `"${odds}"` }), { oddsFormat })
    expect(bet).toMatchObject({ price: expect.closeTo(price, 9) })
  })
})

const bet = {
  placed_at: '2026-11-20T12:00:00Z',
  ...{ league: 'NBA', home_team: 'NY Knicks', away_team: 'Nets', start_time: '2026-11-20' },
  ...{ market: 'moneyline', selection: 'home', odds: '1.9', stake: '10' },
  sportsbook: 'DraftKings',
}

/** Returns a file of one bet with some cells replaced. */
const one = (cells: Readonly<Record<string, string>>) => fileOf({ ...bet, ...cells })

const fileOf = (cells: Readonly<Record<string, string>>) =>
  `${Object.keys(cells).join()}\n${Object.values(cells).join()}\n`

const long = { odds: '2.5' }
const us = { odds: '+150' }

describe('what can be read two ways', () => {
  test.each([
    ['a date', { placed_at: '03/04/2026 12:00' }, 'ambiguous_date'],
    ['a time without a zone', { placed_at: '2026-03-04 12:00' }, 'missing_time_zone'],
    ['a day alone', { placed_at: '2026-03-04' }, 'missing_time_zone'],
    ['odds below 1', { odds: '0.91' }, 'ambiguous_odds'],
    ['odds of three figures', { odds: '150' }, 'ambiguous_odds'],
    ['odds with a sign', { odds: '-0.8' }, 'ambiguous_odds'],
    ['a date that is none', { placed_at: '31/02/2026 12:00' }, 'invalid_date'],
    ['a result that nobody knows', { result: 'sort of' }, 'unknown_result'],
    ['a dead heat without how many', { result: 'dead heat' }, 'invalid_field'],
    ['a loss that paid', { result: 'lost', payout: '19' }, 'invalid_field'],
    ['a loss written as a gain', { result: 'lost', profit: '10' }, 'invalid_field'],
    ['a win that paid nothing', { result: 'won', payout: '0.00' }, 'invalid_field'],
    ['a win without its stake', { result: 'won', payout: '9.09' }, 'invalid_field'],
    ['half a win without its stake', { result: 'half won', payout: '4.55' }, 'invalid_field'],
    ['half a loss that paid nothing', { result: 'half lost', payout: '0' }, 'invalid_field'],
    ['a void that paid a win', { result: 'void', payout: '19' }, 'invalid_field'],
    [
      'a win at long odds without its stake',
      { ...long, result: 'won', payout: '15' },
      'invalid_field',
    ],
    ['a payout called a profit', { ...long, result: 'won', Gewinn: '25' }, 'invalid_field'],
    ['an American one', { ...us, result: 'won', profit: '25' }, 'invalid_field'],
    ['half a payout', { ...long, result: 'half won', profit: '17.5' }, 'invalid_field'],
    ['a stake returned as profit', { ...long, result: 'void', profit: '10' }, 'invalid_field'],
    ['a loss of more than the stake', { result: 'lost', profit: '-40' }, 'invalid_field'],
    ['a void that lost', { result: 'void', profit: '-10' }, 'invalid_field'],
  ] as const)('%s is refused by name', (_, cells, code) => {
    expect(read(one(cells))).toEqual([code])
  })

  it('is a number with one mark before three figures, unless the file shows its mark', () => {
    const file = (...stakes: readonly string[]) =>
      ['placed_at;league;home_team;away_team;start_time;market;selection;odds;stake;sportsbook']
        .concat(
          stakes.map(
            (stake) =>
              `2026-11-20T12:00:00Z;NBA;Knicks;Nets;2026-11-20;moneyline;home;2;${stake};DraftKings`,
          ),
        )
        .join('\n')
    expect(read(file('1.250'))).toEqual(['ambiguous_number'])
    expect(read(file('1.250'), { decimal: 'comma' })).toMatchObject([{ stake: 1250 }])
    expect(read(file('1.250'), { decimal: 'point' })).toMatchObject([{ stake: 1.25 }])
    expect(read(file('1.250', '12,5'))).toMatchObject([{ stake: 1250 }, { stake: 12.5 }])
    expect(read(file('1.250', '12.5'))).toMatchObject([{ stake: 1.25 }, { stake: 12.5 }])
    expect(read(file('1.250', '12.5', '12,5'))[0]).toBe('ambiguous_number')
    expect(read(file('1,2,3'))).toEqual(['invalid_field'])
  })

  it('is a date in figures, unless another of the file or a parameter gives the order', () => {
    const file = (...dates: readonly string[]) =>
      ['placed_at,league,home_team,away_team,start_time,market,selection,odds,stake,sportsbook']
        .concat(
          dates.map(
            (date) => `${date} 12:00,NBA,Knicks,Nets,2026-11-20,moneyline,home,2,10,DraftKings`,
          ),
        )
        .join('\n')
    const zoned = { timeZone: 'UTC' }
    const at = (at: string) => ({ at: `${at}T12:00:00.000Z` })
    expect(read(file('03/04/2026'), { ...zoned, dateOrder: 'dmy' })).toMatchObject([
      at('2026-04-03'),
    ])
    expect(read(file('03/04/2026'), { ...zoned, dateOrder: 'mdy' })).toMatchObject([
      at('2026-03-04'),
    ])
    expect(read(file('03/04/2026', '25/03/2026'), zoned)).toMatchObject([at('2026-04-03'), {}])
    expect(read(file('03/04/2026', '03/25/2026'), zoned)).toMatchObject([at('2026-03-04'), {}])
    expect(read(file('03/04/2026', '03/25/2026', '25/03/2026'), zoned)[0]).toBe('ambiguous_date')
    // With the month first, a date whose month would be 25 is an error. The other order is not tried.
    expect(read(file('25/03/2026'), { ...zoned, dateOrder: 'mdy' })).toEqual(['invalid_date'])
    expect(read(file('04/04/2026'), zoned)).toMatchObject([at('2026-04-04')])
    expect(read(file('3.4.2026'), zoned)).toMatchObject([at('2026-04-03')])
  })

  const inFile = (column: string, odds: string, options: Partial<TableOptions>, others = '') =>
    read(
      [
        `placed_at;league;home_team;away_team;start_time;market;selection;stake;sportsbook;${column}`,
        ...[odds, ...(others === '' ? [] : [others])].map(
          (price) =>
            `2026-11-20T12:00:00Z;NBA;Knicks;Nets;2026-11-20;moneyline;home;10;DraftKings;${price}`,
        ),
      ].join('\n'),
      options,
    ).map((bet) => (typeof bet === 'string' ? bet : bet.price))[0]

  const american = (price: number) => (price > 0 ? 1 + price / 100 : 1 - 100 / price)

  test.each([
    ['-104.167', 'point', american(-104.167)],
    ['-104.167', 'comma', american(-104_167)],
    ['-104.167', null, 'ambiguous_number'],
    ['-104,167', 'comma', american(-104.167)],
    ['-104,167', 'point', american(-104_167)],
    ['-104,167', null, 'ambiguous_number'],
    ['110.125', 'point', american(110.125)],
    ['110.125', null, 'ambiguous_number'],
    // A price cannot be between -100 and 100, so these marks group thousands, or the price is none.
    ['+1,200', 'point', 13],
    ['+1,200', null, 13],
    ['+1,200', 'comma', 'invalid_price'],
    ['+1.200', 'comma', 13],
    ['+1.200', null, 13],
    ['+1.200', 'point', 'invalid_price'],
    ['+12,000', null, 121],
    ['-104,17', null, american(-104.17)],
    ['+1.200,50', null, american(1_200.5)],
    ['-110', null, american(-110)],
    ['EVEN', null, 2],
    ['(110)', null, 'invalid_price'],
  ] as const)(
    'is an American price with a mark before three figures: %s, decimal %s',
    (odds, decimal, wanted) => {
      const is = typeof wanted === 'number' ? expect.closeTo(wanted, 9) : wanted
      expect(inFile('odds_american', odds, { decimal })).toEqual(is)
      if (typeof wanted === 'number') {
        expect(inFile('odds', odds, { decimal, oddsFormat: 'american' })).toEqual(is)
      }
    },
  )

  test.each([
    ['-104.167', '-104.5', american(-104.167)],
    ['-104,167', '-104,5', american(-104.167)],
    ['-104,167', '', 'ambiguous_number'],
    ['+1,200', '-104.5', 13],
    ['+1,200', '-110', 13],
    // It may also be 1.2 in Malay or Indonesian odds.
    ['+1,200', '', 'ambiguous_odds'],
    ['+1,200', '-1,25', 'ambiguous_odds'],
    ['+1.200', '-104,5', 13],
    ['+1.200', '-110', 13],
    ['-1.200', '-110', american(-1_200)],
    ['1.200', '-110', 13],
    ['+12.000', '-110', 121],
    ['-104.167', '-110', 'ambiguous_number'],
    ['+1.200', '', 'ambiguous_odds'],
    ['1.925', '', 1.925],
    ['1,925', '1,85', 1.925],
    ['1,925', '', 'ambiguous_odds'],
    ['1.925', '1.85', 1.925],
  ])('is a price of no stated format: %s in a file with %s', (odds, others, wanted) => {
    const is = typeof wanted === 'number' ? expect.closeTo(wanted, 9) : wanted
    expect(inFile('odds', odds, {}, others)).toEqual(is)
    if (others !== '-110') return
    // As in a column that says the format.
    expect(inFile('odds_american', odds, {}, others)).toEqual(is)
  })

  test.each([
    ['1,250', 'point', 1_250],
    ['1,250', 'comma', 1.25],
    ['1,250', null, 'ambiguous_number'],
    ['1.250', 'comma', 1_250],
    ['1.250', 'point', 1.25],
    ['1,95', null, 1.95],
    ['1,95', 'point', 1.95],
    ['1.9090909090909092', 'comma', 1.909_090_909_090_909_2],
    ['1.2e1', null, 12],
    ['x', null, 'invalid_price'],
  ] as const)(
    'is a decimal price with a mark before three figures: %s, decimal %s',
    (odds, decimal, wanted) => {
      const is = typeof wanted === 'number' ? expect.closeTo(wanted, 12) : wanted
      expect(inFile('odds_decimal', odds, { decimal })).toEqual(is)
    },
  )

  test.each([
    ['1,250', '1.95', 1_250],
    ['1.250', '1,95', 1_250],
    ['1,250', '1,95', 1.25],
    ['1.250', '1.95', 1.25],
  ])('is a decimal price: %s in a file with %s', (odds, others, wanted) => {
    expect(inFile('Decimal Odds', odds, {}, others)).toBe(wanted)
  })

  test.each([
    // The mark of amounts alone does not make another one in odds group thousands.
    ['odds_decimal', '1.909', '10,50', {}, 'ambiguous_number'],
    ['odds_decimal', '1,909', '10.50', {}, 'ambiguous_number'],
    ['odds_american', '-104.167', '10,50', {}, 'ambiguous_number'],
    ['odds', '-104.167', '10,50', { oddsFormat: 'american' }, 'ambiguous_number'],
    ['odds_american', '+1.200', '10,50', {}, 13],
    ['odds_decimal', '1.909', '10.50', {}, 1.909],
    ['odds_decimal', '1,909', '10,50', {}, 1.909],
    ['odds_decimal', '1.91', '10,50', {}, 1.91],
    ['odds_decimal', '1.909', '10,50', { decimal: 'point' }, 1.909],
    ['odds_decimal', '1.909', '10,50', { decimal: 'comma' }, 1_909],
  ] as const)('is a price in %s beside amounts: %s, %s, %o', (column, odds, stake, options, is) => {
    const [bet] = read(
      [
        `placed_at;league;home_team;away_team;start_time;market;selection;sportsbook;stake;${column}`,
        `2026-11-20T12:00:00Z;NBA;Knicks;Nets;2026-11-20;moneyline;home;DraftKings;${stake};${odds}`,
      ].join('\n'),
      options,
    )
    expect(bet).toEqual(
      typeof is === 'number' ? expect.objectContaining({ price: expect.closeTo(is, 9) }) : is,
    )
  })

  it('is a comma in the odds of a file with commas between its cells', () => {
    const head = 'placed_at,league,home_team,away_team,start_time,market,selection,stake,sportsbook'
    const line = '2026-11-20T12:00:00Z,NBA,Knicks,Nets,2026-11-20,moneyline,home,10,DraftKings'
    const file = (odds: string) => `${head},odds_decimal\n${line},"${odds}"`
    expect(read(file('1,909'))).toEqual(['ambiguous_number'])
    expect(read(file('1.909'))).toMatchObject([{ price: 1.909 }])
  })

  const resultsOf = (...words: readonly string[]) =>
    read(
      ['placed_at,league,home_team,away_team,start_time,market,selection,odds,stake,sportsbook,W/L']
        .concat(
          words.map(
            (word) =>
              `2026-11-20T12:00:00Z,NBA,Knicks,Nets,2026-11-20,moneyline,home,2.1,10,DraftKings,${word}`,
          ),
        )
        .join('\n'),
    ).map((bet) => (typeof bet === 'string' ? bet : (bet.verdict?.outcome ?? 'open')))

  test.each([
    [['P'], ['unknown_result']],
    [
      ['Won', 'P', 'Pending'],
      ['won', 'unknown_result', 'open'],
    ],
    [
      ['Won', 'P', 'Push'],
      ['won', 'unknown_result', 'refunded'],
    ],
    // Where wins and losses are letters, a push is one too.
    [
      ['W', 'L', 'P'],
      ['won', 'lost', 'refunded'],
    ],
    [
      ['p', 'w'],
      ['refunded', 'won'],
    ],
  ])('is a result P, a push or pending: %j', (words, wanted) => {
    expect(resultsOf(...words)).toEqual(wanted)
  })

  const dated = (dates: readonly string[], options: Partial<TableOptions> = {}) =>
    read(
      ['placed_at,league,home_team,away_team,start_time,market,selection,odds,stake,sportsbook']
        .concat(
          dates.map(
            (date) => `${date} 12:00,NBA,Knicks,Nets,2026-11-20,moneyline,home,2,10,DraftKings`,
          ),
        )
        .join('\n'),
      { timeZone: 'UTC', ...options },
    ).map((bet) => (typeof bet === 'string' ? bet : bet.at.slice(0, 10)))

  test.each([
    [['26-03-04'], ['ambiguous_date']],
    [['04/04/26'], ['ambiguous_date']],
    // Of a year to come, no bet is known: this one is of 2026, and says so of the others.
    [
      ['26-03-27', '26-03-04'],
      ['2026-03-27', '2026-03-04'],
    ],
    [
      ['28/03/26', '26/03/04'],
      ['2026-03-28', '2004-03-26'],
    ],
    // A month above 12 or a day above 31 leaves one order.
    [
      ['26-03-04', '03-26-04'],
      ['invalid_date', '2004-03-26'],
    ],
    [
      ['26-03-04', '04-03-99'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    [
      ['26-03-04', '25/03/2026'],
      ['2004-03-26', '2026-03-25'],
    ],
    [
      ['26.03.04', '3.4.2026'],
      ['2004-03-26', '2026-04-03'],
    ],
    [
      ['03.04.2026', '03.25.2026'],
      ['2026-03-04', '2026-03-25'],
    ],
    [
      ['03.04.2026', '03.25.2026', '25.03.2026'],
      ['ambiguous_date', '2026-03-25', '2026-03-25'],
    ],
    // European: the year is at the end that stays, and 15 is a day.
    [
      ['15/04/26', '04/05/26'],
      ['2026-04-15', '2026-05-04'],
    ],
    [
      ['15.04.24', '04.05.24', '09.06.24'],
      ['2024-04-15', '2024-05-04', '2024-06-09'],
    ],
    // As do dates over New Year, but no longer ones.
    [
      ['20/12/25', '03/01/26'],
      ['2025-12-20', '2026-01-03'],
    ],
    [
      ['20/12/23', '03/01/26'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    // US: only days above 12 tell it from European.
    [
      ['04/15/26', '06/04/26'],
      ['2026-04-15', '2026-06-04'],
    ],
    [
      ['12/05/25', '01/03/26'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    [
      ['12/20/25', '01/03/26'],
      ['2025-12-20', '2026-01-03'],
    ],
    // The year first.
    [
      ['26-03-04', '26-03-15'],
      ['2026-03-04', '2026-03-15'],
    ],
    [
      ['25-12-20', '26-01-03'],
      ['2025-12-20', '2026-01-03'],
    ],
    [
      ['26.03.04', '26.03.15'],
      ['2026-03-04', '2026-03-15'],
    ],
    // Both ends stay: one day, two in a row, and the same day of a month over New Year.
    [
      ['15/04/26', '15/04/26'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    [
      ['15/04/26', '16/04/26'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    [
      ['25-12-15', '26-01-15'],
      ['ambiguous_date', 'ambiguous_date'],
    ],
    // An end that stays is no year to come.
    [
      ['27/03/25', '27/04/21'],
      ['2025-03-27', '2021-04-27'],
    ],
    // Dots say nothing of dates without them.
    [
      ['03.04.2026', '03/04/2026'],
      ['2026-04-03', 'ambiguous_date'],
    ],
  ])('is a date of two figures each, or with dots: %j', (dates, wanted) => {
    expect(dated(dates)).toEqual(wanted)
  })

  test.each([
    ['mdy', '11.03.2026', '2026-11-03'],
    ['dmy', '11.03.2026', '2026-03-11'],
    ['ymd', '11.03.2026', 'invalid_date'],
    ['mdy', '25.03.2026', 'invalid_date'],
    ['ymd', '26.03.04', '2026-03-04'],
    ['ymd', '26-03-04', '2026-03-04'],
    ['dmy', '26-03-04', '2004-03-26'],
    ['mdy', '26-03-04', 'invalid_date'],
  ] as const)('is in the stated order, also with dots: %s %s', (dateOrder, date, wanted) => {
    expect(dated([date], { dateOrder })).toEqual([wanted])
  })

  it('is in the stated order whatever the file shows', () => {
    const dates = ['15/04/26', '04/05/26']
    expect(dated(dates, { dateOrder: 'ymd' })).toEqual(['2015-04-26', '2004-05-26'])
    expect(dated(dates, { dateOrder: 'mdy' })).toEqual(['invalid_date', '2026-04-05'])
  })

  it('is shown by the start of games too', () => {
    const file = one({ placed_at: '04/05/26 12:00', start_time: '15/05/26 18:00' })
    expect(read(file, { timeZone: 'UTC' })).toMatchObject([
      { at: '2026-05-04T12:00:00.000Z', starts: '2026-05-15T18:00:00.000Z' },
    ])
  })

  it('is an unknown column, unless it is to be left out, and a repeated one', () => {
    expect(() => read(one({ mood: 'good' }))).toThrow('No column is called mood')
    expect(read(one({ mood: 'good' }), { ignoresOthers: true })).toMatchObject([{ stake: 10 }])
    expect(() => read(one({ price: '2' }))).toThrow('odds and price are both odds')
  })
})

describe('a bet that is no back bet on one selection', () => {
  const ignoring = { ignoresOthers: true }

  test.each([
    ['Back/Lay', 'Lay', 'lay_bet'],
    ['Bid type', 'L', 'lay_bet'],
    ['B/L', 'lay', 'lay_bet'],
    ['Type', 'LAY', 'lay_bet'],
    ['Lay?', 'yes', 'lay_bet'],
    ['Liability', '15.00', 'lay_bet'],
    ['Bet Type', 'Lay', 'lay_bet'],
    ['Each Way', 'Yes', 'each_way_bet'],
    ['E/W', '1/5 1-4', 'each_way_bet'],
    ['Kind', 'Each-way', 'each_way_bet'],
    ['Legs', '3', 'several_legs'],
    ['Is Parlay', 'TRUE', 'several_legs'],
    ['Type', '3-leg parlay', 'several_legs'],
    ['Kind', 'Treble', 'several_legs'],
    ['Voided', 'yes', 'unknown_result'],
    ['Settlement type', 'Cash Out', 'unknown_result'],
    ['Stake type', 'Bonus Bet', 'unknown_free_bet'],
    ['Free bet used?', 'SNR', 'unknown_free_bet'],
    ['Type', 'Same Game Parlay+ (5 legs)', 'several_legs'],
    ...['Parlays', '3 legs', '3-leg', '2-fold', 'Doubles', 'Trebles', 'Patent', 'Canadian'].map(
      (cell) => ['Type', cell, 'several_legs'],
    ),
    ...['Super Yankee', 'Multi (3 legs)', '3 Leg Multi', 'Multibet', 'SGPx', '3er Kombi'].map(
      (cell) => ['Type', cell, 'several_legs'],
    ),
    ...['System 2/3', 'Combi', 'Combo bet', 'Whirlwind'].map((cell) => [
      ...['Type', cell, 'several_legs'],
    ]),
    ...['Parlays', '3 legs', 'Three-leg', '2-fold', 'Trebles', '3er Kombi', 'Combo bet'].map(
      (cell) => ['Information', cell, 'several_legs'],
    ),
    ['Note', 'my best one of the week - 5 legs', 'several_legs'],
    ['Market', '3 legs', 'several_legs'],
    ['Leg', '2', 'several_legs'],
    ['Leg #', '3', 'several_legs'],
    ['Leg 2', 'Lakers ML', 'several_legs'],
    ['# of Selections', '3', 'several_legs'],
    ['Selections', '2', 'several_legs'],
    ['Bets', '3', 'several_legs'],
    ['Parlay ID', 'p-17', 'several_legs'],
    ['Buy/Sell', 'Sell', 'lay_bet'],
    ['For/Against', 'Against', 'lay_bet'],
    ['Direction', 'Against', 'lay_bet'],
    ['Stake type', 'Free', 'unknown_free_bet'],
    ['Stake type', 'Freebets', 'unknown_free_bet'],
    ['Stake type', 'Bonus', 'unknown_free_bet'],
    ['Is Free', 'yes', 'unknown_free_bet'],
    ['Is Free', '✓', 'unknown_free_bet'],
    ['Free', 'yes', 'unknown_free_bet'],
    ['Promo', 'Free Bets', 'unknown_free_bet'],
    ['Kind', 'e/w 1/4', 'each_way_bet'],
    ['Kind', 'Place', 'each_way_bet'],
    ['Kind', 'Win/Place', 'each_way_bet'],
    ['Cash out', '12.5', 'unknown_result'],
  ] as [string, string, string][])(
    'is refused although its column is left out: %s %s',
    (column, cell, code) => {
      const { market: _, ...rest } = { ...bet, [column]: cell }
      const isMarket = column === 'Bet Type' || column === 'Market'
      const file = isMarket ? rest : { ...rest, market: 'moneyline' }
      expect(read(fileOf(file), ignoring)).toEqual([code])
    },
  )

  test.each([
    ['Back/Lay', 'Back'],
    ['B/L', 'B'],
    ['Liability', '0.00'],
    ['Each Way', 'No'],
    ['Legs', '1'],
    ['Is Parlay', 'false'],
    ['Type', 'Single'],
    ['Voided', ''],
    ['Back/Lay', 'For'],
    ['Lay?', '--'],
    ['Direction', 'Over'],
    ['Type', 'Straight bet'],
    ['Type', 'Moneyline'],
    ['Type', 'Total Goals'],
    ...['Live', 'Spread', 'Asian Handicap', 'Over/Under', '1X2', 'Match Winner', 'Player Prop'].map(
      (cell) => ['Type', cell],
    ),
    ['Type', 'Single (1 leg)'],
    ['Access', 'Free'],
    ['Stake type', 'Cash'],
    ['Legs', '1.0'],
    ['Legs', 'One'],
    ['Legs', '1 leg'],
    ['Selections', '1 selection'],
    ['Combo boost', '10%'],
    ['Free bet amount left', '5'],
    ['Cancelled', 'null'],
    ['Tipster', 'Yankee'],
    ['Liability', '$10.00'],
    ['Team', 'Yankees'],
    ['Team', 'San Francisco 49ers'],
    ['Note', 'over 5.5 legs'],
    ['Country', 'Malayan'],
    ['Note', 'after a lay on the other exchange went through'],
  ] as [string, string][])('is not said by %s %s', (column, cell) => {
    expect(read(one({ [column]: cell }), ignoring)).toMatchObject([{ stake: 10 }])
  })

  it('is a back bet of any liability if another column says so', () => {
    const back = { Liability: '25', 'Back/Lay': 'Back' }
    expect(read(one(back), ignoring)).toMatchObject([{ stake: 10 }])
    expect(read(one({ ...back, 'Back/Lay': '' }), ignoring)).toEqual(['lay_bet'])
  })

  it('names the column and the cell, and how to go on', () => {
    const text = Buffer.from(one({ Type: 'Whirlwind' }))
    const [read] = [...readBets(text, { ...unstated, ...ignoring }, now)].flatMap(
      (each) => each ?? [],
    )
    expect(read?.stated).toMatchObject({
      message:
        'the column Type says Whirlwind: the bet is of several legs, and a bet is of one. If it means something else, leave the column out of the file',
    })
  })

  it('is none for a line of darts', () => {
    const selection = 'Over 5 legs'
    expect(read(one({ selection }))).toMatchObject([{ selection }])
  })

  it('is refused by what its selection says', () => {
    for (const selection of ['Lay Knicks', 'Knicks (Lay)'])
      expect(read(one({ selection }))).toEqual(['lay_bet'])
    expect(read(one({ selection: 'Layton' }))).toMatchObject([{ selection: 'Layton' }])
  })

  it('is a plain one if its own column says how it ended, or that it is free', () => {
    expect(read(one({ result: 'void', Voided: 'yes' }), ignoring)).toMatchObject([
      { verdict: { outcome: 'refunded' } },
    ])
    const free = { 'Free Bet': 'yes', 'Stake type': 'Free bet' }
    expect(read(one(free), ignoring)).toMatchObject([{ isFree: true }])
  })

  it.each([
    'Nets @ Knicks / Bulls @ Celtics',
    'Lakers at Celtics / Nets at Knicks',
    'Lakers @ Celtics / Nets vs Knicks',
    'Lakers vs Celtics & Nets vs Knicks',
    'Lakers @ Celtics & 2 more',
  ])('is refused if its event is of several games: %s', (event) => {
    expect(read(one({ home_team: '', away_team: '', event }))).toEqual(['several_legs'])
  })

  it('may have the place behind its event', () => {
    const event = 'Lakers vs. Celtics (Game 2) @ Boston'
    expect(read(one({ home_team: '', away_team: '', event }))).toMatchObject([
      { event: { homeTeam: 'Lakers', awayTeam: 'Celtics (Game 2)' } },
    ])
  })

  it('is refused with all lines of its reference if they are on different things', () => {
    const header = one({ reference: '' }).split('\n')[0]!
    const line = (cells: Readonly<Record<string, string>>) =>
      one({ reference: '', ...cells }).split('\n')[1]!
    const legs = [
      line({ reference: '91' }),
      // Without a stake, it would be refused alone, and leave the first leg as a bet.
      line({ reference: '91', home_team: 'Celtics', away_team: 'Bulls', stake: '' }),
      line({ reference: '92' }),
      line({ reference: '92' }),
      line({}),
      line({ home_team: 'Celtics', away_team: 'Bulls' }),
    ]
    expect(read([header, ...legs].join('\n'))).toMatchObject([
      ...['several_legs', 'several_legs'],
      ...[{ reference: '92' }, { reference: '92' }, { reference: null }, { reference: null }],
    ])
  })

  it('has another currency in a column that is called so in other words', () => {
    const file = one({ 'Account currency': 'EUR', 'Payout (USD)': '' })
    expect(() => read(file, ignoring)).toThrow('A file has amounts of one currency')
  })
})

describe('a file that is too large in one direction', () => {
  const header = 'placed_at,event,start_time,market,selection,odds,stake'

  it('is refused at the line beyond the limit, before the rest is read', () => {
    const lines = readBets(
      Buffer.from(`${header}\n${'x\n'.repeat(50_000)}`),
      { ...unstated, sportsbook: 'draftkings', league: 'nba' },
      now,
    )
    let count = 0
    expect(() => {
      for (const _ of lines) count++
    }).toThrow('A request has at most 5000 bets')
    expect(count).toBe(5_001)
  })

  it('is refused before it is parsed if it has far more parts than so many bets', () => {
    // Parsing would fail at the end.
    const body = (count: number) => Buffer.from(`[${'[0],'.repeat(count)}oops`)
    const read = (count: number) => () => [...readBets(body(count), null, now)]
    expect(read(20_000)).toThrow('A request has at most 5000 bets')
    expect(read(19_000)).toThrow('The body is not valid JSON')
    expect([
      ...readBets(Buffer.from(JSON.stringify({ note: '['.repeat(30_000) })), null, now),
    ]).toHaveLength(1)
  })

  it('has at most two hundred columns, including those left out', () => {
    const wide = (count: number) =>
      one(Object.fromEntries(Array.from({ length: count }, (_, i) => [`mood ${i}`, 'good'])))
    expect(() => read(wide(300), { ignoresOthers: true })).toThrow('at most 200 columns')
    expect(read(wide(150), { ignoresOthers: true })).toMatchObject([{ stake: 10 }])
  })

  it('loses the lines with cells that are too long', () => {
    const long = `a${' '.repeat(5_000)}b`
    expect(read(one({ event: long }))).toEqual(['malformed_csv'])
    expect(read(one({ placed_at: '1'.repeat(5_000) }))).toEqual(['malformed_csv'])
    expect(read(one({ mood: long }), { ignoresOthers: true })).toMatchObject([{ stake: 10 }])
  })
})

describe('columns with a slash in their names', () => {
  it('are known', () => {
    const text = one({ 'Profit/Loss': '-10.00', 'W/L': 'L' })
    expect(read(text)).toMatchObject([{ verdict: { outcome: 'lost', returned: 0 } }])
    expect(read(one({ 'P / L': '4.5', Result: '1/2 Won' }))).toMatchObject([
      { verdict: { outcome: 'half_won', returned: 14.5 } },
    ])
  })
})

it('a word of bet files names one column, and one result', () => {
  const plain = (word: string) =>
    word
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}/]+/gu, ' ')
      .trim()
  const { columns, results, letters, open, free } = words
  const named = [
    ...[...betColumns.keys()].map((column) => [column, column] as const),
    ...Object.entries(columns).flatMap(([column, names]) =>
      names.map((name) => [name, column] as const),
    ),
  ]
  const ended = [
    ...betOutcomes.map((outcome) => [outcome, outcome] as const),
    ...[...Object.entries(results), ...Object.entries(letters)].flatMap(([outcome, names]) =>
      names.map((name) => [name, outcome] as const),
    ),
    ...open.map((name) => [name, 'open'] as const),
  ]
  expect(free.yes.filter((word) => free.no.includes(word))).toEqual([])
  for (const pairs of [named, ended]) {
    const meanings = new Map<string, Set<string>>()
    for (const [word, meaning] of pairs) {
      meanings.set(plain(word), (meanings.get(plain(word)) ?? new Set()).add(meaning))
    }
    expect([...meanings].filter(([, meant]) => meant.size > 1)).toEqual([])
  }
})

describe('a column called Created At', () => {
  const line = ',NBA,NY Knicks,Nets,2026-11-20,moneyline,home,1.9,10,DraftKings'
  const head = ',league,home_team,away_team,start_time,market,selection,odds,stake,sportsbook'
  const created = '2026-11-19T08:00:00Z'
  const placed = '2026-11-20T12:00:00Z'

  it.each(['Created At', 'created_at', 'Created'])('%s is when a bet was placed', (name) => {
    expect(read(`${name}${head}\n${created}${line}`)).toMatchObject([
      { at: '2026-11-19T08:00:00.000Z' },
    ])
  })

  it('is ours beside the time that the bet was placed', () => {
    expect(read(`created_at,Placed${head}\n${created},${placed}${line}`)).toMatchObject([
      { at: '2026-11-20T12:00:00.000Z' },
    ])
    expect(read(`placed_at,Created At${head}\n${placed},${created}${line}`)).toMatchObject([
      { at: '2026-11-20T12:00:00.000Z' },
    ])
  })
})

describe('a quoted cell with line breaks', () => {
  const noted = (notes: readonly string[], mark: string) =>
    read(
      [
        'result_reason,placed_at,league,home_team,away_team,start_time,market,selection,odds,stake,sportsbook,result',
        ...notes.map(
          (note) =>
            `${note},2026-11-20T12:00:00Z,NBA,NY Knicks,Nets,2026-11-20,moneyline,home,1.9,10,DraftKings,won`,
        ),
      ].join(mark),
    ).map((bet) => (typeof bet === 'string' ? bet : bet.verdict?.reason))

  it.each(['\n', '\r\n', '\r'])('is one cell: breaks %j', (mark) => {
    const note = `"felt good${mark}${mark}said ""yes"", did"`
    const read = 'felt good said "yes", did'
    expect(noted([note, 'plain', note], mark)).toEqual([read, 'plain', read])
  })

  it('is no cell if the quote stays open, and takes no other line with it', () => {
    expect(noted(['"open', 'plain'], '\n')).toEqual(['malformed_csv', 'plain'])
    expect(noted(['open"', 'pl"ain', 'plain'], '\n')).toEqual([
      ...['malformed_csv', 'malformed_csv', 'plain'],
    ])
  })

  it('is counted by the lines of the file', () => {
    const head = 'result_reason,stake\n'
    const lines = [...readBets(Buffer.from(`${head}"a\nb",1\nc,2\n`), unstated, now)]
    expect(lines.flatMap((one) => one?.line ?? [])).toEqual([2, 4])
  })
})

describe('a line', () => {
  const lineOf = (cells: Readonly<Record<string, string>>) =>
    read(one(cells)).map((bet) => (typeof bet === 'string' ? bet : [bet.selection, bet.line]))

  test.each([
    ['Nets -0.5, -1.0', 'Nets', -0.75],
    ['Nets 0.0, -0.5', 'Nets', -0.25],
    ['Nets -0.5/-1', 'Nets', -0.75],
    ['Nets -0.5 / -1', 'Nets', -0.75],
    ['Nets -0.5 & -1', 'Nets', -0.75],
    ['Nets -0.5 and -1.0', 'Nets', -0.75],
    ['Nets -0,5, -1,0', 'Nets', -0.75],
    ['Nets +1/1.5', 'Nets', 1.25],
    ['Over 2.5, 3.0', 'Over', 2.75],
    ['Over 2.5/3', 'Over', 2.75],
    ['Mainz 05 -0.5', 'Mainz 05', -0.5],
    ['Over 2,5', 'Over', 2.5],
    // Its two lines are no quarter line, or no lines at all.
    ['Nets -1, -2', 'Nets -1, -2', null],
    ['Nets +0.5, -0.5', 'Nets +0.5, -0.5', null],
    ['Nets 2/1', 'Nets 2/1', null],
    ['Schalke 04', 'Schalke 04', null],
  ])('behind the selection %s', (selection, side, line) => {
    expect(lineOf({ selection: `"${selection}"` })).toEqual([[side, line]])
  })

  test.each([
    ['-0.5/1', -0.75],
    ['-0.5,-1', -0.75],
    ['0, -0.5', -0.25],
    ['-0/0.5', -0.25],
    ['2.5 & 3', 2.75],
    ['-1.5', -1.5],
  ])('in its column: %s', (line, wanted) => {
    expect(lineOf({ selection: 'Nets', line: `"${line}"` })).toEqual([['Nets', wanted]])
  })

  it('in its column is refused if it is two others', () => {
    expect(lineOf({ selection: 'Nets', line: '"-1, -2"' })).toEqual(['invalid_field'])
  })
})

it.each([
  ['won', ['Gagné', 'gagnée', 'Ganado', 'Acertada', 'Vinto', 'Gewonnen']],
  ['lost', ['Perdu', 'Perdido', 'Fallada', 'Perso', 'Verloren']],
  ['refunded', ['Remboursé', 'Annulé', 'Anulada', 'Devuelta', 'Rimborsata', 'Storniert']],
  [null, ['En cours', 'Abierta', 'In corso', 'Offen']],
] as const)('a result is %s in the words of %j', (outcome, cells) => {
  for (const column of ['result', 'Résultat', 'Estado', 'Stato']) {
    for (const cell of cells) {
      const [bet] = read(one({ [column]: cell }))
      expect([cell, typeof bet === 'object' ? (bet.verdict?.outcome ?? null) : bet]).toEqual([
        cell,
        outcome,
      ])
    }
  }
})

describe('a void', () => {
  test.each([
    ['that paid nothing', { payout: '$0.00' }],
    ['that gained nothing', { profit: '0' }],
    ['that paid and gained nothing', { payout: '0', profit: '0' }],
    ['that paid its stake', { payout: '10.00' }],
    ['alone', {}],
  ])('%s returns its stake', (_, cells) => {
    const [bet] = read(one({ result: 'Void', ...cells }))
    const verdict = typeof bet === 'object' ? bet.verdict : null
    expect(verdict).toMatchObject({ outcome: 'refunded' })
    expect(returnOf({ price: 1.9, stake: 10 }, 'refunded', null)).toBe(10)
    expect(verdict!.returned ?? 10).toBe(10)
  })
})

describe('a profit', () => {
  test.each([
    ['0.0015', '0.00139505', 0.002_895_05],
    ['0.12345678', '0.1', 0.223_456_78],
    // A spreadsheet writes all figures of a quotient; the sportsbook paid cents.
    ['10', '9.090909090909', 19.09],
    ['0.1', '0.2', 0.3],
  ])('of a stake of %s is as exact as the stake: %s', (stake, profit, returned) => {
    const text = one({ stake, profit, result: 'won' })
    expect(read(text)).toMatchObject([{ verdict: { outcome: 'won', returned } }])
  })

  it('of a bet at odds that are none costs that line alone', () => {
    const lineAt = (odds_american: string) =>
      one({ odds: '', odds_american, stake: '20', profit: '10', result: 'won' })
    const [, good] = lineAt('-200').split('\n')
    for (const odds of ['50', '0', '-99']) {
      expect(read(`${lineAt(odds)}${good}\n`)).toMatchObject([
        'invalid_price',
        { verdict: { outcome: 'won', returned: 30 } },
      ])
    }
  })
})

describe('a profit', () => {
  test.each([
    ['won', '15', 25],
    ['won', '14.5', 24.5],
    ['won', '26', 36],
    ['lost', '-10', 0],
    ['lost', '-10.005', 0],
    ['half lost', '-5', 5],
    ['cash out', '25', 35],
  ])('of a bet of 10 at 2.5 that was %s: %s', (result, profit, returned) => {
    expect(read(one({ ...long, result, profit }))).toMatchObject([{ verdict: { returned } }])
  })

  it.each(['lost', 'half lost'])('of 0 of a bet that was %s may be of winnings alone', (result) => {
    const won = one({ ...long, result: 'won', profit: '15' })
    const [, lost] = one({ ...long, result, profit: '0.00' }).split('\n')
    const [, loss] = one({ ...long, result: 'lost', profit: '-10' }).split('\n')
    expect(read(`${won}${lost}\n`)).toMatchObject([{ verdict: { returned: 25 } }, 'invalid_field'])
    // Beside a loss it is that of a bet that cost nothing.
    expect(read(`${won}${lost}\n${loss}\n`)[1]).toMatchObject({ verdict: { returned: 10 } })
    expect(read(one({ ...long, result: 'won', profit: '0' }))).toEqual(['invalid_field'])
    const confirmed = { ...long, result, profit: '0', result_reason: 'insured' }
    expect(read(one(confirmed))).toMatchObject([{ verdict: { returned: 10 } }])
  })

  it('or payout that looks like another is what a reason says', () => {
    const reason = 'rule 4: 25 p'
    const confirmed = { ...long, result: 'won', result_reason: reason }
    expect(read(one({ ...confirmed, payout: '15' }))).toMatchObject([
      { verdict: { returned: 15, reason } },
    ])
    expect(read(one({ ...confirmed, profit: '25' }))).toMatchObject([
      { verdict: { returned: 35, reason } },
    ])
  })

  it('below minus the stake is not read of an open bet', () => {
    expect(read(one({ result: 'open', profit: '-40' }))).toMatchObject([{ verdict: null }])
  })
})

describe('a free bet', () => {
  const returnedOf = (cells: Readonly<Record<string, string>>) =>
    read(one({ odds: '3.0', 'Free Bet': 'yes', ...cells })).map((bet) =>
      typeof bet === 'string' ? bet : (bet.verdict?.returned ?? null),
    )[0]

  test.each([
    // Of 10 at 3.0: the stake is not the bettor's, so the profit is the amount here less 10.
    ['lost', { payout: '0' }, 10],
    ['lost', { payout: '10' }, 10],
    ['lost', { profit: '0' }, 10],
    ['lost', {}, 10],
    ['won', { payout: '20' }, 30],
    ['won', { payout: '30' }, 30],
    ['won', { profit: '20' }, 30],
    ['won', {}, 30],
    ['won', { payout: '20', profit: '20' }, 30],
    ['void', { payout: '0' }, 10],
    ['void', { payout: '10' }, 10],
    ['void', {}, 10],
    ['half won', { payout: '10' }, 20],
    ['half lost', { payout: '0' }, 10],
    ['half lost', {}, 10],
    ['dead heat', { payout: '10', shared_by: '2' }, 20],
    ['dead heat', { shared_by: '2' }, 20],
    ['cash out', { payout: '8' }, 18],
    ['cash out', { profit: '8' }, 18],
  ])('that was %s with %o returns its stake beside the winnings', (result, cells, returned) => {
    expect(returnedOf({ result, ...cells })).toBe(returned)
  })

  test.each([
    ['lost', { profit: '-10' }],
    ['lost', { payout: '5' }],
    ['won', { payout: '25' }],
    ['won', { profit: '30' }],
    ['won', { profit: '10' }],
    ['dead heat', { payout: '10' }],
    ['cash out', {}],
  ])('that was %s is refused with %o, unless a reason says why', (result, cells) => {
    expect(returnedOf({ result, ...cells })).toBe('invalid_field')
  })

  it('is marked as one', () => {
    const lost = { result: 'lost', odds: '3.0' }
    const marks = ['yes', 'no'].flatMap((cell) =>
      read(one({ ...lost, 'Free Bet': cell })).map((bet) => typeof bet === 'object' && bet.isFree),
    )
    expect(marks).toEqual([true, false])
  })

  it('at other odds is what a reason says, with the stake', () => {
    const boosted = { result: 'won', result_reason: 'boost of 25 %' }
    expect(returnedOf({ ...boosted, payout: '35' })).toBe(35)
    expect(returnedOf({ ...boosted, profit: '25' })).toBe(35)
    expect(returnedOf({ ...boosted, payout: '20' })).toBe(30)
  })

  it('of two columns has its result in the one that has some', () => {
    const other = { ignoresOthers: true }
    const both = { Estado: 'Liquidada', Resultado: 'Ganada' }
    expect(read(one(both), other)).toMatchObject([{ verdict: { outcome: 'won' } }])
    expect(() => read(one({ ...both, Estado: 'Perdida' }), other)).toThrow('are both result')
    expect(() => read(one(both))).toThrow('are both result')
  })

  it('is open, and free, without a result', () => {
    for (const result of ['', 'pending'])
      expect(read(one({ result, payout: '0', 'Free Bet': 'yes' }))).toMatchObject([
        { isFree: true, verdict: null },
      ])
  })

  it.each(['Is Free Bet', 'Bonus Bet', 'Bonus bets', 'free_play', 'Gratiswette'])(
    'is said by the column %s',
    (column) => {
      const lost = { result: 'lost', payout: '0' }
      for (const cell of ['Yes', 'TRUE', '1', 'x', '✓', '10', '$10.00', 'Free Bet']) {
        expect(read(one({ ...lost, [column]: cell }))).toMatchObject([
          { verdict: { returned: 10 } },
        ])
      }
      for (const cell of ['', 'No', 'false', '0', '-', '0.00', '$0.00', 'N/A']) {
        expect(read(one({ ...lost, [column]: cell }))).toMatchObject([{ verdict: { returned: 0 } }])
      }
      for (const cell of ['25% boost', 'perhaps', '5', '-10']) {
        expect(read(one({ ...lost, [column]: cell }))).toEqual(['unknown_free_bet'])
      }
    },
  )

  it.each(['Bonus', 'Is Bonus'])(
    'is not said by the column %s, of boosts and of winnings',
    (name) => {
      for (const cell of ['30% Profit Boost', '2.00', 'yes']) {
        const text = one({ result: 'lost', payout: '0', [name]: cell })
        expect(read(text, { ignoresOthers: true })).toMatchObject([{ verdict: { returned: 0 } }])
        expect(() => read(text)).toThrow(`No column is called ${name};`)
      }
    },
  )

  it.each([
    [['yes', '10'], 10],
    [['1', '10.00'], 10],
    [['yes', ''], 10],
    [['yes', '0'], 10],
    [['', '10'], 10],
    [['no', '10'], 10],
    [['no', '0'], 0],
    [['0', ''], 0],
    [['', ''], 0],
    [['yes', '5'], 'unknown_free_bet'],
    [['no', '5'], 'unknown_free_bet'],
    [['10', '5'], 'unknown_free_bet'],
    [['5', '10'], 'unknown_free_bet'],
    [['yes', 'perhaps'], 'unknown_free_bet'],
  ] as const)('is said by any of several columns: %j', ([free, amount], returned) => {
    const lost = { result: 'lost', payout: '0' }
    for (const names of [
      ['Free Bet', 'Free Bet Stake'],
      ['Free Bet Stake', 'Free Bet'],
    ] as const) {
      const cells = { 'Free Bet': free, 'Free Bet Stake': amount }
      const text = one({ ...lost, [names[0]]: cells[names[0]], [names[1]]: cells[names[1]] })
      // A further line, of which the amount shows the column of amounts.
      const [, line] = one({ ...lost, [names[0]]: '', [names[1]]: '' }).split('\n')
      expect(
        read(`${text}${line}`).map((bet) =>
          typeof bet === 'string' ? bet : (bet.verdict?.returned ?? 0),
        ),
      ).toEqual([returned, 0])
    }
  })

  it('is an amount in a column of amounts, also where it is 1', () => {
    const head =
      'placed_at,league,event,start_time,market,selection,odds,sportsbook,result,stake,Bonus Bet'
    const line =
      '2026-11-20T12:00:00Z,NBA,Nets @ Knicks,2026-11-20,moneyline,home,3.0,DraftKings,lost'
    const text = [head, `${line},10,1`, `${line},1,1`, `${line},10,10.00`, `${line},10,0`].join(
      '\n',
    )
    expect(
      read(text).map((bet) => (typeof bet === 'string' ? bet : bet.verdict?.returned)),
    ).toEqual(['unknown_free_bet', 1, 10, null])
  })

  it('has an amount that is no bet without its stake, odds or payout', () => {
    expect(returnedOf({ result: 'won', payout: 'much' })).toBe('invalid_field')
    expect(returnedOf({ result: 'won', stake: 'ten' })).toBe('invalid_field')
    expect(returnedOf({ result: 'won', odds: 'long' })).toBe('invalid_price')
  })
})

describe('the currency of a file', () => {
  const head = 'placed_at,league,event,start_time,market,selection,odds,sportsbook,result,Stake'
  const line = '2026-11-20T12:00:00Z,NBA,Nets @ Knicks,2026-11-20,moneyline,home,3.0,DraftKings,won'
  const currencyOf = (stakes: readonly string[], more = '') => {
    const text = [head + more, ...stakes.map((stake) => `${line},${stake}`)].join('\n')
    let currency: string | null | undefined
    const note = (file: { readonly currency: string | null }) => {
      currency = file.currency
    }
    const bets = [...readBets(Buffer.from(text), unstated, now, note)].flatMap((one) => one ?? [])
    expect(bets.filter(({ stated }) => isRejection(stated))).toEqual([])
    expect(bets).toHaveLength(stakes.length)
    return currency
  }

  test.each([
    [['$50', '40'], '$'],
    [['$50', '50 USD'], 'USD'],
    [['$50', 'CAD 50'], 'CAD'],
    [['€40', '40 EUR', 'EUR40'], 'EUR'],
    [['10 BTC'], 'BTC'],
    [['50', '40'], null],
  ])('is that of its amounts: %j', (stakes, currency) => {
    expect(currencyOf(stakes)).toBe(currency)
  })

  it('is that of its columns', () => {
    expect(currencyOf(['50'], ' ($)')).toBe('$')
    expect(() => currencyOf(['€50'], ' ($)')).toThrow('$ in line 1, € in line 2')
  })

  it.each([
    [['$50', '€40', '100 EUR'], '$ in line 2, € in line 3, EUR in line 4'],
    [['USD 50', '40', 'CAD 40'], 'USD in line 2, CAD in line 4'],
    [['$50', '£40'], '$ in line 2, £ in line 3'],
    [['10 BTC', '$40'], 'BTC in line 2, $ in line 3'],
  ])('is one: %j', (stakes, places) => {
    expect(() => currencyOf(stakes)).toThrow(places)
  })

  it('is not seen in cells that are no amounts, nor in words that are no currency', () => {
    const lineWith = (cells: Readonly<Record<string, string>>) =>
      one({ result: 'won', stake: '10', payout: '', ...cells })
    const file = (...cells: readonly Readonly<Record<string, string>>[]) => {
      const texts = cells.map((each) => lineWith(each).split('\n'))
      return [texts[0]![0], ...texts.map(([, line]) => line)].join('\n')
    }
    const [dollars, units] = [{ stake: '25 USD' }, { stake: '10 UNITS' }]
    expect(read(file({ stake: 'FREE BET $10' }, { stake: '€10' }))).toMatchObject([
      'invalid_field',
      { stake: 10 },
    ])
    expect(read(file(units, dollars))).toMatchObject(['invalid_field', { stake: 25 }])
    expect(
      read(file({ payout: 'WON 25.00' }, { payout: 'LOST 0.00' }, { payout: '$19' })),
    ).toMatchObject([{ verdict: { returned: 25 } }, 'invalid_field', { verdict: { returned: 19 } }])
  })

  it.each(['Currency', 'Währung', 'Moneda', 'Valuta', 'Devise'])(
    'is that of its column %s',
    (name) => {
      expect(currencyOf(['50,USD', '$50,usd', '50,', '50,mine'], `,${name}`)).toBe('USD')
      expect(currencyOf(['50,€'], `,${name}`)).toBe('€')
      expect(() => currencyOf(['50,USD', '50,EUR'], `,${name}`)).toThrow(
        'USD in line 2, EUR in line 3',
      )
      expect(() => currencyOf(['$50,EUR'], `,${name}`)).toThrow('$ in line 2, EUR in line 2')
    },
  )

  it('is that of its column by words and by signs of one currency', () => {
    expect(currencyOf(['50,US Dollar', '50,US$', '$50,dollars', '50,USD'], ',Currency')).toBe('USD')
    expect(currencyOf(['50,Euro', '50,euros', '€50,'], ',Currency')).toBe('EUR')
    expect(currencyOf(['50,Britisches Pfund'], ',Währung')).toBe('GBP')
    expect(() => currencyOf(['50,Euro', '50,Dollar'], ',Currency')).toThrow(
      'EUR in line 2, $ in line 3',
    )
    expect(() => currencyOf(['50,US$', '50,CA$'], ',Currency')).toThrow(
      'USD in line 2, CAD in line 3',
    )
  })

  it('is that behind the names of its columns', () => {
    expect(currencyOf(['50'], ' (USD)')).toBe('USD')
    expect(currencyOf(['50,150'], ' [EUR],Payout (EUR)')).toBe('EUR')
    expect(() => currencyOf(['50,150'], ' (USD),Payout (EUR)')).toThrow(
      'USD in line 1, EUR in line 1',
    )
    expect(() => currencyOf(['50'], ' (new)')).toThrow('No column is called Stake (new);')
  })

  it('is one of all amounts', () => {
    expect(() => currencyOf(['$50,€100'], ',payout')).toThrow('$ in line 2, € in line 2')
    expect(() => currencyOf(['$50,€100'], ',profit')).toThrow('$ in line 2, € in line 2')
    expect(() => currencyOf(['$50,€50'], ',free_bet')).toThrow('$ in line 2, € in line 2')
  })
})

describe('a time', () => {
  const berlin = { orders: ['dmy'], zone: 'Europe/Berlin' } as const

  test.each([
    ['29.03.2026 01:59', '2026-03-29T00:59:00.000Z'],
    ['29.03.2026 03:00', '2026-03-29T01:00:00.000Z'],
    // This local time occurs twice, and the earlier one counts.
    ['25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
    ['25.10.2026 03:00', '2026-10-25T02:00:00.000Z'],
    ['1/2/26 12:05 am', '2026-01-31T23:05:00.000Z'],
    ['1/2/26, 12:05 PM', '2026-02-01T11:05:00.000Z'],
    ['2026-02-01 12:05:30', '2026-02-01T11:05:30.000Z'],
    ['Friday 20 November 2026 19:30', '2026-11-20T18:30:00.000Z'],
    ['Freitag, 20. November 2026 19:30 Uhr', '2026-11-20T18:30:00.000Z'],
    ['20.11.2026 19:30 Uhr', '2026-11-20T18:30:00.000Z'],
    ['20-Nov-26 19:30', '2026-11-20T18:30:00.000Z'],
    ['20. Dez. 2026 19:30', '2026-12-20T18:30:00.000Z'],
    ['20 févr. 2026 19:30', '2026-02-20T18:30:00.000Z'],
    ['20 ago 2026, 19:30', '2026-08-20T17:30:00.000Z'],
    ['20 mag 2026 19:30', '2026-05-20T17:30:00.000Z'],
  ])('%s is read by the clocks of its zone', (text, wanted) => {
    expect(readTime(text, berlin)).toEqual({ text: wanted })
  })

  test.each([
    ['2026-02-01T12:05:30Z', '2026-02-01T12:05:30Z'],
    ['2026-02-01 12:05 UTC', '2026-02-01T12:05:00Z'],
    ['2026-02-01T12:05:30+0130', '2026-02-01T12:05:30+01:30'],
  ])('%s has its own', (text, wanted) => {
    expect(readTime(text, berlin)).toEqual({ text: wanted })
  })

  test.each(['20-11-2026', '20-Nov-2026', '20 Nov 2026'])('%s is a day', (text) => {
    expect(readTime(text, berlin)).toEqual({ text: '2026-11-20' })
  })

  test.each(['20-Nov-26', '20. Nov. 2026', '20.Nov.2026', 'Nov 20, 26', 'Fr. 20. Nov. 26'])(
    '%s is a day by the name of its month',
    (text) => {
      expect(readTime(text, berlin)).toEqual({ text: '2026-11-20' })
    },
  )

  test.each([
    ['11/20/2026 7:30 PM EST', '2026-11-20T19:30:00-05:00'],
    ['11/20/2026 7:30PM ET', '2026-11-21T00:30:00.000Z'],
    ['7/4/2026, 7:30 PM pt', '2026-07-05T02:30:00.000Z'],
    ['11/20/2026 19:30 Uhr MEZ', '2026-11-20T19:30:00+01:00'],
  ])('%s names its zone', (text, wanted) => {
    expect(readTime(text, { orders: ['mdy'], zone: null })).toEqual({ text: wanted })
  })

  test.each(['7/4/2026 7:00 PM EST', '11/20/2026 7:30 PM EDT', '7/4/2026 19:30 MEZ'])(
    '%s has the name of clocks that are not in force',
    (text) => {
      expect(readTime(text, { orders: ['mdy'], zone: null })).toBe('ambiguous_date')
    },
  )

  test.each([
    [
      ['26-Nov-18', '26-Nov-19', '26-Nov-20'],
      ['2026-11-18', '2026-11-19', '2026-11-20'],
    ],
    [
      ['18-Nov-26', '20-Nov-26', '25-Nov-26'],
      ['2026-11-18', '2026-11-20', '2026-11-25'],
    ],
    [['20-Nov-26'], ['ambiguous_date']],
    [
      ['20. Nov. 26', '5-Nov-26'],
      ['2026-11-20', '2026-11-05'],
    ],
  ])(
    'with a name and two-digit figures has its year where it hardly changes: %j',
    (texts, days) => {
      const seen = createDatesSeen()
      for (const text of texts) seen.see(text, 2026)
      const read = texts.map((text) => readTime(text, { orders: seen.orders(), zone: null }))
      expect(read.map((one) => (typeof one === 'string' ? one : one.text))).toEqual(days)
    },
  )

  it('with two-digit parts has its year first where that is stated', () => {
    const ymd = { orders: ['ymd'], zone: 'UTC' } as const
    expect(readTime('26/11/20', ymd)).toEqual({ text: '2026-11-20' })
    expect(readTime('20/11/2026', ymd)).toBe('invalid_date')
    expect(readTime('26-Nov-20', ymd)).toEqual({ text: '2026-11-20' })
    expect(readTime('5-Nov-26', ymd)).toEqual({ text: '2026-11-05' })
  })

  test.each([
    '13:00',
    '2026-13-01',
    '32.1.2026',
    'yesterday',
    '1/2/2026 25:00',
    '1/2/2026 13:00 pm',
    '1/2/2026 13:00:75',
    '2026-11-20+01:00',
    '20 Nov 19:30',
    'Nov 20 19:30',
    'Nov 2026',
    '20 Nov 20 2026',
    '20-Moo-26',
    '20.11.2026 EST',
    'Uhr',
    'Z',
    '+01:00',
  ])('%s is none', (text) => {
    expect(readTime(text, berlin)).toBe('invalid_date')
  })

  it('is refused without trying each part of a long text', () => {
    // Of this length, an expression that tries all pairs of places does not end within the test's time.
    expect(readTime('1'.repeat(100_000), berlin)).toBe('invalid_date')
  })

  it('is read with commas about it', () => {
    expect(readTime(',2026-11-20, 19:30,', berlin)).toEqual({ text: '2026-11-20T18:30:00.000Z' })
    expect(readTime(', 20.11.2026', berlin)).toEqual({ text: '2026-11-20' })
  })
})

describe('our own file', () => {
  const styles = [{}, { separator: 'semicolon', decimal: 'comma' }] as const

  test.each(styles)('brings back every American price: %o', (style) => {
    const whole = Array.from({ length: 1_000 }, (_, i) => 100 + i)
    const large = whole.map((each) => Math.round(each ** 2.6))
    const prices = [...whole, ...large.filter((each) => each <= 1e8)]
      .flatMap((each) => [americanToDecimal(each), americanToDecimal(-each)])
      .filter(isPrice)
    expect(prices.length).toBeGreaterThan(3_500)
    for (let from = 0; from < prices.length; from += 4_000) {
      const part = prices.slice(from, from + 4_000)
      const bets = read(
        csvOf(
          part.map((price) => ({ ...betExample, price, line: null })),
          style,
        ),
      )
      expect(bets.map((bet) => (typeof bet === 'string' ? bet : bet.price))).toEqual(part)
    }
  })

  test.each(styles)('brings back small and uneven stakes: %o', (style) => {
    const stakes = [1e-7, 1.5e-7, 1.234e-8, 1e-12, 0.1 + 0.2, 0.000_123_4, 1 / 3, 1e12 / 3]
    const verdict = { outcome: 'cashed_out', sharedBy: null, reason: null, at: now } as const
    const rows = stakes.map((stake) => ({
      ...{ ...betExample, stake, verdict: { ...verdict, returned: stake / 2 } },
    }))
    const bets = read(csvOf(rows, style))
    expect(bets).toMatchObject(rows.map(({ stake, verdict }) => ({ stake, verdict })))
  })

  const settled = {
    ...betExample,
    ...{ price: 1.915, stake: 1234.5, reference: '=slip;"1"', market: 'spread, alt' },
    verdict: { outcome: 'dead_heat', returned: 12.5, sharedBy: 3, reason: 'ruled so', at: 0 },
  } as const

  it('is written one bet at a time', () => {
    const lines: string[] = []
    const steps = [...writeCsv([settled, settled, settled], {}, (line) => lines.push(line))]
    expect(steps).toHaveLength(3)
    expect(lines.join('')).toBe(csvOf([settled, settled, settled]))
  })

  test.each([
    {},
    { bom: true, separator: 'semicolon', decimal: 'comma' },
    { separator: 'tab', decimal: 'comma' },
    { separator: 'semicolon', decimal: 'point', bom: true },
  ] as const)('comes back as it was: %o', (style) => {
    const text = csvOf([settled], style)
    expect(text.startsWith('\ufeff')).toBe('bom' in style)
    const { reference, placedAt, event, line, price, stake, verdict } = settled
    const [bet] = read(text, { decimal: 'decimal' in style ? style.decimal : null })
    expect(bet).toMatchObject({ reference, placedAt, event, line, price, stake })
    expect(bet).toMatchObject({ verdict: { ...verdict, at: now } })
  })
})

it('a file without a sportsbook is told how to name it', () => {
  const bet = {
    ...{ placed_at: '2026-11-20T14:00:00Z', home_team: 'Knicks', away_team: 'Nets', league: 'nba' },
    ...{ start_time: '2026-11-21T00:30:00Z', market: 'moneyline', selection: 'home' },
    ...{ odds_decimal: 1.91, stake: 50 },
  }
  const [one] = readBets(Buffer.from(JSON.stringify([bet])), null, now)
  expect(one!.stated).toMatchObject({
    code: 'missing_field',
    message: expect.stringMatching(
      /^sportsbook: is missing\. .* parameter sportsbook .*Sportsbook\)$/,
    ),
  })
})
