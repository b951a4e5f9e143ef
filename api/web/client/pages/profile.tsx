/** `/profile`: where the reader bets, with how much, and how prices are shown. Each field is saved as it is left. */

import { useState } from 'preact/hooks'
import { usualUnit } from '../../../../pipeline/rules/odds/stakes.ts'
import { ownBookStatuses } from '../../../../schemas/profile.ts'
import { usStates } from '../../../../schemas/reference/us-states.ts'
import type { OwnBook } from '../../wire.ts'
import { newOwnBook } from '../data/profile.ts'
import { session } from '../data/session.ts'
import { numberOf } from '../data/typed-number.ts'
import { formatChoices } from '../format/odds.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'
import { Figures } from '../shell/figures.tsx'
import { NumberInput } from '../shell/number-input.tsx'
import { Select } from '../shell/select.tsx'

export const ProfilePage = () => (
  <main class="page profile">
    <h1>Profile</h1>
    <p class="hint">
      {session.hasOwnKey() ? (
        'This is kept with your account. The pages, the API and your alerts use it.'
      ) : (
        <>
          The sandbox’s account is shared by all visitors, so this is kept in this browser. The
          pages use it, but the service counts commissions and highest stakes only with a key of
          your own: the operator makes one under <a href="/keys">Keys</a>, and the pages ask for it
          when the service runs with <code>OVERROUND_SANDBOX=false</code>.
        </>
      )}{' '}
      <a href="/docs/profile">Guide</a>
    </p>
    <OwnBooks />
    <Stakes />
    <Prices />
    <Leagues />
  </main>
)

const statusNames: Readonly<Record<OwnBook['status'], string>> = {
  active: 'Active',
  limited: 'Limited',
  paused: 'Paused: not used',
}

function OwnBooks() {
  const desk = useDesk()
  const { profile, sportsbooks, editProfile } = desk
  const own = profile.sportsbooks
  const others = sportsbooks
    .filter((book) => !book.is_reference && !own.some(({ sportsbook }) => sportsbook === book.id))
    .sort((a, b) => a.display_name.localeCompare(b.display_name))
  const setBooks = (next: (own: readonly OwnBook[]) => readonly OwnBook[]) =>
    editProfile(({ sportsbooks: own }) => ({ sportsbooks: next(own) }))
  const change = (id: string, part: Partial<OwnBook>) =>
    setBooks((own) => own.map((book) => (book.sportsbook === id ? { ...book, ...part } : book)))
  const add = (id: string) =>
    setBooks((own) => {
      return own.some(({ sportsbook }) => sportsbook === id) ? own : [...own, newOwnBook(id)]
    })
  return (
    <section aria-labelledby="own-books">
      <h2 id="own-books">My sportsbooks</h2>
      {own.length === 0 ? (
        <p class="hint">
          None yet. With them, the board shows yours first, and <i>Only mine</i> finds opportunities
          among these alone.
        </p>
      ) : (
        <Figures
          isOfTexts
          label="My sportsbooks"
          columns={['Sportsbook', 'Commission, % of winnings', 'Highest stake', 'State', '']}
        >
          {own.map(({ sportsbook, commission_percent, max_stake, status, is_included }) => {
            const name = nameOfBook(desk, sportsbook)
            return (
              <tr key={sportsbook}>
                <th scope="row">
                  {name}
                  {!is_included && <p class="hint">Your tier does not include it.</p>}
                </th>
                <td>
                  <OwnNumber
                    label={`${name}: commission`}
                    value={commission_percent}
                    least={0}
                    most={50}
                    empty="default"
                    onChange={(value) => change(sportsbook, { commission_percent: value })}
                  />
                </td>
                <td>
                  <OwnNumber
                    label={`${name}: highest stake`}
                    value={max_stake}
                    empty="as stated"
                    onChange={(value) => change(sportsbook, { max_stake: value })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`${name}: state`}
                    choices={ownBookStatuses.map((one) => [one, statusNames[one]])}
                    value={status}
                    onChoose={(to) => change(sportsbook, { status: to })}
                  />
                </td>
                <td>
                  <button
                    type="button"
                    aria-label={`Remove ${name}`}
                    onClick={() =>
                      setBooks((own) => own.filter((book) => book.sportsbook !== sportsbook))
                    }
                  >
                    Remove
                  </button>
                </td>
              </tr>
            )
          })}
        </Figures>
      )}
      <p>
        <Select
          aria-label="Add a sportsbook"
          choices={[
            ['', 'Add a sportsbook…'],
            ...others.map(({ id, display_name }) => [id, display_name] as const),
          ]}
          value=""
          onChoose={add}
        />
      </p>
    </section>
  )
}

