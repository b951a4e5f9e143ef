/** Compiles the filters of an alert as the list of its kind reads them, and checks that its account may see them. */

import type { AlertRow } from '../../schemas/alert.ts'
import { createQueryReader, type QueryReader, type QueryShape } from '../../schemas/http/query.ts'
import { byKind } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { type Features, requireFeature } from '../access/tiers.ts'
import { readQuery } from '../ask/read-query.ts'
import { kindOf } from '../opportunities/all-kinds.ts'
import { type Choice, choiceOf, type KindQuery } from '../opportunities/choice.ts'
import { type Kind, requirementOf } from '../opportunities/kind.ts'
import type { Admitted } from '../route.ts'

export interface CompiledAlert {
  readonly kind: Kind
  /** As the alert chose it by `books`. */
  readonly scope: Scope
  /** Values of its filter `books`. */
  readonly books: readonly string[] | undefined
  readonly choice: Choice
  /** One that is younger is told once it is so old. */
  readonly minAgeMs: number
}

/** The rights of an alert's account. */
export interface AlertRights extends Pick<Admitted, 'scope' | 'scopeAmong'> {
  readonly features: Features
}

type AskedOfAlert = Partial<KindQuery> & { readonly books?: readonly string[] }

/** Parameters of lists that say how they are shown, and those that a list computes for one request. */
const ofListsAlone: ReadonlySet<string> = new Set([
  ...['limit', 'offset', 'sort', 'format', 'state', 'group', 'devig_book', 'devig_books'],
  'devig_method',
])

const readers = byKind((name): { shape: QueryShape; read: QueryReader<QueryShape> } => {
  const shape = Object.fromEntries(
    Object.entries(kindOf(name).contract.query).filter(([member]) => !ofListsAlone.has(member)),
  )
  return { shape, read: createQueryReader(shape, []) }
})

/**
 * @throws ApiError feature_required, tier_restricted where the account may not see the kind or a sportsbook;
 *   invalid_filter, validation_error for what cannot be asked; too_many_book_sets where it names `books` and as many
 *   sets as there may be are in use
 */
export function compileAlert(
  { kind: name, query: text }: Pick<AlertRow, 'kind' | 'query'>,
  { scope: whole, scopeAmong, features }: AlertRights,
): CompiledAlert {
  const kind = kindOf(name)
  requireFeature({ requires: requirementOf(kind) }, { tier: whole.tier, features })
  const { shape, read } = readers[name]
  const { min_age_ms = 0, books, ...query } = readQuery(read, shape, text) as AskedOfAlert
  const scope = scopeAmong(books)
  const choice = choiceOf(kind, { ...query, offset: 0 }, scope)
  return { kind, scope, books, choice, minAgeMs: min_age_ms }
}

/** The address form of filters as JSON has them. */
export function queryOf(filters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
  return query.toString().replaceAll('%2C', ',')
}
