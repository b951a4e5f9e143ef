/** The rail at the right of the board: opportunities of the chosen league. */

import { useState } from 'preact/hooks'
import { type Kind, kindNames, kinds } from '../data/kinds.ts'
import { useDesk } from '../shell/context.ts'
import { Switch } from '../shell/switch.tsx'
import { OpportunityList } from './list.tsx'

export function OpportunityRail({ league }: { readonly league: string }) {
  const [kind, setKind] = useState<Kind>('arbitrage')
  const { among, hidden } = useDesk()
  return (
    <aside class="rail" aria-label="Opportunities">
      <Switch label="Kind" names={kindNames} order={kinds} value={kind} onChange={setKind} />
      <OpportunityList
        query={{
          ...{ kind, league, hidden, when: 'all', order: 'worth', books: among },
          ...{ filters: '', limit: 25 },
        }}
        moreAt={`/opportunities?${new URLSearchParams({ kind, league })}`}
      />
    </aside>
  )
}
