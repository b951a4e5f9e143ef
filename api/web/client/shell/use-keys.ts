/** Single-key shortcuts, disabled while the reader types. */

import { useEffect, useRef } from 'preact/hooks'

export type KeyTable = Readonly<Record<string, (event: KeyboardEvent) => void>>

export function useKeys(table: KeyTable) {
  const newest = useRef(table)
  newest.current = table
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      // Dialogues handle their own keys.
      if (document.querySelector('dialog[open]')) return
      const { target } = event
      const isWriting = target instanceof HTMLElement && target.matches('input, select, textarea')
      if (isWriting && event.key !== 'Escape') return
      const act = newest.current[event.key]
      if (!act) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
