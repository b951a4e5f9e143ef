/**
 * Opaque cursors of `/odds`: a place in page order, good only for the filters it was made for. A
 * row that has gone meanwhile leaves its place, so a walk neither repeats nor loses what stays.
 */

import type { RowPlace } from '../pipeline/views/odds-page.ts'
import { textHash } from '../schemas/text-hash.ts'
import { ApiError } from './errors.ts'

/** @param filters the request's own filters, in any stable text form */
export function encodeCursor(place: RowPlace, filters: string): string {
  const { startsAt, eventId, marketType, selection, sportsbook } = place
  const { playerName, line, selectionType, label } = selection
  const members = [
    textHash(filters),
    startsAt,
    eventId,
    marketType,
    playerName,
    line,
    selectionType,
    label,
    sportsbook,
  ]
  return Buffer.from(JSON.stringify(members)).toString('base64url')
}

/** @throws ApiError validation_error for a text that is no cursor, or one of other filters */
export function decodeCursor(cursor: string, filters: string): RowPlace {
  const members = parse(cursor)
  if (!isPlace(members)) throw new ApiError('validation_error', 'cursor is not one we gave.')
  const [hash, startsAt, eventId, marketType, playerName, line, selectionType, label, sportsbook] =
    members
  if (hash !== textHash(filters)) {
    throw new ApiError('validation_error', 'cursor belongs to other filters; start without it.')
  }
  const selection = { playerName, line, selectionType, label }
  return { startsAt, eventId, marketType, selection, sportsbook }
}

type Members = [
  number,
  number,
  string,
  string,
  string | null,
  number | null,
  string,
  string,
  string,
]

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const memberTypes = [
  ['number'],
  ['number'],
  ['string'],
  ['string'],
  ['string', 'null'],
  ['number', 'null'],
  ['string'],
  ['string'],
  ['string'],
]

function isPlace(value: unknown): value is Members {
  return (
    Array.isArray(value) &&
    value.length === memberTypes.length &&
    memberTypes.every((types, i) => types.includes(value[i] === null ? 'null' : typeof value[i]))
  )
}
