/**
 * The CPU cost of expensive reads by route, without sockets and without cached bodies, on an unchanging board and on
 * one that changes between reads.
 *
 *     node --expose-gc build/benchmarks/reads.js <directory made by million-rows.js> [part of a name ...]
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plain } from '../api/answer/codings.ts'
import { createCompressor } from '../api/answer/compressor.ts'
import { createReads } from '../api/answer/reads.ts'
import { readQuery } from '../api/ask/read-query.ts'
import type { Answer, InPieces, KeyAction, ReadRoute } from '../api/route.ts'
import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import { countLevel, eventListKey } from '../pipeline/views/board/board-index.ts'
import { createQueryReader } from '../schemas/http/query.ts'
import { emptyProfile } from '../schemas/profile.ts'
import { median, printResults, type Result, rounded } from './measure.ts'
import { createMovedPrices } from './moved-prices.ts'
import { newestSighting, openServedApi } from './served-api.ts'

const [, , path, ...parts] = process.argv
if (!path) throw new Error('usage: reads.js <directory> [part of a name ...]')

/** Changes between two reads. With `paused` the views have finished their postponed work. */
const moves = { still: 0, moving: 200, fast: 2_000, paused: 2_000 } as const
type Pace = keyof typeof moves
const rounds = 25

const accountsPath = await mkdtemp(join(tmpdir(), 'overround-reads-'))
const log = await openEmbeddedLog({ path })
const now = await newestSighting(log)
const prices = createMovedPrices(log)
const clock = () => now
const served = await openServedApi({ log: prices.log, accountsPath, clock, bodyBytes: 0 })
const { live: board } = served.boards
prices.encode(now)
const { opportunities } = served.boards
doDeferred()
const scope = served.streams.scopes.of({ tier: 'enterprise', isOwner: false })
const reads = createReads({ bodyBytes: 0, compressor: createCompressor() })

const byRows = (a: { rows: number }, b: { rows: number }) => b.rows - a.rows
const leagues = board
  .leagues()
  .map((of) => ({ of, rows: board.total(countLevel.league(of), undefined, undefined) }))
  .sort(byRows)
const { league } = leagues[0]!.of
const events = board.events(eventListKey.all).toSorted((a, b) => b.rowCount - a.rowCount)
/** Events with up to about 400 KB of prices. */
const middling = events.filter(({ rowCount }) => rowCount <= 550)
const books = board.sportsbooksWithRows().toSorted()
const halfOfBooks = books.filter((_, i) => i % 2 === 0).join()

interface Read {
  readonly name: string
  readonly paces: readonly Pace[]
  readonly goal?: string
  /** @returns the size of the response in bytes */
  answer(): number
}

const read = (
  name: string,
  path: string,
  query: string,
  goal = '',
  paces: readonly Pace[] = ['still', 'moving'],
): Read => {
  const route = served.routes.find(
    (route): route is ReadRoute => route.kind === 'read' && route.path === `/api/v1/${path}`,
  )!
  const store = reads.openStore('enterprise')
  const take = createQueryReader(route.query, [])
  const plan = store.plan(null, () =>
    route.prepare({
      query: readQuery(take, route.query, query),
      path: {},
      scope,
      profile: emptyProfile(''),
    }),
  )
  return {
    name,
    paces,
    goal,
    answer() {
      const steps = plan.prepared.ahead && store.ahead(plan, now)
      while (steps && !steps.next().done) {}
      return (store.answer(plan, '', now, plain).body as Uint8Array).length
    },
  }
}

const inPieces: InPieces = (steps, finish) => {
  while (!steps.next().done) {}
  return finish()
}

type Context = Parameters<KeyAction['handle']>[0]

