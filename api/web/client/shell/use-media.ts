/** Hooks that follow the width of the window and the colours of the system. */

import { useEffect, useState } from 'preact/hooks'
import type { Choices } from '../data/choices.ts'

const narrow = matchMedia('(max-width: 700px)')
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Returns whether the window is as narrow as a phone. */
export const useIsNarrow = () => useMatches(narrow)

/** Returns whether the page is dark. @param scheme what the reader chose; null for as the system is */
export function useIsDark(scheme: Choices['scheme']): boolean {
  const isSystemDark = useMatches(dark)
  return scheme ? scheme === 'dark' : isSystemDark
}

function useMatches(query: MediaQueryList): boolean {
  const [matches, set] = useState(query.matches)
  useEffect(() => {
    const onChange = () => set(query.matches)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [])
  return matches
}
