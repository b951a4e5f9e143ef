/**
 * Draws the board's prices directly in the DOM: fixed cells, at most eight times a second, only where something has
 * changed. Only visible games have elements, which come from a pool.
 */

import { type Chains, chainOf } from '../../../../pipeline/rules/odds/chains.ts'
import type { PriceFormat } from '../../../../schemas/price-format.ts'
import type { Game, Sportsbook } from '../../wire.ts'
import { type Figure, type Freshness, staleReason, uncomparedReason } from '../data/columns.ts'
import { isHomeFirst, type NamedLeague, titleOf } from '../data/leagues.ts'
import { kindOf, type MarketKinds } from '../data/market-kinds.ts'
import type { Course, OwnLines } from '../data/openers.ts'
import { pastQuery } from '../data/past.ts'
import { isAwaited, nextStart, withPlay } from '../data/play-votes.ts'
import { cellOf, type Price, type PriceStore, type Question } from '../data/price-store.ts'
import { boardNow } from '../data/service-time.ts'
import { questionPath } from '../data/subject.ts'
import { createSummaries, edgeOf, type Summary, summarise } from '../data/summary.ts'
import { consensusText, markOf, spokenPrice } from '../format/names.ts'
import { alignedPriceText, lineText, percentText } from '../format/odds.ts'
import {
  clockText,
  countdownText,
  dateText,
  dayText,
  isThisYear,
  minuteMs,
  startText,
  type Zone,
} from '../format/time.ts'
import {
  type BoardFilter,
  type BoardRow,
  boardRows,
  countGames,
  isByPrices,
  sideOf,
} from './board-rows.ts'
import { type CellView, make, setCell, setClass, setSpoken, setText } from './cells.ts'
import { createHeader, groupHeadings } from './header.ts'
import { inSight, type Layout, layOut } from './layout.ts'
import { createRow, type RowView, trendBox } from './row-elements.ts'
import { createTrends, pathOf, seed } from './trends.ts'

export interface GridView extends BoardFilter {
  readonly sportsbooks: readonly Sportsbook[]
  readonly freshness: ReadonlyMap<string, Freshness>
  readonly games: ReadonlyMap<string, Game>
  readonly leagues: ReadonlyMap<string, NamedLeague>
  readonly kinds: MarketKinds
  /** In the order of their columns. */
  readonly figures: readonly Figure[]
  /** The reader's own sportsbooks. */
  readonly mine: readonly string[]
  readonly chain: Chains
  readonly format: PriceFormat
  readonly zone: Zone
  /** The time shown (epoch ms); null for now. */
  readonly at: number | null
  /** Whether each game is a card, without columns of sportsbooks. */
  readonly isNarrow: boolean
  /** Whether rows are lower than usual. Cards are not. */
  readonly isCompact: boolean
}

export interface GridEvents {
  /** Called when the reader opens a game. */
  readonly onOpen: (question: Question) => void
  /** Called with the number of shown rows, and that of their games, which may have several. */
  readonly onCount: (rows: number, games: number) => void
  /** Called when a question becomes visible. `sportsbook` is the sharp book of its fair price. */
  readonly onSight: (question: Question, sportsbook: string) => void
}

export interface BoardGrid {
  show(view: GridView): void
  /** Called when the store has changed: draws at the next frame. */
  touch(): void
  /** Adds prices of these lines from before the page was opened. */
  seed(question: Question, course: Course, lines: OwnLines): void
  /** Moves the focus to the next or previous game. */
  step(by: 1 | -1): void
  openSelected(): void
  close(): void
}

const pinnedWidth = 300
const figureWidths: Readonly<Record<Figure, number>> = {
  best: 126,
  hold: 52,
  fair: 64,
  open: 70,
  move: 74,
}
/** A list sorted by prices is sorted again at most this often, so that it stays readable. */
const resortEveryMs = 5_000
const bookWidth = 64
const headHeight = 54
const overscan = 700
/**
 * Painting a frame costs far more than writing its cells, and as much for one cell as for thirty. A change after a
 * pause is drawn at once.
 */
const drawEveryMs = 125
const flashMs = 1_500

