/**
 * The prices on the page: rows by id, and questions with their prices by outcome and sportsbook. The drawing code
 * takes the changed questions.
 */

import { teamOf } from '../../../../pipeline/rules/odds/outcome-sets.ts'
import { createPlayVotes, type PlayVotes } from './play-votes.ts'

/**
 * A row with the requested `fields`. One with `event_id` is complete: a member that it lacks has no value. Others leave
 * out unchanged fields.
 */
export interface WireRow {
  readonly id: string
  readonly event_id?: string
  readonly sportsbook?: string
  readonly market_type?: string
  readonly selection_type?: string
  readonly selection?: string
  readonly line?: number | null
  readonly odds_decimal?: number
  readonly odds_american?: number
  readonly is_live?: boolean
  readonly is_active?: boolean
  readonly withheld?: string | null
  readonly odds_changed_at?: string | null
  readonly player_name?: string | null
  readonly stat_category?: string | null
  readonly deep_link?: string | null
}

export interface Price {
  readonly id: string
  readonly question: Question
  readonly sportsbook: string
  readonly answer: string
  readonly selection: string
  line: number | null
  price: number
  american: number | null
  /** Whether the price is in play. */
  isLive: boolean
  isActive: boolean
  /** Why the price is withheld; null if it is not. A withheld price never counts as the best. */
  withheld: string | null
  deepLink: string | null
  /** Direction of the last move: 1 up, -1 down, 0 none yet. */
  moved: -1 | 0 | 1
  /** Time of the last move (ms of the page); 0 if there was none. */
  movedAt: number
}

/** One question of an event, for one player (or none) and one team (or none), with its prices of the requested lines. */
export interface Question {
  readonly key: string
  readonly eventId: string
  readonly market: string
  readonly player: string | null
  /** The statistic of the player, where the market does not say it. */
  readonly statistic: string | null
  /** The team whose total, or whose yes and no, it is. */
  readonly team: 'home' | 'away' | null
  readonly prices: Map<string, Price>
  /** The last added price by outcome, then sportsbook; with main lines only, the single price. */
  readonly cells: Map<string, Map<string, Price>>
  /** Outcomes in display order. */
  answers: readonly string[]
  /** Whether the home side is shown first. By default the visitors are, as in North America. */
  isHomeFirst: boolean
}

/** Returns whether a price has moved within the last `ms`. */
export const movedWithin = ({ movedAt }: Price, ms: number, now: number) =>
  movedAt > 0 && now - movedAt < ms

export interface PriceStore extends Pick<PlayVotes, 'isPlayed'> {
  readonly rows: ReadonlyMap<string, Price>
  readonly questions: ReadonlyMap<string, Question>
  /** Sportsbooks that have had a price on this page. */
  readonly sportsbooks: ReadonlySet<string>
  /** Adds a chunk of a snapshot. `endSnapshot` drops the rows that were in no chunk. */
  snapshot(rows: readonly WireRow[]): void
  endSnapshot(): void
  /** @param now ms of the page */
  update(rows: readonly WireRow[], now: number): void
  remove(ids: readonly string[]): void
  /** Abandons an incomplete snapshot. */
  dropSnapshot(): void
  /** Sets which side of a question is shown first. A question whose sides are exchanged has changed. */
  orderSides(question: Question, isHomeFirst: boolean): void
  /** Returns the questions whose prices have changed since the last call. */
  takeChanged(): readonly Question[]
  /**
   * Returns whether questions, outcomes or sportsbooks were added, questions or outcomes removed, or games may have
   * gone in play or out of it, since the last call.
   */
  takeReshaped(): boolean
}

/** Display order: a draw between the two sides, unknown outcomes last. */
const answerOrder = ['away', 'draw', 'home', 'over', 'under', 'yes', 'no', 'odd', 'even']
const homeFirstOrder = ['home', 'draw', 'away', ...answerOrder.slice(3)]

