/**
 * Closing lines of a recorded log, worked out from the text of docs/closing-lines.md alone: it shares no
 * code with the processor or with `slow-closes.ts`, and was written without reading either. It reads the whole
 * log of one game at a time, knows the end before it begins, and keeps nothing up to date.
 *
 * A game is its league here, so a log with several games in a league is none for it. Names that a
 * sportsbook spells otherwise are told apart by their order: a listing is swapped if its home team is the away
 * team of the first.
 */

import type {
  BoardRecord,
  EventStatusRecord,
  FeedMarket,
  OddsRecord,
} from '../../schemas/feed-record.ts'

export interface RuledClose {
  readonly sportsbook: string
  /** Market, line, player and answer. */
  readonly selection: string
  readonly startsAt: number
  readonly price: number | null
  readonly noVig: number | null
  readonly missing: string | null
  readonly missingSince: number | null
}

const quarterHour = 15 * 60_000

/** What a sportsbook says of one selection in one statement. */
interface Stated {
  readonly price: number | null
  readonly isTaken: boolean
}

/** One statement about prices, with its sides as the first listing has them. */
interface Statement {
  readonly sportsbook: string
  readonly at: number
  readonly isLive: boolean
  readonly isWhole: boolean
  readonly named: ReadonlyMap<string, Stated>
  readonly removed: readonly string[]
}

/** The starts a game had, as they were settled, and when it was known to be put off. */
interface Schedule {
  /** Starts that were kept, in order; the last is the one that stands. */
  readonly starts: readonly number[]
  /** When the start was moved to before that moment; null for never. */
  readonly correctedAt: number | null
  /** Since when it is put off; null for a game that is not. */
  readonly putOffAt: number | null
}

export function closesByTheRule(log: readonly BoardRecord[]): RuledClose[] {
  const games = new Map<string, (OddsRecord | EventStatusRecord)[]>()
  for (const record of log) {
    if (record.type !== 'odds' && record.type !== 'event_status') continue
    const game = games.get(record.event.league)
    if (game) game.push(record)
    else games.set(record.event.league, [record])
  }
  return [...games.values()].flatMap(closesOfGame)
}

function closesOfGame(records: readonly (OddsRecord | EventStatusRecord)[]): RuledClose[] {
  const schedule = scheduleOf(records)
  const frame = records[0]?.event.homeTeam ?? ''
  const statements = records
    .filter((record) => record.type === 'odds')
    .map((record) => statementOf(record, frame))
  const sportsbooks = new Set(statements.map(({ sportsbook }) => sportsbook))
  return [...sportsbooks].flatMap((sportsbook) =>
    closesOfSportsbook(
      // What decides is when prices were observed; a sort keeps the log's order of equal instants.
      statements
        .filter((statement) => statement.sportsbook === sportsbook)
        .sort((a, b) => a.at - b.at),
      schedule,
    ),
  )
}

function statementOf(record: OddsRecord, frame: string): Statement {
  const isSwapped = record.event.awayTeam === frame
  const named = new Map<string, Stated>()
  const removed: string[] = []
  for (const market of record.markets) {
    for (const selection of market.selections) {
      const key = selectionKey(market, selection, isSwapped)
      if (selection.removed) removed.push(key)
      else {
        const isTaken = !market.suspended && !selection.suspended && selection.price !== null
        named.set(key, { price: selection.price, isTaken })
      }
    }
  }
  return {
    sportsbook: record.sportsbook,
    at: record.observedAt,
    isLive: record.event.isLive,
    isWhole: record.mode === 'snapshot',
    named,
    removed,
  }
}

function selectionKey(
  market: FeedMarket,
  selection: FeedMarket['selections'][number],
  isSwapped: boolean,
): string {
  const { selectionType } = selection
  const answer =
    isSwapped && selectionType === 'home'
      ? 'away'
      : isSwapped && selectionType === 'away'
        ? 'home'
        : selectionType
  return [
    market.marketType,
    selection.line ?? market.line ?? '',
    market.playerName ?? '',
    answer,
  ].join('|')
}

