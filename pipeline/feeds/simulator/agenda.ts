/**
 * The events of a simulation in order: a binary heap by time; first in, first out at equal times,
 * so that the order depends only on the seed.
 */
export interface Agenda<Task> {
  add(at: number, task: Task): void
  /** Takes the next task that is due at `now`; undefined when none is. */
  takeDue(now: number): Task | undefined
}

export function createAgenda<Task>(): Agenda<Task> {
  // Parallel arrays: no object per entry.
  const instants: number[] = []
  const orders: number[] = []
  const tasks: Task[] = []
  let order = 0

  const before = (a: number, b: number) =>
    instants[a]! < instants[b]! || (instants[a] === instants[b] && orders[a]! < orders[b]!)

  function swap(a: number, b: number) {
    const instant = instants[a]!
    instants[a] = instants[b]!
    instants[b] = instant
    const rank = orders[a]!
    orders[a] = orders[b]!
    orders[b] = rank
    const task = tasks[a]!
    tasks[a] = tasks[b]!
    tasks[b] = task
  }

  return {
    add(at, task) {
      let child = instants.length
      instants.push(at)
      orders.push(order++)
      tasks.push(task)
      while (child > 0) {
        const parent = (child - 1) >> 1
        if (!before(child, parent)) break
        swap(child, parent)
        child = parent
      }
    },
    takeDue(now) {
      if (instants.length === 0 || instants[0]! > now) return undefined
      const taken = tasks[0]!
      swap(0, instants.length - 1)
      instants.pop()
      orders.pop()
      tasks.pop()
      const end = instants.length
      for (let parent = 0; ; ) {
        const left = 2 * parent + 1
        if (left >= end) break
        const child = left + 1 < end && before(left + 1, left) ? left + 1 : left
        if (!before(child, parent)) break
        swap(child, parent)
        parent = child
      }
      return taken
    },
  }
}
