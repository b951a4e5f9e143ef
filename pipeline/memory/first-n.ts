/** The first `size` of any number of things, in the order of a comparison. */

export interface FirstN<T> {
  /** Adds a thing, unless `size` others come before it. Of equals, those added earlier stay. */
  add(candidate: T): void
  /** The last of those that are in; undefined while there is room. */
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
