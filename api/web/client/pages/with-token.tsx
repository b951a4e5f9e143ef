/** The operator's pages: the admin token is asked for and kept in memory, until the page is left or reloaded. */

import { RefusedError } from '../data/refused.ts'
import { session } from '../data/session.ts'
import { KeyGate } from '../shell/key-gate.tsx'
import { usePolled } from '../shell/polled.ts'

interface WithTokenProps<Value> {
  readonly title: string
  readonly ask: () => Promise<Value>
  readonly everyMs: number
  /** @param again asks anew at once */
  readonly show: (value: Value, again: () => void) => preact.ComponentChildren
}

export function WithToken<Value>({ title, ask, everyMs, show }: WithTokenProps<Value>) {
  const { value, error, again } = usePolled(
    async () => (session.adminToken() === '' ? null : ask()),
    everyMs,
    [],
  )
  const isRefused = error instanceof RefusedError && error.isFinal
  if (session.adminToken() === '' || (isRefused && !value)) {
    return (
      <main class="page">
        <KeyGate
          title={title}
          label="Admin token"
          hint="That of OVERROUND_ADMIN_TOKEN. Kept in memory until this page is reloaded."
          refusal={isRefused ? error.message : null}
          onEnter={(token) => {
            session.setAdminToken(token)
            again()
          }}
        />
      </main>
    )
  }
  return (
    <main class="page">
      <h1>{title}</h1>
      {error && (
        <p class="refusal" role="alert">
          {error.message}
        </p>
      )}
      {value === null ? <p class="hint">Asking…</p> : show(value, again)}
    </main>
  )
}
