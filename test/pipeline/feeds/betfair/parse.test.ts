import { describe, expect, it } from 'vitest'
import {
  bestBack,
  bestLay,
  type ChangeMessage,
  changeMessageSchema,
  createBetfairBook,
  type MarketBook,
} from '../../../../pipeline/feeds/betfair/book.ts'
import {
  type MarketNames,
  parseCatalogue,
  parseMarkets,
  parseStatus,
  unnamedMarkets,
} from '../../../../pipeline/feeds/betfair/parse.ts'
import {
  hasPayloads,
  loadLines,
  loadPayload,
  oddsOf,
  reasonsOf,
  selectionsOf,
  tally,
} from '../payloads.ts'

const message = (value: unknown): ChangeMessage => changeMessageSchema.parse(value)
const folder = 'feeds/betfair-exchange'

/** A raw message, without the schema that the fold reads it by. */
interface Raw {
  readonly mc?: readonly {
    readonly id: string
    readonly img?: boolean
    readonly rc?: readonly (Record<string, unknown> & { id: number; hc?: number })[]
  }[]
}

type Rungs = Record<string, Record<string, Record<string, number[]>>>

/**
 * Computes the final ladders the slow way: for each named rung, the last value in any message after
 * the last image.
 */
function slowLadders(messages: readonly Raw[]): Rungs {
  const rows: { market: string; runner: string; ladder: string; rung: string; row: number[] }[] = []
  for (const { mc = [] } of messages) {
    for (const change of mc) {
      if (change.img) {
        for (let at = rows.length - 1; at >= 0; at--) {
          if (rows[at]?.market === change.id) rows.splice(at, 1)
        }
      }
      for (const runner of change.rc ?? []) {
        for (const ladder of ['atb', 'batb', 'bdatb']) {
          for (const row of (runner[ladder] ?? []) as number[][]) {
            const id = `${runner.id}:${runner.hc ?? 0}`
            rows.push({ market: change.id, runner: id, ladder, rung: String(row[0]), row })
          }
        }
      }
    }
  }
  const last = new Map(
    rows.map((each) => [[each.market, each.runner, each.ladder, each.rung].join('|'), each]),
  )
  const rungs: Rungs = {}
  for (const { market, runner, ladder, rung, row } of last.values()) {
    if (row.at(-1) === 0) continue
    const key = `${market} ${runner}`
    rungs[key] ??= {}
    rungs[key][ladder] ??= {}
    rungs[key][ladder][rung] = row.slice(1)
  }
  return rungs
}

function foldedLadders(markets: ReadonlyMap<string, MarketBook>): Rungs {
  const rungs: Rungs = {}
  for (const market of markets.values()) {
    for (const [key, runner] of market.runners) {
      const named: Record<string, Record<string, number[]>> = {}
      if (runner.atb.size > 0) {
        named.atb = Object.fromEntries([...runner.atb.values()].map(([p, size]) => [p, [size]]))
      }
      for (const ladder of ['batb', 'bdatb'] as const) {
        if (runner[ladder].size === 0) continue
        named[ladder] = Object.fromEntries([...runner[ladder]].map(([at, row]) => [at, [...row]]))
      }
      if (Object.keys(named).length > 0) rungs[`${market.id} ${key}`] = named
    }
  }
  return rungs
}

/** Returns the definition of a soccer match with its names; `runners` as in a definition. */
const definition = (more: object = {}) => ({
  status: 'OPEN',
  inPlay: false,
  marketType: 'MATCH_ODDS',
  bettingType: 'ODDS',
  eventId: '77',
  eventTypeId: '1',
  marketTime: '2026-01-01T15:00:00.000Z',
  runners: [
    { id: 1, status: 'ACTIVE' },
    { id: 2, status: 'ACTIVE' },
    { id: 58805, status: 'ACTIVE' },
  ],
  ...more,
})
const names = new Map<string, MarketNames>(
  [
    ['1.1', [1, 'Leeds'], [2, 'Brentford'], [58805, 'The Draw']],
    ['1.2', [47972, 'Under 2.5 Goals'], [47973, 'Over 2.5 Goals']],
    ['1.3', [1, 'Leeds'], [2, 'Brentford']],
  ].map(([marketId, ...runners]) => [
    marketId as string,
    {
      marketId: marketId as string,
      competition: { name: 'English Premier League' },
      event: { id: '77', name: 'Leeds v Brentford', openDate: '2026-01-01T15:00:00.000Z' },
      runners: (runners as [number, string][]).map(([selectionId, runnerName]) => ({
        selectionId,
        runnerName,
      })),
    },
  ]),
)
const backs = (...rows: [id: number, price: number][]) =>
  rows.map(([id, price]) => ({ id, batb: [[0, price, 10]], batl: [[0, price + 0.1, 10]] }))