function Stakes() {
  const { profile, editProfile } = useDesk()
  const { bankroll, kelly, stake_unit, currency } = profile
  /** The field keeps this text until it is left: another field may be saved meanwhile. */
  const [typedCurrency, setTypedCurrency] = useState<string | null>(null)
  const [isRefused, setRefused] = useState(false)
  return (
    <section class="calculator" aria-labelledby="stakes">
      <h2 id="stakes">Stakes</h2>
      <fieldset>
        <legend>What the stake calculator begins with</legend>
        <NumberField
          label="Bankroll"
          value={bankroll}
          onChange={(value) => editProfile(() => ({ bankroll: value }))}
        />
        <NumberField
          label="Part of the full Kelly stake"
          value={kelly}
          most={1}
          empty="1"
          onChange={(value) => editProfile(() => ({ kelly: value }))}
        />
        <NumberField
          label="Round stakes to"
          value={stake_unit}
          empty={String(usualUnit)}
          onChange={(value) => editProfile(() => ({ stake_unit: value }))}
        />
        <label class="field">
          Currency
          <input
            type="text"
            value={typedCurrency ?? currency ?? ''}
            pattern="[A-Za-z]{3}"
            maxLength={3}
            placeholder="EUR"
            aria-invalid={isRefused}
            onInput={(event) => {
              setRefused(false)
              setTypedCurrency(event.currentTarget.value)
            }}
            onChange={({ currentTarget }) => {
              setRefused(!currentTarget.validity.valid)
              if (!currentTarget.validity.valid) return
              const currency = currentTarget.value.toUpperCase() || null
              setTypedCurrency(null)
              editProfile(() => ({ currency }))
            }}
          />
          {isRefused && (
            <small class="refusal" role="alert">
              A currency is three letters, as EUR. It is not saved.
            </small>
          )}
        </label>
      </fieldset>
    </section>
  )
}

function Prices() {
  const { profile, choices, choose, editProfile } = useDesk()
  return (
    <section class="calculator" aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      <fieldset>
        <legend>How prices and links are shown</legend>
        <label class="field">
          Odds as
          <Select
            choices={formatChoices}
            value={choices.format}
            onChoose={(format) => choose({ format })}
          />
        </label>
        <label class="field">
          US state, for links
          <Select
            choices={[
              ['', 'none'],
              ...usStates.map((state) => [state, state.toUpperCase()] as const),
            ]}
            value={profile.state ?? ''}
            onChoose={(state) => editProfile(() => ({ state: state || null }))}
          />
        </label>
      </fieldset>
    </section>
  )
}

function Leagues() {
  const { leagues, profile, editProfile } = useDesk()
  const hidden = profile.hidden_leagues
  const withGames = leagues.map(({ id, shortName }) => ({ id, name: shortName }))
  const others = hidden.filter((id) => !withGames.some((league) => league.id === id))
  const all = [...withGames, ...others.map((id) => ({ id, name: id }))].sort((a, b) =>
    a.name.localeCompare(b.name),
  )
  return (
    <section aria-labelledby="hidden-leagues">
      <h2 id="hidden-leagues">Hidden leagues</h2>
      <p class="hint">Ticked leagues are left out of the board and of the opportunities.</p>
      <ul class="league-choice">
        {all.map(({ id, name }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={hidden.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  editProfile(({ hidden_leagues: before }) => {
                    const others = before.filter((one) => one !== id)
                    return { hidden_leagues: checked ? [...others, id] : others }
                  })
                }
              />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface OwnNumberProps {
  readonly label: string
  readonly value: number | null
  readonly least?: number
  readonly most?: number
  /** Shown while there is no value. */
  readonly empty?: string
  readonly onChange: (value: number | null) => void
}

/** A zero would not mean that there is none: an empty field does. */
const leastAmount = 1e-6

/** A number that may be absent, reported when the field is left. */
function OwnNumber(props: OwnNumberProps) {
  const { label, value, least = leastAmount, most, empty, onChange } = props
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <NumberInput
      aria-label={label}
      bounds={most === undefined ? [least] : [least, most]}
      placeholder={empty}
      value={typed ?? (value === null ? '' : String(value))}
      onInput={setTyped}
      onLeave={(text) => {
        setTyped(null)
        onChange(text.trim() === '' ? null : numberOf(text))
      }}
    />
  )
}

const NumberField = (props: OwnNumberProps) => (
  <div class="field">
    <span aria-hidden="true">{props.label}</span>
    <OwnNumber {...props} />
  </div>
)
