/**
 * Numbers for texts while they are in use, to be stored in columns; equal texts have one number.
 */

import { grown } from './grown.ts'

export interface TextNumbers {
  /** Returns the text's number, and counts one more use; 0 for null. */
  take(text: string | null): number
  text(number: number): string | null
  /** Returns the number of a text in use; undefined for another. */
  find(text: string): number | undefined
  /** The end of the numbers, exclusive. */
  readonly end: number
  /** Ends one use; the end of the last one frees the number. */
  release(number: number): void
}

export function createTextNumbers(): TextNumbers {
  const numbers = new Map<string, number>()
  const texts: (string | null)[] = [null]
  const unused: number[] = []
  let uses = new Uint32Array(256)

  return {
    take(text) {
      if (text === null) return 0
      let number = numbers.get(text)
      if (number === undefined) {
        number = unused.pop() ?? texts.length
        texts[number] = text
        numbers.set(text, number)
        if (number >= uses.length) uses = grown(uses, 2 * uses.length)
      }
      uses[number]!++
      return number
    },
    text: (number) => texts[number]!,
    find: (text) => numbers.get(text),
    get end() {
      return texts.length
    },
    release(number) {
      if (number === 0 || --uses[number]! > 0) return
      numbers.delete(texts[number]!)
      texts[number] = null
      unused.push(number)
    },
  }
}
