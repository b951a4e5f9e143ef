import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ParsedRecord, parseLine, parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import type { Place } from '../../../../schemas/attributes.ts'
import type { FeedEvent, FeedRecord } from '../../../../schemas/feed-record.ts'
import { maxRecordBytes } from '../../../../schemas/http/ingest.ts'
import { anyStated } from '../../../attribute-values.ts'
import { toIngestLine } from '../../../ingest-lines.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

// biome-ignore lint/suspicious/noExplicitAny: tests put anything anywhere
type Loose = any

const event = () => ({
  external_id: '1598837',
  sport: 'soccer',
  league: 'England - Premier League',
  home_team: 'Leeds United',
  away_team: 'Brentford',
  start_time: '2026-11-21T15:00:00Z',
  is_live: false,
})
const head = (type: string) => ({
  type,
  sportsbook: 'pinnacle',
  observed_at: '2026-11-20T11:59:00.123Z',
})
const good: Record<string, () => Loose> = {
  odds: () => ({
    ...head('odds'),
    mode: 'snapshot',
    event: event(),
    markets: [
      {
        market_type: 'total_goals',
        line: 2.5,
        external_id: 'm1',
        max_bet: 1500,
        selections: [
          {
            selection: 'Over',
            selection_type: 'over',
            odds_decimal: 1.91,
            external_id: 's1',
            changed_at: '2026-11-20T11:00:00Z',
            public_bet_pct: 0.4,
            deep_link: 'https://example.com/s1',
          },
          { selection_type: 'under', odds_american: -103, suspended: true },
        ],
      },
    ],
  }),
  futures: () => ({
    ...head('futures'),
    mode: 'snapshot',
    market: {
      external_id: 'f1',
      sport: 'basketball',
      league: 'NBA',
      name: 'NBA Champion',
      future_type: 'TEAM',
      season: '2026-27',
      settles_at: '2027-06-20T00:00:00Z',
    },
    selections: [
      { selection: 'New York Knicks', odds_american: 900, external_id: 'k' },
      { selection: 'Boston Celtics', suspended: true },
    ],
  }),
  event_status: () => ({ ...head('event_status'), event: event(), status: 'live' }),
  game_state: () => ({ ...head('game_state'), event: event(), state: { home_score: 1 } }),
  splits: () => ({
    ...head('splits'),
    event: event(),
    splits: { moneyline: { home_odds: -110, bets_pct: { home: 0.4, away: 0.6 } } },
  }),
  book_status: () => ({ ...head('book_status'), status: 'down' }),
}
const market = (record: Loose) => record.markets[0]
const selection = (record: Loose) => record.markets[0].selections[0]

/** Returns the error code of a record after a change; `ok` if it is accepted. */
function codeAfter(type: string, change: (record: Loose) => void): string {
  const record = good[type]!()
  change(record)
  const byValue = parseValue(JSON.parse(JSON.stringify(record)), now)
  const byLine = parseLine(JSON.stringify(record), now)
  expect(byLine).toEqual(byValue)
  if (byLine.ok) return 'ok'
  expect(byLine.message).not.toBe('')
  return byLine.code
}
/** Returns the code of the one warning with which a changed record of prices is accepted. */
function warnedAfter(change: (record: Loose) => void): string | undefined {
  const record = good.odds!()
  change(record)
  const parsed = parseValue(JSON.parse(JSON.stringify(record)), now)
  if (!parsed.ok) throw new Error(parsed.message)
  expect(parsed.warnings).toHaveLength(1)
  return parsed.warnings[0]?.code
}
const codeOf = (line: string) => {
  const parsed = parseLine(line, now)
  return parsed.ok ? 'ok' : parsed.code
}

