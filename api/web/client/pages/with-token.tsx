/** The operator's pages: the admin token is asked for and kept in memory, until the page is left or reloaded. */

import { RefusedError } from '../data/refused.ts'
import { session, settings } from '../data/session.ts'
import { KeyGate } from '../shell/key-gate.tsx'
import { usePolled } from '../shell/polled.ts'

interface WithTokenProps<Value> {
  readonly title: string
  readonly read: () => Promise<Value>
  readonly everyMs: number
  /** @param refetch asks anew at once */
  readonly show: (value: Value, refetch: () => void) => preact.ComponentChildren
}

export function WithToken<Value>({ title, read: ask, everyMs, show }: WithTokenProps<Value>) {
  const {
    value,
    error,
    refetch: again,
  } = usePolled(async () => (session.adminToken() === '' ? null : ask()), everyMs, [])
  if (!settings.hasAdmin) return <NoToken title={title} />
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

/** Where no token would open the page: how to have one. */
const NoToken = ({ title }: { readonly title: string }) => (
  <main class="page">
    <section class="gate">
      <h1>{title}</h1>
      <p>This page is for the operator, and this service has no admin token: nobody can open it.</p>
      <p>Choose one of 16 characters or more, and start the service again with it:</p>
      <pre>
        <code>OVERROUND_ADMIN_TOKEN=choose-another-long-token npm start</code>
      </pre>
      <p class="hint">
        <a href="/docs/access#accounts">Accounts and keys</a>, <a href="/docs/settings">settings</a>
      </p>
    </section>
  </main>
)
