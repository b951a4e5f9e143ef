/** A small recording with figures that can be checked by hand. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { backtest } from '../../../pipeline/backtest/backtest.ts'
import { toJson, writeReport } from '../../../pipeline/backtest/report.ts'
import { RecordingError } from '../../../pipeline/feeds/replay/recording.ts'
import { feesWith } from '../../../pipeline/rules/odds/fees.ts'
import { withConsensus } from '../../../pipeline/rules/odds/sharp-books.ts'

const minute = 60_000
const noon = Date.parse('2026-05-02T12:00:00Z')
const startsAt = noon + 60 * minute

const event = (book: string) => ({
  external_id: `${book}-1`,
  sport: 'soccer',
  league: 'England - Premier League',
  home_team: 'Leeds United',
  away_team: 'Brentford',
  start_time: new Date(startsAt).toISOString(),
})

/** Returns a sportsbook's prices of over and under 2.5 goals after some minutes; without prices a withdrawal. */
const offers = (book: string, minutes: number, prices: readonly number[]) => ({
  type: 'odds',
  sportsbook: book,
  mode: 'snapshot',
  observed_at: new Date(noon + minutes * minute).toISOString(),
  event: event(book),
  markets: prices.length === 0 ? [] : [total(prices)],
})

const total = ([over, under]: readonly number[]) => ({
  market_type: 'total_goals',
  line: 2.5,
  selections: [
    { selection_type: 'over', odds_decimal: over },
    { selection_type: 'under', odds_decimal: under },
  ],
})

const says = (book: string, status: string, minutes: number) => ({
  type: 'event_status',
  sportsbook: book,
  observed_at: new Date(noon + minutes * minute).toISOString(),
  event: event(book),
  status,
})

const directory = mkdtempSync(join(tmpdir(), 'overround-backtest-'))
let recordings = 0

function recording(...records: readonly object[]): string {
  const path = join(directory, `${++recordings}.ndjson`)
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'))
  return path
}

const run = (...records: readonly object[]) =>
  backtest({ path: recording(...records) }, ['pinnacle'])

const arbitrages = async (...records: readonly object[]) =>
  (await run(...records)).lives.filter(({ kind }) => kind === 'arbitrage')

/** An arbitrage of 1/(1/2.1 + 1/2) - 1. */
const born = [offers('pinnacle', 0, [1.9, 2]), offers('fanduel', 0, [2.1, 1.8])]
const profit = (over: number, under: number) => 1 / (1 / over + 1 / under) - 1

