import { describe, expect, it } from 'vitest'
import { createFollower } from '../../api/follower.ts'
import type { Chunk, LogRecord } from '../../pipeline/log/log.ts'
import type { View } from '../../pipeline/views/view.ts'
import { type Topic, topics } from '../../schemas/topics.ts'

const position = { epoch: 'e', offsets: {} }
const record: LogRecord = { topic: topics.events, partition: 0, offset: 0, key: 'k', value: null }
const chunk = (more: Partial<Chunk> = {}): Chunk => ({
  reset: false,
  records: [record],
  position,
  caughtUp: false,
  ...more,
})

/** Creates a view that records its calls. */
function noting(tables: readonly Topic[]): View & { readonly calls: string[] } {
  const calls: string[] = []
  return {
    tables,
    calls: calls,
    reset: (at) => calls.push(`reset ${at}`),
    apply: (records, _position, at) => calls.push(`${records.length} at ${at}`),
    caughtUp: (at) => calls.push(`caught up ${at}`),
  }
}

describe('the follower of the log', () => {
  it('reads each table once, in the order named by the views', async () => {
    let followed: readonly Topic[] = []
    const log = {
      async *follow(tables: readonly Topic[]) {
        followed = tables
        yield chunk()
      },
    }
    const views = [noting([topics.events, topics.odds]), noting([topics.accounts, topics.odds])]
    await createFollower(log, views, () => 1).follow(new AbortController().signal)
    expect(followed).toEqual([topics.events, topics.odds, topics.accounts])
    expect(views.map(({ calls }) => calls)).toEqual([['1 at 1'], ['1 at 1']])
  })

  it('is ready while no replay is running, and reports that to the views once', async () => {
    const view = noting([topics.events])
    const { take, isReady, ready } = createFollower({ async *follow() {} }, [view], () => 5)
    take(chunk({ reset: true }))
    expect(isReady()).toBe(false)
    take(chunk({ caughtUp: true }))
    take(chunk({ caughtUp: true }))
    await ready
    expect(isReady()).toBe(true)
    take(chunk({ reset: true }))
    expect(isReady()).toBe(false)
    take(chunk({ caughtUp: true }))
    expect(isReady()).toBe(true)
    const replay = ['reset 5', '1 at 5', '1 at 5', 'caught up 5']
    expect(view.calls).toEqual([...replay, '1 at 5', ...replay])
  })

  it('wakes waiting callers after the chunk that they wait for', async () => {
    let seen = 0
    const view: View = { ...noting([topics.events]), apply: () => seen++ }
    const { take, until } = createFollower({ async *follow() {} }, [view], () => 0)
    const reached: number[] = []
    const waits = [2, 1, 0].map((count) =>
      until(() => seen >= count).then(() => reached.push(count)),
    )
    await waits[2]
    expect(reached).toEqual([0])
    take(chunk())
    await waits[1]
    expect(reached).toEqual([0, 1])
    take(chunk())
    await waits[0]
    expect(reached).toEqual([0, 1, 2])
  })
})

describe('deferred work', () => {
  it('is done by all views in turn, after the log has been read', async () => {
    const left = new Map([
      ['a', 3],
      ['b', 1],
    ])
    const done: string[] = []
    const views = [...left.keys()].map(
      (name): View => ({
        ...noting([topics.events]),
        doDeferred() {
          const now = left.get(name)!
          if (now > 0) done.push(name)
          left.set(name, Math.max(0, now - 1))
          return now > 1
        },
      }),
    )
    const over = new AbortController()
    const log = {
      async *follow() {
        yield chunk({ reset: true })
        follower.advance()
        expect(done).toEqual([])
        yield chunk({ caughtUp: true })
        await new Promise((resolve) => over.signal.addEventListener('abort', resolve))
      },
    }
    const follower = createFollower(log, views, () => 1)
    const following = follower.follow(over.signal)
    await expect.poll(() => done).toEqual(['a', 'b', 'a', 'a'])
    over.abort()
    await following
    left.set('a', 1)
    follower.advance()
    expect(done).toEqual(['a', 'b', 'a', 'a'])
  })
})
