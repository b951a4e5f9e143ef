/** Instants as text, RFC 3339 UTC with milliseconds, for places that write very many of them. */

import { memoise } from '../../schemas/memoise.ts'

/** Characters of an instant. */
export const stampLength = 24

const dayMs = 86_400_000
const digits = (count: number, width: number) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(width, '0'))
const twoDigits = digits(60, 2)
const threeDigits = digits(1_000, 3)
/** `2026-11-20T`. Few different days occur, so their texts are remembered. */
const dayText = memoise((day: number) => new Date(day * dayMs).toISOString().slice(0, 11), 1_024)

/**
 * RFC 3339 UTC with milliseconds, 24 characters. Every row carries several, and the runtime's own
 * formatter is many times slower: dates are remembered, and the time of day is put together.
 * @param at epoch ms, whole, within years 0 to 9999
 */
export function isoTime(at: number): string {
  const day = Math.floor(at / dayMs)
  const ms = at - day * dayMs
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  return `${dayText(day)}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[ms % 1_000]}Z`
}

/** Writes what `isoTime` says. */
export function writeTime(at: number, into: Uint8Array, to: number) {
  const text = isoTime(at)
  for (let i = 0; i < stampLength; i++) into[to + i] = text.charCodeAt(i)
}
