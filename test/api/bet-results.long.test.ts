/** Results of bets over HTTP, with the real log, pipeline, archiver and engine: a sheet settled by hand. */

import { parse as parseCsv } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow, ReportedResult } from '../../schemas/game-result.ts'
import { betResultsAnswer } from '../../schemas/http/bets/results.ts'
import { type BetsService, closeOf, pastEvent, startBetsService } from './bets-service.ts'
import { ingestToken } from './service-in-process.ts'

let service: BetsService

const hour = 3_600_000

type Score = readonly [home: number, away: number]

/** Returns a score feed's report of a game that is over. */
function report(
  event: EventRow,
  [home, away]: Score,
  more: Partial<ReportedResult> = {},
): ReportedResult {
  return {
    sportsbook: 'the_odds_api',
    observedAt: event.startsAt + 2 * hour,
    final: { home, away },
    endedIn: null,
    periods: [],
    ...more,
  }
}

const ended = (event: EventRow, reports: readonly ReportedResult[]): GameResultRow => ({
  eventId: event.id,
  sport: event.sport,
  league: event.league,
  startsAt: event.startsAt,
  status: event.status,
  reports,
})

const soccer = (name: string, more: Partial<EventRow> = {}) =>
  pastEvent({
    id: `epl_${name}_2025-03-08_b3`,
    sport: 'soccer',
    league: 'england_-_premier_league',
    homeTeam: `${name} Rovers`,
    awayTeam: `${name} United`,
    ...more,
  })

const win = soccer('alpha')
const postponed = soccer('beta', { status: 'postponed' })
const cancelled = soccer('gamma', { status: 'cancelled' })
const disputed = soccer('delta')
const silent = soccer('epsilon')
const unknown = soccer('zeta')
const cup = soccer('eta')
const knicks = pastEvent({ id: 'nba_nets_knicks_2025-03-07_b3' })
const turned = pastEvent({
  id: 'nba_heat_jazz_2025-03-07_b3',
  homeTeam: 'Miami Heat',
  awayTeam: 'Utah Jazz',
  flipped: true,
})
const events = [win, postponed, cancelled, disputed, silent, unknown, cup, knicks, turned]

const results = [
  ended(win, [report(win, [2, 1], { periods: [{ period: 'HT', home: 1, away: 0 }] })]),
  ended(postponed, [report(postponed, [1, 0])]),
  ended(cancelled, []),
  ended(disputed, [report(disputed, [1, 0]), report(disputed, [0, 0], { sportsbook: 'fanduel' })]),
  ended(silent, []),
  // It ended so late that there may have been extra time.
  ended(cup, [report(cup, [2, 1], { observedAt: cup.startsAt + 3 * hour })]),
  ended(knicks, [
    report(knicks, [112, 104], {
      endedIn: 'Q4',
      periods: [
        { period: 'END Q1', home: 30, away: 25 },
        { period: 'HT', home: 55, away: 55 },
      ],
    }),
  ]),
  // In the orientation of its rows, in which Miami is away.
  ended(turned, [report(turned, [99, 103])]),
]

const bet = (event: EventRow, more: object) => ({
  placed_at: new Date(event.startsAt - 12 * hour).toISOString(),
  event_id: event.id,
  odds_decimal: 1.9,
  stake: 100,
  sportsbook: 'Pinnacle',
  ...more,
})

const market = (name: string, selection: string, line: number | null = null) => ({
  market: name,
  selection,
  line,
})

