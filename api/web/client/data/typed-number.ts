/** Reads numbers that a person has typed, with a decimal point or a decimal comma. */

/** `1,250` and `1.250`: a thousand or one. The pages write no zero at the end, so `1.255` is theirs. */
const ambiguous = /^[+-]?[1-9]\d{0,2}(?:,\d{3}|\.\d{2}0)$/
/** Groups of thousands by commas, and by points, each where nothing else can be meant. */
const byCommas = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/
const byPoints = /^[+-]?[1-9]\d{0,2}(\.\d{3})+,\d*$/

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** The pages write a true minus sign, which is then copied from them. */
const plain = (typed: string) => typed.trim().replace('\u2212', '-')

/** Returns why a text is refused that can be read as two numbers; null for any other. */
export function ambiguityOf(typed: string): string | null {
  const text = plain(typed)
  if (!ambiguous.test(text)) return null
  const decimal = Number(text.replace(',', '.'))
  return `${text} can be ${text.replace(/[.,]/, '')} or ${decimal}. Write one of these.`
}

/** @returns NaN for a text that is no number, or that is ambiguous */
export function numberOf(typed: string): number {
  const text = plain(typed)
  if (text === '' || ambiguous.test(text)) return Number.NaN
  if (byCommas.test(text)) return Number(text.replaceAll(',', ''))
  if (byPoints.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  const decimal = text.replace(',', '.')
  return plainNumber.test(decimal) ? Number(decimal) : Number.NaN
}

/** The least and the highest number that is allowed. */
export type Bounds = readonly [min?: number | undefined, max?: number]

/** Returns why a text is refused as a number; null for a number within the bounds, and for none. */
export function numberFault(typed: string, [min, max]: Bounds): string | null {
  if (typed.trim() === '') return null
  const doubt = ambiguityOf(typed)
  if (doubt !== null) return doubt
  const number = numberOf(typed)
  if (!Number.isFinite(number)) return `${typed.trim()} is no number.`
  if (min !== undefined && number < min) return `The least is ${min}.`
  return max !== undefined && number > max ? `The most is ${max}.` : null
}
