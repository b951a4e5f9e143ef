/** Why a pushed record is refused: the messages and codes for its sender. */

import type { z } from 'zod'
import { ingestEvent, ingestMarket, ingestSelection } from '../../../schemas/http/ingest.ts'
import type { Defect } from '../defect.ts'
import type { PriceFault } from './warnings.ts'

/** Why a record was rejected. */
export type RejectCode =
  | 'invalid_json'
  | 'invalid_utf8'
  | 'record_too_long'
  | 'not_an_object'
  | 'unknown_type'
  | 'unknown_field'
  | 'missing_field'
  | 'invalid_field'
  | 'invalid_date'
  | PriceFault
  | 'same_teams'
  | 'observed_in_future'
  | Defect['reason']

export interface Rejection<Code extends RejectCode = RejectCode> {
  readonly code: Code
  readonly message: string
}

/** Thrown while a record is read; `parseLine` turns it into a rejection. */
export class Refused extends Error {
  readonly code: RejectCode
  constructor(code: RejectCode, message: string) {
    super(message)
    this.code = code
  }
}

export const reject = (code: RejectCode, message: string) => ({ ok: false, code, message }) as const

/**
 * Returns the fault of a value from its schema's issue.
 * @param hint follows the message
 */
export function rejectIssue(
  issue: z.core.$ZodIssue,
  value: object,
  hint = '',
): { readonly ok: false } & Rejection {
  const path = issue.path.join('.')
  const at = path === '' ? '' : `${path}: `
  return reject(codeOf(issue, value), `${at}${issue.message}${hint}`)
}

const places = [
  ['the event', ingestEvent.shape],
  ['a market', ingestMarket.shape],
  ['a selection', ingestSelection.shape],
] as const

/** Returns a hint on where an unknown field belongs; empty if no part of a record has it. */
export function placeHint(issue: z.core.$ZodIssue): string {
  const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  if (key === undefined) return ''
  const owners = places.flatMap(([name, shape]) => (Object.hasOwn(shape, key) ? [name] : []))
  return owners.length === 0 ? '' : `; ${key} stands in ${owners.join(' and ')}`
}

const dates = new Set(['observed_at', 'placed_at', 'start_time', 'changed_at', 'settles_at'])
export const prices: ReadonlySet<PropertyKey> = new Set([
  'odds_decimal',
  'odds_american',
  'probability',
  'home_odds',
  'away_odds',
])

export function codeOf(issue: z.core.$ZodIssue, value: object): RejectCode {
  const member = String(issue.path.at(-1) ?? '')
  if (issue.code === 'unrecognized_keys') return 'unknown_field'
  if (issue.code === 'invalid_union' && member === 'type') return 'unknown_type'
  if (memberAt(value, issue.path) === undefined) return 'missing_field'
  if (prices.has(member)) return 'invalid_price'
  return dates.has(member) ? 'invalid_date' : 'invalid_field'
}

/** Returns the value of a record at the path of an issue. */
export function memberAt(value: object, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (of, member) =>
      typeof of === 'object' && of !== null
        ? (of as Record<PropertyKey, unknown>)[member]
        : undefined,
    value,
  )
}
