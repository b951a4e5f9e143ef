/**
 * Query parameters: the available kinds, each a decoder from text that also describes itself for the OpenAPI
 * document. Names are singular, several values are comma-separated, repeated keys join the list, an empty value
 * counts as not given. An undeclared name is refused, because a misspelt filter must not silently become no filter.
 */

import { z } from 'zod'
import { shownAmerican } from '../american-odds.ts'
import { usStates } from '../reference/us-states.ts'

/** The parameters of one route, by name. Absent ones decode from undefined. */
export type QueryShape = Readonly<Record<string, z.ZodType>>

export type Query<Shape extends QueryShape> = {
  readonly [Name in keyof Shape]: z.output<Shape[Name]>
}

interface About {
  readonly description: string
  readonly example?: string | number | boolean
  /** Other spellings that clients send; their values are added to those of the name. */
  readonly aliases?: readonly string[]
}

/** Adds the document's description of a parameter to its decoder. */
function about<T extends z.ZodType>(
  type: T,
  { description, example, aliases }: About,
  schema: Record<string, unknown>,
): T {
  return type.meta({
    description,
    ...schema,
    ...(example !== undefined && { examples: [example] }),
    ...(aliases && { 'x-aliases': aliases }),
  })
}

const given = z.string().optional()

/**
 * A decoder of one value.
 * @param read returns undefined for a text that is refused
 * @param problem the text of the refusal
 * @param absent the value of a parameter that is not given
 */
function decoder<Value, Absent = undefined>(
  read: (text: string) => Value | undefined,
  problem: string,
  absent?: Absent,
) {
  return given.transform((text, context): Value | Absent => {
    if (text === undefined) return absent as Absent
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue(problem)
    return z.NEVER
  })
}

/** The most values of one list, unless it has its own limit. */
const mostValues = 300

/**
 * A list of values; undefined when none is given, else at least one, each once.
 * @param of with `words`, any other value is refused
 */
export function list(of: About & { readonly most?: number; readonly words?: readonly string[] }) {
  const { most = mostValues, words } = of
  const type = given.transform((text, context) => {
    const values = text
      ?.split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (!values || values.length === 0) return undefined
    const distinct = [...new Set(values)]
    const stranger = words && distinct.find((value) => !words.includes(value))
    if (distinct.length <= most && stranger === undefined) return distinct
    context.addIssue(
      stranger === undefined
        ? `names at most ${most} values`
        : `names ${stranger}; there are ${words?.join(', ')}`,
    )
    return z.NEVER
  })
  const items = { type: 'string', ...(words && { enum: words }) }
  return about(type, of, { type: 'array', items, maxItems: most })
}

/** Text of limited length, counted as JSON Schema does: a character outside the basic plane is one. */
const textUpTo = (maxLength: number) =>
  z
    .string()
    .refine(
      (value) => value.length <= maxLength || [...value].length <= maxLength,
      `has at most ${maxLength} characters`,
    )

/** One value, unchanged. */
export function text(of: About & { maxLength?: number }) {
  const { maxLength = 200 } = of
  return about(textUpTo(maxLength).optional(), of, { type: 'string', maxLength })
}

/** One value that matches a pattern. */
export function formed(
  of: About & { readonly pattern: RegExp; readonly problem: string; readonly maxLength?: number },
) {
  const { pattern, problem, maxLength } = of
  const form = z.string().regex(pattern, problem)
  const type = maxLength === undefined ? form : textUpTo(maxLength).pipe(form)
  return about(type.optional(), of, {
    type: 'string',
    pattern: pattern.source,
    ...(maxLength !== undefined && { maxLength }),
  })
}

/** `true`, `false`, `1` or `0`, in any case. */
export function flag(of: About) {
  const read = (text: string) => {
    const lower = text.toLowerCase()
    if (lower === 'true' || lower === '1') return true
    return lower === 'false' || lower === '0' ? false : undefined
  }
  return about(decoder(read, 'is true or false'), of, { type: 'boolean' })
}

const numberPattern = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,3})?$/i

