/** What a table of messages says of each of them, for the document and for the tests. */

import type { z } from 'zod'

export interface Message {
  readonly schema: z.ZodType
  /** One line. */
  readonly description: string
  /** At least one; one of each form where there are several. */
  readonly examples: readonly unknown[]
}
