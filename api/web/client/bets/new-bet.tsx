/** The form for a single bet, at a price that the reader names: on a game of the board, or on another one. */

import { useEffect, useState } from 'preact/hooks'
import type { FoundGame } from '../../wire.ts'
import { type Choice, choicesIn, priceAt } from '../data/bet-choices.ts'
import { findGame, findGames, keepBet, type MarketPrices, readSelections } from '../data/bets.ts'
import { feesOf } from '../data/commissions.ts'
import { type NewBet as Bet, betSender, type NamedGame, newBetOf } from '../data/placed-bet.ts'
import { booksIn } from '../data/profile.ts'
import { boardNow } from '../data/service-time.ts'
import { mainFirst } from '../data/subject.ts'
import { unansweredText } from '../format/bet.ts'
import { answerText, marketText } from '../format/names.ts'
import { lineText, percentText, priceText } from '../format/odds.ts'
import { startText, zoneText } from '../format/time.ts'
import { readLine, readMoment, readTerms } from '../format/typed-bet.ts'
import { nameOfBook, nameOfLeague, useDesk } from '../shell/context.ts'
import { Refusal } from '../shell/refusal.tsx'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { Switch } from '../shell/switch.tsx'
import { useAction } from '../shell/use-action.ts'
import { BookInput } from './book-input.tsx'
import { OtherGame } from './other-game.tsx'
import { FreeMark, TermsInputs } from './terms-form.tsx'
import { useCleared } from './use-cleared.ts'

const places = { board: 'On the board', other: 'Over, or not on the board' } as const

/** The sides of a game, by which it is named to the reader. */
type Sides = Pick<NamedGame, 'home_team' | 'away_team'>

interface NewBetProps {
  /** Id and market of the game from whose page the reader comes; null for none. */
  readonly eventId: string | null
  readonly market: string | null
  readonly onKept: () => void
}

export function NewBet({ eventId, market, onKept }: NewBetProps) {
  const [place, setPlace] = useState<keyof typeof places>('board')
  const [name, setName] = useState('')
  const [games, setGames] = useState<readonly FoundGame[] | null>(null)
  const [chosenId, setChosenId] = useState(eventId)
  const [refusal, act, isBusy] = useAction(() => {})
  const asked = useReading(async () => (eventId === null ? null : findGame(eventId)), eventId)
  const found = games ?? []
  const isBeside = asked.value && !found.some(({ id }) => id === asked.value!.id)
  const known = isBeside ? [...found, asked.value!] : found
  const game = known.find(({ id }) => id === chosenId)

  // Kept here, because the reader may choose another game before the service has answered.
  const [unanswered, setUnanswered] = useState<Bet | null>(null)
  const [send] = useState(() => betSender(keepBet, setUnanswered))
  const [sentOn, setSentOn] = useState<Sides | null>(null)
  const [kept, setKept] = useState<Bet | null>(null)
  const [rejection, actOnBet, isSending] = useAction(onKept)
  const keep = (make: () => Bet, on: Sides) =>
    actOnBet(async () => {
      setKept(null)
      setSentOn(on)
      setKept(await send(make))
    })
  return (
    <details class="new-bet" open={eventId !== null}>
      <summary>New bet</summary>
      <fieldset disabled={unanswered !== null}>
        {/* No switch while a bet is sent: it would drop what is typed, and a bet may be refused. */}
        <fieldset disabled={isSending}>
          <Switch
            label="The game is"
            names={places}
            order={['board', 'other']}
            value={place}
            onChange={setPlace}
          />
        </fieldset>
        {place === 'other' ? (
          <OtherGame kept={kept} isSending={isSending} onKeep={keep} />
        ) : (
          <>
            <form
              class="bar tools"
              onSubmit={sending(() => {
                act(async () => {
                  const next = await findGames(name)
                  setGames(next)
                  setChosenId(next[0]?.id ?? null)
                })
              })}
            >
              <label class="field">
                Team or game
                <input
                  type="search"
                  required
                  value={name}
                  onInput={({ currentTarget }) => setName(currentTarget.value)}
                />
              </label>
              <button type="submit" disabled={isBusy}>
                Find
              </button>
            </form>
            <Refusal message={refusal ?? asked.error?.message} />
            {games?.length === 0 && (
              <p class="hint" role="status">
                No game on the board has these names. If it is over, choose <i>{places.other}</i>.
              </p>
            )}
            {known.length > 0 && <Game games={known} chosenId={chosenId} onChoose={setChosenId} />}
            {game && (
              <OnGame
                key={game.id}
                game={game}
                asked={market}
                kept={kept}
                isSending={isSending}
                onKeep={(make) => keep(make, game)}
              />
            )}
          </>
        )}
      </fieldset>
      <Refusal message={rejection} />
      {unanswered && sentOn && (
        <Unanswered
          bet={unanswered}
          game={sentOn}
          isSending={isSending}
          onSend={() => keep(() => unanswered, sentOn)}
        />
      )}
      {kept && <p role="status">The bet is in your log.</p>}
    </details>
  )
}

/**
 * Reads a value once, so that it does not change under the reader's hands.
 * @param of a change of it ends the reading and reads again
 */
function useReading<Value>(read: (signal: AbortSignal) => Promise<Value>, of: string | null) {
  const [reading, set] = useState<{ value?: Value; error?: Error }>({})
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    set({})
    read(signal).then(
      (value) => signal.aborted || set({ value }),
      (error: Error) => signal.aborted || set({ error }),
    )
    return () => ending.abort()
  }, [of])
  return reading
}

interface UnansweredProps {
  readonly bet: Bet
  /** The game that it is on. */
  readonly game: Sides
  readonly isSending: boolean
  readonly onSend: () => void
}