function inOrder(answers: readonly string[], isHomeFirst: boolean): readonly string[] {
  const order = isHomeFirst ? homeFirstOrder : answerOrder
  // A team's total is ordered as any other.
  const rankOf = (answer: string) =>
    (order.indexOf(teamOf(answer) ? answer.slice(answer.indexOf('_') + 1) : answer) + 100) % 100
  return [...answers].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** The members that a complete row may lack. */
const complete = { withheld: null, deep_link: null } as const

/** Returns whether a row has become a price of another event or outcome. */
const isOfOther = (row: WireRow, { question, answer, selection }: Price) =>
  row.event_id !== question.eventId ||
  (row.selection_type ?? '') !== answer ||
  (row.selection ?? '') !== selection

/** Returns whether the price can be bet on. */
export const isOffer = ({ isActive, withheld }: Price) => isActive && withheld === null

/** Returns whether the price may measure others: one that can be bet on, or of a reference. */
export const isMeasure = ({ isActive, withheld }: Price) =>
  isActive && (withheld === null || withheld === 'reference')

export const cellOf = ({ cells }: Question, answer: string, sportsbook: string) =>
  cells.get(answer)?.get(sportsbook)

export function createPriceStore(): PriceStore {
  const rows = new Map<string, Price>()
  const questions = new Map<string, Question>()
  const changed = new Set<Question>()
  const sportsbooks = new Set<string>()
  const votes = createPlayVotes()
  /** Games that may have gone in play or out of it: what counts of their prices is another. */
  const turned = new Set<string>()
  let reshaped = false
  let snapshotIds: Set<string> | null = null

  function questionOf(row: WireRow): Question {
    const { event_id = '', market_type = '', player_name = null, stat_category = null } = row
    const team = teamOf(row.selection_type ?? '')
    const key = `${event_id}|${market_type}|${player_name ?? ''}|${stat_category ?? ''}|${team ?? ''}`
    let question = questions.get(key)
    if (!question) {
      question = {
        key,
        eventId: event_id,
        market: market_type,
        player: player_name,
        statistic: stat_category,
        team,
        prices: new Map(),
        cells: new Map(),
        answers: [],
        isHomeFirst: false,
      }
      questions.set(key, question)
      reshaped = true
    }
    return question
  }

  function noteTurn({ eventId }: Question, hasTurned: boolean) {
    if (!hasTurned) return
    turned.add(eventId)
    reshaped = true
  }

  function add(row: WireRow) {
    const question = questionOf(row)
    const price: Price = {
      id: row.id,
      question,
      sportsbook: row.sportsbook ?? '',
      answer: row.selection_type ?? '',
      selection: row.selection ?? '',
      line: row.line ?? null,
      price: row.odds_decimal ?? 0,
      american: row.odds_american ?? null,
      isLive: row.is_live ?? false,
      isActive: row.is_active ?? true,
      withheld: row.withheld ?? null,
      deepLink: row.deep_link ?? null,
      moved: 0,
      movedAt: 0,
    }
    if (!sportsbooks.has(price.sportsbook)) reshaped = true
    sportsbooks.add(price.sportsbook)
    rows.set(row.id, price)
    noteTurn(question, votes.add(question.eventId, price.sportsbook, price.isLive))
    question.prices.set(row.id, price)
    const cells = question.cells.get(price.answer)
    if (cells) cells.set(price.sportsbook, price)
    else {
      question.cells.set(price.answer, new Map([[price.sportsbook, price]]))
      question.answers = inOrder([...question.answers, price.answer], question.isHomeFirst)
      reshaped = true
    }
    changed.add(question)
  }

  function put(stated: WireRow, now: number) {
    const isComplete = stated.event_id !== undefined
    const row = isComplete ? { ...complete, ...stated } : stated
    const known = rows.get(row.id)
    if (!known) {
      // A partial update of an unknown row is ignored.
      if (isComplete) add(row)
      return
    }
    // Where home and away of an event were exchanged, the price is of the other side.
    if (isComplete && isOfOther(row, known)) {
      drop(known)
      add(row)
      return
    }
    const { odds_decimal: price = known.price } = row
    if (price !== known.price) {
      known.moved = price > known.price ? 1 : -1
      known.movedAt = now
      known.price = price
    }
    if (row.odds_american !== undefined) known.american = row.odds_american
    if (row.is_live !== undefined && row.is_live !== known.isLive) turn(known, row.is_live)
    if (row.is_active !== undefined) known.isActive = row.is_active
    if (row.withheld !== undefined) known.withheld = row.withheld
    if (row.line !== undefined) known.line = row.line
    if (row.deep_link !== undefined) known.deepLink = row.deep_link
    changed.add(known.question)
  }

  function turn(price: Price, isLive: boolean) {
    const { question, sportsbook } = price
    // Both counts: the price may be its sportsbook's only one in play, or the only one that is not.
    const hasLeft = votes.drop(question.eventId, sportsbook, price.isLive)
    price.isLive = isLive
    noteTurn(question, votes.add(question.eventId, sportsbook, isLive) || hasLeft)
  }

  function drop(price: Price) {
    const { question } = price
    rows.delete(price.id)
    noteTurn(question, votes.drop(question.eventId, price.sportsbook, price.isLive))
    question.prices.delete(price.id)
    changed.add(question)
    const cells = question.cells.get(price.answer)!
    if (cells.get(price.sportsbook) !== price) return
    cells.delete(price.sportsbook)
    const another = [...question.prices.values()]
      .filter(
        ({ answer, sportsbook }) => answer === price.answer && sportsbook === price.sportsbook,
      )
      .at(-1)
    if (another) cells.set(price.sportsbook, another)
    if (cells.size > 0) return
    question.cells.delete(price.answer)
    question.answers = question.answers.filter((answer) => answer !== price.answer)
    reshaped = true
    if (question.prices.size === 0) questions.delete(question.key)
  }

  return {
    rows,
    questions,
    sportsbooks,
    snapshot(chunk) {
      snapshotIds ??= new Set()
      for (const row of chunk) {
        snapshotIds.add(row.id)
        put(row, 0)
      }
    },
    endSnapshot() {
      if (!snapshotIds) return
      const listed = snapshotIds
      snapshotIds = null
      for (const price of [...rows.values()]) if (!listed.has(price.id)) drop(price)
    },
    dropSnapshot() {
      snapshotIds = null
    },
    update(chunk, now) {
      for (const row of chunk) {
        snapshotIds?.add(row.id)
        put(row, now)
      }
    },
    remove(ids) {
      for (const id of ids) {
        snapshotIds?.delete(id)
        const price = rows.get(id)
        if (price) drop(price)
      }
    },
    orderSides(question, isHomeFirst) {
      if (question.isHomeFirst === isHomeFirst) return
      question.isHomeFirst = isHomeFirst
      question.answers = inOrder(question.answers, isHomeFirst)
      changed.add(question)
    },
    isPlayed: votes.isPlayed,
    takeChanged() {
      if (turned.size > 0) {
        for (const one of questions.values()) if (turned.has(one.eventId)) changed.add(one)
        turned.clear()
      }
      const taken = [...changed]
      changed.clear()
      return taken
    },
    takeReshaped() {
      const was = reshaped
      reshaped = false
      return was
    },
  }
}
