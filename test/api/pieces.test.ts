import { expect, it } from 'vitest'
import type { Caller } from '../../api/access/keys.ts'
import { createFollower } from '../../api/follower.ts'
import { createPieces } from '../../api/server/pieces.ts'
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
  const budget = { admit() {}, run: <Result>(_: Caller | undefined, work: () => Result) => work() }
  const piecesOf = createPieces({ scheduler, budget, boards: follower })
  const done: number[] = []
  function* steps() {
    for (let step = 0; step < 3; step++) {
      now += sliceMs
      done.push(step)
      yield
    }
  }
  return {
    done,
    take,
    admit: () => piecesOf({ accountId: 'a' } as Caller),
    steps,
    turn: () => soon.shift()?.(),
    isIdle: () => soon.length === 0,
  }
}

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