describe('a good record', () => {
  const feedEvent: FeedEvent = {
    externalId: '1598837',
    sport: 'soccer',
    league: 'England - Premier League',
    homeTeam: 'Leeds United',
    awayTeam: 'Brentford',
    startsAt: Date.parse('2026-11-21T15:00:00Z'),
    isLive: false,
  }
  const observedAt = Date.parse('2026-11-20T11:59:00.123Z')
  const read = (record: Loose) => {
    const parsed = parseValue(record, now)
    expect(parsed).toMatchObject({ ok: true })
    return (parsed as Extract<typeof parsed, { ok: true }>).record
  }

  it('of odds has exactly the content sent', () => {
    const stated = {
      selection: null,
      line: null,
      price: null,
      externalId: null,
      removed: false,
      suspended: false,
      maxBet: null,
      changedAt: null,
      publicBetPct: null,
      deepLink: null,
    }
    expect(read(good.odds!())).toEqual({
      type: 'odds',
      sportsbook: 'pinnacle',
      mode: 'snapshot',
      observedAt,
      event: feedEvent,
      markets: [
        {
          marketType: 'total_goals',
          line: 2.5,
          playerName: null,
          statCategory: null,
          externalId: 'm1',
          maxBet: 1500,
          suspended: false,
          selections: [
            {
              ...stated,
              selection: 'Over',
              selectionType: 'over',
              price: 1.91,
              externalId: 's1',
              changedAt: Date.parse('2026-11-20T11:00:00Z'),
              publicBetPct: 0.4,
              deepLink: 'https://example.com/s1',
            },
            { ...stated, selectionType: 'under', price: 1 + 100 / 103, suspended: true },
          ],
        },
      ],
    })
  })

  it('of the other types too', () => {
    const common = { sportsbook: 'pinnacle', observedAt }
    expect(read(good.event_status!())).toEqual({
      type: 'event_status',
      ...common,
      event: feedEvent,
      status: 'live',
    })
    expect(read(good.book_status!())).toEqual({ type: 'book_status', ...common, status: 'down' })
    const state = { home_score: 1, game_clock: '63:20', is_timeout: false, server: null }
    expect(read({ ...good.game_state!(), state })).toEqual({
      type: 'game_state',
      ...common,
      event: feedEvent,
      state,
    })
    expect(
      read({
        ...good.splits!(),
        splits: {
          moneyline: { home_odds: -110, away_odds: 120, handle_pct: { home: 0.3, away: 0.7 } },
          spread: { home_line: -1.5, away_line: 1.5, bets_pct: { home: 0.25, away: 0.75 } },
          total: { line: 2.5, bets_pct: { over: 0.9, under: 0.1 } },
        },
      }),
    ).toEqual({
      type: 'splits',
      ...common,
      event: feedEvent,
      moneyline: { homePrice: 1 + 100 / 110, awayPrice: 2.2, handle: [0.7, 0.3], bets: null },
      spread: { homeLine: -1.5, awayLine: 1.5, handle: null, bets: [0.75, 0.25] },
      total: { line: 2.5, handle: null, bets: [0.9, 0.1] },
    })
    // Percentages with a draw beside the two, and a source without figures.
    expect(
      read({
        ...good.splits!(),
        splits: {
          moneyline: { bets_pct: { home: 52.87, away: 30 }, handle_pct: { home: 0, away: 0 } },
          total: { bets_pct: { over: 1, under: 0 }, handle_pct: { over: 0.7, under: 99.3 } },
        },
      }),
    ).toMatchObject({
      moneyline: { bets: [0.3, 0.5287], handle: null },
      total: { bets: [1, 0], handle: [0.007, 0.993] },
    })
    expect(read({ ...good.splits!(), splits: {} })).toMatchObject({
      moneyline: null,
      spread: null,
      total: null,
    })
  })

  it('may leave out and null what is optional', () => {
    const { external_id: _, is_live: __, ...least } = event()
    const record = {
      ...good.odds!(),
      event: least,
      markets: [
        { market_type: 'moneyline', selections: [{ selection_type: 'home', odds_decimal: 2 }] },
      ],
    }
    expect(read(record)).toMatchObject({ event: { externalId: null, isLive: false } })
    expect(read({ ...record, event: { ...least, external_id: null } })).toEqual(read(record))
    expect(read({ ...good.odds!(), markets: [] })).toMatchObject({ markets: [] })
  })

  it('takes dates with any offset, and names without the blanks around them', () => {
    const record = good.odds!()
    record.event.start_time = '2026-11-21T10:00:00-05:00'
    record.observed_at = '2026-11-20T11:59:00.123456789Z'
    selection(record).changed_at = '2024-02-29T23:59:59Z'
    record.event.home_team = '  Leeds United '
    expect(read(record)).toMatchObject({
      observedAt,
      event: feedEvent,
      markets: [{ selections: [{ changedAt: Date.parse('2024-02-29T23:59:59Z') }, {}] }],
    })
  })

  it.each([
    ['home', -1.5, -1.5],
    ['away', -1.5, 1.5],
    ['away', 0, 0],
    ['away', 2.25, -2.25],
    // These keep the market's own line (`FeedSelection.line`).
    ['draw', 1, null],
    ['home_over', 1.5, null],
  ])("reads a market's line for %s at %s as %s", (selection_type, line, expected) => {
    const record = good.odds!()
    record.markets = [
      { market_type: 'point_spread', line, selections: [{ selection_type, odds_decimal: 2 }] },
    ]
    expect(read(record)).toMatchObject({ markets: [{ line, selections: [{ line: expected }] }] })
    record.markets[0].selections[0].line = 9
    expect(read(record)).toMatchObject({ markets: [{ selections: [{ line: 9 }] }] })
  })

  it.each([
    ['run_line', 'away', -1],
    ['1st_half_asian_handicap_corners', 'away', -1],
    ['European Handicap', 'away', -1],
    ['Alternate Spread', 'away', -1],
    ['race_to_points', 'away', null],
    ['race_to_points', 'home', null],
    ['1st_to_score_points', 'away', null],
    ['moneyline', 'away', -1],
    ['moneyline_3-way', 'home', 1],
    ['moneyline_3-way', 'draw', null],
    ['moneyline_3-way', 'away', -1],
  ])('reads the line of a %s for %s as %s', (market_type, selection_type, expected) => {
    const record = good.odds!()
    record.markets = [{ market_type, line: 1, selections: [{ selection_type, odds_decimal: 2 }] }]
    expect(read(record)).toMatchObject({ markets: [{ line: 1, selections: [{ line: expected }] }] })
  })

  it('slugs a market type we do not list', () => {
    const record = good.odds!()
    market(record).market_type = 'First Team to Score!'
    expect(read(record)).toMatchObject({ markets: [{ marketType: 'first_team_to_score' }] })
  })

  it('uses the last of a repeated field, as JSON does', () => {
    const line = JSON.stringify(good.book_status!()).replace('{', '{"status":"up",')
    expect(parseLine(line, now)).toMatchObject({ ok: true, record: { status: 'down' } })
    const twice = JSON.stringify(good.odds!()).replace(
      '"odds_decimal":1.91',
      '"odds_decimal":0,"odds_decimal":1.91',
    )
    expect(codeOf(twice)).toBe('ok')
  })
})

