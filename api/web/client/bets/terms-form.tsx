/** A small form for the price and stake of a bet, filled in with those in view, and the mark of a free bet. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatNames } from '../format/odds.ts'
import { readTerms, type Terms, type TypedTerms, typedTermsOf } from '../format/typed-bet.ts'
import { useDesk } from '../shell/context.ts'
import { Refusal } from '../shell/refusal.tsx'
import { sending } from '../shell/sending.ts'

interface TermsInputsProps {
  readonly format: keyof typeof formatNames
  readonly typed: TypedTerms
  readonly onInput: (typed: TypedTerms) => void
}

export const TermsInputs = ({ format, typed, onInput }: TermsInputsProps) => (
  <>
    <label class="field">
      Odds ({formatNames[format]})
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={typed.price}
        onInput={({ currentTarget: { value: price } }) => onInput({ ...typed, price })}
      />
    </label>
    <label class="field">
      Stake
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value={typed.stake}
        onInput={({ currentTarget: { value: stake } }) => onInput({ ...typed, stake })}
      />
    </label>
  </>
)

interface FreeMarkProps {
  readonly isFree: boolean
  readonly onChange: (isFree: boolean) => void
}

/** Says whether a bet is a free one. */
export const FreeMark = ({ isFree, onChange }: FreeMarkProps) => (
  <label>
    <input
      type="checkbox"
      checked={isFree}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />{' '}
    Free bet
  </label>
)

interface TermsFormProps {
  /** Used when the form opens. */
  readonly terms: Terms & { readonly isFree: boolean }
  /** Name of the button that sends. */
  readonly action: string
  /** Further inputs. */
  readonly children?: ComponentChildren
  readonly isBusy: boolean
  readonly onSend: (terms: Terms & { readonly isFree: boolean }) => void
  readonly onCancel: () => void
}

export function TermsForm({ terms, action, children, isBusy, onSend, onCancel }: TermsFormProps) {
  const { choices } = useDesk()
  // The reader goes on in the format in which the typing began.
  const [{ format, before }] = useState({ format: choices.format, before: terms })
  const [typed, setTyped] = useState(() => typedTermsOf(before, format))
  const [isFree, setFree] = useState(terms.isFree)
  const [fault, setFault] = useState<string | null>(null)
  return (
    <form
      class="terms"
      onSubmit={sending(() => {
        try {
          setFault(null)
          onSend({ ...readTerms(typed, format, before), isFree })
        } catch (error) {
          setFault((error as Error).message)
        }
      })}
    >
      <TermsInputs format={format} typed={typed} onInput={setTyped} />
      <FreeMark isFree={isFree} onChange={setFree} />
      {children}
      <Refusal message={fault} />
      <div>
        <button type="submit" class="primary" disabled={isBusy}>
          {action}
        </button>{' '}
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
