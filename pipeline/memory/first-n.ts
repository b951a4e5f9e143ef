/** Keeps the first `size` of any number of items, in the order of a comparison. */

export interface FirstN<T> {
  /** Adds an item, unless `size` others come before it. Among equals, earlier ones stay. */
  add(candidate: T): void
  /** The last of the kept ones; undefined while there is room. */
  readonly last: T | undefined
  sorted(): T[]
}

/** @param size at least 1 */
export function createFirstN<T>(size: number, compare: (a: T, b: T) => number): FirstN<T> {
  const heap: T[] = []

  /** Replaces the last with the candidate and restores the heap order. */
  function sink(candidate: T) {
    const { length } = heap
    let at = 0
    for (let child = 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (compare(heap[child]!, candidate) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = candidate
  }

  function rise(candidate: T) {
    let at = heap.length
    heap.push(candidate)
    for (let parent = (at - 1) >> 1; at > 0; parent = (at - 1) >> 1) {
      if (compare(candidate, heap[parent]!) <= 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = candidate
  }

  return {
    add(candidate) {
      if (heap.length < size) rise(candidate)
      else if (compare(candidate, heap[0]!) < 0) sink(candidate)
    },
    get last() {
      return heap.length < size ? undefined : heap[0]
    },
    sorted: () => [...heap].sort(compare),
  }
}
