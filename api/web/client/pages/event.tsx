/** `/events/{id}`: one game: its questions, the prices of the one that is shown, and how they have moved. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { booksOf, chainOf } from '../../../../pipeline/rules/odds/chains.ts'
import type { Game, Page } from '../../wire.ts'
import { freshnessOf, staleReason, uncomparedReason } from '../data/columns.ts'
import { connecting, type Link } from '../data/connection.ts'
import { ladderOf, mainRung, type Rung, rungAmong, rungToShow } from '../data/ladder.ts'
import { isHomeFirst, titleOf } from '../data/leagues.ts'
import { kindOf } from '../data/market-kinds.ts'
import { gameFields, gamesIn, pastQuery, readPast } from '../data/past.ts'
import { isAwaited, withPlay } from '../data/play-votes.ts'
import { openPriceFeed } from '../data/price-feed.ts'
import {
  createPriceStore,
  type Price,
  type PriceStore,
  type Question,
} from '../data/price-store.ts'
import { isRefusedWith } from '../data/refused.ts'
import { get, openStream } from '../data/rest.ts'
import { boardNow } from '../data/service-time.ts'
import {
  type Asked,
  askedFor,
  marketsIn,
  noSubject,
  questionsOf,
  settled,
} from '../data/subject.ts'
import { answerText, marketText } from '../format/names.ts'
import { clockText, countdownText, dayText } from '../format/time.ts'
import { hasBetLog, nameOfLeague, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { LinkBadge } from '../shell/link-badge.tsx'
import { usePolled } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'
import { changeAddress, go, lastBoard, setTitle } from '../shell/router.ts'
import { Select } from '../shell/select.tsx'
import { PastButton, TimeBar } from '../shell/time-bar.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { Comparison, Ladder, rungText } from './event-prices.tsx'
import { Movement } from './movement.tsx'

interface EventPageProps {
  readonly eventId: string
  /** The question that the address names. */
  readonly asked: Asked
  /** The time shown (epoch ms); null for now. */
  readonly at: number | null
}

interface Followed {
  /** Of its question. */
  readonly key: string | null
  readonly line: number | null | undefined
}

/** The page is redrawn at most this often. */
const redrawMs = 400

/** Reads a game from the list, which has its score; a game without prices is not there any more. */
async function readGame(eventId: string): Promise<Game> {
  const id = encodeURIComponent(eventId)
  const [listed] = (await get<Page<Game>>(`/events?event=${id}&limit=1`)).data
  return listed ?? (await get<{ data: Game }>(`/events/${id}`)).data
}

