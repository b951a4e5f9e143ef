/**
 * Returns whether two values of arrays, objects and primitives have the same members, whatever their classes. It is a
 * quick yes before `toEqual`, which takes ten times as long, and after a no says what differs.
 */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const members = Object.keys(one)
  return (
    members.length === Object.keys(other).length &&
    members.every((name) => Object.hasOwn(other, name) && isAlike(one[name], other[name]))
  )
}

/** Excludes what keeps its content elsewhere than in members. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Map || value instanceof Set || value instanceof Date)