describe('a price', () => {
  const price = (decimal: unknown, american?: unknown) => {
    const record = good.odds!()
    const { odds_decimal: _, ...rest } = selection(record)
    record.markets[0].selections = [
      {
        ...rest,
        ...(decimal !== undefined && { odds_decimal: decimal }),
        ...(american !== undefined && { odds_american: american }),
      },
    ]
    return priceOf(parseValue(record, now))
  }
  /** Returns the price, or the fault that suspends its selection. */
  const priceOf = (parsed: ParsedRecord) => {
    if (!parsed.ok) throw new Error(parsed.message)
    const { record, warnings } = parsed
    const [only] = (record as Extract<FeedRecord, { type: 'odds' }>).markets[0]!.selections
    const isFaulty = warnings.length > 0
    expect(only).toMatchObject({ suspended: isFaulty, removed: false })
    expect(only!.price === null).toBe(isFaulty)
    return isFaulty ? warnings[0]!.code : only!.price
  }

  it.each([
    1,
    1.0000001,
    0.5,
    0,
    -1,
    -2.5,
    1e307,
    Number.MAX_VALUE,
    '1.91',
    'NaN',
    '',
    true,
    [2],
    {},
  ])('is invalid in decimal: %j', (decimal) => {
    expect(price(decimal)).toBe('invalid_price')
  })

  it.each([99, -99, 99.99, 0, 1, -100 + 1e-9, -100_000_001, 1e308, -1e308, '+110', '110', false])(
    'is invalid in American: %j',
    (american) => {
      expect(price(undefined, american)).toBe('invalid_price')
    },
  )

  it('as a text is refused with the number to send', () => {
    const messageOf = (stated: object) => {
      const record = good.odds!()
      const { odds_decimal: _, ...rest } = selection(record)
      record.markets[0].selections = [{ ...rest, ...stated }]
      const parsed = parseValue(record, now)
      return parsed.ok ? parsed.warnings[0]?.message : parsed.message
    }
    expect(messageOf({ odds_american: '+108' })).toContain('108, not the text "+108"')
    expect(messageOf({ odds_decimal: '1.91' })).toContain('1.91, not the text "1.91"')
  })

  it.each(['1e999', '-1e999'])('is invalid beyond all numbers: %s', (text) => {
    const line = (member: string) =>
      JSON.stringify(good.odds!()).replace('"odds_decimal":1.91', `"${member}":${text}`)
    expect(priceOf(parseLine(line('odds_decimal'), now))).toBe('invalid_price')
    expect(priceOf(parseLine(line('odds_american'), now))).toBe('invalid_price')
  })

  it.each(
    ['suspended', 'removed'].flatMap((member) =>
      [0, 1, null, 'n/a', -1e9].map((odds) => [member, odds] as const),
    ),
  )('must be missing if its selection is %s: %j', (member, odds) => {
    const record = good.odds!()
    Object.assign(selection(record), { odds_american: odds, odds_decimal: odds, [member]: true })
    const parsed = parseValue(record, now)
    if (!parsed.ok) throw new Error(parsed.message)
    expect(parsed.warnings).toEqual([])
    const { markets } = parsed.record as Extract<FeedRecord, { type: 'odds' }>
    expect(markets[0]!.selections[0]).toMatchObject({ price: null, [member]: true })
  })

  it('costs only itself among 8,000', () => {
    const record = good.odds!()
    const { selections: _, ...rest } = market(record)
    record.markets = Array.from({ length: 4_000 }, (_, line) => ({
      ...rest,
      market_type: 'total_points',
      line,
      selections: ['over', 'under'].map((selection_type) => ({
        selection_type,
        odds_decimal: line === 17 && selection_type === 'over' ? 0 : 1.9,
      })),
    }))
    const parsed = parseValue(record, now)
    if (!parsed.ok) throw new Error(parsed.message)
    expect(parsed.warnings).toMatchObject([
      { code: 'invalid_price', marketType: 'total_points', selection: 'over 17', isLeftOut: true },
    ])
    const { markets } = parsed.record as Extract<FeedRecord, { type: 'odds' }>
    const priced = markets.flatMap(({ selections }) => selections.filter(({ price }) => price))
    expect(priced).toHaveLength(7_999)
  })

  it.each(['NaN', 'Infinity', '01.5', '1.', '+2', '.5', '0x2', '1_000'])(
    'is invalid JSON as %s',
    (text) => {
      const line = JSON.stringify(good.odds!()).replace('1.91', text)
      expect(codeOf(line)).toBe('invalid_json')
    },
  )

  it('is missing if neither format is there', () => {
    expect(price(undefined)).toBe('missing_price')
    expect(price(null)).toBe('missing_price')
    expect(price(null, null)).toBe('missing_price')
  })

  it('may be missing if nothing is for sale', () => {
    for (const [target, member] of [
      [selection, 'removed'],
      [selection, 'suspended'],
      [market, 'suspended'],
    ] as const) {
      expect(
        codeAfter('odds', (record) => {
          delete selection(record).odds_decimal
          target(record)[member] = true
        }),
      ).toBe('ok')
    }
  })

  it.each([
    [2.5, undefined, 2.5],
    [undefined, 150, 2.5],
    [undefined, -200, 1.5],
    [undefined, 100, 2],
    [undefined, -100, 2],
    [undefined, 100_000, 1001],
    [undefined, -100_000_000, 1.000001],
    [1.000001, undefined, 1.000001],
    [1_000_000, undefined, 1_000_000],
    [1.91, -110, 1.91],
    [2.5, 150, 2.5],
    [null, 150, 2.5],
    [2.5, null, 2.5],
  ])('is %s and %s: %s', (decimal, american, expected) => {
    expect(price(decimal, american)).toBe(expected)
  })

  it.each([
    [1.91, 110],
    [2.5, 200],
    [1.91, -150],
    [1.01, -100],
  ])('cannot be both %s and %s', (decimal, american) => {
    expect(price(decimal, american)).toBe('price_mismatch')
  })
})

