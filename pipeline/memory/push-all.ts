/** Appends items to a list of any length; `push(...items)` fails where they are more than a call has room for. */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
