/**
 * Compiles code that works on the fields whose names are in a table. Compiled once, it is as fast
 * as code written by hand: joining five fields takes 20 ns. A loop takes 120 ns because it looks up
 * each name, and a spread after other fields takes 150.
 */

import { valueHash } from '../../schemas/text-hash.ts'
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

/**
 * Compiles an unrolled loop over fields of the argument `row`.
 * @param step returns the code for one field, whose value is the first parameter's expression
 * @param scope other names that the code may use
 */
export function compileLoop<Run>(
  names: readonly string[],
  code: {
    readonly before?: string
    readonly step: (value: string, at: number) => string
    readonly after: string
  },
  scope: Readonly<Record<string, unknown>> = {},
): Run {
  const steps = names.map((name, at) => code.step(`row.${word(name)}`, at))
  const body = [code.before ?? '', ...steps, code.after].join('\n')
  const create = new Function(...Object.keys(scope), `return (row) => {\n${body}\n}`)
  return create(...Object.values(scope)) as Run
}

/** Compiles a hash of the values of fields. */
export const compileHash = <Row>(names: readonly string[]) =>
  compileLoop<(row: Row) => number>(
    names,
    {
      before: 'let hash = 0',
      step: (value) => `hash = Math.imul(hash, 31) ^ valueHash(${value})`,
      after: 'return hash',
    },
    { valueHash },
  )

/** Checks a name for compiled code. @throws InvariantError when it is no plain word */
export function word(name: string): string {
  invariant(/^[a-z_]\w*$/i.test(name), 'names in compiled code are plain words')
  return name
}
