/**
 * Opening prices and their moves, read from the archive for the rows in sight: one request for all games of a market and
 * sportsbook. Stops at the first response that there is no archive or that the key may not read it.
 */

import type { Page, PriceHistory } from '../../wire.ts'
import { dropOldest } from './newest.ts'
import type { Question } from './price-store.ts'
import { isFinal, isRefusedWith, type RefusedError, retryMs } from './refused.ts'

/** Prices by answer, oldest first, starting with the opener. */
export type Course = ReadonlyMap<string, readonly number[]>

/** The lines of a question at one sportsbook: once one has moved, opener and course are others. */
export interface OwnLines {
  /** The same for the same question, sportsbook and lines, with outcomes in the same order. */
  readonly key: string
  /** Of every outcome, in order; undefined where the sportsbook has no price. */
  readonly byAnswer: ReadonlyMap<string, number | null | undefined>
}

export function ownLines({ key, answers, cells }: Question, sportsbook: string): OwnLines {
  const byAnswer = new Map(
    answers.map((answer) => [answer, cells.get(answer)?.get(sportsbook)?.line]),
  )
  const texts = [...byAnswer].map(([answer, line]) => `${answer} ${line}`)
  return { key: [key, sportsbook, ...texts].join('|'), byAnswer }
}

export interface Openers {
  /**
   * Reads the courses of the question's lines, unless they have been read.
   * @param sportsbook whose prices to read
   */
  want(question: Question, sportsbook: string): void
  close(): void
}

interface Wanted {
  readonly question: Question
  readonly sportsbook: string
  /** The lines at the time of the request. */
  readonly lines: OwnLines
}

/** Pause before each request, so that the board uses little of the key's rate limit, and rows gather. */
const paceMs = 250
/** Pause, at least, after a request that failed and may be answered later. */
const lostMs = 5_000
const mostWaiting = 400
/** Most lines kept as requested. Older ones are requested again if they return into sight. */
const mostRequested = 4_000
/** Events of one request: their ids have to fit in its address. */
const mostEvents = 60
const pageItems = 1_000

/**
 * @param onCourse called with the lines that were requested; they may have moved since
 * @param read requests a path of the API
 */
export function createOpeners(
  onCourse: (question: Question, course: Course, lines: OwnLines) => void,
  onMissing: () => void,
  read: <Body>(path: string) => Promise<Body>,
): Openers {
  const requested = new Set<string>()
  let waiting: readonly Wanted[] = []
  let isClosed = false
  let isBusy = false

  async function next() {
    const newest = waiting.at(-1)
    if (isClosed || !newest) {
      isBusy = false
      return
    }
    isBusy = true
    let waitMs = paceMs
    const batch = batchWith(newest, waiting)
    waiting = waiting.filter((one) => !batch.includes(one))
    try {
      const prices = await readPrices(batch, read)
      for (const wanted of isClosed ? [] : batch) {
        const course = courseOf(prices, wanted)
        if (course.size > 0) onCourse(wanted.question, course, wanted.lines)
      }
    } catch (error) {
      const { reason = '' } = error as Partial<RefusedError>
      const isMissing = isRefusedWith(error, 403) || reason === 'off' || reason === 'absent'
      if (isMissing && !isClosed) {
        isClosed = true
        onMissing()
      }
      // Starting, busy or lost: request them again when the games are next drawn. A missing history is not requested again.
      if (!isFinal(error as Error)) {
        for (const { lines } of batch) requested.delete(lines.key)
        waitMs = retryMs(error as Error, lostMs)
      }
    }
    setTimeout(next, waitMs)
  }

  return {
    want(question, sportsbook) {
      if (isClosed || question.player !== null) return
      const lines = ownLines(question, sportsbook)
      if (requested.has(lines.key)) return
      requested.add(lines.key)
      dropOldest(requested, mostRequested)
      waiting = [...waiting, { question, sportsbook, lines }].slice(-mostWaiting)
      if (isBusy) return
      isBusy = true
      setTimeout(next, paceMs)
    },
    close() {
      isClosed = true
    },
  }
}

/** Returns what one request can ask for together with `newest`, the newest first. */
function batchWith(newest: Wanted, waiting: readonly Wanted[]): readonly Wanted[] {
  const { question, sportsbook } = newest
  return waiting
    .filter((one) => one.question.market === question.market && one.sportsbook === sportsbook)
    .slice(-mostEvents)
}

async function readPrices(
  batch: readonly Wanted[],
  read: <Body>(path: string) => Promise<Body>,
): Promise<readonly PriceHistory[]> {
  const [{ question, sportsbook }] = batch as readonly [Wanted]
  const ids = new Set(batch.map((one) => encodeURIComponent(one.question.eventId)))
  const events = [...ids].join(',')
  const query = `event=${events}&market=${question.market}&sportsbook=${sportsbook}&points=40&limit=${pageItems}`
  const prices: PriceHistory[] = []
  let hasMore = true
  while (hasMore) {
    const path = `/historical/prices?${query}&offset=${prices.length}`
    const { data, pagination } = await read<Page<PriceHistory>>(path)
    prices.push(...data)
    hasMore = pagination.has_more && data.length > 0
  }
  return prices
}

function courseOf(prices: readonly PriceHistory[], { question, lines }: Wanted): Course {
  const byAnswer = new Map<string, readonly number[]>()
  for (const { event_id, selection_type: answer, line, open, course } of prices) {
    if (event_id !== question.eventId || lines.byAnswer.get(answer) !== line) continue
    const moves = course.flatMap(({ odds_decimal }) => odds_decimal ?? [])
    byAnswer.set(answer, [open.odds_decimal, ...moves])
  }
  return byAnswer
}
