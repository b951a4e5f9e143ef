/**
 * Bodies that need one of several fields. Generators of clients misread JSON Schema's `anyOf` of `required`, so the
 * document has a keyword of its own.
 */

import type { z } from 'zod'

/** Keyword that lists fields of which at least one is needed, as for the parameters of an operation. */
export const oneOfKeyword = 'x-needs-one-of'

/** Refuses an object in which all of these fields are absent or null. */
export const withOneOf = <T extends z.ZodObject>(
  names: readonly (keyof z.output<T> & string)[],
  object: T,
): T =>
  object
    .refine(
      (stated) => names.some((name) => (stated as Record<string, unknown>)[name] != null),
      `needs ${names.join(' or ')}`,
    )
    .meta({ [oneOfKeyword]: names })
