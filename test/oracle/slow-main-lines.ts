/** The table of main lines recomputed the plain way: from all prices of a question, by the wording of the rule. */

import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { teamOf } from '../../pipeline/rules/odds/outcome-sets.ts'
import { homeLine, outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { type MainLineRow, mainLineKey, mainLineSets } from '../../schemas/main-line.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import { byRow, createMemory } from './memory.ts'
import type { FoldedBoard } from './real-board.ts'

type Board = Pick<FoldedBoard, 'events' | 'odds' | 'sportsbookStatus'>

type Question = Omit<MainLineRow, 'lines' | 'own'>

interface Place {
  readonly of: Question
  readonly key: string
}

/** A sportsbook's prices of the outcomes on one rung, 0 where no bet is taken. */
type Prices = readonly number[]

type SlowMainLines = (
  board: Board,
  stands?: (row: OddsRow) => boolean,
) => ReadonlyMap<string, MainLineRow>

/** Returns the main lines of a board that is looked at once; see `createSlowMainLines`. */
export const slowMainLines = (board: Board, chain: Chains) => createSlowMainLines(chain)(board)

/**
 * Returns a function of a board, and of whether a price is one that people can bet on now, that computes its main lines.
 * A question is computed again unless everything that it follows from is as at the call before.
 * @param chain whose sportsbooks decide, those of blends too
 * @param references sportsbooks that nobody can bet at
 */
export function createSlowMainLines(
  chain: Chains,
  references: ReadonlySet<string> = new Set(),
): SlowMainLines {
  const ofQuestions = createMemory<MainLineRow | null>()
  const places = new Map<string, (row: OddsRow) => Place | null>()
  const placeOf = (row: OddsRow, sport: string) => {
    const ofSport = places.get(sport) ?? byRow((row: OddsRow) => placeIn(row, sport))
    places.set(sport, ofSport)
    return ofSport(row)
  }

  return (board, stands = () => true) => {
    const questions = new Map<string, { of: Question; sport: string; prices: OddsRow[] }>()
    for (const row of board.odds.values()) {
      const sport = board.events.get(row.eventId)?.sport
      const place = sport === undefined ? null : placeOf(row, sport)
      if (sport === undefined || !place) continue
      const known = questions.get(place.key) ?? { of: place.of, sport, prices: [] }
      known.prices.push(row)
      questions.set(place.key, known)
    }
    const ownersOnly = (sportsbook: string) =>
      board.sportsbookStatus.get(sportsbook)?.audience === 'owner'
    const rows = new Map<string, MainLineRow>()
    for (const [key, { of, sport, prices }] of questions) {
      const areStanding = prices.map(stands)
      const areHidden = prices.map(({ sportsbook }) => ownersOnly(sportsbook))
      const row = ofQuestions(key, [sport, ...prices, ...areStanding, ...areHidden], () =>
        mainLineOf(of, sport, prices, { stands, ownersOnly }),
      )
      if (row) rows.set(mainLineKey(row), row)
    }
    return rows
  }

  function mainLineOf(
    of: Question,
    sport: string,
    prices: readonly OddsRow[],
    {
      stands,
      ownersOnly,
    }: {
      readonly stands: (row: OddsRow) => boolean
      readonly ownersOnly: (sportsbook: string) => boolean
    },
  ): MainLineRow | null {
    const sees: Record<(typeof mainLineSets)[number], (sportsbook: string) => boolean> = {
      free: (book) => !ownersOnly(book) && tierBooks.free!.has(book),
      hobby: (book) => !ownersOnly(book) && tierBooks.hobby!.has(book),
      pro: (book) => !ownersOnly(book) && tierBooks.pro!.has(book),
      all: (book) => !ownersOnly(book),
      owner: () => true,
    }
    const rungs = rungsOf(prices)
    if (rungs.size < 2) return null
    const standing = rungsOf(prices.map((row) => (stands(row) ? row : { ...row, isActive: false })))
    const lines = mainLineSets.map((set) => {
      const seen = [...standing]
        .map(([line, books]) => ({ line, books: [...books].filter(([book]) => sees[set](book)) }))
        .filter(({ books }) => books.length > 0)
      const bettable = (books: (typeof seen)[number]['books']) =>
        books.filter(([book]) => !references.has(book))
      const takers = (books: (typeof seen)[number]['books']) =>
        bettable(books).filter(([, of]) => of.some((price) => price > 0)).length
      const taken = seen.filter(({ books }) => takers(books) > 0)
      const among = taken.length > 0 ? taken : seen
      const sharp = sharpBooksOf(chain, of.league, sport).find((book) =>
        among.some(({ books }) => books.some(([name, of]) => name === book && isTwoSided(of))),
      )
      const byReference = (books: (typeof seen)[number]['books']) => {
        const found = books.find(([name, of]) => name === sharp && isTwoSided(of))
        return found ? apart(found[1]) : Number.POSITIVE_INFINITY
      }
      const bests = (books: (typeof seen)[number]['books']) =>
        apart(books[0]![1].map((_, at) => Math.max(0, ...bettable(books).map(([, of]) => of[at]!))))
      among.sort(
        sharp
          ? (a, b) => byReference(a.books) - byReference(b.books) || a.line - b.line
          : (a, b) =>
              takers(b.books) - takers(a.books) ||
              bests(a.books) - bests(b.books) ||
              a.line - b.line,
      )
      return among[0]?.line ?? null
    })
    const names = new Set([...rungs.values()].flatMap((books) => [...books.keys()]))
    const own = [...names].sort().flatMap((sportsbook) => {
      const of = [...rungs].filter(([, books]) => books.has(sportsbook))
      if (of.length < 2) return []
      const rank = ([line, books]: (typeof of)[number]) => [apart(books.get(sportsbook)!), line]
      of.sort((a, b) => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!)
      return [{ sportsbook, line: of[0]![0] }]
    })
    return { ...of, lines, own }
  }
}

/** Returns the question that a price answers; null for one without a line, or of none that has main lines. */
function placeIn(row: OddsRow, sport: string): Place | null {
  if (row.line === null) return null
  const sets = outcomesOf(row.marketType, sport)
  if (!sets?.some((types) => types.includes(row.selectionType))) return null
  const { eventId, marketType, playerName, isLive, league } = row
  const team = teamOf(row.selectionType)
  const of = { eventId, league, marketType, team, playerName, isLive }
  const set = sets.findIndex((types) => types.includes(row.selectionType))
  return { of, key: `${mainLineKey(of)}|${set}` }
}

function rungsOf(prices: readonly OddsRow[]): Map<number, Map<string, Prices>> {
  const rungs = new Map<number, Map<string, Prices>>()
  const types = [...new Set(prices.map(({ selectionType }) => selectionType))].sort()
  const line = (row: OddsRow) => homeLine(row.marketType, row.selectionType, row.line)! + 0
  for (const at of new Set(prices.map(line))) {
    const here = prices.filter((row) => line(row) === at)
    const books = new Map<string, Prices>()
    for (const book of new Set(here.map(({ sportsbook }) => sportsbook))) {
      const found = types.map((type) =>
        here.filter((row) => row.sportsbook === book && row.selectionType === type),
      )
      // If an outcome has several prices, it is unknown which one is meant.
      if (!found.some(({ length }) => length === 1)) continue
      books.set(
        book,
        found.map((of) => (of.length === 1 && of[0]!.isActive ? of[0]!.price : 0)),
      )
    }
    if (books.size > 0) rungs.set(at, books)
  }
  return rungs
}

const isTwoSided = (prices: Prices) => prices.filter((price) => price > 0).length > 1

/** Returns the distance from even: 1 if bets are taken on one side only, 2 if on none. */
function apart(prices: Prices): number {
  const implied = prices.filter((price) => price > 0).map((price) => 1 / price)
  if (implied.length < 2) return 2 - implied.length
  return Math.max(...implied) - Math.min(...implied)
}

function sharpBooksOf(chain: Chains, league: string, sport: string): readonly string[] {
  const ofGame =
    'usual' in chain ? (chain.own.get(league) ?? chain.own.get(sport) ?? chain.usual) : chain
  return ofGame.flatMap((anchor) =>
    typeof anchor === 'string' ? [anchor] : anchor.map(({ sportsbook }) => sportsbook),
  )
}
