/** The dialogue that creates an alert for the opportunities in view. */

import { useState } from 'preact/hooks'
import { kindNames, kindViews } from '../data/kinds.ts'
import type { ListQuery } from '../data/list-query.ts'
import { useDesk } from '../shell/context.ts'
import { AlertForm } from './alert-form.tsx'

interface OpportunityAlertProps {
  readonly query: ListQuery
  readonly onClose: () => void
}

export function OpportunityAlert({ query, onClose }: OpportunityAlertProps) {
  const { leagues } = useDesk()
  const { kind, league, when, books } = query
  const others = Object.fromEntries(new URLSearchParams(query.filters))
  const [filter, label, usual] = kindViews[kind].bound
  const leagueName = leagues.find(({ id }) => id === league)?.shortName
  const [bound, setBound] = useState(others[filter] ?? usual)
  const filters = {
    ...others,
    [filter]: bound,
    ...(league && { league }),
    ...(when !== 'all' && { live: String(when === 'live') }),
    ...(books.length > 0 && { books }),
  }
  return (
    <AlertForm
      usualName={[kindNames[kind], leagueName].filter(Boolean).join(' ')}
      rule={() => ({ kind, filters })}
      onClose={onClose}
    >
      <label>
        {label}
        <input
          required
          type="number"
          step="any"
          value={bound}
          onInput={(event) => setBound(event.currentTarget.value)}
        />
      </label>
    </AlertForm>
  )
}
