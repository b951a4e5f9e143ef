import { afterAll, beforeAll, expect, it } from 'vitest'
import { feeSql } from '../../../pipeline/archive/fee-sql.ts'
import { feesWith, netOf } from '../../../pipeline/rules/odds/fees.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

it('prices after fees are those of the rules, at every sportsbook', async () => {
  const fees = feesWith(true, { betfair: 0.02, circa: 0.015, novig: 0 })
  // A price of 0 is none; a contract at 0.5 has a fee of exactly 1.75 for a hundred.
  const prices = [0, 1, 1.000001, 1.01, 4 / 3, 1.5, 1.909, 2, 2.5, 3.333, 4, 7.25, 21, 101, 1000]
  const sportsbooks = [...fees.keys(), 'draftkings']
  const { net, parameters } = feeSql(fees)
  const rows = await engine.archive.query<{ nets: number[] }>(
    `SELECT arrayMap(price -> ${net('price', 'sportsbook')}, {prices:Array(Float64)}) AS nets
    FROM (SELECT arrayJoin({sportsbooks:Array(String)}) AS sportsbook)`,
    { ...parameters, prices, sportsbooks },
    limits,
  )
  expect(rows).toHaveLength(sportsbooks.length)
  for (const [i, sportsbook] of sportsbooks.entries()) {
    for (const [at, price] of prices.entries()) {
      const expected = netOf({ sportsbook, price }, fees)
      expect(rows[i]!.nets[at], `${sportsbook} ${price}`).toBeCloseTo(expected, 9)
    }
  }
})
