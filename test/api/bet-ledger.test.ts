/** Bets that are sent again, and bets that are stored together. */

import { describe, expect, it, test } from 'vitest'
import { betList } from '../../api/bets/bet-answers.ts'
import { type BetLedger, type NewBet, openBets } from '../../api/bets/bet-ledger.ts'
import { createFollower } from '../../api/follower.ts'
import type { Append, Chunk } from '../../pipeline/log/log.ts'
import type { BetRow, BetStatement, BetVerdict } from '../../schemas/bet.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'
import { topics } from '../../schemas/topics.ts'

const account = 'acc_1'
const most = 10_000

/** Opens a ledger on a log that reads back what is appended, and the number of records of each append. */
function open() {
  const appends: number[] = []
  /** Records that another process writes just before the next append. */
  let others: readonly Append[] = []
  const take = (records: readonly Append[], more: Partial<Chunk> = {}) =>
    follower.take({ records, reset: false, caughtUp: true, ...more } as Chunk)
  const log = {
    append: async (records: readonly Append[]) => {
      appends.push(records.length)
      const before = others
      others = []
      take([...before, ...records])
    },
  }
  let time = 0
  const setClock = (to: number) => {
    time = to
  }
  const ledger = openBets(log, () => time)
  const follower = createFollower({ async *follow() {} }, [ledger.view], () => 0)
  take([], { reset: true })
  const add = (...bets: readonly NewBet[]) => ledger.add(account, bets, most)
  const meanwhile = (row: BetRow, value: BetRow | null) => {
    const key = `${account}|${row.id}`
    others = [{ topic: topics.bets, partitionKey: account, key, value }]
  }
  const replay = () => take([], { reset: true, caughtUp: false })
  return { ledger, appends, add, meanwhile, replay, setClock }
}

const bet = (more: Partial<BetStatement> = {}, id: string | null = null): NewBet => {
  const { reference, placedAt, event, market, selection, line, playerName } = betExample
  const { price, stake, isFree, sportsbook } = betExample
  return {
    statement: {
      ...{ reference, placedAt, event, market, selection, line, playerName },
      ...{ price, stake, isFree, sportsbook },
      ...more,
    },
    ...{ found: null, verdict: null, id },
  }
}

describe('a bet that is sent again with its id', () => {
  test.each([
    ['its reference as a spreadsheet rewrites it', '638123000000000', '6.38123E+14'],
    ['a reference that it had not', null, 'slip 1'],
    ['no reference any more', 'slip 1', null],
  ])('is no second bet: with %s', async (_, reference, changed) => {
    const { ledger, add } = open()
    const [first] = await add(bet({ reference }))
    const id = first && 'row' in first ? first.row.id : ''
    expect(await add(bet({ reference: changed }, id))).toEqual([{ status: 'reference_conflict' }])
    expect(await add(bet({ reference }, id))).toMatchObject([{ status: 'duplicate' }])
    expect(ledger.of(account)).toHaveLength(1)
  })

  it('gets the mark of a free bet that an earlier build did not store', async () => {
    const { ledger, add } = open()
    const ended = (isFree: boolean): NewBet => ({
      ...bet({ reference: 'a', isFree }),
      verdict: { outcome: 'lost', returned: 50, sharedBy: null, reason: null, at: 0 },
    })
    await add(ended(false))
    expect(await add(ended(true))).toMatchObject([{ status: 'duplicate', row: { isFree: true } }])
    expect(await add(ended(false))).toMatchObject([{ status: 'duplicate' }])
    expect(ledger.of(account)).toMatchObject([{ isFree: true, verdict: { returned: 50 } }])
  })

  it('without the mark of a free bet costs no stake that was not paid', async () => {
    const { ledger, add } = open()
    const { stake } = betExample
    const ended = (outcome: BetVerdict['outcome'], returned: number | null): NewBet => ({
      ...bet({ reference: 'a' }),
      verdict: { outcome, returned, sharedBy: null, reason: null, at: 0 },
    })
    await add(bet({ reference: 'a', isFree: true }))
    for (const [outcome, returned] of [
      ['lost', 0],
      ['cashed_out', stake - 1],
    ] as const) {
      expect(await add(ended(outcome, returned))).toMatchObject([{ status: 'invalid_field' }])
    }
    expect(ledger.of(account)).toMatchObject([{ isFree: true, verdict: null }])
    expect(await add(ended('lost', null))).toMatchObject([{ status: 'settled' }])
  })

  it('is answered at once while the log is read anew', async () => {
    const { add, replay } = open()
    await add(bet({ reference: 'a' }))
    replay()
    expect(await add(bet({ reference: 'a' }))).toMatchObject([{ status: 'duplicate' }])
  })

  it('is another bet with the id of nobody', async () => {
    const { ledger, add } = open()
    await add(
      bet({ reference: 'a' }),
      bet({ reference: 'b' }, 'bet_1'),
      bet({ reference: null }, 'bet_1'),
    )
    expect(ledger.of(account)).toHaveLength(3)
  })
})

