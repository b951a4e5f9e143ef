/**
 * The table of closing lines: one row for every price that a sportsbook has had before the start of a game, with its
 * close or the reason why there is none. Decides when a row changes; `latest-odds.ts` reports what happens to prices,
 * in the same commit. `docs/closing-lines.md` has the rule for readers.
 *
 * - A close is the price at the **start**. That is the start in the event's row when that time
 *   comes, or the time when the sportsbook's own prices go into play, whichever is first.
 * - An offer is captured before its first statement from after the start is applied, or at a tick. So a row holds
 *   exactly the observations up to the start.
 * - The reason for a missing close is written as soon as it is known; for a withdrawal before the
 *   start, at once. So all state here can be restored from the table and the latest odds.
 * - A capture is undone if the game has not begun and one of these holds: its start moves to a time
 *   that has not passed, pregame prices still arrive, or a postponed game is scheduled again. A row
 *   that is taken back is written once more, without close and reason, and then removed. So the
 *   archive, which keeps dropped rows, can tell it from them.
 * - 48 hours after the start the rows are dropped.
 */

import type { ClosingLine, MissingCloseReason } from '../../../schemas/closing-line.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { EventStatus, FeedEvent } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import type { Append } from '../../log/log.ts'
import { hasBegun } from '../../rules/games/event-play.ts'
import { eventRetentionMs, preMatchExpiryMs } from '../../rules/odds/freshness.ts'
import { type ClosedPrice, noVigCloses } from '../../rules/odds/no-vig-closes.ts'
import { type EventEntry, noRow, type Offer } from '../events/offer.ts'
import { type ClosedSelection, type CloseState, createCloseTable } from './close-table.ts'
import type { PriceTable } from './price-table.ts'

export interface Closes {
  /** Called before a statement of prices is taken. */
  before(offer: Offer, at: number, event: Pick<FeedEvent, 'isLive' | 'isByClock'>): void
  /** Called when a price comes onto the board as a pregame price, even if it was in play before. */
  listed(offer: Offer, id: number, selection: ClosedSelection, at: number): void
  /** Called when a price is listed as suspended and has never been priced. */
  unpriced(offer: Offer, id: number, selection: ClosedSelection, at: number): void
  knows(id: number): boolean
  /** Called when the sportsbook changes its words for a selection. */
  described(id: number, selection: string, statCategory: string | null): void
  /** Called before prices leave the board. @param at when the statement or tick was observed */
  beforeWithdrawal(offer: Offer, at: number): void
  /** Called when a price leaves the board. @param since when it was withdrawn; not after `at` */
  withdrawn(offer: Offer, id: number, since: number, at: number): void
  /** Called if earlier records of the offer prove to be of another game, or with swapped sides. */
  mistaken(offer: Offer, at: number): void
  /** Called when the event's row has changed. */
  eventChanged(event: EventEntry, before: EventRow, at: number): void
  /** Called when the event is removed. */
  forget(offer: Offer): void
  tick(events: Iterable<EventEntry>, now: number): void
  /** Restores a price that is on the board, before play. */
  restorePrice(offer: Offer, id: number, selection: ClosedSelection): void
  restore(offer: Offer, row: ClosingLine): void
}

/** The times of an offer's capture. */
interface Capture {
  /** The start that the closes are for. */
  readonly startsAt: number
  /** Observations up to this time count; never after the start. */
  readonly upTo: number
  readonly capturedAt: number
  /** Whether the game is postponed or cancelled, so that it does not start. */
  readonly isPutOff: boolean
}

/**
 * The approximate number of prices that a tick captures. Many games start at one time; the others
 * wait for the next tick or the sportsbook's next statement.
 */
const capturedInTick = 10_000

type ClosedAs = Pick<ClosingLine, 'price' | 'pricedAt' | 'noVig' | 'missing' | 'missingSince'>

const takenBack: ClosedAs = {
  price: null,
  pricedAt: null,
  noVig: null,
  missing: null,
  missingSince: null,
}

