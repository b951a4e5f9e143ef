/**
 * The API of `served-api.ts` over the board in a log's directory, for `rest.ts`.
 *
 *     node build/benchmarks/rest-server.js <directory made by million-rows.js> <directory for accounts> [plans-only | moving] [tier]
 *
 * With `plans-only` no bodies are cached. With `moving` the parent can change prices. With a tier, the account has its
 * limits. Two things differ from a real service: the key's limit is a billion requests a minute (counted and checked as
 * usual), and the clock starts at the log's newest sighting and runs at a hundredth of its pace, so that no price
 * becomes too old for `/odds/best`.
 *
 * Sends a `ServedBoard` to its parent; takes `Order`s from it.
 */

import { readFileSync } from 'node:fs'
import type { Boards } from '../api/boards.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { countLevel, eventListKey } from '../pipeline/views/board/board-index.ts'
import type { BoardView } from '../pipeline/views/board/board-view.ts'
import type { Tier } from '../schemas/reference/tier-books.ts'
import { createMovedPrices } from './moved-prices.ts'
import { serveStatic } from './rest-static.ts'
import { newestSighting, openServedApi } from './served-api.ts'

export interface ServedBoard {
  readonly port: number
  readonly key: string
  readonly rows: number
  readonly eventCount: number
  /** Leagues with at least a page of rows, largest first. */
  readonly leagues: readonly { readonly league: string; readonly rows: number }[]
  /** Every second sportsbook. */
  readonly sportsbooks: readonly string[]
  readonly allSportsbooks: number
  /** League markets with at least a page of rows at these sportsbooks, largest first. */
  readonly leagueMarkets: readonly LeagueMarket[]
  /** Ids of events with many prices, spread over the board. */
  readonly events: readonly string[]
}

export interface LeagueMarket {
  readonly league: string
  readonly market: string
  readonly rows: number
}

/**
 * `static` opens a listener with static pages in this process; the response is `{ port }`. `changesPerSecond` sets
 * the rate of price changes, 0 for none; the response is `Applied`, for the time since the last order.
 * `measuresTurns` starts or ends measuring turns of the event loop; the response to the end is `LongestTurn`.
 */
export type Order =
  | { readonly static: readonly number[] }
  | { readonly changesPerSecond: number }
  | { readonly measuresTurns: boolean }

export interface Applied {
  readonly changes: number
  readonly seconds: number
}

/** The longest turn of the event loop. Others wait at least as long. */
export interface LongestTurn {
  /** CPU time of the thread. */
  readonly longestTurnMs: number
}

const pageRows = 50
const slowness = 100
const comparedEvents = 200

const tickMs = 10

const [, , path, accountsPath, mode, tier] = process.argv
if (!path || !accountsPath) {
  throw new Error('usage: rest-server.js <directory> <accounts directory> [plans-only | moving]')
}

const log = await openEmbeddedLog({ path })
const now = await newestSighting(log)
const startedAt = Date.now()
const clock = () => now + Math.floor((Date.now() - startedAt) / slowness)

process.once('disconnect', () => process.exit(0))
const prices = createMovedPrices(log)
const { port, key, boards, following } = await openServedApi({
  log: mode === 'moving' ? prices.log : log,
  accountsPath,
  clock,
  ...(mode === 'plans-only' && { bodyBytes: 0 }),
  ...(tier && { tier: tier as Tier }),
})

if (mode === 'moving') prices.encode(now)
const stream = createStream(boards)
const turnMeter = createTurnMeter()
process.on('message', async (order: Order) => {
  if ('static' in order) process.send?.({ port: await serveStatic(order.static) })
  else if ('measuresTurns' in order) {
    if (order.measuresTurns) turnMeter.begin()
    else process.send?.(turnMeter.end())
  } else process.send?.(stream.setRate(order.changesPerSecond))
})
globalThis.gc?.()
process.send?.(describe(boards.live))
await following

function describe(board: BoardView): ServedBoard {
  const sportsbooks = [...board.sportsbooksWithRows()].sort().filter((_, i) => i % 2 === 0)
  const numbers = sportsbooks.map((sportsbook) => board.book(sportsbook)!)
  const byRows = (a: { rows: number }, b: { rows: number }) => b.rows - a.rows
  const leagues = board
    .leagues()
    .map((of) => ({
      league: of.league,
      rows: board.total(countLevel.league(of), undefined, undefined),
    }))
    .filter(({ rows }) => rows >= pageRows)
    .sort(byRows)
  const leagueMarkets = board
    .leagues()
    .flatMap((of) =>
      board.marketTypes().map((market) => ({
        league: of.league,
        market,
        rows: board.total(countLevel.leagueMarket(of, market), numbers, undefined),
      })),
    )
    .filter(({ rows }) => rows >= pageRows)
    .sort(byRows)
  const many = board.events(eventListKey.all).filter(({ rowCount }) => rowCount >= 200)
  const step = Math.max(1, Math.floor(many.length / comparedEvents))
  return {
    port,
    key,
    rows: board.rows.size,
    eventCount: board.eventCount,
    leagues,
    sportsbooks,
    allSportsbooks: board.sportsbooksWithRows().length,
    leagueMarkets,
    events: many.filter((_, i) => i % step === 0).map(({ id }) => id),
  }
}

// ---- changes

/** Decodes and applies changes at a rate, like a follower. */
function createStream(boards: Boards) {
  let rate = 0
  let since = performance.now()
  let applied = 0
  let timer: NodeJS.Timeout | undefined

  function tick() {
    const due = Math.floor((rate * (performance.now() - since)) / 1_000)
    if (due > applied) prices.move(boards, due - applied, clock())
    applied = Math.max(applied, due)
  }

  return {
    setRate(changesPerSecond: number): Applied {
      if (changesPerSecond > 0 && mode !== 'moving') throw new Error('only moving has rows to move')
      const before = { changes: applied, seconds: (performance.now() - since) / 1_000 }
      clearInterval(timer)
      rate = changesPerSecond
      since = performance.now()
      applied = 0
      if (rate > 0) timer = setInterval(tick, tickMs)
      return before
    },
  }
}

// ---- turns

function createTurnMeter() {
  let next: NodeJS.Immediate | undefined
  let before = 0
  let longest = 0

  /** CPU time of this thread, by the kernel. */
  const spentMs = () =>
    Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6

  function turn() {
    const now = spentMs()
    longest = Math.max(longest, now - before)
    before = now
    next = setImmediate(turn)
  }

  return {
    begin() {
      before = spentMs()
      longest = 0
      next = setImmediate(turn)
    },
    end(): LongestTurn {
      clearImmediate(next)
      return { longestTurnMs: longest }
    },
  }
}
