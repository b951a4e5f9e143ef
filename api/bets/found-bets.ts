/**
 * Matches bets to their selections. It finds the event by the matching rules, on the caller's board
 * and in the archive, and reads the selection in the frame of the event's prices.
 */

import { hash } from 'node:crypto'
import {
  type ArchivedGame,
  type Ask,
  type LeagueDay,
  mostBets,
  readGames,
} from '../../pipeline/archive/bets.ts'
import { isOpen } from '../../pipeline/rules/games/event-end.ts'
import {
  createGameFinder,
  dayOf,
  daysOf,
  type FindNamedGame,
  type KnownGame,
  type KnownGames,
  type Spellings,
} from '../../pipeline/rules/names/named-game.ts'
import { sideOptionsOf } from '../../pipeline/rules/names/side-options.ts'
import { flipLine, flipSelectionType } from '../../pipeline/rules/odds/questions.ts'
import { frameOf, type ShownSides } from '../../pipeline/rules/odds/selections.ts'
import {
  readStatedSelection,
  type SelectionRefused,
} from '../../pipeline/rules/odds/stated-selection.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { GameResultsView } from '../../pipeline/views/game-states/game-results-view.ts'
import type { BetEvent, BetSelection, BetStatement } from '../../schemas/bet.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import { addTo } from '../../schemas/grouping.ts'
import type { BetReason } from '../../schemas/http/bets/reasons.ts'
import type { AliasNames } from '../access/aliases.ts'
import { hiddenFrom, mayShowTo, type Scope } from '../access/scope.ts'
import { isListed } from '../answer/events.ts'
import type { InPieces } from '../route.ts'

/** The selection of a bet, or the reason there is none. */
export type FoundBet = { readonly found: BetSelection } | { readonly reason: BetReason }

// ---- games

/** The games that bets may be on. */
export interface GatheredGames extends KnownGames {
  /** Returns a hash of the games that may be meant by teams and a start; null for an event that names neither. */
  hashOf(event: BetEvent): string | null
}

/** The board that a caller sees, and the results of games that are over. */
interface BoardOfBets {
  readonly scope: Scope
  readonly results: Pick<GameResultsView, 'find' | 'all'>
}

/**
 * Collects the games that bets may be on: from the board, and from the archive unless `ask` is null.
 * @param without ids of events that are no longer games
 */
export async function gatherGames(
  events: readonly BetEvent[],
  board: BoardOfBets,
  ask: Ask | null,
  inPieces: InPieces,
  without: ReadonlySet<string>,
): Promise<GatheredGames> {
  const games = createGames(without)
  await inPieces(addFromBoard(games, events, board), () => {})
  if (ask === null) return games
  const hidden = hiddenFrom(board.scope)
  const inOrder = [...events].sort((a, b) => (a.startsAt ?? 0) - (b.startsAt ?? 0))
  for (let from = 0; from < inOrder.length; from += mostBets) {
    const lookup = lookupOf(inOrder.slice(from, from + mostBets))
    const read = await readGames(ask, { ...lookup, hidden })
    await inPieces(addFromArchive(games, read), () => {})
  }
  return games
}

type Games = ReturnType<typeof createGames>

function* addFromBoard(
  games: Games,
  events: readonly BetEvent[],
  board: BoardOfBets,
): Generator<void> {
  for (const event of boardEvents(events, board)) {
    games.add(gameOnBoard(event))
    yield
  }
}

function* addFromArchive(games: Games, read: readonly ArchivedGame[]): Generator<void> {
  for (const game of read) {
    games.add(gameInArchive(game))
    yield
  }
}