export function createBoardGrid(
  host: HTMLElement,
  store: PriceStore,
  events: GridEvents,
): BoardGrid {
  const scroller = make('div', 'grid')
  scroller.tabIndex = 0
  scroller.setAttribute('role', 'region')
  scroller.setAttribute('aria-label', 'Odds board')
  const table = make('div', 'table')
  table.setAttribute('role', 'table')
  table.setAttribute('aria-label', 'Prices by game and sportsbook')
  const header = createHeader(table)
  const canvas = make('div', 'canvas')
  table.append(header.element, canvas)
  scroller.append(table)
  host.append(scroller)

  let view: GridView | null = null
  let rows: readonly BoardRow[] = []
  let heights: readonly number[] = []
  let layout: Layout = layOut([])
  /** If so, rows do not repeat the league. */
  let isOneLeague = false
  let selected: string | null = null
  let frame = 0
  let drawnAt = 0
  let isReshaped = true
  /** Games by id, in play where the service or their prices say so. */
  let games: ReadonlyMap<string, Game> = new Map()
  /** The next start of a game (epoch ms), from which on one sportsbook says that it is in play. */
  let startsNext = Number.POSITIVE_INFINITY
  let sortedAt = 0
  /** Sportsbooks with a price on this page. */
  let columns: readonly Sportsbook[] = []
  let columnsDrawn = ''
  const shown = new Map<string, RowView>()
  const pools = new Map<number, RowView[]>()
  const summaries = createSummaries((question) => {
    const { freshness, chain, kinds } = view!
    const ids = columns.map(({ id }) => id)
    const game = games.get(question.eventId)
    const kind = kindOf(question, kinds, game?.sport)
    const ofGame = game ? chainOf(chain, game) : []
    const counts = (price: Price) =>
      staleReason(game, price, freshness.get(price.sportsbook)) === null &&
      uncomparedReason(price, kinds, game?.sport) === null
    return summarise(question, kind, ids, ofGame, counts)
  })
  const trends = createTrends()
  const flashing = new Set<CellView>()

  let frameWait = 0
  const scheduleDraw = () => {
    if (frame !== 0 || frameWait !== 0) return
    const rest = drawnAt + drawEveryMs - performance.now()
    if (rest <= 0) frame = requestAnimationFrame(draw)
    else {
      frameWait = window.setTimeout(() => {
        frameWait = 0
        frame = requestAnimationFrame(draw)
      }, rest)
    }
  }
  let minute = 0
  const flashTimer = setInterval(() => {
    const now = boardNow()
    if (flashing.size > 0 || now >= startsNext) scheduleDraw()
    const before = minute
    minute = Math.floor(now / minuteMs)
    // Says anew how long until the visible games start.
    if (view && minute !== before) place(true)
  }, 250)

  function endFlashes(now: number) {
    for (const cell of flashing) {
      if (cell.flashEndsAt > now) continue
      flashing.delete(cell)
      setClass(cell, cell.className.replace(/ (up|down)$/, ''))
    }
  }

  function draw() {
    frame = 0
    if (!view) return
    const now = performance.now()
    drawnAt = now
    endFlashes(now)
    const isUnsorted = isByPrices(view.order) && now - sortedAt > resortEveryMs
    const hasStarted = boardNow() >= startsNext
    const isToShape = store.takeReshaped() || isReshaped || isUnsorted || hasStarted
    if (isToShape) readPlay(view)
    if (isToShape) orderSides(view)
    const changed = store.takeChanged()
    for (const question of changed) summaries.drop(question)
    if (hasStarted) summaries.clear()
    if (isToShape) reshape(now)
    else {
      for (const question of changed) {
        const row = shown.get(question.key)
        if (row) write(row, question, now)
      }
    }
  }

  /** Finds out which games are in play. The past needs no prices for that: its games are made of them. */
  function readPlay(view: GridView) {
    if (view.at !== null) {
      games = view.games
      return
    }
    const now = boardNow()
    startsNext = nextStart(view.games.values(), now)
    games = new Map([...view.games].map(([id, game]) => [id, withPlay(game, store, now)]))
  }

  /** Sets which side of each question is first, before anything is computed in this order. */
  function orderSides({ leagues }: GridView) {
    for (const question of store.questions.values()) {
      const game = games.get(question.eventId)
      if (game) store.orderSides(question, isHomeFirst(leagues.get(game.league)))
    }
  }

  /** Recomputes which games are shown and where. */
  function reshape(now: number) {
    isReshaped = false
    sortedAt = now
    columns = view!.sportsbooks.filter(({ id }) => store.sportsbooks.has(id))
    const drawn = [view!.isNarrow, ...view!.figures, ...columns.map(({ id }) => id)].join(' ')
    if (drawn !== columnsDrawn) {
      columnsDrawn = drawn
      summaries.clear()
      for (const row of shown.values()) row.element.remove()
      shown.clear()
      pools.clear()
      table.style.width = view!.isNarrow ? '' : `${widthOf()}px`
      header.draw({ ...view!, sportsbooks: columns })
      header.showFreshness(view!.freshness)
    }
    rows = boardRows(store.questions.values(), games, view!, (question) =>
      costIn(view!, summaries.of(question)),
    )
    isOneLeague = rows.every(({ game }) => game.league === rows[0]!.game.league)
    heights = rows.map(heightOf)
    layout = layOut(heights)
    canvas.style.height = `${layout.height}px`
    events.onCount(rows.length, countGames(rows))
    place(true)
  }

  function costIn({ order }: GridView, summary: Summary) {
    if (order === 'hold') return summary.hold
    const edge = edgeOf(summary)
    return edge === null ? null : -edge
  }

  function heightOf({ question }: BoardRow): number {
    const lines = question.answers.length
    if (view!.isNarrow) return 42 + lines * 42
    const height = view!.isCompact ? 22 : 27
    return lines * (question.market === 'moneyline' ? height : height + 8) + 1
  }

  function widthOf(): number {
    const { isNarrow, figures } = view!
    if (isNarrow) return 0
    const figuresWidth = figures.reduce((sum, figure) => sum + figureWidths[figure], 0)
    return pinnedWidth + figuresWidth + columns.length * bookWidth
  }

  /** Assigns elements to the visible games. @param isAnew whether the rows have been recomputed */
  function place(isAnew: boolean) {
    const top = scroller.scrollTop - headHeight
    const [first, end] = inSight(layout, top - overscan, top + scroller.clientHeight + overscan)
    const wanted = new Set<string>()
    for (let i = first; i < end; i++) wanted.add(rows[i]!.question.key)
    for (const [key, row] of shown) {
      if (wanted.has(key)) continue
      shown.delete(key)
      row.element.hidden = true
      poolOf(row.lines.length).push(row)
    }
    const now = performance.now()
    for (let i = first; i < end; i++) {
      const { question } = rows[i]!
      let row = shown.get(question.key)
      if (row && row.lines.length !== question.answers.length) {
        shown.delete(question.key)
        row.element.hidden = true
        poolOf(row.lines.length).push(row)
        row = undefined
      }
      const isNew = row === undefined
      if (!row) {
        row = poolOf(question.answers.length).pop() ?? addRow(question.answers.length)
        row.key = question.key
        row.element.hidden = false
        shown.set(question.key, row)
      }
      if (isNew || isAnew) {
        const { element } = row
        element.style.top = `${layout.tops[i]}px`
        element.style.height = `${heights[i]}px`
        element.style.width = view!.isNarrow ? '100%' : `${widthOf()}px`
        label(row, rows[i]!)
        write(row, question, now)
      }
    }
  }

  function poolOf(lines: number): RowView[] {
    const pool = pools.get(lines) ?? []
    pools.set(lines, pool)
    return pool
  }

  // ---- writing

  /** Writes parts that rarely change: names, times, scores. */
  function label(row: RowView, boardRow: BoardRow) {
    const { game, question } = boardRow
    const { zone, leagues } = view!
    const startsAt = Date.parse(game.start_time)
    const league = leagues.get(game.league)?.shortName ?? game.league
    const { period, clock } = game.game_state ?? {}
    const now = boardNow()
    const starts = startText(startsAt, zone, now)
    const left = view!.at === null && isAwaited(game) ? countdownText(startsAt, now) : ''
    const state = game.is_live ? [period ?? 'Live', clock].filter(Boolean).join(' ') : ''
    setText(row.head, `${league} · ${state || [starts, left].filter(Boolean).join(' · ')}`)
    row.element.className = gameClass(question, game)
    row.element.setAttribute('aria-label', titleOf(game, leagues.get(game.league)))
    // The start text of another year has no time of day, so it is shown here.
    const rest = isThisYear(startsAt, zone, now)
      ? dateText(startsAt, zone, now)
      : clockText(startsAt, zone)
    const where = isOneLeague ? (game.is_live ? '' : left ? starts : rest) : league
    const times = game.is_live
      ? [period ?? 'Live', clock || where, clock ? where : '']
      : [left || starts, where, '']
    row.element.title = `${league} · ${dayText(startsAt, zone, now)} ${clockText(startsAt, zone)}`
    row.lines.forEach((line, i) => {
      const { name, score } = sideOf(boardRow, i)
      setText(line.when, times[i]!)
      setText(line.name, name)
      setText(line.score, score === null ? '' : String(score))
      line.link.href = hrefOf(question, view!.at)
      line.link.tabIndex = i === 0 ? 0 : -1
    })
  }

  const gameClass = (question: Question, game: Game) =>
    `game${question.answers.length === 3 ? ' three' : ''}${question.market === 'moneyline' ? '' : ' tall'}${game.is_live ? ' live' : ''}${question.key === selected ? ' selected' : ''}`

  function write(row: RowView, question: Question, now: number) {
    const { format, freshness, isNarrow, kinds } = view!
    const summary = summaries.of(question)
    const trend = trends.follow(question, summary)
    const { best, hold, fair, sharpBook } = summary
    const game = games.get(question.eventId)
    if (sharpBook) events.onSight(question, sharpBook)
    setText(row.headHold, hold === null ? '' : ` · hold ${percentText(hold * 100, 1)}`)
    for (let i = 0; i < row.lines.length; i++) {
      const line = row.lines[i]!
      const answer = question.answers[i]!
      const top = best[i]
      const leader = top ? cellOf(question, answer, top.sportsbooks[0]!) : undefined
      const holder = top ? nameOf(top.sportsbooks[0]!) : ''
      const more = top && top.sportsbooks.length > 1 ? ` &\u00a0${top.sportsbooks.length - 1}` : ''
      setCell(
        line.best,
        [lineText(leader?.line ?? null, answer), `${holder}${more}`].filter(Boolean).join(' '),
        top ? alignedPriceText(top.price, format, leader?.american) : '–',
        'cell best',
        top ? top.sportsbooks.map(nameOf).join(', ') : '',
      )
      setCell(
        line.hold,
        '',
        i === 0 && hold !== null ? percentText(hold * 100, 1) : '',
        `cell hold${hold !== null && hold < 0 ? ' gain' : ''}`,
        '',
      )
      const chance = fair?.[i] ?? null
      const edge = top && chance !== null ? top.price * chance - 1 : null
      // Cards have no column of holds, so they show the value of the best price.
      const worth = isNarrow ? edge : chance
      setCell(
        line.fair,
        worth === null ? '' : percentText(worth * 100, 1),
        chance === null ? '–' : alignedPriceText(1 / chance, format),
        `cell fair${isNarrow && edge !== null && edge > 0 ? ' gain' : ''}`,
        measuredBy(summary),
      )
      const open = trend?.open[i] ?? null
      const nowAt = sharpBook ? (cellOf(question, answer, sharpBook)?.price ?? null) : null
      const moved = open === null || nowAt === null ? 0 : Math.sign(nowAt - open)
      setCell(
        line.open,
        '',
        open === null
          ? '–'
          : `${alignedPriceText(open, format)}${moved > 0 ? ' ▲' : moved < 0 ? ' ▼' : ''}`,
        'cell open',
        open === null
          ? ''
          : 'First price of this line at the sharp book; the arrow shows where it has moved',
      )
      const path = pathOf(trend?.courses[i] ?? [], trendBox.width, trendBox.height)
      if (line.trend.getAttribute('d') !== path) line.trend.setAttribute('d', path)
      for (let j = 0; j < line.cells.length; j++) {
        const { id } = columns[j]!
        const price = cellOf(question, answer, id)
        const state = freshness.get(id)
        const stale = price ? staleReason(game, price, state) : null
        const isBest = top?.sportsbooks.includes(id) === true
        const uncompared = price ? uncomparedReason(price, kinds, game?.sport) : null
        writePrice(line.cells[j]!, price, isBest, state, stale, uncompared, now)
      }
    }
  }

  function writePrice(
    cell: CellView,
    price: Price | undefined,
    isBest: boolean,
    freshness: Freshness | undefined,
    stale: string | null,
    uncompared: string | null,
    now: number,
  ) {
    if (!price) {
      setCell(cell, '', '', 'cell', '')
      return setSpoken(cell, null)
    }
    const endsAt = price.movedAt === 0 ? 0 : price.movedAt + flashMs
    const mark = markOf(price)
    let className = 'cell'
    if (mark.className) className += ` ${mark.className}`
    else if (stale !== null) className += ' stale'
    else {
      if (freshness === 'old') className += ' stale'
      if (isBest) className += ' top'
    }
    if (endsAt > now) {
      className += price.moved > 0 ? ' up' : ' down'
      cell.flashEndsAt = endsAt
      flashing.add(cell)
    }
    const line = lineText(price.line, price.answer)
    const text = alignedPriceText(price.price, view!.format, price.american)
    const why = mark.why || (stale ?? uncompared ?? '')
    setCell(cell, line, text, className, why)
    setSpoken(cell, spokenPrice(line, text.trim(), why))
  }

  function measuredBy({ fair, sharpBook, blend = [] }: Summary): string {
    if (!fair) return ''
    if (!sharpBook) return consensusText(blend.length)
    return `Price of ${(blend.length > 0 ? blend : [sharpBook]).map(nameOf).join(' + ')} without its margin`
  }

  const names = new Map<string, string>()
  const nameOf = (id: string) => names.get(id) ?? id

  // ---- rows

  /** Adds an element for a game to the table. */
  function addRow(lines: number): RowView {
    const { isNarrow, mine } = view!
    const row = createRow(lines, isNarrow ? [] : groupHeadings({ sportsbooks: columns, mine }))
    const { element } = row
    element.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const question = store.questions.get(row.key)
      if (question) events.onOpen(question)
    })
    element.addEventListener('focusin', () => select(row.key))
    canvas.append(element)
    return row
  }

  function select(key: string) {
    if (selected === key) return
    const before = selected === null ? undefined : shown.get(selected)
    before?.element.classList.remove('selected')
    selected = key
    shown.get(key)?.element.classList.add('selected')
  }

  function onScroll() {
    // Each sticky element costs a paint layer, so they exist only while scrolled sideways.
    scroller.classList.toggle('aside', scroller.scrollLeft > 0)
    if (view) place(false)
  }
  scroller.addEventListener('scroll', onScroll, { passive: true })
  const sizes = new ResizeObserver(onScroll)
  sizes.observe(scroller)

  return {
    show(next) {
      if (view?.freshness !== next.freshness) summaries.clear()
      view = next
      scroller.dataset.format = next.format
      for (const book of next.sportsbooks) names.set(book.id, book.short_name)
      isReshaped = true
      header.showFreshness(next.freshness)
      scheduleDraw()
    },
    touch: scheduleDraw,
    seed(question, course, { key, byAnswer }) {
      const trend = trends.find(key)
      if (!trend) return
      seed(trend, [...byAnswer.keys()], course)
      const row = shown.get(question.key)
      if (row) write(row, question, performance.now())
    },
    step(by) {
      if (rows.length === 0) return
      const at = rows.findIndex(({ question }) => question.key === selected)
      const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))
      const { key } = rows[next]!.question
      const top = layout.tops[next]!
      const visible = scroller.clientHeight - headHeight
      if (top < scroller.scrollTop) scroller.scrollTop = top
      else if (top + heights[next]! > scroller.scrollTop + visible) {
        scroller.scrollTop = top + heights[next]! - visible
      }
      place(false)
      select(key)
      shown.get(key)?.lines[0]?.link.focus({ preventScroll: true })
    },
    openSelected() {
      const question = selected === null ? undefined : store.questions.get(selected)
      if (question) events.onOpen(question)
    },
    close() {
      cancelAnimationFrame(frame)
      clearTimeout(frameWait)
      clearInterval(flashTimer)
      sizes.disconnect()
      scroller.remove()
    },
  }
}

export const hrefOf = (question: Question, at: number | null) =>
  `${questionPath(question.eventId, question)}${pastQuery(at)}`
