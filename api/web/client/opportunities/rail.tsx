/** The rail at the right of the board: opportunities of the chosen league. */

import { useState } from 'preact/hooks'
import { type Kind, kindNames, kinds } from '../data/kinds.ts'
import type { Opportunity } from '../data/opportunity.ts'
import { useDesk } from '../shell/context.ts'
import { Switch } from '../shell/switch.tsx'
import { OpportunityList } from './list.tsx'

interface OpportunityRailProps {
  readonly league: string
  /** As of `OpportunityList`. */
  readonly onWhy: (opportunity: Opportunity) => void
}

export function OpportunityRail({ league, onWhy }: OpportunityRailProps) {
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
        onWhy={onWhy}
        moreAt={`/opportunities?${new URLSearchParams({ kind, league })}`}
      />
    </aside>
  )
}