/** Indexes games by id and by day. The first game with an id counts. No game is added after the first hash. */
function createGames(without: ReadonlySet<string>) {
  const byId = new Map<string, KnownGame>()
  const byDay = new Map<string, KnownGame[]>()
  const hashes = new Map<string, string>()

  function hashOfDay(key: string): string {
    let hashed = hashes.get(key)
    if (hashed === undefined) {
      const games = byDay.get(key)
      // The archive's order may differ from read to read.
      hashed = games ? hash('sha256', games.map(textOf).sort().join('\n'), 'base64url') : ''
      hashes.set(key, hashed)
    }
    return hashed
  }

  return {
    hashOf({ startsAt, sport, league }: BetEvent): string | null {
      if (startsAt === null || sport === null) return null
      const [kind, id] =
        league === null ? (['sport', sport] as const) : (['league', league] as const)
      return daysOf({ startsAt })
        .map((day) => hashOfDay(dayKey(kind, id, day)))
        .join()
    },
    add(game: KnownGame) {
      if (byId.has(game.id) || without.has(game.id)) return
      byId.set(game.id, game)
      const day = dayOf(game.startsAt)
      addTo(byDay, dayKey('league', game.league, day), game)
      addTo(byDay, dayKey('sport', game.sport, day), game)
    },
    find: (id: string) => byId.get(id),
    on: (day: number, { league, sport }: { league: string | null; sport: string }) =>
      byDay.get(league === null ? dayKey('sport', sport, day) : dayKey('league', league, day)) ??
      [],
  }
}

/** Returns all that a look-up reads of a game. */
const textOf = ({ id, startsAt, sport, league, flipped, home, away, externalIds }: KnownGame) =>
  JSON.stringify([id, startsAt, sport, league, flipped, home, away, ...externalIds])

const dayKey = (kind: 'league' | 'sport', id: string, day: number) => `${kind} ${day} ${id}`

/**
 * Iterates over visible events of the board that bets may be on. One that is over has no prices, and
 * is visible if somebody whose prices may be shown has reported its result.
 */
function* boardEvents(
  events: readonly BetEvent[],
  { scope, results }: BoardOfBets,
): Iterable<ViewEvent> {
  const { board } = scope
  const mayShow = mayShowTo(scope)
  const isOver = ({ status, reports }: GameResultRow) =>
    !isOpen(status) && reports.some(({ sportsbook }) => mayShow(sportsbook))
  const leagues = new Set<string>()
  const sports = new Set<string>()
  for (const { id, league, sport } of events) {
    const event = id === null ? undefined : board.find(id)
    const result = event && results.find(event.id)
    if (event && (isListed(event, scope) || (result && isOver(result)))) yield event
    if (league !== null) leagues.add(league)
    else if (sport !== null) sports.add(sport)
  }
  const lists = new Set([
    ...[...leagues].map(eventListKey.league),
    ...[...sports].map(eventListKey.sport),
  ])
  for (const key of lists) {
    for (const event of board.events(key)) if (isListed(event, scope)) yield event
  }
  if (lists.size === 0) return
  for (const result of results.all()) {
    const { eventId, sport, league } = result
    if (!leagues.has(league) && !sports.has(sport)) continue
    const event = isOver(result) ? board.find(eventId) : undefined
    if (event && !isListed(event, scope)) yield event
  }
}

export function gameOnBoard({ id, row, startsAt, offers }: ViewEvent): KnownGame {
  const externalIds = new Map<string, string>()
  for (const { sportsbook, externalId } of offers.values()) {
    if (externalId !== null) externalIds.set(sportsbook, externalId)
  }
  return { ...gameOf({ ...row, id, startsAt }), externalIds }
}

const gameInArchive = (game: ArchivedGame): KnownGame => ({
  ...gameOf(game),
  externalIds: new Map(),
})

function gameOf(event: ShownSides & Pick<KnownGame, 'id' | 'startsAt' | 'sport' | 'league'>) {
  const { id, startsAt, sport, league, flipped } = event
  const { frameHome: home, frameAway: away } = frameOf(event)
  return { id, startsAt, sport, league, flipped, home, away }
}

