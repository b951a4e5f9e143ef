/** `/opportunities`: the opportunities of one kind. Filters and order are in the address. */

import { useMemo, useState } from 'preact/hooks'
import { OpportunityAlert } from '../alerts/opportunity-alert.tsx'
import { type Kind, kindNames, kinds } from '../data/kinds.ts'
import { readListQuery } from '../data/list-query.ts'
import type { Opportunity } from '../data/opportunity.ts'
import { AskedWhy } from '../opportunities/asked-why.tsx'
import { FilterButton, FilterChips } from '../opportunities/filter-panel.tsx'
import { OpportunityList } from '../opportunities/list.tsx'
import { OpportunityTable } from '../opportunities/table.tsx'
import { Why } from '../opportunities/why.tsx'
import { useDesk } from '../shell/context.ts'
import { HiddenLeagues } from '../shell/hidden-leagues.tsx'
import { changeAddress, go } from '../shell/router.ts'
import { Select } from '../shell/select.tsx'
import { Switch } from '../shell/switch.tsx'
import { useIsNarrow } from '../shell/use-media.ts'
import { whenNames, whens } from '../shell/when.ts'

const everywhere: readonly string[] = []

export function OpportunitiesPage({ parameters }: { readonly parameters: URLSearchParams }) {
  const { leagues, choices, hidden, among, choose } = useDesk()
  const isNarrow = useIsNarrow()
  const booksParameter = parameters.get('books')
  const named = useMemo(() => booksParameter?.split(',') ?? everywhere, [booksParameter])
  const { books, isOnlyMine } = choices
  const inUse = named.length > 0 ? named : among
  const query = { ...readListQuery(parameters), hidden, books: inUse }
  const isListed = query.league === '' || leagues.some(({ id }) => id === query.league)
  const asked = parameters.get('why')
  // Held here: it stays open, with what was typed and placed, while the list is another or has become empty.
  const [explained, explain] = useState<Opportunity | null>(null)
  const [isAlertOpen, setAlertOpen] = useState(false)
  return (
    <main class="page wide">
      <h1>Opportunities</h1>
      <div class="bar tools">
        <Switch
          label="Kind"
          names={kindNames}
          order={kinds}
          value={query.kind}
          onChange={(to: Kind) => go(`/opportunities?${withKind(parameters, to)}`)}
        />
        <Switch
          label="Games"
          names={whenNames}
          order={whens}
          value={query.when}
          onChange={(when) => changeAddress({ when: when === 'all' ? null : when, live: null })}
        />
        <Select
          aria-label="League"
          choices={[
            ['', 'All leagues'],
            ...(isListed ? [] : [[query.league, query.league.split(',').join(', ')] as const]),
            ...leagues.map(({ id, shortName }) => [id, shortName] as const),
          ]}
          value={query.league}
          onChoose={(league) => changeAddress({ league })}
        />
        {books.length > 0 && booksParameter === null && (
          <label class="field">
            <input
              type="checkbox"
              checked={isOnlyMine}
              onChange={(event) => choose({ isOnlyMine: event.currentTarget.checked })}
            />
            Only my sportsbooks
          </label>
        )}
        <FilterButton kind={query.kind} parameters={parameters} />
        <button type="button" onClick={() => setAlertOpen(true)}>
          Alert me
        </button>
      </div>
      {asked && (
        <AskedWhy
          key={asked}
          id={asked}
          books={named}
          onClose={() => changeAddress({ why: null })}
        />
      )}
      {query.league === '' && <HiddenLeagues />}
      <FilterChips kind={query.kind} parameters={parameters} />
      {isNarrow ? (
        <OpportunityList query={query} onWhy={explain} />
      ) : (
        <OpportunityTable
          query={query}
          onOrder={(sort) => changeAddress({ sort })}
          onWhy={explain}
        />
      )}
      {explained && <Why opportunity={explained} books={inUse} onClose={() => explain(null)} />}
      {isAlertOpen && <OpportunityAlert query={query} onClose={() => setAlertOpen(false)} />}
    </main>
  )
}

/** Keeps the filters that the kind has, and uses the kind's own order. */
function withKind(parameters: URLSearchParams, kind: Kind): URLSearchParams {
  const next = new URLSearchParams(parameters)
  next.set('kind', kind)
  next.delete('sort')
  return next
}
