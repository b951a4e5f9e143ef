/** JSON in texts from outside: a frame of a stream, a field of a payload, a line of a file. */

/** Returns the value of a JSON text; undefined for a text that is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
