/** A form that asks for a key or token. */

import { useState } from 'preact/hooks'
import { Refusal } from './refusal.tsx'

interface KeyGateProps {
  readonly title: string
  readonly label: string
  readonly hint: string
  readonly refusal: string | null
  readonly onEnter: (value: string) => void
}

export function KeyGate({ title, label, hint, refusal, onEnter }: KeyGateProps) {
  const [value, set] = useState('')
  return (
    <form
      class="gate"
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim()) onEnter(value.trim())
      }}
    >
      <h1>{title}</h1>
      <label>
        {label}
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </label>
      <Refusal message={refusal} />
      <button type="submit" class="primary">
        Open
      </button>
      <p class="hint">{hint}</p>
    </form>
  )
}