/** "The start", and "a postponed or cancelled game". */
function scheduleOf(records: readonly (OddsRecord | EventStatusRecord)[]): Schedule {
  const given = new Map<string, number>()
  const inPlay = new Set<string>()
  const words = new Map<string, string>()
  const starts: number[] = []
  let start = Number.NaN
  let correctedAt: number | null = null
  let putOffAt: number | null = null
  for (const { sportsbook, observedAt: at, event, ...record } of records) {
    const had = inPlay.size > 0
    given.set(sportsbook, event.startsAt)
    if (event.isLive) inPlay.add(sportsbook)
    else inPlay.delete(sportsbook)
    if (record.type === 'event_status') words.set(sportsbook, record.status)
    else if (isPutOffWord(words.get(sportsbook)) && event.isLive) words.delete(sportsbook)

    const isPutOff = isPutOffByMost([...given.keys()], words)
    if (isPutOff && putOffAt === null && !had && inPlay.size === 0) putOffAt = at

    const most = mostGiven(given, start)
    if (putOffAt !== null) {
      if (inPlay.size > 0) {
        // It begins without a new start.
        start = most > start ? most : at
        putOffAt = null
      } else if (most !== start && most > at) {
        start = most
        putOffAt = null
        for (const [book, word] of words) if (isPutOffWord(word)) words.delete(book)
      } else if (!isPutOff) {
        putOffAt = null
      }
      continue
    }
    if (Number.isNaN(start)) start = most
    else if (most === start) continue
    else if (at < start) {
      // The start has not come: what is given now is it.
      if (most <= at) correctedAt = at
      start = most
    } else if (most > at) {
      // It has passed, and is still to come.
      if (had || inPlay.size > 0) starts.push(start)
      start = most
      correctedAt = null
    }
  }
  return { starts: [...starts, start], correctedAt, putOffAt }
}

const isPutOffWord = (word: string | undefined) => word === 'postponed' || word === 'cancelled'

const isPutOffByMost = (sportsbooks: readonly string[], words: ReadonlyMap<string, string>) => {
  const saying = sportsbooks.filter((sportsbook) => isPutOffWord(words.get(sportsbook))).length
  return (
    saying > 0 && (saying === sportsbooks.length || (saying > 1 && 2 * saying > sportsbooks.length))
  )
}

/** The start that most give; where several are given by equally many, the one that stands. */
function mostGiven(given: ReadonlyMap<string, number>, standing: number): number {
  const counts = new Map<number, number>()
  for (const start of given.values()) counts.set(start, (counts.get(start) ?? 0) + 1)
  let most = standing
  let count = counts.get(standing) ?? 0
  for (const [start, times] of counts) {
    if (times > count) {
      most = start
      count = times
    }
  }
  return most
}

/** One sportsbook's statements in the order they were observed. */
function closesOfSportsbook(statements: readonly Statement[], schedule: Schedule): RuledClose[] {
  const start = startFor(statements, schedule)
  const inPlayAt = firstInPlay(statements, start)
  const until = Math.min(start, inPlayAt - 1)
  const selections = new Set(statements.flatMap(({ named }) => [...named.keys()]))
  const closes: RuledClose[] = []
  for (const selection of selections) {
    const close = closeOf(selection, statements, start, until, schedule)
    if (close) closes.push(close)
  }
  return closes.map((close) => ({ ...close, noVig: noVigOf(close, closes) }))
}

/** A sportsbook that listed nothing before the first start goes by the day the game is resumed. */
function startFor(statements: readonly Statement[], { starts }: Schedule): number {
  const first = statements.find(({ named }) => named.size > 0)?.at ?? Number.POSITIVE_INFINITY
  return starts.find((start) => first <= start) ?? starts.at(-1) ?? Number.NaN
}

/** When it goes into play for good before the start, else never. */
function firstInPlay(statements: readonly Statement[], start: number): number {
  let inPlayAt = Number.POSITIVE_INFINITY
  for (const { at, isLive } of statements) {
    if (at > start) break
    if (!isLive) inPlayAt = Number.POSITIVE_INFINITY
    else if (inPlayAt === Number.POSITIVE_INFINITY) inPlayAt = at
  }
  return inPlayAt
}

