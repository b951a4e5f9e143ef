/** Items in lists by key. */

/** Appends an item to the list of its key. */
export function addTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item) {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Returns the items by key, in the order in which they and their keys come. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}
