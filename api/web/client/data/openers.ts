/**
 * Opening prices and their moves, read from the archive for visible rows, one request at a time. Stops at the first
 * response that there is no archive or that the key may not read it.
 */

import type { Question } from './price-store.ts'
import type { RefusedError } from './refused.ts'
import { get } from './rest.ts'
import type { Page } from './wire.ts'

interface PriceHistory {
  readonly selection_type: string
  readonly line: number | null
  readonly open: { readonly at: string; readonly odds_decimal: number }
  readonly moves: readonly { readonly at: string; readonly odds_decimal: number }[]
}

/** Prices by outcome, oldest first, starting with the opener. */
export type Course = ReadonlyMap<string, readonly number[]>

export interface Openers {
  /** @param sportsbook whose prices to read */
  want(question: Question, sportsbook: string): void
  close(): void
}

/** Pause between requests, so that the board uses little of the key's rate limit. */
const paceMs = 250
const mostWaiting = 40

export function createOpeners(
  onCourse: (question: Question, course: Course) => void,
  onMissing: () => void,
): Openers {
  const requested = new Set<string>()
  let waiting: { readonly question: Question; readonly sportsbook: string }[] = []
  let isClosed = false
  let isBusy = false

  async function next() {
    const wanted = waiting.pop()
    if (isClosed || !wanted) {
      isBusy = false
      return
    }
    isBusy = true
    try {
      const { question, sportsbook } = wanted
      const query = `market=${question.market}&sportsbook=${sportsbook}&limit=200`
      const page = await get<Page<PriceHistory>>(`/events/${question.eventId}/history?${query}`)
      const course = courseOf(page.data, question)
      if (course.size > 0) onCourse(question, course)
    } catch (error) {
      const { status = 0, reason = '' } = error as Partial<RefusedError>
      const isMissing = status === 403 || reason === 'off' || reason === 'absent'
      if (isMissing && !isClosed) {
        isClosed = true
        onMissing()
      }
      // The archive is starting or busy: the history is requested again when the game is next drawn. A missing
      // history is not.
      if (status === 503 || status === 429) requested.delete(wanted.question.key)
    }
    setTimeout(next, paceMs)
  }

  return {
    want(question, sportsbook) {
      if (isClosed || question.player !== null || requested.has(question.key)) return
      requested.add(question.key)
      waiting = [...waiting, { question, sportsbook }].slice(-mostWaiting)
      if (!isBusy) next()
    },
    close() {
      isClosed = true
    },
  }
}

function courseOf(prices: readonly PriceHistory[], question: Question): Course {
  const course = new Map<string, readonly number[]>()
  for (const { selection_type: answer, line, open, moves } of prices) {
    const [first] = question.cells.get(answer)?.values() ?? []
    if (!first || first.line !== line) continue
    course.set(answer, [open.odds_decimal, ...moves.map((move) => move.odds_decimal)])
  }
  return course
}
