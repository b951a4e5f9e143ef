/** Reads query parameters. Errors name the invalid ones and how to correct them. */

import { distance } from 'fastest-levenshtein'
import type { Query, QueryReader, QueryShape } from '../../schemas/http/query.ts'
import { ApiError, invalid } from '../errors.ts'

/** @throws ApiError validation_error naming each unknown or malformed parameter */
export function readQuery<Shape extends QueryShape>(
  read: QueryReader<Shape>,
  shape: Shape,
  raw: string,
): Query<Shape> {
  const result = read(raw)
  if (result.ok) return result.query
  const problems = Object.entries(result.problems).map(([name, problem]) => `${name} ${problem}`)
  const names = Object.keys(shape)
  const strangers = result.unknown.map((name) => {
    const near = names.find((known) => distance(name, known) <= 2)
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`
    return { near, problem: `${shown(name)} is not a parameter of this route${hint}` }
  })
  const all = [...problems, ...strangers.map(({ problem }) => problem)]
  const listed = strangers.some(({ near }) => near === undefined)
    ? ` It takes ${listOf(names)}.`
    : ''
  throw new ApiError('validation_error', `${all.join('; ')}.${listed}`, {
    parameters: [...Object.keys(result.problems), ...result.unknown.map(shown)],
    ...('offset' in result.problems && { max_offset: shape.offset?.meta()?.maximum }),
  })
}

/** @throws ApiError validation_error if none of these parameters is present */
export function requireOneOf(query: Readonly<Record<string, unknown>>, names: readonly string[]) {
  if (names.some((name) => query[name] !== undefined)) return
  throw invalid(names, `One of ${names.join(', ')} is required.`)
}

const listOf = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))

const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
