/**
 * Finds the queries that may have news in a tick, by the events, leagues, sportsbooks and markets that they name. A
 * tick passes by all others, which cost it nothing. The index only narrows: the filter decides whether a row matches.
 */

import type { BoardView } from '../../../../pipeline/views/board/board-view.ts'
import type { OddsFilter } from '../../../../pipeline/views/query/odds-filter.ts'
import type { OddsTick } from '../../timeline/odds-tick.ts'

export interface QueryIndex<Query> {
  /** @param filter whose names of events, leagues, sportsbooks and markets stay */
  add(query: Query, filter: OddsFilter): void
  delete(query: Query): void
  /** Returns the queries that name what some change is of, or leave it open. */
  of(tick: OddsTick): ReadonlySet<Query>
}

/** The names in a query. Each combination of them leads to it. */
interface Names {
  /** Whether `games` are events, not leagues. */
  readonly isOfEvents: boolean
  readonly games: readonly string[]
  readonly sportsbooks: readonly string[]
  readonly markets: readonly string[]
}

/** Queries by game, sportsbook and market. */
type Tree<Query> = Map<string, Map<string, Map<string, Set<Query>>>>

/** Stands for all names of a list that a query leaves open. */
const any = ''
const open: readonly string[] = [any]
/** The most combinations that lead to one query. If it has more, its longest list counts as left open. */
const mostPaths = 32

export function createQueryIndex<Query>({
  sportsbooks,
}: Pick<BoardView, 'sportsbooks'>): QueryIndex<Query> {
  const namesOf = new Map<Query, Names>()
  const byEvent: Tree<Query> = new Map()
  const byLeague: Tree<Query> = new Map()
  const treeOf = ({ isOfEvents }: Names) => (isOfEvents ? byEvent : byLeague)

  return {
    add(query, filter) {
      const names = namesIn(filter)
      namesOf.set(query, names)
      const tree = treeOf(names)
      for (const game of names.games) {
        const ofGame = entryOf(tree, game, () => new Map())
        for (const sportsbook of names.sportsbooks) {
          const ofBook = entryOf(ofGame, sportsbook, () => new Map())
          for (const market of names.markets) entryOf(ofBook, market, () => new Set()).add(query)
        }
      }
    },

    delete(query) {
      const names = namesOf.get(query)
      if (!names) return
      namesOf.delete(query)
      const tree = treeOf(names)
      for (const game of names.games) {
        const ofGame = tree.get(game)!
        for (const sportsbook of names.sportsbooks) {
          const ofBook = ofGame.get(sportsbook)!
          for (const market of names.markets) {
            const queries = ofBook.get(market)!
            queries.delete(query)
            if (queries.size === 0) ofBook.delete(market)
          }
          if (ofBook.size === 0) ofGame.delete(sportsbook)
        }
        if (ofGame.size === 0) tree.delete(game)
      }
    },

    of({ changes }) {
      const found = new Set<Query>()
      const visited = new Set<ReadonlySet<Query>>()

      function visit(queries: ReadonlySet<Query> | undefined) {
        if (!queries || visited.has(queries)) return
        visited.add(queries)
        for (const query of queries) found.add(query)
      }

      function visitBook(ofBook: ReadonlyMap<string, Set<Query>> | undefined, market: string) {
        if (!ofBook) return
        visit(ofBook.get(market))
        visit(ofBook.get(any))
      }

      function visitGame(tree: Tree<Query>, game: string, sportsbook: string, market: string) {
        const ofGame = tree.get(game)
        if (!ofGame) return
        visitBook(ofGame.get(sportsbook), market)
        visitBook(ofGame.get(any), market)
      }

      for (const { book, block } of changes) {
        const { event, marketType } = block
        const sportsbook = sportsbooks[book]!
        visitGame(byLeague, event.row.league, sportsbook, marketType)
        visitGame(byLeague, any, sportsbook, marketType)
        visitGame(byEvent, event.id, sportsbook, marketType)
      }
      return found
    },
  }
}

function namesIn(filter: OddsFilter): Names {
  const { eventIds, leagues, sportsbooks, marketTypes, isMarketNamed } = filter
  const names = {
    games: unique(eventIds ?? leagues),
    sportsbooks: unique(sportsbooks),
    // Such a filter also matches market types that it does not name.
    markets: unique(isMarketNamed ? undefined : marketTypes),
  }
  for (;;) {
    const { games, sportsbooks, markets } = names
    if (games.length * sportsbooks.length * markets.length <= mostPaths) break
    const longest = Math.max(games.length, sportsbooks.length, markets.length)
    if (sportsbooks.length === longest) names.sportsbooks = open
    else if (markets.length === longest) names.markets = open
    else names.games = open
  }
  return { ...names, isOfEvents: eventIds !== undefined && names.games !== open }
}

const unique = (values: readonly string[] | undefined) => (values ? [...new Set(values)] : open)

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  let entry = map.get(name)
  if (!entry) {
    entry = create()
    map.set(name, entry)
  }
  return entry
}