describe('a file without references that is sent again', () => {
  const isFile = { isFile: true }
  const unnamed = (more: Partial<BetStatement> = {}, id: string | null = null) =>
    bet({ reference: null, ...more }, id)
  const lost: BetVerdict = { outcome: 'lost', returned: null, sharedBy: null, reason: null, at: 0 }
  const cashedOut: BetVerdict = { ...lost, outcome: 'cashed_out', returned: 12 }
  const statusesOf = (added: readonly { readonly status: string }[]) =>
    added.map(({ status }) => status)

  it('stores no bet twice, and settles those that have ended since', async () => {
    const { ledger } = open()
    // Two bets of a file may be equal.
    const file = [unnamed(), unnamed(), unnamed({ stake: 7 })]
    const send = async (bets: readonly NewBet[]) =>
      statusesOf(await ledger.add(account, bets, most, isFile))
    expect(await send(file)).toEqual(['stored', 'stored', 'stored'])
    const [first] = file
    expect(await send([...file, unnamed({ stake: 8 }), first!])).toEqual([
      ...['duplicate', 'duplicate', 'duplicate'],
      ...['stored', 'stored'],
    ])
    const ended = file.map((one): NewBet => ({ ...one, verdict: lost }))
    expect(await send(ended)).toEqual(['settled', 'settled', 'settled'])
    expect(ledger.of(account)).toHaveLength(5)
    expect(ledger.of(account).filter(({ verdict }) => verdict !== null)).toHaveLength(3)
  })

  it.each<[string, Partial<BetStatement>[], (BetVerdict | null)[]]>([
    ['a free bet and one that is not', [{ isFree: true }, { isFree: false }], [lost, lost]],
    ['one that was cashed out and an open one', [{}, {}], [cashedOut, null]],
  ])('tells equal bets apart: %s', async (_, statements, verdicts) => {
    const { ledger } = open()
    const file = statements.map(
      (more, at): NewBet => ({ ...unnamed(more), verdict: verdicts[at]! }),
    )
    const opened = file.map((one): NewBet => ({ ...one, verdict: null }))
    await ledger.add(account, opened, most, isFile)
    await ledger.add(account, [...file].reverse(), most, isFile)
    await ledger.add(account, file, most, isFile)
    const shown = (bets: readonly { isFree: boolean; outcome: string | undefined }[]) =>
      bets.map((one) => JSON.stringify(one)).sort()
    expect(
      shown(
        ledger.of(account).map(({ isFree, verdict }) => ({ isFree, outcome: verdict?.outcome })),
      ),
    ).toEqual(
      shown(
        file.map(({ statement, verdict }) => ({
          isFree: statement.isFree,
          outcome: verdict?.outcome,
        })),
      ),
    )
  })

  it('takes no bet for another that is stated by its id', async () => {
    const { ledger } = open()
    await ledger.add(account, [unnamed(), unnamed()], most, isFile)
    const [one] = ledger.of(account)
    const again = [unnamed(), unnamed({}, one!.id)]
    expect(statusesOf(await ledger.add(account, again, most, isFile))).toEqual([
      ...['duplicate', 'duplicate'],
    ])
    expect(ledger.of(account)).toHaveLength(2)
    // A request in JSON states what is sent again.
    expect(statusesOf(await ledger.add(account, [unnamed()], most))).toEqual(['stored'])
  })

  it('never takes a bet with a reference for one without', async () => {
    const { ledger } = open()
    await ledger.add(account, [bet({ reference: 'a' })], most, isFile)
    expect(statusesOf(await ledger.add(account, [unnamed()], most, isFile))).toEqual(['stored'])
  })
})

describe('a bet that is sent again with fewer figures', () => {
  const price = 1 + 100 / 110
  const stake = 0.1 + 0.2

  test.each([
    [15, 'duplicate'],
    [10, 'duplicate'],
    [6, 'reference_conflict'],
  ] as const)('of its price, %d: %s', async (figures, status) => {
    const { ledger, add } = open()
    await add(bet({ price, stake }))
    const again = {
      price: Number(price.toPrecision(figures)),
      stake: Number(stake.toPrecision(15)),
    }
    expect(again.price).not.toBe(price)
    expect(await add(bet(again))).toMatchObject([{ status }])
    expect(ledger.of(account)).toMatchObject([{ price, stake }])
  })

  test.each([{ price: 1.909 }, { stake: 0.31 }, { line: -5 }, { line: null }])(
    'is another one with %o',
    async (changed) => {
      const { add } = open()
      await add(bet({ price, stake, line: -4.5 }))
      expect(await add(bet({ price, stake, line: -4.5, ...changed }))).toMatchObject([
        { status: 'reference_conflict' },
      ])
    },
  )
})