export function createCloses(
  prices: Pick<PriceTable, 'find' | 'price' | 'isLive' | 'isActive' | 'changedAt' | 'observedAt'>,
  emit: (change: Append) => void,
): Closes {
  const table = createCloseTable()

  /** Returns whether the price is on the board, before play. */
  function isListed(entry: number): boolean {
    const row = prices.find(table.id(entry))
    return row !== noRow && !prices.isLive(row)
  }

  // ---- rows

  function write(
    offer: Offer,
    entry: number,
    closed: ClosedSelection,
    times: Pick<Capture, 'startsAt' | 'capturedAt'>,
    close: ClosedAs,
  ) {
    if (table.state(entry) === 'open') {
      offer.closes.open--
      offer.closes.written++
    }
    table.set(entry, close.missing ?? 'close', close.missingSince ?? Number.NaN)
    emitRow(offer, entry, closed, times, close)
  }

  function emitRow(
    { event: { row: event }, sportsbook, closes }: Offer,
    entry: number,
    closed: ClosedSelection,
    { startsAt, capturedAt }: Pick<Capture, 'startsAt' | 'capturedAt'>,
    { price, pricedAt, noVig, missing, missingSince }: ClosedAs,
  ) {
    closes.lastCapturedAt = Math.max(closes.lastCapturedAt, capturedAt)
    const id = table.id(entry)
    const { id: eventId, sport, league } = event
    const { marketType, selection, selectionType, line, playerName, statCategory } = closed
    const value: ClosingLine = {
      oddsId: id,
      eventId,
      sport,
      league,
      sportsbook,
      marketType,
      selection,
      selectionType,
      line,
      playerName,
      statCategory,
      startsAt,
      // The archive keeps the row with the latest capture.
      capturedAt: closes.lastCapturedAt,
      pricedAt,
      price,
      noVig,
      // `opportunities/withheld-closes.ts` judges it.
      withheld: null,
      missing,
      missingSince,
    }
    emit({ topic: topics.closingLines, partitionKey: league, key: String(id), value })
  }

  function writeMissing(
    offer: Offer,
    entry: number,
    missing: MissingCloseReason,
    missingSince: number,
    times: Pick<Capture, 'startsAt' | 'capturedAt'>,
  ) {
    write(offer, entry, table.of(entry), times, {
      price: null,
      pricedAt: null,
      noVig: null,
      missing,
      missingSince,
    })
  }

  /** Takes the row of a listed price back. */
  function takeBack(offer: Offer, entry: number, at: number) {
    if (table.state(entry) === 'open') return
    const { startsAt } = offer.event.row
    emitRow(offer, entry, table.of(entry), { startsAt, capturedAt: at }, takenBack)
    erase(offer, entry)
  }

  /** Removes the row from the table; the price is open again. */
  function erase(offer: Offer, entry: number) {
    if (table.state(entry) === 'open') return
    const { league: partitionKey } = offer.event.row
    emit({ topic: topics.closingLines, partitionKey, key: String(table.id(entry)), value: null })
    table.set(entry, 'open', Number.NaN)
    offer.closes.open++
    offer.closes.written--
  }

  function add(offer: Offer, id: number, selection: ClosedSelection): number {
    const { closes } = offer
    closes.first = table.insert(id, selection, closes.first)
    closes.open++
    return closes.first
  }

  function remove(offer: Offer, entry: number) {
    const { closes } = offer
    if (table.state(entry) === 'open') closes.open--
    else closes.written--
    closes.first = table.remove(entry, closes.first)
  }

  // ---- capture

  /** Writes the rows of an offer for its start. Rows of an earlier capture stay until it is undone. */
  function capture(offer: Offer, times: Capture): number {
    const { closes, event } = offer
    const open: number[] = []
    const outcomes: (ClosedSelection & ClosedPrice)[] = []
    let isCaptured = false
    let count = 0
    for (let entry = closes.first; entry !== noRow; entry = table.next(entry)) {
      count++
      const state = table.state(entry)
      const selection = table.of(entry)
      if (isOfCapture(state)) {
        isCaptured = true
        continue
      }
      const missing = missingAt(offer, entry, times)
      if (missing === null || missing.reason === 'suspended') {
        const row = prices.find(table.id(entry))
        open.push(entry)
        outcomes.push({ ...selection, price: missing ? null : prices.price(row) })
      } else if (missing.reason !== state || times.startsAt !== event.row.startsAt) {
        writeMissing(offer, entry, missing.reason, missing.since, times)
      }
      isCaptured ||= isOfCapture(missing?.reason ?? 'close')
    }
    const probabilities = noVigCloses(outcomes, event.row.sport)
    for (let at = 0; at < open.length; at++) {
      const entry = open[at]!
      const row = prices.find(table.id(entry))
      const { price } = outcomes[at]!
      const observedAt = prices.observedAt(row)
      const changedAt = prices.changedAt(row)
      write(offer, entry, outcomes[at]!, times, {
        price,
        // In rows of earlier versions the change may be later than its observation.
        pricedAt: price === null ? null : changedAt < observedAt ? changedAt : observedAt,
        noVig: probabilities[at]!,
        missing: price === null ? 'suspended' : null,
        missingSince: price === null ? observedAt : null,
      })
    }
    if (isCaptured || times.capturedAt >= times.startsAt) closes.closedFor = times.startsAt
    return count
  }

  /** Returns the reason of an entry that is neither open nor a close. */
  const missingOf = (entry: number) => table.state(entry) as MissingCloseReason

  /** Returns why a price that has not been captured has no close, and since when; null for a close. */
  function missingAt(
    { closes, event }: Offer,
    entry: number,
    { upTo, capturedAt, isPutOff }: Capture,
  ): { readonly reason: MissingCloseReason; readonly since: number } | null {
    const state = table.state(entry)
    const since = table.since(entry)
    if (state === 'misplaced') return { reason: state, since }
    if (state === 'never_priced') {
      return { reason: since > upTo ? 'late_listing' : state, since }
    }
    if (isPutOff) return { reason: 'postponed', since: Math.min(event.row.updatedAt, capturedAt) }
    if (state === 'withdrawn') {
      // If it was withdrawn after the new start, it was still listed then.
      return since > upTo
        ? { reason: 'start_corrected', since: capturedAt }
        : { reason: state, since }
    }
    const row = prices.find(table.id(entry))
    const observedAt = prices.observedAt(row)
    if (observedAt > upTo) return { reason: 'start_corrected', since: capturedAt }
    const lapsesAt = closes.seenAt + preMatchExpiryMs
    if (lapsesAt < upTo) return { reason: 'withdrawn', since: lapsesAt }
    return prices.isActive(row) ? null : { reason: 'suspended', since: observedAt }
  }

  /** Undoes the capture of an offer: its prices on the board are open, the others count as withdrawn. */
  function reopen(offer: Offer, at: number) {
    const { closes, event } = offer
    const times = { startsAt: event.row.startsAt, capturedAt: at }
    closes.closedFor = Number.NaN
    for (let entry = closes.first; entry !== noRow; ) {
      const next = table.next(entry)
      const state = table.state(entry)
      if (isListed(entry)) takeBack(offer, entry, at)
      // Such a price went into play after the rows of its start were dropped.
      else if (state === 'open') remove(offer, entry)
      else if (isOfCapture(state)) writeMissing(offer, entry, 'withdrawn', at, times)
      else writeMissing(offer, entry, missingOf(entry), table.since(entry), times)
      entry = next
    }
  }

  /** Returns whether a start has passed, but its closes are not dropped yet. */
  const isPast = (startsAt: number, at: number) =>
    at > startsAt && at - startsAt <= eventRetentionMs

  /** Returns whether the start has to be captured. */
  const isDue = ({ closes, event }: Offer, at: number, { startsAt } = event.row) =>
    isPast(startsAt, at) &&
    (closes.open > 0 || (closes.written > 0 && Number.isNaN(closes.closedFor)))

  function captureAtStart(offer: Offer, { startsAt, status } = offer.event.row): number {
    return capture(offer, {
      startsAt,
      upTo: startsAt,
      capturedAt: startsAt,
      isPutOff: isPutOff(status),
    })
  }

  function isPostponed({ closes }: Offer): boolean {
    for (let entry = closes.first; entry !== noRow; entry = table.next(entry)) {
      if (table.state(entry) === 'postponed') return true
    }
    return false
  }

  /** Handles prices that go into play: the start is now, or earlier by the event's row. */
  function goIntoPlay(offer: Offer, at: number, isByClock: boolean) {
    const { closes, event } = offer
    if (Number.isNaN(closes.closedFor)) {
      const { startsAt } = event.row
      const upTo = Math.min(at, startsAt)
      if (closes.open > 0 && at - startsAt <= eventRetentionMs)
        capture(offer, { startsAt, upTo, capturedAt: upTo, isPutOff: false })
    } else if (!isByClock && isPutOff(event.row.status) && isPostponed(offer)) beginAt(offer, at)
  }

  /** Handles a price that comes onto the board for the first time after the start. */
  function listLate(offer: Offer, entry: number, startsAt: number, at: number) {
    const { closes, event } = offer
    // If a game had begun before it was postponed, its closes stay.
    const waits =
      isPutOff(event.row.status) && (Number.isNaN(closes.closedFor) || isPostponed(offer))
    const missing = waits ? 'postponed' : 'late_listing'
    writeMissing(offer, entry, missing, at, { startsAt, capturedAt: at })
    closes.closedFor = startsAt
  }

  /** Handles a postponed game that begins without a new start time. */
  function beginAt(offer: Offer, at: number) {
    reopen(offer, at)
    capture(offer, { startsAt: at, upTo: at, capturedAt: at, isPutOff: false })
  }

  /** Returns whether a change of the event's row undoes the capture. */
  function isTakenBack(offer: Offer, before: EventRow, at: number): boolean {
    const { row: after } = offer.event
    const isLaterStart = after.startsAt > at && after.startsAt !== before.startsAt
    if (isPostponed(offer)) return !isPutOff(after.status) || isLaterStart
    // If closes were kept while the game was postponed, it had begun before.
    const isKept =
      hasBegun(before) || hasBegun(after) || before.status === 'final' || isPutOff(before.status)
    return !isKept && (isPutOff(after.status) || isLaterStart)
  }

  function offerChanged(offer: Offer, before: EventRow, at: number) {
    const { closes, event } = offer
    const { row: after } = event
    const { startsAt } = after
    // First captures the prices that were due at the former start.
    if (isDue(offer, at, before)) captureAtStart(offer, before)
    const wasCaptured = !Number.isNaN(closes.closedFor)
    if (wasCaptured) {
      if (!isTakenBack(offer, before, at)) return
      if (isPutOff(before.status) && after.isLive) return beginAt(offer, at)
    } else if (startsAt === before.startsAt) return
    reopen(offer, at)
    if (!isPast(startsAt, at)) return
    capture(offer, { startsAt, upTo: startsAt, capturedAt: at, isPutOff: isPutOff(after.status) })
  }

  // ---- the end

  /** Drops the prices that are not on the board any more, and the rows of the table. */
  function drop(offer: Offer) {
    const { closes } = offer
    for (let entry = closes.first; entry !== noRow; ) {
      const next = table.next(entry)
      erase(offer, entry)
      if (!isListed(entry)) remove(offer, entry)
      entry = next
    }
    closes.closedFor = Number.NaN
    closes.lastCapturedAt = Number.NEGATIVE_INFINITY
  }

  return {
    before(offer, at, { isLive, isByClock }) {
      const { closes } = offer
      if (closes.first !== noRow) {
        if (isLive) goIntoPlay(offer, at, isByClock === true)
        else {
          if (at <= closes.closedFor) reopen(offer, at)
          // The event's own start may be before the captured one.
          if (isDue(offer, at)) captureAtStart(offer)
        }
      }
      closes.seenAt = at
    },

    listed(offer, id, selection, at) {
      const { closes, event } = offer
      const startsAt = Number.isNaN(closes.closedFor) ? event.row.startsAt : closes.closedFor
      const known = table.find(id)
      if (known !== noRow) {
        table.describe(known, selection.selection, selection.statCategory)
        if (at <= startsAt) takeBack(offer, known, at)
        else if (table.state(known) === 'never_priced') listLate(offer, known, startsAt, at)
        return
      }
      const entry = add(offer, id, selection)
      if (isPast(startsAt, at)) listLate(offer, entry, startsAt, at)
    },

    unpriced(offer, id, selection, at) {
      const { closes, event } = offer
      const { startsAt } = event.row
      if (at > startsAt || !Number.isNaN(closes.closedFor)) return
      writeMissing(offer, add(offer, id, selection), 'never_priced', at, {
        startsAt,
        capturedAt: at,
      })
    },

    knows: (id) => table.find(id) !== noRow,

    described(id, selection, statCategory) {
      const entry = table.find(id)
      if (entry !== noRow) table.describe(entry, selection, statCategory)
    },

    beforeWithdrawal(offer, at) {
      if (isDue(offer, at)) captureAtStart(offer)
    },

    withdrawn(offer, id, since, at) {
      const entry = table.find(id)
      if (entry === noRow || table.state(entry) !== 'open') return
      const { startsAt } = offer.event.row
      if (at - startsAt > eventRetentionMs) remove(offer, entry)
      else writeMissing(offer, entry, 'withdrawn', since, { startsAt, capturedAt: at })
    },

    mistaken(offer, at) {
      const { closes, event } = offer
      const { closedFor } = closes
      const startsAt = Number.isNaN(closedFor) ? event.row.startsAt : closedFor
      if (at - startsAt > eventRetentionMs) return
      for (let entry = closes.first; entry !== noRow; entry = table.next(entry)) {
        writeMissing(offer, entry, 'misplaced', at, { startsAt, capturedAt: at })
      }
    },

    eventChanged(event, before, at) {
      const { row: after } = event
      const isPutOffAsBefore = isPutOff(before.status) === isPutOff(after.status)
      if (before.startsAt === after.startsAt && isPutOffAsBefore) return
      for (const offer of event.offers.values()) {
        if (offer.closes.first !== noRow) offerChanged(offer, before, at)
      }
    },

    forget: drop,

    tick(events, now) {
      let remaining = capturedInTick
      for (const event of events) {
        const sinceStart = now - event.row.startsAt
        if (sinceStart <= 0) continue
        for (const offer of event.offers.values()) {
          if (sinceStart > eventRetentionMs) {
            if (offer.closes.written > 0) drop(offer)
          } else if (remaining > 0 && isDue(offer, now)) remaining -= captureAtStart(offer)
        }
      }
    },

    restorePrice: (offer, id, selection) => {
      add(offer, id, selection)
    },

    restore(offer, row) {
      const { closes } = offer
      const { oddsId, startsAt, capturedAt, missing, missingSince } = row
      // Such a row was taken back, but the log has lost its removal.
      if (row.price === null && missing === null) return
      const known = table.find(oddsId)
      const entry = known === noRow ? add(offer, oddsId, row) : known
      const state = missing ?? 'close'
      table.set(entry, state, missingSince ?? Number.NaN)
      closes.open--
      closes.written++
      closes.lastCapturedAt = Math.max(closes.lastCapturedAt, capturedAt)
      // An uncaptured row has the event's start, and moves with it.
      if (isOfCapture(state) || startsAt !== offer.event.row.startsAt) closes.closedFor = startsAt
    },
  }
}

/**
 * Returns whether a row of this state shows that the offer was captured; rows of other states may
 * be written before.
 */
const isOfCapture = (state: CloseState) =>
  state !== 'open' && state !== 'withdrawn' && state !== 'never_priced' && state !== 'misplaced'

/** Returns whether a game of this status does not start, as far as we know. */
const isPutOff = (status: EventStatus) => status === 'postponed' || status === 'cancelled'