/** Settled by hand by a sportsbook's rules. The number is the payout of 100 at 1.9. */
const sheet: readonly (readonly [EventRow, object, string, number | null])[] = [
  [win, market('moneyline', 'home'), 'won', 190],
  [win, market('moneyline', 'draw'), 'lost', 0],
  [win, market('point_spread', 'home', -1), 'refunded', 100],
  [win, market('point_spread', 'home', -0.75), 'half_won', 145],
  [win, market('point_spread', 'away', 0.75), 'half_lost', 50],
  [win, market('point_spread', 'away', 1.25), 'half_won', 145],
  [win, market('total_goals', 'over', 2.75), 'half_won', 145],
  [win, market('total_goals', 'under', 3.25), 'half_won', 145],
  [win, market('total_goals', 'over', 3.25), 'half_lost', 50],
  [win, market('total_goals', 'over', 3), 'refunded', 100],
  [win, market('both_teams_to_score', 'yes'), 'won', 190],
  [win, market('1st_half_moneyline', 'home'), 'won', 190],
  [win, market('2nd_half_total_goals', 'over', 1.5), 'won', 190],
  [knicks, market('point_spread', 'home', -8), 'refunded', 100],
  [knicks, market('point_spread', 'home', -8.5), 'lost', 0],
  [knicks, market('total_points', 'over', 215.5), 'won', 190],
  [knicks, market('1st_half_moneyline', 'home'), 'refunded', 100],
  [knicks, market('1st_quarter_point_spread', 'away', 5.5), 'won', 190],
  [knicks, market('2nd_half_total_points', 'under', 105.5), 'lost', 0],
  [turned, market('moneyline', 'Utah Jazz'), 'lost', 0],
  [turned, market('moneyline', 'home'), 'won', 190],
  [turned, market('point_spread', 'Miami Heat', -4), 'refunded', 100],
  [cup, market('both_teams_to_score', 'yes'), 'no_period_score', null],
  [knicks, market('3rd_quarter_total_points', 'over', 50.5), 'no_period_score', null],
  [win, market('total_corners', 'over', 9.5), 'not_by_score', null],
  [postponed, market('moneyline', 'home'), 'postponed', null],
  [cancelled, market('moneyline', 'home'), 'cancelled', null],
  [disputed, market('moneyline', 'home'), 'scores_differ', null],
  [silent, market('moneyline', 'home'), 'no_final_score', null],
  [unknown, market('moneyline', 'home'), 'result_not_kept', null],
]

let key: string

beforeAll(async () => {
  service = await startBetsService()
  await service.pastEvents(events)
  await service.gameResults(results)
  await service.closes([
    closeOf(win, { sportsbook: 'pinnacle', selectionType: 'home', price: 1.8, noVig: 0.54 }),
  ])
  await service.archiveAll()
  key = await service.keyOf('sharp')
  const stated = sheet.map(([event, more], i) => bet(event, { ...more, reference: `row ${i}` }))
  const { body } = await service.post(stated, key)
  expect(body.data.rejected).toEqual([])
})
afterAll(() => service.close())

