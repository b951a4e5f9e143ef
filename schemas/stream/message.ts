/** The description of each message in a table of messages, for the document and for the tests. */

import { z } from 'zod'
import { exampleOf } from '../http/example.ts'

export interface Message {
  readonly schema: z.ZodType
  /** One line. */
  readonly description: string
  /** At least one; one of each form if there are several. */
  readonly examples: readonly unknown[]
}

/** Returns a message whose example consists of its fields' examples. */
export const messageOf = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  schema,
  description,
  examples: [exampleOf(schema)],
})

/** A whole stream of Server-Sent Events, for clients that take it as text. */
export const eventStream = z
  .string()
  .describe(
    'Blocks of `event`, `id` and `data`, with a blank line after each; `data` is JSON. /asyncapi.json describes the events.',
  )
