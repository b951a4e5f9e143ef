/**
 * The board recomputed the plain way: a table per game and sportsbook, rebuilt by each statement, with no
 * index, no stored form and nothing saved. It does no matching: the caller, who knows the truth, gives the
 * game and orientation of each statement. Written from the rules of the board alone, so that a mistake in
 * the board is not made twice.
 */

import { playerNameOf } from '../../pipeline/rules/names/player-names.ts'
import { flipSelectionType } from '../../pipeline/rules/odds/questions.ts'
import { type AttributeValues, attributeList } from '../../schemas/attributes.ts'
import type {
  BoardRecord,
  EventStatus,
  EventStatusRecord,
  FeedMarket,
  FeedSelection,
  OddsRecord,
} from '../../schemas/feed-record.ts'
import { findTeam } from '../../schemas/reference/teams.ts'
import {
  drawlessType,
  drawnType,
  isOfDraw,
  isOfNoDraw,
  withSidesMoved,
  withSidesReturned,
} from './slow-filing.ts'
import { type ExpectedRow, identityOf, type Table } from './slow-rows.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export type Statement = OddsRecord | EventStatusRecord

/** The game of a statement, as matching should find it. */
export interface Meaning {
  readonly game: string
  /** Whether the statement's home side is the game's second side. */
  readonly isReversed: boolean
}

export type MeaningOf = (statement: Statement) => Meaning

export interface ExpectedSighting {
  readonly game: string
  readonly sportsbook: string
  readonly lastSeenAt: number
  readonly hasGivenPrices: boolean
  readonly statedAt: number | null
  readonly startsAt: number
  readonly isLive: boolean
  readonly swapped: boolean
}

export interface ExpectedGame {
  readonly game: string
  readonly league: string
  readonly startsAt: number
  readonly status: EventStatus
  readonly isLive: boolean
  /** These three are missing while equally many sportsbooks list the sides either way. */
  readonly flipped?: boolean
  readonly homeTeam?: string
  readonly awayTeam?: string
}

export interface ExpectedBoard {
  /** Rows by `identityOf`. */
  readonly odds: ReadonlyMap<string, ExpectedRow>
  /** Sightings by game and sportsbook. */
  readonly sightings: ReadonlyMap<string, ExpectedSighting>
  readonly games: ReadonlyMap<string, ExpectedGame>
  readonly sportsbooks: ReadonlyMap<string, 'up' | 'down'>
}

interface KnownBook {
  /** Its last statement of either kind, which counts for sides and start. */
  newest: Statement
  isReversed: boolean
  /** Its last statement of each kind; undefined for none. */
  newestPrices?: OddsRecord | undefined
  newestState?: EventStatusRecord | undefined
  /** Whether its last prices were in play. */
  isLive: boolean
  /** The last status that it gave the game, unless it was taken back, or denied by prices or silence. */
  word: EventStatus | null
  table: Table
}

interface KnownGame {
  readonly league: string
  readonly isFrameReversed: boolean
  readonly home: string
  readonly away: string
  /** The names that the two are shown under. */
  shownHome: string
  shownAway: string
  startsAt: number
  /** The status that the game is closed with; null while it is open. */
  verdict: EventStatus | null
  /** Whether time has ended its play: hours after its start nobody prices it or speaks of it. */
  isGivenUp: boolean
  readonly books: Map<string, KnownBook>
}

const isOver = (status: EventStatus | null | undefined) =>
  status === 'final' || status === 'cancelled'

const offersInPlay = (book: KnownBook | undefined) => book?.isLive === true && book.table.size > 0

