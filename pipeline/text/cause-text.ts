/** Describes the cause of an error for operators. */

const longest = 200

/**
 * Returns the message of the innermost cause in one line (at most 200 characters), or its code if
 * it has no message. `fetch` and clients wrap the connection's error in errors that say nothing
 * more. User and password of an address are left out.
 */
export function causeText(error: unknown): string {
  let inner = error
  for (;;) {
    const next = causeOf(inner)
    if (next === undefined) break
    inner = next
  }
  const { message, code } = (inner ?? {}) as { readonly message?: unknown; readonly code?: unknown }
  const text = [message, code, inner].find((one) => one !== undefined && one !== '')
  const line = String(text).replace(/\s+/g, ' ').trim()
  return line.replaceAll(/\/\/[^/\s]*@/g, '//…@').slice(0, longest)
}

function causeOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.cause instanceof Error) return error.cause
  // A host with several addresses fails once for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return first instanceof Error ? first : undefined
}
