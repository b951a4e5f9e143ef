/** Faults of bodies and files in plain words. */

import { describe, expect, it } from 'vitest'
import { betStatement } from '../../schemas/http/bets/statements.ts'
import { betJsonExample } from '../../schemas/http/examples/bets.ts'
import { ingestRecord } from '../../schemas/http/ingest.ts'
import { plainIssue } from '../../schemas/http/plain-issue.ts'

const faultsOf = (schema: typeof betStatement | typeof ingestRecord, value: unknown) =>
  schema
    .safeParse(value, { error: plainIssue })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

const [bet] = [JSON.parse(JSON.stringify(betJsonExample))].flat()

describe('a fault says what a field has to be, and what was found', () => {
  it.each([
    [{ stake: 'a lot' }, 'stake: has to be a number, not "a lot"'],
    [{ stake: -50 }, 'stake: has to be above 0, not -50'],
    [{ stake: undefined }, 'stake: is missing'],
    [{ placed_at: 5 }, 'placed_at: has to be a text, not 5'],
    [{ shared_by: 1.5 }, 'shared_by: has to be a whole number, not 1.5'],
    [{ market: '' }, 'market: is 1 to 200 printable characters'],
    [{ colour: 'red' }, ': there is no field colour'],
    [
      { result: 'winn' },
      'result: has to be won, half_won, refunded, half_lost, lost, dead_heat or cashed_out, not "winn"',
    ],
  ])('%j', (fields, fault) => {
    expect(faultsOf(betStatement, { ...bet, ...fields })).toEqual([fault])
  })

  it('of records of feeds too', () => {
    const markets = Array(5_001).fill({})
    expect(faultsOf(ingestRecord, { type: 'odd' })).toEqual([
      'type: has to be odds, futures, event_status, game_state, splits or book_status',
    ])
    expect(faultsOf(ingestRecord, { type: 'odds', mode: 'x', event: [], markets })).toEqual([
      'sportsbook: is missing',
      'mode: has to be snapshot or delta, not "x"',
      'observed_at: is missing',
      'event: has to be an object, not a list',
      'markets: has to have at most 5000 entries, not 5001',
    ])
  })
})

it("no fault of a bet is in the validator's words", () => {
  const wrong = [null, true, 0, -1, 1e300, '', 'x', 'x'.repeat(1_000), [], {}]
  const faults = Object.keys(betStatement.shape).flatMap((name) =>
    wrong.flatMap((value) => faultsOf(betStatement, { ...bet, [name]: value })),
  )
  expect(faults.length).toBeGreaterThan(60)
  expect(faults.filter((fault) => /invalid|expected|too (small|big)|recogni/i.test(fault))).toEqual(
    [],
  )
})
