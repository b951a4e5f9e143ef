import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import { createArchiveAccess } from '../../api/archive-access.ts'
import type { Asker } from '../../api/ask/archive-questions.ts'
import { ApiError, ClientGoneError } from '../../api/errors.ts'
import { createPastBoards, mostPastPrices } from '../../api/past-boards.ts'
import type { QueryLimits } from '../../pipeline/archive/archive.ts'
import { noReferences } from '../../pipeline/rules/odds/sharp-books.ts'
import { findQuote } from '../../pipeline/views/query/quotes.ts'

const by: Asker = { caller: { accountId: 'a', tier: 'sharp' }, charged: (work) => work() }
const query = { at: 0, eventIds: ['e'], leagues: undefined, sports: undefined }

/** Creates boards over an archive with this file of prices. */
function boardsOver(file: () => Readable, events: object[] = [], ownersOnly: string[] = []) {
  const limits: QueryLimits[] = []
  const access = createArchiveAccess({
    query: async <Row>() => [] as Row[],
    async export(_statement, _parameters, _format, ofFile) {
      limits.push(ofFile)
      return file()
    },
    close: async () => {},
  })
  let questions = 0
  const rows: typeof access.reads.rows = async <Row>(question: { statement: string }) => {
    questions++
    return (
      question.statement.startsWith('SELECT max(at)') ? [{ at: '1970-01-01 00:00:01.000' }] : events
    ) as Row[]
  }
  let now = 0
  return {
    /** Returns how many questions for rows were asked. */
    questions: () => questions,
    boards: createPastBoards(
      { ...access, reads: { ...access.reads, rows } },
      () => now,
      createSignedLinks('of a test'),
      () => new Set(ownersOnly),
      [],
      noReferences,
    ),
    limits,
    advance(ms: number) {
      now += ms
    },
  }
}

it('is not ready when the archive breaks off its response', async () => {
  const { boards } = boardsOver(() =>
    Readable.from(
      (function* () {
        yield '{"id":"100000000000001","event_id":"e",'
        throw new Error('aborted')
      })(),
    ),
  )
  await expect(boards.at(query, by)).rejects.toMatchObject({
    code: 'not_ready',
    details: { retry_after: 1 },
  })
})

it('lets the engine return one price more than a board may have, so that too many are detected', async () => {
  const { boards, limits } = boardsOver(() => Readable.from([]))
  await boards.at(query, by)
  expect(limits.map(({ resultRows }) => resultRows > mostPastPrices)).toEqual([true])
})

it('loads a board anew after a minute, because the archive may have more by then', async () => {
  const { boards, limits, advance } = boardsOver(() => Readable.from([]))
  await boards.at(query, by)
  advance(59_999)
  await boards.at(query, by)
  expect(limits).toHaveLength(1)
  advance(1)
  await boards.at(query, by)
  expect(limits).toHaveLength(2)
})

/** Loads boards, each of another event, and returns how many of them the archive was asked for. */
async function loadsOf(
  { boards, limits }: ReturnType<typeof boardsOver>,
  names: readonly string[],
) {
  const before = limits.length
  for (const name of names) await boards.at({ ...query, eventIds: [name] }, by)
  return limits.length - before
}

