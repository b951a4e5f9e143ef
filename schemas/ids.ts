/**
 * Odds ids: 15 decimal digits, the same for the same selection wherever and whenever it is seen.
 *
 * The id is a hash of sportsbook, event, market, line, player and selection. The price is not hashed, so a row keeps
 * its id while its price moves; the line is, so a moved line is another row.
 */

import { memoise } from './memoise.ts'
import type { OddsRow } from './odds.ts'

/** Returns the first part of the identity text, common to all rows of one sportsbook on one event. */
export const offerText = ({ sportsbook, eventId }: Pick<OddsRow, 'sportsbook' | 'eventId'>) =>
  `${sportsbook}|${eventId}|`

/**
 * Returns the second part of the identity text: the outcome and its question. A label that only repeats the selection
 * type is left out, because sportsbooks reword those ("Leeds", "Leeds United") without meaning another bet.
 */
export function selectionText(
  marketType: string,
  line: number | null,
  playerName: string | null,
  selectionType: string,
  selection: string,
): string {
  const label = isSaidByType(selectionType, selection) ? '' : selection.toLowerCase()
  return `${marketType}|${line ?? ''}|${playerName ?? ''}|${selectionType}|${label}`
}

/**
 * Returns whether the label repeats the type. Part of the identity: the words tested here decide ids and may never
 * change. The most frequent come first.
 */
const isSaidByType = (selectionType: string, selection: string) =>
  selectionType === 'home' ||
  selectionType === 'away' ||
  labelsSaidByType.has(selection) ||
  namesSide(selectionType) ||
  labelsSaidByType.has(selection.toLowerCase())

/** Returns whether a type names a side or the draw, so that its label is not part of the identity. */
export const namesSide = memoise((selectionType: string) =>
  /(^|_)(home|away|draw)(_|$)/.test(selectionType),
)

/**
 * Returns an integer from 100000000000000 to 999999999999999: the id of the identity text.
 * @param begun the hash of a first part that `text` continues; the id is that of both together
 */
export const oddsId = (text: string, begun?: IdentityHash): number =>
  oddsIdOf(hashIdentity(text, begun))

/** Returns the id of a hashed identity: its low 53 bits, reduced to 15 digits. */
export function oddsIdOf({ a, b, c, d }: IdentityHash): number {
  const low53 = (d & 0x1f) * 0x1_0000_0000_0000 + c * 0x1_0000_0000 + b * 0x1_0000 + a
  return lowestId + (low53 % idCount)
}

/** Returns the high 32 bits of a hashed identity: they differ for any two hashes that share an id. */
export const identityCheck = ({ c, d }: IdentityHash): number => (d << 16) | c

const lowestId = 1e14
const idCount = 9e14
const labelsSaidByType = new Set(['Over', 'Under', 'over', 'under', 'yes', 'no', 'odd', 'even'])

/** 64 bits as 16-bit limbs, least significant first: all products fit 32-bit arithmetic. */
export interface IdentityHash {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

const basis: IdentityHash = { a: 0x2325, b: 0x8422, c: 0x9ce4, d: 0xcbf2 }

/**
 * Returns the hash of an identity text, of a first part of it (`offerText`), or of a continuation: 64-bit FNV-1a over
 * UTF-16 code units: the low byte, then the high byte when it is not 0.
 * Source: Fowler, Noll and Vo, draft-eastlake-fnv.
 */
export function hashIdentity(text: string, begun: IdentityHash = basis): IdentityHash {
  let { a, b, c, d } = begun
  for (let i = 0; i < text.length; i++) {
    for (let rest = text.charCodeAt(i); ; rest >>>= 8) {
      a ^= rest & 0xff
      // Multiplies by the prime 2^40 + 435: each limb times 435, plus the number shifted left by 40 bits.
      const p0 = a * 435
      const p1 = b * 435 + (p0 >>> 16)
      const p2 = c * 435 + (a << 8) + (p1 >>> 16)
      const p3 = d * 435 + (b << 8) + (p2 >>> 16)
      a = p0 & 0xffff
      b = p1 & 0xffff
      c = p2 & 0xffff
      d = p3 & 0xffff
      if (rest <= 0xff) break
    }
  }
  return { a, b, c, d }
}
