/** `/`: live prices of a market's games at all sportsbooks. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { allBooksOf } from '../../../../pipeline/rules/odds/chains.ts'
import type { Game } from '../../wire.ts'
import { columnOrder, freshnessOf, shownBooks } from '../data/columns.ts'
import { connecting, type Link } from '../data/connection.ts'
import { type MarketGroup, marketGroups, marketsOf, withNewMarkets } from '../data/markets.ts'
import { createOpeners } from '../data/openers.ts'
import type { Opportunity } from '../data/opportunity.ts'
import { gameFields, gamesIn, pastIn, readPast } from '../data/past.ts'
import { openPriceFeed } from '../data/price-feed.ts'
import { createPriceStore, type PriceStore } from '../data/price-store.ts'
import { readGames } from '../data/reference.ts'
import { get, openStream } from '../data/rest.ts'
import { boardNow } from '../data/service-time.ts'
import type { Reading } from '../format/silence.ts'
import { type BoardGrid, createBoardGrid, hrefOf } from '../grid/board-grid.ts'
import { type BoardOrder, boardOrders } from '../grid/board-rows.ts'
import { OpportunityRail } from '../opportunities/rail.tsx'
import { Why } from '../opportunities/why.tsx'
import { ColumnsDialog } from '../shell/columns-dialog.tsx'
import { useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { HiddenLeagues } from '../shell/hidden-leagues.tsx'
import { LinkBadge } from '../shell/link-badge.tsx'
import { OnlyMine } from '../shell/only-mine.tsx'
import { type Polled, usePolled } from '../shell/polled.ts'
import { changeAddress, go } from '../shell/router.ts'
import { Select } from '../shell/select.tsx'
import { Switch } from '../shell/switch.tsx'
import { PastButton, TimeBar } from '../shell/time-bar.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { useIsNarrow } from '../shell/use-media.ts'
import { isWhen, whenNames, whens } from '../shell/when.ts'

const groupNames: Readonly<Record<MarketGroup, string>> = {
  moneyline: 'Moneyline',
  spread: 'Spread',
  total: 'Total',
  props: 'Props',
}

const orderNames: Readonly<Record<BoardOrder, string>> = {
  league: 'By league',
  start: 'By start',
  hold: 'By hold',
  edge: 'By edge',
}

/** League, market, games, order and search are in the address, so that a view can be saved and shared. */
export function BoardPage({ parameters }: { readonly parameters: URLSearchParams }) {
  const desk = useDesk()
  const { account, sportsbooks, leagues, leaguesById } = desk
  const { markets, kinds, chain, choices, hidden, paceMs, prices: read } = desk
  const shownLeagues = useMemo(() => leagues.filter(({ id }) => !hidden.has(id)), [leagues, hidden])
  const isStreaming = account.features.streaming === true
  const at = pastIn(parameters, boardNow())
  // Without streams, prices are polled, and a single league stays within a small key's limit. Boards of the past need
  // a league too.
  const hasAll = isStreaming && at === null
  const league = parameters.get('league') ?? (hasAll ? '' : (shownLeagues[0]?.id ?? ''))
  const group = marketGroups.find((one) => one === parameters.get('market')) ?? 'moneyline'
  const order = boardOrders.find((one) => one === parameters.get('sort')) ?? 'league'
  const search = parameters.get('q') ?? ''
  const asWhen = parameters.get('when')
  const when = isWhen(asWhen) ? asWhen : 'all'
  const setLeague = (id: string) => changeAddress({ league: id })
  const isNarrow = useIsNarrow()
  // Held here: it stays open when the rail is closed, as on a phone that is turned.
  const [explained, explain] = useState<Opportunity | null>(null)
  const [areColumnsOpen, setColumnsOpen] = useState(false)
  // A ref, because it changes with each chunk of the stream and must not re-render the page.
  const link = useRef<Link>(connecting(performance.now()))
  const [isLive, setLive] = useState(false)
  const [isReady, setReady] = useState(false)
  const [count, setCount] = useState(0)
  const [hasOpeners, setOpeners] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const host = useRef<HTMLDivElement>(null)
  const grid = useRef<BoardGrid | null>(null)
  const prices = useRef<PriceStore | null>(null)
  // Phones have the page of opportunities instead. A board of the past has none: the rail's are of now.
  const hasRail = !isNarrow && at === null
  const isRailOpen = choices.isRailOpen && hasRail
  const searchBox = useRef<HTMLInputElement>(null)

  // A market that loses its last price stays in the filter, so that the prices are not read anew for it.
  const followed = useRef<{ readonly of: MarketGroup; readonly ids: readonly string[] }>(null)
  const before = followed.current?.of === group ? followed.current.ids : []
  const marketIds = withNewMarkets(before, marketsOf(group, markets), kinds)
  followed.current = { of: group, ids: marketIds }
  const marketFilter = marketIds.join(',')
  const present = useGames(league, hidden, paceMs)
  const [pastGames, setPastGames] = useState<ReadonlyMap<string, Game>>(new Map())
  const games = at === null ? present.games : pastGames

  useEffect(() => {
    const store = createPriceStore()
    prices.current = store
    setReady(false)
    link.current = connecting(performance.now())
    const openers =
      at === null
        ? createOpeners(
            (question, course, lines) => board.seed(question, course, lines),
            () => setOpeners(false),
            get,
          )
        : null
    const board = createBoardGrid(host.current!, store, {
      onOpen: (question) => go(hrefOf(question, at)),
      onCount: (rows, games) => setCount(group === 'props' ? rows : games),
      onSight: (question, sportsbook) => openers?.want(question, sportsbook),
    })
    grid.current = board
    return () => {
      openers?.close()
      board.close()
    }
  }, [league, group, isStreaming, at])

  // Another market of the group comes into the same grid, which keeps its place and selection.
  useEffect(() => {
    const store = prices.current!
    const board = grid.current!
    setRefusal(null)
    const props = group === 'props' ? ',player_name,stat_category' : ''
    const fields = `id,event_id,sportsbook,market_type,selection_type,line,odds_decimal,odds_american,is_live,is_active,withheld${props}`
    const query = `${league ? `league=${encodeURIComponent(league)}&` : ''}market=${marketFilter}&is_main_line=true&fields=${fields}`
    if (at !== null) {
      const stop = new AbortController()
      readPast(get, `${query},${gameFields}`, at, stop.signal).then(
        (rows) => {
          if (stop.signal.aborted) return
          store.snapshot(rows)
          store.endSnapshot()
          setPastGames(gamesIn(rows, at))
          setReady(true)
          board.touch()
        },
        (error: Error) => !stop.signal.aborted && setRefusal(error.message),
      )
      return () => stop.abort()
    }
    const feed = openPriceFeed({
      service: { get, openStream },
      store,
      query,
      isStreaming,
      pollMs: paceMs,
      onLink(next) {
        link.current = next
        board.touch()
      },
      onReady() {
        setReady(true)
        board.touch()
      },
      onRefused: (error) => setRefusal(error.message),
    })
    return () => feed.close()
  }, [league, group, marketFilter, isStreaming, at])

  const { books, isOnlyMine } = choices
  const columns = useMemo(() => {
    const shown = shownBooks(sportsbooks, { books, isOnlyMine }, at)
    return columnOrder(shown, allBooksOf(chain), books)
  }, [sportsbooks, chain, books, isOnlyMine, at])
  useEffect(() => {
    // On a board of the past every sportsbook with prices counts, even one that is down now.
    const freshness = new Map(
      sportsbooks.map((book) => [book.id, at === null ? freshnessOf(book, read.upTo) : 'recent']),
    )
    const { format, zone, figures } = choices
    grid.current?.show({
      when,
      search,
      order,
      sportsbooks: columns,
      freshness,
      games,
      kinds,
      leagues: leaguesById,
      chain,
      format,
      zone,
      at,
      isNarrow,
      isCompact: choices.isCompact,
      figures: figures.filter(
        (figure) =>
          (figure !== 'open' || (hasOpeners && at === null)) && (figure !== 'move' || at === null),
      ),
      mine: books,
    })
  }, [
    when,
    search,
    order,
    columns,
    games,
    kinds,
    leaguesById,
    choices.format,
    choices.zone,
    choices.figures,
    choices.isCompact,
    isNarrow,
    hasOpeners,
    at,
    league,
    group,
  ])

  useKeys({
    j: () => grid.current?.step(1),
    k: () => grid.current?.step(-1),
    o: () => grid.current?.openSelected(),
    '/': () => searchBox.current?.focus(),
    Escape: () => {
      changeAddress({ q: null })
      searchBox.current?.blur()
    },
    ...Object.fromEntries(
      ['', ...shownLeagues.map(({ id }) => id)]
        .slice(0, 9)
        .map((id, i) => [String(i + 1), () => setLeague(id)]),
    ),
  })

  return (
    <main class={`board${isRailOpen ? ' with-rail' : ''}`}>
      <h1 class="unseen">Odds board</h1>
      <div class="bar">
        <fieldset class="chips" aria-label="Leagues">
          {hasAll && <Chip isOn={league === ''} onClick={() => setLeague('')} name="All" />}
          {shownLeagues.map(({ id, shortName, event_count, live_count }) => (
            <Chip
              key={id}
              isOn={league === id}
              onClick={() => setLeague(id)}
              name={shortName}
              count={event_count}
              live={live_count}
            />
          ))}
        </fieldset>
      </div>
      <div class="bar tools">
        <Switch
          label="Market"
          names={groupNames}
          order={marketGroups}
          value={group}
          onChange={(to) => changeAddress({ market: to === 'moneyline' ? null : to })}
        />
        <Switch
          label="Games"
          names={whenNames}
          order={whens}
          value={when}
          onChange={(to) => changeAddress({ when: to === 'all' ? null : to })}
        />
        <Select
          aria-label="Order of the games"
          choices={boardOrders.map((one) => [one, orderNames[one]])}
          value={order}
          onChoose={(to) => changeAddress({ sort: to === 'league' ? null : to })}
        />
        <input
          ref={searchBox}
          type="search"
          placeholder="Search  /"
          aria-label="Search teams, leagues, players"
          value={search}
          onInput={(event) => changeAddress({ q: event.currentTarget.value })}
        />
        <span class="count">
          {isReady && `${count} ${group === 'props' ? 'prop' : 'game'}${count === 1 ? '' : 's'}`}
        </span>
        <span class="grow" />
        {at === null && (
          <>
            <LinkBadge
              readLink={() => link.current}
              prices={read}
              delaySeconds={account.limits.odds_delay_seconds}
              games={present.readings}
              onLive={setLive}
            />
            <PastButton />
          </>
        )}
        {!isNarrow && (
          <button type="button" onClick={() => setColumnsOpen(true)}>
            Columns
          </button>
        )}
        {hasRail && (
          <button
            type="button"
            class="rail-toggle"
            aria-expanded={choices.isRailOpen}
            onClick={() => desk.choose({ isRailOpen: !choices.isRailOpen })}
          >
            Opportunities
          </button>
        )}
      </div>
      <div class="notes">
        {at !== null && <TimeBar at={at} />}
        {!parameters.get('league') && <HiddenLeagues />}
        <OnlyMine />
        {at === null && count > 0 && <Failure of={present.polled} what="Games" />}
      </div>
      <div
        class={`grid-host${at !== null ? ' past' : isReady && !isLive ? ' lost' : ''}`}
        ref={host}
        data-ready={isReady}
      >
        {refusal ? (
          <p class="empty" role="alert">
            {refusal}
          </p>
        ) : (
          count === 0 && (
            <p class="empty" role="status">
              {at === null && present.polled.error ? (
                `The games could not be read: ${present.polled.error.message}`
              ) : !isReady || (at === null && present.polled.value === null) ? (
                'Loading prices…'
              ) : at !== null ? (
                'No prices of these games at that time. Choose another time, league or market.'
              ) : leagues.length > 0 ? (
                'No games match. Choose another league or market, or clear the search.'
              ) : (
                <>
                  No prices yet. Turn on <a href="/docs/sources">live sources</a> or{' '}
                  <a href="/docs/own-prices">push your own prices</a>. <a href="/status">Status</a>{' '}
                  shows what is running.
                </>
              )}
            </p>
          )
        )}
      </div>
      {isRailOpen && <OpportunityRail league={league} onWhy={explain} />}
      {explained && (
        <Why opportunity={explained} books={desk.among} onClose={() => explain(null)} />
      )}
      {areColumnsOpen && <ColumnsDialog onClose={() => setColumnsOpen(false)} />}
    </main>
  )
}

