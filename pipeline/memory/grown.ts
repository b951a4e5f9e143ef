/** Returns a longer copy of a column; the new places are 0. */
export function grown<Column extends { set(from: Column): void }>(
  column: Column,
  length: number,
): Column {
  const Longer = (column as unknown as { constructor: new (length: number) => Column }).constructor
  const longer = new Longer(length)
  longer.set(column)
  return longer
}
