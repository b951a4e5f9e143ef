/** The explanation of the opportunity that an address names, as links in messages of alerts do. */

import { useEffect, useState } from 'preact/hooks'
import { opportunityOf } from '../data/asked-opportunity.ts'
import { explain } from '../data/opportunities.ts'
import type { Opportunity } from '../data/opportunity.ts'
import { isFinal, isRefusedWith, retryMs } from '../data/refused.ts'
import { failureText } from '../format/failure.ts'
import { useDesk } from '../shell/context.ts'
import { Refusal } from '../shell/refusal.tsx'
import { Why } from './why.tsx'

interface AskedWhyProps {
  /** The component is mounted anew for another one. */
  readonly id: string
  /** As the address has them: the opportunity may exist only among these. */
  readonly books: readonly string[]
  readonly onClose: () => void
}

export function AskedWhy({ id, books, onClose }: AskedWhyProps) {
  const { choices, paceMs } = useDesk()
  const [opened, open] = useState<Opportunity | null>(null)
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    let isOver = false
    let timer = 0
    const read = () =>
      explain(id, books).then(
        (explained) => isOver || open(opportunityOf(id, explained)),
        (failure: Error) => {
          if (isOver) return
          setError(failure)
          if (!isFinal(failure)) timer = window.setTimeout(read, retryMs(failure, paceMs))
        },
      )
    read()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  if (opened) return <Why opportunity={opened} books={books} onClose={onClose} />
  if (!error) return null
  const hasEnded = isRefusedWith(error, 404)
  return (
    <div class="bar tools">
      <Refusal message={hasEnded ? endedText : failureText(error, 0, choices.zone)} />
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  )
}

const endedText =
  'The opportunity of your link has ended: a price has moved or is gone. Those below are others.'