function bookOf(...changes: object[]) {
  const book = createBetfairBook()
  for (const mc of changes) book.apply(message({ op: 'mcm', pt: 5, mc: [mc] }))
  return [...book.markets().values()]
}
const parse = (markets: readonly MarketBook[], mode: 'snapshot' | 'delta' = 'delta') =>
  parseMarkets(markets, names, { mode, observedAt: 5 })

describe.skipIf(!hasPayloads)('recorded Betfair streams (needs ../shared)', () => {
  it.each([
    [
      '1.197931750',
      166,
      [
        ['OPEN', false],
        ['SUSPENDED', false],
        ['CLOSED', false],
      ],
    ],
    [
      'BASIC-1.132153978',
      480,
      [
        ['OPEN', false],
        ['OPEN', true],
        ['SUSPENDED', true],
        ['CLOSED', true],
      ],
    ],
  ] as const)('folds %s like the slow way, with its states in order', (file, count, states) => {
    const lines = loadLines(`series/betfair-stream/${file}.jsonl.gz`).map((l) => JSON.parse(l))
    expect(lines).toHaveLength(count)
    const book = createBetfairBook()
    const seen: [string, boolean][] = []
    for (const [at, line] of lines.entries()) {
      book.apply(message(line))
      for (const { definition: found } of book.markets().values()) {
        const before = seen.at(-1)
        if (!found || (before?.[0] === found.status && before[1] === found.inPlay)) continue
        seen.push([found.status, found.inPlay])
      }
      // Also compared halfway, because a later image would hide a lost change.
      if (at === 80) expect(foldedLadders(book.markets())).toEqual(slowLadders(lines.slice(0, 81)))
    }
    expect(seen).toEqual(states)
    expect(foldedLadders(book.markets())).toEqual(slowLadders(lines))
    const { clk } = lines.at(-1)
    expect(book.resumeTokens()).toEqual(null)
    book.apply(message({ op: 'mcm', pt: 1, initialClk: 'a', ct: 'HEARTBEAT' }))
    expect(book.resumeTokens()).toEqual({ initialClk: 'a', clk })
  })

  it('keeps the best back price at the top of both views of a ladder', () => {
    const lines = loadLines('series/betfair-stream/1.197931750.jsonl.gz')
    const book = createBetfairBook()
    for (const line of lines.slice(0, 1)) book.apply(message(JSON.parse(line)))
    const runners = book.markets().get('1.197931750')?.runners
    const runner = runners?.get('42930960:0')
    expect(runner && bestBack(runner)).toBe(8.8)
    expect(runner?.bdatb.get(0)).toEqual([8.8, 18.62])
  })

  it('leaves races out by name', () => {
    const book = createBetfairBook()
    const lines = loadLines('series/betfair-stream/1.197931750.jsonl.gz')
    for (const line of lines.slice(0, 5)) book.apply(message(JSON.parse(line)))
    const catalogue = parseCatalogue(
      loadPayload('series/betfair-stream/1.197931750.catalogue.json'),
    )
    expect(catalogue.skipped).toEqual([])
    expect(catalogue.names[0]?.runners).toHaveLength(6)
    const parsed = parse([...book.markets().values()])
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({ race: 6 })
  })

  it('folds a resubscription with markets it never saw', () => {
    const payload = loadPayload(`${folder}/streaming_mcm_RESUB_DELTA.json`)
    const book = createBetfairBook()
    expect(book.apply(message(payload))).toMatchObject({ isImage: false })
    expect(book.markets().size).toBe(43)
    expect(foldedLadders(book.markets())).toEqual(slowLadders([payload as Raw]))
    expect(book.resumeTokens()).toEqual({
      initialClk: 'yhfXkdfHDMoXgtDFvwzKF9+D78QM',
      clk: 'AAAAAAAA',
    })
    const parsed = parse([...book.markets().values()])
    const backed = Object.values(slowLadders([payload as Raw])).filter(({ batb }) => batb)
    expect(parsed.records).toEqual([])
    expect(reasonsOf(parsed)).toEqual({ no_definition: 242, race: 22 })
    expect(backed).toHaveLength(242 + 22)
  })

  it('reads heartbeats and updates', () => {
    const book = createBetfairBook()
    expect(book.apply(message(loadPayload(`${folder}/streaming_mcm_HEARTBEAT.json`)))).toEqual({
      changed: [],
      isImage: false,
    })
    book.apply(message(loadPayload(`${folder}/streaming_mcm_update.json`)))
    const runner = book.markets().get('1.126235656')?.runners.get('11527192:0')
    expect(runner && bestBack(runner)).toBe(4.7)
  })

  it('reads the catalogue', () => {
    const catalogue = parseCatalogue(loadPayload(`${folder}/list_market_catalogue.json`))
    expect(catalogue.names.map(({ marketId }) => marketId)).toEqual(['1.125818641'])
  })

  it.each(['list_competitions', 'list_events', 'streaming_connection', 'streaming_status'])(
    'finds no names in %s, without throwing',
    (file) => {
      const payload = loadPayload(`${folder}/${file}.json`)
      expect(parseCatalogue(payload).names).toEqual([])
      expect(tally(parseCatalogue(payload).skipped.map(({ reason }) => reason))).toHaveProperty(
        'malformed',
      )
    },
  )
})

