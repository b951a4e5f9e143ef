/** The dialogue that makes an alert of the opportunities in view. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Alert, createAlert, type TargetType, targetFields } from '../data/alerts.ts'
import type { ListQuery } from '../data/list-query.ts'
import { type Kind, kindNames } from '../data/opportunity.ts'
import { leagueText } from '../format/names.ts'
import { useDesk } from '../shell/context.ts'
import { Refusal } from '../shell/refusal.tsx'

/** The filter by which each kind is bounded, its label and a usual value. */
const bounds: Readonly<Record<Kind, readonly [filter: string, label: string, usual: string]>> = {
  ev: ['min_ev', 'Least EV, %', '2'],
  arbitrage: ['min_profit', 'Least profit, %', '1'],
  middles: ['min_size', 'Least gap, points', '2'],
  low_hold: ['max_hold', 'Highest hold, %', '1'],
}

const targetNames: Readonly<Record<TargetType, string>> = {
  discord: 'Discord',
  telegram: 'Telegram',
  slack: 'Slack',
  ntfy: 'ntfy',
  email: 'Mail',
  webhook: 'Webhook',
}

interface AlertDialogProps {
  readonly query: ListQuery
  readonly onClose: () => void
}

export function AlertDialog({ query, onClose }: AlertDialogProps) {
  const { leagues } = useDesk()
  const { kind, league, when, books } = query
  const others = Object.fromEntries(new URLSearchParams(query.filters))
  const [filter, boundLabel, usual] = bounds[kind]
  const leagueName = leagues.find(({ id }) => id === league)?.name
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState(
    [kindNames[kind], leagueName && leagueText(leagueName)].filter(Boolean).join(' '),
  )
  const [bound, setBound] = useState(others[filter] ?? usual)
  const [perHour, setPerHour] = useState('10')
  const [type, setType] = useState<TargetType>('discord')
  const [target, setTarget] = useState<Readonly<Record<string, string>>>({})
  const [made, setMade] = useState<Alert | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => dialog.current!.showModal(), [])

  async function save() {
    setRefusal(null)
    const filters = {
      ...others,
      [filter]: bound,
      ...(league && { league }),
      ...(when !== 'all' && { live: String(when === 'live') }),
      ...(books.length > 0 && { books }),
    }
    try {
      const rule = { name, kind, filters, per_hour: Number(perHour) }
      setMade(await createAlert({ ...rule, target: { type, ...target } }))
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

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
              <code>{made.target.secret}</code>
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
          <label>
            Name
            <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label>
            {boundLabel}
            <input
              required
              type="number"
              step="any"
              value={bound}
              onInput={(event) => setBound(event.currentTarget.value)}
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
          <Refusal message={refusal} />
          <button type="submit" class="primary">
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