/**
 * Parses a number as JSON, Python or a person writes it: `-110`, `.5`, `50.0`, `1e-3`.
 * @returns NaN for any other text
 */
const numberOf = (text: string): number =>
  // A plus sign that was not escaped arrives as a blank.
  numberPattern.test(text.replace(' ', '+')) ? Number(text.replace(' ', '+')) : Number.NaN

/** Returns a reader of numbers that refuses others. */
const numberIf = (isTaken: (number: number) => boolean) => (text: string) => {
  const number = numberOf(text)
  return isTaken(number) ? number : undefined
}

/**
 * A whole number from `min` to `max`; any other is refused.
 * @param of with `isAnyHigher`, a number above `max` is read, for a route that refuses it with its own code
 */
export function whole(
  of: About & { min: number; max: number; fallback: number; isAnyHigher?: boolean },
) {
  const { min, max, fallback, isAnyHigher = false } = of
  const isTaken = (number: number) =>
    Number.isInteger(number) && number >= min && (number <= max || isAnyHigher)
  const type = decoder(numberIf(isTaken), `is a whole number from ${min} to ${max}`, fallback)
  return about(type, of, { type: 'integer', minimum: min, maximum: max, default: fallback })
}

/** The number of items of a list to skip. */
export const offsetUpTo = (max: number) =>
  whole({ description: `Items to skip, at most ${max}.`, example: 0, min: 0, max, fallback: 0 })

/** Describes a limit that lowers higher values: the schema has no maximum, because a higher number is accepted. */
const highest = (max: number) => ` Higher numbers count as ${max}.`

/** The number of items in a response: a whole number from 1; one above `max` is lowered to it. */
export function pageLimit(of: About & { max: number; fallback: number }) {
  const { max, fallback } = of
  const read = (text: string) => {
    const number = numberOf(text)
    return Number.isInteger(number) && number >= 1 ? Math.min(number, max) : undefined
  }
  const type = decoder(read, 'is a whole number from 1', fallback)
  const description = of.description + highest(max)
  return about(type, { ...of, description }, { type: 'integer', minimum: 1, default: fallback })
}

/**
 * A `pageLimit` with the usual description.
 * @param fallback items of a response that states no limit
 */
export const itemsUpTo = (max: number, fallback: number) =>
  pageLimit({ description: 'Items per response.', example: fallback, max, fallback })

/** The maximum of a number without its own. */
const mostOfNumbers = 1e9

/** A number with or without decimals; one above a `max` is lowered to it. */
export function decimal(of: About & { min?: number; max?: number }) {
  const { min = -mostOfNumbers, max } = of
  if (max === undefined) return decimalWithin({ ...of, min, max: mostOfNumbers })
  const read = (text: string) => {
    const number = numberOf(text)
    return number >= min && number <= Number.MAX_VALUE ? Math.min(number, max) : undefined
  }
  const description = of.description + highest(max)
  const type = decoder(read, `is a number from ${min}`)
  return about(type, { ...of, description }, { type: 'number', minimum: min })
}

/** A number from `min` to `max`; any other is refused. */
export function decimalWithin(of: About & { min: number; max: number }) {
  const { min, max } = of
  const isTaken = (number: number) => number >= min && number <= max
  const type = decoder(numberIf(isTaken), `is a number from ${min} to ${max}`)
  return about(type, of, { type: 'number', minimum: min, maximum: max })
}

const mostAmerican = 1e12

/** American odds: from 100 up, or from -100 down; 0 separates the two. @returns -100 as the 100 that prices show */
export function american(of: About) {
  const readNumber = numberIf(
    (number) => number === 0 || (Math.abs(number) >= 100 && Math.abs(number) <= mostAmerican),
  )
  const read = (text: string) => {
    const number = readNumber(text)
    return number === undefined ? undefined : shownAmerican(number)
  }
  const problem = 'is American odds, 100 or more or -100 or less; decimal 2.5 is 150'
  const type = decoder(read, problem)
  return about(type, of, {
    type: 'number',
    minimum: -mostAmerican,
    maximum: mostAmerican,
    not: { exclusiveMinimum: -100, exclusiveMaximum: 100, not: { enum: [0] } },
  })
}