export function createSlowBoard(meaningOf: MeaningOf) {
  const games = new Map<string, KnownGame>()
  const sportsbooks = new Map<string, { status: 'up' | 'down'; at: number }>()

  function hear(statement: Statement) {
    const { game: name, isReversed } = meaningOf(statement)
    const { event, sportsbook, observedAt } = statement
    const home = findTeam(event.homeTeam, event.league)?.name ?? event.homeTeam
    const away = findTeam(event.awayTeam, event.league)?.name ?? event.awayTeam
    const game: KnownGame = games.get(name) ?? {
      league: event.league,
      isFrameReversed: isReversed,
      home,
      away,
      shownHome: home,
      shownAway: away,
      startsAt: event.startsAt,
      verdict: null,
      isGivenUp: false,
      books: new Map(),
    }
    games.set(name, game)
    game.isGivenUp = false
    const before = game.books.get(sportsbook)
    const isOdds = statement.type === 'odds'
    // Prices and states come separately: a statement is late only behind its own kind.
    const sameKind = isOdds ? before?.newestPrices : before?.newestState
    if (sameKind && observedAt < sameKind.observedAt) return
    const isNewest = !before || observedAt >= before.newest.observedAt
    if (before && !isNewest && before.isReversed !== isReversed) return
    // What names no price cannot say that play is over.
    const namesPrice =
      isOdds && statement.markets.some((of) => of.selections.some(({ removed }) => !removed))
    const staysInPlay = before?.isLive && isOdds && statement.mode === 'delta' && !namesPrice
    const isLive = staysInPlay || (isOdds || !before ? event.isLive : before.isLive)
    // When play begins, or that is undone, only prices named again count. The same goes for corrected sides: under an id,
    // or by a snapshot. Otherwise the other order is another spelling.
    const beginsAnew = before !== undefined && before.isLive !== isLive
    const isTurned = before !== undefined && before.isReversed !== isReversed
    const corrects = event.externalId !== null || (isOdds && statement.mode === 'snapshot')
    const table: Table = before && !(isTurned && corrects) ? before.table : new Map()
    const newestPrices = isOdds ? statement : before?.newestPrices
    const newestState = isOdds ? before?.newestState : statement
    const isDenied =
      newestPrices !== undefined &&
      !isLive &&
      newestPrices.observedAt > (newestState?.observedAt ?? Number.POSITIVE_INFINITY)
    const startsLater =
      before !== undefined && isNewest && event.startsAt > before.newest.event.startsAt
    const isTakenBack =
      startsLater &&
      (before.word === 'postponed' ||
        (isOver(before.word) && event.startsAt > (before.newestState?.observedAt ?? 0)))
    const stands = isTakenBack ? null : (before?.word ?? null)
    const said = isOdds ? stands : statement.status
    const book: KnownBook = {
      newest: isNewest ? statement : before.newest,
      isReversed,
      newestPrices,
      newestState,
      isLive,
      word: said === 'live' && isDenied ? null : said,
      table,
    }
    game.books.set(sportsbook, book)
    if (isOver(book.word)) book.table = new Map()
    else if (isOdds) {
      const priced = after(table, statement, name, game, isReversed, beginsAnew)
      // After the end, new prices count only if they reopen the game.
      const opens = priced.size > 0 && !isOver(closedAs(game, book))
      if (!isOver(game.verdict) || opens) book.table = priced
    }
    settle(game, offersInPlay(book) && !offersInPlay(before))
  }

  function passTime(now: number) {
    for (const [name, game] of games) {
      for (const book of game.books.values()) {
        const expiryMs = book.isLive ? 90 * second : 15 * minute
        const { newest, newestPrices } = book
        if (newestPrices && now - newestPrices.observedAt > expiryMs) book.table = new Map()
        if (now - newest.observedAt > expiryMs) book.word = book.word === 'live' ? null : book.word
      }
      settle(game, false)
      const isUnpriced = rowsOf(game).length === 0
      const isSilent = [...game.books.values()].every(
        ({ newest }) => now - newest.observedAt > hour,
      )
      game.isGivenUp = isUnpriced && isSilent && now - game.startsAt > 4 * hour
      const isGone = now - game.startsAt > 48 * hour
      if (isGone && isUnpriced) games.delete(name)
    }
  }

  return {
    take(record: BoardRecord) {
      if (record.type === 'tick') passTime(record.observedAt)
      else if (record.type === 'futures') return
      else if (record.type !== 'book_status') hear(record)
      else {
        const { sportsbook, status, observedAt: at } = record
        const before = sportsbooks.get(sportsbook)
        if (!before || at >= before.at) sportsbooks.set(sportsbook, { status, at })
      }
    },

    read(): ExpectedBoard {
      const rows = [...games.values()].flatMap(rowsOf)
      const sightings = [...games].flatMap(([name, game]) => sightingsOf(name, game))
      return {
        odds: new Map(rows.map((row) => [identityOf(row), row])),
        sightings: new Map(sightings.map((row) => [`${row.game}|${row.sportsbook}`, row])),
        games: new Map([...games].map(([name, game]) => [name, gameRow(name, game)])),
        sportsbooks: new Map([...sportsbooks].map(([id, { status }]) => [id, status])),
      }
    },
  }
}