function lookupOf(events: readonly BetEvent[]) {
  const ids = new Set<string>()
  const leagues = new Map<string, LeagueDay>()
  const sports = new Map<string, LeagueDay>()
  for (const { id, league, sport, startsAt } of events) {
    if (id !== null) ids.add(id)
    if (startsAt === null || sport === null) continue
    for (const day of daysOf({ startsAt })) {
      if (league !== null) leagues.set(`${day} ${league}`, { id: league, day })
      else sports.set(`${day} ${sport}`, { id: sport, day })
    }
  }
  return { ids: [...ids], leagues: [...leagues.values()], sports: [...sports.values()] }
}

/** Returns team spellings from the aliases stated by the operator or learnt from prices. */
export const spellingsOf = (names: AliasNames): Spellings => ({
  read: (name, league, sportsbook) => names.teamOf(league, sportsbook, name) ?? name,
  areForbidden: (league, sportsbook, spelling, side) =>
    names.areForbidden(league, { sportsbook, name: spelling }, { sportsbook: '', name: side }),
})

// ---- one bet

/** Returns a bet as one on the same selection, named by the sides and the start of its event in place of an id. */
export const namedAsFound = (bet: BetStatement, found: BetSelection): BetStatement => ({
  ...bet,
  event: {
    ...{ id: null, homeTeam: found.homeTeam, awayTeam: found.awayTeam },
    ...{ startsAt: found.startsAt, isDay: false, sport: found.sport, league: found.league },
  },
  market: found.marketType,
  selection: found.selectionType,
  line: found.line,
  playerName: found.playerName,
})

/** Checks the selection of a bet as far as possible without its event. */
export function selectionRefused(statement: BetStatement): SelectionRefused | null {
  const { id, homeTeam, awayTeam, sport, league } = statement.event
  if (id !== null || homeTeam === null || awayTeam === null || sport === null) return null
  const game = { home: homeTeam, away: awayTeam }
  const read = readStatedSelection(statement, game, sideOptionsOf(sport, league ?? ''))
  return read.ok ? null : read
}

export type FindBet = (statement: BetStatement) => FoundBet | SelectionRefused

/** Creates a finder of bets' selections. It refuses a selection that its event cannot have. */
export function createBetFinder(games: KnownGames, spellings: Spellings): FindBet {
  const findGame = createGameFinder(games, spellings)
  return (statement) => findBet(statement, games, findGame)
}

function findBet(
  statement: BetStatement,
  games: KnownGames,
  findGame: FindNamedGame,
): FoundBet | SelectionRefused {
  const located = locateGame(statement, games, findGame)
  if (typeof located === 'string') return { reason: located }
  const { game, swapped, sides } = located
  const { sport, league } = game
  const read = readStatedSelection(statement, sides, sideOptionsOf(sport, league))
  if (!read.ok) return read
  const { marketType, selectionType, line, playerName } = read
  const found: BetSelection = {
    eventId: game.id,
    sport,
    league,
    homeTeam: game.home,
    awayTeam: game.away,
    startsAt: game.startsAt,
    marketType,
    selectionType: swapped ? flipSelectionType(selectionType, marketType) : selectionType,
    line: swapped ? flipLine(selectionType, line, marketType) : line,
    playerName,
  }
  return { found }
}

/** Finds the game of a bet, with its sides as the bettor named them. */
function locateGame(
  { event, sportsbook }: BetStatement,
  games: KnownGames,
  findGame: FindNamedGame,
) {
  const { id, homeTeam, awayTeam, startsAt, isDay, sport, league } = event
  if (id !== null) {
    const game = games.find(id)
    if (!game) return 'no_such_event'
    const { home, away, flipped } = game
    const sides = flipped ? { home: away, away: home } : { home, away }
    return { game, swapped: flipped, sides }
  }
  if (homeTeam === null || awayTeam === null || startsAt === null || sport === null) {
    return 'no_such_event'
  }
  const sides = { home: homeTeam, away: awayTeam }
  const found = findGame({ ...sides, startsAt, isDay, sport, league, sportsbook })
  return typeof found === 'string' ? found : { ...found, sides }
}
