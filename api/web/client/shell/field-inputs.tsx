/** The inputs of a form's fields. */

import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Choices, Field, Fields, Values } from '../data/fields.ts'
import { priceText } from '../format/odds.ts'
import { useDesk } from './context.ts'
import { NumberInput } from './number-input.tsx'
import { Select } from './select.tsx'

interface FieldInputsProps {
  readonly fields: Fields
  readonly values: Values
  /** Of prices that are typed. */
  readonly format: PriceFormat
  /** Shows those that are folded away, or the others. */
  readonly isFolded: boolean
  readonly onChange: (name: string, value: string) => void
}

export function FieldInputs({ fields, values, format, isFolded, onChange }: FieldInputsProps) {
  const shown = Object.entries(fields).filter(([, field]) => (field.isFolded ?? false) === isFolded)
  const isFilled = (other: string) => Boolean(values[other])
  return (
    <>
      {shown.map(([name, field]) => (
        <FieldInput
          key={name}
          field={field}
          format={format}
          value={values[name] ?? ''}
          isRequired={
            field.isRequired === true ||
            (field.unless !== undefined && !field.unless.some(isFilled)) ||
            field.beside?.some(isFilled) === true
          }
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </>
  )
}

interface FieldInputProps {
  readonly field: Field
  readonly format: PriceFormat
  readonly value: string
  readonly isRequired: boolean
  readonly onChange: (value: string) => void
}

function FieldInput({ field, format, value, isRequired, onChange }: FieldInputProps) {
  const { label, hint = '', isPrice, range, type, choices, isOfSeveral } = field
  const desk = useDesk()
  if (choices) {
    const all = choices(desk)
    if (isOfSeveral) return <Several label={label} all={all} value={value} onChange={onChange} />
    return (
      <label>
        {label}
        <Select
          required={isRequired}
          choices={all.some(([id]) => id === value) ? all : [[value, value], ...all]}
          value={value}
          onChoose={onChange}
        />
      </label>
    )
  }
  if (range) {
    const given = { bounds: range, placeholder: hint, required: isRequired, value }
    return (
      <label>
        {label}
        <NumberInput {...given} onInput={onChange} />
      </label>
    )
  }
  return (
    <label>
      {label}
      <input
        // The types of Preact know no input whose type is a variable.
        type={(type ?? 'text') as 'text'}
        placeholder={isPrice ? `such as ${priceText(2.2, format)}` : hint}
        required={isRequired}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

interface SeveralProps {
  readonly label: string
  readonly all: Choices
  /** The ids of those taken, separated by commas. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Takes several of some choices. Those taken are named also while the list is closed. */
function Several({ label, all, value, onChange }: SeveralProps) {
  const taken = value.split(',').filter(Boolean)
  const strangers = taken.filter((id) => all.every(([known]) => known !== id))
  const shown: Choices = [...strangers.map((id) => [id, id] as const), ...all]
  const names = shown.flatMap(([id, name]) => (taken.includes(id) ? name : []))
  const set = (id: string, isTaken: boolean) =>
    onChange([...taken.filter((other) => other !== id), ...(isTaken ? [id] : [])].join())
  return (
    <details class="several">
      <summary>
        {label} <span>{names.length > 0 ? names.join(', ') : 'Any'}</span>
      </summary>
      <fieldset aria-label={label}>
        {shown.map(([id, name]) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={taken.includes(id)}
              onChange={(event) => set(id, event.currentTarget.checked)}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
