/**
 * The form for a bet on a game that the board does not have, such as one that is over. The reader types what a row of a
 * file would say, and the service takes it by the same rules.
 */

import { useState } from 'preact/hooks'
import { feesOf } from '../data/commissions.ts'
import { type NamedGame, type NewBet, newBetOf } from '../data/placed-bet.ts'
import { booksIn } from '../data/profile.ts'
import { boardNow } from '../data/service-time.ts'
import { zoneText } from '../format/time.ts'
import { readLine, readMoment, readTerms } from '../format/typed-bet.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { BookInput } from './book-input.tsx'
import { FreeMark, TermsInputs } from './terms-form.tsx'
import { useCleared } from './use-cleared.ts'

const nothing = {
  ...{ away: '', home: '', league: '', day: '', market: '', selection: '', line: '', player: '' },
  ...{ sportsbook: '', price: '', stake: '', placed: '' },
}
type Field = keyof typeof nothing

interface TextOptions {
  readonly required?: boolean
  readonly placeholder?: string
  readonly size?: number
}

interface OtherGameProps {
  /** The last bet, once it is stored. */
  readonly kept: NewBet | null
  readonly isSending: boolean
  readonly onKeep: (make: () => NewBet, on: NamedGame) => void
}

export function OtherGame({ kept, isSending, onKeep }: OtherGameProps) {
  const desk = useDesk()
  const { leaguesById, choices, profile } = desk
  const [{ format, zone }] = useState(choices)
  const [typed, setTyped] = useState({ ...nothing, sportsbook: booksIn(profile)[0] ?? '' })
  const [isFree, setFree] = useState(false)
  const set = (changes: Partial<typeof nothing>) =>
    setTyped((before) => ({ ...before, ...changes }))
  const note = useCleared(kept, () => {
    set({ selection: '', line: '', player: '', price: '', stake: '' })
    setFree(false)
  })
  const bind = (name: Field) => ({
    value: typed[name],
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      set({ [name]: currentTarget.value }),
  })
  const text = (name: Field, label: string, options: TextOptions = {}) => (
    <label class="field">
      {label}
      <input type="text" autocomplete="off" {...options} {...bind(name)} />
    </label>
  )
  const moment = (name: Field, label: string, type: 'date' | 'datetime-local') => (
    <label class="field">
      {label}
      <input type={type} required {...bind(name)} />
    </label>
  )
  const game: NamedGame = {
    ...{ home_team: typed.home, away_team: typed.away },
    ...{ start_time: typed.day, league: typed.league },
  }
  const make = () =>
    note(
      newBetOf({
        ...{ game, market: typed.market, selectionType: typed.selection, isFree },
        line: typed.line === '' ? null : readLine(typed.line),
        player: typed.player || null,
        sportsbook: typed.sportsbook,
        ...readTerms(typed, format, null),
        at: readMoment(typed.placed, zone, boardNow()),
      }),
    )
  const hasFee = (feesOf(profile).get(typed.sportsbook)?.rate ?? 0) > 0
  return (
    <form class="bar tools" onSubmit={sending(() => onKeep(make, game))}>
      {text('away', 'Away team', { required: true })}
      {text('home', 'Home team', { required: true })}
      <label class="field">
        League
        <Select
          required
          choices={[
            ['', 'Choose…'],
            ...[...leaguesById.values()]
              .map(({ id, shortName }) => [id, shortName] as const)
              .sort(([, a], [, b]) => a.localeCompare(b)),
          ]}
          value={typed.league}
          onChoose={(league) => set({ league })}
        />
      </label>
      {moment('day', 'Day of the game', 'date')}
      {text('market', 'Market', { required: true, placeholder: 'moneyline, spread, total' })}
      {text('selection', 'Selection', { required: true, placeholder: 'team, over, under' })}
      {text('line', 'Line, if any', { size: 6 })}
      {text('player', 'Player, if any')}
      <BookInput value={typed.sportsbook} onChoose={(sportsbook) => set({ sportsbook })} />
      <TermsInputs format={format} typed={typed} onInput={set} />
      <FreeMark isFree={isFree} onChange={setFree} />
      {moment('placed', `Placed, ${zoneText(zone)}`, 'datetime-local')}
      <button type="submit" class="primary" disabled={isSending}>
        Keep
      </button>
      <p class="hint">
        The game is looked for by these names, on the board and in the archive. Where it is not
        found, state the result yourself. Its day is that of the league: US Eastern time in US
        leagues, UTC in others.
        {hasFee && ` State the odds after the commission of ${nameOfBook(desk, typed.sportsbook)}.`}
      </p>
    </form>
  )
}
