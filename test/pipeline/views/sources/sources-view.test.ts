import { describe, expect, it } from 'vitest'
import { createSourcesView } from '../../../../pipeline/views/sources/sources-view.ts'
import { sourceForgottenMs } from '../../../../schemas/source.ts'
import type { SportsbookStatus } from '../../../../schemas/sportsbook-status.ts'
import { topics } from '../../../../schemas/topics.ts'
import { sourceRow } from '../../../api/source-row.ts'

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

describe('a source that nobody runs', () => {
  it('is forgotten after a while, but stays down where the operator added it', () => {
    const view = createSourcesView()
    const at = { partition: 0, offset: 0 }
    for (const source of ['added', 'of settings']) {
      const value = sourceRow({ source, state: 'up', updatedAt: 0 })
      view.apply([{ ...at, topic: topics.sources, key: source, value }])
    }
    const value = { source: 'added', settings: '{}', at: 0 }
    view.apply([{ ...at, topic: topics.addedSources, key: 'added', value }])
    const statesAt = (now: number) =>
      view.list(now).map(({ source, state, reason }) => [source, state, reason])
    expect(statesAt(sourceForgottenMs)).toEqual([
      ['added', 'down', 'not_running'],
      ['of settings', 'down', 'not_running'],
    ])
    expect(statesAt(sourceForgottenMs + 1)).toEqual([['added', 'down', 'not_running']])
    view.apply([{ ...at, topic: topics.addedSources, key: 'added', value: null }])
    expect(statesAt(sourceForgottenMs + 1)).toEqual([])
  })
})
