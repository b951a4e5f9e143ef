/** The dialogue that creates an alert for the opportunities in view, or changes one. */

import type { Alert } from '../../wire.ts'
import { opportunityFields } from '../data/alert-fields.ts'
import type { Values } from '../data/fields.ts'
import { type Kind, kindNames, kindViews } from '../data/kinds.ts'
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
  const [bound, usual] = kindViews[kind].bound
  const leagueName = leagues.find(({ id }) => id === league)?.shortName
  const filters = {
    [bound]: usual,
    ...Object.fromEntries(new URLSearchParams(query.filters)),
    ...(league && { league }),
    ...(when !== 'all' && { live: String(when === 'live') }),
    ...(books.length > 0 && { books: books.join() }),
  }
  const name = [kindNames[kind], leagueName].filter(Boolean).join(' ')
  return <OpportunityForm kind={kind} filters={filters} name={name} onClose={onClose} />
}

interface OpportunityFormProps {
  readonly kind: Kind
  readonly filters: Values
  readonly name: string
  readonly before?: Alert
  readonly onClose: () => void
  readonly onMade?: () => void
}

export const OpportunityForm = ({ kind, name, filters, ...form }: OpportunityFormProps) => (
  <AlertForm
    type="opportunity"
    about={{ kind }}
    fields={opportunityFields(kind, filters)}
    filters={filters}
    usualName={name}
    {...form}
  />
)
