/**
 * The prices for opportunities, by line: all outcomes of one market at one line, at every
 * sportsbook, side by side. It knows which prices may be bet on now, and which lines have to be
 * examined again.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { firstSetOf } from '../../../schemas/main-line.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { ownerVisibility, visibilityOf } from '../../../schemas/opportunity.ts'
import { questionOf } from '../../../schemas/reference/markets.ts'
import type { Sighting } from '../../../schemas/sighting.ts'
import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'
import { createIdIndex } from '../../memory/id-index.ts'
import { createLinkedSlots, noSlot } from '../../memory/linked-slots.ts'
import { isOpen } from '../../rules/games/event-end.ts'
import type { Chains } from '../../rules/odds/chains.ts'
import { type Fees, priceAfterFee } from '../../rules/odds/fees.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { isComparable } from '../../rules/odds/in-play-handicaps.ts'
import {
  type MarketShape,
  openOutcome,
  openShape,
  shapeOfPrice,
  sharedLine,
} from '../../rules/odds/market-shape.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import { createEventChains } from './event-chains.ts'
import type { Ladder, Line, PricedEvent, PricedOffer } from './lines.ts'
import { mayBeTurned, mirrorOf } from './turned-lines.ts'

/** The fields of a row that opportunities are made of. */
export type PricedRow = Pick<
  OddsRow,
  | 'id'
  | 'eventId'
  | 'sportsbook'
  | 'marketType'
  | 'selection'
  | 'selectionType'
  | 'line'
  | 'playerName'
  | 'price'
  | 'isLive'
  | 'isActive'
  | 'observedAt'
>

/** The fields of a sighting that decide which prices may be bet on. */
export type SeenOffer = Pick<
  Sighting,
  'eventId' | 'sportsbook' | 'lastSeenAt' | 'isLive' | 'hasGivenPrices'
>

/** The place of a price. */
export interface PricePlace<L extends Line> {
  readonly line: L
  readonly slot: number
  readonly column: number
}

/** One of several prices of a sportsbook for one outcome, under different labels. */
interface Rival {
  readonly quote: number
  readonly id: number
  price: number
}

export interface PriceLines<L extends Line> {
  applyEvent(id: string, row: EventRow | null): void
  applySighting(sighting: SeenOffer): void
  applyOdds(row: PricedRow): void
  removeOdds(id: number): void
  /** Returns the place of the price of an odds id, usable or not; null where there is none. */
  placeOf(id: number): PricePlace<L> | null
  applySource(sportsbook: string, isUp: boolean, at: number): void
  /** Sets whether only the owner may see the sportsbook. */
  applyAudience(sportsbook: string, isOwners: boolean): void
  /** Returns whether there are such sportsbooks. */
  hasOwners(): boolean
  /**
   * Moves time forward: prices become unusable if they were not seen for too long, or their game
   * has started.
   */
  advance(now: number): void
  /**
   * Notes the time of a restored record: until the first `advance`, time is at least this.
   * `advance` may then go back, in case a clock ran ahead before.
   */
  recall(at: number): void
  /** Judges which prices are usable now, when everything is restored. */
  begin(): void
  /**
   * Returns the lines touched since the last call, and the lines whose verdicts depend on them
   * (`turned-lines.ts`). Lines without prices leave their ladder afterwards.
   */
  takeDirty(): L[]
  /** Drops a line without prices. */
  drop(line: L): void
}

/**
 * @param chain what +EV is measured against
 * @param fees the fees to subtract from prices
 * @param createLine adds the caller's data to a line
 * @param references sportsbooks that nobody can bet at
 * @param hasOpen whether outcomes of open markets (without a closed set of outcomes) have lines,
 * each with one column
 */