interface Games {
  readonly games: ReadonlyMap<string, Game>
  /** The reads of all games and of those in play: the one of them that failed, if one did. */
  readonly polled: Polled<unknown>
  readonly readings: readonly Reading[]
}

/**
 * Returns games by id, without those of hidden leagues unless one is requested. Games in play are read more often
 * than the others.
 */
function useGames(league: string, hidden: ReadonlySet<string>, paceMs: number): Games {
  const query = league ? `&league=${encodeURIComponent(league)}` : ''
  const allEveryMs = Math.max(15_000, paceMs * 4)
  const liveEveryMs = Math.max(3_000, paceMs)
  const all = usePolled(() => readGames(query), allEveryMs, [query])
  const live = usePolled(() => readGames(`${query}&live=true`), liveEveryMs, [query])
  const games = useMemo(() => {
    const games = new Map<string, Game>()
    const [older, newer] = all.at > live.at ? [live, all] : [all, live]
    for (const game of [...(older.value ?? []), ...(newer.value ?? [])]) {
      if (league !== '' || !hidden.has(game.league)) games.set(game.id, game)
    }
    return games
  }, [all.value, live.value, league, hidden])
  return {
    games,
    polled: all.error || all.value === null ? all : live,
    readings: [
      { at: all.at, everyMs: allEveryMs },
      { at: live.at, everyMs: liveEveryMs },
    ],
  }
}

interface ChipProps {
  readonly isOn: boolean
  readonly onClick: () => void
  readonly name: string
  readonly count?: number
  readonly live?: number
}

function Chip({ isOn, onClick, name, count, live = 0 }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onClick}>
      {name}
      {count !== undefined && <small>{count}</small>}
      {live > 0 && <small class="in-play">{live} live</small>}
    </button>
  )
}
