/** A secret that is shown once, with a button that copies it. */

import { useRef, useState } from 'preact/hooks'

export function Secret({ text }: { readonly text: string }) {
  const code = useRef<HTMLElement>(null)
  const [done, setDone] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied.')
    } catch {
      // Over plain http, and where the reader has not allowed it, pages may not copy.
      getSelection()?.selectAllChildren(code.current!)
      setDone('Selected: copy it with the keyboard or the menu.')
    }
  }
  return (
    <>
      <code ref={code}>{text}</code>{' '}
      <button type="button" onClick={copy}>
        Copy
      </button>{' '}
      <span role="status">{done}</span>
    </>
  )
}
