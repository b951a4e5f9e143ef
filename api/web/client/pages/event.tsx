/** `/events/{id}`: one game with its lines, the prices of all sportsbooks, and how prices have moved. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { columnOrder, countsOn, freshnessOf, groupOf, staleText } from '../data/columns.ts'
import { connecting, type Link } from '../data/connection.ts'
import { ladderOf, mainRung, type Rung } from '../data/ladder.ts'
import { isHomeFirst, titleOf } from '../data/leagues.ts'
import { fairOf, holdOf, kindOf, type QuestionKind } from '../data/market-kinds.ts'
import { gameFields, pastQuery, readPast } from '../data/past.ts'
import { openPriceFeed } from '../data/price-feed.ts'
import {
  createPriceStore,
  isOffer,
  movedWithin,
  type Price,
  type PriceStore,
  type Question,
} from '../data/price-store.ts'
import { get, openStream } from '../data/rest.ts'
import type { Game } from '../data/wire.ts'
import { answerText, leagueText, marketText, markOf } from '../format/names.ts'
import { alignedPriceText, lineText, percentText } from '../format/odds.ts'
import { clockText, dayText } from '../format/time.ts'
import { type Desk, nameOfBook, useDesk } from '../shell/context.ts'
import { LinkBadge } from '../shell/link-badge.tsx'
import { usePolled } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'
import { go, lastBoard, setTitle } from '../shell/router.ts'
import { Scrolls } from '../shell/scrolls.tsx'
import { PastButton, TimeBar } from '../shell/time-bar.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { Movement } from './movement.tsx'

interface EventPageProps {
  readonly eventId: string
  readonly market: string | null
  /** The time shown (epoch ms); null for now. */
  readonly at: number | null
}

/** The page is redrawn at most this often. */
const redrawMs = 400

