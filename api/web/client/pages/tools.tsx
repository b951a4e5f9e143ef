/**
 * `/tools`: the calculators. Forms send their values to the service, which computes with the rules of its own
 * responses.
 */

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import {
  type Calculator,
  calculators,
  type Field,
  type Figure,
  faultOf,
  figureIn,
  questionOf,
  startOf,
  type ToolName,
  type Typed,
  toolNames,
  withPricesAs,
} from '../data/calculators.ts'
import { post } from '../data/rest.ts'
import { moneyText } from '../format/money.ts'
import { formatNames, percentText, priceText } from '../format/odds.ts'
import { useDesk } from '../shell/context.ts'
import { Figures } from '../shell/figures.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { go } from '../shell/router.ts'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { Switch } from '../shell/switch.tsx'
import { useAction } from '../shell/use-action.ts'

const titles = Object.fromEntries(
  toolNames.map((name) => [name, calculators[name].title]),
) as Record<ToolName, string>

export function ToolsPage({ tool: requested }: { readonly tool: string | null }) {
  const { choices } = useDesk()
  const [format, setFormat] = useState<PriceFormat>(choices.format)
  const tool = toolNames.find((name) => name === requested) ?? 'arbitrage'
  return (
    <main class="page">
      <h1>Calculators</h1>
      <div class="bar tools">
        <Switch
          label="Calculator"
          names={titles}
          order={toolNames}
          value={tool}
          onChange={(name) => go(`/tools?tool=${name}`)}
        />
        <label>
          Odds as{' '}
          <Select
            choices={Object.entries(formatNames) as [PriceFormat, string][]}
            value={format}
            onChoose={setFormat}
          />
        </label>
      </div>
      <Form key={tool} tool={tool} format={format} />
    </main>
  )
}

interface Answer {
  readonly data: object
  /** What it was worked out of. */
  readonly of: Typed
}

interface FormProps {
  readonly tool: ToolName
  readonly format: PriceFormat
}

function Form({ tool, format }: FormProps) {
  const calculator: Calculator = calculators[tool]
  const { about, fields, rows } = calculator
  const { profile } = useDesk()
  const [typed, setTyped] = useState<Typed>(() => startOf(calculator, profile))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [refusal, act, isBusy] = useAction(() => {})
  /** The format of the typed prices. */
  const typedAs = useRef(format)
  useLayoutEffect(() => {
    setTyped(withPricesAs(calculator, typed, typedAs.current, format))
    typedAs.current = format
  }, [format])

  const ask = () =>
    act(async () => {
      try {
        const question = questionOf(calculator, typed, format)
        const { data } = await post<{ readonly data: object }>(`/tools/${tool}`, question)
        setAnswer({ data, of: typed })
      } catch (error) {
        setAnswer(null)
        throw error
      }
    })
  const isOld = answer !== null && answer.of !== typed

  const setRow = (at: number, name: string, value: string) =>
    setTyped({
      ...typed,
      rows: typed.rows.map((row, i) => (i === at ? { ...row, [name]: value } : row)),
    })
  const last = typed.rows.length
  return (
    <form class="calculator" onSubmit={sending(ask)}>
      <p class="hint">{about}</p>
      {rows &&
        typed.rows.map((row, i) => (
          <fieldset key={i}>
            <legend>
              {rows.label} {i + 1}
            </legend>
            {rows.fields.map((field) => (
              <Input
                key={field.name}
                field={field}
                value={row[field.name] ?? field.start ?? ''}
                onInput={(value) => setRow(i, field.name, value)}
              />
            ))}
            {i === last - 1 && last > rows.least && (
              <button
                type="button"
                aria-label={`Remove ${rows.label} ${i + 1}`}
                onClick={() => setTyped({ ...typed, rows: typed.rows.slice(0, -1) })}
              >
                Remove
              </button>
            )}
          </fieldset>
        ))}
      {rows && last < rows.most && (
        <button type="button" onClick={() => setTyped({ ...typed, rows: [...typed.rows, {}] })}>
          Add {rows.label.toLowerCase()}
        </button>
      )}
      {fields.length > 0 && (
        <fieldset>
          <legend>{rows ? 'All together' : titles[tool]}</legend>
          {fields.map((field) => (
            <Input
              key={field.name}
              field={field}
              value={typed.fields[field.name] ?? ''}
              onInput={(value) =>
                setTyped({ ...typed, fields: { ...typed.fields, [field.name]: value } })
              }
            />
          ))}
        </fieldset>
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        Work out
      </button>
      <Refusal message={refusal} />
      <output aria-label="Result" class={isOld ? 'old' : ''}>
        {isOld && <p class="hint">Of the values before your change: work it out again.</p>}
        {answer && <Result calculator={calculator} answer={answer.data} format={format} />}
      </output>
    </form>
  )
}

interface InputProps {
  readonly field: Field
  readonly value: string
  readonly onInput: (value: string) => void
}

function Input({ field, value, onInput }: InputProps) {
  const { label, kind, isSigned, choices } = field
  const id = useId()
  const fault = faultOf(field, value)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'choice' ? (
        <Select id={id} choices={Object.entries(choices!)} value={value} onChoose={onInput} />
      ) : kind === 'flag' ? (
        <input
          id={id}
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onInput(String(event.currentTarget.checked))}
        />
      ) : (
        <input
          id={id}
          type="text"
          // The keys for decimals of some phones lack a minus.
          inputmode={kind === 'text' || kind === 'price' || isSigned ? 'text' : 'decimal'}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {fault !== null && (
        <small id={`${id}-fault`} class="refusal" role="status">
          {fault}
        </small>
      )}
    </div>
  )
}

interface ResultProps {
  readonly calculator: Calculator
  readonly answer: object
  readonly format: PriceFormat
}

function Result({ calculator: { figures, table, rows }, answer, format }: ResultProps) {
  const { currency } = useDesk().profile
  const shown = (value: unknown, figure: Pick<Figure, 'kind'>) =>
    textOf(value, figure, format, currency)
  const lines = table && (figureIn(answer, table.name) as readonly object[])
  return (
    <>
      <dl>
        {figures.map((figure) => (
          <div key={figure.name}>
            <dt>{figure.label}</dt>
            <dd>{shown(figureIn(answer, figure.name), figure)}</dd>
          </div>
        ))}
      </dl>
      {table && lines && (
        <Figures label="Figures" columns={['', ...table.columns.map(({ label }) => label)]}>
          {lines.map((line, i) => (
            <tr key={i}>
              <th scope="row">
                {rows && rows.name === table.name ? `${rows.label} ${i + 1}` : ''}
              </th>
              {table.columns.map((column) => (
                <td key={column.name}>{shown(figureIn(line, column.name), column)}</td>
              ))}
            </tr>
          ))}
        </Figures>
      )}
    </>
  )
}

function textOf(
  value: unknown,
  figure: Pick<Figure, 'kind'>,
  format: PriceFormat,
  currency: string | null,
): string {
  const { kind } = figure
  if (Array.isArray(value)) {
    return value.map((one) => textOf(one, figure, format, currency)).join(' · ')
  }
  if (value === null || value === undefined) return '–'
  if (typeof value !== 'number') return String(value).replaceAll('_', ' ')
  if (kind === 'leg') return String(value + 1)
  if (kind === 'percent') return percentText(value)
  if (kind === 'share') return percentText(100 * value)
  if (kind === 'price') return value > 1 ? priceText(value, format) : String(value)
  return kind === 'money' ? moneyText(value, currency) : String(value).replace('-', '−')
}
