/** The table of main lines recomputed the plain way: from all prices, at every call, by the wording of the rule. */

import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { teamOf } from '../../pipeline/rules/odds/outcome-sets.ts'
import { homeLine, outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { type MainLineRow, mainLineKey, mainLineSets } from '../../schemas/main-line.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { tierBooks } from '../../schemas/reference/tier-books.ts'
import type { FoldedBoard } from './real-board.ts'

type Board = Pick<FoldedBoard, 'events' | 'odds' | 'sportsbookStatus'>

/** A sportsbook's prices of the outcomes on one rung, 0 where no bet is taken. */
type Prices = readonly number[]

/**
 * @param chain whose sportsbooks decide, those of blends too
 * @param stands whether a price is one that people can bet on now
 */
export function slowMainLines(
  board: Board,
  chain: Chains,
  stands: (row: OddsRow) => boolean = () => true,
): ReadonlyMap<string, MainLineRow> {
  const questions = new Map<string, { of: Omit<MainLineRow, 'lines' | 'own'>; prices: OddsRow[] }>()
  for (const row of board.odds.values()) {
    const event = board.events.get(row.eventId)
    if (!event || row.line === null) continue
    const sets = outcomesOf(row.marketType, event.sport)
    if (!sets?.some((types) => types.includes(row.selectionType))) continue
    const { eventId, marketType, playerName, isLive, league } = row
    const team = teamOf(row.selectionType)
    const of = { eventId, league, marketType, team, playerName, isLive }
    const key = `${mainLineKey(of)}|${sets.findIndex((types) => types.includes(row.selectionType))}`
    const known = questions.get(key) ?? { of, prices: [] }
    known.prices.push(row)
    questions.set(key, known)
  }

  const ownersOnly = (sportsbook: string) =>
    board.sportsbookStatus.get(sportsbook)?.audience === 'owner'
  const sees: Record<(typeof mainLineSets)[number], (sportsbook: string) => boolean> = {
    free: (book) => !ownersOnly(book) && tierBooks.free!.has(book),
    hobby: (book) => !ownersOnly(book) && tierBooks.hobby!.has(book),
    pro: (book) => !ownersOnly(book) && tierBooks.pro!.has(book),
    all: (book) => !ownersOnly(book),
    owner: () => true,
  }

  const sportOf = (eventId: string) => board.events.get(eventId)!.sport
  const rows = new Map<string, MainLineRow>()
  for (const { of, prices } of questions.values()) {
    const rungs = rungsOf(prices)
    if (rungs.size < 2) continue
    const standing = rungsOf(prices.map((row) => (stands(row) ? row : { ...row, isActive: false })))
    const lines = mainLineSets.map((set) => {
      const seen = [...standing]
        .map(([line, books]) => ({ line, books: [...books].filter(([book]) => sees[set](book)) }))
        .filter(({ books }) => books.length > 0)
      const sharp = sharpBooksOf(chain, of.league, sportOf(of.eventId)).find((book) =>
        seen.some(({ books }) => books.some(([name, of]) => name === book && isTwoSided(of))),
      )
      const byReference = (books: (typeof seen)[number]['books']) => {
        const found = books.find(([name, of]) => name === sharp && isTwoSided(of))
        return found ? apart(found[1]) : Number.POSITIVE_INFINITY
      }
      const takers = (books: (typeof seen)[number]['books']) =>
        books.filter(([, of]) => of.some((price) => price > 0)).length
      const bests = (books: (typeof seen)[number]['books']) =>
        apart(books[0]![1].map((_, at) => Math.max(...books.map(([, of]) => of[at]!))))
      seen.sort(
        sharp
          ? (a, b) => byReference(a.books) - byReference(b.books) || a.line - b.line
          : (a, b) =>
              takers(b.books) - takers(a.books) ||
              bests(a.books) - bests(b.books) ||
              a.line - b.line,
      )
      return seen[0]?.line ?? null
    })
    const names = new Set([...rungs.values()].flatMap((books) => [...books.keys()]))
    const own = [...names].sort().flatMap((sportsbook) => {
      const of = [...rungs].filter(([, books]) => books.has(sportsbook))
      if (of.length < 2) return []
      const rank = ([line, books]: (typeof of)[number]) => [apart(books.get(sportsbook)!), line]
      of.sort((a, b) => rank(a)[0]! - rank(b)[0]! || rank(a)[1]! - rank(b)[1]!)
      return [{ sportsbook, line: of[0]![0] }]
    })
    const row = { ...of, lines, own }
    rows.set(mainLineKey(row), row)
  }
  return rows
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
