import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ArchiveError } from '../../../pipeline/archive/archive.ts'
import { createArchiveReads } from '../../../pipeline/archive/archive-reads.ts'
import { archivedTables } from '../../../pipeline/archive/archived-tables.ts'
import { runArchiver } from '../../../pipeline/archive/archiver.ts'
import {
  askClv,
  type ClvQuestion,
  revalueEvents,
  valueEvents,
} from '../../../pipeline/archive/clv.ts'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { type Chains, chainsAmong } from '../../../pipeline/rules/odds/chains.ts'
import type { ClosingLine } from '../../../schemas/closing-line.ts'
import { type Topic, topics } from '../../../schemas/topics.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const hour = 3_600_000
const day = 24 * hour
const chain = ['pinnacle', 'circa', 'betfair']
const start = Date.parse('2027-01-30T20:00:00.000Z')
const asking = {
  caller: 'acct',
  limits: { seconds: 20, resultRows: 10_000, readRows: 1e8, memoryBytes: 1e9 },
}

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

let lastId = 100_000_000_000_000
const oddsIds = new Map<string, number>()
let events = 0
let blocks = 0

/** Creates a game in its own league, so that each test has its own. */
function createGame() {
  const league = `league_${++events}`
  const eventId = `${league}_bulls_knicks_2027-01-30_b3`

  function close(sportsbook: string, noVig: number | null, more: Partial<ClosingLine> = {}) {
    const of: ClosingLine = {
      oddsId: 0,
      eventId,
      sport: 'basketball',
      league,
      sportsbook,
      marketType: 'moneyline',
      selection: 'New York Knicks',
      selectionType: 'home',
      line: null,
      playerName: null,
      statCategory: null,
      startsAt: start,
      capturedAt: start,
      pricedAt: start - hour,
      price: noVig === null ? null : 0.95 / noVig,
      noVig,
      withheld: null,
      missing: null,
      missingSince: null,
      ...more,
    }
    const key = [of.eventId, sportsbook, of.marketType, of.selectionType, of.line].join('|')
    if (!oddsIds.has(key)) oddsIds.set(key, ++lastId)
    return { ...of, oddsId: oddsIds.get(key)! }
  }

  return {
    league,
    eventId,
    close,
    /** Inserts closes as the archiver does. */
    async take(closes: readonly ClosingLine[], by: Chains = chain) {
      const table = archivedTables.find(({ table }) => table === 'closing_lines')!
      const rows = closes.map((line, i) => ({
        ...table.columns(line as never),
        log_epoch: 'e',
        log_partition: 0,
        log_offset: i,
      }))
      await engine.archive.insert('closing_lines', `block ${++blocks}`, rows)
      const eventIds = new Set(closes.map((line) => line.eventId))
      await valueEvents(
        engine.archive,
        by,
        [...eventIds].map((id) => ({ eventId: id, league })),
      )
    },
    async ask(of: Partial<ClvQuestion> = {}) {
      const answer = await askClv(createArchiveReads(engine.archive), asking, {
        from: start - day,
        to: start + day,
        groupBy: 'sportsbook',
        leagues: [league],
        hidden: [],
        chain,
        ...of,
      })
      return answer!
    },
  }
}

/** Returns mean values by group. */
const meansOf = ({
  groups,
}: {
  groups: readonly { key: string; total: number; samples: number }[]
}) => Object.fromEntries(groups.map(({ key, total, samples }) => [key, total / samples]))

