/** Times as text, RFC 3339 UTC with milliseconds, for places that write very many of them. */

import { memoise } from '../../schemas/memoise.ts'

/** The characters of a time. */
export const stampLength = 24

const dayMs = 86_400_000
const digits = (count: number, width: number) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(width, '0'))
const twoDigits = digits(60, 2)
const threeDigits = digits(1_000, 3)
/** Returns `2026-11-20T`. Few different days occur, so their texts are cached. */
const dayText = memoise((day: number) => new Date(day * dayMs).toISOString().slice(0, 11), 1_024)

/**
 * Returns RFC 3339 UTC with milliseconds, 24 characters. Every row has several times, and the
 * runtime's formatter is many times slower: here, dates are cached, and only the time of day is
 * formatted.
 * @param at epoch ms, whole, within years 0 to 9999
 */
export function isoTime(at: number): string {
  const day = Math.floor(at / dayMs)
  const ms = at - day * dayMs
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  return `${dayText(day)}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[ms % 1_000]}Z`
}

/** Writes the text of `isoTime` digit by digit, without making a string. */
export function writeTime(at: number, into: Uint8Array, to: number) {
  const day = Math.floor(at / dayMs)
  if (day !== lastDay) {
    const date = dayText(day)
    for (let i = 0; i < date.length; i++) lastDate[i] = date.charCodeAt(i)
    lastDay = day
  }
  for (let i = 0; i < lastDate.length; i++) into[to + i] = lastDate[i]!
  const ms = (at - day * dayMs) | 0
  const seconds = (ms / 1_000) | 0
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  writeTwoDigits(hours, into, to + 11)
  into[to + 13] = colon
  writeTwoDigits(minutes - 60 * hours, into, to + 14)
  into[to + 16] = colon
  writeTwoDigits(seconds - 60 * minutes, into, to + 17)
  into[to + 19] = point
  const fraction = ms - 1_000 * seconds
  const tenths = (fraction / 100) | 0
  into[to + 20] = zero + tenths
  writeTwoDigits(fraction - 100 * tenths, into, to + 21)
  into[to + 23] = zulu
}

/** The day of the last time; most times are of the same day. */
let lastDay = Number.NaN
/** `2026-11-20T` */
const lastDate = new Uint8Array(11)
const [zero, colon, point, zulu] = [0x30, 0x3a, 0x2e, 0x5a] as const

function writeTwoDigits(n: number, into: Uint8Array, to: number) {
  const tens = (n / 10) | 0
  into[to] = zero + tens
  into[to + 1] = zero + n - 10 * tens
}
