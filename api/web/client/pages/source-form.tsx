/** The form of `/sources` that tests the settings of a live source, adds it, or changes one that was added. */

import { useEffect, useState } from 'preact/hooks'
import { countText } from '../../count.ts'
import type { AvailableSource, Page, SourceTrial } from '../../wire.ts'
import { administer } from '../data/rest.ts'
import { serviceNow } from '../data/service-time.ts'
import { type Field, fieldsOf, settingsOf, textOf } from '../data/source-settings.ts'
import { startText } from '../format/time.ts'
import { Figures } from '../shell/figures.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { useAction } from '../shell/use-action.ts'

interface SourceFormProps {
  /** The source that is changed, with its settings; null to add one. */
  readonly changed: { readonly id: string; readonly settings: object } | null
  readonly onClose: () => void
  readonly onAdded: () => void
}

export function SourceForm({ changed, onClose, onAdded }: SourceFormProps) {
  const [available, setAvailable] = useState<readonly AvailableSource[]>([])
  const [id, setId] = useState(changed?.id ?? '')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [trial, setTrial] = useState<SourceTrial | 'running' | null>(null)
  const [refusal, act, isBusy] = useAction(() => {})
  useEffect(() => {
    act(async () => {
      const { data } = await administer<Page<AvailableSource>>('/sources/available')
      setAvailable(data)
      const current = data.find((source) => source.id === changed?.id)
      if (!current || !changed) return
      const shown = Object.entries(changed.settings).flatMap(([name, value]) => {
        const field = fieldsOf(current.settings).find((each) => each.name === name)
        return field ? [[name, textOf(field, value)]] : []
      })
      setTexts(Object.fromEntries(shown))
    })
  }, [])

  const source = available.find((one) => one.id === id)
  const fields = source ? fieldsOf(source.settings) : []
  const requestBody = () => ({ source: id, settings: settingsOf(fields, texts) })
  const test = () =>
    act(async () => {
      setTrial('running')
      try {
        const { data } = await administer<{ data: SourceTrial }>(
          '/sources/test',
          'POST',
          requestBody(),
        )
        setTrial(data)
      } catch (error) {
        setTrial(null)
        throw error
      }
    })
  const add = () =>
    act(async () => {
      await administer('/sources', 'POST', requestBody())
      onAdded()
    })
  const setText = (name: string, text: string) => setTexts({ ...texts, [name]: text })
  const input = (field: Field) => (
    <SettingInput
      key={field.name}
      field={field}
      text={texts[field.name] ?? ''}
      isStored={changed !== null && field.kind === 'secret'}
      onChange={(text) => setText(field.name, text)}
    />
  )
  return (
    <form
      class="calculator source-form"
      aria-label={changed ? `Settings of ${id}` : 'Add a source'}
      onSubmit={sending(add)}
    >
      <h2>{changed ? `Settings of ${id}` : 'Add a source'}</h2>
      {!changed && (
        <label class="field">
          Source
          <Select
            required
            choices={[
              ['', 'Choose…'],
              ...available.map(
                (one) => [one.id, `${one.id}${one.official ? '' : ' (experimental)'}`] as const,
              ),
            ]}
            value={id}
            onChoose={(to) => {
              setId(to)
              setTexts({})
              setTrial(null)
            }}
          />
        </label>
      )}
      {source && (
        <>
          <p class="hint">
            Check that you may read this source and use its prices as you intend:{' '}
            <a href="/docs/sources">live sources</a>.
            {!source.official &&
              " This one is read as the sportsbook's own page reads it, and may stop working any day."}
          </p>
          <fieldset>
            <legend>Settings</legend>
            {fields.filter(({ isRequired }) => isRequired).map(input)}
          </fieldset>
          <details>
            <summary>More settings</summary>
            <fieldset>{fields.filter(({ isRequired }) => !isRequired).map(input)}</fieldset>
          </details>
        </>
      )}
      <Refusal message={refusal} />
      <p>
        <button type="button" disabled={!source || isBusy} onClick={test}>
          Test
        </button>{' '}
        <button type="submit" class="primary" disabled={!source || isBusy}>
          {changed ? 'Save' : 'Add'}
        </button>{' '}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
      {trial === 'running' && <p role="status">Reading the source once: at most 15 seconds…</p>}
      {trial !== null && trial !== 'running' && <TrialResult trial={trial} />}
    </form>
  )
}

interface SettingInputProps {
  readonly field: Field
  readonly text: string
  /** Whether the service has a value that it does not show. */
  readonly isStored: boolean
  readonly onChange: (text: string) => void
}

function SettingInput({ field, text, isStored, onChange }: SettingInputProps) {
  const { name, kind, values, description, isRequired } = field
  const choices = kind === 'flag' ? ['true', 'false'] : values
  const id = `setting-${name}`
  const inputProps = {
    ...{ id, 'aria-describedby': `about-${name}` },
    required: isRequired && !isStored,
    value: text,
    autocomplete: 'off' as const,
    placeholder: isStored ? 'unchanged' : '',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onChange(currentTarget.value),
  }
  return (
    <div class="field setting">
      <label for={id}>{name}</label>
      {kind === 'choice' || kind === 'flag' ? (
        <Select
          id={id}
          aria-describedby={`about-${name}`}
          required={isRequired}
          choices={[
            ['', isRequired ? 'Choose…' : 'Default'],
            ...choices.map((one) => [one, one] as const),
          ]}
          value={text}
          onChoose={onChange}
        />
      ) : kind === 'secret' ? (
        <input {...inputProps} type="password" />
      ) : (
        <input {...inputProps} type="text" />
      )}
      <small id={`about-${name}`} class="hint">
        {description}
        {(kind === 'texts' || kind === 'numbers') && ' Separate several with commas.'}
        {kind === 'texts' && values.length > 0 && ` Possible: ${values.join(', ')}.`}
        {kind === 'json' && ' As JSON.'}
      </small>
    </div>
  )
}

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count.toLocaleString('en')}`)
    .join(', ')

function TrialResult({ trial }: { readonly trial: SourceTrial }) {
  const { state, reason, advice, events, prices, sportsbooks, leagues, skipped, examples } = trial
  return (
    <div role="status">
      <p>
        <span class={`state ${state}`}>{state.replaceAll('_', ' ')}</span>
        {reason && <small> {reason}</small>}: {countText(events, 'game')} with{' '}
        {countText(prices, 'price')} of {countText(sportsbooks.length, 'sportsbook')} in{' '}
        {(trial.took_ms / 1_000).toFixed(1)} s{!trial.round_ended && ', incomplete'}.{' '}
        {trial.credits_left !== null && `${trial.credits_left} credits are left.`}
      </p>
      {advice && <p class="hint">{advice}</p>}
      {events > 0 && <p>Leagues: {countsText(leagues)}.</p>}
      {Object.keys(skipped).length > 0 && (
        <p class="hint">Left out: {countsText(skipped)}. Markets that we do not have are normal.</p>
      )}
      {examples.length > 0 && (
        <Figures isOfTexts label="Examples" columns={['Game', 'Start', 'League', 'From', 'Prices']}>
          {examples.map((one) => (
            <tr key={`${one.sportsbook} ${one.away_team} ${one.home_team} ${one.start_time}`}>
              <th scope="row">
                {one.away_team} @ {one.home_team}
              </th>
              <td>{startText(Date.parse(one.start_time), 'local', serviceNow())}</td>
              <td>{one.league}</td>
              <td>{one.sportsbook}</td>
              <td>{one.prices}</td>
            </tr>
          ))}
        </Figures>
      )}
    </div>
  )
}
