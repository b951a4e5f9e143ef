/**
 * An input of a number, with a decimal point or a decimal comma. It is one of text: browsers drop the comma from an input
 * of the type `number`, so that 1,5 becomes 15.
 */

import { useState } from 'preact/hooks'
import { type Bounds, numberFault } from '../data/typed-number.ts'

interface NumberInputProps {
  readonly bounds: Bounds
  readonly value: string
  readonly onInput: (value: string) => void
  /** Called when the field is left with another text. A refused one stays, with its fault below. */
  readonly onLeave?: (value: string) => void
  readonly required?: boolean
  readonly placeholder?: string | undefined
  readonly 'aria-label'?: string
}

export function NumberInput({ bounds, onInput, onLeave, ...attributes }: NumberInputProps) {
  /** Why the text is refused with which the field was left. */
  const [fault, setFault] = useState('')
  /** Has the browser refuse a form, and say why, as it does for its own inputs. */
  const check = (input: HTMLInputElement) => {
    const isBlank = input.required && input.value !== '' && input.value.trim() === ''
    input.setCustomValidity(isBlank ? 'State a number.' : (numberFault(input.value, bounds) ?? ''))
  }
  const [min = Number.NEGATIVE_INFINITY] = bounds
  return (
    <>
      <input
        {...attributes}
        class="number"
        type="text"
        // The keys for decimals of some phones lack a minus.
        inputmode={min < 0 ? 'text' : 'decimal'}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault !== ''}
        ref={(input) => {
          if (input) check(input)
        }}
        onInput={({ currentTarget }) => {
          check(currentTarget)
          setFault('')
          onInput(currentTarget.value)
        }}
        onChange={({ currentTarget }) => {
          if (!onLeave) return
          setFault(currentTarget.validationMessage)
          if (currentTarget.validity.valid) onLeave(currentTarget.value)
        }}
      />
      {fault !== '' && (
        <small class="refusal" role="alert">
          {fault} It is not saved.
        </small>
      )}
    </>
  )
}