/** Returns the sportsbooks that decide about the game: those that offer prices, or all if none does. */
function votersOf({ books }: KnownGame): KnownBook[] {
  const offering = [...books.values()].filter(({ table }) => table.size > 0)
  return offering.length > 0 ? offering : [...books.values()]
}

/** Settles a game's state. A postponed game stays so until it has a later start or is played. */
function settle(game: KnownGame, playBegins: boolean) {
  const books = [...game.books.values()]
  if (game.verdict === 'postponed' && (playBegins || mostCommonStart(game) > game.startsAt)) {
    for (const book of books) if (book.word === 'postponed') book.word = null
  }
  game.verdict = closedAs(game)
  if (isOver(game.verdict)) for (const book of books) book.table = new Map()
  game.startsAt = mostCommonStart(game)
  game.shownHome = shownSide(game, 'home', game.shownHome)
  game.shownAway = shownSide(game, 'away', game.shownAway)
}

/** Returns the shown name: a known team's own, otherwise the most used of the best written ones. */
function shownSide(game: KnownGame, side: 'home' | 'away', current: string): string {
  const listed = game[side]
  if (findTeam(listed, game.league)?.name === listed) return listed
  const said = votersOf(game).map(({ newest: { event }, isReversed }) => {
    const isOwnSide = isReversed === game.isFrameReversed
    const name = (side === 'home') === isOwnSide ? event.homeTeam : event.awayTeam
    return name.trim().replace(/\s+/g, ' ')
  })
  const uses = (name: string) => said.filter((other) => other === name).length
  const [best = current] = [...new Set(said)].sort(
    (a, b) =>
      grade(b) - grade(a) ||
      uses(b) - uses(a) ||
      Number(b === current) - Number(a === current) ||
      accentsOf(b) - accentsOf(a) ||
      b.length - a.length ||
      (a < b ? -1 : 1),
  )
  return grade(current) > grade(best) ? current : best
}

/** Grades spelling: 3 for mixed case, 2 where words run together, 1 for one case only. */
function grade(name: string): number {
  const isLoud = name === name.toUpperCase() && (name.match(/\p{L}/gu)?.length ?? 0) > 4
  if (isLoud || name === name.toLowerCase()) return 1
  return /[a-z][A-Z][a-z]+[A-Z]|\.[A-Za-z]{2}/.test(name) ? 2 : 3
}

const accentsOf = (name: string) => name.normalize('NFD').match(/\p{M}/gu)?.length ?? 0

/**
 * Returns the status if all deciding sportsbooks, or a majority of at least two, have closed the game.
 * @param comes sportsbook that now offers prices
 */
function closedAs({ books }: KnownGame, comes?: KnownBook): EventStatus | null {
  const words: EventStatus[] = []
  for (const book of books.values()) {
    const { word, table } = book
    if (word !== null && word !== 'upcoming') words.push(word)
    else if (table.size > 0 || book === comes) words.push('upcoming')
  }
  const number = (...statuses: EventStatus[]) =>
    words.filter((word) => statuses.includes(word)).length
  const closed = number('final', 'cancelled', 'postponed')
  const isAgreed = closed === words.length || (closed >= 2 && 2 * closed > words.length)
  if (closed === 0 || !isAgreed) return null
  if (2 * number('postponed') >= closed) return 'postponed'
  return number('final') >= number('cancelled') ? 'final' : 'cancelled'
}

/** Before the start, two sportsbooks have to have the game in play, unless no other has a say. */
function statusOf(game: KnownGame): EventStatus {
  if (game.verdict !== null) return game.verdict
  if (game.isGivenUp) return 'upcoming'
  const books = [...game.books.values()]
  const voters = votersOf(game)
  const inPlay = books.filter(
    (book) => book.word === 'live' || (book.isLive && voters.includes(book)),
  )
  const others = voters.filter((book) => !inPlay.includes(book) && !isOver(book.word))
  const hasStarted = books.some(({ newest }) => newest.observedAt >= game.startsAt)
  const needed = hasStarted || others.length === 0 ? 1 : 2
  return inPlay.length >= needed ? 'live' : 'upcoming'
}

