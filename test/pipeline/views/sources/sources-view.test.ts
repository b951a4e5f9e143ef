import { describe, expect, it } from 'vitest'
import { createSourcesView } from '../../../../pipeline/views/sources/sources-view.ts'
import type { SportsbookStatus } from '../../../../schemas/sportsbook-status.ts'
import { topics } from '../../../../schemas/topics.ts'

function rowOf(partition: number, status: 'up' | 'down', since: number) {
  const value: SportsbookStatus = { sportsbook: 'fanduel', status, since, audience: 'all' }
  return { topic: topics.sportsbookStatus, partition, offset: 0, key: 'fanduel', value }
}

describe('a sportsbook', () => {
  it('has the newest state that partitions have of it, in any order', () => {
    for (const rows of [
      [rowOf(0, 'up', 10), rowOf(1, 'up', 10), rowOf(0, 'down', 20), rowOf(1, 'down', 20)],
      [rowOf(0, 'up', 10), rowOf(0, 'down', 20), rowOf(1, 'up', 10)],
      [rowOf(1, 'down', 20), rowOf(0, 'up', 10)],
    ]) {
      const view = createSourcesView()
      view.apply(rows)
      expect(view.sportsbook('fanduel')).toMatchObject({ status: 'down', since: 20 })
      expect([...view.down]).toEqual(['fanduel'])
      view.apply([rowOf(1, 'up', 30), rowOf(0, 'down', 20)])
      expect(view.sportsbook('fanduel')?.status).toBe('up')
      expect([...view.down]).toEqual([])
    }
  })
})
