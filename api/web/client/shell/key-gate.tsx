/** A form that asks for a key or token. */

import { useState } from 'preact/hooks'
import { Refusal } from './refusal.tsx'
import { sending } from './sending.ts'

interface KeyGateProps {
  readonly title: string
  readonly label: string
  readonly hint: string
  /** Whether the reader may have it kept on this device. */
  readonly canBeKept?: boolean
  readonly refusal: string | null
  /** @param isForDevice whether to keep it on this device */
  readonly onEnter: (value: string, isForDevice: boolean) => void
}

export function KeyGate({ title, label, hint, canBeKept, refusal, onEnter }: KeyGateProps) {
  const [value, set] = useState('')
  const [isForDevice, setForDevice] = useState(false)
  return (
    <form
      class="gate"
      onSubmit={sending(() => {
        if (value.trim()) onEnter(value.trim(), isForDevice)
      })}
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
      {canBeKept && (
        <label class="keep">
          <input
            type="checkbox"
            checked={isForDevice}
            onChange={(event) => setForDevice(event.currentTarget.checked)}
          />
          Keep me signed in on this device
        </label>
      )}
      <Refusal message={refusal} />
      <button type="submit" class="primary">
        Open
      </button>
      <p class="hint">
        {hint}
        {canBeKept &&
          (isForDevice
            ? ' It is kept in this browser until you sign out: anybody who uses this browser can see and use your account.'
            : ' It is kept until you close this tab.')}
      </p>
    </form>
  )
}
