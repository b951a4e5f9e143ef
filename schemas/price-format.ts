/** The formats in which people read and write prices; what each says is in `pipeline/rules/odds/price-formats.ts`. */
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