/** Shows a bet that may or may not be stored. No other bet is taken until that is known. */
function Unanswered({ bet, game, isSending, onSend }: UnansweredProps) {
  const desk = useDesk()
  const { choices, profile } = desk
  const book = nameOfBook(desk, bet.sportsbook)
  return (
    <>
      <p class="hint">{unansweredText(bet, game, book, profile.currency, choices.format)}</p>
      <button type="button" class="primary" disabled={isSending} onClick={onSend}>
        Send again
      </button>
    </>
  )
}

interface GameProps {
  readonly games: readonly FoundGame[]
  readonly chosenId: string | null
  readonly onChoose: (id: string) => void
}

function Game({ games, chosenId, onChoose }: GameProps) {
  const desk = useDesk()
  const { zone } = desk.choices
  return (
    <label class="field">
      Game
      <Select
        choices={games.map(({ id, home_team, away_team, league, start_time }) => [
          id,
          `${away_team} @ ${home_team}, ${nameOfLeague(desk, league)}, ${startText(Date.parse(start_time), zone, boardNow())}`,
        ])}
        value={chosenId ?? ''}
        onChoose={onChoose}
      />
    </label>
  )
}

interface OnGameProps {
  readonly game: FoundGame
  /** The market to begin with, if the game has it. */
  readonly asked: string | null
  /** The last bet, once it is stored. */
  readonly kept: Bet | null
  readonly isSending: boolean
  readonly onKeep: (make: () => Bet) => void
}

const noPrices: MarketPrices = { items: [], isAll: true }

function OnGame({ game, asked, kept, isSending, onKeep }: OnGameProps) {
  const desk = useDesk()
  const { choices, profile } = desk
  const [format] = useState(choices.format)
  const markets = mainFirst(game.markets)
  const [market, setMarket] = useState(markets.find((one) => one === asked) ?? markets[0] ?? '')
  const { value: prices = noPrices, error } = useReading(
    (signal) => readSelections(game.id, market, signal),
    market,
  )
  const { items: rows, isAll } = prices
  const [chosen, setChosen] = useState<Choice | null>(null)
  const [typedLine, setLine] = useState<string | null>(null)
  const [sportsbook, setSportsbook] = useState(booksIn(profile)[0] ?? '')
  /** Null while the reader has typed none: then it is the price of the sportsbook, if it has one. */
  const [typedPrice, setPrice] = useState<string | null>(null)
  const [stake, setStake] = useState('')
  const [isFree, setFree] = useState(false)
  const [time, setTime] = useState('')
  const note = useCleared(kept, () => {
    setStake('')
    setFree(false)
    setPrice(null)
  })

  const offered = choicesIn(rows)
  function choose(choice: Choice | null) {
    setChosen(choice)
    setLine(null)
    setPrice(null)
  }
  const shownLine = typedLine ?? (chosen?.line == null ? '' : String(chosen.line))
  const fees = feesOf(profile)
  const rate = fees.get(sportsbook)?.rate ?? 0
  const price = chosen && typedLine === null ? priceAt(rows, chosen, sportsbook, fees) : null
  const typed = { price: typedPrice ?? (price === null ? '' : priceText(price, format)), stake }
  const before = price === null ? null : { price, stake: 0 }
  const nameOf = ({ player, selectionType, line }: Choice) =>
    [
      player,
      answerText(selectionType, game.home_team, game.away_team),
      line === null ? '' : lineText(line, ''),
    ]
      .filter(Boolean)
      .join(' ')

  function make(): Bet {
    const terms = readTerms(typed, format, before)
    const now = boardNow()
    return note(
      newBetOf({
        game: { event_id: game.id },
        market,
        player: chosen!.player,
        selectionType: chosen!.selectionType,
        line: chosen!.line === null ? null : readLine(shownLine),
        sportsbook,
        ...terms,
        isFree,
        at: readMoment(time, choices.zone, now),
      }),
    )
  }

  return (
    <form class="bar tools" onSubmit={sending(() => onKeep(make))}>
      <label class="field">
        Market
        <Select
          choices={markets.map((one) => [one, marketText(one)])}
          value={market}
          onChoose={(to) => {
            setMarket(to)
            choose(null)
          }}
        />
      </label>
      <label class="field">
        Selection
        <Select
          choices={[['', 'Choose…'], ...offered.map((one) => [one.key, nameOf(one)] as const)]}
          value={chosen?.key ?? ''}
          onChoose={(to) => choose(offered.find(({ key }) => key === to) ?? null)}
        />
      </label>
      {chosen?.line != null && (
        <label class="field">
          Line
          <input
            type="text"
            size={6}
            value={shownLine}
            onInput={({ currentTarget }) => setLine(currentTarget.value)}
          />
        </label>
      )}
      <BookInput value={sportsbook} onChoose={setSportsbook} />
      <TermsInputs
        format={format}
        typed={typed}
        onInput={(next) => {
          if (next.price !== typed.price) setPrice(next.price)
          setStake(next.stake)
        }}
      />
      <FreeMark isFree={isFree} onChange={setFree} />
      <label class="field">
        Placed, {zoneText(choices.zone)} (empty: now)
        <input
          type="datetime-local"
          value={time}
          onInput={({ currentTarget }) => setTime(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isSending || !chosen}>
        Keep
      </button>
      <Refusal message={error?.message} />
      {rate > 0 && (
        <p class="hint">
          {`State the odds after the commission of ${nameOfBook(desk, sportsbook)}. Those filled in are after ${percentText(100 * rate, 1)}.`}
        </p>
      )}
      {!isAll && (
        <p class="hint">
          Only selections of the first {rows.length.toLocaleString('en')} prices of this market are
          listed. A bet on another one can be typed under <i>{places.other}</i>.
        </p>
      )}
    </form>
  )
}
