/** `/opportunities`: the opportunities of one kind. League, games and order stand in the address. */

import { useState } from 'preact/hooks'
import { type ListQuery, type Order, orders } from '../data/opportunities.ts'
import { type Kind, kindNames, kinds } from '../data/opportunity.ts'
import { leagueText } from '../format/names.ts'
import { AlertDialog } from '../opportunities/alert-dialog.tsx'
import { OpportunityList } from '../opportunities/list.tsx'
import { OpportunityTable } from '../opportunities/table.tsx'
import { useDesk } from '../shell/context.ts'
import { HiddenLeagues } from '../shell/hidden-leagues.tsx'
import { changeAddress, go } from '../shell/router.ts'
import { Switch } from '../shell/switch.tsx'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { isWhen, whenNames, whens } from '../shell/when.ts'

/** The rows of a list before those of one bet are joined. */
const limit = 200

export function OpportunitiesPage({ parameters }: { readonly parameters: URLSearchParams }) {
  const { leagues, choices, hidden, among, choose } = useDesk()
  const isNarrow = useIsNarrow()
  const { books, isOnlyMine } = choices
  const query = { ...readQuery(parameters), hidden, books: among }
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
          onChange={(when) => changeAddress({ when: when === 'all' ? null : when })}
        />
        <select
          aria-label="League"
          value={query.league}
          onChange={(event) => changeAddress({ league: event.currentTarget.value })}
        >
          <option value="">All leagues</option>
          {leagues.map(({ id, name }) => (
            <option key={id} value={id}>
              {leagueText(name)}
            </option>
          ))}
        </select>
        {books.length > 0 && (
          <label class="field">
            <input
              type="checkbox"
              checked={isOnlyMine}
              onChange={(event) => choose({ isOnlyMine: event.currentTarget.checked })}
            />
            Only my sportsbooks
          </label>
        )}
        <button type="button" onClick={() => setAlertOpen(true)}>
          Alert me
        </button>
      </div>
      {query.league === '' && <HiddenLeagues />}
      {isNarrow ? (
        <OpportunityList query={query} />
      ) : (
        <OpportunityTable query={query} onOrder={(sort) => changeAddress({ sort })} />
      )}
      {isAlertOpen && <AlertDialog query={query} onClose={() => setAlertOpen(false)} />}
    </main>
  )
}

function readQuery(parameters: URLSearchParams): Omit<ListQuery, 'hidden' | 'books'> {
  // The list's other path has a hyphen.
  const named = parameters.get('kind')?.replace('-', '_')
  const kind = kinds.find((one) => one === named) ?? 'arbitrage'
  const when = parameters.get('when')
  const sort = parameters.get('sort') as Order | null
  return {
    kind,
    league: parameters.get('league') ?? '',
    when: isWhen(when) ? when : 'all',
    order: sort !== null && Object.hasOwn(orders[kind], sort) ? sort : 'worth',
    limit,
  }
}

/** The filters stay, the order is the kind's own. */
function withKind(parameters: URLSearchParams, kind: Kind): URLSearchParams {
  const next = new URLSearchParams(parameters)
  next.set('kind', kind)
  next.delete('sort')
  return next
}