/** One of a few words, in any case. */
export function choice<const Words extends readonly string[]>(words: Words, of: About) {
  const read = (text: string): Words[number] | undefined => {
    const lower = text.toLowerCase()
    return words.find((known) => known.toLowerCase() === lower)
  }
  const type = decoder(read, `is one of ${words.join(', ')}`)
  return about(type, of, { type: 'string', enum: words })
}

/** Several of a few words, in any case; undefined when none is given. */
export function choices<const Words extends readonly string[]>(words: Words, of: About) {
  const type = given.transform((text, context): readonly Words[number][] | undefined => {
    const chosen = new Set<Words[number]>()
    for (const part of text?.split(',') ?? []) {
      const lower = part.trim().toLowerCase()
      if (lower === '') continue
      const word = words.find((known) => known.toLowerCase() === lower)
      if (word === undefined) {
        context.addIssue(`names some of ${words.join(', ')}`)
        return z.NEVER
      }
      chosen.add(word)
    }
    return chosen.size > 0 ? [...chosen] : undefined
  })
  return about(type, of, { type: 'array', items: { type: 'string', enum: words } })
}

/** A US state by its two letters, in any case. @returns lower case */
export const usState = (of: About) => choice(usStates, of)

/** Matches a calendar day; 29 February only in leap years. */
const dayForm =
  '(?:(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))'
const dayPattern = new RegExp(`^${dayForm}$`)

/** A calendar day, `YYYY-MM-DD`, that exists. */
export function day(of: About) {
  const read = (text: string) => (dayPattern.test(text) ? text : undefined)
  return about(decoder(read, 'is a day, YYYY-MM-DD'), of, { type: 'string', format: 'date' })
}

/** The value of `dayOrInstant`. */
export interface DayOrInstant {
  /** Epoch ms; for a day its midnight in UTC. */
  readonly at: number
  readonly isDay: boolean
}

/** A day of UTC, `YYYY-MM-DD`, or a time as `instant` takes it, to the millisecond. */
export function dayOrInstant(of: About) {
  const read = (text: string): DayOrInstant | undefined => {
    if (dayPattern.test(text)) return { at: Date.parse(`${text}T00:00:00Z`), isDay: true }
    const at = parseInstant(text)
    return at === undefined ? undefined : { at: Math.floor(at / 1_000), isDay: false }
  }
  const type = decoder(read, 'is a day, YYYY-MM-DD, or a time such as 2026-11-20T12:00:00Z')
  return about(type, of, { type: 'string', pattern: instantPattern.source })
}

/** A time, ISO 8601, to the microsecond; UTC if it names no zone. @returns epoch µs */
export function instant(of: About) {
  const problem = 'is a time such as 2026-11-20T12:00:00.123Z; UTC if it names no zone'
  return about(decoder(parseInstant, problem), of, { type: 'string', format: 'date-time' })
}

/** A time as `instant` takes it, or Unix seconds with or without decimals. @returns epoch ms */
export function moment(of: About) {
  const read = (text: string) => {
    if (secondsPattern.test(text)) return Math.round(1_000 * Number(text))
    const at = parseInstant(text)
    return at === undefined ? undefined : Math.floor(at / 1_000)
  }
  const problem = 'is a time such as 2026-11-20T12:00:00.123Z, or Unix seconds such as 1795176000'
  const pattern = `${secondsPattern.source}|${instantPattern.source}`
  return about(decoder(read, problem), of, { type: 'string', pattern })
}

const secondsPattern = /^\d{1,10}(?:\.\d{0,9})?$/

/** Matches RFC 3339, and forms that people write: a day alone, no seconds, a comma, a blank for `T` or `+`, no zone. */
const instantPattern = new RegExp(
  `^(${dayForm})(?:[Tt ]((?:[01]\\d|2[0-3]):[0-5]\\d)(:(?:[0-5]\\d|60))?(?:[.,](\\d{1,40}))?([Zz]|[+ -](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)?)?$`,
)

