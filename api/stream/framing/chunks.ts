/** Most characters of a frame. A frame has at most 256 KB, and characters beyond ASCII take several bytes. */
export const mostLength = 80 * 1024

/** Splits a list by number of items and characters. A single item may be longer than the limit. */
export function* chunksOf(items: readonly string[], mostItems: number, most = mostLength) {
  let chunk: string[] = []
  let length = 0
  for (const item of items) {
    if (chunk.length > 0 && (chunk.length === mostItems || length + item.length > most)) {
      yield chunk
      chunk = []
      length = 0
    }
    chunk.push(item)
    length += item.length + 1
  }
  if (chunk.length > 0) yield chunk
}
