/** Checks one of our own rules; when it does not hold, the process stops before a wrong row is written. */
export function invariant(holds: unknown, message: string): asserts holds {
  if (!holds) throw new InvariantError(message)
}

export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