describe('a folded Betfair market', () => {
  it('removes a rung at size 0 and starts anew with an image', () => {
    const rc = (atb: number[][]) => ({ id: '1.1', rc: [{ id: 1, atb }] })
    const before = bookOf(
      rc([
        [2, 5],
        [2.1, 5],
      ]),
      rc([[2.1, 0]]),
    )
    expect([...(before[0]?.runners.get('1:0')?.atb.values() ?? [])]).toEqual([[2, 5]])
    const after = bookOf(rc([[2, 5]]), { ...rc([[1.5, 1]]), img: true })
    expect([...(after[0]?.runners.get('1:0')?.atb.values() ?? [])]).toEqual([[1.5, 1]])
  })

  it('is read whatever the form of members that nothing needs', () => {
    const runners = [{ id: 1, status: 'ACTIVE', bsp: {}, sortPriority: '1' }]
    const marketDefinition = definition({ runners, version: '7', eventName: 1 })
    const mc = [{ id: '1.1', marketDefinition }]
    expect(message({ op: 'mcm', pt: 1, heartbeatMs: '500', mc }).mc).toHaveLength(1)
  })

  it('keeps handicaps of one runner apart', () => {
    const [market] = bookOf({
      id: '1.3',
      rc: [
        { id: 1, hc: -0.5, batb: [[0, 2, 1]] },
        { id: 1, hc: 0.5, batb: [[0, 1.5, 1]] },
      ],
    })
    expect([...(market?.runners.keys() ?? [])]).toEqual(['1:-0.5', '1:0.5'])
  })

  it('clears the table with the first part of a new image only', () => {
    const book = createBetfairBook()
    const part = (segmentType: string, id: string) =>
      book.apply(
        message({ op: 'mcm', pt: 1, ct: 'SUB_IMAGE', segmentType, mc: [{ id, img: true }] }),
      )
    book.apply(message({ op: 'mcm', pt: 1, mc: [{ id: 'old' }] }))
    part('SEG_START', 'a')
    part('SEG', 'b')
    part('SEG_END', 'c')
    expect([...book.markets().keys()]).toEqual(['a', 'b', 'c'])
  })
})

