/** The dialogue that creates an alert. The caller supplies the rule; the form asks for name, target and limits. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Alert } from '../../wire.ts'
import { createAlert, type NewRule, type TargetType, targetFields } from '../data/alerts.ts'
import { Refusal } from '../shell/refusal.tsx'
import { Secret } from '../shell/secret.tsx'
import { useAction } from '../shell/use-action.ts'
import { askToNotify } from '../shell/use-notices.ts'

const targetNames: Readonly<Record<TargetType, string>> = {
  browser: 'This browser',
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  ntfy: 'ntfy',
  email: 'Mail',
  webhook: 'Webhook',
}

interface AlertFormProps {
  /** Default of the name until the reader changes it. */
  readonly usualName: string
  readonly rule: () => NewRule
  /** Fields of the rule. */
  readonly children: preact.ComponentChildren
  readonly onClose: () => void
  /** Called when the alert has been created. */
  readonly onMade?: () => void
}

export function AlertForm({ usualName, rule, children, onClose, onMade }: AlertFormProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState<string | null>(null)
  const [perHour, setPerHour] = useState('10')
  const [type, setType] = useState<TargetType>('browser')
  const [target, setTarget] = useState<Readonly<Record<string, string>>>({})
  const [made, setMade] = useState<Alert | null>(null)
  const [refusal, act, isBusy] = useAction(() => {})
  useEffect(() => dialog.current!.showModal(), [])

  const save = () =>
    act(async () => {
      if (type === 'browser') await askToNotify()
      const alert = { name: name ?? usualName, per_hour: Number(perHour) }
      setMade(await createAlert({ ...rule(), ...alert, target: { type, ...target } }))
      onMade?.()
    })

  return (
    <dialog ref={dialog} class="new-alert" aria-labelledby="alert-title" onClose={onClose}>
      <h2 id="alert-title">New alert</h2>
      {made ? (
        <>
          <p role="status">
            It is on. See what it sends on the page <a href="/alerts">Alerts</a>.
          </p>
          {made.target.secret && (
            <p class="made">
              Messages are signed with this secret, shown only once:{' '}
              <Secret text={made.target.secret} />
            </p>
          )}
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          {children}
          <label>
            Name
            <input
              required
              value={name ?? usualName}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <label>
            Most messages an hour
            <input
              required
              type="number"
              min="1"
              max="60"
              value={perHour}
              onInput={(event) => setPerHour(event.currentTarget.value)}
            />
          </label>
          <label>
            Send to
            <select
              value={type}
              onChange={(event) => {
                setType(event.currentTarget.value as TargetType)
                setTarget({})
              }}
            >
              {(Object.keys(targetNames) as TargetType[]).map((one) => (
                <option key={one} value={one}>
                  {targetNames[one]}
                </option>
              ))}
            </select>
          </label>
          {Object.entries(targetFields[type]).map(([field, label]) => (
            <label key={field}>
              {label}
              <input
                required
                autocomplete="off"
                spellcheck={false}
                value={target[field] ?? ''}
                onInput={({ currentTarget: { value } }) => setTarget({ ...target, [field]: value })}
              />
            </label>
          ))}
          {type === 'browser' && (
            <p class="hint">
              Shown while the board, a game, Opportunities, Alerts, Bets, Profile or Calculators is
              open here, in any tab.
            </p>
          )}
          <Refusal message={refusal} />
          <button type="submit" class="primary" disabled={isBusy}>
            Save
          </button>
        </form>
      )}
      <p>
        <button type="button" onClick={() => dialog.current!.close()}>
          {made ? 'Done' : 'Cancel'}
        </button>{' '}
        <a href="/docs/alerts">How alerts work</a>
      </p>
    </dialog>
  )
}
