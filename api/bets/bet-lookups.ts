/**
 * Looks up bets for a caller, on the board and in the archive: their selections, results and closing-line value.
 * A selection found after its bet was stored stays here until the bet's row is replaced.
 *
 * The event of a bet may lose its sportsbooks to another event for the same game. It then has no prices, closes and
 * result, and the bet would stay open for ever: its game is looked up again by its names.
 */

import { type Ask, mostBets, readCaptures } from '../../pipeline/archive/bets.ts'
import { resultRetentionMs } from '../../pipeline/processors/game-results.ts'
import { type Chains, chainsAmong } from '../../pipeline/rules/odds/chains.ts'
import { eventRetentionMs } from '../../pipeline/rules/odds/freshness.ts'
import type { ClosesView } from '../../pipeline/views/closes/closes-view.ts'
import type { GameResultsView } from '../../pipeline/views/game-states/game-results-view.ts'
import type { BetRow, BetSelection, BetStatement } from '../../schemas/bet.ts'
import type { BetReason } from '../../schemas/http/bets/reasons.ts'
import type { AliasDesk, AliasNames } from '../access/aliases.ts'
import { mayShowTo } from '../access/scope.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { ApiError } from '../errors.ts'
import type { Admitted } from '../route.ts'
import { orStoredWithoutArchive, orWithoutArchive } from './archive-fallback.ts'
import { type LocatedBet, type WeighedBet, weighBets, withoutValue } from './bet-closes.ts'
import {
  createBetFinder,
  type FindBet,
  gatherGames,
  namedAsFound,
  spellingsOf,
} from './found-bets.ts'
import { type SettledBet, settleBets } from './settled-bets.ts'
import { createUnfoundBets } from './unfound-bets.ts'

export interface BetLookupsOptions {
  readonly aliases: Pick<AliasDesk, 'names'>
  readonly archive: ArchiveAccess
  readonly closes: Pick<ClosesView, 'capturedOf'>
  readonly gameResults: Pick<GameResultsView, 'find' | 'all'>
  /** The chain of each game. */
  readonly chain: Chains
  /** Time of the price clock (epoch ms). */
  readonly now: () => number
}

export interface FoundSelections {
  /** Whether the archive was searched too. */
  readonly isWhole: boolean
  /** By bet. */
  readonly found: readonly ReturnType<FindBet>[]
}

/**
 * While the archive is unavailable, functions that end in `OrNot` give that as the reason why a bet
 * has no selection or value. `find` and `settle` then use the board and the log alone; the others
 * fail.
 */
export interface BetLookups {
  /** Finds the selections of new bets. */
  find(statements: readonly BetStatement[], by: Admitted): Promise<FoundSelections>
  /** Returns the selection of a stored bet, if it has been found by now: the last one that was found. */
  selectionOf(row: BetRow): BetSelection | null
  /**
   * Returns the selection of a bet after a change. If a look-up finds the game of the present
   * selection, that stays, with the start and sides of its game. Null if the game was found before
   * the change and is not found after it.
   * @throws ApiError validation_error if the game that is found has no such selection
   */
  findChanged(before: BetRow, after: BetStatement, by: Admitted): Promise<BetSelection | null>
  /** Returns each bet with its selection. A bet without one, or on an event that is gone, is looked up again. */
  locate(rows: readonly BetRow[], by: Admitted): Promise<LocatedBet[]>
  locateOrNot(rows: readonly BetRow[], by: Admitted): Promise<LocatedBet[]>
  /** Returns each bet with its closing-line value. */
  weigh(located: readonly LocatedBet[], by: Admitted): Promise<WeighedBet[]>
  weighOrNot(located: readonly LocatedBet[], by: Admitted): Promise<WeighedBet[]>
  /** Returns each bet with its result. */
  settle(located: readonly LocatedBet[], by: Admitted): Promise<SettledBet[]>
}

const noEvents: ReadonlySet<string> = new Set()

