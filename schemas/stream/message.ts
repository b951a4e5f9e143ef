/** The description of each message in a table of messages, for the document and for the tests. */

import { z } from 'zod'

export interface Message {
  readonly schema: z.ZodType
  /** One line. */
  readonly description: string
  /** At least one; one of each form where there are several. */
  readonly examples: readonly unknown[]
}

/** A whole stream of Server-Sent Events, for clients that take it as text. */
export const eventStream = z
  .string()
  .describe(
    'Blocks of `event`, `id` and `data`, with a blank line after each; `data` is JSON. /asyncapi.json describes the events.',
  )
