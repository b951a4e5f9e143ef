/**
 * The checksum of `proof=true`: a client computes it over its rows and compares it with the service's.
 *
 * Each row gives the text `id odds_decimal odds_american line is_live is_active`, separated by one blank, each field as
 * in JSON (the id without quotes). The checksum is the sum of the CRC-32 (zlib) of these texts in UTF-8, modulo 2^32,
 * as eight lower-case hex digits. The order of rows does not matter.
 */

export interface ChecksummedRow {
  readonly id: string
  readonly odds_decimal: number
  readonly odds_american: number
  readonly line: number | null
  readonly is_live: boolean
  readonly is_active: boolean
}

/** Returns the CRC-32 of a row, an unsigned 32-bit integer. */
export function rowChecksum(row: ChecksummedRow): number {
  const { id, odds_decimal, odds_american, line, is_live, is_active } = row
  return crc32(`${id} ${odds_decimal} ${odds_american} ${line} ${is_live} ${is_active}`)
}

/** @param sum of the rows' CRC-32s, modulo 2^32 */
export const checksumText = (sum: number) => (sum >>> 0).toString(16).padStart(8, '0')

const encoder = new TextEncoder()
const table = createTable()

function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of encoder.encode(text)) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Creates the table for the reflected polynomial of IEEE 802.3. */
function createTable(): Int32Array {
  const table = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
    table[byte] = crc
  }
  return table
}
