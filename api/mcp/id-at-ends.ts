/**
 * The id of a long JSON-RPC message by its first and last bytes, without parsing it: for a caller who is refused, and
 * whose body is not worth the time.
 */

/** Bytes that are read at each end. */
const endBytes = 2_048

const text = '"(?:[^"\\\\]|\\\\.)*"'
const idMember = `"id"\\s*:\\s*(${text}|-?\\d+)`
/** The other members that clients write beside the id, with `params` on the far side of it. */
const shortMember = `"(?:jsonrpc|method)"\\s*:\\s*${text}`
const atStart = new RegExp(`^\\s*\\{\\s*(?:${shortMember}\\s*,\\s*)*${idMember}\\s*,`)
/** The last brace of a body closes the message, so the member before it is the message's own. */
const atEnd = new RegExp(`,\\s*${idMember}(?:\\s*,\\s*${shortMember})*\\s*\\}\\s*$`)

/** @returns undefined for a batch, and where the id is elsewhere or missing */
export function idAtEnds(body: Buffer): string | number | undefined {
  const start = body.toString('utf8', 0, endBytes)
  const end = body.toString('utf8', Math.max(0, body.length - endBytes))
  // Of a member that is there twice, the last one counts.
  const [, value] = (isObject(start) && (atEnd.exec(end) ?? atStart.exec(start))) || []
  try {
    return value === undefined ? undefined : JSON.parse(value)
  } catch {
    return undefined
  }
}

const isObject = (start: string) => /^\s*\{/.test(start)
