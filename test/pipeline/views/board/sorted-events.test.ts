import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createSortedEvents,
  firstNotBefore,
} from '../../../../pipeline/views/board/sorted-events.ts'

const event = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), startsAt: fc.nat(3) })

describe('events in page order', () => {
  it('are sorted by start and id, under each key, after any additions and removals', () => {
    const step = fc.record({ event, key: fc.constantFrom('x', 'y'), add: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lists = createSortedEvents()
        const naive = new Map<string, { id: string; startsAt: number }[]>()
        for (const { event: stated, key, add } of steps) {
          const list = naive.get(key) ?? []
          naive.set(key, list)
          const known = list.find(({ id }) => id === stated.id)
          if (add && !known) {
            list.push(stated)
            lists.add(key, stated)
          } else if (!add && known) {
            list.splice(list.indexOf(known), 1)
            lists.remove(key, known)
          }
        }
        for (const [key, list] of naive) {
          list.sort((a, b) => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1))
          expect(lists.list(key)).toEqual(list)
        }
        expect(lists.list('z')).toEqual([])
      }),
    )
  })

  it('are found by place, whether an event is there or not', () => {
    const list = [
      { id: 'b', startsAt: 1 },
      { id: 'd', startsAt: 1 },
      { id: 'a', startsAt: 2 },
    ]
    expect(firstNotBefore(list, { id: 'a', startsAt: 1 })).toBe(0)
    expect(firstNotBefore(list, { id: 'b', startsAt: 1 })).toBe(0)
    expect(firstNotBefore(list, { id: 'c', startsAt: 1 })).toBe(1)
    expect(firstNotBefore(list, { id: 'z', startsAt: 1 })).toBe(2)
    expect(firstNotBefore(list, { id: 'b', startsAt: 2 })).toBe(3)
  })
})
