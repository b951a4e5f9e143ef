/** Bets that are sent again, and bets that are stored together. */

import { describe, expect, it, test } from 'vitest'
import { type NewBet, openBets } from '../../api/bets/bet-ledger.ts'
import { createFollower } from '../../api/follower.ts'
import type { Append, Chunk } from '../../pipeline/log/log.ts'
import type { BetStatement } from '../../schemas/bet.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const account = 'acc_1'
const most = 10_000

/** Opens a ledger on a log that reads back what is appended, and the number of records of each append. */
function open() {
  const appends: number[] = []
  const take = (records: readonly Append[], more: Partial<Chunk> = {}) =>
    follower.take({ records, reset: false, caughtUp: true, ...more } as Chunk)
  const log = {
    append: async (records: readonly Append[]) => {
      appends.push(records.length)
      take(records)
    },
  }
  const ledger = openBets(log, () => 0)
  const follower = createFollower({ async *follow() {} }, [ledger.view], () => 0)
  take([], { reset: true })
  const add = (...bets: readonly NewBet[]) => ledger.add(account, bets, most)
  return { ledger, appends, add }
}

const bet = (more: Partial<BetStatement> = {}, id: string | null = null): NewBet => {
  const { reference, placedAt, event, market, selection, line, playerName } = betExample
  const { price, stake, sportsbook } = betExample
  return {
    statement: {
      ...{ reference, placedAt, event, market, selection, line, playerName },
      ...{ price, stake, sportsbook },
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