export function createBetLookups({
  aliases,
  archive,
  closes,
  gameResults,
  chain,
  now,
}: BetLookupsOptions): BetLookups {
  const askerOf =
    ({ caller: { accountId, tier }, charged }: Admitted): Ask =>
    (statement, parameters) =>
      archive.reads.rows({
        caller: accountId,
        statement,
        parameters,
        limits: archive.limits[tier],
        decoding: charged,
      })

  const unfound = createUnfoundBets()
  /** The aliases of the last look-up, and how often they have changed. */
  let lastNames: AliasNames | null = null
  let namesNumber = 0

  /** Finds the selection of each bet, or the reason it has none. @param ask null: search only the board */
  async function findBets(
    statements: readonly BetStatement[],
    { scope, inPieces }: Admitted,
    ask: Ask | null,
    without: ReadonlySet<string> = noEvents,
  ) {
    const events = statements.map(({ event }) => event)
    const games = await gatherGames(events, { scope, results: gameResults }, ask, inPieces, without)
    const names = aliases.names()
    if (names !== lastNames) {
      lastNames = names
      namesNumber++
    }
    const spellings = spellingsOf(names)
    const stateOf = ({ event }: BetStatement) => {
      const hashed = games.hashOf(event)
      return hashed === null ? null : `${namesNumber} ${hashed}`
    }
    const finder = unfound.keeping(createBetFinder(games, spellings), stateOf)
    const found: ReturnType<FindBet>[] = []
    return inPieces(eachFound(statements, finder, found), () => found)
  }

  const find: BetLookups['find'] = (statements, by) =>
    orStoredWithoutArchive<FoundSelections>(
      async () => ({ isWhole: true, found: await findBets(statements, by, askerOf(by)) }),
      async () => ({ isWhole: false, found: await findBets(statements, by, null) }),
    )

  /** Selections found after their bet was stored, until the bet's row is replaced. */
  const foundLater = new WeakMap<BetRow, { readonly found: BetSelection }>()

  const selectionOf: BetLookups['selectionOf'] = (row) => foundLater.get(row)?.found ?? row.found

  /** Returns whether an event is gone without having been played: it has no prices, no close and no result. */
  function isGone({ eventId, startsAt }: BetSelection, { scope }: Admitted): boolean {
    const event = scope.board.find(eventId)
    return (
      (event === undefined || event.rowCount === 0) &&
      gameResults.find(eventId) === undefined &&
      closes.capturedOf(eventId).count === 0 &&
      // The results of older games are only in the archive.
      startsAt > now() - resultRetentionMs
    )
  }

  /** Returns the events among these that have closes in the archive: the view has only those of two days. */
  async function playedAmong(selections: readonly BetSelection[], by: Admitted) {
    const older = selections.filter(({ startsAt }) => startsAt < now() - eventRetentionMs)
    const played = new Set<string>()
    for (let from = 0; from < older.length; from += mostBets) {
      const captures = await readCaptures(askerOf(by), older.slice(from, from + mostBets))
      for (const { eventId, count } of captures) if (count > 0) played.add(eventId)
    }
    return played
  }

  /**
   * Statements of bets on events that are gone, by selection. Each is made once, because
   * `unfound-bets.ts` keeps its verdict by statement.
   */
  const namedAnew = new WeakMap<BetSelection, { row: BetRow; statement: BetStatement }>()

  function statementOf(row: BetRow, found: BetSelection): BetStatement {
    if (row.event.id === null) return row
    const known = namedAnew.get(found)
    if (known?.row === row) return known.statement
    const statement = namedAsFound(row, found)
    namedAnew.set(found, { row, statement })
    return statement
  }

  async function findChanged(before: BetRow, after: BetStatement, by: Admitted) {
    const kept = selectionOf(before)
    const {
      found: [was, is],
    } = await find([before, after], by)
    const wasFound = was !== undefined && 'found' in was
    if (is && 'found' in is) return kept?.eventId === is.found.eventId ? kept : is.found
    if (is && 'ok' in is && wasFound) throw new ApiError('validation_error', `${is.message}.`)
    return wasFound ? null : kept
  }

  async function locate(rows: readonly BetRow[], by: Admitted): Promise<LocatedBet[]> {
    const goneNow = rows.flatMap((row) => {
      const found = selectionOf(row)
      if (found === null || !isGone(found, by)) return []
      return [found, ...(row.found && isGone(row.found, by) ? [row.found] : [])]
    })
    const played = await playedAmong(goneNow, by)
    const gone = new Set<string>()
    const toFind: { readonly row: BetRow; readonly statement: BetStatement }[] = []
    for (const row of rows) {
      const found = selectionOf(row)
      if (found === null) toFind.push({ row, statement: row })
      else if (isGone(found, by) && !played.has(found.eventId)) {
        for (const each of [found, row.found]) {
          if (each && isGone(each, by) && !played.has(each.eventId)) gone.add(each.eventId)
        }
        toFind.push({ row, statement: statementOf(row, found) })
      }
    }
    const statements = toFind.map(({ statement }) => statement)
    const looked = toFind.length > 0 ? await findBets(statements, by, askerOf(by), gone) : []
    return by.charged(() => {
      const still = new Map<BetRow, { readonly reason: BetReason }>()
      for (const [i, { row }] of toFind.entries()) {
        const result = looked[i]!
        if ('found' in result) foundLater.set(row, result)
        else still.set(row, 'ok' in result ? { reason: 'selection_unknown' } : result)
      }
      return rows.map((row) => {
        const found = selectionOf(row)
        return { row, match: found ? { found } : still.get(row)! }
      })
    })
  }

  const locateOrNot: BetLookups['locateOrNot'] = (rows, by) =>
    orStoredWithoutArchive(
      () => locate(rows, by),
      () =>
        rows.map((row): LocatedBet => {
          const found = selectionOf(row)
          return { row, match: found ? { found } : { reason: 'archive_not_ready' } }
        }),
    )

  const weigh: BetLookups['weigh'] = (located, by) => {
    const { scope, charged } = by
    const mayShow = mayShowTo(scope)
    return weighBets(located, {
      ask: askerOf(by),
      charged,
      chain: chainsAmong(chain, mayShow),
      mayShow,
      startOf: (eventId) => scope.board.find(eventId)?.startsAt,
      now: now(),
      capturedOf: closes.capturedOf,
    })
  }

  const weighOrNot: BetLookups['weighOrNot'] = (located, by) =>
    orWithoutArchive(
      () => weigh(located, by),
      () =>
        located.map(({ row, match }) =>
          'found' in match
            ? withoutValue(row, match.found, 'archive_not_ready')
            : withoutValue(row, null, match.reason),
        ),
    )

  const settle: BetLookups['settle'] = (located, by) => {
    const { scope } = by
    return settleBets(located, {
      ask: askerOf(by),
      resultOf: gameResults.find,
      eventOf: (eventId) => {
        const event = scope.board.find(eventId)
        return event && { startsAt: event.startsAt, status: event.row.status }
      },
      mayShow: mayShowTo(scope),
      now: now(),
    })
  }

  return { find, selectionOf, findChanged, locate, locateOrNot, weigh, weighOrNot, settle }
}

function* eachFound(
  statements: readonly BetStatement[],
  find: FindBet,
  found: ReturnType<FindBet>[],
): Generator<void> {
  for (const statement of statements) {
    found.push(find(statement))
    yield
  }
}
