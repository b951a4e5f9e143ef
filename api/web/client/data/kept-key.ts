/**
 * Where the reader's key is kept: with the tab (`sessionStorage`: it survives a reload and ends with the tab), or, if
 * the reader chooses it, on this device (`localStorage`: all tabs have it, until one signs out).
 */

const name = 'overround.key'

/** A store of the browser that keeps a key, such as `sessionStorage`. */
export interface KeyStore {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

/**
 * Returns a store of the browser; one in memory, which ends with the page, where the browser lets pages keep nothing:
 * it refuses to name its store, or to write to it.
 * @param find names the store
 */
export function openStore(find: () => KeyStore): KeyStore {
  const memory = new Map<string, string>()
  let store: KeyStore | null
  try {
    store = find()
  } catch {
    store = null
  }
  return {
    getItem: (name) => memory.get(name) ?? store?.getItem(name) ?? null,
    setItem(name, value) {
      memory.delete(name)
      try {
        if (store === null) memory.set(name, value)
        else store.setItem(name, value)
      } catch {
        memory.set(name, value)
      }
    },
    removeItem(name) {
      memory.delete(name)
      store?.removeItem(name)
    },
  }
}

/** @param tab `sessionStorage` @param device `localStorage` */
export function createKeptKey(tab: KeyStore, device: KeyStore) {
  return {
    /** The tab's own key first; null without any. */
    read: () => tab.getItem(name) ?? device.getItem(name),
    /** Keeps a key, and forgets every other one. */
    keep(key: string, isForDevice: boolean) {
      this.forget()
      const place = isForDevice ? device : tab
      place.setItem(name, key)
    },
    /** Removes the key that `read` returns. Another one, and those of other tabs, stay. */
    drop() {
      const place = tab.getItem(name) === null ? device : tab
      place.removeItem(name)
    },
    /** Removes the key of this tab and of the device. */
    forget() {
      tab.removeItem(name)
      device.removeItem(name)
    },
    /**
     * Returns whether another tab has changed the key that this one goes by.
     * @param changed name of what another tab has changed on the device; null: all of it
     */
    isChangedBy: (changed: string | null) =>
      (changed === name || changed === null) && tab.getItem(name) === null,
  }
}
