import { describe, expect, it } from 'vitest'
import { parseValue } from '../../../../pipeline/feeds/push/parse.ts'
import type { OddsRecord } from '../../../../schemas/feed-record.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

interface StatedSelection {
  readonly selection_type: string
  readonly selection?: string
  readonly line?: number
  readonly odds_decimal?: number
  readonly removed?: boolean
}

/** Returns the parsed market of a record, or its fault. */
const push = (sport: string, ...markets: readonly object[]) => pushAs('snapshot', sport, markets)

function pushAs(mode: OddsRecord['mode'], sport: string, markets: readonly object[]) {
  const parsed = parseValue(
    {
      type: 'odds',
      sportsbook: 'pinnacle',
      mode,
      observed_at: '2026-11-20T11:59:00Z',
      event: {
        sport,
        league: `a ${sport} league of ours`,
        home_team: 'Leeds',
        away_team: 'York',
        start_time: '2026-11-21T15:00:00Z',
      },
      markets,
    },
    now,
  )
  if (!parsed.ok) throw new Error(parsed.message)
  return { record: parsed.record as OddsRecord, warnings: parsed.warnings }
}

const market = (market_type: string, selections: readonly StatedSelection[], line?: number) => ({
  market_type,
  ...(line !== undefined && { line }),
  selections: selections.map((stated) => ({
    ...(stated.removed ? {} : { odds_decimal: 1.9 }),
    ...stated,
  })),
})
const sides: readonly StatedSelection[] = [{ selection_type: 'home' }, { selection_type: 'away' }]
const counts: readonly StatedSelection[] = [{ selection_type: 'over' }, { selection_type: 'under' }]
const ways: readonly StatedSelection[] = [...sides, { selection_type: 'draw' }]

describe('a line with the noise of a binary fraction', () => {
  it('is the line that it means', () => {
    const lines = [220.5, 220.50000000000003].map((line, at) => ({
      ...counts[at],
      line,
    })) as StatedSelection[]
    const { record, warnings } = push('basketball', market('total_points', lines))
    expect(warnings).toEqual([])
    expect(record.markets.flatMap(({ selections }) => selections.map(({ line }) => line))).toEqual([
      220.5, 220.5,
    ])
    const ofMarket = push('basketball', market('total_points', counts, -1.4999999999999998))
    expect(ofMarket.record.markets[0]?.line).toBe(-1.5)
  })
})

describe('a market pushed under another name', () => {
  it.each([
    ['basketball', 'spreads', 'point_spread'],
    ['hockey', 'spread', 'puck_line'],
    ['baseball', 'Handicap', 'run_line'],
    ['soccer', 'handicap', 'point_spread'],
  ])('has its lines by side: %s %s', (sport, name, marketType) => {
    const { record, warnings } = push(sport, market(name, sides, -1.5))
    expect(warnings).toEqual([])
    expect(record.markets).toMatchObject([
      {
        marketType,
        selections: [
          { selectionType: 'home', line: -1.5 },
          { selectionType: 'away', line: 1.5 },
        ],
      },
    ])
  })

  it.each([
    ['basketball', 'Over/Under', 'total_points'],
    ['baseball', 'totals', 'total_runs'],
    ['soccer', 'O/U', 'total_goals'],
    ['tennis', 'total', 'total_games'],
  ])('has its total: %s %s', (sport, name, marketType) => {
    const { record, warnings } = push(sport, market(name, counts, 8.5))
    expect(warnings).toEqual([])
    expect(record.markets).toMatchObject([{ marketType, line: 8.5 }])
  })

  it('of three answers in soccer is the moneyline', () => {
    for (const name of ['h2h', '1x2', 'match_winner', 'Full Time Result']) {
      const { record, warnings } = push('soccer', market(name, ways))
      expect([name, record.markets[0]?.marketType, warnings]).toEqual([name, 'moneyline', []])
    }
  })

  it('takes the sport of a league we know, not the one that was sent', () => {
    const parsed = parseValue(
      {
        type: 'odds',
        sportsbook: 'pinnacle',
        mode: 'snapshot',
        observed_at: '2026-11-20T11:59:00Z',
        event: {
          sport: 'Ice Hockey',
          league: 'NHL',
          home_team: 'Boston Bruins',
          away_team: 'New York Rangers',
          start_time: '2026-11-21T15:00:00Z',
        },
        markets: [market('spread', sides, -1.5)],
      },
      now,
    )
    expect(parsed).toMatchObject({ record: { markets: [{ marketType: 'puck_line' }] } })
  })

  it('of a player is found by name or by statistic', () => {
    const of = (market_type: string, stat_category?: string) =>
      push('basketball', {
        ...market(market_type, counts, 22.5),
        player_name: 'A Guard',
        ...(stat_category && { stat_category }),
      }).record.markets[0]?.marketType
    expect(of('points')).toBe('player_points')
    expect(of('Player Points')).toBe('player_points')
    expect(of('player_prop', 'points')).toBe('player_points')
    expect(of('Player Props', 'points')).toBe('player_points')
    expect(of('Over/Under', 'Points')).toBe('player_points')
    expect(of('Over/Under')).toBe('over_under')
  })
})

