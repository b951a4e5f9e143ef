/** Says in plain words why a value of a request or a file is refused: the expected form, and the value found. */

import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/**
 * Describes an issue whose schema has no text of its own, as the `error` of `safeParse`. The text
 * follows the name of the field: `stake: has to be a number, not "a lot"`.
 * @returns undefined for an issue that it cannot describe
 */
export function plainIssue(issue: RawIssue): string | undefined {
  const { input } = issue
  if (input === undefined && issue.code !== 'unrecognized_keys') return 'is missing'
  const hasToBe = (what: string) => `has to be ${what}, not ${foundText(input)}`
  switch (issue.code) {
    case 'invalid_type':
      return hasToBe(typeNames[issue.expected] ?? issue.expected)
    case 'invalid_value':
      return hasToBe(choiceOf(issue.values.map(String)))
    case 'too_small':
      return boundText(issue.inclusive ? 'at least' : 'above', issue.minimum, issue)
    case 'too_big':
      return boundText(issue.inclusive ? 'at most' : 'below', issue.maximum, issue)
    case 'invalid_union':
      // For unions of objects that a field such as `type` tells apart; other unions have texts of
      // their own.
      return Array.isArray(issue.options)
        ? `has to be ${choiceOf(issue.options.map(String))}`
        : undefined
    case 'unrecognized_keys':
      return `there is no field ${choiceOf(issue.keys.map((key) => cut(key)))}`
    default:
      return undefined
  }
}

const typeNames: Readonly<Record<string, string>> = {
  ...{ number: 'a number', int: 'a whole number', string: 'a text', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', null: 'null' },
}

/** The parts that a length counts, by the type that has it. */
const units: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' }

function boundText(
  relation: string,
  bound: number | bigint,
  { origin, input }: { readonly origin: string; readonly input?: unknown },
): string {
  const unit = units[origin]
  return unit === undefined
    ? `has to be ${relation} ${bound}, not ${foundText(input)}`
    : `has to have ${relation} ${bound} ${unit}, not ${(input as ArrayLike<unknown>).length}`
}

const choiceOf = (values: readonly string[]) =>
  values.length < 2 ? values.join() : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const mostShown = 40
const cut = (text: string) => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)

function foundText(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(cut(input))
  if (Array.isArray(input)) return 'a list'
  return typeof input === 'object' && input !== null ? 'an object' : String(input)
}