/** Returns the start that most sportsbooks give; among equals the current one, else the earliest. */
function mostCommonStart(game: KnownGame): number {
  const { startsAt } = game
  const starts = votersOf(game).map(({ newest }) => newest.event.startsAt)
  const votes = (start: number) => starts.filter((other) => other === start).length
  const most = Math.max(...starts.map(votes))
  const leading = starts.filter((start) => votes(start) === most)
  return leading.includes(startsAt) ? startsAt : Math.min(...leading)
}

function sightingsOf(name: string, game: KnownGame): ExpectedSighting[] {
  return [...game.books].map(([sportsbook, book]) => ({
    game: name,
    sportsbook,
    lastSeenAt: (book.newestPrices ?? book.newest).observedAt,
    hasGivenPrices: book.newestPrices !== undefined,
    statedAt: book.newestState?.observedAt ?? null,
    startsAt: book.newest.event.startsAt,
    isLive: book.isLive,
    swapped: book.isReversed !== game.isFrameReversed,
  }))
}

function gameRow(name: string, game: KnownGame): ExpectedGame {
  const swaps = votersOf(game).map(({ isReversed }) => isReversed !== game.isFrameReversed)
  const swappedCount = swaps.filter((swapped) => swapped).length
  const { league, startsAt, shownHome: home, shownAway: away } = game
  const status = statusOf(game)
  const said = { game: name, league, startsAt, status, isLive: status === 'live' }
  if (swappedCount * 2 === swaps.length) return said
  return swappedCount * 2 > swaps.length
    ? { ...said, flipped: true, homeTeam: away, awayTeam: home }
    : { ...said, flipped: false, homeTeam: home, awayTeam: away }
}

const rowsOf = ({ books }: KnownGame) =>
  [...books.values()].flatMap(({ table }) => [...table.values()])

