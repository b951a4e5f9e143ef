/**
 * The API with its streams (`served-api.ts`) over the board in a log's directory, for `streams.ts`.
 *
 *     node build/benchmarks/stream-server.js <directory made by million-rows.js> <directory for accounts>
 *
 * Emits price changes at a rate, as records after the end of the log: they go through everything but the log's writing
 * and reading. A change carries the time it was due, by the machine's clock.
 *
 * Sends `ServedStreams` to its parent; takes `StreamOrder`s from it.
 */

import { openEmbeddedLog } from '../pipeline/log/embedded/embedded-log.ts'
import type { Log, LogRecord, Position } from '../pipeline/log/log.ts'
import { countLevel, eventListKey } from '../pipeline/views/board/board-index.ts'
import type { BoardView } from '../pipeline/views/board/board-view.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { topics } from '../schemas/topics.ts'
import { openServedApi } from './served-api.ts'

export interface ServedStreams {
  readonly port: number
  readonly key: string
  readonly rows: number
  /** The league and market that all readers of the same rows follow. */
  readonly hot: LeagueMarket
  /** Twenty more groups of equal size. Each reader follows one. */
  readonly twentieths: readonly LeagueMarket[]
  /** Leagues with about 100,000 prices in all, without the hot one. */
  readonly large: { readonly leagues: readonly string[]; readonly rows: number }
  /** An event with few prices, which do not change. */
  readonly quietEvent: string
}

export interface LeagueMarket {
  readonly league: string
  readonly market: string
  readonly rows: number
}

/**
 * Sets the rate of price changes, over the rows of this group in turn; 0 for none. The response is `Changed`, for the
 * time since the last order.
 */
export type StreamOrder =
  | { readonly changesPerSecond: number; readonly of: 'hot' | 'twentieths' }
  | StateOrder

/** Requests only a response, at once or after a full garbage collection. */
export interface StateOrder {
  readonly collect: boolean
}

export interface Changed {
  readonly changes: number
  /** Open streams. */
  readonly streams: number
}

/** Least rows of a group. With fewer, a tick would change a row twice and send it once. */
const leastHotRows = 400
const twentiethCount = 20
const leastTwentiethRows = 500
const largeRows = 100_000
/** Time between chunks of changes, as of a busy follower. */
const chunkEveryMs = 2
const chunkRecords = 1_000

const [, , path, accountsPath] = process.argv
if (!path || !accountsPath) {
  throw new Error('usage: stream-server.js <directory> <accounts directory>')
}

process.once('disconnect', () => process.exit(0))
const log = withChanges(await openEmbeddedLog({ path }))
const clock = Date.now
const { port, key, keyId, boards, streams, following } = await openServedApi({
  log,
  accountsPath,
  clock,
})

const served = describe(boards.live)
const changes = createChanges(await rowsOf([served.hot, ...served.twentieths]))
process.on('message', (order: StreamOrder) => {
  if ('collect' in order && order.collect) globalThis.gc?.()
  process.send?.(
    'collect' in order ? changes.counts() : changes.setRate(order.changesPerSecond, order.of),
  )
})
globalThis.gc?.()
process.send?.(served)
await following

// ---- groups of rows

function describe(board: BoardView): ServedStreams {
  const leagueMarkets = board
    .leagues()
    .flatMap((of) =>
      board.marketTypes().map((market) => ({
        league: of.league,
        market,
        rows: board.total(countLevel.leagueMarket(of, market), undefined, undefined),
      })),
    )
    .sort((a, b) => a.rows - b.rows)
  const hot = leagueMarkets.find(({ rows }) => rows >= leastHotRows)
  const others = leagueMarkets.filter((of) => of !== hot && of.rows >= leastTwentiethRows)
  if (!hot || others.length < twentiethCount) throw new Error('the board is too small')
  const leagues: string[] = []
  let rows = 0
  for (const of of board.leagues()) {
    const more = board.total(countLevel.league(of), undefined, undefined)
    if (of.league === hot.league || rows + more > largeRows * 1.02) continue
    leagues.push(of.league)
    rows += more
  }
  const changed = new Set([hot, ...others].map(({ league }) => league))
  const events = board.events(eventListKey.all)
  const quiet = events.filter(({ row }) => !changed.has(row.league))
  const [quietEvent] = (quiet.length > 0 ? quiet : [...events]).toSorted(
    (a, b) => a.rowCount - b.rowCount,
  )
  return {
    port,
    key,
    rows: board.rows.size,
    hot,
    twentieths: others.slice(0, twentiethCount),
    large: { leagues, rows },
    quietEvent: quietEvent!.row.id,
  }
}