export function createPriceLines<L extends Line>(
  chain: Chains,
  fees: Fees,
  createLine: (line: Line) => L,
  references: ReadonlySet<string> = noReferences,
  hasOpen = false,
): PriceLines<L> {
  const events = new Map<string, PricedEvent>()
  const chainFor = createEventChains(chain)
  const down = new Set<string>()
  const ownersOnly = new Set<string>()
  const index = createIdIndex()
  const lineOf: (L | undefined)[] = []
  const firstCapacity = 1_024
  let placeOf = new Int32Array(firstCapacity)
  const quotes = createLinkedSlots(firstCapacity, (capacity) => {
    placeOf = grown(placeOf, capacity)
  })
  /** Prices of one place that contradict each other. None is used while there are two or more. */
  const contested = new Map<L, Map<number, Rival[]>>()
  let dirty: L[] = []
  let now = 0
  /** True until the first clock record. */
  let isRecalling = true

  function eventOf(id: string): PricedEvent {
    let event = events.get(id)
    if (!event) {
      const maps = { offers: new Map(), ladders: new Map() }
      event = { id, row: null, chain: chainFor(null), hasStarted: false, ...maps }
      events.set(id, event)
    }
    return event
  }

  /** Gives an event the chain of its league. */
  function adopt(event: PricedEvent, row: EventRow) {
    const own = chainFor(row)
    if (own === event.chain) return
    event.chain = own
    for (const offer of event.offers.values()) {
      offer.place = own.placeOf(offer.sportsbook)
      offer.sharpness = own.sharpnessOf(offer.sportsbook)
    }
    touchEvent(event, now)
  }

  const levelOf = (sportsbook: string) =>
    ownersOnly.has(sportsbook) ? ownerVisibility : visibilityOf(sportsbook)

  function offerOf(event: PricedEvent, sportsbook: string): PricedOffer {
    let offer = event.offers.get(sportsbook)
    if (!offer) {
      const visibility = levelOf(sportsbook)
      offer = {
        sportsbook,
        visibility,
        firstSet: firstSetOf(sportsbook, visibility),
        place: event.chain.placeOf(sportsbook),
        sharpness: event.chain.sharpnessOf(sportsbook),
        isReference: references.has(sportsbook),
        fee: fees.get(sportsbook) ?? null,
        lastSeenAt: 0,
        isLive: false,
        isUsable: false,
        head: noSlot,
      }
      event.offers.set(sportsbook, offer)
    }
    return offer
  }

  // ---- lines to examine

  function touch(line: L, at: number) {
    if (at > line.touchedAt) line.touchedAt = at
    if (line.isDirty) return
    line.isDirty = true
    dirty.push(line)
  }

  function touchEvent(event: PricedEvent, at: number) {
    for (const ladders of event.ladders.values()) {
      for (const { lines } of ladders) for (const line of lines) touch(line as L, at)
    }
  }

  function touchOffer(offer: PricedOffer, at: number) {
    for (let quote = offer.head; quote !== noSlot; quote = quotes.next(quote)) {
      touch(lineOf[quote]!, at)
    }
  }

  function judgeOffer(offer: PricedOffer, at: number) {
    const { sportsbook, lastSeenAt, isLive } = offer
    const isUsable = !down.has(sportsbook) && now - lastSeenAt <= usableMs(isLive)
    if (isUsable === offer.isUsable) return
    offer.isUsable = isUsable
    touchOffer(offer, at)
  }

  function judgeStart(event: PricedEvent) {
    const { row } = event
    const hasStarted = row !== null && (row.isLive || row.startsAt <= now)
    if (hasStarted === event.hasStarted) return
    event.hasStarted = hasStarted
    touchEvent(event, now)
  }

  function judgeAll() {
    for (const event of events.values()) {
      judgeStart(event)
      for (const offer of event.offers.values()) judgeOffer(offer, now)
    }
  }

  // ---- quotes

  function insert(row: PricedRow) {
    const event = eventOf(row.eventId)
    const sport = event.row?.sport
    if (sport === undefined) return
    const shape = shapeOfPrice(row, sport)
    const place = shape?.columnOf.get(row.selectionType)
    const outcome = shape || !hasOpen ? null : openOutcome(row)
    if (!place && outcome === null) return
    const ladder = ladderOf(event, sport, shape ?? openShape, row)
    const offer = offerOf(event, row.sportsbook)
    const line = lineFor(ladder, place?.group ?? openGroup(ladder, outcome!), row)
    let slot = line.offers.indexOf(offer)
    if (slot < 0) slot = addSlot(line, offer)
    const at = slot * ladder.shape.columns + (place?.column ?? 0)
    const quote = quotes.take(offer.head)
    offer.head = quote
    index.insert(row.id, quote)
    lineOf[quote] = line
    placeOf[quote] = at
    line.quoted++
    touch(line, row.observedAt)
    const price = row.isActive ? row.price : 0
    if (line.ids[at] !== 0 || rivalsAt(line, at))
      return contest(line, at, { quote, id: row.id, price })
    line.ids[at] = row.id
    setPrice(line, at, price)
  }

  function setPrice(line: L, place: number, price: number) {
    line.prices[place] = price
    if (line.nets === line.prices) return
    const { fee } = line.offers[Math.floor(place / line.ladder.shape.columns)]!
    line.nets[place] = fee ? priceAfterFee(price, fee) : price
  }

  function rivalsAt(line: L, place: number): Rival[] | undefined {
    return contested.size === 0 ? undefined : contested.get(line)?.get(place)
  }

  function contest(line: L, place: number, rival: Rival) {
    const rivals = rivalsAt(line, place)
    if (rivals) {
      rivals.push(rival)
      return
    }
    const id = line.ids[place]!
    const first = { quote: index.find(id), id, price: line.prices[place]! }
    let places = contested.get(line)
    if (!places) {
      places = new Map()
      contested.set(line, places)
    }
    places.set(place, [first, rival])
    line.ids[place] = 0
    setPrice(line, place, 0)
  }

  /** Removes one of several prices; a single one that is left is no longer contested. */
  function removeRival(line: L, place: number, rivals: Rival[], quote: number) {
    rivals.splice(
      rivals.findIndex((rival) => rival.quote === quote),
      1,
    )
    const [left] = rivals
    if (!left || rivals.length > 1) return
    line.ids[place] = left.id
    setPrice(line, place, left.price)
    const places = contested.get(line)!
    places.delete(place)
    if (places.size === 0) contested.delete(line)
  }

  function remove(id: number, quote: number, at: number) {
    const line = lineOf[quote]!
    const place = placeOf[quote]!
    const offer = line.offers[Math.floor(place / line.ladder.shape.columns)]!
    offer.head = quotes.free(quote, offer.head)
    index.remove(id)
    lineOf[quote] = undefined
    line.quoted--
    touch(line, at)
    const rivals = rivalsAt(line, place)
    if (rivals) return removeRival(line, place, rivals, quote)
    line.ids[place] = 0
    setPrice(line, place, 0)
  }

  function addSlot(line: L, offer: PricedOffer): number {
    const slot = line.offers.push(offer) - 1
    const { columns } = line.ladder.shape
    if (line.offers.length * columns > line.prices.length) {
      const longer = () => new Float64Array(Math.max(8, 2 * line.prices.length))
      const prices = longer()
      prices.set(line.prices)
      line.prices = prices
      if (fees.size === 0) {
        line.nets = prices
      } else {
        const nets = longer()
        nets.set(line.nets)
        line.nets = nets
      }
      const ids = longer()
      ids.set(line.ids)
      line.ids = ids
    }
    return slot
  }

  function ladderOf(event: PricedEvent, sport: string, shape: MarketShape, row: PricedRow): Ladder {
    const { marketType, playerName, isLive } = row
    let ladders = event.ladders.get(marketType)
    if (!ladders) {
      ladders = []
      event.ladders.set(marketType, ladders)
    }
    for (const known of ladders) {
      if (known.playerName === playerName && known.isLive === isLive) return known
    }
    const ladder: Ladder = {
      event,
      marketType,
      playerName,
      isLive,
      isComparable: isComparable(questionOf(marketType).answers, sport, isLive),
      shape,
      groups: shape === openShape ? new Map() : null,
      lines: [],
    }
    ladders.push(ladder)
    return ladder
  }

  function openGroup({ groups }: Ladder, outcome: string): number {
    const known = groups!.get(outcome)
    if (known === undefined) groups!.set(outcome, groups!.size)
    return known ?? groups!.size - 1
  }

  function lineFor(ladder: Ladder, group: number, row: PricedRow): L {
    const { lines, shape } = ladder
    const line = sharedLine(shape, row.selectionType, row.line)
    const at = line ?? Number.NEGATIVE_INFINITY
    const place = bisect(0, lines.length, (i) => {
      const other = lines[i]!
      const by = (other.line ?? Number.NEGATIVE_INFINITY) - at
      // If both lines are null, their difference is not a number.
      return by < 0 || (!(by > 0) && other.group < group)
    })
    const known = lines[place]
    if (known && known.group === group && known.line === line) return known as L
    const prices = new Float64Array(0)
    const made = createLine({
      ladder,
      group,
      line,
      offers: [],
      prices,
      nets: prices,
      ids: new Float64Array(0),
      quoted: 0,
      isDirty: false,
      touchedAt: 0,
    })
    lines.splice(place, 0, made)
    return made
  }

  return {
    applyEvent(id, row) {
      if (!row) {
        const event = events.get(id)
        if (!event) return
        event.row = null
        touchEvent(event, now)
        events.delete(id)
        return
      }
      const event = eventOf(id)
      const before = event.row
      event.row = row
      adopt(event, row)
      if (before && isOpen(before.status) !== isOpen(row.status)) touchEvent(event, row.updatedAt)
      judgeStart(event)
    },
    applySighting({ eventId, sportsbook, lastSeenAt, isLive, hasGivenPrices }) {
      if (!hasGivenPrices) return
      const offer = offerOf(eventOf(eventId), sportsbook)
      offer.lastSeenAt = lastSeenAt
      offer.isLive = isLive
      judgeOffer(offer, lastSeenAt)
    },
    applyOdds(row) {
      const known = index.find(row.id)
      const line = known < 0 ? undefined : lineOf[known]!
      if (line && line.ladder.isLive === row.isLive) {
        const place = placeOf[known]!
        const price = row.isActive ? row.price : 0
        const rival = rivalsAt(line, place)?.find(({ quote }) => quote === known)
        if (rival) {
          rival.price = price
          return
        }
        if (line.prices[place] === price) return
        setPrice(line, place, price)
        touch(line, row.observedAt)
        return
      }
      if (line) remove(row.id, known, row.observedAt)
      insert(row)
      const offer = eventOf(row.eventId).offers.get(row.sportsbook)
      if (!offer || offer.lastSeenAt >= row.observedAt) return
      // In a batch, the sighting comes after its prices.
      offer.lastSeenAt = row.observedAt
      offer.isLive = row.isLive
      judgeOffer(offer, row.observedAt)
    },
    removeOdds(id) {
      const quote = index.find(id)
      if (quote >= 0) remove(id, quote, now)
    },
    placeOf(id) {
      const quote = index.find(id)
      if (quote < 0) return null
      const line = lineOf[quote]!
      const { columns } = line.ladder.shape
      const place = placeOf[quote]!
      return { line, slot: Math.floor(place / columns), column: place % columns }
    },
    applySource(sportsbook, isUp, at) {
      if (down.has(sportsbook) !== isUp) return
      if (isUp) down.delete(sportsbook)
      else down.add(sportsbook)
      for (const { offers } of events.values()) {
        const offer = offers.get(sportsbook)
        if (offer) judgeOffer(offer, at)
      }
    },
    applyAudience(sportsbook, isOwners) {
      if (ownersOnly.has(sportsbook) === isOwners) return
      const hadOwners = ownersOnly.size > 0
      if (isOwners) ownersOnly.add(sportsbook)
      else ownersOnly.delete(sportsbook)
      // When the first such sportsbook comes or the last one goes, all sets of sportsbooks change.
      const isWhole = hadOwners !== ownersOnly.size > 0
      for (const event of events.values()) {
        const offer = event.offers.get(sportsbook)
        if (offer) {
          offer.visibility = levelOf(sportsbook)
          offer.firstSet = firstSetOf(sportsbook, offer.visibility)
        }
        if (isWhole) touchEvent(event, now)
        else if (offer) touchOffer(offer, now)
      }
    },
    hasOwners: () => ownersOnly.size > 0,
    advance(to) {
      if (to <= now && !isRecalling) return
      isRecalling = false
      now = to
      judgeAll()
    },
    recall(at) {
      if (isRecalling && at > now) now = at
    },
    begin() {
      judgeAll()
      // After a start all lines are examined, because no opportunity has been found yet.
      for (const event of events.values()) touchEvent(event, now)
    },
    takeDirty() {
      for (const line of dirty) {
        const mirror = mirrorOf(line)
        if (mirror && mayBeTurned(mirror)) touch(mirror as L, line.touchedAt)
      }
      const taken = dirty
      dirty = []
      for (const line of taken) line.isDirty = false
      return taken
    },
    drop(line) {
      const { ladder } = line
      ladder.lines.splice(ladder.lines.indexOf(line), 1)
      if (ladder.lines.length > 0) return
      const { event, marketType } = ladder
      const ladders = event.ladders.get(marketType)
      ladders?.splice(ladders.indexOf(ladder), 1)
      if (ladders?.length === 0) event.ladders.delete(marketType)
    },
  }
}
