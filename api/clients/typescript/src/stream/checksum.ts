/**
 * The checksum that the service sends with `proof=true`: what a client computes of its own rows to
 * know that it holds what the service thinks it holds.
 *
 * Of each row the text `id odds_decimal odds_american line is_live is_active`, one blank between,
 * each member as JSON writes it (the id without quotes); of its UTF-8 bytes the CRC-32 of zlib; their
 * sum over all rows modulo 2^32, as eight lower-case hex digits. The order of the rows is no matter.
 */

export interface ChecksummedRow {
  readonly id: string
  readonly odds_decimal: number
  readonly odds_american: number
  readonly line: number | null
  readonly is_live: boolean
  readonly is_active: boolean
}

/** What a row adds to the sum: an integer of 32 bits, not negative. */
export function rowChecksum(row: ChecksummedRow): number {
  const { id, odds_decimal, odds_american, line, is_live, is_active } = row
  return crc32(`${id} ${odds_decimal} ${odds_american} ${line} ${is_live} ${is_active}`)
}

/** @param sum of what the rows add, modulo 2^32 */
export const checksumText = (sum: number) => (sum >>> 0).toString(16).padStart(8, '0')

const encoder = new TextEncoder()
const table = createTable()

function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of encoder.encode(text)) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Of the polynomial of IEEE 802.3, reflected. */
function createTable(): Int32Array {
  const table = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
    table[byte] = crc
  }
  return table
}
