/** Small numbers for things while they are in use, so that columns can name them; from 1 upwards. */

/** `number` is 0 while the thing has none. */
export interface Numberable {
  number: number
}

export interface Numbered<T extends Numberable> {
  /** By number. A number that is free stands for nothing, as 0 always does. */
  readonly of: readonly (T | undefined)[]
  /** Gives the thing the number that was freed last, or a new one. */
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
