/** Small numbers (from 1) for objects while they are in use, to be stored in columns. */

/** An object that can be numbered; `number` is 0 while it has none. */
export interface Numberable {
  number: number
}

export interface Numbered<T extends Numberable> {
  /** Objects by number; undefined for a free number, and always for 0. */
  readonly of: readonly (T | undefined)[]
  /** Assigns the number that was freed last, or a new one. */
  add(thing: T): void
  remove(thing: T): void
}

export function createNumbered<T extends Numberable>(): Numbered<T> {
  const of: (T | undefined)[] = [undefined]
  const unused: number[] = []
  return {
    of,
    add(thing) {
      thing.number = unused.pop() ?? of.length
      of[thing.number] = thing
    },
    remove(thing) {
      of[thing.number] = undefined
      unused.push(thing.number)
      thing.number = 0
    },
  }
}
