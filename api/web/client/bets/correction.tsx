/** The form that corrects a stored bet: price, stake, whose stake it is, sportsbook and time. */

import { useState } from 'preact/hooks'
import type { BetResult } from '../../wire.ts'
import { type Correction as Corrections, correctionOf } from '../data/bet-correction.ts'
import { zoneText } from '../format/time.ts'
import { readMoment, typedMoment } from '../format/typed-bet.ts'
import { useDesk } from '../shell/context.ts'
import { Select } from '../shell/select.tsx'
import { TermsForm } from './terms-form.tsx'

interface CorrectionProps {
  readonly bet: BetResult
  readonly isBusy: boolean
  readonly onSend: (correction: Corrections) => void
  readonly onCancel: () => void
}

export function Correction({ bet, isBusy, onSend, onCancel }: CorrectionProps) {
  const { sportsbooks, choices } = useDesk()
  const [zone] = useState(choices.zone)
  // The page reads its bets again meanwhile.
  const [before] = useState(bet)
  const [sportsbook, setSportsbook] = useState(before.sportsbook)
  const at = Date.parse(before.placed_at)
  const [time, setTime] = useState(() => typedMoment(at, zone))
  const others = sportsbooks.filter(({ id }) => id !== before.sportsbook)
  const own = sportsbooks.find(({ id }) => id === before.sportsbook)?.display_name
  return (
    <TermsForm
      terms={{ price: before.odds_decimal, stake: before.stake, isFree: before.free_bet }}
      action="Correct"
      isBusy={isBusy}
      onSend={(terms) =>
        onSend(
          correctionOf(before, {
            ...terms,
            sportsbook,
            // A time that is left as it was keeps its seconds.
            at: time === typedMoment(at, zone) ? at : readMoment(time, zone, at),
          }),
        )
      }
      onCancel={onCancel}
    >
      <label class="field">
        Sportsbook
        <Select
          choices={[
            [before.sportsbook, own ?? before.sportsbook],
            ...others.map(({ id, display_name }) => [id, display_name] as const),
          ]}
          value={sportsbook}
          onChoose={setSportsbook}
        />
      </label>
      <label class="field">
        Placed, {zoneText(zone)}
        <input
          type="datetime-local"
          value={time}
          onInput={({ currentTarget }) => setTime(currentTarget.value)}
        />
      </label>
    </TermsForm>
  )
}