/** Returns one sportsbook's rows on one game after a further statement of its prices. */
function after(
  before: Table,
  record: OddsRecord,
  name: string,
  game: KnownGame,
  isReversed: boolean,
  beginsAnew: boolean,
): Map<string, ExpectedRow> {
  const stands = record.mode === 'delta' && !beginsAnew
  const markets = record.markets.map((stated) => ({
    ...stated,
    marketType: meantType(stated.marketType, record.event.sport),
  }))
  const drawn = markets.flatMap((market) =>
    market.selections.filter((stated) => isOfDraw(stated, market, markets, record, before, game)),
  )
  const drawless = markets.flatMap((market) =>
    market.selections.filter((stated) => isOfNoDraw(stated, market, markets, record, before, game)),
  )
  const moved = stands ? withSidesMoved(before, drawn, markets, record, game) : before
  const stood = stands ? withSidesReturned(moved, markets, record, game) : before
  const table = stands ? new Map(stood) : new Map<string, ExpectedRow>()
  const named = new Map<string, Statements>()
  const gone = new Set<string>()
  const ends: { readonly market: FeedMarket; readonly selection: FeedSelection | null }[] = []
  for (const stated of markets) {
    const isMuddled = contradictsItsLines(stated)
    if (stated.suspended && stated.selections.length === 0) {
      ends.push({ market: stated, selection: null })
    }
    for (const selection of stated.selections) {
      const isUnlined = isLined(stated.marketType) && (selection.line ?? stated.line) === null
      if ((isMuddled && !selection.removed) || isUnlined) {
        const isEnd = selection.removed || selection.suspended || stated.suspended
        if (isEnd) ends.push({ market: stated, selection })
        continue
      }
      const isFiled = drawn.includes(selection) || drawless.includes(selection)
      const typeOf = drawn.includes(selection) ? drawnType : drawlessType
      const marketType = isFiled
        ? (typeOf(stated.marketType, record.event.sport) as string)
        : stated.marketType
      const market = { ...stated, marketType }
      const naming = nameRow(record, market, selection, name, game, isReversed)
      const identity = identityOf(naming)
      const isKept = record.mode === 'delta' && stood.get(identity)?.isFiledByDraw
      const row: Filed = { ...naming, isFiledByDraw: isFiled || isKept ? true : null }
      if (selection.removed) {
        table.delete(identity)
        gone.add(identity)
      } else named.set(identity, [...(named.get(identity) ?? []), { market, selection, row }])
    }
  }
  const isRemoval = ({ selection }: (typeof ends)[number]) => selection?.removed !== false
  for (const end of [...ends.filter(isRemoval), ...ends.filter((of) => !isRemoval(of))]) {
    const { market, selection } = end
    for (const [identity, old] of stood) {
      if (named.has(identity) || gone.has(identity)) continue
      const { marketType } = old
      const types = [drawnType, drawlessType].map((of) => of(market.marketType, record.event.sport))
      const isFiled = old.isFiledByDraw && types.includes(marketType)
      const player = market.playerName === null ? null : playerNameOf(market.playerName)
      if ((marketType !== market.marketType && !isFiled) || old.playerName !== player) continue
      const isAtIt = market.line === null || Math.abs(old.line ?? 0) === Math.abs(market.line)
      if (selection === null && !isAtIt) continue
      if (selection !== null) {
        const line = [old.line, reversed(old.line)].find((own) => {
          const asked = { ...selection, line: own }
          const as = { ...market, marketType }
          return identityOf(nameRow(record, as, asked, name, game, isReversed)) === identity
        })
        if (line === undefined) continue
        if (!selection.removed) {
          const suspended = { ...selection, line, price: null, suspended: true }
          const as = { ...market, marketType }
          const naming = nameRow(record, as, suspended, name, game, isReversed)
          const row: Filed = { ...naming, isFiledByDraw: old.isFiledByDraw }
          named.set(identity, [{ market: as, selection: suspended, row }])
          continue
        }
      }
      table.delete(identity)
      gone.add(identity)
    }
  }
  for (const [identity, statements] of named) {
    table.delete(identity)
    // A statement that only suspends says nothing about the price.
    const priced = statements.filter(({ selection }) => selection.price !== null)
    const prices = new Set(priced.map(({ selection }) => selection.price))
    const first = priced[0] ?? statements[0]
    if (prices.size > 1 || !first) continue
    const { market, selection, row } = first
    const old = stood.get(identity)
    const price = selection.price ?? old?.price
    if (price === undefined) continue
    const { isLive } = record.event
    // The sportsbook's clock may be ahead of the observation.
    const stated =
      selection.changedAt === null ? null : Math.min(selection.changedAt, record.observedAt)
    const isRepriced = old !== undefined && old.price !== price
    const carried = old === undefined ? stated : old.changedAt
    const priceChangedAt = isRepriced ? (stated ?? record.observedAt) : carried
    const isTurn = old !== undefined && old.isLive !== isLive
    const content = {
      ...row,
      price,
      isLive,
      isActive:
        !market.suspended && !selection.suspended && (selection.maxBet ?? market.maxBet) !== 0,
      changedAt: isTurn ? record.observedAt : priceChangedAt,
      ...attributesOf(selection, market),
      isStalePregamePrice: isOfBefore(old, price, isLive, selection, record) ? true : null,
    }
    const isSame = old !== undefined && isEqualContent(old, content)
    table.set(identity, { ...content, observedAt: isSame ? old.observedAt : record.observedAt })
  }
  return table
}

/** Returns whether an outcome of a market means nothing without its line. */
const isLined = (marketType: string) =>
  /spread|handicap|run_line|^team_total|^(total|player)_(?!to_)/.test(marketType) &&
  !/range$|odd_even$/.test(marketType)

/** Returns whether a price in play is still that of before the start: by the old row, or by its stated last change. */
function isOfBefore(
  old: ExpectedRow | undefined,
  price: number,
  isLive: boolean,
  { changedAt }: FeedSelection,
  { event, observedAt }: OddsRecord,
): boolean {
  if (!isLive) return false
  if (!old) return changedAt !== null && Math.min(changedAt, observedAt) < event.startsAt
  return old.price === price && (!old.isLive || old.isStalePregamePrice === true)
}

