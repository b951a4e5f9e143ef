/**
 * Appends any number of items to a list; `push(...items)` fails if there are too many for a call.
 */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