describe('closing-line value', () => {
  it('compares a close with that of the first sharp book, which is no sample itself', async () => {
    const game = createGame()
    await game.take([
      game.close('pinnacle', 0.5),
      game.close('circa', 0.48),
      game.close('fanduel', 0.4),
      game.close('fanduel', 0.6, { selectionType: 'away' }),
      game.close('circa', 0.63, { selectionType: 'away' }),
    ])
    const answer = await game.ask()
    expect(answer.groups.map(({ key, samples, events }) => [key, samples, events])).toEqual([
      ['fanduel', 2, 1],
      ['circa', 1, 1],
    ])
    const means = meansOf(answer)
    expect(means.fanduel).toBeCloseTo((0.5 / 0.4 - 1 + (0.63 / 0.6 - 1)) / 2, 12)
    expect(means.circa).toBeCloseTo(0.5 / 0.48 - 1, 12)
    expect(answer.references).toEqual([
      { sportsbook: 'pinnacle', samples: 2, events: 1, first: start, last: start },
      { sportsbook: 'circa', samples: 1, events: 1, first: start, last: start },
    ])
    expect(answer.summary).toMatchObject({ events: 1, comparable: 1, captured: start })
  })

  it('never compares across lines, players, or labels', async () => {
    const game = createGame()
    const total = { marketType: 'total_points', selectionType: 'over', selection: 'Over' }
    const scorer = { marketType: 'anytime_goalscorer', selectionType: 'other' }
    await game.take([
      game.close('pinnacle', 0.5, { ...total, line: 220.5 }),
      game.close('fanduel', 0.4, { ...total, line: 221.5 }),
      game.close('pinnacle', 0.5, { ...total, line: 9.5, playerName: 'A. Able' }),
      game.close('fanduel', 0.4, { ...total, line: 9.5, playerName: 'B. Baker' }),
      game.close('pinnacle', 0.2, { ...scorer, line: 1, selection: 'Able' }),
      game.close('fanduel', 0.3, { ...scorer, line: 2, selection: 'Baker' }),
    ])
    expect((await game.ask()).summary).toMatchObject({ comparable: 0, no_equal_line: 1 })
    expect((await game.ask()).groups).toEqual([])
  })

  it('compares outcomes that sportsbooks name differently', async () => {
    const game = createGame()
    await game.take([
      game.close('pinnacle', 0.5, { selection: 'New York Knicks' }),
      game.close('fanduel', 0.4, { selection: 'NY Knicks' }),
    ])
    expect(meansOf(await game.ask()).fanduel).toBeCloseTo(0.25, 12)
  })

  it('uses the close that was captured last, also if the start moved out of the range', async () => {
    const game = createGame()
    await game.take([game.close('pinnacle', 0.5), game.close('fanduel', 0.4)])
    const moved = { startsAt: start + 9 * day, capturedAt: start + 9 * day }
    await game.take([game.close('fanduel', 0.45, moved)])
    await game.take([game.close('pinnacle', 0.54, moved)])
    expect((await game.ask()).summary.events).toBe(0)
    const later = await game.ask({ from: start + 8 * day, to: start + 10 * day })
    expect(meansOf(later)).toEqual({ fanduel: expect.closeTo(0.2, 12) })
    expect(later.groups[0]!.samples).toBe(1)
  })

  it('is the same when a block is valued again, or sportsbook by sportsbook', async () => {
    const game = createGame()
    const closes = ['fanduel', 'circa', 'draftkings', 'pinnacle'].map((sportsbook, i) =>
      game.close(sportsbook, 0.4 + i / 50),
    )
    for (const one of closes) await game.take([one])
    const apart = await game.ask()
    await game.take(closes)
    await game.take(closes)
    expect(await game.ask()).toEqual(apart)
    expect(apart.references.map(({ sportsbook }) => sportsbook)).toEqual(['pinnacle'])
  })

  it('is computed even if the process ended between the closes and their value', async () => {
    const game = createGame()
    const log = await openEmbeddedLog({ path: join(engine.directory, 'log') })
    const closes = [game.close('pinnacle', 0.5), game.close('fanduel', 0.4)]
    await log.append(
      closes.map((value) => ({
        topic: topics.closingLines as Topic<unknown>,
        partitionKey: game.league,
        key: String(value.oddsId),
        value,
      })),
    )
    const { signal } = new AbortController()
    const crashing = runArchiver(log, engine.archive, {
      signal,
      whenClosed: () => Promise.reject(new Error('the process ends')),
    })
    await expect(crashing).rejects.toThrow('the process ends')
    expect((await game.ask()).groups).toEqual([])
    const stop = new AbortController()
    let failures = 1
    const running = runArchiver(log, engine.archive, {
      signal: stop.signal,
      async whenClosed(those) {
        if (failures-- > 0) throw new ArchiveError('unavailable', 'not now', null)
        const events = those.map(({ eventId, league }) => ({ eventId, league }))
        await valueEvents(engine.archive, chain, events)
      },
    })
    await expect.poll(async () => (await game.ask()).groups.length).toBe(1)
    stop.abort()
    await running
    await log.close()
  })

  it('gives the reasons why events are not compared, each once, and why closes are missing', async () => {
    const game = createGame()
    const other = (name: string) => ({ eventId: `${game.league}_${name}_x_2027-01-30_b3` })
    const gone = { missing: 'withdrawn', missingSince: start - hour, price: null } as const
    await game.take([
      game.close('pinnacle', 0.5),
      game.close('fanduel', 0.4),
      game.close('fanduel', null, { ...gone, selectionType: 'away' }),
      game.close('fanduel', null, other('none')),
      game.close('draftkings', null, { ...gone, ...other('none'), missing: 'suspended' }),
      game.close('fanduel', 0.4, other('dull')),
      game.close('fanduel', 0.4, other('apart')),
      game.close('pinnacle', 0.5, { ...other('apart'), selectionType: 'away' }),
    ])
    const answer = await game.ask()
    expect(answer.summary).toMatchObject({
      events: 4,
      comparable: 1,
      no_close: 1,
      no_reference: 1,
      no_equal_line: 1,
    })
    expect(answer.missing).toEqual([
      { reason: 'incomplete', count: 1 },
      { reason: 'suspended', count: 1 },
      { reason: 'withdrawn', count: 1 },
    ])
    const ofOne = await game.ask({ sportsbooks: ['draftkings'] })
    expect(ofOne.summary).toMatchObject({ events: 1, no_close: 1 })
    expect(ofOne.missing).toEqual([{ reason: 'suspended', count: 1 }])
  })

  it('excludes a hidden sportsbook as if it had never existed', async () => {
    const game = createGame()
    const closes = [
      game.close('circa', 0.48),
      game.close('fanduel', 0.4),
      game.close('draftkings', 0.45),
    ]
    await game.take(closes)
    const never = await game.ask()
    await game.take([game.close('pinnacle', 0.5)])
    expect(await game.ask({ hidden: ['pinnacle'], chain: chain.slice(1) })).toEqual(never)
    expect(meansOf(never).fanduel).toBeCloseTo(0.2, 12)
    expect(meansOf(await game.ask()).fanduel).toBeCloseTo(0.25, 12)
  })

  it('is queried by a new chain once the events are computed by it', async () => {
    const game = createGame()
    await game.take([
      game.close('pinnacle', 0.5),
      game.close('circa', 0.48),
      game.close('fanduel', 0.4),
    ])
    const other = ['circa', 'pinnacle']
    const question = {
      from: start - day,
      to: start + day,
      groupBy: 'sportsbook',
      leagues: [game.league],
      hidden: [],
      chain: other,
    } as const
    const reads = createArchiveReads(engine.archive)
    expect(await askClv(reads, asking, question)).toBeNull()
    await revalueEvents(engine.archive, other)
    expect(meansOf((await askClv(reads, asking, question))!).fanduel).toBeCloseTo(0.2, 12)
    await revalueEvents(engine.archive, chain)
    expect(meansOf(await game.ask()).fanduel).toBeCloseTo(0.25, 12)
  })

  it('is by the chain of each league, else of its sport, and computed anew where that changes', async () => {
    const games = [createGame(), createGame(), createGame()] as const
    const [own, ofSport, other] = games
    for (const game of games) {
      const more = { sport: game === other ? 'hockey' : 'basketball' }
      await game.take([
        game.close('pinnacle', 0.5, more),
        game.close('circa', 0.48, more),
        game.close('our_model', 0.6, more),
        game.close('fanduel', 0.4, more),
      ])
    }
    const byLeague: Chains = {
      usual: [...chain, 'consensus'],
      own: new Map([
        [own.league, ['our_model', 'pinnacle', 'consensus']],
        ['basketball', ['betfair', 'circa']],
      ]),
    }
    const reads = createArchiveReads(engine.archive)
    const ask = (of: Partial<ClvQuestion>) =>
      askClv(reads, asking, {
        ...{ from: start - day, to: start + day, groupBy: 'league', sportsbooks: ['fanduel'] },
        ...{ leagues: games.map(({ league }) => league), hidden: [], chain: byLeague, ...of },
      })
    expect(await ask({})).toBeNull()
    await revalueEvents(engine.archive, byLeague)
    const means = meansOf((await ask({}))!)
    expect(means[own.league]).toBeCloseTo(0.5, 12)
    expect(means[ofSport.league]).toBeCloseTo(0.2, 12)
    expect(means[other.league]).toBeCloseTo(0.25, 12)
    // Where the model is hidden, the next of its league's chain is the reference.
    const seen = chainsAmong(byLeague, (book) => book !== 'our_model')
    const withoutModel = meansOf((await ask({ hidden: ['our_model'], chain: seen }))!)
    expect(withoutModel[own.league]).toBeCloseTo(0.25, 12)
    expect(withoutModel[ofSport.league]).toBeCloseTo(0.2, 12)
    await revalueEvents(engine.archive, chain)
    expect(meansOf(await own.ask()).fanduel).toBeCloseTo(0.25, 12)
  })

  it('is grouped by the requested field, the day by UTC', async () => {
    const game = createGame()
    const late = { startsAt: start + 4 * hour, eventId: `${game.league}_a_b_2027-01-30_b3` }
    const total = { marketType: 'total_points', selectionType: 'over', line: 220.5 }
    await game.take([
      game.close('pinnacle', 0.5),
      game.close('fanduel', 0.4),
      game.close('pinnacle', 0.5, late),
      game.close('fanduel', 0.4, late),
      game.close('pinnacle', 0.5, { ...total, ...late }),
      game.close('draftkings', 0.4, { ...total, ...late }),
    ])
    const keys = async (groupBy: ClvQuestion['groupBy']) =>
      (await game.ask({ groupBy })).groups.map(({ key, samples, distinct_books: books }) => [
        key,
        samples,
        books,
      ])
    expect(await keys('sport')).toEqual([['basketball', 3, 2]])
    expect(await keys('league')).toEqual([[game.league, 3, 2]])
    expect(await keys('market')).toEqual([
      ['moneyline', 2, 1],
      ['total_points', 1, 1],
    ])
    expect(await keys('day')).toEqual([
      ['2027-01-31', 2, 2],
      ['2027-01-30', 1, 1],
    ])
  })

  it.each([
    ['a quote', "' OR 1 = 1 --"],
    ['a union', "') UNION ALL SELECT 1 --"],
    ['a parameter', '{chain:Array(String)}'],
    ['NUL', 'a\0b'],
    ['marks', '`"\\\n'],
    ['10 kB', 'x'.repeat(10_000)],
  ])('binds a value with %s, whichever parameter it is', async (_what, value) => {
    const game = createGame()
    await game.take([game.close('pinnacle', 0.5), game.close('fanduel', 0.4)])
    for (const name of ['sports', 'leagues', 'sportsbooks'] as const) {
      const answer = await game.ask({ [name]: [value] })
      expect([name, answer.groups, answer.summary.events]).toEqual([name, [], 0])
    }
    expect((await game.ask({ hidden: [value] })).groups).toHaveLength(1)
  })
})
