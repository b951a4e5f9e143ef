/** The filters of a list of opportunities: a button that opens their form, and a chip for each that is set. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { filterValues, statedFilters, type Values, withTyped } from '../data/fields.ts'
import type { Kind } from '../data/kinds.ts'
import { filterChanges, filterFields, noFilters, setFilters } from '../data/set-filters.ts'
import { filterText } from '../format/filters.ts'
import { filterNames, useDesk } from '../shell/context.ts'
import { FieldInputs } from '../shell/field-inputs.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { stepAddress } from '../shell/router.ts'
import { sending } from '../shell/sending.ts'

const filterButtonId = 'filters'

interface FiltersProps {
  readonly kind: Kind
  readonly parameters: URLSearchParams
}

export function FilterButton({ kind, parameters }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const set = setFilters(kind, parameters)
  const count = Object.keys(set).length
  return (
    <>
      <button
        type="button"
        id={filterButtonId}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        Filters{count > 0 && ` (${count})`}
      </button>
      {isOpen && <FilterPanel kind={kind} set={set} onClose={() => setOpen(false)} />}
    </>
  )
}

export function FilterChips({ kind, parameters }: FiltersProps) {
  const names = filterNames(useDesk())
  const set = Object.entries(setFilters(kind, parameters))
  if (set.length === 0) return null
  const change = (changes: Parameters<typeof stepAddress>[0]) => {
    stepAddress(changes)
    // The chip with the focus goes.
    document.getElementById(filterButtonId)?.focus()
  }
  return (
    <fieldset class="chips set-filters" aria-label="Filters set">
      {set.map(([name, value]) => (
        <button
          key={name}
          type="button"
          class="chip"
          title="Remove this filter"
          onClick={() => change({ [name]: null })}
        >
          {filterText(name, value, names)} <span aria-hidden="true">×</span>
        </button>
      ))}
      <button type="button" class="chip" onClick={() => change(noFilters)}>
        Clear all
      </button>
    </fieldset>
  )
}

interface FilterPanelProps {
  readonly kind: Kind
  readonly set: Values
  readonly onClose: () => void
}

function FilterPanel({ kind, set, onClose }: FilterPanelProps) {
  const { choices } = useDesk()
  // The reader goes on in the format in which the typing began.
  const [format] = useState(choices.format)
  const dialog = useRef<HTMLDialogElement>(null)
  const folded = useRef<HTMLDetailsElement>(null)
  const [typed, setTyped] = useState<Values>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const fields = filterFields(kind)
  const values = withTyped(filterValues(fields, set, format), typed)
  const isFoldedSet = Object.keys(set).some((name) => fields[name]!.isFolded)
  const change = (name: string, value: string) => setTyped({ ...typed, [name]: value })
  const inputs = { fields, values, format, onChange: change }
  useEffect(() => dialog.current!.showModal(), [])

  function show() {
    try {
      const stated = statedFilters(fields, values, format, set)
      dialog.current!.close()
      stepAddress(filterChanges(kind, stated))
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

  return (
    <dialog ref={dialog} class="side filters" aria-labelledby="filters-title" onClose={onClose}>
      <header>
        <h2 id="filters-title">Filters</h2>
        <button type="button" aria-label="Close" onClick={() => dialog.current!.close()}>
          ✕
        </button>
      </header>
      <form
        onSubmit={sending(show)}
        onInvalidCapture={() => {
          // The browser cannot show what is wrong in a field that is folded away.
          folded.current!.open = true
        }}
      >
        <FieldInputs {...inputs} isFolded={false} />
        <details ref={folded} open={isFoldedSet}>
          <summary>More filters</summary>
          <FieldInputs {...inputs} isFolded />
        </details>
        <Refusal message={refusal} />
        <footer>
          <button type="submit" class="primary">
            Show
          </button>
          <button
            type="button"
            onClick={() => {
              dialog.current!.close()
              stepAddress(noFilters)
            }}
          >
            Clear all
          </button>
        </footer>
      </form>
    </dialog>
  )
}