it('bets of one request are stored together, or none of them', async () => {
  const { ledger, appends, add } = open()
  await add(...Array.from({ length: 5_000 }, (_, i) => bet({ reference: `slip ${i}` })))
  expect(ledger.of(account)).toHaveLength(5_000)
  expect(appends).toEqual([5_000])
})

describe('the time of the last change', () => {
  const verdict: BetVerdict = {
    outcome: 'won',
    returned: null,
    sharedBy: null,
    reason: null,
    at: 7,
  }
  const updatedAt = (ledger: BetLedger) =>
    JSON.parse(betList(ledger.of(account), { limit: 10, offset: 0 }, {}, most)).meta.updated_at

  it('moves with a result, its withdrawal, and a correction', async () => {
    const { ledger, add, setClock } = open()
    const [first] = await add(bet({ reference: 'slip 1' }))
    const id = first && 'row' in first ? first.row.id : ''
    const changes = [
      () => ledger.settle(account, id, verdict, () => {}),
      () => ledger.settle(account, id, null, () => {}),
      () => ledger.correct(account, id, () => ({ stake: 40 })),
      () => add({ ...bet({ reference: 'slip 1', stake: 40 }), verdict }),
    ]
    for (const [i, change] of changes.entries()) {
      setClock(1_000 * (i + 1))
      await change()
      expect(updatedAt(ledger)).toBe(new Date(1_000 * (i + 1)).toISOString())
    }
    expect(ledger.of(account)).toMatchObject([{ createdAt: 0, stake: 40, verdict }])
  })

  it('of a row of an earlier build is that of its result', async () => {
    const { ledger, add, meanwhile } = open()
    const [first] = await add(bet())
    if (!first || !('row' in first)) throw new Error('the bet is stored')
    meanwhile(first.row, { ...first.row, createdAt: 5, updatedAt: 0, verdict })
    await add(bet({ reference: 'other' }))
    expect(ledger.find(account, first.row.id)).toMatchObject({ updatedAt: 7 })
  })

  it('does not go back with a correction by a process of an earlier build', async () => {
    const { ledger, add, meanwhile, setClock } = open()
    setClock(1_000)
    const [first] = await add(bet({ reference: 'slip 1' }))
    if (!first || !('row' in first)) throw new Error('the bet is stored')
    const { id } = first.row
    setClock(5_000)
    await ledger.settle(account, id, verdict, () => {})
    meanwhile(first.row, { ...ledger.find(account, id)!, stake: 40, updatedAt: 0 })
    setClock(2_000)
    await add(bet({ reference: 'slip 2' }))
    expect(ledger.find(account, id)).toMatchObject({ stake: 40, updatedAt: 5_000 })
    expect(updatedAt(ledger)).toBe(new Date(5_000).toISOString())
  })
})

describe('a bet that is sent again with its result, while another process', () => {
  const won: BetVerdict = { outcome: 'won', returned: null, sharedBy: null, reason: null, at: 0 }
  async function stored() {
    const ledger = open()
    const sent = bet({ reference: 'slip 1' })
    const [first] = await ledger.add(sent)
    if (!first || !('row' in first)) throw new Error('the bet is stored')
    return { ...ledger, row: first.row, settled: { ...sent, verdict: won } }
  }

  it('corrects it, has the correction and the result, in the answer too', async () => {
    const { ledger, add, meanwhile, appends, row, settled } = await stored()
    const corrected = { placedAt: row.placedAt - 60_000, revision: 'theirs' }
    meanwhile(row, { ...row, ...corrected })
    const both = { placedAt: corrected.placedAt, verdict: won }
    expect(await add(settled, bet({ reference: 'slip 2' }))).toMatchObject([
      { status: 'settled', row: both },
      { status: 'stored' },
    ])
    expect(ledger.find(account, row.id)).toMatchObject(both)
    // The settled and the new one by one append, and once more what was corrected.
    expect(appends).toEqual([1, 2, 1])
  })

  it('deletes it, stays deleted', async () => {
    const { ledger, add, meanwhile, row, settled } = await stored()
    meanwhile(row, null)
    await add(settled)
    expect(ledger.of(account)).toEqual([])
  })
})
