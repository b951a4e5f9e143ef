/** `best` and `top`: the best price of each outcome, once or as a live table. */

import { isOutOfPlay } from '../../pipeline/rules/odds/behind-play.ts'
import { isComparable } from '../../pipeline/rules/odds/in-play-handicaps.ts'
import type { EventStatus } from '../../schemas/feed-record.ts'
import { questionOf } from '../../schemas/reference/markets.ts'
import type { Client, OddsItem } from '../clients/typescript/src/index.ts'
import { aborted, followBoard, namedFilters } from './followed-board.ts'
import { american, lineText, type Style, tableOf, withheldText } from './terminal.ts'

export interface BoardQuery {
  readonly league: readonly string[]
  readonly market: string
  readonly limit: number
}

export interface BestPrice {
  readonly event: string
  readonly startsAt: string
  readonly market: string
  readonly selection: string
  readonly line: number | null
  readonly american: number
  readonly decimal: number
  readonly sportsbook: string
  /** Number of sportsbooks that offer the outcome. Withheld prices count only if all are withheld. */
  readonly sportsbooks: number
  /** Why the price is withheld, if all prices of the outcome are; else null. */
  readonly withheld: string | null
}

// Most important columns first, because a narrow terminal cuts off the end.
const head = ['start (UTC)', 'selection', 'line', 'best', 'sportsbook', 'books', 'event', 'market']
const right = new Set(['line', 'best', 'books'])

/** Reads the current board over REST. @param note called with a sentence on prices that are not compared, if any */
export async function readBest(
  client: Client,
  query: BoardQuery,
  note: (text: string) => void = () => {},
): Promise<readonly BestPrice[]> {
  const { market } = query
  const filters = { league: joined(query.league), market, is_main_line: true }
  const games = await readGames(client, query)
  const rows: OddsItem[] = []
  for await (const row of client.items('/odds', { query: { ...filters, limit: 200 } as never })) {
    rows.push(row as unknown as OddsItem)
  }
  let uncompared = 0
  const prices = bestOf(rows, games, query.limit, () => uncompared++)
  if (uncompared > 0) note(uncomparedText(uncompared))
  return prices
}

const uncomparedText = (count: number) =>
  `Not compared: ${count} prices of soccer handicaps in play, which sportsbooks settle in two ways.`

/** Returns undefined, which is all, for an empty list. */
const joined = (names: readonly string[]) => (names.length > 0 ? names.join(',') : undefined)

/** The state of a game, which its prices do not say. A stream sends no sightings, so a row has no age. */
interface Game {
  readonly isLive: boolean
  readonly status: EventStatus
  /** The sportsbooks whose prices are too old to be the best. */
  readonly staleBooks: readonly string[]
}

/** By event id. */
export type Games = ReadonlyMap<string, Game>

/** @param inPlay reads those in play alone */
async function readGames(client: Client, { league }: BoardQuery, inPlay = false): Promise<Games> {
  const games = new Map<string, Game>()
  const query = { league: joined(league), ...(inPlay && { live: true }), limit: 200 }
  for await (const game of client.items('/events', { query: query as never })) {
    const { is_live: isLive, event_status: status, stale_books: staleBooks = [] } = game
    games.set(game.id, { isLive, status, staleBooks })
  }
  return games
}

/**
 * Returns the best price of each outcome, by start of the event. Suspended prices, those that are
 * too old, those that `isOutOfPlay` leaves out and those that are not comparable do not count,
 * withheld ones only if all are withheld.
 * @param games a game that is missing is one to come
 * @param leftOut called for each price that is not comparable
 */
export function bestOf(
  rows: Iterable<OddsItem>,
  games: Games,
  limit: number,
  leftOut: () => void = () => {},
): readonly BestPrice[] {
  const best = new Map<string, { row: OddsItem; count: number }>()
  for (const row of rows) {
    if (row.is_active === false || typeof row.odds_decimal !== 'number') continue
    const { event_id, market_type, selection, line } = row
    const game = games.get(event_id)
    const isLive = row.is_live === true
    if (game && isOutOfPlay(isLive, game)) continue
    if (!isComparable(questionOf(market_type).answers, row.sport, isLive)) {
      leftOut()
      continue
    }
    if (game?.staleBooks.includes(row.sportsbook)) continue
    const answer = JSON.stringify([event_id, market_type, selection, line])
    const found = best.get(answer)
    if (!found || (isWithheld(found.row) && !isWithheld(row))) best.set(answer, { row, count: 1 })
    else if (isWithheld(row) === isWithheld(found.row)) {
      found.count++
      if (row.odds_decimal > (found.row.odds_decimal as number)) found.row = row
    }
  }
  return [...best.values()]
    .map(({ row, count }) => ({
      event: `${row.away_team} @ ${row.home_team}`,
      startsAt: String(row.event_start_time),
      market: row.market_type,
      selection: String(row.selection),
      line: (row.line as number | null | undefined) ?? null,
      american: row.odds_american as number,
      decimal: row.odds_decimal as number,
      sportsbook: row.sportsbook,
      sportsbooks: count,
      withheld: (row.withheld as string | null | undefined) ?? null,
    }))
    .sort(byStart)
    .slice(0, limit)
}