export function EventPage({ eventId, asked, at }: EventPageProps) {
  const desk = useDesk()
  const { account, paceMs, choices } = desk
  const isStreaming = account.features.streaming === true
  const gameEveryMs = Math.max(3_000, paceMs)
  const game = usePolled(() => readGame(eventId), gameEveryMs, [eventId])
  const { store, link, isReady, refusal, pastGame } = usePrices(eventId, isStreaming, paceMs, at)
  const [isLive, setLive] = useState(false)
  const [chosen, choose] = useState(noSubject)
  /** The question shown last, for its name while it has no prices. */
  const last = useRef<Question | null>(null)
  /** The rung shown last while none was chosen. It stays, once the prices are there, when another becomes the main one. */
  const followed = useRef<Followed>({ key: null, line: undefined })
  useKeys({ Escape: () => go(lastBoard()) })

  // A game that is over may have left the service, and its prices of that time still say which it was.
  const listed = game.value ?? pastGame
  const value = listed && at === null ? withPlay(listed, store, boardNow()) : listed
  const isGone = isRefusedWith(game.error, 404)
  const leagueOf = (listed: Game) => desk.leaguesById.get(listed.league)
  const title = value ? titleOf(value, leagueOf(value)) : ''
  useEffect(() => {
    if (title) setTitle(title)
  }, [title])
  const staleAt = (price: Price) => {
    // The past has no ages.
    if (at !== null) return staleReason(pastGame ?? undefined, price, undefined)
    const book = desk.sportsbooks.find((one) => one.id === price.sportsbook)
    return staleReason(value ?? undefined, price, book && freshnessOf(book, desk.prices.upTo))
  }
  const { isOnlyMine, books } = choices
  const isNow = (price: Price) => staleAt(price) === null
  const uncomparedAt = (price: Price) => uncomparedReason(price, desk.kinds, value?.sport)
  const isCompared = (price: Price) => uncomparedAt(price) === null
  /** With Only mine, the best are of the reader's own sportsbooks. All sportsbooks make the main line, as on the board. */
  const counts = (price: Price) =>
    isNow(price) && isCompared(price) && (!isOnlyMine || books.includes(price.sportsbook))
  const rungsOf = (one: Question) => {
    if (value) store.orderSides(one, isHomeFirst(leagueOf(value)))
    return ladderOf(one, kindOf(one, desk.kinds, value?.sport), isNow)
  }
  const before = askedFor(asked, chosen)
  const subject = isReady && value ? settled(before, store) : before
  useEffect(() => choose(subject))
  const { market, line } = subject
  const markets = marketsIn(store)
  const question = subject.question === null ? undefined : store.questions.get(subject.question)
  if (question) last.current = question
  const named = last.current?.key === subject.question ? last.current : null
  const offered = questionsOf(store, market)
  const questions = named && !question ? [...offered, named] : offered
  const kind = question ? kindOf(question, desk.kinds, value?.sport) : null
  const rungs = question ? rungsOf(question) : []
  const shownOf = (one: Rung) => (kind ? rungAmong(one, kind, counts) : one)
  const chosenRung = rungs.find((one) => one.line === line)
  const shownBefore = followed.current.key === subject.question ? followed.current.line : undefined
  const rung = line === undefined ? (rungToShow(rungs, shownBefore) ?? undefined) : chosenRung
  if (isReady && line === undefined) followed.current = { key: subject.question, line: rung?.line }
  const main = line === undefined ? mainRung(rungs) : null
  const uncompared = rung?.sides
    .flatMap(({ prices }) => [...prices.values()].map(uncomparedAt))
    .find((reason) => reason !== null)
  // A line without prices leaves the ladder, to choose another one.
  const hasLadder = rungs.length > (rung ? 1 : 0)
  if (!value) {
    const error = at === null || isReady || refusal ? (refusal ?? game.error?.message) : null
    return (
      <main class="page" aria-busy={!error}>
        <h1>Game</h1>
        <p class="hint" role="status">
          {error ?? 'Loading the game…'}
        </p>
        <a href={lastBoard()}>Back to the board</a>
      </main>
    )
  }
  const { home_team: home, away_team: away, game_state: state } = value
  const startsAt = Date.parse(value.start_time)
  const isToStart = at === null && !isGone && isAwaited(value)
  const league = nameOfLeague(desk, value.league)
  const isHomeLed = isHomeFirst(leagueOf(value))
  const chain = chainOf(desk.chain, value)
  const movement = question && rung && (
    <Movement
      question={question}
      sides={rung.sides.map(({ answer, line }) => ({ answer, line }))}
      homeTeam={home}
      awayTeam={away}
      startsAt={startsAt}
      at={at}
      sharpBooks={booksOf(chain)}
    />
  )
  return (
    <main class={`page event${isReady && !isLive && at === null ? ' lost' : ''}`}>
      <div class="event-head">
        <a href={lastBoard()} class="back">
          ← Board
        </a>
        <h1>{title}</h1>
        <p>
          {league} · {dayText(startsAt, choices.zone, boardNow())}{' '}
          {[clockText(startsAt, choices.zone), isToStart && countdownText(startsAt, boardNow())]
            .filter(Boolean)
            .join(' · ')}
          {at === null && isGone && <b> no longer listed</b>}
          {at === null && !isGone && value.is_live && (
            <b class="in-play">
              {' '}
              {[state?.period ?? 'Live', state?.clock].filter(Boolean).join(' ')}
              {state?.home_score != null &&
                ` · ${(
                  isHomeLed
                    ? [state.home_score, state.away_score]
                    : [state.away_score, state.home_score]
                ).join(' – ')}`}
            </b>
          )}
          {at === null && !isGone && !value.is_live && value.status !== 'upcoming' && (
            <b> {value.status}</b>
          )}
        </p>
        {at === null && (
          <>
            <LinkBadge
              readLink={() => link}
              prices={desk.prices}
              delaySeconds={desk.account.limits.odds_delay_seconds}
              games={isGone ? [] : [{ at: game.at, everyMs: gameEveryMs }]}
              onLive={setLive}
            />
            <PastButton />
          </>
        )}
      </div>
      {at !== null && <TimeBar at={at} />}
      {at === null && !isGone && <Failure of={game} what="Game" />}
      <Refusal message={refusal} />
      <nav class="chips markets" aria-label="Markets">
        {markets.map((one) => (
          <a
            key={one}
            class="chip"
            href={`/events/${encodeURIComponent(eventId)}?market=${one}${pastQuery(at)}`}
            aria-current={one === market ? 'true' : undefined}
          >
            {marketText(one)}
          </a>
        ))}
      </nav>
      {isReady && markets.length === 0 && (
        <p class="hint">
          No sportsbook {at === null ? 'offers prices on it now' : 'offered prices on it then'}.
        </p>
      )}
      {isReady && markets.length > 0 && market !== null && !rung && (
        <p class="hint" role="status">
          No prices of {marketText(market)}
          {named && questions.length > 1 && ` · ${subjectText(named, questions, home, away)}`}
          {subject.question === null && asked.player !== null && ` · ${asked.player}`}
          {question && typeof line === 'number' && ` ${line}`} {at === null ? 'now' : 'then'}.
        </p>
      )}
      {questions.length > 1 && (
        <label class="field">
          {named?.player ? 'Player' : 'Team'}
          <Select
            choices={questions.map((one) => [one.key, subjectText(one, questions, home, away)])}
            value={named?.key ?? ''}
            onChoose={(key) => {
              const { player, statistic, team } = questions.find((one) => one.key === key)!
              const asked = { market, player, statistic, team }
              choose({ ...subject, asked, question: key, line: undefined })
              changeAddress({ ...asked, line: null })
            }}
          />
        </label>
      )}
      {at === null && market !== null && hasBetLog(desk) && (
        <p>
          <a href={`/bets?event=${encodeURIComponent(eventId)}&market=${market}`}>
            Log a bet on {marketText(market)}
          </a>
        </p>
      )}
      {main && main !== rung && (
        <p class="hint" role="status">
          The main line is now {rungText(main)}.{' '}
          <button type="button" onClick={() => choose({ ...subject, line: main.line })}>
            Show it
          </button>
        </p>
      )}
      {uncompared && <p class="hint">{uncompared}.</p>}
      {kind && (
        <>
          <div class="columns">
            {hasLadder && (
              <Ladder
                rungs={rungs}
                shownOf={shownOf}
                chosen={rung}
                onChoose={(line) => choose({ ...subject, line })}
                home={home}
                away={away}
                desk={desk}
              />
            )}
            {rung && (
              <Comparison
                rung={shownOf(rung)}
                kind={kind}
                staleAt={staleAt}
                isCompared={isCompared}
                counts={counts}
                home={home}
                away={away}
                chain={chain}
                desk={desk}
              />
            )}
            {!hasLadder && movement}
          </div>
          {hasLadder && movement}
        </>
      )}
    </main>
  )
}