/** "What is captured", else "why there is none"; null for a selection that has no row. */
function closeOf(
  selection: string,
  statements: readonly Statement[],
  start: number,
  until: number,
  { correctedAt, putOffAt }: Schedule,
): RuledClose | null {
  const sportsbook = statements[0]?.sportsbook ?? ''
  const missing = (reason: string, since: number): RuledClose => ({
    sportsbook,
    selection,
    startsAt: start,
    price: null,
    noVig: null,
    missing: reason,
    missingSince: since,
  })
  let listedAt: number | null = null
  let pricedAt: number | null = null
  let changedAt = Number.NEGATIVE_INFINITY
  let offAt: number | null = null
  let suspendedAt: number | null = null
  let price: number | null = null
  let seenAt: number | null = null
  const goesOn = putOffAt === null ? until : Number.POSITIVE_INFINITY
  const last = correctedAt === null ? goesOn : Math.max(goesOn, correctedAt)
  for (const statement of statements) {
    const { at, isLive, isWhole, named, removed } = statement
    if (at > last || isLive) continue
    if (seenAt !== null && at - seenAt > quarterHour && listedAt !== null && offAt === null)
      offAt = seenAt + quarterHour
    seenAt = at
    const stated = named.get(selection)
    if (stated) {
      listedAt ??= at
      if (stated.price !== null) pricedAt ??= at
      const isTaken = stated.isTaken
      if (stated.price !== price || (suspendedAt === null) !== isTaken || offAt !== null)
        changedAt = at
      price = stated.price ?? price
      suspendedAt = isTaken ? null : at
      offAt = null
    } else if (listedAt !== null && offAt === null && (isWhole || removed.includes(selection))) {
      offAt = at
      changedAt = at
    }
  }
  if (listedAt === null) return lateListing(selection, statements, start, until, missing)
  if (pricedAt === null) {
    return (
      lateListing(selection, statements, start, until, missing) ?? missing('never_priced', listedAt)
    )
  }
  if (offAt === null && seenAt !== null && until - seenAt > quarterHour)
    offAt = seenAt + quarterHour
  if (putOffAt !== null) return missing('postponed', putOffAt)
  if (correctedAt !== null && changedAt > start) return missing('start_corrected', correctedAt)
  if (offAt !== null) return missing('withdrawn', offAt)
  if (suspendedAt !== null) return missing('suspended', suspendedAt)
  return { ...missing('', 0), price, missing: null, missingSince: null }
}

/** What first had a price after the start, though not in play. */
function lateListing(
  selection: string,
  statements: readonly Statement[],
  start: number,
  until: number,
  missing: (reason: string, since: number) => RuledClose,
): RuledClose | null {
  for (const { at, isLive, named } of statements) {
    if (at <= until || at <= start) continue
    const price = named.get(selection)?.price ?? null
    if (price === null) continue
    return isLive ? null : missing('late_listing', at)
  }
  return null
}

const answersOf: Readonly<Record<string, readonly string[]>> = {
  home: ['home', 'away'],
  away: ['home', 'away'],
  over: ['over', 'under'],
  under: ['over', 'under'],
}

/** The power method: the exponent k at which the k-th powers of 1/price sum to one, by halving. */
function noVigOf(close: RuledClose, closes: readonly RuledClose[]): number | null {
  if (close.price === null) return null
  const [marketType, line, player, answer = ''] = close.selection.split('|')
  const answers = answersOf[answer]
  if (!answers) return null
  const prices: number[] = []
  for (const other of answers) {
    const isMirrored = line !== '' && other !== answer && (other === 'home' || other === 'away')
    const otherLine = isMirrored ? String(-Number(line)) : line
    const key = [marketType, otherLine, player, other].join('|')
    const price = closes.find(({ selection }) => selection === key)?.price ?? null
    if (price === null) return null
    prices.push(price)
  }
  let low = 0.01
  let high = 100
  for (let i = 0; i < 200; i++) {
    const k = (low + high) / 2
    if (prices.reduce((sum, price) => sum + price ** -k, 0) > 1) low = k
    else high = k
  }
  return close.price ** -((low + high) / 2)
}
