/**
 * The push that a record came by, as its sender names it, so that one push can be followed through the text logs of
 * all processes. It is kept with the records of feeds, and in no row of a board.
 */

/** A record that may have come by a push with an id; absent or null for one without. */
export interface Traced {
  readonly trace?: string | null
}

/** Records of one push, in one partition of a topic, that one commit has settled. */
export interface TracedPush {
  readonly trace: string
  readonly topic: string
  readonly firstOffset: number
  readonly lastOffset: number
  readonly records: number
}

/** The pushes with an id in the last commit of a partition that had any: a row of `traces`. */
export interface TracesRow {
  readonly pushes: readonly TracedPush[]
}

/** The headers that carry an id, the first choice first. */
export const traceHeaders = ['traceparent', 'x-request-id'] as const

/** https://www.w3.org/TR/trace-context/#traceparent-header; later versions may append to it. */
const traceparent =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
/** Matches only characters that need no quoting in a log or a shell. */
const requestId = /^[\w.:+=/@-]{1,64}$/

/**
 * Returns the id of a push: the trace id of its `traceparent`, else its `X-Request-Id`.
 * @param headers by their names in lower case, empty for one that was not sent
 * @returns null if neither is present and well formed
 */
export function traceOf(headers: Readonly<Record<string, string>>): string | null {
  const [parent, id] = traceHeaders.map((name) => headers[name] ?? '')
  const [, trace] = traceparent.exec(parent!) ?? []
  return trace ?? (requestId.test(id!) ? id! : null)
}