/** A sport's own name of a market that a sportsbook names as in other sports. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  soccer: { team_total: 'team_total_goals' },
  baseball: { team_total: 'team_total_runs', point_spread: 'run_line' },
}

const meantType = (stated: string, sport: string) => {
  // Other names of one bet.
  const known = stated
    .replace(/asian_handicap$/, 'point_spread')
    .replace(/total_(points|goals|runs)_odd_even$/, 'odd_even')
    .replace(/^to_win_to_nil$/, 'team_to_win_to_nil')
    .replace(/^team_clean_sheet$/, 'clean_sheet')
    .replace(/^corner_match_bet$/, 'most_corners')
  return ownNames[sport]?.[known] ?? known
}

/** Returns whether each side is named equally often, and no two at one line: home -1.5 beside away -1.5. */
function contradictsItsLines({ marketType, line, selections }: FeedMarket): boolean {
  const isHandicap = /spread|handicap|run_line/.test(marketType)
  const isCount = /^(total|player)_/.test(marketType) && !marketType.endsWith('range')
  const named = selections.filter(({ removed }) => !removed)
  const linesOf = (side: string, sign: 1 | -1) =>
    named
      .filter(({ selectionType }) => selectionType === side)
      .map((selection) => sign * Number(selection.line ?? line))
  const [one, other] = isHandicap
    ? [linesOf('home', 1), linesOf('away', -1)]
    : isCount
      ? [linesOf('over', 1), linesOf('under', 1)]
      : [[], []]
  const lines = new Set(one)
  return lines.size > 0 && lines.size === other.length && !other.some((rung) => lines.has(rung))
}

type Statements = { market: FeedMarket; selection: FeedSelection; row: Filed }[]

type Filed = Named & Pick<ExpectedRow, 'isFiledByDraw'>

type Named = Pick<
  ExpectedRow,
  | 'game'
  | 'league'
  | 'sportsbook'
  | 'marketType'
  | 'line'
  | 'playerName'
  | 'statCategory'
  | 'selectionType'
  | 'selection'
>

function nameRow(
  { sportsbook }: OddsRecord,
  { marketType, line, playerName: statedPlayer, statCategory }: FeedMarket,
  stated: FeedSelection,
  name: string,
  game: KnownGame,
  isReversed: boolean,
): Named {
  const playerName = statedPlayer === null ? null : playerNameOf(statedPlayer)
  const isSwapped = isReversed !== game.isFrameReversed
  const selectionType = isSwapped
    ? flipSelectionType(stated.selectionType, marketType)
    : stated.selectionType
  return {
    game: name,
    league: game.league,
    sportsbook,
    marketType,
    line:
      isSwapped &&
      stated.selectionType === 'draw' &&
      /spread|handicap|run_line|moneyline/.test(marketType)
        ? reversed(stated.line ?? line)
        : (stated.line ?? line),
    playerName,
    statCategory,
    selectionType,
    selection: labelOf(selectionType, marketType, stated.selection, playerName, game),
  }
}

const reversed = (line: number | null) => (line === null ? null : 0 - line)

function labelOf(
  type: string,
  marketType: string,
  stated: string | null,
  player: string | null,
  game: KnownGame,
) {
  if (type === 'home') return game.home
  if (type === 'away') return game.away
  const isPlain = ['draw', 'over', 'under', 'yes', 'no', 'odd', 'even'].includes(type)
  if (isPlain && player !== null) return `${player} ${titled(type)}`
  const withoutLine = stated?.replace(/\s*\(?[-+]?[\d.]+\)?$/, '').toLowerCase()
  if (isPlain && withoutLine === type) return titled(type)
  if (stated !== null) return stated
  const words = type
    .split('_')
    .map((word) => (word === 'home' ? game.home : word === 'away' ? game.away : titled(word)))
  if (marketType.endsWith('double_chance')) return words.join(' or ')
  return words.join(/^(home|draw|away)(_(home|draw|away))+$/.test(type) ? ' / ' : ' ')
}

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the attributes that the selection states, else those of its market. */
function attributesOf(selection: FeedSelection, market: FeedMarket): AttributeValues {
  const stated = { selection, market } as unknown as Record<string, Record<string, unknown>>
  const entries = attributeList.map(([name, { statedBy }]) => {
    const values = Object.entries(statedBy).map(([at, member]) => stated[at]?.[member] ?? null)
    return [name, values.find((value) => value !== null) ?? null]
  })
  return Object.fromEntries(entries) as AttributeValues
}

function isEqualContent(old: ExpectedRow, content: Omit<ExpectedRow, 'observedAt'>): boolean {
  const { observedAt: _, ...oldContent } = old
  return Object.entries(content).every(
    ([member, value]) => oldContent[member as keyof typeof oldContent] === value,
  )
}