/** Reads the rows of each group from the log. */
async function rowsOf(wanted: readonly LeagueMarket[]): Promise<Map<LeagueMarket, OddsRow[]>> {
  const nameOf = (league: string, market: string) => `${league} ${market}`
  const byName = new Map(wanted.map((of) => [nameOf(of.league, of.market), [] as OddsRow[]]))
  const partitions = Array.from({ length: log.partitionCount }, (_, partition) => partition)
  const { signal } = new AbortController()
  for await (const records of log.replay([topics.odds], { partitions, signal })) {
    for (const { value } of records) {
      const row = value as OddsRow
      byName.get(nameOf(row.league, row.marketType))?.push(row)
    }
  }
  return new Map(wanted.map((of) => [of, byName.get(nameOf(of.league, of.market))!]))
}

// ---- changes

/** A log whose followers also get emitted records, after all others. */
function withChanges(source: Log): Log & { emit(records: readonly LogRecord[]): void } {
  const queues = new Set<(records: readonly LogRecord[]) => void>()

  /** The position advances with emitted records. */
  function advanced({ epoch, offsets }: Position, by: number): Position {
    const [first = 0, ...others] = offsets[topics.odds.name] ?? []
    return { epoch, offsets: { ...offsets, [topics.odds.name]: [first + by, ...others] } }
  }

  return {
    ...source,
    emit: (records) => {
      for (const put of queues) put(records)
    },
    async *follow(followed, options) {
      let position: Position | undefined
      for await (const chunk of source.follow(followed, options)) {
        yield chunk
        position = chunk.position
        if (chunk.caughtUp) break
      }
      // Nobody else writes to this log.
      if (!position || !followed.includes(topics.odds)) return
      let waiting: (readonly LogRecord[])[] = []
      let wake = () => {}
      const put = (records: readonly LogRecord[]) => {
        waiting.push(records)
        wake()
      }
      queues.add(put)
      options.signal.addEventListener('abort', () => wake(), { once: true })
      while (!options.signal.aborted) {
        const taken = waiting
        waiting = []
        for (const records of taken) {
          position = advanced(position, records.length)
          yield { reset: false, records, position, caughtUp: true }
        }
        if (waiting.length > 0) continue
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      queues.delete(put)
    },
  }
}

interface Moved {
  readonly key: string
  /** A row encoded with each of its two prices. */
  readonly encoded: readonly [Buffer, Buffer]
}

/** Rows that change in turn, each to its other price. */
interface Turn {
  readonly rows: readonly Moved[]
  next: number
}

function createChanges(rowsBy: ReadonlyMap<LeagueMarket, readonly OddsRow[]>) {
  const movedOf = (of: LeagueMarket) => shuffled(rowsBy.get(of) ?? []).map(moved)
  const hot: Turn = { rows: movedOf(served.hot), next: 0 }
  const lists = served.twentieths.map(movedOf)
  const longest = Math.max(...lists.map(({ length }) => length))
  // Alternate between the twentieths, so that all have equally many changes.
  const turns = Array.from({ length: longest * lists.length }, (_, i) => {
    const list = lists[i % lists.length]!
    return list[Math.floor(i / lists.length) % list.length]!
  })
  const twentieths: Turn = { rows: turns, next: 0 }
  let turn = hot
  let rate = 0
  let since = 0
  let done = 0
  let offset = 0
  let timer: NodeJS.Timeout | undefined

  function change(at: number): LogRecord {
    const { key: id, encoded } = turn.rows[turn.next % turn.rows.length]!
    const price = Math.floor(turn.next / turn.rows.length) % 2
    turn.next++
    const row = topics.odds.decode(encoded[price]!)
    const value: OddsRow = Object.assign(row, { observedAt: at, changedAt: at })
    return { topic: topics.odds, partition: 0, offset: offset++, key: id, value }
  }

  function emitDue() {
    const now = clock()
    let records: LogRecord[] = []
    for (;;) {
      const at = Math.floor(since + (1_000 * (done + 1)) / rate)
      if (at > now) break
      records.push(change(at))
      done++
      if (records.length === chunkRecords) {
        log.emit(records)
        records = []
      }
    }
    if (records.length > 0) log.emit(records)
  }

  const counts = (): Changed => ({ changes: done, streams: streams.active(keyId) })

  return {
    counts: counts,
    setRate(changesPerSecond: number, of: 'hot' | 'twentieths'): Changed {
      const before = counts()
      clearInterval(timer)
      turn = of === 'hot' ? hot : twentieths
      rate = changesPerSecond
      since = clock()
      done = 0
      if (rate > 0) timer = setInterval(emitDue, chunkEveryMs)
      return before
    },
  }
}

/** Scatters rows, because rows of one sportsbook and event are neighbours on the log. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  // A step that is coprime to the count visits each once.
  return items.map((_, i) => items[(i * 7_919) % items.length]!)
}

function moved(row: OddsRow): Moved {
  const at = (by: number) => {
    const price = Math.round((row.price + by) * 1_000) / 1_000
    return topics.odds.encode({ ...row, price })
  }
  return { key: String(row.id), encoded: [at(0.02), at(0)] }
}