const names = (letter: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${letter}${at}`)

it('caches few boards, however few prices they have', async () => {
  const over = boardsOver(() => Readable.from([]))
  expect(await loadsOf(over, names('a', 100))).toBe(100)
  expect(await loadsOf(over, names('a', 100).slice(-16))).toBe(0)
  expect(await loadsOf(over, ['a83'])).toBe(1)
})

it('drops boards when their lifetime is over, in place of others', async () => {
  const over = boardsOver(() => Readable.from([]))
  await loadsOf(over, ['a'])
  over.advance(30_000)
  await loadsOf(over, names('b', 15))
  over.advance(29_999)
  expect(await loadsOf(over, ['a'])).toBe(0)
  over.advance(1)
  await loadsOf(over, ['c'])
  expect(await loadsOf(over, names('b', 15))).toBe(0)
})

const event = (sport: string, startsAt: string) => ({
  ...{ event_id: 'e', sport, league: 'a_league', league_mapped: true },
  ...{ home_team: 'Northville', away_team: 'Southbury', listed_home: null, listed_away: null },
  ...{ flipped: false, starts_at: startsAt, status: 'upcoming', is_live: false },
  updated_at: '1970-01-01 00:00:00.000',
})

/** Yields prices by sportsbook and outcome, with ids from 1e14 + 1 on. */
function* priceLines(books: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  let id = 1e14
  for (const [sportsbook, answers] of Object.entries(books)) {
    for (const [selection_type, price] of Object.entries(answers)) {
      const row = {
        ...{
          id: String(++id),
          event_id: 'e',
          league: 'a_league',
          sportsbook,
          selection_type,
          price,
        },
        ...{ market_type: 'moneyline', selection: selection_type, line: null, player_name: null },
        ...{ stat_category: null, is_live: false, is_active: true, changed_at: null },
        observed_at: '1970-01-01 00:00:00.000',
      }
      yield `${JSON.stringify(row)}\n`
    }
  }
}

/** Returns the market of each price, and the reason if it is withheld. */
async function boardOf(
  books: Readonly<Record<string, Readonly<Record<string, number>>>>,
  { sport = 'basketball', startsAt = '2030-01-01 00:00:00.000', ownersOnly = [] as string[] } = {},
) {
  const file = () => Readable.from(priceLines(books))
  const { boards } = boardsOver(file, [event(sport, startsAt)], ownersOnly)
  // Half an hour after the prices were last seen.
  const { board } = await boards.at({ ...query, at: 1_800_000 }, by)
  const count = Object.values(books).flatMap((answers) => Object.keys(answers)).length
  return Array.from({ length: count }, (_, at) => {
    const { sportsbook, marketType, selection, withheld } = findQuote(board, 1e14 + 1 + at)!
    return `${marketType} ${sportsbook} ${selection.selectionType}${withheld ? ` ${withheld}` : ''}`
  })
}

const honest = {
  draftkings: { home: 1.85, away: 2 },
  fanduel: { home: 1.87, away: 1.98 },
  pinnacle: { home: 1.87, away: 2.02 },
}

describe('the prices of a past board', () => {
  it('are withheld by the rule of the current board', async () => {
    expect(await boardOf({ ...honest, betmgm: { home: 185, away: 2 } })).toEqual([
      ...['moneyline draftkings home', 'moneyline draftkings away', 'moneyline fanduel home'],
      ...['moneyline fanduel away', 'moneyline pinnacle home', 'moneyline pinnacle away'],
      ...['moneyline betmgm home market_mismatch', 'moneyline betmgm away market_mismatch'],
    ])
  })

  it("are not judged by the prices of the owner's own sportsbooks", async () => {
    const books = {
      our_desk: { home: 1.5, away: 2.7 },
      your_desk: { home: 1.5, away: 2.7 },
      caesars: { home: 1.85, away: 2 },
      fanduel: { home: 1.87, away: 1.98 },
    }
    const reasons = (rows: readonly string[]) => rows.filter((row) => row.split(' ').length > 3)
    expect(reasons(await boardOf(books))).toHaveLength(8)
    const ownersOnly = ['our_desk', 'your_desk']
    const withheld = reasons(await boardOf(books, { ownersOnly }))
    expect(withheld.filter((row) => /caesars|fanduel/.test(row))).toEqual([])
  })

  it('are filed by draws like current ones', async () => {
    const books = {
      pinnacle: { home: 2.02, draw: 51, away: 1.97 },
      fanduel: { home: 2.08, away: 1.83 },
    }
    expect(await boardOf(books, { sport: 'mma' })).toEqual([
      'moneyline_3-way pinnacle home',
      'moneyline_3-way pinnacle draw',
      'moneyline_3-way pinnacle away',
      'moneyline fanduel home',
      'moneyline fanduel away',
    ])
    expect((await boardOf(books, { sport: 'soccer' }))[1]).toBe('moneyline pinnacle draw')
  })
})

describe('the load of a past board', () => {
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`book_${at}`, { home: 1.9, away: 1.9 }]),
  )
  const over = () =>
    boardsOver(
      () => Readable.from(priceLines(many)),
      [event('basketball', '2030-01-01 00:00:00.000')],
    )

  it('is paid for in parts by the account that begins it, and once', async () => {
    const { boards } = over()
    const paying = () => {
      let parts = 0
      const charged: Asker['charged'] = (work) => {
        parts++
        return work()
      }
      return { by: { ...by, charged }, parts: () => parts }
    }
    const [first, next] = [paying(), paying()]
    const [board, same] = await Promise.all([boards.at(query, first.by), boards.at(query, next.by)])
    expect(same).toBe(board)
    expect(board.board.rows.size).toBe(1_200)
    // Parts have 500 prices or sightings.
    expect(first.parts()).toBeGreaterThan(3 + 2)
    expect(next.parts()).toBe(0)
  })

  it('ends with its client, and begins anew for another who waits', async () => {
    const { boards, limits } = over()
    let left = 5
    const leaving: Asker['charged'] = (work) => {
      if (left-- === 0) throw new ClientGoneError('gone')
      return work()
    }
    const gone = boards.at(query, { ...by, charged: leaving })
    const waiting = [boards.at(query, by), boards.at(query, by)]
    await expect(gone).rejects.toBeInstanceOf(ClientGoneError)
    expect(left).toBe(-1)
    const [one, other] = await Promise.all(waiting)
    expect(one!.board.rows.size).toBe(1_200)
    expect(other).toBe(one)
    expect(limits).toHaveLength(2)
  })

  const busy: Asker['charged'] = () => {
    throw new ApiError('work_limited', 'Used up.')
  }

  it('begins anew for another account, if it was refused to the one that began it', async () => {
    const { boards } = over()
    const refused = boards.at(query, { ...by, charged: busy })
    const ofOther = { ...by, caller: { ...by.caller, accountId: 'b' } }
    const waiting = [boards.at(query, by), boards.at(query, ofOther)]
    const ended = await Promise.allSettled([refused, ...waiting])
    expect(ended).toMatchObject([
      ...[0, 1].map(() => ({ status: 'rejected', reason: { code: 'work_limited' } })),
      { status: 'fulfilled', value: { board: { rows: { size: 1_200 } } } },
    ])
  })

  it('is begun by none who has left while waiting', async () => {
    const { boards, questions } = over()
    const leaving: Asker['charged'] = () => {
      throw new ClientGoneError('gone')
    }
    const gone = [1, 2, 3].map(() => boards.at(query, { ...by, charged: leaving }))
    for (const one of gone) await expect(one).rejects.toBeInstanceOf(ClientGoneError)
    expect(questions()).toBe(2)
  })
})
