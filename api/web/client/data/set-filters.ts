/** The filters of a list of opportunities that its address sets, and the changes of the address that set others. */

import type { Field, Fields, Values } from './fields.ts'
import { sportsbookChoices } from './filter-fields.ts'
import { type Kind, kinds, kindViews } from './kinds.ts'

const books: Field = {
  label: 'From the prices of these alone',
  choices: (lists) => [
    ...(lists.mine.includes('mine') ? [['mine', 'My sportsbooks'] as const] : []),
    ...sportsbookChoices(lists),
  ],
  isOfSeveral: true,
  isFolded: true,
}

/** Returns the fields of all filters of a kind's list besides league and games, which have controls in the page's bar. */
export const filterFields = (kind: Kind): Fields => ({ ...kindViews[kind].filters, books })

/** Returns the filters that an address sets, in the order of the form. Those of other kinds have no effect. */
export const setFilters = (kind: Kind, parameters: URLSearchParams): Values =>
  Object.fromEntries(
    Object.keys(filterFields(kind)).flatMap((name) => {
      const value = parameters.getAll(name).filter(Boolean).join()
      return value === '' ? [] : [[name, value]]
    }),
  )

/** Returns the changes of an address after which these filters of a kind are set, and no others of it. */
export const filterChanges = (
  kind: Kind,
  stated: Values,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.keys(filterFields(kind)).map((name) => [name, stated[name] ?? null] as const),
  )

/** The changes of an address after which no filter of any kind is set. */
export const noFilters: Readonly<Record<string, null>> = Object.fromEntries(
  kinds.flatMap((kind) => Object.keys(filterFields(kind)).map((name) => [name, null] as const)),
)
