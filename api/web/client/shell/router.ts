/** Client-side routing by the page's URL, which never holds a secret. */

import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<() => void>()

export function go(path: string) {
  history.pushState(null, '', path)
  scrollTo(0, 0)
  for (const listener of listeners) listener()
}

addEventListener('popstate', () => {
  for (const listener of listeners) listener()
})

/** Links to our own pages are followed without a reload; the browser follows all others. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a[href]') as HTMLAnchorElement | null
  if (!link || link.target || link.origin !== location.origin) return
  if (/^\/(api|docs|status)(\/|$)/.test(link.pathname)) return
  event.preventDefault()
  go(link.pathname + link.search)
})

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
