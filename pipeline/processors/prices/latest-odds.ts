/**
 * The latest odds: one row per price, kept from sportsbooks' statements about events. Decides when a row changes:
 * - a `snapshot` withdraws prices that it no longer names, a `delta` changes only those that it names;
 * - a price seen again unchanged updates the sighting, not the row;
 * - an outcome that is suspended or removed without a line is so at all lines (`unlined-ends.ts`);
 * - a price whose highest stake is 0 is suspended, because no bet is taken at it;
 * - an offer that has expired, or names another game, is withdrawn whole;
 * - if an additional outcome changes the question of a market (`three-ways.ts`), its prices are
 *   filed under the other type.
 *
 * The closes of prices at the start are kept in `closes.ts`. At-least-once safe: replaying a batch
 * ends on the same rows.
 */

import type { ClosingLine } from '../../../schemas/closing-line.ts'
import type {
  EventStatusRecord,
  FeedMarket,
  FeedSelection,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import {
  hashIdentity,
  identityCheck,
  oddsId,
  oddsIdOf,
  selectionText,
} from '../../../schemas/ids.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { type PriceChange, priceChange } from '../../../schemas/price-change.ts'
import { findMarket } from '../../../schemas/reference/markets.ts'
import { topics } from '../../../schemas/topics.ts'
import { createPlayerNames, type PlayerNames } from '../../rules/names/player-names.ts'
import { expiryMs } from '../../rules/odds/freshness.ts'
import {
  hasContradictoryLines,
  isUnlinedEnd,
  selectionFault,
} from '../../rules/odds/market-faults.ts'
import { isPrice } from '../../rules/odds/odds.ts'
import { flipLine, flipSelectionType, homeLine } from '../../rules/odds/questions.ts'
import { selectionLabel } from '../../rules/odds/selections.ts'
import { statedChange } from '../../rules/odds/stated-change.ts'
import { allAsRead } from '../../rules/odds/stated-market.ts'
import type { EventTable, EventTableParts, EventTableState } from '../event-tables.ts'
import type { Taken } from '../events/events.ts'
import { type EventEntry, noRow, type Offer } from '../events/offer.ts'
import { carriedAttributes, detailsHash, withAttributes } from './carried.ts'
import { createCloses } from './closes.ts'
import {
  type Beside,
  createFiling,
  type OutcomePlace,
  outcomesWithDraw,
  rungsToMove,
} from './filing.ts'
import { createOutdatedRows, type Observed } from './outdated-rows.ts'
import { changeTo, withdrawalOf } from './price-changes.ts'
import { createPriceTable } from './price-table.ts'
import {
  isOnLine,
  isRemoval,
  marketHash,
  type RowsByMarket,
  rowsByMarket,
  rowsOfMarket,
  type UnlinedEnd,
} from './unlined-ends.ts'

/** @param keepsHistory whether each change is also written to the topic `price-changes` */
export const latestOdds = (keepsHistory: boolean): EventTable => ({
  inputs: [topics.feedOdds],
  // Restored in this order, because a close belongs to a price that is or was on the board.
  tables: [topics.odds, topics.closingLines],
  create: (parts) => createLatestOdds(parts, keepsHistory),
})

function createLatestOdds(
  { events, emit, count, observedAt: now }: EventTableParts,
  keepsHistory: boolean,
): EventTableState {
  const prices = createPriceTable()
  const closes = createCloses(prices, emit)
  const filing = createFiling(prices, rowOf)
  const players = new WeakMap<EventEntry, PlayerNames>()
  /** The number of the current observation; rows that it names are stamped with it. */
  let stamp = 0
  /** Ids that the current observation prices twice. */
  const ambiguous = new Set<number>()
  const outdated = createOutdatedRows((offer, id) => withdraw(offer, prices.find(id)), refile)
  /** Prices that the current observation calls suspended, without a price. */
  const unpriced: {
    readonly market: FeedMarket
    readonly selection: FeedSelection
    readonly isByMore: boolean
  }[] = []
  /** Suspensions and removals in the current observation that name no line. */
  const unlined: UnlinedEnd[] = []

  function playersOf(event: EventEntry): PlayerNames {
    let names = players.get(event)
    if (!names) {
      names = createPlayerNames([event.frameHome, event.frameAway])
      players.set(event, names)
    }
    return names
  }

  const playerOf = (
    { event }: Offer,
    { playerName }: Pick<FeedMarket, 'playerName'>,
    record: Observed,
  ) =>
    playerName === null
      ? null
      : playersOf(event).nameIn(playerName, record.sportsbook, record.markets)

  function emitOdds(league: string, id: number, value: OddsRow | null) {
    emit({ topic: topics.odds, partitionKey: league, key: String(id), value })
  }

  /** @param since the time of withdrawal, if before the current observation */
  function withdraw(offer: Offer, row: number, since = now()) {
    const { row: event } = offer.event
    const id = prices.id(row)
    closes.withdrawn(offer, id, since, now())
    emitOdds(event.league, id, null)
    if (keepsHistory) emitChange(withdrawalOf(prices, row, event, now()))
    if (prices.isFiledByDraw(row)) offer.filedByDraw--
    offer.head = prices.remove(row, offer.head)
  }

  function emitChange(value: PriceChange) {
    const { league: partitionKey, oddsId } = value
    emit({ topic: topics.priceChanges, partitionKey, key: String(oddsId), value })
  }

  function withdrawAll(offer: Offer, since = now()) {
    closes.beforeWithdrawal(offer, now())
    while (offer.head !== noRow) withdraw(offer, offer.head, since)
  }

  function observeOdds(record: OddsRecord, { offer, beginsAnew }: Taken) {
    closes.before(offer, record.observedAt, record.event)
    stamp++
    ambiguous.clear()
    unpriced.length = 0
    unlined.length = 0
    const { sport } = offer.event.row
    const stands = record.mode === 'delta' && !beginsAnew
    const named = allAsRead(record.markets, sport)
    const markets = stands ? filing.withDrawsFound(offer, record, named, playerOf) : named
    const besides = filing.questionsOf(offer, record, markets, playerOf)
    if (besides !== null && stands) moveBeside(offer, record, markets, besides)
    for (let at = 0; at < markets.length; at++) {
      const market = markets[at]!
      const isContradictory = hasContradictoryLines(market)
      if (market.suspended && market.selections.length === 0) {
        unlined.push({ market, selection: null })
      }
      for (const stated of market.selections) {
        // Its line is ambiguous, so it counts as not named.
        if (isContradictory && !stated.removed) {
          count('contradictory_lines')
          if (market.suspended || stated.suspended) unlined.push({ market, selection: stated })
          continue
        }
        if (isUnlinedEnd(market, stated)) {
          unlined.push({ market, selection: stated })
          continue
        }
        const beside = besides && filing.placeOf(offer, record, market, besides[at]!, stated)
        const isByMore = beside !== null
        const { market: filed, stated: selection } = beside ?? { market, stated }
        // It states no price, so a selection that states one goes first.
        if (selection.price === null && !selection.removed) {
          unpriced.push({ market: filed, selection, isByMore })
        } else observeSelection(offer, record, filed, selection, isByMore)
      }
    }
    for (const { market, selection, isByMore } of unpriced) {
      observeSelection(offer, record, market, selection, isByMore)
    }
    if (unlined.length > 0) {
      const rows = rowsByMarket(prices, offer)
      for (const end of unlined) if (isRemoval(end)) endAtAllLines(offer, record, end, rows)
      for (const end of unlined) if (!isRemoval(end)) endAtAllLines(offer, record, end, rows)
    }
    if (record.mode === 'snapshot' || beginsAnew) {
      for (let row = offer.head; row !== noRow; ) {
        const next = prices.next(row)
        if (prices.stampOf(row) !== stamp) withdraw(offer, row)
        row = next
      }
    }
  }

  // ---- ends that name no line

  function endAtAllLines(
    offer: Offer,
    record: Observed,
    { market, selection }: UnlinedEnd,
    rows: RowsByMarket,
  ) {
    const named = playerOf(offer, market, record)
    const isOfAll = selection === null && named === null
    const names = isOfAll ? [null, ...playersOf(offer.event).all()] : [named]
    let isPlaced = false
    for (const found of rowsOfMarket(prices, rows, offer, market, names)) {
      const { row, marketType, playerName } = found
      // Prices that the record states with a line stay as stated; earlier ends withdrew others.
      if (prices.stampOf(row) === stamp) continue
      const line = prices.line(row)
      if (selection === null) {
        // A draw's line has home's sign, like the market's.
        const rung = offer.swapped ? flipLine('draw', market.line, marketType) : market.line
        const away = { marketType, selectionType: 'away', line, playerName }
        const isAway = rung !== null && rowOf(offer, away) === row
        if (isOnLine(rung, marketType, { isAway, line })) withdrawNamed(row)
        continue
      }
      const { selectionType: stated, selection: label } = selection
      const selectionType = offer.swapped ? flipSelectionType(stated, marketType) : stated
      const place = { marketType, selectionType, line, playerName }
      if (line === null || rowOf(offer, place, label) !== row) continue
      isPlaced = true
      if (selection.removed) withdrawNamed(row)
      else {
        const own = offer.swapped ? flipLine(stated, line, marketType) : line
        const suspended = { ...selection, line: own, price: null, suspended: true }
        const isByMore = prices.isFiledByDraw(row)
        observeSelection(offer, record, { ...market, marketType }, suspended, isByMore)
      }
    }
    if (!isPlaced && selection?.removed === false) count('suspended_without_price')

    function withdrawNamed(row: number) {
      prices.stamp(row, stamp)
      withdraw(offer, row)
    }
  }

  /**
   * Moves existing prices to another question if a record brings an additional outcome to their
   * rungs, and back.
   */
  function moveBeside(
    offer: Offer,
    record: OddsRecord,
    markets: readonly FeedMarket[],
    besides: readonly (readonly Beside[])[],
  ) {
    for (let at = 0; at < markets.length; at++) {
      for (const beside of besides[at]!) {
        for (const rung of rungsToMove(beside)) {
          refile(offer, record, markets[at]!, beside.market.marketType, rung, true)
        }
        for (const rung of beside.returned) {
          refile(offer, record, beside.market, markets[at]!.marketType, rung, false)
        }
      }
    }
  }

  /** Moves the rows on a rung to another question. */
  function refile(
    offer: Offer,
    record: Observed,
    from: Pick<FeedMarket, 'marketType' | 'playerName'>,
    to: string,
    rung: number | null,
    isByMore: boolean,
  ) {
    const { marketType, playerName: stated } = from
    const playerName = playerOf(offer, from, record)
    const listed = isByMore ? marketType : to
    for (const selectionType of outcomesWithDraw(listed, offer.event.row.sport)) {
      const row = filing.rowOnRung(offer, { marketType, playerName }, selectionType, rung)
      if (row === noRow) continue
      const changedAt = prices.changedAt(row)
      const stood: FeedSelection = {
        selection: null,
        selectionType,
        line: homeLine(to, selectionType, rung),
        price: prices.price(row),
        removed: false,
        suspended: !prices.isActive(row),
        changedAt: Number.isNaN(changedAt) ? null : changedAt,
      }
      const wasStale = prices.isStalePregame(row)
      withdraw(offer, row)
      const filed = { ...plainMarket, marketType: to, playerName: stated }
      observeSelection(offer, record, filed, stood, isByMore, wasStale)
      const moved = filing.rowOnRung(offer, { marketType: to, playerName }, selectionType, rung)
      // The record has not named it yet.
      if (moved !== noRow) prices.stamp(moved, 0)
    }
  }

  function rowOf(
    offer: Offer,
    { marketType, selectionType, line, playerName }: OutcomePlace,
    label: string | null = null,
  ): number {
    const selection = selectionLabel(selectionType, marketType, label, playerName, offer.event)
    const identity = selectionText(marketType, line, playerName, selectionType, selection)
    const hash = hashIdentity(identity, offer.begunIdentity)
    const row = prices.find(oddsIdOf(hash))
    return row !== noRow && prices.check(row) === identityCheck(hash) ? row : noRow
  }

  // ---- one selection

  /** @param wasStale whether its price in play dated from before the start, under its former question */
  function observeSelection(
    offer: Offer,
    record: Observed,
    market: FeedMarket,
    stated: FeedSelection,
    isByMore: boolean,
    wasStale?: boolean,
  ) {
    const { event } = offer
    const { id: eventId, league } = event.row
    const { sportsbook, observedAt } = record
    const { marketType } = market
    const playerName = playerOf(offer, market, record)
    const statedLine = stated.line ?? market.line
    const line = offer.swapped ? flipLine(stated.selectionType, statedLine, marketType) : statedLine
    const selectionType = offer.swapped
      ? flipSelectionType(stated.selectionType, marketType)
      : stated.selectionType
    const label = stated.selection
    const selection = selectionLabel(selectionType, marketType, label, playerName, event)
    const identity = selectionText(marketType, line, playerName, selectionType, selection)
    const hash = hashIdentity(identity, offer.begunIdentity)
    const check = identityCheck(hash)
    let id = oddsIdOf(hash)
    let row = prices.find(id)
    // If two identities share an id, the later one takes the next free id of its own sequence.
    for (let turn = 1; row !== noRow && prices.check(row) !== check; turn++) {
      id = oddsId(`${identity}|${turn}`, offer.begunIdentity)
      row = prices.find(id)
    }

    if (stated.removed) {
      if (row !== noRow) withdraw(offer, row)
      else if (line === null) unlined.push({ market, selection: stated })
      return
    }
    if (ambiguous.has(id)) return
    const price = stated.price ?? (row === noRow ? null : prices.price(row))
    const { statCategory } = market
    if (price === null) {
      const isOfCloses = !record.event.isLive && !closes.knows(id)
      if (isOfCloses && selectionFault(market, stated) === null) {
        const of = { marketType, selection, selectionType, line, playerName, statCategory }
        closes.unpriced(offer, id, of, observedAt)
      }
      if (line !== null) return count('suspended_without_price')
      unlined.push({ market, selection: stated })
      return
    }
    if (!isPrice(price)) return count('impossible_price')
    if (row !== noRow && prices.stampOf(row) === stamp) {
      if (stated.price === null || prices.price(row) === price) return
      // One sportsbook has two prices for one selection at one time: neither can be trusted.
      ambiguous.add(id)
      withdraw(offer, row)
      return count('ambiguous_selection')
    }

    const { isLive } = record.event
    const attributes = carriedAttributes(stated, market)
    const isActive = !(market.suspended || stated.suspended) && attributes.maxBet !== 0
    const details = detailsHash(selection, statCategory, attributes)
    const wasFiledByDraw = row !== noRow && prices.isFiledByDraw(row)
    // A statement under another name in between does not change the first one's meaning.
    const isFiledByDraw = isByMore || (wasFiledByDraw && record.mode === 'delta')
    let changedAt = statedChange(stated.changedAt, observedAt)
    let isStalePregame = false
    let what: number = priceChange.listed
    if (row === noRow) {
      // Checked once: a selection that does not fit its market never gets a row.
      const fault = selectionFault(market, stated)
      if (fault !== null) return count(fault)
      if (!findMarket(marketType)) count('unlisted_market')
      row = prices.insert(id, check, offer.head, marketHash(marketType, playerName), line)
      offer.head = row
      isStalePregame =
        isLive && (wasStale ?? (changedAt !== null && changedAt < record.event.startsAt))
    } else {
      what = 0
      if (prices.price(row) !== price) what |= priceChange.price
      if (prices.isLive(row) !== isLive) what |= priceChange.live
      if (prices.isActive(row) !== isActive) what |= priceChange.active
      if (prices.details(row) !== details || wasFiledByDraw !== isFiledByDraw) {
        what |= priceChange.details
      }
      if (what === 0) {
        prices.stamp(row, stamp)
        return
      }
      // When play begins, the price dates from before the start until it moves.
      isStalePregame =
        isLive &&
        (what & priceChange.price) === 0 &&
        (!prices.isLive(row) || prices.isStalePregame(row))
      const before = prices.changedAt(row)
      // The stated time is that of the price; the beginning or end of play has the time of the
      // observation.
      if ((what & priceChange.live) !== 0) changedAt = observedAt
      else if ((what & priceChange.price) !== 0) changedAt ??= observedAt
      else changedAt = Number.isNaN(before) ? null : before
    }
    prices.stamp(row, stamp)
    if (!isLive && (what & (priceChange.listed | priceChange.live)) !== 0) {
      const of = { marketType, selection, selectionType, line, playerName, statCategory }
      closes.listed(offer, id, of, observedAt)
    }
    if (!isLive && (what & priceChange.details) !== 0) {
      closes.described(id, selection, statCategory)
    }
    prices.set(row, {
      price,
      isLive,
      isActive,
      changedAt: changedAt ?? Number.NaN,
      observedAt,
      details,
      isFiledByDraw,
      isStalePregame,
    })
    if (wasFiledByDraw !== isFiledByDraw) offer.filedByDraw += isFiledByDraw ? 1 : -1
    const core = {
      id,
      eventId,
      league,
      sportsbook,
      marketType,
      selection,
      selectionType,
      line,
      playerName,
      statCategory,
      price,
      isLive,
      isActive,
      observedAt,
      changedAt,
      isFiledByDraw: isFiledByDraw ? true : null,
      isStalePregamePrice: isStalePregame ? true : null,
    }
    const written = withAttributes(core, attributes)
    emitOdds(league, id, written)
    if (keepsHistory) emitChange(changeTo(written, what))
  }

  return {
    restore({ topic, value }) {
      if (value === null) return
      if (topic.name === topics.odds.name) return restoreOdds(value as OddsRow)
      const close = value as ClosingLine
      const offer = events.offer(close.eventId, close.sportsbook)
      if (close.playerName !== null) playersOf(offer.event).recall(close.playerName)
      closes.restore(offer, close)
    },
    take: {
      odds(record, taken) {
        outdated.update()
        observeOdds(record, taken)
      },
      event_status(_record: EventStatusRecord, { offer, beginsAnew }: Taken) {
        outdated.update()
        if (beginsAnew) withdrawAll(offer)
      },
      tick({ observedAt }) {
        outdated.update()
        closes.tick(events.all(), observedAt)
      },
    },
    withdraw(offer, why) {
      if (why === 'mistaken') closes.mistaken(offer, now())
      withdrawAll(offer)
    },
    // The price ended when it expired, however late the tick is.
    expire: (offer) => withdrawAll(offer, offer.lastSeenAt + expiryMs(offer.isLive)),
    changed: closes.eventChanged,
    forget: closes.forget,
    priceOf(offer, { marketType, selectionType, line }) {
      const row = rowOf(offer, { marketType, selectionType, line, playerName: null })
      if (row === noRow) return Number.NaN
      return prices.isActive(row) && !prices.isLive(row) ? prices.price(row) : Number.NaN
    },
  }

  function restoreOdds(row: OddsRow) {
    const offer = events.offer(row.eventId, row.sportsbook)
    const { marketType, line, playerName, selectionType, selection } = row
    if (playerName !== null) playersOf(offer.event).recall(playerName)
    const identity = selectionText(marketType, line, playerName, selectionType, selection)
    const check = identityCheck(hashIdentity(identity, offer.begunIdentity))
    const label = selectionLabel(selectionType, marketType, selection, playerName, offer.event)
    const present = selectionText(marketType, line, playerName, selectionType, label)
    outdated.note(offer, row, present !== identity)
    const at = prices.insert(row.id, check, offer.head, marketHash(marketType, playerName), line)
    offer.head = at
    prices.set(at, {
      price: row.price,
      isLive: row.isLive,
      isActive: row.isActive,
      changedAt: row.changedAt ?? Number.NaN,
      observedAt: row.observedAt,
      details: detailsHash(row.selection, row.statCategory, row),
      isFiledByDraw: row.isFiledByDraw === true,
      isStalePregame: row.isStalePregamePrice === true,
    })
    if (row.isFiledByDraw) offer.filedByDraw++
    if (!row.isLive) closes.restorePrice(offer, row.id, row)
  }
}

const plainMarket = {
  ...{ line: null, playerName: null, statCategory: null },
  ...{ suspended: false, selections: [] },
}
