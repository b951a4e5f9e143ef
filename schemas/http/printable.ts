/** Names that people enter: not blank, without control characters. */

import { z } from 'zod'

/** Surrogate halves. They are not in `form`, because no pattern with them is valid for all readers of the documents. */
const halves = /\p{Cs}/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const form = /^ *[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$/

/** @param most characters, as JSON Schema counts them */
export const printable = (most: number) =>
  z
    .string()
    .regex(form, 'is not blank, and has no control characters')
    .refine((text) => !halves.test(text), 'has no halves of characters')
    .refine(
      (text) => text.length <= most || [...text].length <= most,
      `has at most ${most} characters`,
    )
    .meta({ maxLength: most })