describe('a backtest', () => {
  it('follows an opportunity from its birth through its peak to the price that ends it', async () => {
    const [life, ...others] = await arbitrages(
      ...born,
      offers('fanduel', 2, [2.15, 1.8]),
      offers('fanduel', 3, [2.05, 1.8]),
      offers('pinnacle', 4, [1.9, 1.95]),
      offers('fanduel', 4, [1.95, 1.9]),
    )
    expect(others).toEqual([])
    expect(life).toMatchObject({
      homeTeam: 'Leeds United',
      marketType: 'total_goals',
      bornAt: noon,
      peakAt: noon + 2 * minute,
      endedAt: noon + 4 * minute,
      end: 'prices',
      legs: [
        { sportsbook: 'fanduel', selectionType: 'over', line: 2.5, price: 2.1 },
        { sportsbook: 'pinnacle', selectionType: 'under', line: 2.5, price: 2 },
      ],
    })
    expect(life!.worthAtBirth).toBeCloseTo(profit(2.1, 2), 12)
    expect(life!.peak).toBeCloseTo(profit(2.15, 2), 12)
  })

  it('ends what is not seen again at that time, and not with the next step', async () => {
    const [life] = await arbitrages(...born, offers('fanduel', 50, []))
    expect(life).toMatchObject({ end: 'seen', endedAt: noon + 6 * minute })
  })

  it('ends opportunities at the start, and at the end of a game, by the cause', async () => {
    const opening = [offers('pinnacle', 58, [1.9, 2]), offers('fanduel', 58, [2.1, 1.8])]
    const [started] = await arbitrages(...opening, offers('fanduel', 70, []))
    expect(started).toMatchObject({ end: 'started', endedAt: startsAt })
    const ended = ['pinnacle', 'fanduel'].map((book) => says(book, 'cancelled', 1))
    const [cancelled] = await arbitrages(...born, ...ended)
    expect(cancelled).toMatchObject({ end: 'over', endedAt: noon + minute })
    const [alive] = await arbitrages(...born)
    expect(alive).toMatchObject({ end: 'recording', endedAt: noon })
  })

  it('gives an opportunity that comes back another life', async () => {
    const lives = await arbitrages(
      ...born,
      offers('fanduel', 1, [1.9, 1.8]),
      offers('fanduel', 2, [2.1, 1.8]),
    )
    expect(lives.map(({ bornAt }) => (bornAt - noon) / minute)).toEqual([0, 2])
    expect(new Set(lives.map(({ id }) => id)).size).toBe(1)
  })

  it('closes each line with the prices on offer at its start', async () => {
    const { closes } = await run(
      offers('pinnacle', 58, [1.9, 2]),
      offers('fanduel', 30, [2.1, 1.8]),
      offers('betmgm', 59, [1.8, 2.1]),
      offers('caesars', 50, [1.85, 2]),
      offers('caesars', 55, []),
      says('pinnacle', 'final', 180),
    )
    // fanduel has not been seen for half an hour, caesars has withdrawn.
    expect(closes.map(({ sportsbook }) => sportsbook)).toEqual(['pinnacle', 'betmgm'])
    const [sharp, other] = closes
    expect(sharp?.overround).toBeCloseTo(1 / 1.9 + 1 / 2 - 1, 12)
    expect(sharp?.answers.map(({ value }) => value)).toEqual([null, null])
    const [over, under] = other!.answers
    expect(over?.value).toBeCloseTo(sharp!.answers[0]!.fair! / over!.fair! - 1, 12)
    expect(over!.value! < 0 && under!.value! > 0).toBe(true)
  })

  it('closes a game that is resumed at a later start with the prices of its first', async () => {
    const inPlay = (minutes: number, prices: readonly number[]) => {
      const { event: of, ...record } = offers('pinnacle', minutes, prices)
      return { ...record, event: { ...of, is_live: true } }
    }
    const resumed = (minutes: number, later: number) => {
      const { event: of, ...record } = offers('pinnacle', minutes, [1.2, 5])
      const start = new Date(startsAt + later * minute).toISOString()
      return { ...record, event: { ...of, start_time: start } }
    }
    const begun = [offers('pinnacle', 58, [1.9, 2]), inPlay(62, [1.8, 2.1]), inPlay(120, [])]
    const goesOn = [resumed(1_200, 1_440), resumed(1_210, 1_500), resumed(1_555, 1_500)]
    const { closes } = await run(...begun, ...goesOn, says('pinnacle', 'final', 1_700))
    expect(closes.map((close) => close.answers.map(({ price }) => price))).toEqual([[1.9, 2]])
    expect(closes[0]?.startsAt).toBe(startsAt)
  })

  it('closes a game that one called in play too early with the prices at its start', async () => {
    const { event: of, ...early } = offers('pinnacle', 30, [1.5, 2.5])
    const { closes } = await run(
      offers('pinnacle', 0, [2.2, 1.7]),
      { ...early, event: { ...of, is_live: true } },
      offers('pinnacle', 31, [1.9, 2]),
      offers('pinnacle', 58, [1.8, 2.1]),
      says('pinnacle', 'final', 180),
    )
    expect(closes.map((close) => close.answers.map(({ price }) => price))).toEqual([[1.8, 2.1]])
  })

  it('closes each sportsbook as it goes into play, and the others at the start', async () => {
    const { event: of, ...early } = offers('pinnacle', 58, [1.4, 2.9])
    const inPlay = { ...early, event: { ...of, is_live: true } }
    const { event: ofCirca, ...alsoEarly } = offers('circa', 59, [1.4, 2.9])
    const { closes } = await run(
      offers('pinnacle', 57, [1.9, 2]),
      offers('circa', 57, [1.95, 1.95]),
      offers('betmgm', 57, [1.8, 2.05]),
      inPlay,
      { ...alsoEarly, event: { ...ofCirca, is_live: true } },
      offers('betmgm', 59.5, [1.85, 2]),
      says('pinnacle', 'final', 180),
    )
    const shown = closes.map(({ sportsbook, sharpBook, answers }) => [
      ...[sportsbook, sharpBook, ...answers.map(({ price }) => price)],
    ])
    expect(shown.sort()).toEqual([
      ['betmgm', 'pinnacle', 1.85, 2],
      ['circa', 'pinnacle', 1.95, 1.95],
      ['pinnacle', 'pinnacle', 1.9, 2],
    ])
    expect(closes.map((close) => close.startsAt)).toEqual([startsAt, startsAt, startsAt])
  })

  it('has no close of a game that is called off after its start, before it has begun', async () => {
    const prices = [offers('pinnacle', 57, [1.9, 2]), offers('betmgm', 57, [1.8, 2.05])]
    const calledOff = [says('pinnacle', 'cancelled', 80), says('betmgm', 'cancelled', 80)]
    expect((await run(...prices, offers('betmgm', 79, []))).closes).not.toEqual([])
    expect((await run(...prices, offers('betmgm', 79, []), ...calledOff)).closes).toEqual([])
  })

  it.each(['postponed', 'cancelled'])('has no close of a game that was %s', async (status) => {
    const ended = [says('pinnacle', status, 58), says('betmgm', status, 58)]
    const prices = [offers('pinnacle', 57, [1.9, 2]), offers('betmgm', 57, [1.8, 2.05])]
    const { closes } = await run(...prices, ...ended, offers('circa', 90, [1.9, 2]))
    expect(closes).toEqual([])
  })

  it('measures no close by one that the guard withheld, and says why', async () => {
    const honest = ['fanduel', 'betmgm', 'caesars', 'draftkings']
    const at = (minutes: number) => [
      offers('pinnacle', minutes, [3.4, 1.37]),
      offers('circa', minutes, [1.9, 2]),
      ...honest.map((book) => offers(book, minutes, [1.87, 2])),
    ]
    const path = recording(...at(58), says('circa', 'final', 180))
    const { closes } = await backtest({ path }, ['pinnacle', 'circa'])
    const [wrong, sharp, ...others] = closes
    expect(wrong).toMatchObject({ sportsbook: 'pinnacle', withheld: 'market_mismatch' })
    expect(wrong).toMatchObject({ sharpBook: 'circa', overround: null })
    expect(wrong?.answers.map(({ price, fair, value }) => [price, fair, value])).toEqual([
      [3.4, null, null],
      [1.37, null, null],
    ])
    expect(sharp).toMatchObject({ sportsbook: 'circa', withheld: null })
    expect(others.map(({ sportsbook }) => sportsbook)).toEqual(honest)
    for (const { sharpBook, withheld, answers } of others) {
      expect([sharpBook, withheld]).toEqual(['circa', null])
      const [over] = answers
      expect(over?.value).toBeCloseTo(sharp!.answers[0]!.fair! / over!.fair! - 1, 12)
    }
  })

  it('is the same each time, in its texts for people and for programs', async () => {
    const path = recording(
      ...born,
      offers('fanduel', 2, [2.15, 1.8]),
      says('fanduel', 'final', 200),
    )
    const [first, second] = [
      await backtest({ path }, ['pinnacle']),
      await backtest({ path }, ['pinnacle']),
    ]
    expect(toJson(path, second)).toEqual(toJson(path, first))
    expect(toJson(path, first)).toMatchObject({
      events: 1,
      kinds: [
        { kind: 'ev' },
        { kind: 'arbitrage', births: 1, ended_by: { seen: 1 } },
        { kind: 'low_hold' },
      ],
      opportunities: expect.arrayContaining([expect.objectContaining({ kind: 'arbitrage' })]),
    })
    const report = writeReport(path, first)
    expect(report).toContain(
      'Leeds United v Brentford, total_goals: fanduel over 2.5 2.1 + pinnacle under 2.5 2',
    )
    expect(report).toMatch(/^Arbitrage +1 +1 +2\.44 % +3\.61 %/m)
    // Its hold is 1/2.1 + 1/2 - 1, then 1/2.15 + 1/2 - 1.
    expect(report).toMatch(/^Low hold +1 +\d +hold -2\.38 % +hold -3\.49 % +hold -3\.49 %/m)
  })

  it('leaves out the given sportsbooks', async () => {
    const { lives, counts } = await backtest(
      { path: recording(...born), without: new Set(['fanduel']) },
      ['pinnacle'],
    )
    expect(lives).toEqual([])
    expect(counts.get('odds')).toBe(2)
  })

  it('finds and values opportunities after the fees that count, and says which', async () => {
    const fees = feesWith(true, { fanduel: 0.02 })
    const path = recording(...born, offers('fanduel', 2, [2.15, 1.8]))
    const result = await backtest({ path, fees }, ['pinnacle'])
    const life = result.lives.find(({ kind }) => kind === 'arbitrage')!
    expect(life.legs).toMatchObject([
      { sportsbook: 'fanduel', price: 2.1, net: expect.closeTo(2.078, 9) },
      { sportsbook: 'pinnacle', price: 2, net: 2 },
    ])
    expect(life.worthAtBirth).toBeCloseTo(profit(2.078, 2), 9)
    expect(life.peak).toBeCloseTo(profit(2.127, 2), 9)
    expect(writeReport(path, result)).toContain(
      'Worth and results count after fees: betfair 5 % of winnings, matchbook 4 % of winnings, smarkets 2 % of winnings, kalshi 7 % x p (1 - p) a contract, polymarket 3 % x p (1 - p) a contract, fanduel 2 % of winnings.',
    )
    expect(toJson(path, result)).toMatchObject({
      fees: { kalshi: { on: 'contract', rate: 0.07 }, fanduel: { on: 'net_winnings', rate: 0.02 } },
    })
    const heavy = await backtest({ path, fees: feesWith(false, { fanduel: 0.15 }) }, ['pinnacle'])
    expect(heavy.lives.filter(({ kind }) => kind === 'arbitrage')).toEqual([])
    expect(writeReport(path, await backtest({ path }, ['pinnacle']))).toContain(
      'No fees of exchanges count.',
    )
  })

  it('counts the prices that the guard withheld, once each', async () => {
    const others = ['pinnacle', 'fanduel', 'betmgm', 'caesars', 'bet365']
    const fair = (minutes: number) => others.map((book) => offers(book, minutes, [1.9, 2]))
    const slip = (minutes: number) => offers('draftkings', minutes, [19, 2])
    const result = await run(...fair(0), slip(0), ...fair(2), slip(2))
    expect(Object.fromEntries(result.withheld)).toEqual({ market_mismatch: 2 })
    const legs = result.lives.flatMap((life) => life.legs.map(({ sportsbook }) => sportsbook))
    expect(legs).not.toContain('draftkings')
    expect(writeReport('x', result)).toContain(
      'Withheld as wrong, and so in no opportunity: 2 prices (market mismatch 2)',
    )
    expect(toJson('x', result)).toMatchObject({ withheld: { market_mismatch: 2 } })
  })

  it('bets at no sportsbook that only measures others', async () => {
    const path = recording(...born)
    const kinds = async (references: readonly string[]) => {
      const { lives } = await backtest({ path, references: new Set(references) }, ['pinnacle'])
      return [...new Set(lives.map(({ kind }) => kind))].sort()
    }
    expect(await kinds([])).toEqual(['arbitrage', 'ev', 'low_hold'])
    // It still measures the other sportsbook's price.
    expect(await kinds(['pinnacle'])).toEqual(['ev'])
  })

  it('is measured by the consensus where no sharp book quotes, if the chain ends with it', async () => {
    const books = ['betmgm', 'caesars', 'bet365', 'betrivers']
    const path = recording(
      ...books.map((book) => offers(book, 0, [1.9, 1.9])),
      offers('fanduel', 0, [2.1, 1.75]),
    )
    const count = async (chain: readonly string[]) =>
      (await backtest({ path }, chain)).lives.filter(({ kind }) => kind === 'ev').length
    expect([await count(['pinnacle']), await count(withConsensus(['pinnacle']))]).toEqual([0, 1])
  })

  it('names the sportsbooks of the recording, those that are left out too', async () => {
    const path = recording(...born)
    const { sportsbooks, lives } = await backtest({ path, without: new Set(['fanduel']) }, [])
    expect([...sportsbooks].sort()).toEqual(['fanduel', 'pinnacle'])
    expect(lives).toEqual([])
  })

  it('refuses a file that is no recording', async () => {
    await expect(backtest({ path: join(directory, 'none.csv') }, [])).rejects.toThrow(
      RecordingError,
    )
  })
})
