/** `/opportunities`: the opportunities of one kind, optionally of one league. */

import { useState } from 'preact/hooks'
import { type Kind, kindNames, kinds } from '../data/opportunities.ts'
import { leagueText } from '../format/names.ts'
import { OpportunityList } from '../rail/opportunity-list.tsx'
import { useDesk } from '../shell/context.ts'
import { go } from '../shell/router.ts'
import { Switch } from '../shell/switch.tsx'

export function OpportunitiesPage({ kind: requestedKind }: { readonly kind: string | null }) {
  const { leagues } = useDesk()
  const [league, setLeague] = useState('')
  const kind = kinds.find((one) => one === requestedKind) ?? 'arbitrage'
  return (
    <main class="page">
      <h1>Opportunities</h1>
      <div class="bar tools">
        <Switch
          label="Kind"
          names={kindNames}
          order={kinds}
          value={kind}
          onChange={(to: Kind) => go(`/opportunities?kind=${to}`)}
        />
        <select
          aria-label="League"
          value={league}
          onChange={(event) => setLeague(event.currentTarget.value)}
        >
          <option value="">All leagues</option>
          {leagues.map(({ id, name }) => (
            <option key={id} value={id}>
              {leagueText(name)}
            </option>
          ))}
        </select>
      </div>
      <OpportunityList kind={kind} limit={100} league={league} />
    </main>
  )
}
