/** Frame of the operator's pages: asks for the admin token and keeps it in memory until a reload. */

import { isRefusedWith, RefusedError } from '../data/refused.ts'
import { session, settings } from '../data/session.ts'
import { KeyGate } from '../shell/key-gate.tsx'
import { usePolled } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'

interface WithTokenProps<Value> {
  readonly title: string
  readonly read: () => Promise<Value>
  readonly everyMs: number
  /** @param refetch reads the value again at once */
  readonly show: (value: Value, refetch: () => void) => preact.ComponentChildren
}

export function WithToken<Value>({ title, read: ask, everyMs, show }: WithTokenProps<Value>) {
  const { value, error, refetch } = usePolled(
    async () => (session.adminToken() === '' ? null : ask()),
    everyMs,
    [],
  )
  if (!settings.hasAdmin) return <NoToken title={title} />
  const isRefused = error instanceof RefusedError && error.isFinal
  if (session.adminToken() === '' || (isRefused && !value)) {
    return (
      <main class="page">
        <KeyGate
          title={title}
          label="Admin token"
          hint="The value of OVERROUND_ADMIN_TOKEN. It stays in memory until you reload this page."
          refusal={isRefused ? refusalText(error) : null}
          onEnter={(token) => {
            session.setAdminToken(token)
            refetch()
          }}
        />
      </main>
    )
  }
  return (
    <main class="page">
      <h1>{title}</h1>
      <Refusal message={error?.message} />
      {value === null ? <p class="hint">Loading…</p> : show(value, refetch)}
    </main>
  )
}

const refusalText = (error: Error) =>
  isRefusedWith(error, 401) ? 'That is not the admin token of this service.' : error.message

/** Shown when the service has no admin token: how to set one. */
const NoToken = ({ title }: { readonly title: string }) => (
  <main class="page">
    <section class="gate">
      <h1>{title}</h1>
      <p>This page is for the operator, and this service has no admin token.</p>
      <p>Choose a token of 16 characters or more, and restart the service with it:</p>
      <pre>
        <code>OVERROUND_ADMIN_TOKEN=choose-another-long-token npm start</code>
      </pre>
      {settings.isSimulated && (
        <>
          <p>For your own sources, without simulated prices, in a directory of their own:</p>
          <pre>
            <code>{`OVERROUND_FEEDS=none OVERROUND_DATA_DIR=./data-own \\
  OVERROUND_ADMIN_TOKEN=choose-another-long-token npm start`}</code>
          </pre>
        </>
      )}
      <p class="hint">
        <a href="/docs/access#accounts">Accounts and keys</a>, <a href="/docs/settings">settings</a>
      </p>
    </section>
  </main>
)
