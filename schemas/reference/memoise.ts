/** Longer texts are no names: they are looked up each time. */
const longestText = 200

/**
 * Remembers the answers of a pure lookup by its text. Names reach us from outside, so the memory
 * is bounded: when it is full it starts over, which costs one slow lookup per name.
 */
export function memoise<Found>(lookup: (text: string) => Found, capacity = 8192) {
  const known = new Map<string, Found>()
  return (text: string): Found => {
    if (text.length > longestText) return lookup(text)
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as Found
    const found = lookup(text)
    if (known.size >= capacity) known.clear()
    known.set(text, found)
    return found
  }
}
