import { describe, expect, it } from 'vitest'
import { createDeltaWalks } from '../../api/answer/delta-walks.ts'

const changed = (count: number) => Array.from({ length: count }, (_, id) => ({ id, stamp: id + 1 }))

describe('walks of a delta', () => {
  it('read from the list of their first page', () => {
    const walks = createDeltaWalks()
    walks.start('a', { changed: changed(3), total: 3, completeTo: 9, position: null }, 0)
    walks.start('a', { changed: changed(3), total: 3, completeTo: 9, position: null }, 10)
    expect(walks.find('a', 20)).toEqual({
      changed: changed(3),
      total: 3,
      completeTo: 9,
      position: null,
    })
    expect(walks.find('b', 20)).toBe(undefined)
  })

  it('read from none once two clients have started at different lists', () => {
    const walks = createDeltaWalks()
    walks.start('a', { changed: changed(3), total: 3, completeTo: 9, position: null }, 0)
    walks.start('a', { changed: changed(2), total: 2, completeTo: 12, position: null }, 10)
    expect(walks.find('a', 20)).toBe(undefined)
    walks.start('a', { changed: changed(2), total: 2, completeTo: 12, position: null }, 30)
    expect(walks.find('a', 40)).toBe(undefined)
  })

  it('end after a minute, and hold only what can be reached', () => {
    const walks = createDeltaWalks()
    walks.start('a', { changed: changed(5_000), total: 5_000, completeTo: 9, position: null }, 0)
    expect(walks.find('a', 1)?.changed).toHaveLength(1_000)
    expect(walks.find('a', 59_999)?.total).toBe(5_000)
    expect(walks.find('a', 60_000)).toBe(undefined)
  })
})
