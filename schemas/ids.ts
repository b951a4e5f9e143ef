/**
 * Odds ids: 15 decimal digits, the same for the same selection wherever and whenever it is seen.
 *
 * The id is a hash of sportsbook, event, market, line, player and selection. The price is no part
 * of it, so a row keeps its id while its price moves; the line is, so a moved line is another row.
 */

/** What identifies one row of the odds table. */
export interface OddsIdentity {
  readonly sportsbook: string
  readonly eventId: string
  readonly marketType: string
  readonly line: number | null
  readonly playerName: string | null
  /** In the event's frame (`OddsRow.selectionType`). */
  readonly selectionType: string
  readonly selection: string
}

const lowestId = 1e14
const idCount = 9e14
const sidedType = /(^|_)(home|away|draw)(_|$)/
const labelsSaidByType = new Set(['over', 'under', 'yes', 'no', 'odd', 'even'])

/**
 * The text an odds id is the hash of. A label that only repeats the selection type is left out,
 * because sportsbooks reword those ("Leeds", "Leeds United") without meaning another bet.
 */
export function oddsIdentityText(of: OddsIdentity): string {
  const label = of.selection.toLowerCase()
  const said = sidedType.test(of.selectionType) || labelsSaidByType.has(label)
  return `${of.sportsbook}|${of.eventId}|${of.marketType}|${of.line ?? ''}|${of.playerName ?? ''}|${of.selectionType}|${said ? '' : label}`
}

/** An integer from 100000000000000 to 999999999999999: the id of the identity text. */
export function oddsId(identityText: string): number {
  return lowestId + (fnv1a53(identityText) % idCount)
}

/**
 * The low 53 bits of 64-bit FNV-1a over UTF-16 code units (low byte, then high byte when not 0).
 * Source: Fowler, Noll and Vo, draft-eastlake-fnv.
 */
function fnv1a53(text: string): number {
  // Four 16-bit limbs, least significant first: all products fit 32-bit integer arithmetic.
  let a = 0x2325
  let b = 0x8422
  let c = 0x9ce4
  let d = 0xcbf2
  for (let i = 0; i < text.length; i++) {
    for (let rest = text.charCodeAt(i); ; rest >>>= 8) {
      a ^= rest & 0xff
      // Times the prime 2^40 + 435: each limb times 435, plus the number shifted left by 40 bits.
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
  return (d & 0x1f) * 0x1_0000_0000_0000 + c * 0x1_0000_0000 + b * 0x1_0000 + a
}
