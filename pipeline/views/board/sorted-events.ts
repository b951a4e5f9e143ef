/** Events by key (league, sport, sportsbook, …), each list in page order: start, then id. */

import { bisect } from '../../memory/bisect.ts'

export interface Ordered {
  readonly id: string
  readonly startsAt: number
}

export interface SortedEvents<E extends Ordered> {
  add(key: string, event: E): void
  /** Removes `event`, which must still be at the place where it was added: remove it before its start changes. */
  remove(key: string, event: E): void
  list(key: string): readonly E[]
}

export function createSortedEvents<E extends Ordered>(): SortedEvents<E> {
  const lists = new Map<string, E[]>()
  const empty: readonly E[] = []
  return {
    add(key, event) {
      const list = lists.get(key)
      if (list) list.splice(firstNotBefore(list, event), 0, event)
      else lists.set(key, [event])
    },
    remove(key, event) {
      const list = lists.get(key)
      if (!list) return
      const at = firstNotBefore(list, event)
      if (list[at] === event) list.splice(at, 1)
      if (list.length === 0) lists.delete(key)
    },
    list: (key) => lists.get(key) ?? empty,
  }
}

/** Returns the first position whose event does not come before `event`. */
export function firstNotBefore(list: readonly Ordered[], event: Ordered): number {
  return bisect(0, list.length, (at) => compareEvents(list[at]!, event) < 0)
}

export function compareEvents(a: Ordered, b: Ordered): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
