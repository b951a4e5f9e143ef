/** The dialogue that creates or changes an alert: its rule by fields, its settings and its target. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Alert } from '../../wire.ts'
import { settingFields, settingValues, statedSettings } from '../data/alert-fields.ts'
import { alertMaker } from '../data/alert-maker.ts'
import {
  type About,
  changeAlert,
  createAlert,
  listAlerts,
  type StatedAlert,
  type TargetType,
  targetFields,
} from '../data/alerts.ts'
import { type Fields, filterValues, statedFilters, type Values, withTyped } from '../data/fields.ts'
import { filterText } from '../format/filters.ts'
import { filterNames, useDesk } from '../shell/context.ts'
import { FieldInputs } from '../shell/field-inputs.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { Secret } from '../shell/secret.tsx'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
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
  readonly type: Alert['type']
  /** The subject of the rule, besides its filters. */
  readonly about: About
  readonly fields: Fields
  /** Filters to begin with; absent for the usual ones. */
  readonly filters?: Values
  /** Default of the name until the reader changes it. */
  readonly usualName: string
  /** The alert that is changed; absent for a new one. */
  readonly before?: Alert | undefined
  readonly children?: preact.ComponentChildren
  readonly onClose: () => void
  /** Called when the alert has been created or changed. */
  readonly onMade?: (() => void) | undefined
}

export function AlertForm(props: AlertFormProps) {
  const { type, about, fields, filters, usualName, before, children, onClose, onMade } = props
  const desk = useDesk()
  const { mine, choices } = desk
  const dialog = useRef<HTMLDialogElement>(null)
  const folded = useRef<HTMLDetailsElement>(null)
  const settings = settingFields(type)
  // The reader goes on in the format in which the typing began.
  const [format] = useState(choices.format)
  const [name, setName] = useState<string | null>(before?.name ?? null)
  /** The texts typed so far, by field: also of the rule before, which may have the same field. */
  const [typed, setTyped] = useState<Values>({})
  const values = withTyped(filterValues(fields, filters, format), typed)
  const chosen = withTyped(settingValues(settings, before, readersZone()), typed)
  const [books, setBooks] = useState(
    filters?.books ?? (!filters && choices.isOnlyMine ? mine.join() : ''),
  )
  const [targetType, setTargetType] = useState<TargetType | ''>(before ? '' : 'browser')
  const [target, setTarget] = useState<Values>({})
  const [made, setMade] = useState<Alert | null>(null)
  const [make] = useState(() =>
    alertMaker(
      listAlerts,
      ({ about, ...stated }: StatedAlert & { readonly about: About }) =>
        createAlert({ ...about, ...stated }),
      (found, { about: _, ...stated }) => changeAlert(found, stated),
    ),
  )
  const [refusal, act, isBusy] = useAction(() => {})
  useEffect(() => dialog.current!.showModal(), [])
  const change = (field: string, value: string) => setTyped({ ...typed, [field]: value })
  const ofRule = { fields, values, format, onChange: change }
  const ofSettings = { fields: settings, values: chosen, format, onChange: change }
  const { books: _, ...kept } = filters ?? {}
  const own = filters?.books || mine.join()
  const others = Object.entries(kept).filter(([filter]) => !Object.hasOwn(fields, filter))

  const save = () =>
    act(async () => {
      const stated = {
        name: name ?? usualName,
        filters: {
          ...statedFilters(fields, values, format, kept),
          ...(books !== '' && { books }),
        },
        ...statedSettings(settings, chosen),
        ...(targetType !== '' && { target: { type: targetType, ...target } }),
      }
      if (targetType === 'browser') await askToNotify()
      setMade(await (before ? changeAlert(before, stated) : make({ about, ...stated })))
      onMade?.()
    })

  return (
    <dialog ref={dialog} class="new-alert" aria-labelledby="alert-title" onClose={onClose}>
      <h2 id="alert-title">{before ? 'Change the alert' : 'New alert'}</h2>
      {made ? (
        <>
          <p role="status">
            {before ? 'It is changed.' : 'It is on.'} See what it sends on the page{' '}
            <a href="/alerts">Alerts</a>.
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
          onSubmit={sending(save)}
          onInvalidCapture={() => {
            // The browser cannot show what is wrong in a field that is folded away.
            folded.current!.open = true
          }}
        >
          {children}
          <FieldInputs {...ofRule} isFolded={false} />
          {own !== '' && type !== 'source' && (
            <label class="field">
              <input
                type="checkbox"
                checked={books !== ''}
                onChange={(event) => setBooks(event.currentTarget.checked ? own : '')}
              />
              Only at my sportsbooks
            </label>
          )}
          <label>
            Name
            <input
              required
              value={name ?? usualName}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <FieldInputs {...ofSettings} isFolded={false} />
          <label>
            Send to
            <Select<TargetType | ''>
              choices={[
                ...(before ? [['', `${targetNames[before.target.type]}, as it is`] as const] : []),
                ...(Object.entries(targetNames) as [TargetType, string][]),
              ]}
              value={targetType}
              onChoose={(type) => {
                setTargetType(type)
                setTarget({})
              }}
            />
          </label>
          {targetType !== '' &&
            Object.entries(targetFields[targetType]).map(([field, label]) => (
              <label key={field}>
                {label}
                <input
                  required
                  autocomplete="off"
                  spellcheck={false}
                  value={target[field] ?? ''}
                  onInput={({ currentTarget: { value } }) =>
                    setTarget({ ...target, [field]: value })
                  }
                />
              </label>
            ))}
          {targetType === 'browser' && (
            <p class="hint">
              Shown while the board, a game, Opportunities, Alerts, Bets, Profile or Calculators is
              open here, in any tab.
            </p>
          )}
          <details ref={folded}>
            <summary>More: quiet hours, filters{type === 'opportunity' && ', stakes'}</summary>
            <FieldInputs {...ofRule} isFolded />
            <FieldInputs {...ofSettings} isFolded />
          </details>
          {others.length > 0 && (
            <p class="hint">
              Also: {others.map((one) => filterText(...one, filterNames(desk))).join('; ')}
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

const readersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
