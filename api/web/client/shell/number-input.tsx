/**
 * An input of a number, with a decimal point or a decimal comma. It is one of text: browsers drop the comma from an input
 * of the type `number`, so that 1,5 becomes 15.
 */

import { type Bounds, numberFault } from '../data/typed-number.ts'

interface NumberInputProps {
  readonly bounds: Bounds
  readonly value: string
  readonly onInput: (value: string) => void
  /** Called when the field is left with another text. */
  readonly onLeave?: (value: string) => void
  readonly required?: boolean
  readonly placeholder?: string | undefined
  readonly 'aria-label'?: string
}

export function NumberInput({ bounds, onInput, onLeave, ...attributes }: NumberInputProps) {
  /** Has the browser refuse a form, and say why, as it does for its own inputs. */
  const check = (input: HTMLInputElement) => {
    const isBlank = input.required && input.value !== '' && input.value.trim() === ''
    input.setCustomValidity(isBlank ? 'State a number.' : (numberFault(input.value, bounds) ?? ''))
  }
  const [min = Number.NEGATIVE_INFINITY] = bounds
  return (
    <input
      {...attributes}
      class="number"
      type="text"
      // The keys for decimals of some phones lack a minus.
      inputmode={min < 0 ? 'text' : 'decimal'}
      autocomplete="off"
      spellcheck={false}
      ref={(input) => {
        if (input) check(input)
      }}
      onInput={({ currentTarget }) => {
        check(currentTarget)
        onInput(currentTarget.value)
      }}
      onChange={({ currentTarget }) => {
        if (onLeave && currentTarget.reportValidity()) onLeave(currentTarget.value)
      }}
    />
  )
}
