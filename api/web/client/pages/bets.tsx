/** `/bets`: the reader's own bets, open and settled, with their results and closing-line value. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { BetResult } from '../../wire.ts'
import { Correction } from '../bets/correction.tsx'
import { NewBet } from '../bets/new-bet.tsx'
import { Sums } from '../bets/sums.tsx'
import { type Outcome, outcomes } from '../data/bet.ts'
import {
  type BetQuery,
  correctBet,
  readResults,
  removeBet,
  saveResults,
  stateResult,
} from '../data/bets.ts'
import { pageItems } from '../data/pages.ts'
import { RefusedError } from '../data/refused.ts'
import { boardNow } from '../data/service-time.ts'
import { ambiguityOf, numberOf } from '../data/typed-number.ts'
import {
  betText,
  incompleteText,
  questionOfBet,
  returnText,
  selectionOfBet,
} from '../format/bet.ts'
import { gainClass, moneyText } from '../format/money.ts'
import { marketText } from '../format/names.ts'
import { percentText, priceText } from '../format/odds.ts'
import { startText } from '../format/time.ts'
import { hasBetLog, nameOfBook, useDesk } from '../shell/context.ts'
import { Figures } from '../shell/figures.tsx'
import { usePolled } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'
import { changeAddress } from '../shell/router.ts'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { Switch } from '../shell/switch.tsx'
import { useAction } from '../shell/use-action.ts'
import { BetFile } from './bet-file.tsx'

const stateNames = { open: 'Open', settled: 'Settled' } as const

export function BetsPage({ parameters }: { readonly parameters: URLSearchParams }) {
  const desk = useDesk()
  const { choices, profile, paceMs } = desk
  const money = (amount: number) => moneyText(amount, profile.currency)
  const state = parameters.get('state') === 'settled' ? 'settled' : 'open'
  /** How many bets of which state to show. A change of it must not empty the page, so it is no dependency. */
  const shown = useRef({ state, most: pageItems })
  if (shown.current.state !== state) shown.current = { state, most: pageItems }
  const asked: BetQuery = {
    from: parameters.get('from') ?? '',
    to: parameters.get('to') ?? '',
    q: parameters.get('q') ?? '',
  }
  const { value, error, refetch } = usePolled(
    () => readResults(state, shown.current.most, asked),
    Math.max(10_000, paceMs),
    [state, asked],
  )
  // Of more bets than one sum takes, the page shows the newest.
  const from = error instanceof RefusedError ? error.from : null
  const [narrowed, setNarrowed] = useState<string | null>(null)
  useEffect(() => {
    if (from === null) return
    setNarrowed(error!.message)
    changeAddress({ from })
  }, [error])
  const [refusal, act, isBusy] = useAction(refetch)
  /** Id of the bet that is being corrected. */
  const [corrected, setCorrected] = useState<string | null>(null)

  const problem = refusal ?? (from === null ? error?.message : null)
  if (!hasBetLog(desk)) {
    // The service's own words name the tiers that have one.
    return (
      <main class="page">
        <h1>Bets</h1>
        <p role="status">{problem ?? 'Loading…'}</p>
        <p class="hint">
          With it, you keep your bets here, and see their profit and their value at the close:{' '}
          <a href="/docs/bets">Your own bets</a>.
        </p>
      </main>
    )
  }
  return (
    <main class="page wide">
      <h1>Bets</h1>
      <p class="hint">
        Keep a bet with <i>Placed</i> in the explanation of an opportunity, or add one here, or a
        file of them.
      </p>
      <NewBet
        eventId={parameters.get('event')}
        market={parameters.get('market')}
        onKept={refetch}
      />
      <BetFile onTaken={refetch} />
      <Refusal message={value && incompleteText(value.unanswered)} />
      <div class="bar tools">
        {(['from', 'to'] as const).map((end) => (
          <label key={end} class="field">
            {end === 'from' ? 'Placed from' : 'to'} (UTC)
            <input
              type="date"
              value={asked[end]}
              onChange={({ currentTarget: { value: day } }) => {
                // While a year is typed, browsers report years such as 0002.
                if (day !== '' && day < '2000') return
                setNarrowed(null)
                changeAddress({ [end]: day })
              }}
            />
          </label>
        ))}
      </div>
      <Search
        words={asked.q}
        onSearch={(q) => {
          // The first day that the page set itself was for the words before.
          changeAddress({ q, ...(narrowed !== null && { from: null }) })
          setNarrowed(null)
        }}
      />
      {narrowed !== null && <p class="hint">{narrowed}</p>}
      {value && <Sums sums={value} parameters={parameters} />}
      <div class="bar tools">
        <Switch
          label="Bets"
          names={stateNames}
          order={['open', 'settled']}
          value={state}
          onChange={(to) => changeAddress({ state: to === 'open' ? null : to })}
        />
        <button type="button" disabled={isBusy} onClick={() => act(() => saveResults(asked))}>
          File for Excel
        </button>
      </div>
      <Refusal message={problem} />
      {!value && !error && <p class="hint">Loading…</p>}
      {value?.bets.length === 0 && (
        <p class="hint">
          No {state} bets{asked.q !== '' && ' with these words'}.
        </p>
      )}
      {value && value.bets.length > 0 && (
        <Figures
          isOfBets
          label={`${stateNames[state]} bets`}
          columns={['Bet', 'Placed', 'Sportsbook', 'Odds', 'Stake', 'Profit', 'CLV', 'Result', '']}
        >
          {value.bets.map((bet) => (
            <tr key={bet.id}>
              <th scope="row">
                {selectionOfBet(bet)}
                <p class="hint">{questionOfBet(bet)}</p>
              </th>
              <td>{startText(Date.parse(bet.placed_at), choices.zone, boardNow())}</td>
              <td>{nameOfBook(desk, bet.sportsbook)}</td>
              <td>{priceText(bet.odds_decimal, choices.format, bet.odds_american)}</td>
              <td>
                {money(bet.stake)}
                {bet.free_bet && <p class="hint">free bet</p>}
              </td>
              <td class={gainClass(bet.profit ?? 0)}>
                {bet.profit === null ? '–' : money(bet.profit)}
              </td>
              <td
                class={gainClass(bet.clv_percent ?? 0)}
                title={bet.clv_reason === null ? '' : marketText(bet.clv_reason)}
              >
                {bet.clv_percent === null ? '–' : percentText(bet.clv_percent)}
              </td>
              <td>
                <Result
                  bet={bet}
                  isBusy={isBusy}
                  onState={(...stated) => act(() => stateResult(bet, ...stated))}
                />
              </td>
              <td>
                {corrected === bet.id ? (
                  <Correction
                    bet={bet}
                    isBusy={isBusy}
                    onSend={(correction) =>
                      act(async () => {
                        await correctBet(bet, correction)
                        setCorrected(null)
                      })
                    }
                    onCancel={() => setCorrected(null)}
                  />
                ) : (
                  <button type="button" disabled={isBusy} onClick={() => setCorrected(bet.id)}>
                    Correct
                  </button>
                )}{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() =>
                    confirm(
                      `Delete ${betText(bet, nameOfBook(desk, bet.sportsbook), profile.currency)}?`,
                    ) && act(() => removeBet(bet))
                  }
                >
                  Delete
                </button>
              </td>
            </tr>
          ))}
        </Figures>
      )}
      {value && value.count > value.bets.length && (
        <p>
          The newest {value.bets.length.toLocaleString('en')} of {value.count.toLocaleString('en')}.{' '}
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              shown.current.most = value.bets.length + pageItems
              refetch()
            }}
          >
            More
          </button>
        </p>
      )}
    </main>
  )
}

