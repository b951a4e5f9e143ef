/**
 * Data beside the code as JSON: names, words, calendars, figures. A file is imported as a module and checked against
 * its shape there, once: an invalid file ends the start with an error that names the file and the place in it.
 *
 * Shapes are our own functions. Zod took 140 ms of processor time for the 3,000 rows, in every process and command;
 * these take 25.
 */

/** A check of a value: returns the place and the fault, undefined if it is valid. */
export interface Shape<Type> {
  (value: unknown): string | undefined
  /** Never set: it carries the type. */
  readonly type?: Type
}

/** The shape of an optional field. */
interface Optional<Type> extends Shape<Type> {
  readonly isOptional: true
}

export type TypeOf<S> = S extends Shape<infer Type> ? Type : never

/**
 * Returns the content of a data file, typed by its shape.
 * @param file its path from the root of the sources, for the error
 * @throws Error naming the file and the first place in it that is wrong
 */
export function readDataFile<Type>(file: string, shape: Shape<Type>, json: unknown): Type {
  const fault = shape(json)
  if (fault !== undefined) throw new Error(`${file} is not of its shape: ${fault}`)
  return json as Type
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.trim() === value

/** Checks a name or another text that is not empty and has no blanks around it. */
export const text: Shape<string> = (value) =>
  isText(value) ? undefined : 'no text, or blanks around it'

/** Checks a text that matches a pattern as a whole. */
export function textLike(pattern: string): Shape<string> {
  const whole = new RegExp(`^(?:${pattern})$`)
  return (value) =>
    typeof value === 'string' && whole.test(value) ? undefined : `not like ${pattern}`
}

/** Checks a list of distinct texts. */
export const texts: Shape<readonly string[]> = (value) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
    ? undefined
    : 'no list of texts, or one of them twice'

/** Checks spellings of one thing, the usual one first. */
export const spellings: Shape<readonly string[]> = (value) =>
  texts(value) ?? ((value as readonly string[]).length > 1 ? undefined : 'a single spelling')

export const flag: Shape<boolean> = (value) =>
  typeof value === 'boolean' ? undefined : 'neither true nor false'

export const figure: Shape<number> = (value) => (Number.isFinite(value) ? undefined : 'no number')

export const whole: Shape<number> = (value) =>
  Number.isInteger(value) ? undefined : 'no whole number'

/** Checks a whole number from 1. */
export const count: Shape<number> = (value) =>
  Number.isInteger(value) && (value as number) > 0 ? undefined : 'no whole number from 1'

export const oneOf =
  <const Choice>(choices: readonly Choice[]): Shape<Choice> =>
  (value) =>
    choices.includes(value as Choice) ? undefined : `none of ${choices.join(', ')}`

export const orNull =
  <Type>(shape: Shape<Type>): Shape<Type | null> =>
  (value) =>
    value === null ? undefined : shape(value)

export const optional = <Type>(shape: Shape<Type>): Optional<Type> =>
  Object.assign((value: unknown) => shape(value), { isOptional: true as const })

/** Checks one of several shapes; the fault is that of the last. */
export const either =
  <One, Other>(one: Shape<One>, other: Shape<Other>): Shape<One | Other> =>
  (value) =>
    one(value) === undefined ? undefined : other(value)

export const listOf =
  <Type>(shape: Shape<Type>): Shape<readonly Type[]> =>
  (value) => {
    if (!Array.isArray(value)) return 'no list'
    for (let at = 0; at < value.length; at++) {
      const fault = shape(value[at])
      if (fault !== undefined) return `${at}: ${fault}`
    }
    return undefined
  }

/** Checks an object with any names and values of one shape. */
export const recordOf =
  <Type>(shape: Shape<Type>, name = text): Shape<Readonly<Record<string, Type>>> =>
  (value) => {
    if (!isObject(value)) return 'no object'
    for (const [key, member] of Object.entries(value)) {
      const fault = name(key) ?? shape(member)
      if (fault !== undefined) return `${key}: ${fault}`
    }
    return undefined
  }

type Members = Readonly<Record<string, Shape<unknown>>>
type Row<M extends Members> = {
  readonly [Name in keyof M as M[Name] extends Optional<unknown> ? never : Name]: TypeOf<M[Name]>
} & {
  readonly [Name in keyof M as M[Name] extends Optional<unknown> ? Name : never]?: TypeOf<M[Name]>
}

/** Checks an object with exactly these fields. */
export function row<M extends Members>(members: M): Shape<Row<M>> {
  const shapes = Object.entries(members)
  const isKnown = new Set(Object.keys(members))
  return (value) => {
    if (!isObject(value)) return 'no object'
    for (const [name, shape] of shapes) {
      if (!(name in value) && 'isOptional' in shape) continue
      const fault = shape(value[name])
      if (fault !== undefined) return `${name}: ${fault}`
    }
    for (const name in value) if (!isKnown.has(name)) return `${name}: not a member of it`
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
