/** What this browser keeps of the reader's choices. Its tabs share it, and each knows only what it has read. */

import type { KeyStore } from './kept-key.ts'

/** Returns a list after this tab's change and another's. @param kept as another tab may have changed it */
function withBoth<Item>(kept: readonly Item[], before: readonly Item[], after: readonly Item[]) {
  const isOthers = (one: Item) => !before.includes(one) && !after.includes(one)
  return [
    ...after.filter((one) => kept.includes(one) || !before.includes(one)),
    ...kept.filter(isOthers),
  ]
}

/** @param name under which the store keeps the object */
export function createKept<Kept extends object>(
  store: Pick<KeyStore, 'getItem' | 'setItem'>,
  name: string,
) {
  function read(): Partial<Kept> {
    try {
      return JSON.parse(store.getItem(name) ?? '{}')
    } catch {
      return {}
    }
  }
  return {
    read,
    /**
     * Changes some members. The others stay as another tab may have kept them meanwhile, and so does what it added to a
     * list, or took away.
     * @param shown the members that were changed, as this tab had them
     * @returns all members
     */
    change(changes: Partial<Kept>, shown: Partial<Kept> = {}): Partial<Kept> {
      const now = read()
      const next: Partial<Kept> = { ...now, ...changes }
      for (const name of Object.keys(changes) as (keyof Kept)[]) {
        const [kept, before, after] = [now[name], shown[name], changes[name]]
        if (!Array.isArray(kept) || !Array.isArray(before) || !Array.isArray(after)) continue
        next[name] = withBoth(kept, before, after) as Kept[keyof Kept]
      }
      store.setItem(name, JSON.stringify(next))
      return next
    },
  }
}