describe('a bad record is refused with its code', () => {
  const names = ['sportsbook', 'sport', 'league', 'home_team', 'away_team', 'external_id']
  const put = (record: Loose, name: string, value: unknown) => {
    if (name === 'sportsbook') record.sportsbook = value
    else record.event[name] = value
  }

  it.each(['', '{', 'x', '{"type":"odds"', "{'type':'odds'}", '{} {}', '{"a":1,}', '\u0000{}'])(
    'invalid_json: %j',
    (line) => {
      expect(codeOf(line)).toBe('invalid_json')
    },
  )

  it.each(['[]', '[{}]', '5', '-0', 'null', 'true', '"odds"', '1e999'])(
    'not_an_object: %s',
    (line) => {
      expect(codeOf(line)).toBe('not_an_object')
    },
  )

  it('record_too_long', () => {
    const long = JSON.stringify(good.odds!())
    expect(codeOf(long.padEnd(maxRecordBytes, ' '))).toBe('ok')
    expect(codeOf(long.padEnd(maxRecordBytes + 1, ' '))).toBe('record_too_long')
  })

  it('record_too_long, by bytes', () => {
    // Half as many characters as the limit has bytes, at three bytes each.
    expect(codeOf(JSON.stringify({ type: '東'.repeat(maxRecordBytes / 2) }))).toBe(
      'record_too_long',
    )
  })

  it.each([
    [{}],
    [{ type: 'nothing' }],
    [{ type: 5 }],
    [{ type: null }],
    [{ type: 'tick' }],
    [{ Type: 'odds' }],
    [{ type: '__proto__' }],
  ])('unknown_type: %j', (record) => {
    expect(codeOf(JSON.stringify({ ...good.book_status!(), type: undefined, ...record }))).toBe(
      'unknown_type',
    )
  })

  it.each<[string, string, (record: Loose) => Loose]>([
    ['odds', 'the record', (record) => record],
    ['odds', 'the event', (record) => record.event],
    ['odds', 'a market', market],
    ['odds', 'a selection', selection],
    ['event_status', 'the record', (record) => record],
    ['game_state', 'the record', (record) => record],
    ['splits', 'the splits', (record) => record.splits],
    ['splits', 'the moneyline', (record) => record.splits.moneyline],
    ['splits', 'a pair', (record) => record.splits.moneyline.bets_pct],
    ['book_status', 'the record', (record) => record],
  ])('unknown_field: %s, in %s', (type, _where, of) => {
    expect(
      codeAfter(type, (record) => {
        of(record).odd_decimal = 2
      }),
    ).toBe('unknown_field')
    expect(
      codeAfter(type, (record) => {
        of(record).constructor = 2
      }),
    ).toBe('unknown_field')
    // JSON.parse makes this name an own property.
    expect(
      codeAfter(type, (record) => {
        Object.defineProperty(of(record), '__proto__', { value: { price: 2 }, enumerable: true })
      }),
    ).toBe('unknown_field')
  })

  it.each<[string, (record: Loose) => Loose, string, string]>([
    ['is_live', (record) => record, 'there is no field is_live', '; is_live stands in the event'],
    ['line', (record) => record, 'no field line', '; line stands in a market and a selection'],
    ['player_name', selection, 'no field player_name', '; player_name stands in a market'],
    ['constructor', selection, 'no field constructor', 'no field constructor'],
  ])('unknown_field: says where %s stands', (field, of, found, hint) => {
    const record = good.odds!()
    of(record)[field] = true
    const parsed = parseLine(JSON.stringify(record), now)
    const message = parsed.ok ? '' : parsed.message
    expect(message).toContain(found)
    expect(message.endsWith(hint)).toBe(true)
  })

  it('__proto__ in a game state is not dropped silently', () => {
    const line = JSON.stringify(good.game_state!()).replace(
      '"home_score"',
      '"__proto__":1,"home_score"',
    )
    expect(['unknown_field', 'invalid_field']).toContain(codeOf(line))
  })

  it.each(['sportsbook', 'observed_at', 'mode', 'event', 'markets'])(
    'missing_field: %s',
    (name) => {
      expect(codeAfter('odds', (record) => delete record[name])).toBe('missing_field')
    },
  )

  it.each(['sport', 'league', 'home_team', 'away_team', 'start_time'])(
    'missing_field: event.%s',
    (name) => {
      expect(codeAfter('odds', (record) => delete record.event[name])).toBe('missing_field')
    },
  )

  it.each<[string, (record: Loose) => void]>([
    ['market_type', (record) => delete market(record).market_type],
    ['selections', (record) => delete market(record).selections],
    ['selection_type', (record) => delete selection(record).selection_type],
  ])('missing_field of a price costs only itself: %s', (_name, change) => {
    expect(warnedAfter(change)).toBe('missing_field')
  })

  it('missing_field: status', () => {
    expect(codeAfter('event_status', (record) => delete record.status)).toBe('missing_field')
    expect(codeAfter('book_status', (record) => delete record.status)).toBe('missing_field')
  })

  it.each(names)('invalid_field: %s', (name) => {
    for (const value of [
      '',
      ' ',
      ' \u00a0 ',
      'a\nb',
      'a\u0000',
      'a\u001f',
      'a\u007fb',
      'x'.repeat(201),
      5,
      [],
      {},
      true,
    ]) {
      const code = codeAfter('odds', (record) => put(record, name, value))
      expect([value, code]).toEqual([value, 'invalid_field'])
    }
    expect(codeAfter('odds', (record) => put(record, name, 'x'.repeat(200)))).toBe('ok')
  })

  it('invalid_field: a text that the log cannot store unchanged', () => {
    for (const name of names) {
      const code = codeAfter('odds', (record) => put(record, name, 'half a \ud83d pair'))
      expect([name, code]).toEqual([name, 'invalid_field'])
    }
  })

  it.each<[string, (record: Loose) => void]>([
    [
      'mode',
      (record) => {
        record.mode = 'full'
      },
    ],
    [
      'is_live',
      (record) => {
        record.event.is_live = 'false'
      },
    ],
    [
      'is_live null',
      (record) => {
        record.event.is_live = null
      },
    ],
    [
      'event',
      (record) => {
        record.event = []
      },
    ],
    [
      'markets',
      (record) => {
        record.markets = { 0: {} }
      },
    ],
  ])('invalid_field: %s', (_name, change) => {
    expect(codeAfter('odds', change)).toBe('invalid_field')
  })

  it.each<[string, (record: Loose) => void]>([
    [
      'a market',
      (record) => {
        record.markets = [null]
      },
    ],
    [
      'line',
      (record) => {
        market(record).line = '2.5'
      },
    ],
    [
      'far line',
      (record) => {
        market(record).line = 1e6
      },
    ],
    [
      'max_bet',
      (record) => {
        market(record).max_bet = -1
      },
    ],
    [
      'public_bet_pct',
      (record) => {
        selection(record).public_bet_pct = 40
      },
    ],
    [
      'removed',
      (record) => {
        selection(record).removed = 1
      },
    ],
    [
      'selection_type',
      (record) => {
        selection(record).selection_type = '+Over'
      },
    ],
    [
      'selection_type _',
      (record) => {
        selection(record).selection_type = '_over'
      },
    ],
    [
      'selection_type long',
      (record) => {
        selection(record).selection_type = 'o'.repeat(61)
      },
    ],
    [
      'deep_link',
      (record) => {
        selection(record).deep_link = 'javascript:alert(1)'
      },
    ],
    [
      'deep_link text',
      (record) => {
        selection(record).deep_link = 'nowhere'
      },
    ],
    [
      'player_name',
      (record) => {
        market(record).player_name = ''
      },
    ],
    [
      'stat_category',
      (record) => {
        market(record).stat_category = 'a\tb'
      },
    ],
  ])('invalid_field of a price costs only itself: %s', (_name, change) => {
    expect(warnedAfter(change)).toBe('invalid_field')
  })

  it('missing_field where no selection is named', () => {
    const change = (record: Loose) => {
      market(record).selections = []
    }
    expect(warnedAfter(change)).toBe('missing_field')
  })

  it('invalid_field: statuses, states and shares', () => {
    expect(
      codeAfter('event_status', (record) => {
        record.status = 'over'
      }),
    ).toBe('invalid_field')
    expect(
      codeAfter('book_status', (record) => {
        record.status = 'UP'
      }),
    ).toBe('invalid_field')
    for (const state of [
      { Home: 1 },
      { a: [] },
      { a: {} },
      { '': 1 },
      { a: 'x'.repeat(1_001) },
      [],
      5,
    ]) {
      expect(
        codeAfter('game_state', (record) => {
          record.state = state
        }),
      ).toBe('invalid_field')
    }
    const splits = (value: object) =>
      codeAfter('splits', (record) => {
        record.splits = value
      })
    expect(splits({ total: { bets_pct: { over: 60, under: -40 } } })).toBe('invalid_field')
    expect(splits({ total: { bets_pct: { over: 160, under: 40 } } })).toBe('invalid_field')
    expect(splits({ total: { bets_pct: { over: 60, under: 30 } } })).toBe('bad_shares')
    expect(splits({ total: { bets_pct: { over: 0.6, under: 0.6 } } })).toBe('bad_shares')
    expect(splits({ spread: { handle_pct: { home: 0.6, away: 0.3 } } })).toBe('bad_shares')
    expect(splits({ moneyline: { handle_pct: { home: 90, away: 20 } } })).toBe('bad_shares')
    expect(splits({ moneyline: { home_odds: 50 } })).toBe('ok')
  })

  it.each([
    '2026-02-30T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T24:00:01Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T12:00:00+25:00',
    '2026-11-20T12:00:00+05:60',
    '2026-00-10T12:00:00Z',
    '2026-11-00T12:00:00Z',
    '2026-11-31T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2026-11-20T12:00:00+0500',
    ' 2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00Z\n',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:00',
    '2026-11-20',
    '20261120T120000Z',
    '2026-11-20 12:00:00Z',
    '1795176000',
    'yesterday',
    '',
    '+012026-11-20T12:00:00Z',
    // A year that our date format cannot write.
    '0000-01-01T00:00:00+05:00',
  ])('invalid_date: %j', (date) => {
    expect(
      codeAfter('odds', (record) => {
        record.observed_at = date
      }),
    ).toBe('invalid_date')
    expect(
      codeAfter('odds', (record) => {
        record.event.start_time = date
      }),
    ).toBe('invalid_date')
    expect(
      warnedAfter((record) => {
        selection(record).changed_at = date
      }),
    ).toBe('invalid_date')
  })

  it('invalid_date: a start beyond the last year with four digits', () => {
    const code = codeAfter('odds', (record) => {
      record.event.start_time = '9999-12-31T23:59:59-05:00'
    })
    expect(code).toBe('invalid_date')
  })

  it('observed_in_future: further ahead than clocks differ', () => {
    const at = (ms: number) =>
      codeAfter('odds', (record) => {
        record.observed_at = new Date(now + ms).toISOString()
      })
    expect(at(5 * 60_000)).toBe('ok')
    expect(at(5 * 60_000 + 1)).toBe('observed_in_future')
    expect(at(1e12)).toBe('observed_in_future')
    expect(at(-1e12)).toBe('ok')
  })

  it('unknown_sportsbook and unknown_market: names of symbols', () => {
    const spoil = (record: Loose) => {
      record.sportsbook = '!!!'
    }
    expect(codeAfter('odds', spoil)).toBe('unknown_sportsbook')
    const spoilMarket = (record: Loose) => {
      record.markets[0].market_type = '!!!'
    }
    expect(warnedAfter(spoilMarket)).toBe('unknown_market')
  })

  it('unprintable_text: in the state of a game', () => {
    const code = codeAfter('game_state', (record) => {
      record.state.clock = '12:00\u0000'
    })
    expect(code).toBe('unprintable_text')
  })

  it('same_teams', () => {
    for (const away of ['Leeds United', ' Leeds United ', 'LEEDS UNITED']) {
      expect(
        codeAfter('odds', (record) => {
          record.event.away_team = away
        }),
      ).toBe('same_teams')
    }
  })

  it('anything nested or huge in it', () => {
    for (const depth of [100, 10_000, 200_000]) {
      expect(codeOf('['.repeat(depth))).toBe('invalid_json')
      expect(codeOf('['.repeat(depth) + ']'.repeat(depth))).toBe('not_an_object')
      expect(codeOf(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)).toMatch(
        /unknown_type|record_too_long/,
      )
      const inside = JSON.stringify(good.odds!()).replace(
        '"soccer"',
        '['.repeat(depth) + ']'.repeat(depth),
      )
      expect(codeOf(inside)).toBe('invalid_field')
    }
    const many = (count: number) => (record: Loose) => {
      record.markets = Array.from({ length: count }, () => market(record))
    }
    expect(codeOf(JSON.stringify({ ...good.odds!(), markets: Array(50_000).fill(0) }))).toBe(
      'invalid_field',
    )
    expect(
      parseValue(
        (() => {
          const r = good.odds!()
          many(5_001)(r)
          return r
        })(),
        now,
      ),
    ).toMatchObject({ ok: false, code: 'invalid_field' })
    expect(
      codeAfter('odds', (record) => {
        market(record).selections = Array.from({ length: 1_001 }, () => selection(record))
      }),
    ).toBe('invalid_field')
  })
})