describe('the best price of a runner', () => {
  const runnerWith = (ladders: object) => {
    const [market] = bookOf({ id: '1.1', rc: [{ id: 1, ...ladders }] })
    return market!.runners.get('1:0')!
  }

  it('is the next one if the first is offered for less than 1', () => {
    const backs = [
      [0, 3, 0.01],
      [1, 2.9, 0.99],
      [2, 2.8, 1],
    ]
    const lays = [
      [0, 3.1, 0.5],
      [1, 3.2, 40],
    ]
    const best = runnerWith({ batb: backs, batl: lays })
    expect([bestBack(best), bestLay(best)]).toEqual([2.8, 3.2])
    const all = (levels: number[][]) => levels.map(([, price, size]) => [price, size])
    const whole = runnerWith({ atb: all(backs), atl: all(lays) })
    expect([bestBack(whole), bestLay(whole)]).toEqual([2.8, 3.2])
  })

  it('is none if all are offered for less', () => {
    const runner = runnerWith({ batb: [[0, 3, 0.01]] })
    expect([bestBack(runner), bestLay(runner)]).toEqual([null, null])
  })
})

describe('the tokens to resume a subscription', () => {
  const open = () => {
    const book = createBetfairBook()
    const say = (more: object) => book.apply(message({ op: 'mcm', pt: 1, mc: [], ...more }))
    return { book, say }
  }
  const imaged = { ct: 'SUB_IMAGE', initialClk: 'i', clk: 'c1' }

  it('are none until the last segment of an image has come', () => {
    const { book, say } = open()
    say({ ...imaged, initialClk: 'old' })
    say({ ...imaged, segmentType: 'SEG_START' })
    expect(book.resumeTokens()).toBeNull()
    say({ ct: 'SUB_IMAGE', segmentType: 'SEG' })
    expect(book.resumeTokens()).toBeNull()
    say({ ct: 'HEARTBEAT', clk: 'c2' })
    expect(book.resumeTokens()).toBeNull()
    say({ ct: 'SUB_IMAGE', segmentType: 'SEG_END', clk: 'c2' })
    expect(book.resumeTokens()).toEqual({ initialClk: 'i', clk: 'c2' })
  })

  it('are those before a change of which segments are missing', () => {
    const { book, say } = open()
    say(imaged)
    say({ segmentType: 'SEG_START', clk: 'c2' })
    expect(book.resumeTokens()).toEqual({ initialClk: 'i', clk: 'c1' })
    say({ segmentType: 'SEG_END', clk: 'c2' })
    expect(book.resumeTokens()).toEqual({ initialClk: 'i', clk: 'c2' })
  })
})

