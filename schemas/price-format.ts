/** The formats in which people write a price; `pipeline/rules/odds/price-formats.ts` reads and writes them. */

export const priceFormats = [
  'american',
  'decimal',
  'probability',
  'fractional',
  'hong_kong',
  'malay',
  'indonesian',
] as const

export type PriceFormat = (typeof priceFormats)[number]