describe('any value at all', () => {
  it('is a record or a refusal, never a throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const parsed = parseValue(value, now)
        if (!parsed.ok) expect(parsed.message).toEqual(expect.any(String))
      }),
    )
    const types = Object.keys(good)
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.nat(),
        fc.jsonValue({ maxDepth: 2 }),
        (type, at, value) => {
          const record = good[type]!()
          const places: [Loose, string][] = []
          const visit = (of: Loose) => {
            for (const key of Object.keys(of)) {
              places.push([of, key])
              if (typeof of[key] === 'object' && of[key] !== null) visit(of[key])
            }
          }
          visit(record)
          const [of, key] = places[at % places.length]!
          of[key] = value
          parseValue(record, now)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('comes back from its text', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter(
        (value) =>
          value.trim() === value &&
          value !== '' &&
          [...value].every((c) => c >= ' ' && c !== '\u007f'),
      )
    const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
    const at = fc.integer({ min: Date.parse('2000-01-01T00:00:00Z'), max: now })
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    const line = fc.integer({ min: -400, max: 400 }).map((quarters) => quarters / 4)
    const withAttributes = <At extends Place, Rest>(
      at: At,
      rest: { [Member in keyof Rest]: fc.Arbitrary<Rest[Member]> },
    ) => fc.tuple(anyStated(at), fc.record(rest)).map(([more, stated]) => ({ ...more, ...stated }))
    const feedEvent = fc.record({
      externalId: nullable(text),
      sport: text,
      league: text,
      homeTeam: text.map((name) => `H ${name}`),
      awayTeam: text.map((name) => `A ${name}`),
      startsAt: at,
      isLive: fc.boolean(),
    })
    const feedSelection = withAttributes('selection', {
      selection: nullable(text),
      selectionType: fc.constantFrom('over', 'under', 'draw', '2_1', 'home_draw'),
      line: nullable(line),
      price: fc.double({ min: 1.001, max: 1e6, noNaN: true }),
      externalId: nullable(text),
      removed: fc.boolean(),
      suspended: fc.boolean(),
      maxBet: nullable(fc.double({ min: 0, max: 1e6, noNaN: true })),
      changedAt: nullable(at),
      publicBetPct: nullable(fraction),
      deepLink: fc.constantFrom(null, 'https://example.com/a?b=c'),
    })
    const feedMarket = withAttributes('market', {
      // Types that accept any outcome, so that nothing is left out.
      marketType: fc.constantFrom('winning_margin', 'correct_score', 'a_market_of_ours'),
      line: nullable(line),
      playerName: nullable(text),
      statCategory: nullable(text),
      externalId: nullable(text),
      maxBet: nullable(fc.double({ min: 0, max: 1e6, noNaN: true })),
      suspended: fc.boolean(),
      selections: fc.array(feedSelection, { minLength: 1, maxLength: 4 }),
    })
    // The prefix, because a sportsbook's name needs a letter or a digit.
    const common = { sportsbook: text.map((name) => `S ${name}`), observedAt: at }
    const records: fc.Arbitrary<FeedRecord> = fc.oneof(
      fc.record({
        type: fc.constant('odds' as const),
        ...common,
        mode: fc.constantFrom('snapshot' as const, 'delta' as const),
        event: feedEvent,
        markets: fc.array(feedMarket, { maxLength: 3 }),
      }),
      fc.record({
        type: fc.constant('event_status' as const),
        ...common,
        event: feedEvent,
        status: fc.constantFrom('upcoming' as const, 'final' as const),
      }),
      fc.record({
        type: fc.constant('book_status' as const),
        ...common,
        status: fc.constantFrom('up' as const, 'down' as const),
      }),
    )
    const plus0 = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    fc.assert(
      fc.property(records, (record) => {
        const parsed = parseLine(toIngestLine(record), now)
        expect(plus0(parsed)).toMatchObject({ ok: true, record: plus0(record) })
      }),
      { numRuns: 200 },
    )
  })
})
