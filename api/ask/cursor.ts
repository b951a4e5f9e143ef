/**
 * Opaque cursors of `/odds`: a place in page order, bound to the request's filters and signed, so that only our own
 * are accepted. A cursor names a place, not a row. If its row is removed, paging continues from that place and
 * neither repeats nor skips rows that stay. An event whose start moves across the place may be missed or come twice;
 * the delta since the first page has its rows.
 */

import { hash, timingSafeEqual } from 'node:crypto'
import type { RowPlace } from '../../pipeline/views/query/row-place.ts'
import type { SortedPlace } from '../../pipeline/views/query/sorted-odds.ts'
import { memoise } from '../../schemas/memoise.ts'
import { textHash } from '../../schemas/text-hash.ts'
import { ApiError } from '../errors.ts'

/** Place where a page ended, in page order or in sort order. */
export type CursorPlace = { readonly place: RowPlace; readonly value?: undefined } | SortedPlace

export interface Cursors {
  /** @param filters the request's filters and sort, in any stable text form */
  encode(place: CursorPlace, filters: string): string
  /** @throws ApiError validation_error for a text that is not our cursor, or belongs to other filters */
  decode(cursor: string, filters: string): CursorPlace
}

/** A multiple of three, so that the base64url of signature and text can be joined. */
const signatureBytes = 12

/** @param secret the same in all processes of the deployment */
export function createCursors(secret: string): Cursors {
  // One hash with the secret in front; an HMAC would take two. A length extension is impossible,
  // because it needs the whole SHA-256 and the signature is only its beginning.
  const sign = (place: string) =>
    hash('sha256', secret + place, 'buffer').subarray(0, signatureBytes)

  // Cached by place, because the same pages are requested repeatedly.
  const cursorOf = memoise(
    (place) => sign(place).toString('base64url') + Buffer.from(place).toString('base64url'),
    5_000,
    1_000,
  )

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
      return cursorOf(JSON.stringify(members))
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
