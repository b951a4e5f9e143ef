/**
 * Lines in the words of bet files: behind a selection (`Arsenal -0.5`, `Over 2.5`), and quarter lines as the two lines
 * that they are between: `-0.5, -1.0`, `0/-0.5`, `2.5 & 3`.
 */

const number = String.raw`\d+(?:[.,]\d+)?`
/** A comma between two lines has a blank or a sign behind it; another one is a decimal comma. */
const between = String.raw`(?:\s*(?:/|&|and)\s*|\s*,\s+|,(?=[+-]))`
const twoLines = new RegExp(`^([+-]?)(${number})${between}([+-]?)(${number})$`, 'i')
/** Behind a side a line has a sign; behind "over" it needs none. */
const twoBehind = new RegExp(
  `^(.*?\\S)\\s+((?:(?=.*[+-])|(?<=^(?:over|under)\\s))[+-]?${number}${between}[+-]?${number})$`,
  'i',
)
const oneBehind = new RegExp(`^(.*\\S)\\s+([+-]${number}|(?<=^(?:over|under)\\s)${number})$`, 'i')

const plainOf = (text: string) => text.replaceAll(/[−–]/g, '-')
const signed = (sign: string, digits: string) => Number(sign + digits.replace(',', '.'))

/** Returns the quarter line that two lines mean; null for other texts, and for lines that are not half a point apart. */
export function quarterLine(text: string): number | null {
  const found = twoLines.exec(plainOf(text).trim())
  if (!found) return null
  const [, sign = '', first = '', ownSign = '', second = ''] = found
  const [one, other] = [signed(sign, first), signed(ownSign || sign, second)]
  const isQuarter = Math.abs(one - other) === 0.5 && Number.isInteger(one * 2)
  return isQuarter ? (one + other) / 2 : null
}

/**
 * Splits a selection from the line behind it; null if there is none, or its two lines are no
 * quarter line.
 */
export function splitLine(
  selection: string,
): { readonly selection: string; readonly line: number } | null {
  const text = plainOf(selection)
  const [, sideOfTwo, two] = twoBehind.exec(text) ?? []
  if (sideOfTwo !== undefined && two !== undefined) {
    const line = quarterLine(two)
    return line === null ? null : { selection: sideOfTwo, line }
  }
  const [, side, one] = oneBehind.exec(text) ?? []
  return side === undefined || one === undefined ? null : { selection: side, line: signed('', one) }
}