export function EventPage({ eventId, market: requestedMarket, at }: EventPageProps) {
  const desk = useDesk()
  const { account, paceMs, choices, leagues } = desk
  const isStreaming = account.features.streaming === true
  const path = `/events/${encodeURIComponent(eventId)}`
  const game = usePolled(
    async () => (await get<{ data: Game }>(path)).data,
    Math.max(3_000, paceMs),
    [eventId],
  )
  const { store, link, isReady, refusal } = usePrices(eventId, isStreaming, paceMs, at)
  const [isLive, setLive] = useState(false)
  /** Key of the question: of one player or team. */
  const [chosen, choose] = useState<string | null>(null)
  const [line, setLine] = useState<number | null | undefined>(undefined)
  useKeys({ Escape: () => go(lastBoard()) })

  const markets = marketsIn(store)
  const market = markets.find((one) => one === requestedMarket) ?? markets[0] ?? null
  useEffect(() => setLine(undefined), [market, chosen])
  const questions = [...store.questions.values()].filter((one) => one.market === market)
  const question = questions.find(({ key }) => key === chosen) ?? questions[0]
  const { value } = game
  const leagueOf = (of: Game) => leagues.find(({ id }) => id === of.league)
  const title = value ? titleOf(value, leagueOf(value)) : ''
  useEffect(() => {
    if (title) setTitle(title)
  }, [title])
  if (question && value) store.orderSides(question, isHomeFirst(leagueOf(value)))
  const kind = question ? kindOf(question, desk.kinds, value?.sport) : null
  const isUp = (id: string) => {
    const book = desk.sportsbooks.find((one) => one.id === id)
    // Of the past every price counts.
    return at !== null || countsOn(value ?? undefined, id, book && freshnessOf(book, Date.now()))
  }
  const rungs = question && kind ? ladderOf(question, kind, isUp) : []
  const rung = rungs.find((one) => one.line === line) ?? mainRung(rungs)
  const hasLadder = rungs.length > 1
  if (!value) {
    return (
      <main class="page" aria-busy={!game.error}>
        <h1>Game</h1>
        <p class="hint" role="status">
          {game.error ? game.error.message : 'Loading the game…'}
        </p>
        <a href={lastBoard()}>Back to the board</a>
      </main>
    )
  }
  const { home_team: home, away_team: away, game_state: state } = value
  const startsAt = Date.parse(value.start_time)
  const league = leagueOf(value)?.name ?? value.league
  const isHomeLed = isHomeFirst(leagueOf(value))
  const movement = question && rung && (
    <Movement
      eventId={eventId}
      market={question.market}
      player={question.player}
      sides={rung.sides.map(({ answer, line }) => ({ answer, line }))}
      homeTeam={home}
      awayTeam={away}
      startsAt={startsAt}
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
          {leagueText(league)} · {dayText(startsAt, choices.zone, Date.now())}{' '}
          {clockText(startsAt, choices.zone)}
          {at === null && value.is_live && (
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
          {at === null && !value.is_live && value.status !== 'upcoming' && <b> {value.status}</b>}
        </p>
        {at === null && (
          <>
            <LinkBadge readLink={() => link} sportsbooks={desk.sportsbooks} onLive={setLive} />
            <PastButton />
          </>
        )}
      </div>
      {at !== null && <TimeBar at={at} />}
      <Refusal message={refusal} />
      <nav class="chips markets" aria-label="Markets">
        {markets.map((one) => (
          <a
            key={one}
            class="chip"
            href={`${path}?market=${one}${pastQuery(at)}`}
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
      {questions.length > 1 && (
        <label class="field">
          {question?.player ? 'Player' : 'Team'}
          <select
            value={question?.key ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {questions.map((one) => (
              <option key={one.key} value={one.key}>
                {subjectText(one, questions, home, away)}
              </option>
            ))}
          </select>
        </label>
      )}
      {kind && rung && (
        <>
          <div class="columns">
            {hasLadder && (
              <Ladder
                rungs={rungs}
                chosen={rung}
                onChoose={setLine}
                home={home}
                away={away}
                desk={desk}
              />
            )}
            <Comparison rung={rung} kind={kind} isUp={isUp} home={home} away={away} desk={desk} />
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

const mainMarkets = /^(moneyline|point_spread|puck_line|run_line|total_(points|goals|runs))$/

/** Main markets first and props last, each sorted by name. */
function marketsIn({ questions }: PriceStore): readonly string[] {
  const markets = new Set([...questions.values()].map(({ market }) => market))
  const rank = (market: string) =>
    mainMarkets.test(market) ? 0 : market.startsWith('player_') ? 2 : 1
  return [...markets].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function usePrices(eventId: string, isStreaming: boolean, paceMs: number, at: number | null) {
  const store = useRef<PriceStore>(createPriceStore())
  const [link, setLink] = useState<Link>(() => connecting(performance.now()))
  const [isReady, setReady] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [, redraw] = useState(0)
  useEffect(() => {
    const own = createPriceStore()
    store.current = own
    setReady(false)
    setRefusal(null)
    const query = `event=${encodeURIComponent(eventId)}&fields=id,event_id,sportsbook,market_type,selection_type,line,odds_decimal,odds_american,is_active,withheld,player_name,stat_category`
    if (at !== null) {
      const stop = new AbortController()
      readPast(get, `${query},${gameFields}`, at, stop.signal).then(
        (rows) => {
          if (stop.signal.aborted) return
          own.snapshot(rows)
          own.endSnapshot()
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
  return { store: store.current, link, isReady, refusal }
}

interface LadderProps {
  readonly rungs: readonly Rung[]
  readonly chosen: Rung
  readonly onChoose: (line: number | null) => void
  readonly home: string
  readonly away: string
  readonly desk: Desk
}

function Ladder({ rungs, chosen, onChoose, home, away, desk }: LadderProps) {
  const { format } = desk.choices
  const main = mainRung(rungs)
  return (
    <section aria-label="Ladder">
      <h2>Ladder</h2>
      <Scrolls label="Lines">
        <table class="ladder">
          <thead>
            <tr>
              <th scope="col">Line</th>
              {chosen.sides.map(({ answer }) => (
                <th scope="col" key={answer}>
                  {answerText(answer, home, away)}
                </th>
              ))}
              <th scope="col">Hold</th>
              <th scope="col">Books</th>
            </tr>
          </thead>
          <tbody>
            {rungs.map((rung) => (
              <tr key={rung.line} class={rung === chosen ? 'chosen' : ''}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={rung === chosen}
                    onClick={() => onChoose(rung.line)}
                  >
                    {rung.sides.map(({ line, answer }) => lineText(line, answer)).find(Boolean) ??
                      'pk'}
                    {rung === main && <small> main</small>}
                  </button>
                </th>
                {rung.sides.map(({ answer, best }) => (
                  <td key={answer}>
                    {best ? (
                      <>
                        <small>{nameOfBook(desk, best.sportsbook)}</small>{' '}
                        <b>{alignedPriceText(best.price, format, best.american)}</b>
                      </>
                    ) : (
                      '–'
                    )}
                  </td>
                ))}
                <td class={rung.hold !== null && rung.hold < 0 ? 'gain' : ''}>
                  {rung.hold === null ? '–' : percentText(rung.hold * 100)}
                </td>
                <td>{rung.bookCount}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )
}

interface ComparisonProps {
  readonly rung: Rung
  readonly kind: QuestionKind
  /** Returns whether a sportsbook's prices count. */
  readonly isUp: (sportsbook: string) => boolean
  readonly home: string
  readonly away: string
  readonly desk: Desk
}

function Comparison({ rung, kind, isUp, home, away, desk }: ComparisonProps) {
  const { format } = desk.choices
  const { sides } = rung
  const listed = columnOrder(desk.sportsbooks, desk.chain, desk.choices.books).filter(({ id }) =>
    sides.some(({ prices }) => prices.has(id)),
  )
  const { outcomes } = kind
  const answers = sides.map(({ answer }) => answer)
  const offeredBy = (id: string) => (outcome: string) => {
    const price = sides.find(({ answer }) => answer === outcome)?.prices.get(id)
    return price && isOffer(price) && isUp(id) ? price.price : undefined
  }
  const fairBy = (id: string) => fairOf(outcomes, answers, offeredBy(id))
  const sharp = desk.chain.find(fairBy)
  const fair = sharp === undefined ? null : fairBy(sharp)
  return (
    <section aria-label="Comparison">
      <h2>Sportsbooks</h2>
      <Scrolls label="Prices by sportsbook">
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Sportsbook</th>
              {sides.map(({ answer, line }) => (
                <th scope="col" key={answer}>
                  {answerText(answer, home, away)} {lineText(line, answer)}
                </th>
              ))}
              <th scope="col">Hold</th>
            </tr>
          </thead>
          <tbody>
            <tr class="summary">
              <th scope="row">Best</th>
              {sides.map(({ answer, best }) => (
                <td key={answer}>{best ? <Offer price={best} isBest format={format} /> : '–'}</td>
              ))}
              <td class={rung.hold !== null && rung.hold < 0 ? 'gain' : ''}>
                {rung.hold === null ? '–' : percentText(rung.hold * 100)}
              </td>
            </tr>
            {fair && (
              <tr class="summary">
                <th scope="row">
                  Fair <small>{nameOfBook(desk, sharp!)} without its margin</small>
                </th>
                {fair.map((chance, i) => (
                  <td key={answers[i]}>
                    {chance === null ? (
                      '–'
                    ) : (
                      <>
                        <small>{percentText(chance * 100, 1)}</small>{' '}
                        <span class="offer">{alignedPriceText(1 / chance, format)}</span>
                      </>
                    )}
                  </td>
                ))}
                <td>0.00%</td>
              </tr>
            )}
            {listed.map((book) => {
              const prices = sides.map(({ prices }) => prices.get(book.id))
              const hold = holdOf(outcomes, offeredBy(book.id))
              return (
                <tr key={book.id}>
                  <th scope="row">
                    {book.display_name} <small>{groupOf(book)}</small>
                  </th>
                  {prices.map((price, i) => (
                    <td key={sides[i]!.answer}>
                      {price ? (
                        <Offer
                          price={price}
                          isBest={
                            price.price === sides[i]!.best?.price && isOffer(price) && isUp(book.id)
                          }
                          isStale={!isUp(book.id)}
                          format={format}
                        />
                      ) : (
                        <span class="none">–</span>
                      )}
                    </td>
                  ))}
                  <td>{hold === null ? '–' : percentText(hold * 100)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )
}

interface OfferProps {
  readonly price: Price
  readonly isBest: boolean
  readonly isStale?: boolean
  readonly format: Desk['choices']['format']
}

/** A price, as a link to its bet slip if there is one. */
function Offer({ price, isBest, isStale = false, format }: OfferProps) {
  const text = alignedPriceText(price.price, format, price.american)
  const arrow = movedWithin(price, 4_000, performance.now()) && (
    <span class={price.moved > 0 ? 'gain' : 'loss'}>{price.moved > 0 ? '▲' : '▼'}</span>
  )
  const mark = markOf(price)
  const className =
    `offer${isBest ? ' top' : ''} ${mark.className || (isStale ? 'stale' : '')}`.trim()
  const title = mark.why || (isStale ? staleText : undefined)
  if (!price.deepLink || !price.isActive) {
    return (
      <span class={className} title={title}>
        {arrow} {text}
      </span>
    )
  }
  return (
    <a
      class={className}
      title={title}
      href={price.deepLink}
      target="_blank"
      rel="noopener noreferrer"
    >
      {arrow} {text}{' '}
      <span class="away" aria-hidden="true">
        ↗
      </span>
    </a>
  )
}
