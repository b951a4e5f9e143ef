/**
 * Compiles code that copies the fields whose names are in a table. Compiled once, it is as fast as code written by
 * hand: making a price's row with its attributes takes 0.2 µs. A loop over the names and a spread take 8 µs, a sixth of
 * a price's way through the pipeline.
 */

import { invariant } from '../invariant.ts'

/** The fields of the two arguments that a value is read from; the first that is set counts. */
export interface Reads {
  readonly first?: string | undefined
  readonly second?: string | undefined
}

/**
 * @param members the fields of the result, in this order; null is used if neither argument has a
 * field
 */
export function compileCopy<First extends object, Second extends object, Made>(
  members: readonly (readonly [name: string, reads: Reads])[],
): (first: First, second: Second) => Made {
  const written = members.map(([name, { first, second }]) => {
    const reads = [
      ...(first === undefined ? [] : [`first.${word(first)}`]),
      ...(second === undefined ? [] : [`second.${word(second)}`]),
      'null',
    ]
    return `${word(name)}: ${reads.join(' ?? ')}`
  })
  const body = `return { ${written.join(', ')} }`
  return new Function('first', 'second', body) as (first: First, second: Second) => Made
}

/**
 * Compiles a function that returns all of the first argument, which has the same fields each time, and some of the
 * second.
 * @param more names of the result, each with its field of the second argument
 */
export function compileExtension<First extends object, Second extends object, More>(
  more: readonly (readonly [name: string, member: string])[],
): (first: First, second: Second) => First & More {
  let extend: ((first: First, second: Second) => First & More) | undefined
  return (first, second) => {
    extend ??= compileCopy<First, Second, First & More>([
      ...Object.keys(first).map((name) => [name, { first: name }] as const),
      ...more.map(([name, member]) => [name, { second: member }] as const),
    ])
    return extend(first, second)
  }
}

/** Checks a name for compiled code. @throws InvariantError when it is no plain word */
export function word(name: string): string {
  invariant(/^[a-z_]\w*$/i.test(name), 'names in compiled code are plain words')
  return name
}
