import { expect, it } from 'vitest'
import type { Caller } from '../../api/access/keys.ts'
import { tierRights } from '../../api/access/tiers.ts'
import { createWorkBudget, uncountedMs } from '../../api/access/work-budget.ts'
import { ClientGoneError } from '../../api/errors.ts'
import { createFollower } from '../../api/follower.ts'
import { createCharged, createPieces } from '../../api/server/pieces.ts'
import { createScheduler, sliceMs } from '../../api/server/scheduler.ts'

/** Work in pieces beside a follower of the log, with turns that the test takes. */
function byHand() {
  const soon: (() => void)[] = []
  let now = 0
  const scheduler = createScheduler(
    () => now,
    (next) => soon.push(next),
  )
  const follower = createFollower({ async *follow() {} }, [], () => 0)
  const take = (reset: boolean, caughtUp: boolean) =>
    follower.take({ reset, records: [], position: { epoch: 'e', offsets: {} }, caughtUp })
  take(false, true)
  const budget = createWorkBudget(() => now)
  const piecesOf = createPieces({ scheduler, budget, boards: follower })
  const done: number[] = []
  function* steps(count = 3, ms = sliceMs) {
    for (let step = 0; step < count; step++) {
      now += ms
      done.push(step)
      yield
    }
  }
  return {
    done,
    take,
    admit: (isGone = () => false) => piecesOf(caller, isGone),
    spend: (ms: number) => budget.run(caller, () => (now += ms)),
    steps,
    turn: () => soon.shift()?.(),
    isIdle: () => soon.length === 0,
  }
}

const caller = { accountId: 'a', tier: 'pro', requestsPerMinute: 300 } as Caller
const fullMs = tierRights.pro.workMsPerMinute

const atLeast300 = (seconds: number) => seconds >= 300

const loading = { code: 'service_unavailable', status: 503, details: { retry_after: 1 } }

it('long work ends with its result on the board that it began on', async () => {
  const { admit, steps, turn, isIdle, take } = byHand()
  const work = admit()(steps(), () => 'whole')
  take(false, true)
  while (!isIdle()) turn()
  expect(await work).toBe('whole')
})

it.each([
  ['is read anew', false],
  ['has been read anew', true],
])('long work fails once the board %s', async (_, caughtUp) => {
  const { admit, steps, turn, isIdle, take, done } = byHand()
  const work = admit()(steps(), () => 'half')
  turn()
  const before = [...done]
  take(true, caughtUp)
  while (!isIdle()) turn()
  await expect(work).rejects.toMatchObject(loading)
  expect(done).toEqual(before)
})

it('long work fails if the board is read anew between its last piece and its result', async () => {
  const { admit, steps, turn, isIdle, take, done } = byHand()
  const work = admit()(steps(), () => 'half')
  while (done.length < 3) turn()
  turn()
  take(true, false)
  while (!isIdle()) turn()
  await expect(work).rejects.toMatchObject(loading)
})

it('short work fails if the board was read anew since its request was admitted', () => {
  const { admit, take } = byHand()
  const inPieces = admit()
  take(true, false)
  expect(() => inPieces([].values(), () => 'none')).toThrow(
    expect.objectContaining({ code: loading.code }),
  )
})

it('long work within the credit of five minutes ends with its result, whatever was left', async () => {
  const { admit, steps, turn, isIdle, spend, done } = byHand()
  spend(fullMs - 1)
  const work = admit()(steps(50, fullMs / 10), () => 'whole')
  while (!isIdle()) turn()
  expect(await work).toBe('whole')
  expect(done).toHaveLength(50)
})

it('long work is refused once it has overdrawn by the credit of five minutes', async () => {
  const { admit, steps, turn, isIdle, done } = byHand()
  const work = admit()(steps(100, fullMs / 10), () => 'whole')
  while (!isIdle()) turn()
  // The time of the test is that of the work, so a tenth of it is new credit.
  await expect(work).rejects.toMatchObject({ code: 'work_limited', status: 429 })
  expect(done.length).toBeGreaterThan(60)
  expect(done.length).toBeLessThan(70)
  await expect(work).rejects.toMatchObject({
    details: { retry_after: expect.toSatisfy(atLeast300) },
  })
})

it('long work ends once its client has left, also before it has begun', async () => {
  const { admit, steps, turn, isIdle, done } = byHand()
  let isGone = false
  const works = [admit(() => isGone), admit(() => isGone)].map((inPieces) =>
    inPieces(steps(), () => 'whole'),
  )
  turn()
  const before = [...done]
  isGone = true
  while (!isIdle()) turn()
  for (const work of works) await expect(work).rejects.toBeInstanceOf(ClientGoneError)
  expect(done).toEqual(before)
})

it('the parts of one request are charged together, however short, and end with its client', () => {
  let now = 0
  const budget = createWorkBudget(() => now)
  const chargedTo = createCharged(budget)
  const half = () => {
    now += uncountedMs / 2
  }
  let isGone = false
  const charged = chargedTo(caller, () => isGone)
  for (let part = 0; part < 10 * fullMs; part++) charged(half)
  expect(budget.isSpent(caller)).toBe(true)
  isGone = true
  const before = now
  expect(() => charged(half)).toThrow(ClientGoneError)
  expect(now).toBe(before)

  // Requests that are short as a whole are free.
  const other = { ...caller, accountId: 'b' }
  for (let request = 0; request < 10 * fullMs; request++) chargedTo(other, () => false)(half)
  expect(budget.isSpent(other)).toBe(false)
})

it.each([
  [
    'its account has overdrawn by the credit of five minutes',
    () => false,
    { code: 'work_limited' },
  ],
  ['its client has left', () => true, { name: 'ClientGoneError' }],
])('a part runs once %s only if it answers for what is stored', (_, isGone, refusal) => {
  let now = 0
  const budget = createWorkBudget(() => now)
  budget.run(caller, () => (now += 7 * fullMs))
  const charged = createCharged(budget)(caller, isGone)
  expect(() => charged(() => 'read')).toThrow(expect.objectContaining(refusal))
  expect(charged(() => 'stored', true)).toBe('stored')
})
