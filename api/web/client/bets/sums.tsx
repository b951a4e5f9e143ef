/** The sums of the reader's bets: in all, and by sportsbook, market, league or month. */

import { countText } from '../../count.ts'
import type { BetResults } from '../../wire.ts'
import { meanText } from '../format/bet.ts'
import { gainClass, moneyText } from '../format/money.ts'
import { marketText } from '../format/names.ts'
import { percentText } from '../format/odds.ts'
import { type Desk, nameOfBook, nameOfLeague, useDesk } from '../shell/context.ts'
import { Figures } from '../shell/figures.tsx'
import { changeAddress } from '../shell/router.ts'
import { Switch } from '../shell/switch.tsx'

const groupings = ['sportsbook', 'market', 'league', 'month'] as const
type Grouping = (typeof groupings)[number]

const groupingNames: Readonly<Record<Grouping, string>> = {
  sportsbook: 'Sportsbook',
  market: 'Market',
  league: 'League',
  month: 'Month',
}

const nameIn: Readonly<Record<Grouping, (key: string, desk: Desk) => string>> = {
  sportsbook: (key, desk) => nameOfBook(desk, key),
  market: marketText,
  league: (key, desk) => (key === 'unknown' ? 'Not known' : nameOfLeague(desk, key)),
  month: (key) => key,
}

interface SumsProps {
  readonly sums: Pick<BetResults, 'total' | `by_${Grouping}`>
  readonly parameters: URLSearchParams
}

export function Sums({ sums, parameters }: SumsProps) {
  const desk = useDesk()
  const money = (amount: number) => moneyText(amount, desk.profile.currency)
  const { total } = sums
  const by = groupings.find((one) => one === parameters.get('by')) ?? 'sportsbook'
  const groups = sums[`by_${by}`]
  // Months are sorted by time, newest first. The service sorts the other groups by sample, largest first.
  const ordered =
    by === 'month' ? [...groups].sort((a, b) => (a.group_key < b.group_key ? 1 : -1)) : groups
  return (
    <>
      <p>
        Profit <b class={gainClass(total.profit)}>{money(total.profit)}</b> from{' '}
        {countText(total.settled, 'settled bet')} of {money(total.settled_stake)}
        {total.roi && `, ROI ${meanText(total.roi, total.settled_events)}`}.{' '}
        {total.open.toLocaleString('en')} open, {money(total.open_stake)}.
        {total.avg_clv &&
          ` CLV ${meanText(total.avg_clv, total.events)} of ${countText(total.with_clv, 'bet')}, of which ${percentText((100 * total.beat_close) / total.with_clv, 0)} beat the close.`}
      </p>
      <p class="hint">Amounts are added as they are: currencies are not converted.</p>
      {groups.length > 0 && (
        <details>
          <summary>Sums by sportsbook, market, league and month</summary>
          <p class="hint">
            In brackets is the 95 % interval, with all bets on a game as one; fewer than ten games
            have none. CLV is the mean of all bets that have one. Months are of UTC.
          </p>
          <div class="bar tools">
            <Switch
              label="Sums by"
              names={groupingNames}
              order={groupings}
              value={by}
              onChange={(to) => changeAddress({ by: to === 'sportsbook' ? null : to })}
            />
          </div>
          <Figures
            label={`Sums by ${by}`}
            columns={[
              groupingNames[by],
              'Settled',
              'Stake',
              'Profit',
              'ROI',
              'With CLV',
              'CLV',
              'Open',
            ]}
          >
            {ordered.map((sum) => (
              <tr key={sum.group_key}>
                <th scope="row">{nameIn[by](sum.group_key, desk)}</th>
                <td>{sum.settled.toLocaleString('en')}</td>
                <td>{money(sum.settled_stake)}</td>
                <td class={gainClass(sum.profit)}>{money(sum.profit)}</td>
                <td>{meanText(sum.roi, sum.settled_events)}</td>
                <td>{sum.with_clv.toLocaleString('en')}</td>
                <td>{meanText(sum.avg_clv, sum.events)}</td>
                <td>{sum.open.toLocaleString('en')}</td>
              </tr>
            ))}
          </Figures>
        </details>
      )}
    </>
  )
}
