/**
 * Remembers the results of a pure lookup by its key, a text or a number. Keys come from outside, so the memory is
 * bounded: when it is full it starts over, which costs one slow lookup per key.
 * @param longestText a longer key is not a name, and is not remembered
 */
export function memoise<Found, Key extends string | number = string>(
  lookup: (key: Key) => Found,
  capacity = 8_192,
  longestText = 200,
): (key: Key) => Found {
  const known = new Map<Key, Found>()
  return (key) => {
    if (typeof key === 'string' && key.length > longestText) return lookup(key)
    const before = known.get(key)
    if (before !== undefined || known.has(key)) return before as Found
    const found = lookup(key)
    if (known.size >= capacity) known.clear()
    known.set(key, found)
    return found
  }
}
