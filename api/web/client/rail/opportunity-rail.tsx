/** The rail at the right of the board: opportunities of the chosen league. */

import { useState } from 'preact/hooks'
import { type Kind, kindNames, kinds } from '../data/opportunities.ts'
import { Switch } from '../shell/switch.tsx'
import { OpportunityList } from './opportunity-list.tsx'

export function OpportunityRail({ league }: { readonly league: string }) {
  const [kind, setKind] = useState<Kind>('arbitrage')
  return (
    <aside class="rail" aria-label="Opportunities">
      <Switch label="Kind" names={kindNames} order={kinds} value={kind} onChange={setKind} />
      <OpportunityList kind={kind} limit={25} league={league} />
    </aside>
  )
}
