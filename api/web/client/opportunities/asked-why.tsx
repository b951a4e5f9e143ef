/** The explanation of the opportunity that an address names, as links in messages of alerts do. */

import { useEffect, useState } from 'preact/hooks'
import { opportunityOf } from '../data/asked-opportunity.ts'
import { explain } from '../data/opportunities.ts'
import type { Opportunity } from '../data/opportunity.ts'
import { RefusedError } from '../data/refused.ts'
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
  const [opened, open] = useState<Opportunity | null>(null)
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    explain(id, books).then((explained) => open(opportunityOf(id, explained)), setError)
  }, [])
  if (opened) return <Why opportunity={opened} books={books} onClose={onClose} />
  const hasEnded = error instanceof RefusedError && error.status === 404
  return <Refusal message={hasEnded ? 'What the link told of has ended.' : error?.message} />
}
