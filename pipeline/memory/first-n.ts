/** The first `size` of any number of things, kept as they come: a heap with the last of them on top. */

export interface FirstN<T> {
  /** Takes it in unless `size` others come before it; of equals, those that came earlier stay. */
  add(candidate: T): void
  /** The one that the next has to come before; undefined while there is room for any. */
  readonly last: T | undefined
  sorted(): T[]
}

/** @param size at least 1 */
export function createFirstN<T>(size: number, compare: (a: T, b: T) => number): FirstN<T> {
  const heap: T[] = []

  function sink() {
    for (let at = 0; ; ) {
      let last = at
      const left = 2 * at + 1
      if (left < heap.length && compare(heap[left]!, heap[last]!) > 0) last = left
      const right = left + 1
      if (right < heap.length && compare(heap[right]!, heap[last]!) > 0) last = right
      if (last === at) return
      swap(at, last)
      at = last
    }
  }

  function rise() {
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (compare(heap[at]!, heap[parent]!) <= 0) return
      swap(at, parent)
      at = parent
    }
  }

  function swap(a: number, b: number) {
    const thing = heap[a]!
    heap[a] = heap[b]!
    heap[b] = thing
  }

  return {
    add(candidate) {
      if (heap.length < size) {
        heap.push(candidate)
        rise()
      } else if (compare(candidate, heap[0]!) < 0) {
        heap[0] = candidate
        sink()
      }
    },
    get last() {
      return heap.length < size ? undefined : heap[0]
    },
    sorted: () => [...heap].sort(compare),
  }
}