describe('a market that matches no other', () => {
  it('is taken, with a warning', () => {
    const { record, warnings } = push('basketball', market('Largest Lead', counts, 14.5))
    expect(record.markets).toMatchObject([{ marketType: 'largest_lead', line: 14.5 }])
    expect(warnings).toEqual([
      {
        code: 'unknown_market',
        message: expect.stringContaining('largest_lead'),
        marketType: 'Largest Lead',
        isLeftOut: false,
      },
    ])
  })
  it('gets suggestions if a sport has two of its name', () => {
    const { record, warnings } = push('tennis', market('spread', sides, -1.5))
    expect(record.markets).toMatchObject([{ marketType: 'spread' }])
    expect(warnings).toMatchObject([
      { code: 'unclear_market', near: ['set_handicap', 'game_handicap'] },
    ])
  })
  it('gets a warning if its type belongs to other sports', () => {
    const { warnings } = push('basketball', market('total_corners', counts, 9.5))
    expect(warnings).toMatchObject([{ code: 'market_of_other_sports', isLeftOut: false }])
    expect(push('handball', market('total_goals', counts, 55.5)).warnings).toEqual([])
  })
})

describe('a selection that does not fit its market', () => {
  const kept = (record: OddsRecord) =>
    record.markets.flatMap(({ selections }) => selections.map((of) => of.selectionType))

  it.each([
    ['over on a moneyline', 'answer_of_another_market', 'moneyline', 'over', undefined],
    ['home on a total', 'answer_of_another_market', 'total_points', 'home', 200.5],
  ])('%s is left out and named', (_, code, type, wrong, line) => {
    const right = line === undefined ? sides : counts
    const stated = [...right, { selection_type: wrong }]
    const { record, warnings } = push('basketball', market(type, stated, line))
    expect(kept(record)).toEqual(right.map(({ selection_type }) => selection_type))
    expect(warnings).toMatchObject([{ code, isLeftOut: true }])
    expect(warnings[0]?.message).toContain(wrong)
  })

  it('without its line is left out and named, once each', () => {
    for (const type of ['total_points', 'point_spread', 'team_total']) {
      const stated =
        type === 'total_points'
          ? counts
          : type === 'team_total'
            ? [{ selection_type: 'home_over' }, { selection_type: 'home_under' }]
            : sides
      const { record, warnings } = push('basketball', market(type, stated))
      expect(record.markets).toEqual([])
      expect(warnings.map(({ code }) => code)).toEqual(['missing_line', 'missing_line'])
    }
  })

  it('may be withdrawn all the same', () => {
    const removal = [{ selection_type: 'over', removed: true }]
    const { record, warnings } = push('basketball', market('total_points', removal))
    expect(kept(record)).toEqual(['over'])
    expect(warnings).toEqual([])
  })

  it.each([
    ['home -1.5 and away -1.5', 'point_spread', [-1.5, -1.5]],
    ['home -1.5 and away +2.5', 'point_spread', [-1.5, 2.5]],
  ])('%s contradict each other', (_, type, [home, away]) => {
    const stated = [
      { selection_type: 'home', line: home as number },
      { selection_type: 'away', line: away as number },
    ]
    const { record, warnings } = push('basketball', market(type, stated))
    expect(record.markets).toEqual([])
    expect(warnings).toMatchObject([{ code: 'contradictory_lines', isLeftOut: true }])
  })

  it('of a ladder, or with one side only, contradicts nothing', () => {
    const ladder = [-1.5, -2.5].flatMap((line) => [
      { selection_type: 'home', line },
      { selection_type: 'away', line: -line },
    ])
    const reversed = [
      ...ladder,
      { selection_type: 'home', line: 1.5 },
      { selection_type: 'away', line: -1.5 },
    ]
    for (const stated of [ladder, reversed, ladder.slice(0, 1), ladder.slice(0, 3)]) {
      expect(push('basketball', market('point_spread', stated)).warnings).toEqual([])
    }
    const drawn = [
      { selection_type: 'home', line: -1 },
      { selection_type: 'draw', line: 1 },
    ]
    expect(push('soccer', market('handicap_3-way', drawn)).warnings).toEqual([])
    const totals = market('total_points', [
      { selection_type: 'over', line: 200.5 },
      { selection_type: 'under', line: 201.5 },
    ])
    expect(push('basketball', totals).warnings).toMatchObject([{ code: 'contradictory_lines' }])
  })

  it('that makes it another question is kept, with a warning that names its type', () => {
    const lined = push('basketball', market('moneyline', sides, -1.5))
    expect(kept(lined.record)).toEqual(['home', 'away'])
    expect(lined.warnings).toMatchObject([{ code: 'unexpected_line', isLeftOut: false }])

    for (const [sport, type, line, filed] of [
      ['basketball', 'moneyline', undefined, 'moneyline_3-way'],
      ['hockey', 'h2h', undefined, 'moneyline_3-way'],
      ['mma', 'fight winner', undefined, 'moneyline_3-way'],
      ['baseball', 'run_line', -1, 'handicap_3-way'],
      ['soccer', 'spreads', -1, 'handicap_3-way'],
    ] as const) {
      const { record, warnings } = push(sport, market(type, ways, line))
      expect(kept(record)).toEqual(['home', 'away', 'draw'])
      expect(warnings).toMatchObject([{ code: 'unexpected_draw', isLeftOut: false }])
      expect(warnings[0]?.message).toContain(` served as ${filed}`)
    }
    for (const [sport, type] of [
      ['soccer', 'moneyline'],
      ['hockey', '1x2'],
    ] as const) {
      expect(push(sport, market(type, ways)).warnings).toEqual([])
    }
  })

  it.each([
    ['soccer', 'moneyline', [1.55, 2.6], 'moneyline_without_draw'],
    ['soccer', '1st_half_moneyline', [1.55, 2.6], '1st_half_moneyline_without_draw'],
    ['hockey', '1x2', [1.9, 1.9], 'moneyline_3-way_without_draw'],
    ['soccer', 'moneyline', [2, 2], 'moneyline_without_draw'],
    ['soccer', 'moneyline', [2, 3.9], null],
    ['soccer', 'moneyline', [1.02, 51], null],
    ['soccer', 'draw_no_bet', [1.55, 2.6], null],
    ['basketball', 'moneyline', [1.55, 2.6], null],
  ] as const)('a %s %s of two sides at %s is filed as %s', (sport, type, prices, filed) => {
    const [home, away] = prices
    const stated = [
      { selection_type: 'home', odds_decimal: home },
      { selection_type: 'away', odds_decimal: away },
    ]
    const message = expect.stringMatching(` served as ${filed}$`)
    const expected = filed ? [{ code: 'missing_draw', message, isLeftOut: false }] : []
    const { record, warnings } = push(sport, market(type, stated))
    expect(warnings).toMatchObject(expected)
    expect(warnings).toHaveLength(expected.length)
    expect(kept(record)).toEqual(['home', 'away'])
    // A delta may state the sides of three ways alone.
    expect(pushAs('delta', sport, [market(type, stated)]).warnings).toEqual([])

    const draw = { selection_type: 'draw', odds_decimal: 3.4 }
    const apart = [market('moneyline', stated), market('moneyline', [draw])]
    if (sport === 'soccer') expect(push(sport, ...apart).warnings).toEqual([])
  })

  it.each([
    [
      'mma',
      'moneyline',
      undefined,
      [...sides, { selection_type: 'tie' }],
      'unexpected_draw',
      'moneyline_3-way',
    ],
    ['soccer', 'draw_no_bet', undefined, ways, 'unexpected_draw', 'draw_no_bet_3-way'],
    ['golf', 'head to head', undefined, ways, 'unexpected_draw', '_3-way'],
    [
      'basketball',
      'totals',
      220,
      [...counts, { selection_type: 'exactly' }],
      'unexpected_draw',
      'total_points_3-way',
    ],
    [
      'mma',
      'moneyline',
      undefined,
      [...sides, { selection_type: 'no_contest' }],
      'unknown_selection',
      'moneyline_with_other',
    ],
    [
      'soccer',
      '1x2',
      undefined,
      [...ways, { selection_type: 'abandoned' }],
      'unknown_selection',
      'moneyline_with_other',
    ],
  ] as const)(
    '%s %s %s with an outcome more names its type',
    (sport, name, line, stated, code, filed) => {
      const { record, warnings } = push(sport, market(name, stated, line))
      expect(kept(record)).toHaveLength(stated.length)
      expect(warnings).toMatchObject([{ code, isLeftOut: false }])
      expect(warnings[0]?.message).toMatch(new RegExp(` served as \\w*${filed}$`))
    },
  )

  it('and matches no other is named, in markets that have a closed set alone', () => {
    const words = (...types: readonly string[]) =>
      types.map((selection_type) => ({ selection_type }))
    const warned = (sport: string, name: string, ...types: readonly string[]) =>
      push(sport, market(name, words(...types), 1.5)).warnings.map(({ code }) => code)
    expect(warned('soccer', 'double chance', '1x', 'home_away', 'both')).toContain(
      'unknown_selection',
    )
    expect(warned('basketball', 'totals', 'over', 'under', 'yes')).toEqual(['unknown_selection'])
    for (const name of [
      'correct score',
      'first goal scorer',
      'halftime/fulltime',
      'winning margin',
    ]) {
      expect(warned('soccer', name, 'none', 'a_forward', '1')).not.toContain('unknown_selection')
    }
  })
})