const batch = (count: number): Read => {
  const route = served.routes.find(({ path }) => path === '/api/v1/odds/batch') as KeyAction
  const body = { event_ids: middling.slice(0, count).map(({ id }) => id) }
  const context = {
    ...{ query: {}, path: {}, contentType: 'application/json', body, scope, inPieces },
    profile: emptyProfile(''),
  }
  return {
    name: `batch of ${count} events`,
    paces: ['still', 'moving'],
    goal: '<= 20',
    answer() {
      const { body, sent } = route.handle(context as unknown as Context) as Answer
      sent?.()
      return (body as Uint8Array).length
    },
  }
}

const fast: readonly Pace[] = ['still', 'fast', 'paused']
const all: readonly Read[] = [
  read(
    'main lines of a league and market',
    'odds',
    `limit=50&league=${league}&market=point_spread&is_main_line=true`,
    '<= 0.15',
  ),
  read('popular page, filtered', 'odds', `limit=50&league=${league}&sportsbook=${halfOfBooks}`),
  read(
    'popular page, main lines',
    'odds',
    `limit=50&league=${league}&sportsbook=${halfOfBooks}&is_main_line=true`,
  ),
  ...['middles', 'low_hold', 'ev', 'arbitrage'].map((kind) =>
    read(kind, `opportunities/${kind}`, 'limit=50', '<= 1', fast),
  ),
  batch(20),
  read('comparison', 'odds/comparison', `event_id=${events[0]!.id}`, '<= 1'),
  read('best of a league', 'odds/best', `limit=50&league=${league}`, '<= 1'),
  read(
    'best of a league, sportsbooks',
    'odds/best',
    `limit=50&league=${league}&sportsbook=${halfOfBooks}`,
    '<= 1',
  ),
  read('odds, min_odds', 'odds', 'limit=50&min_odds=2000', '<= 0.2'),
  read('odds, min_odds and max_odds', 'odds', 'limit=50&min_odds=150&max_odds=900', '<= 0.2'),
  read(
    'odds, min_odds, sportsbooks',
    'odds',
    `limit=50&min_odds=150&sportsbook=${halfOfBooks}`,
    '<= 0.2',
  ),
  read('odds, q', 'odds', 'limit=50&q=united', '<= 0.2'),
  read('events, q', 'events', 'limit=50&q=united', '<= 0.2'),
  read('events', 'events', 'limit=50', '<= 0.2'),
]

function doDeferred() {
  while (board.doDeferred?.() || opportunities.doDeferred?.()) {}
}

const spentMs = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

const results: Result[] = []
const chosen = all.filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
)
const rowCount = board.rows.size
for (const { name, paces, goal = '', answer } of chosen) {
  const figures: Record<string, number | string> = {}
  let value = 0
  for (const pace of paces) {
    let bytes = 0
    const rates: number[] = []
    const costs: number[] = []
    // Reads shorter than the resolution of CPU time are repeated.
    const times = pace === 'still' ? timesOf(answer) : 1
    for (let round = 0; round < (pace === 'still' ? rounds : 4 * rounds); round++) {
      const beforeMoves = process.cpuUsage()
      prices.move(served.boards, moves[pace], now)
      costs.push(spentMs(beforeMoves))
      if (pace === 'paused') doDeferred()
      const before = process.cpuUsage()
      for (let i = 0; i < times; i++) bytes = answer()
      rates.push(spentMs(before) / times)
    }
    value = rounded(median(rates), 3)
    figures[pace] = value
    if (moves[pace] > 0)
      figures[`us/change ${pace}`] = rounded((1_000 * median(costs)) / moves[pace], 1)
    figures.KB = rounded(bytes / 1_000, 1)
  }
  results.push({
    name: `${name}, ${rowCount.toLocaleString('en')} prices`,
    unit: 'ms',
    value,
    figures,
    goal,
  })
  console.error(name, figures, goal)
}
printResults(results)
await rm(accountsPath, { recursive: true })
process.exit(0)

function timesOf(answer: () => number): number {
  const before = performance.now()
  let times = 0
  while (performance.now() - before < 50) {
    answer()
    times++
  }
  return Math.max(1, Math.round(times / 5))
}