const rowsOf = async (query = '') => {
  const { status, body } = await service.results(key, `?limit=100${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(betResultsAnswer.safeParse(body).error).toBeUndefined()
  return body.data
}

describe('a sheet of bets settled by hand', () => {
  it('is settled alike from the final scores', async () => {
    const { bets } = await rowsOf()
    const byReference = new Map(bets.map((row: { reference: string }) => [row.reference, row]))
    const settled = sheet.map(([event, more], i) => {
      const row = byReference.get(`row ${i}`) as {
        outcome: string | null
        open_because: string
        returned: number | null
      }
      return [event.id, more, row.outcome ?? row.open_because, row.returned]
    })
    expect(settled).toEqual(sheet.map(([event, ...rest]) => [event.id, ...rest]))
  })

  it('sums to its wins and losses, in all and by each grouping', async () => {
    const data = await rowsOf()
    const closed = sheet.filter(([, , , returned]) => returned !== null)
    const profit = closed.reduce((sum, [, , , returned]) => sum + returned! - 100, 0)
    expect(data.total).toMatchObject({
      bets: sheet.length,
      open: sheet.length - closed.length,
      open_stake: 100 * (sheet.length - closed.length),
      settled: closed.length,
      settled_stake: 100 * closed.length,
      profit,
      won: closed.filter(([, , outcome]) => outcome === 'won').length,
      half_lost: 2,
    })
    expect(data.total.roi.percent).toBeCloseTo(profit / closed.length, 6)
    expect(data.total.roi.low).toBeLessThan(data.total.roi.percent)
    for (const by of ['by_sportsbook', 'by_market', 'by_league', 'by_month']) {
      const sums = data[by] as { profit: number; bets: number }[]
      expect(sums.reduce((sum, group) => sum + group.profit, 0)).toBeCloseTo(profit, 6)
      expect(sums.reduce((sum, group) => sum + group.bets, 0)).toBe(sheet.length)
    }
    expect(data.open_reasons).toMatchObject({ postponed: 1, cancelled: 1, no_period_score: 2 })
    expect(data.total.with_clv).toBe(1)
    expect(data.total.avg_clv.percent).toBeCloseTo(100 * (0.54 * 1.9 - 1), 6)
  })

  it('can be filtered by open bets', async () => {
    const open = await rowsOf('&state=open')
    expect(open.bets.every((row: { outcome: null }) => row.outcome === null)).toBe(true)
    expect(open.bets).toHaveLength(sheet.filter(([, , , returned]) => returned === null).length)
    expect(open.total.bets).toBe(sheet.length)
  })

  it('can be searched, with its sums and its file', async () => {
    const meant = sheet.flatMap(([event, more], i) =>
      event === turned && 'market' in more && more.market === 'moneyline' ? `row ${i}` : [],
    )
    const { bets, total } = await rowsOf('&q=utah+row+moneyline&state=settled')
    const references = bets.map(({ reference }: { reference: string }) => reference)
    expect(references.sort()).toEqual(meant)
    expect(total).toMatchObject({ bets: 2, won: 1, lost: 1 })
    const { text } = await service.read('/account/bets/results?format=csv&q=utah+spread', key)
    expect(parseCsv(text, { columns: true })).toHaveLength(1)
    const { body } = await service.clv(key, '?q=alpha&limit=1')
    expect(body.data.total).toMatchObject({ bets: sheet.filter(([one]) => one === win).length })
    expect(body.meta.filters).toEqual({ q: 'alpha' })
  })

  it('is a file for a spreadsheet, complete, with the games that were found', async () => {
    const { bets } = await rowsOf()
    const { text } = await service.read('/account/bets/results?format=csv&limit=1', key)
    const rows = parseCsv(text, { columns: true }) as Record<string, string>[]
    const shown = (value: unknown) => (value === null ? '' : String(value))
    expect(rows).toHaveLength(sheet.length)
    for (const [i, row] of rows.entries()) {
      const { id, outcome, returned, profit, clv_percent, open_because, found } = bets[i]
      expect(row).toMatchObject({ id, home_team: found.home_team, league: found.league })
      const figures = { outcome, returned, profit, clv_percent, open_because }
      for (const [name, value] of Object.entries(figures)) expect(row[name]).toBe(shown(value))
    }
    const open = await service.read(
      '/account/bets/results?format=csv&state=open&separator=semicolon&decimal=comma&bom=true',
      key,
    )
    expect(open.text).toMatch(/^\ufeff?placed_at;home_team;/)
    expect(open.text).toContain(';1,9;')
  })

  it('is settled by the log while the archive is away, and reports what is missing', async () => {
    service.setUp(false)
    const { status, body } = await service.results(key, '?limit=100')
    const file = await service.read('/account/bets/results?format=csv', key)
    service.setUp(true)
    expect(status).toBe(200)
    const { is_complete, bets_without_answer } = body.meta
    expect([is_complete, bets_without_answer > 0]).toEqual([false, true])
    // A file is whole, or refused.
    expect([file.status, file.body?.code]).toEqual([503, 'not_ready'])
    const again = (await service.results(key, '?limit=100')).body.meta
    expect([again.is_complete, again.bets_without_answer]).toEqual([true, 0])
    expect((await service.read('/account/bets/results?format=csv', key)).status).toBe(200)
    // Without an archive that may answer later there is nothing to wait for.
    service.setUp(false)
    service.health.state = 'absent'
    const without = (await service.results(key, '?limit=100')).body
    const whole = await service.read('/account/bets/results?format=csv', key)
    service.health.state = 'answering'
    service.setUp(true)
    expect([without.meta.is_complete, without.meta.bets_without_answer]).toEqual([true, 0])
    expect(without.data.open_reasons.archive_not_ready).toBe(1)
    expect(whole.status).toBe(200)
    expect(body.data.total).toMatchObject({ settled: 22, with_clv: 0 })
    expect(body.data.open_reasons.archive_not_ready).toBe(1)
  })
})

describe('the bettor’s own result', () => {
  const own = async (more: object) => {
    const account = await service.keyOf('sharp')
    const { body } = await service.post(
      bet(win, { ...market('moneyline', 'home'), ...more }),
      account,
    )
    const { id } = body.data.bets[0]
    const only = async () => (await service.results(account)).body.data.bets[0]
    return { account, id, only }
  }

  it('overrides the score, which is still shown, and can be taken back', async () => {
    const { account, id, only } = await own({})
    expect(await only()).toMatchObject({
      ...{ outcome: 'won', settled_by: 'score', returned: 190, profit: 90 },
      score: { home_team: 'alpha Rovers', home: 2, away: 1 },
    })
    const { status } = await service.settle(id, { outcome: 'refunded', reason: 'void' }, account)
    expect(status).toBe(200)
    expect(await only()).toMatchObject({
      ...{ outcome: 'refunded', settled_by: 'hand', outcome_by_score: 'won', profit: 0 },
      by_hand: { reason: 'void' },
    })
    await service.settle(id, { outcome: null }, account)
    expect(await only()).toMatchObject({ outcome: 'won', settled_by: 'score', by_hand: null })
  })

  it('settles a dead heat, a cash out, and an amount that differs from the rule’s', async () => {
    const { account, id, only } = await own({ odds_decimal: 5, stake: 30 })
    const stated = async (verdict: object) => {
      const reply = await service.settle(id, verdict, account)
      return reply.status === 200 ? (await only()).profit : reply.body.error.code
    }
    // A third of the stake wins at 5: 10 x 5 - 30.
    expect(await stated({ outcome: 'dead_heat', shared_by: 3 })).toBe(20)
    expect(await stated({ outcome: 'cashed_out', returned: 41.5 })).toBe(11.5)
    expect(await stated({ outcome: 'won', returned: 149.99 })).toBe(119.99)
    expect(await stated({ outcome: 'refunded', returned: 30 })).toBe(0)
    expect(await stated({ outcome: 'refunded', returned: 500 })).toBe('validation_error')
    expect(await stated({ outcome: 'won', returned: 29.98 })).toBe('validation_error')
    expect(await stated({ outcome: 'dead_heat' })).toBe('validation_error')
    expect(await stated({ outcome: 'cashed_out' })).toBe('validation_error')
  })

  it('applies to its account only', async () => {
    const { id, only } = await own({})
    const { status } = await service.settle(id, { outcome: 'lost' }, key)
    expect(status).toBe(404)
    expect(await only()).toMatchObject({ outcome: 'won' })
  })
})

describe('a file with free bets', () => {
  it('costs no stake for them, and names its currency', async () => {
    const account = await service.keyOf('sharp')
    const head =
      'reference,placed_at,event_id,market,selection,odds,stake,sportsbook,result,payout,Free Bet'
    const placed = new Date(win.startsAt - hour).toISOString()
    const lines = [
      ['lost', '$0', 'yes'],
      ['won', '$20', 'yes'],
      ['lost', '$0', 'no'],
      ['', '', 'yes'],
    ].map((cells, i) => `${i},${placed},${win.id},moneyline,home,3.0,$10,pinnacle,${cells.join()}`)
    const { body } = await service.postCsv([head, ...lines].join('\n'), account)
    expect(body.data).toMatchObject({ accepted: 4, currency: '$', ignored_columns: [] })
    const { bets, total } = (await service.results(account)).body.data
    const profits = bets.map(
      ({ reference, profit }: { reference: string; profit: number }) =>
        [reference, profit] as const,
    )
    expect(new Map(profits)).toEqual(
      new Map([
        ['0', 0],
        ['1', 20],
        ['2', -10],
        ['3', 20],
      ]),
    )
    expect(total).toMatchObject({ settled_stake: 40, profit: 30 })
    const other = await service.postCsv(
      [head, lines[0], lines[0]!.replace('$10', '€10')].join('\n'),
      account,
    )
    expect([other.status, other.body.code]).toEqual([400, 'validation_error'])
    expect(other.body.error.message).toContain('$ in line 2, € in line 3')
  })
})

it('more bets than one sum takes name a day from which the newest fit', async () => {
  const account = await service.keyOf('enterprise')
  const of = (day: string) => ({
    ...bet(win, market('moneyline', 'home')),
    event_id: 'a game that is not known',
    placed_at: `${day}T12:00:00Z`,
  })
  const many = Array.from({ length: 5_000 }, () => of('2025-01-05'))
  for (let sent = 0; sent < 20_000; sent += many.length) await service.post(many, account)
  expect((await service.results(account)).body.data.total.bets).toBe(20_000)
  await service.post(of('2025-02-05'), account)
  for (const read of [service.results, service.clv]) {
    const { status, body } = await read(account)
    expect([status, body.error.code, body.error.from]).toEqual([
      422,
      'answer_too_large',
      '2025-01-06',
    ])
    const fitting = await read(account, `?from=${body.error.from}`)
    expect(fitting.body.data.total.bets).toBe(1)
    expect((await read(account, '?to=2025-02-04')).body.data.total.bets).toBe(20_000)
  }
})

describe('a bet that is marked as free', () => {
  it('costs nothing if it is lost and gains its winnings, by the score and by hand', async () => {
    const account = await service.keyOf('sharp')
    const free = (reference: string, selection: string, more: object = {}) =>
      bet(win, { ...market('moneyline', selection), reference, free_bet: true, ...more })
    const sent = [
      free('lost', 'away'),
      free('won', 'home'),
      free('ruled', 'home', { result: 'lost' }),
      free('cashed', 'home', { result: 'cashed_out', returned: 130 }),
    ]
    const { body } = await service.post(sent, account)
    expect(body.data).toMatchObject({ accepted: 4, rejected: [] })
    const endedOf = async (key: string) => {
      const { bets, total } = (await service.results(key)).body.data
      const ended = bets.map((one: Record<string, unknown>) => [
        one.reference,
        [one.free_bet, one.returned, one.profit],
      ])
      return { ended: new Map(ended), total }
    }
    const cashed = ['cashed', [true, 130, 30]] as const
    const ruled = ['ruled', [true, 100, 0]] as const
    const { ended, total } = await endedOf(account)
    expect(ended).toEqual(
      new Map<string, unknown>([['lost', [true, 100, 0]], ['won', [true, 190, 90]], ruled, cashed]),
    )
    expect(total).toMatchObject({ settled: 4, settled_stake: 400, returned: 520, profit: 120 })

    // Those without a stated result are settled by the score again.
    const { text } = await service.read('/account/bets?format=csv', account)
    const other = await service.keyOf('sharp')
    const { data } = (await service.postCsv(text, other)).body
    expect([data.accepted, data.rejected]).toEqual([4, []])
    expect((await endedOf(other)).ended).toEqual(ended)
    expect((await service.post(sent, account)).body.data).toMatchObject({ duplicates: 4 })
    const unmarked = { ...sent[0], free_bet: false }
    // The mark stays.
    expect((await service.post(unmarked, account)).body.data).toMatchObject({ duplicates: 1 })
    expect((await endedOf(account)).ended).toEqual(ended)
  })

  it('is stated and corrected with its stake, which is not lost', async () => {
    const account = await service.keyOf('sharp')
    const { body } = await service.post(
      bet(win, { ...market('moneyline', 'home'), free_bet: true }),
      account,
    )
    const { id } = body.data.bets[0]
    const only = async () => (await service.results(account)).body.data.bets[0]
    for (const [stated, why] of [
      [{ outcome: 'lost', returned: 0 }, 'with the stake: 100'],
      [{ outcome: 'won', returned: 90 }, 'add it'],
      [{ outcome: 'cashed_out', returned: 30 }, 'add it'],
    ] as const) {
      const refused = await service.settle(id, stated, account)
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining(why),
      ])
    }
    await service.settle(id, { outcome: 'lost' }, account)
    expect(await only()).toMatchObject({ outcome: 'lost', returned: 100, profit: 0 })
    await service.settle(id, { outcome: 'won', returned: 190 }, account)
    expect((await service.correct(id, { stake: 50, odds_decimal: 3 }, account)).status).toBe(200)
    expect(await only()).toMatchObject({ free_bet: true, returned: 150, profit: 100 })
    await service.settle(id, { outcome: 'lost' }, account)
    for (const [free_bet, profit] of [
      [false, -50],
      [true, 0],
    ] as const) {
      expect((await service.correct(id, { free_bet }, account)).status).toBe(200)
      expect(await only()).toMatchObject({ free_bet, profit })
    }
  })
})

describe('a bet that is corrected', () => {
  const slip = bet(win, { ...market('moneyline', 'home'), reference: 'slip-1' })
  async function stored(more: object = {}) {
    const account = await service.keyOf('sharp')
    const { body } = await service.post({ ...slip, ...more }, account)
    const { id } = body.data.bets[0]
    const results = async () => (await service.results(account)).body.data
    const correct = (correction: object) => service.correct(id, correction, account)
    return { account, id, results, correct }
  }

  it('has the profit, the sums and the value of its new price and stake', async () => {
    const { account, id, results, correct } = await stored()
    expect((await results()).total).toMatchObject({ profit: 90, roi: { percent: 90 } })
    const { status, body } = await correct({ odds_american: -125, stake: 40 })
    expect([status, body.data.id, body.data.reference]).toEqual([200, id, 'slip-1'])
    expect(body.data).toMatchObject({ odds_decimal: 1.8, stake: 40, found: { event_id: win.id } })
    const { total, bets, by_sportsbook } = await results()
    expect(bets).toMatchObject([{ id, profit: 32, returned: 72, clv_percent: -2.8 }])
    expect(total).toMatchObject({ settled_stake: 40, profit: 32, roi: { percent: 80 } })
    expect(by_sportsbook).toMatchObject([{ group_key: 'pinnacle', profit: 32 }])
    // Of one reference there is one bet, and it is another one than was sent first.
    expect((await service.post(slip, account)).body.data.rejected).toMatchObject([
      { code: 'reference_conflict' },
    ])
    const same = { ...slip, odds_decimal: 1.8, stake: 40 }
    expect((await service.post(same, account)).body.data.duplicates).toBe(1)
  })

  it('can move to another sportsbook and time, and keeps what is not stated', async () => {
    const { results, correct } = await stored()
    const later = new Date(win.startsAt + hour).toISOString()
    expect((await correct({ sportsbook: 'DraftKings', placed_at: later })).status).toBe(200)
    expect((await results()).bets).toMatchObject([
      { sportsbook: 'draftkings', placed_at: later, odds_decimal: 1.9, stake: 100, profit: 90 },
    ])
    expect((await results()).bets[0].clv_reason).toBe('placed_after_start')
  })

  it('is held to the rules of a new one, and stays as it is if refused', async () => {
    const { results, correct } = await stored()
    const before = (await results()).bets
    const ahead = new Date(service.clock() + hour).toISOString()
    for (const [correction, why] of [
      [{ odds_decimal: 0.9 }, 'odds_decimal'],
      [{ odds_decimal: 1.9, odds_american: 150 }, 'is not odds_american'],
      [{ stake: 0 }, 'stake'],
      [{ sportsbook: 'unknown' }, 'sportsbook'],
      [{ placed_at: ahead }, 'ahead of our clock'],
      [{ selection: 'away' }, 'selection'],
    ] as const) {
      const { status, body } = await correct(correction)
      expect([status, body.code, body.error.message]).toEqual([
        400,
        'validation_error',
        expect.stringContaining(why),
      ])
    }
    expect((await results()).bets).toEqual(before)
  })

  it('keeps its stated result, which has to hold for the new stake', async () => {
    const { account, id, results, correct } = await stored()
    await service.settle(id, { outcome: 'lost', returned: 100 }, account)
    expect((await correct({ stake: 60 })).body.error.message).toContain('no more than its stake')
    await service.settle(id, { outcome: 'refunded', returned: 100 }, account)
    expect((await correct({ stake: 60 })).body.error.message).toContain('returns its stake')
    await service.settle(id, { outcome: 'dead_heat', shared_by: 2 }, account)
    expect((await correct({ stake: 60, odds_decimal: 5 })).status).toBe(200)
    // Half of the stake wins at 5: 30 x 5 - 60.
    expect((await results()).bets).toMatchObject([{ outcome: 'dead_heat', profit: 90 }])
  })

  it('has the return of its new terms where its file stated that of the old ones', async () => {
    const { results, correct } = await stored({ result: 'won', returned: 190 })
    expect((await correct({ stake: 40 })).status).toBe(200)
    expect((await results()).bets).toMatchObject([{ outcome: 'won', returned: 76, profit: 36 }])
    expect((await correct({ odds_decimal: 2.5 })).status).toBe(200)
    expect((await results()).bets).toMatchObject([{ outcome: 'won', returned: 100, profit: 60 }])
  })

  it('is refused where its stated return may be wrong with the new terms', async () => {
    const boosted = { result: 'won', returned: 230, result_reason: 'boost' }
    const { results, correct } = await stored(boosted)
    const { status, body } = await correct({ stake: 40 })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('returned 230')])
    expect((await correct({ odds_decimal: 2.3 })).status).toBe(200)
    expect((await results()).bets).toMatchObject([
      { odds_decimal: 2.3, returned: 230, profit: 130 },
    ])
  })

  it('is corrected by its account only', async () => {
    const { id, results } = await stored()
    expect((await service.correct(id, { stake: 1 }, key)).status).toBe(404)
    expect((await results()).bets).toMatchObject([{ stake: 100 }])
  })
})

describe('a game that is played while the bet is open', () => {
  it('is settled when its end is reported', async () => {
    const account = await service.keyOf('sharp')
    const event = {
      sport: 'basketball',
      league: 'nba',
      home_team: 'Boston Celtics',
      away_team: 'Chicago Bulls',
      start_time: new Date(service.clock() + hour).toISOString(),
    }
    const push = async (record: object, isLive = true) => {
      const body = {
        sportsbook: 'fanduel',
        observed_at: new Date(service.clock()).toISOString(),
        event: { ...event, is_live: isLive },
        ...record,
      }
      const reply = await service.request('/ingest', {
        method: 'POST',
        headers: { Authorization: `Bearer ${ingestToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect([reply.status, reply.body?.data?.rejected ?? []]).toEqual([202, []])
    }
    const only = async () => (await service.results(account)).body.data.bets[0]
    await push(
      {
        type: 'odds',
        mode: 'snapshot',
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection_type: 'home', odds_decimal: 1.8 },
              { selection_type: 'away', odds_decimal: 2.1 },
            ],
          },
        ],
      },
      false,
    )
    await expect
      .poll(async () => (await service.read('/events?league=nba', account)).body.data.length)
      .toBe(1)
    await service.post(
      {
        placed_at: new Date(service.clock()).toISOString(),
        ...{ league: 'NBA', start_time: event.start_time },
        ...{ home_team: 'Celtics', away_team: 'Bulls', market: 'moneyline', selection: 'away' },
        ...{ odds_decimal: 2.1, stake: 50, sportsbook: 'FanDuel' },
      },
      account,
    )
    expect(await only()).toMatchObject({ outcome: null, open_because: 'not_started' })
    service.advance(3 * hour)
    const state = (home_score: number, away_score: number, game_period: string) => ({
      type: 'game_state',
      state: { home_score, away_score, game_period },
    })
    await push(state(90, 92, 'Q4'))
    await expect.poll(async () => (await only()).open_because).toBe('not_over')
    await push(state(101, 104, 'final'))
    await push({ type: 'event_status', status: 'final' })
    await expect.poll(async () => (await only()).outcome).toBe('won')
    expect(await only()).toMatchObject({
      ...{ settled_by: 'score', returned: 105, profit: 55 },
      score: { home_team: 'Boston Celtics', home: 101, away: 104 },
    })
  })
})