describe('the parser of Betfair markets', () => {
  const matchOdds = (
    more: object = {},
    rc: object[] = backs([1, 2.5], [2, 3.1], [58805, 3.4]),
  ) => ({
    id: '1.1',
    marketDefinition: definition(more),
    rc,
  })

  it('reads match odds: the best back price, and never a lay price', () => {
    const parsed = parse(bookOf(matchOdds()))
    expect(oddsOf(parsed)).toMatchObject([
      {
        sportsbook: 'betfair',
        mode: 'delta',
        observedAt: 5,
        event: {
          externalId: '77',
          sport: 'soccer',
          league: 'English Premier League',
          homeTeam: 'Leeds',
          awayTeam: 'Brentford',
          isLive: false,
        },
        markets: [
          {
            marketType: 'moneyline',
            externalId: '1.1',
            selections: [
              { selectionType: 'home', selection: 'Leeds', price: 2.5, externalId: '1' },
              { selectionType: 'away', price: 3.1 },
              { selectionType: 'draw', price: 3.4 },
            ],
          },
        ],
      },
    ])
    expect(parsed.skipped).toEqual([])
  })

  it('has the middle of back and lay as a sportsbook of its own, if that is asked for', () => {
    const middle = (rc: object[], mode: 'snapshot' | 'delta' = 'delta') => {
      const asked = { mode, observedAt: 5, withMid: true }
      const [exchange, mid] = oddsOf(parseMarkets(bookOf(matchOdds({}, rc)), names, asked))
      expect([exchange?.sportsbook, mid?.sportsbook]).toEqual(['betfair', 'betfair_mid'])
      expect(mid?.event).toEqual(exchange?.event)
      return mid!.markets[0]!.selections.map(({ price, removed }) => (removed ? 'gone' : price))
    }
    // 1 / 2.5 = 0.4 and 1 / 2.6 = 0.384615 have the mean 0.392308.
    expect(middle(backs([1, 2.5], [2, 4], [58805, 8]))).toEqual([
      expect.closeTo(1 / 0.3923077, 6),
      expect.closeTo(2 / (1 / 4 + 1 / 4.1), 9),
      expect.closeTo(2 / (1 / 8 + 1 / 8.1), 9),
    ])
    const [home, ...others] = backs([1, 2.5], [2, 4], [58805, 8])
    for (const withoutMiddle of [
      { id: 1, batb: [[0, 2.5, 10]] },
      { id: 1, batl: [[0, 2.6, 10]] },
      { id: 1, batb: [[0, 2.5, 10]], batl: [[0, 2.4, 10]] },
      { id: 1, batb: [[0, 2.5, 10]], batl: [[0, 2.76, 10]] },
    ]) {
      expect(middle([withoutMiddle, ...others])[0]).toBe('gone')
      expect(middle([withoutMiddle, ...others], 'snapshot')).toHaveLength(2)
    }
    expect(middle([{ ...home, atl: [[2.55, 3]], atb: [[2.5, 3]] }, ...others])[0]).toBeCloseTo(
      2 / (1 / 2.5 + 1 / 2.55),
      9,
    )
  })

  it('reads totals and handicaps with their lines', () => {
    const goals = { ...definition({ marketType: 'OVER_UNDER_25' }) }
    const parsed = parse(
      bookOf(
        {
          id: '1.2',
          marketDefinition: {
            ...goals,
            runners: [
              { id: 47972, status: 'ACTIVE' },
              { id: 47973, status: 'ACTIVE' },
            ],
          },
          rc: backs([47972, 1.8], [47973, 2.1]),
        },
        {
          id: '1.3',
          marketDefinition: definition({
            marketType: 'ASIAN_HANDICAP',
            bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE',
            runners: [
              { id: 1, hc: -0.5, status: 'ACTIVE' },
              { id: 2, hc: 0.5, status: 'ACTIVE' },
            ],
          }),
          rc: [
            { id: 1, hc: -0.5, batb: [[0, 2.02, 1]] },
            { id: 2, hc: 0.5, batb: [[0, 1.9, 1]] },
          ],
        },
      ),
      'snapshot',
    )
    expect(oddsOf(parsed)[0]?.markets).toMatchObject([
      {
        marketType: 'total_goals',
        line: 2.5,
        selections: [
          { selectionType: 'under', price: 1.8 },
          { selectionType: 'over', price: 2.1 },
        ],
      },
      {
        marketType: 'point_spread',
        line: null,
        selections: [
          { selectionType: 'home', line: -0.5, price: 2.02 },
          { selectionType: 'away', line: 0.5, price: 1.9 },
        ],
      },
    ])
  })

  it.each([
    ['ASIAN_HANDICAP', 'point_spread'],
    ['HANDICAP', 'point_spread'],
    ['FIRST_HALF_HANDICAP', 'unmapped_market'],
    ['HALF_TIME_HANDICAP', 'unmapped_market'],
    ['QUARTER_HANDICAP', 'unmapped_market'],
    ['CORNERS_HANDICAP', 'unmapped_market'],
    ['BOOKINGS_HANDICAP', 'unmapped_market'],
  ])('reads %s as %s: only the handicap of a whole game is its spread', (marketType, read) => {
    const runners = [{ id: 1, hc: -0.5, status: 'ACTIVE' }]
    const bettingType = 'ASIAN_HANDICAP_DOUBLE_LINE'
    const marketDefinition = definition({ marketType, bettingType, runners })
    const rc = [{ id: 1, hc: -0.5, batb: [[0, 2.02, 1]] }]
    const parsed = parse(bookOf({ id: '1.1', marketDefinition, rc }), 'snapshot')
    const types = oddsOf(parsed).flatMap(({ markets }) => markets.map((of) => of.marketType))
    const skips = parsed.skipped.map(({ reason, label }) => [reason, label])
    const isRead = read !== 'unmapped_market'
    expect([types, skips]).toEqual(isRead ? [[read], []] : [[], [[read, marketType]]])
  })

  it('keeps a suspended market, withdraws a closed one, and marks play', () => {
    const [suspended] = oddsOf(parse(bookOf(matchOdds({ status: 'SUSPENDED', inPlay: true }))))
    expect(suspended).toMatchObject({
      event: { isLive: true },
      markets: [{ suspended: true, selections: [{ price: 2.5, suspended: true }, {}, {}] }],
    })
    const closed = parse(bookOf(matchOdds({ status: 'CLOSED' })))
    expect(selectionsOf(closed).map(({ removed, price }) => [removed, price])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ])
    expect(reasonsOf(closed)).toEqual({ closed: 3 })
    expect(oddsOf(parse(bookOf(matchOdds({ status: 'CLOSED' })), 'snapshot'))).toMatchObject([
      { markets: [] },
    ])
  })

  it('withdraws a runner without offers, and keeps it while the market is suspended', () => {
    const rc = backs([1, 2.5], [2, 3.1])
    expect(selectionsOf(parse(bookOf(matchOdds({}, rc))))[2]).toMatchObject({
      selectionType: 'draw',
      price: null,
      removed: true,
    })
    expect(selectionsOf(parse(bookOf(matchOdds({}, rc)), 'snapshot'))).toHaveLength(2)
    expect(selectionsOf(parse(bookOf(matchOdds({ status: 'SUSPENDED' }, rc))))[2]).toMatchObject({
      price: null,
      removed: false,
      suspended: true,
    })
  })

  it.each([1, 1.0000001, 5_000_000])(
    'withdraws a runner whose price is invalid (%s), and names it',
    (none) => {
      const delta = parse(bookOf(matchOdds({}, backs([1, none], [2, 3.1], [58805, 3.4]))))
      expect(selectionsOf(delta)).toMatchObject([
        { selectionType: 'home', price: null, removed: true },
        { selectionType: 'away', price: 3.1, removed: false },
        { selectionType: 'draw', price: 3.4, removed: false },
      ])
      expect(reasonsOf(delta)).toEqual({ bad_price: 1 })
      const snapshot = parse(bookOf(matchOdds({}, backs([1, none], [2, 3.1]))), 'snapshot')
      expect(selectionsOf(snapshot).map(({ selectionType }) => selectionType)).toEqual(['away'])
    },
  )

  it('takes match odds with a draw for three ways outside soccer', () => {
    const typeIn = (eventTypeId: string, ...runnerIds: number[]) => {
      const runners = runnerIds.map((id) => ({ id, status: 'ACTIVE' }))
      const rc = backs(...runnerIds.map((id): [number, number] => [id, 3]))
      const books = bookOf({
        id: '1.1',
        marketDefinition: definition({ eventTypeId, runners }),
        rc,
      })
      const [market] = books
      const status = market && parseStatus(market, names.get('1.1'), { observedAt: 5 })?.status
      return [oddsOf(parse(books))[0]?.markets[0]?.marketType, status]
    }
    for (const sport of ['4', '5', '6']) {
      expect(typeIn(sport, 1, 2, 58805)).toEqual(['moneyline_3-way', 'upcoming'])
      expect(typeIn(sport, 1, 2)).toEqual(['moneyline', 'upcoming'])
    }
    expect(typeIn('1', 1, 2, 58805)).toEqual(['moneyline', 'upcoming'])
  })

  describe('in its main market', () => {
    const named = (league: string, ...runners: readonly (readonly [number, string])[]) => ({
      ...names.get('1.1')!,
      competition: { name: league },
      runners: runners.map(([selectionId, runnerName]) => ({ selectionId, runnerName })),
    })
    const sides = [
      [1, 'Leeds'],
      [2, 'Brentford'],
    ] as const

    it.each([
      ['4', 60_443, 'The Draw', ['moneyline_3-way', 'home', 'away', 'draw'], []],
      ['4', 60_443, 'Draw', ['moneyline_3-way', 'home', 'away', 'draw'], []],
      ['4', 58_805, 'Unentschieden', ['moneyline_3-way', 'home', 'away', 'draw'], []],
      ['4', 60_443, 'Tied Match', [], ['unmapped_market']],
      ['1', 60_443, 'Any Other', [], ['unmapped_market']],
    ])('knows the draw by its id or its name: %s %i %s', (eventTypeId, id, name, read, left) => {
      const runners = [1, 2, id].map((id) => ({ id, status: 'ACTIVE' }))
      const marketDefinition = definition({ eventTypeId, runners })
      const rc = backs([1, 2.5], [2, 4.2], [id, 2.9])
      const about = new Map([['1.1', named('Tests', ...sides, [id, name])]])
      const parsed = parseMarkets(bookOf({ id: '1.1', marketDefinition, rc }), about, {
        mode: 'snapshot',
        observedAt: 5,
      })
      const found = oddsOf(parsed).flatMap(({ markets }) =>
        markets.flatMap((market) => [
          market.marketType,
          ...market.selections.map(({ selectionType }) => selectionType),
        ]),
      )
      expect([found, Object.keys(reasonsOf(parsed))]).toEqual([read, left])
    })

    it('has the name of a handicap before that of its runner', () => {
      const line = (hc: number) => ({ id: 1, hc, status: 'ACTIVE' })
      const runners = [
        { selectionId: 1, runnerName: 'Leeds' },
        { selectionId: 1, runnerName: 'Brentford', handicap: -1 },
      ]
      const about = new Map([['1.1', { ...names.get('1.1')!, runners }]])
      const marketDefinition = definition({
        marketType: 'ASIAN_HANDICAP',
        bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE',
        runners: [line(-1), line(0.5)],
      })
      const rc = [
        { id: 1, hc: -1, bdatb: [[0, 1.9, 10]] },
        { id: 1, hc: 0.5, bdatb: [[0, 2.1, 10]] },
      ]
      const book = bookOf({ id: '1.1', marketDefinition, rc })
      const parsed = parseMarkets(book, about, { mode: 'snapshot', observedAt: 5 })
      const found = oddsOf(parsed).flatMap(({ markets }) => markets.flatMap((of) => of.selections))
      expect(found.map(({ selectionType, line }) => [selectionType, line])).toEqual([
        ['away', -1],
        ['home', 0.5],
      ])
    })

    it('waits for the names of three runners', () => {
      const runners = [1, 2, 60_443].map((id) => ({ id, status: 'ACTIVE' }))
      const marketDefinition = definition({ eventTypeId: '4', runners })
      const rc = backs([1, 2.5], [2, 4.2], [60_443, 2.9])
      expect(reasonsOf(parse(bookOf({ id: '1.9', marketDefinition, rc })))).toEqual({
        no_catalogue: 3,
      })
    })

    it.each([
      ['English Premier League', '1', 'home', true],
      ['English Premier League', '1', 'draw', true],
      ['English Championship', '1', 'draw', true],
      ['English FA Cup', '1', 'draw', false],
      // The other leg may have been lost by as much.
      ['UEFA Champions League', '1', 'home', false],
      ['German DFB-Pokal', '1', 'draw', false],
      ['Copa del Rey', '1', 'draw', false],
      ['Svenska Cupen', '1', 'draw', false],
      ['Danish Landspokalturnering', '1', 'draw', false],
      ['Cupertino League', '1', 'draw', true],
      ['English League 1 Play-Offs', '1', 'draw', false],
      ['Test Matches', '4', 'draw', true],
      ['NHL', '7524', 'home', false],
      ['NHL', '7524', 'draw', false],
      ['NHL', '7524', 'two-way', true],
      ['NBA', '7522', 'two-way', true],
      ['Super League', '1477', 'home', true],
      ['Super League', '1477', 'draw', false],
      ['Boxing', '6', 'draw', false],
    ])('closed in %s (%s), won by %s, ends the game: %s', (league, eventTypeId, winner, ends) => {
      const ids = winner === 'two-way' ? [1, 2] : [1, 2, 58_805]
      const won = winner === 'draw' ? 58_805 : 1
      const runners = ids.map((id) => ({ id, status: id === won ? 'WINNER' : 'LOSER' }))
      const closed = { status: 'CLOSED', inPlay: true, eventTypeId, runners }
      const [market] = bookOf({ id: '1.1', marketDefinition: definition(closed) })
      const about = named(league, ...sides, [58_805, 'The Draw'])
      const status = parseStatus(market!, about, { observedAt: 5 })?.status
      expect(status).toBe(ends ? 'final' : undefined)
    })
  })

  it('has the start that the stream tells, where the catalogue has an earlier one', () => {
    const startOf = (more: object) => {
      const book = bookOf({ id: '1.1', marketDefinition: definition(more), rc: backs([1, 2.5]) })
      return oddsOf(parse(book))[0]?.event.startsAt
    }
    const known = Date.parse('2026-01-01T15:00:00Z')
    expect(startOf({ openDate: '2026-01-02T19:45:00.000Z' })).toBe(Date.parse('2026-01-02T19:45Z'))
    expect(startOf({ openDate: undefined })).toBe(known)
  })

  it('names every price it does not place', () => {
    const other = (more: object, id = '1.1') => ({
      id,
      marketDefinition: definition(more),
      rc: backs([1, 2.5]),
    })
    const reasonOf = (change: object) => Object.keys(reasonsOf(parse(bookOf(change))))
    expect(reasonOf(other({ marketType: 'WINNER' }))).toEqual(['outright'])
    expect(reasonOf(other({ marketType: 'CORRECT_SCORE' }))).toEqual(['unmapped_market'])
    expect(reasonOf(other({ eventTypeId: '7' }))).toEqual(['race'])
    expect(reasonOf(other({ eventTypeId: '10' }))).toEqual(['unsupported_sport'])
    expect(reasonOf(other({}, '1.9'))).toEqual(['no_catalogue'])
    const draw = { id: 58805, status: 'ACTIVE' }
    const removed = { id: 1, status: 'REMOVED' }
    expect(reasonOf(other({ runners: [removed, draw] }))).toEqual(['runner_removed'])
    expect(reasonOf(other({ runners: [{ id: 9, status: 'ACTIVE' }, draw] }, '1.1'))).toEqual([])
    // A result of soccer without its draw is another question.
    expect(reasonOf(other({ runners: [{ id: 1, status: 'ACTIVE' }] }))).toEqual(['unmapped_market'])
  })

  it('takes the state of a game from its main market', () => {
    const statusOf = (more: object) => {
      const [market] = bookOf(matchOdds(more))
      return market ? parseStatus(market, names.get('1.1'), { observedAt: 5 })?.status : undefined
    }
    const winner = [
      { id: 1, status: 'WINNER' },
      { id: 58805, status: 'LOSER' },
    ]
    expect(statusOf({})).toBe('upcoming')
    expect(statusOf({ inPlay: true })).toBe('live')
    expect(statusOf({ inPlay: true, status: 'SUSPENDED' })).toBe('live')
    expect(statusOf({ inPlay: true, status: 'CLOSED', runners: winner })).toBe('final')
    // Closed without a winner means void or abandoned, which is unknown.
    expect(statusOf({ inPlay: true, status: 'CLOSED' })).toBeUndefined()
    expect(statusOf({ marketType: 'OVER_UNDER_25' })).toBeUndefined()
  })

  it('requests names only of markets that it could place', () => {
    const book = createBetfairBook()
    const change = message({
      op: 'mcm',
      pt: 1,
      mc: [
        { id: 'new', marketDefinition: definition() },
        { id: 'race', marketDefinition: definition({ eventTypeId: '7' }) },
        { id: 'over', marketDefinition: definition({ status: 'CLOSED' }) },
        { id: '1.1', marketDefinition: definition() },
      ],
    })
    book.apply(change)
    expect(
      unnamedMarkets(
        (change.mc ?? []).map(({ id }) => id),
        book.markets(),
        names,
      ),
    ).toEqual(['new'])
  })
})
