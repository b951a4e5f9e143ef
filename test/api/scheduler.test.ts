import { describe, expect, it } from 'vitest'
import { createScheduler, sliceMs } from '../../api/server/scheduler.ts'

/** Creates a scheduler whose clock and slices the test drives. */
function byHand() {
  let now = 0
  const soon: (() => void)[] = []
  const scheduler = createScheduler(
    () => now,
    (next) => soon.push(next),
  )
  const done: string[] = []
  const charged: Record<string, number> = {}
  function* steps(name: string, count: number): Iterator<void> {
    for (let i = 0; i < count; i++) {
      now += 1
      done.push(name)
      yield
    }
  }
  return {
    done,
    charged,
    run: (account: string, name: string, count: number, admit = () => {}) =>
      scheduler.run({
        account,
        charge(piece) {
          const from = now
          piece()
          charged[account] = (charged[account] ?? 0) + now - from
        },
        admit,
        steps: steps(name, count),
        finish: () => name,
      }),
    /** Runs one turn of the loop. @returns the steps it took */
    turn() {
      const before = done.length
      soon.shift()?.()
      return done.slice(before)
    },
    isIdle: () => soon.length === 0,
  }
}

describe('long work', () => {
  it('is done at once where it is short', () => {
    const { run, done } = byHand()
    expect(run('a', 'short', sliceMs - 1)).toBe('short')
    expect(done).toHaveLength(sliceMs - 1)
  })

  it('takes one piece a turn, whoever else has work', async () => {
    const { run, turn, isIdle, charged } = byHand()
    const long = run('a', 'long', 3 * sliceMs)
    const other = run('b', 'other', 2 * sliceMs)
    expect(long).toBeInstanceOf(Promise)
    const taken: string[][] = []
    while (!isIdle()) taken.push(turn())
    expect(taken.every((steps) => steps.length <= sliceMs)).toBe(true)
    expect(taken.flatMap(([name]) => name ?? [])).toEqual(['long', 'other', 'long'])
    expect(await Promise.all([long, other])).toEqual(['long', 'other'])
    expect(charged).toEqual({ a: 3 * sliceMs, b: 2 * sliceMs })
  })

  it('of one account runs one after the other, so that many are no more than one', () => {
    const { run, turn } = byHand()
    for (let i = 0; i < 5; i++) run('many', `many ${i}`, 4 * sliceMs)
    run('one', 'one', 4 * sliceMs)
    const names = Array.from({ length: 6 }, () => turn()[0])
    expect(names).toEqual(['many 0', 'one', 'many 0', 'one', 'many 0', 'one'])
  })

  it('is refused when too much of the account waits, and that of others is not', () => {
    const { run } = byHand()
    const ask = () => run('many', 'x', 2 * sliceMs)
    for (let i = 0; i < 16; i++) ask()
    expect(ask).toThrow(expect.objectContaining({ code: 'work_limited' }))
    expect(run('other', 'short', 1)).toBe('short')
  })

  it('that has waited is not begun once its account has no credit', async () => {
    const { run, turn, isIdle, done } = byHand()
    const first = run('a', 'first', 2 * sliceMs)
    const spent = new Error('spent')
    const second = run('a', 'second', 2 * sliceMs, () => {
      throw spent
    })
    const refusal = expect(second).rejects.toBe(spent)
    while (!isIdle()) turn()
    expect(await first).toBe('first')
    await refusal
    expect(done).not.toContain('second')
  })
})
