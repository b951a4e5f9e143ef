/**
 * Finds the queries that may have news in a tick, and the changes that may be news, by the events, leagues, sportsbooks
 * and markets that queries name. A tick passes by all others, which cost it nothing. The index only narrows: the filter
 * decides whether a row matches.
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
  /** Returns the changes of the last `of` that may concern a query. */
  rangesOf(query: Query): Ranges
}

/** Ranges of indexes, ascending: from, to, from, to and so on. */
export type Ranges = readonly number[]

/** A query in the index. */
interface Entry<Query> {
  readonly query: Query
  readonly names: Names
  /** The call of `of` that found it last, and the changes found then. */
  foundBy: number
  readonly ranges: number[]
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
type Tree<Query> = Map<string, OfGame<Query>>
type OfGame<Query> = Map<string, OfBook<Query>>
type OfBook<Query> = Map<string, Set<Entry<Query>>>

/** Stands for all names of a list that a query leaves open. */
const any = ''
const open: readonly string[] = [any]
/** The most combinations that lead to one query. If it has more, its longest list counts as left open. */
const mostPaths = 32

export function createQueryIndex<Query>({
  sportsbooks,
}: Pick<BoardView, 'sportsbooks'>): QueryIndex<Query> {
  const entries = new Map<Query, Entry<Query>>()
  const byEvent: Tree<Query> = new Map()
  const byLeague: Tree<Query> = new Map()
  const treeOf = ({ isOfEvents }: Names) => (isOfEvents ? byEvent : byLeague)
  let calls = 0
  let found = new Set<Query>()

  function find(some: ReadonlySet<Entry<Query>> | undefined, from: number, to: number) {
    if (!some) return
    for (const entry of some) {
      const { ranges } = entry
      if (entry.foundBy !== calls) {
        entry.foundBy = calls
        ranges.length = 0
        found.add(entry.query)
      }
      const end = ranges.length > 0 ? ranges[ranges.length - 1]! : -1
      // Several paths lead from a change to a query only if something on the board has no name.
      if (end >= to) continue
      if (end === from) ranges[ranges.length - 1] = to
      else ranges.push(from, to)
    }
  }

  return {
    add(query, filter) {
      const names = namesIn(filter)
      const entry: Entry<Query> = { query, names, foundBy: 0, ranges: [] }
      entries.set(query, entry)
      const tree = treeOf(names)
      for (const game of names.games) {
        const ofGame = entryOf(tree, game, () => new Map())
        for (const sportsbook of names.sportsbooks) {
          const ofBook = entryOf(ofGame, sportsbook, () => new Map())
          for (const market of names.markets) entryOf(ofBook, market, () => new Set()).add(entry)
        }
      }
    },

    delete(query) {
      const entry = entries.get(query)
      if (!entry) return
      entries.delete(query)
      const { names } = entry
      const tree = treeOf(names)
      for (const game of names.games) {
        const ofGame = tree.get(game)!
        for (const sportsbook of names.sportsbooks) {
          const ofBook = ofGame.get(sportsbook)!
          for (const market of names.markets) {
            const queries = ofBook.get(market)!
            queries.delete(entry)
            if (queries.size === 0) ofBook.delete(market)
          }
          if (ofBook.size === 0) ofGame.delete(sportsbook)
        }
        if (ofGame.size === 0) tree.delete(game)
      }
    },

    of({ changes, parts }) {
      calls++
      found = new Set()
      const anyLeague = byLeague.get(any)
      for (const { league, book, from, to } of parts) {
        const sportsbook = sportsbooks[book]!
        const ofLeague = byLeague.get(league)
        const books = [
          ofLeague?.get(sportsbook),
          ofLeague?.get(any),
          anyLeague?.get(sportsbook),
          anyLeague?.get(any),
        ]
        for (const ofBook of books) find(ofBook?.get(any), from, to)
        for (let at = from; at < to; ) {
          const { block } = changes[at]!
          const first = at
          while (at < to && changes[at]!.block === block) at++
          const { event, marketType } = block
          for (const ofBook of books) find(ofBook?.get(marketType), first, at)
          const ofEvent = byEvent.get(event.id)
          if (!ofEvent) continue
          for (const ofBook of [ofEvent.get(sportsbook), ofEvent.get(any)]) {
            find(ofBook?.get(marketType), first, at)
            find(ofBook?.get(any), first, at)
          }
        }
      }
      return found
    },

    rangesOf(query) {
      const entry = entries.get(query)
      return entry?.foundBy === calls ? entry.ranges : none
    },
  }
}

const none: Ranges = []

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
