/**
 * Opaque cursors of `/odds`: a place in page order, good only for the filters it was made for, and
 * signed, so that none but ours are taken. A row that has gone meanwhile leaves its place: a walk
 * neither repeats nor loses what stays where it is. An event whose start moves across the place may be
 * missed or come twice; the delta since the walk began has its rows.
 */

import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { RowPlace } from '../../pipeline/views/query/row-place.ts'
import type { SortedPlace } from '../../pipeline/views/query/sorted-odds.ts'
import { textHash } from '../../schemas/text-hash.ts'
import { ApiError } from '../errors.ts'

/** Where a page ended: in page order, or in that of a sort. */
export type CursorPlace = { readonly place: RowPlace; readonly value?: undefined } | SortedPlace

export interface Cursors {
  /** @param filters the request's own filters and sort, in any stable text form */
  encode(place: CursorPlace, filters: string): string
  /** @throws ApiError validation_error for a text that is no cursor of ours, or one of other filters */
  decode(cursor: string, filters: string): CursorPlace
}

/** A multiple of three, so that signature and text are base64url one behind the other. */
const signatureBytes = 12

const mostRemembered = 5_000

/**
 * The secret that cursors are signed with: the same in every process of one deployment and after
 * every restart, since it follows from the log they share and the tokens they were given.
 */
export function cursorSecret(
  epoch: string,
  { adminToken, ingestToken }: { adminToken: string | null; ingestToken: string | null },
): string {
  const parts = JSON.stringify(['cursor', epoch, adminToken, ingestToken])
  return createHash('sha256').update(parts).digest('base64')
}

/** @param secret the same in every process that answers for this deployment */
export function createCursors(secret: string): Cursors {
  // One pass with the secret in front, where an HMAC takes two: what can be appended to a whole
  // SHA-256 cannot be to one that is cut.
  const sign = (place: string) =>
    hash('sha256', secret + place, 'buffer').subarray(0, signatureBytes)

  /** Of pages that are asked for again and again; the place itself is what is remembered. */
  let remembered = new Map<string, string>()

  return {
    encode({ place, value }, filters) {
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
        ...(value === undefined ? [] : [value]),
      ]
      const text = JSON.stringify(members)
      let cursor = remembered.get(text)
      if (cursor === undefined) {
        cursor = sign(text).toString('base64url') + Buffer.from(text).toString('base64url')
        if (remembered.size >= mostRemembered) remembered = new Map()
        remembered.set(text, cursor)
      }
      return cursor
    },
    decode(cursor, filters) {
      const signed = Buffer.from(cursor, 'base64url')
      const text = signed.subarray(signatureBytes).toString()
      const isOurs =
        signed.length > signatureBytes &&
        timingSafeEqual(signed.subarray(0, signatureBytes), sign(text))
      if (!isOurs) {
        throw new ApiError('validation_error', 'cursor is not one we gave; start without it.')
      }
      const [filtersHash, ...members] = JSON.parse(text) as Members
      if (filtersHash !== textHash(filters)) {
        throw new ApiError('validation_error', 'cursor belongs to other filters; start without it.')
      }
      const [startsAt, eventId, marketType, playerName, line, selectionType, label, sportsbook] =
        members
      const selection = { playerName, line, selectionType, label }
      const place = { startsAt, eventId, marketType, selection, sportsbook }
      const value = members[8]
      return value === undefined ? { place } : { place, value }
    },
  }
}

type Members = [
  filtersHash: number,
  startsAt: number,
  eventId: string,
  marketType: string,
  playerName: string | null,
  line: number | null,
  selectionType: string,
  label: string,
  sportsbook: string,
  value?: number | string,
]