/** Returns the player or team of a question, and the statistic where the market has several for a player. */
function subjectText(question: Question, among: readonly Question[], home: string, away: string) {
  const { player, statistic, team } = question
  if (player === null) return team === null ? 'Game' : answerText(team, home, away)
  const isOnly = among.every((one) => one === question || one.player !== player)
  return isOnly || statistic === null ? player : `${player} · ${marketText(statistic)}`
}

function usePrices(eventId: string, isStreaming: boolean, paceMs: number, at: number | null) {
  const store = useRef<PriceStore>(createPriceStore())
  const [link, setLink] = useState<Link>(() => connecting(performance.now()))
  const [isReady, setReady] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [pastGame, setPastGame] = useState<Game | null>(null)
  const [, redraw] = useState(0)
  useEffect(() => {
    const own = createPriceStore()
    store.current = own
    setReady(false)
    setRefusal(null)
    setPastGame(null)
    const query = `event=${encodeURIComponent(eventId)}&fields=id,event_id,sportsbook,market_type,selection_type,line,odds_decimal,odds_american,is_live,is_active,withheld,player_name,stat_category`
    if (at !== null) {
      const stop = new AbortController()
      readPast(get, `${query},${gameFields}`, at, stop.signal).then(
        (rows) => {
          if (stop.signal.aborted) return
          own.snapshot(rows)
          own.endSnapshot()
          setPastGame(gamesIn(rows, at).get(eventId) ?? null)
          setReady(true)
        },
        (error: Error) => !stop.signal.aborted && setRefusal(error.message),
      )
      return () => stop.abort()
    }
    const feed = openPriceFeed({
      service: { get, openStream },
      store: own,
      query: `${query},deep_link`,
      isStreaming,
      pollMs: paceMs,
      onLink: setLink,
      onReady: () => setReady(true),
      onRefused: (error) => setRefusal(error.message),
    })
    const timer = setInterval(() => {
      if (own.takeChanged().length > 0) redraw((n) => n + 1)
    }, redrawMs)
    return () => {
      feed.close()
      clearInterval(timer)
    }
  }, [eventId, isStreaming, at])
  return { store: store.current, link, isReady, refusal, pastGame }
}