describe('a total of the score beside the main one', () => {
  it.each([
    ['asian_total_goals', 'total_goals'],
    ['1st half asian total goals', '1st_half_total_goals'],
  ])('gets a warning that names the other: %s', (name, main) => {
    const { record, warnings } = push('soccer', market(name, counts, 2.5))
    expect(record.markets).toMatchObject([{ selections: [{ price: 1.9 }, { price: 1.9 }] }])
    expect(warnings).toMatchObject([{ code: 'unclear_market', isLeftOut: false, near: [main] }])
  })
  it('is no other total', () => {
    for (const name of ['totals', '1st half totals', 'total_corners', 'both_teams_to_score']) {
      const answers = name === 'both_teams_to_score' ? ['yes', 'no'] : ['over', 'under']
      const selections = answers.map((selection_type) => ({ selection_type }))
      const line = name === 'both_teams_to_score' ? undefined : 2.5
      expect(push('soccer', market(name, selections, line)).warnings).toEqual([])
    }
  })
})

describe('a repeated selection', () => {
  it('at one price gets a warning', () => {
    const { warnings } = push('basketball', market('moneyline', [...sides, sides[0]!]))
    expect(warnings).toMatchObject([{ code: 'repeated_selection', isLeftOut: false }])
  })
  it('at two prices is dropped with a warning, in one market or in two', () => {
    const other = { selection_type: 'home', odds_decimal: 2.2 }
    const inOne = push('basketball', market('moneyline', [...sides, other]))
    const inTwo = push('basketball', market('moneyline', sides), market('h2h', [other]))
    for (const { warnings } of [inOne, inTwo]) {
      expect(warnings).toMatchObject([{ code: 'contradictory_prices', isLeftOut: true }])
    }
  })
  it('for two players, or at two lines, is not the same', () => {
    const of = (player_name: string, line: number) => ({
      ...market('player_points', counts, line),
      player_name,
    })
    expect(push('basketball', of('A', 9.5), of('B', 9.5), of('A', 10.5)).warnings).toEqual([])
    expect(push('basketball', of('A', 9.5), of('A', 9.5)).warnings.length).toBe(2)
  })
})

