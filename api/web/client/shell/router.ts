/** Client-side routing by the page's URL, which never contains a secret. */

import { useEffect, useState } from 'preact/hooks'
import { createLastBoard } from '../data/last-board.ts'

const listeners = new Set<() => void>()
const board = createLastBoard(location)

export const lastBoard = board.address

function notify() {
  board.note(location)
  for (const listener of listeners) listener()
}

export function go(path: string) {
  history.pushState(null, '', path)
  scrollTo(0, 0)
  notify()
}

/** Parameters to set in an address; null or '' removes one. */
export type AddressChanges = Readonly<Record<string, string | null>>

/** Changes parameters of the current address without a new history entry. */
export const changeAddress = (changes: AddressChanges) => change(changes, 'replaceState')

/** Changes parameters of the current address in a new history entry, so that the reader can go back to the old one. */
export const stepAddress = (changes: AddressChanges) => change(changes, 'pushState')

function change(changes: AddressChanges, how: 'replaceState' | 'pushState') {
  const address = new URL(location.href)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') address.searchParams.delete(name)
    else address.searchParams.set(name, value)
  }
  if (address.href === location.href) return
  history[how](null, '', address)
  notify()
}

addEventListener('popstate', notify)

/** Links to our own pages are followed without a reload. The browser follows all others. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null
  if (!link || link.target || link.origin !== location.origin) return
  if (/^\/(api|docs|status)(\/|$)/.test(link.pathname)) return
  event.preventDefault()
  go(link.pathname + link.search)
})

/** @param name of the page, shown in the browser's tab and history */
export function setTitle(name: string) {
  document.title = `${name} · overround`
}

export function useAddress(): URL {
  const [address, set] = useState(() => new URL(location.href))
  useEffect(() => {
    const listener = () => set(new URL(location.href))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return address
}