/** @returns epoch µs, cut and not rounded; undefined for a text that is no time */
export function parseInstant(value: string): number | undefined {
  const match = instantPattern.exec(value)
  if (!match) return undefined
  const [, day = '', minute = '00:00', second = ':00', fraction = '', zone = 'Z'] = match
  // A leap second counts as the next one, because Date knows none.
  const isLeap = second === ':60'
  const at = Date.parse(`${day}T${minute}${isLeap ? ':59' : second}${offsetOf(zone)}`)
  const ms = isLeap ? at + 1_000 : at
  if (isLeap && ms % 86_400_000 !== 0) return undefined
  return Number.isNaN(ms) ? undefined : ms * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** Returns `Z` or `+HH:MM`. */
function offsetOf(zone: string): string {
  if (zone.length === 1) return 'Z'
  // A plus sign that was not escaped arrives as a blank.
  const sign = zone.startsWith('-') ? '-' : '+'
  return `${sign}${zone.slice(1, 3)}:${zone.length > 3 ? zone.slice(-2) : '00'}`
}

/** Returns the same parameter, for a route that requires it and checks that itself. An empty value counts as none. */
export function required<T extends z.ZodType>(parameter: T): T {
  const about = parameter.meta()
  return parameter.meta({ ...about, ...filled(about ?? {}), 'x-required': true })
}

/** Returns the keywords that forbid an empty value, unless its form does. */
function filled({ type, pattern, format, items }: Record<string, unknown>) {
  if (type === 'array') return { minItems: 1, items: { ...(items as object), minLength: 1 } }
  return type === 'string' && pattern === undefined && format === undefined ? { minLength: 1 } : {}
}

export const isRequired = (parameter: z.ZodType): boolean =>
  parameter.meta()?.['x-required'] === true

/** Returns the other spellings of a parameter. */
export const aliasesOf = (parameter: z.ZodType): readonly string[] =>
  (parameter.meta()?.['x-aliases'] as readonly string[] | undefined) ?? []

export type ReadQuery<Shape extends QueryShape> =
  | { readonly ok: true; readonly query: Query<Shape> }
  /** Parameters by name with their fault; `unknown` are the first undeclared names. */
  | {
      readonly ok: false
      readonly problems: Readonly<Record<string, string>>
      readonly unknown: readonly string[]
    }

export type QueryReader<Shape extends QueryShape> = (raw: string) => ReadQuery<Shape>

/** Enough to correct a request; a refusal that named all would be as long as the request. */
const mostUnknown = 10

/** @param always names that every route accepts and reads elsewhere */
export function createQueryReader<Shape extends QueryShape>(
  shape: Shape,
  always: readonly string[],
): QueryReader<Shape> {
  const names = new Map<string, string | null>(always.map((name) => [name, null]))
  for (const [name, parameter] of Object.entries(shape)) {
    names.set(name, name)
    for (const alias of aliasesOf(parameter)) names.set(alias, name)
  }
  return (raw) => {
    const values = new Map<string, string>()
    const unknown = new Set<string>()
    for (const [spelling, value] of new URLSearchParams(raw)) {
      const name = names.get(spelling)
      if (name === undefined) {
        if (unknown.size < mostUnknown) unknown.add(spelling)
      } else if (name !== null && value !== '') {
        const before = values.get(name)
        values.set(name, before === undefined ? value : `${before},${value}`)
      }
    }
    const problems: Record<string, string> = {}
    const query: Record<string, unknown> = {}
    for (const [name, parameter] of Object.entries(shape)) {
      const decoded = parameter.safeParse(values.get(name))
      if (decoded.success) query[name] = decoded.data
      else problems[name] = decoded.error.issues[0]?.message ?? 'is not valid'
    }
    if (unknown.size > 0 || Object.keys(problems).length > 0) {
      return { ok: false, problems, unknown: [...unknown] }
    }
    return { ok: true, query: query as Query<Shape> }
  }
}