it('warns of a league of another sport', () => {
  const record = {
    type: 'event_status',
    sportsbook: 'fanduel',
    observed_at: '2026-11-20T11:59:00Z',
    status: 'live',
    event: {
      sport: 'ebasketball',
      league: 'NBA',
      home_team: 'Celtics',
      away_team: 'Lakers',
      start_time: '2026-11-21T15:00:00Z',
    },
  }
  expect(parseValue(record, now)).toMatchObject({
    ok: true,
    warnings: [{ code: 'league_of_another_sport', marketType: 'NBA', isLeftOut: false }],
  })
  const own = { ...record, event: { ...record.event, sport: 'basketball' } }
  expect(parseValue(own, now)).toMatchObject({ ok: true, warnings: [] })
})

describe('a label that names another outcome or line', () => {
  it.each([
    ['the other side', 'moneyline', { selection_type: 'home', selection: 'York' }, 'home'],
    ['the other word', 'totals', { selection_type: 'over', selection: 'Under' }, 'over 8.5'],
    ['another line', 'totals', { selection_type: 'over', selection: 'Over 9.5' }, 'over 8.5'],
  ])('suspends its selection, with a warning: %s', (_, type, stated, selection) => {
    const line = type === 'totals' ? 8.5 : undefined
    const { record, warnings } = push('baseball', market(type, [stated], line))
    expect(record.markets[0]?.selections).toMatchObject([
      { selection: null, price: null, suspended: true },
    ])
    expect(warnings).toMatchObject([
      { code: 'contradictory_label', marketType: type, selection, isLeftOut: true },
    ])
  })

  it('is not looked at where nothing is offered, or where it says the same', () => {
    const gone = { selection_type: 'home', selection: 'York', removed: true }
    const right = { selection_type: 'away', selection: 'York' }
    const { record, warnings } = push('baseball', market('moneyline', [gone, right]))
    expect(record.markets[0]?.selections).toMatchObject([{ removed: true }, { price: 1.9 }])
    expect(warnings).toEqual([])
  })
})

