/** Describes the first fault of a payload that is not of the expected shape, in one line, for a skip. */

import type { z } from 'zod'

export function issueOf({ issues: [issue] }: z.ZodError): string {
  return issue ? `${issue.path.join('.') || 'payload'}: ${issue.message}` : 'unreadable'
}
