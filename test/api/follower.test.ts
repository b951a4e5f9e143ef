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

/** A view that notes what it is told. */
function noting(tables: readonly Topic[]): View & { readonly told: string[] } {
  const told: string[] = []
  return {
    tables,
    told,
    reset: (at) => told.push(`reset ${at}`),
    apply: (records, _position, at) => told.push(`${records.length} at ${at}`),
    caughtUp: (at) => told.push(`caught up ${at}`),
  }
}

describe('what follows the log', () => {
  it('reads each table once, in the order the views name them', async () => {
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
    expect(views.map(({ told }) => told)).toEqual([['1 at 1'], ['1 at 1']])
  })

  it('is ready while no replay is under way, and says so to the views once', async () => {
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
    expect(view.told).toEqual([...replay, '1 at 5', ...replay])
  })

  it('tells those who wait, after the chunk that brings it', async () => {
    let seen = 0
    const view: View = { ...noting([topics.events]), apply: () => seen++ }
    const { take, until } = createFollower({ async *follow() {} }, [view], () => 0)
    const told: number[] = []
    const waits = [2, 1, 0].map((count) => until(() => seen >= count).then(() => told.push(count)))
    await waits[2]
    expect(told).toEqual([0])
    take(chunk())
    await waits[1]
    expect(told).toEqual([0, 1])
    take(chunk())
    await waits[0]
    expect(told).toEqual([0, 1, 2])
  })
})