describe('an outcome in the sender’s words', () => {
  const typesOf = (sport: string, name: string, types: readonly string[], line?: number) =>
    push(
      sport,
      market(
        name,
        types.map((selection_type) => ({ selection_type })),
        line,
      ),
    ).record.markets.flatMap(({ selections }) =>
      selections.map(({ selectionType, line }) => [selectionType, line]),
    )

  it('is read before its line is', () => {
    expect(typesOf('basketball', 'spread', ['1', '2'], -3.5)).toEqual([
      ['home', -3.5],
      ['away', 3.5],
    ])
  })
  it('may be the name of a side', () => {
    for (const name of ['moneyline', 'h2h', 'draw no bet']) {
      expect(typesOf('soccer', name, ['leeds', 'york'])).toEqual([
        ['home', null],
        ['away', null],
      ])
    }
    expect(typesOf('soccer', '1x2', ['leeds_united', 'x', 'bradford'])).toEqual([
      ['home', null],
      ['draw', null],
      ['bradford', null],
    ])
  })
})

describe('a draw at a price of 0', () => {
  const stated = (home: number, draw: object) => ({
    market_type: 'moneyline',
    selections: [
      { selection_type: 'home', odds_decimal: home },
      { selection_type: 'tie', ...draw },
      { selection_type: 'away', odds_decimal: 1.9 },
    ],
  })
  const kept = (of: object) =>
    push('hockey', of).record.markets[0]?.selections.map(({ selectionType }) => selectionType)

  it('is none beside sides that are complete without it', () => {
    expect(kept(stated(1.9, { odds_decimal: 0 }))).toEqual(['home', 'away'])
    expect(push('hockey', stated(1.9, { odds_decimal: 0 })).warnings).toMatchObject([
      { code: 'invalid_price', isLeftOut: true },
    ])
  })
  it('is said to be left out, not suspended', () => {
    const messages = (home: number) =>
      push('hockey', stated(home, { odds_american: 0 })).warnings.map(({ message }) => message)
    expect(messages(1.9)).toEqual([expect.stringMatching(/; it is left out$/)])
    expect(messages(2.9)).toContainEqual(expect.stringMatching(/; it is suspended$/))
  })
  it('is one if the sides need it, or if it is suspended', () => {
    const all = ['home', 'draw', 'away']
    expect(kept(stated(2.9, { odds_decimal: 0 }))).toEqual(all)
    expect(kept(stated(1.9, { odds_decimal: 0, suspended: true }))).toEqual(all)
  })
})

describe('a line that its market does not have', () => {
  it('is none if it is 0', () => {
    for (const [sport, name, stated] of [
      ['basketball', 'moneyline', sides],
      ['soccer', '1x2', ways],
      ['golf', 'head_to_head', sides],
      ['soccer', 'btts', [{ selection_type: 'yes', line: 0 }]],
    ] as const) {
      const { record, warnings } = push(sport, market(name, stated, 0))
      expect(warnings).toEqual([])
      const lines = record.markets.flatMap(({ line, selections }) => [
        line,
        ...selections.map((of) => of.line),
      ])
      expect(new Set(lines)).toEqual(new Set([null]))
    }
  })
})

describe('a handicap of three ways', () => {
  const drawn = (line: number | null) =>
    push('soccer', {
      market_type: 'handicap_3-way',
      selections: [
        { selection_type: 'home', line: -1, odds_decimal: 3 },
        { selection_type: 'draw', line, odds_decimal: 4 },
        { selection_type: 'away', line: 1, odds_decimal: 2 },
      ],
    })

  it.each([-1, 0, null])('has its draw on the rung of the sides: %s', (line) => {
    const { record, warnings } = drawn(line)
    expect(record.markets[0]?.selections.map((of) => of.line)).toEqual([-1, -1, 1])
    expect(warnings).toEqual([])
  })
  it.each([2, 1])('with a draw at another line contradicts itself: %s', (line) => {
    expect(drawn(line).record.markets).toEqual([])
    expect(drawn(line).warnings).toMatchObject([{ code: 'contradictory_lines' }])
  })
})
