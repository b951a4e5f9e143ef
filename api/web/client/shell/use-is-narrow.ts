/** A hook that returns whether the window is as narrow as a phone. */

import { useEffect, useState } from 'preact/hooks'

const narrow = matchMedia('(max-width: 700px)')

export function useIsNarrow(): boolean {
  const [isNarrow, set] = useState(narrow.matches)
  useEffect(() => {
    const onChange = () => set(narrow.matches)
    narrow.addEventListener('change', onChange)
    return () => narrow.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