interface SearchProps {
  readonly words: string
  readonly onSearch: (words: string | null) => void
}

/** Narrows the page to the bets with some words. Each search is a request, so the reader says when the words are typed. */
function Search({ words, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(words)
  useEffect(() => setTyped(words), [words])
  return (
    <form class="bar tools" onSubmit={sending(() => onSearch(typed.trim()))}>
      <label class="field">
        Bets with the words
        <input
          type="search"
          maxLength={200}
          placeholder="team, sportsbook, note…"
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            if (value === '') onSearch(null)
          }}
        />
      </label>
      <button type="submit">Search</button>
    </form>
  )
}

/**
 * Asks what came back of a bet, and shows what was understood. Of a free bet the reader says it without the stake.
 * @returns it with the stake; null if the reader states nothing
 */
function askForReturn(bet: BetResult, currency: string | null): number | null {
  const { free_bet: isFree, stake } = bet
  const how = isFree ? 'without the free stake' : 'with the stake'
  const answer = prompt(`What came back of ${selectionOfBet(bet)}, ${how}?`)
  if (!answer) return null
  const amount = numberOf(answer)
  if (Number.isNaN(amount)) {
    alert(ambiguityOf(answer) ?? `${answer} is no amount.`)
    return null
  }
  const returned = isFree ? stake + amount : amount
  return confirm(returnText(bet, returned, currency)) ? returned : null
}

/** Whether a result says nothing without what came back. */
const needsAmount = (outcome: string) => outcome === 'cashed_out' || outcome === 'dead_heat'

interface ResultProps {
  readonly bet: BetResult
  /** Whether a change is on its way. */
  readonly isBusy: boolean
  readonly onState: (outcome: Outcome | null, returned?: number | null) => void
}

/** The result of a bet. A result stated by hand overrides the score. */
function Result({ bet, isBusy, onState }: ResultProps) {
  const { outcome, settled_by: settledBy, open_because: why } = bet
  const { currency } = useDesk().profile
  const known = settledBy === 'hand' ? (outcome ?? '') : ''
  // Arrow keys change a closed list at once, so only the button stores what is chosen.
  const [chosen, choose] = useState(known)
  useEffect(() => choose(known), [known])
  function store() {
    if (isBusy) return
    const stated = outcomes.find((one) => one === chosen) ?? null
    const amount = needsAmount(chosen) ? askForReturn(bet, currency) : null
    if (!needsAmount(chosen) || amount !== null) onState(stated, amount)
  }
  return (
    <>
      <Select
        aria-label="Result"
        choices={[
          ['', settledBy === 'score' ? `${marketText(outcome!)} (score)` : 'by score'],
          ...outcomes.map((one) => [one, marketText(one)] as const),
        ]}
        value={chosen}
        onChoose={choose}
      />
      {(chosen !== known || needsAmount(known)) && (
        <button type="button" aria-disabled={isBusy} onClick={store}>
          {chosen === known ? 'Change the amount' : 'Store'}
        </button>
      )}
      {why !== null && <p class="hint">{marketText(why)}</p>}
    </>
  )
}