const isWithheld = (row: OddsItem) => (row.withheld ?? null) !== null

function byStart(a: BestPrice, b: BestPrice): number {
  return (
    compare(a.startsAt, b.startsAt) ||
    compare(a.event, b.event) ||
    compare(a.market, b.market) ||
    compare(a.selection, b.selection)
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function bestTable(prices: readonly BestPrice[], style: Style): string {
  return tableOf(
    head,
    prices.map((price) => [
      `${price.startsAt.slice(5, 10)} ${price.startsAt.slice(11, 16)}`,
      price.selection,
      lineText(price.line),
      american(price.american),
      [price.sportsbook, withheldText(price.withheld)].filter(Boolean).join(' '),
      String(price.sportsbooks),
      price.event,
      price.market,
    ]),
    style,
    right,
  )
}

const frameEveryMs = 500
/** How often the games in play are read. */
const gamesEveryMs = 10_000
/**
 * One of this many readings has all games: they take many pages, and a free key has few requests.
 */
const allGamesEvery = 6

/** Keeps the games of a board by repeated readings, one at a time. */
export function keepGames(client: Client, query: BoardQuery) {
  let games: Games = new Map()
  let readings = 0
  let isReading = false
  return {
    now: () => games,
    async read() {
      if (isReading) return
      isReading = true
      try {
        const inPlay = readings % allGamesEvery > 0
        const read = await readGames(client, query, inPlay)
        games = inPlay ? new Map([...notInPlay(games), ...read]) : read
        readings++
      } finally {
        isReading = false
      }
    },
  }
}

const notInPlay = (games: Games) =>
  [...games].map(([id, game]) => [id, { ...game, isLive: false }] as const)

const enterScreen = '\x1b[?1049h\x1b[?25l'
const leaveScreen = '\x1b[?25h\x1b[?1049l'

/**
 * Redraws the table as prices move, until `signal` aborts or `q` is pressed.
 * @throws OverroundError when there is no service, or it refuses the stream, in the beginning or later
 */
export async function watchBest(
  client: Client,
  query: BoardQuery,
  style: Style,
  signal: AbortSignal,
): Promise<void> {
  const { league, market, limit } = query
  const keys = listenForQuit(process.stdin)
  const ended = AbortSignal.any([signal, keys.quit])
  const filters = { ...namedFilters({ league }), market: [market], is_main_line: true }
  const games = keepGames(client, query)
  try {
    await Promise.race([games.read(), aborted(ended)])
    if (ended.aborted) return
    await followBoard(client, filters, ended, (board) => {
      process.stdout.write(enterScreen)
      const draw = () => {
        const room = Math.max(1, (process.stdout.rows ?? 24) - 3)
        let uncompared = 0
        const most = Math.min(limit, room)
        const prices = bestOf(board.rows.values(), games.now(), most, () => uncompared++)
        const width = process.stdout.columns ?? 80
        const state = board.isCurrent() ? style('green', 'live') : style('red', 'reconnecting')
        const title = `${league.join(', ') || 'all leagues'}  ${board.rows.size} prices  ${state}  q ends`
        const lines = bestTable(prices, style)
          .split('\n')
          .map((line) => line.slice(0, width))
        // Overwrite line by line, then clear the rest: the screen never flickers.
        const note = uncompared > 0 ? uncomparedText(uncompared).slice(0, width) : ''
        const text = [title, note, ...lines].map((line) => `${line}\x1b[0m\x1b[K`).join('\n')
        process.stdout.write(`\x1b[H${text}\x1b[J`)
      }
      draw()
      const timer = setInterval(draw, frameEveryMs)
      // A reading that fails is repeated. The stream tells when the service is gone.
      const reading = setInterval(() => games.read().catch(() => {}), gamesEveryMs)
      return () => {
        clearInterval(timer)
        clearInterval(reading)
        process.stdout.write(leaveScreen)
      }
    })
  } finally {
    keys.close()
  }
}

/** Keys that quit. In raw mode the terminal sends Ctrl-C and Ctrl-D as keys, not as signals. */
const quitKeys = ['q', 'Q', '\x03', '\x04']

function listenForQuit(input: typeof process.stdin) {
  const quit = new AbortController()
  if (!input.isTTY) return { quit: quit.signal, close() {} }
  const read = (keys: Buffer) => {
    const typed = keys.toString('latin1')
    if (quitKeys.some((key) => typed.includes(key))) quit.abort()
  }
  input.setRawMode(true).on('data', read)
  return {
    quit: quit.signal,
    close() {
      input.off('data', read).setRawMode(false).pause()
    },
  }
}
