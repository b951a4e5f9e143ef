/**
 * Closing lines the slow way: of one sportsbook on one game, from all of its statements. Every state of
 * its prices is kept. The capture is found first, then the rows are read from the states. It shares no
 * code with the processor, and takes the event's rows as given.
 */

import type { EventRow } from '../../schemas/event.ts'
import type { OddsRecord } from '../../schemas/feed-record.ts'

/** One thing that matters to closes, in the order of the log. */
export type Happening =
  | { readonly what: 'prices'; readonly record: OddsRecord; readonly isReversed: boolean }
  | { readonly what: 'tick'; readonly at: number }
  | {
      readonly what: 'event'
      readonly before: EventRow
      readonly after: EventRow
      readonly at: number
    }

export interface SlowClose {
  readonly price: number | null
  readonly missing: string | null
  /** NaN if unknown, after a capture that was taken back. */
  readonly missingSince: number | null
  readonly startsAt: number
  /** Whether it was only ever listed without a price. */
  readonly isUnpriced: boolean
}

interface Standing {
  readonly price: number
  readonly isActive: boolean
  /** Time since which the price and its state hold. */
  readonly since: number
}

/** The prices at one moment. */
interface State {
  readonly standing: ReadonlyMap<string, Standing>
  readonly lastSeenAt: number
  readonly isLive: boolean
}

interface Capture {
  readonly startsAt: number
  readonly upTo: number
  readonly at: number
  readonly isPutOff: boolean
  /** Index in the log before which it was captured, and the prices then. */
  readonly place: number
  readonly state: State
}

const quarter = 15 * 60_000
const isPutOff = ({ status }: EventRow) => status === 'postponed' || status === 'cancelled'

/** @param first the event's row when the sportsbook came, or the first row */
export function slowCloses(
  happenings: readonly Happening[],
  first: EventRow,
): Map<string, SlowClose> {
  let event = first
  let state: State = { standing: new Map(), lastSeenAt: Number.NEGATIVE_INFINITY, isLive: false }
  const states: State[] = []
  /** Start of the event at each state. */
  const starts: number[] = []
  let capture: Capture | null = null
  let takenBack = 0
  /** Whether it has listed anything before play; otherwise there is nothing to capture. */
  let hasListed = false
  const take = (place: number, of: Omit<Capture, 'place' | 'state'>) => {
    if (hasListed) capture = { ...of, place, state }
  }
  const giveBack = () => {
    if (capture !== null) takenBack++
    capture = null
  }
  for (const [place, happening] of happenings.entries()) {
    const held = capture as Capture | null
    if (happening.what === 'tick') {
      const { at } = happening
      const { startsAt } = event
      if (!held && at > startsAt) {
        take(place, { startsAt, upTo: startsAt, at: startsAt, isPutOff: isPutOff(event) })
      }
      if (at - state.lastSeenAt > (state.isLive ? 90_000 : quarter)) {
        state = { ...state, standing: new Map() }
      }
    } else if (happening.what === 'event') {
      const { before, after, at } = happening
      if (
        !held &&
        at > before.startsAt &&
        (before.startsAt !== after.startsAt || isPutOff(before) !== isPutOff(after))
      ) {
        const { startsAt } = before
        take(place, { startsAt, upTo: startsAt, at: startsAt, isPutOff: isPutOff(before) })
      }
      event = after
      const { startsAt } = after
      const isLater = startsAt > at && startsAt !== before.startsAt
      const kept = capture as Capture | null
      if (!kept) {
        if (startsAt !== before.startsAt && at > startsAt) {
          take(place, { startsAt, upTo: startsAt, at, isPutOff: isPutOff(after) })
        }
      } else if (kept.isPutOff) {
        if (isPutOff(before) && !isPutOff(after) && after.isLive) {
          giveBack()
          take(place, { startsAt: at, upTo: at, at, isPutOff: false })
        } else if (!isPutOff(after) || isLater) giveBack()
      } else {
        const hasBegun =
          before.isLive || after.isLive || after.wasPlayed || before.status === 'final'
        if (!hasBegun && !isPutOff(before)) {
          if (isPutOff(after) && startsAt <= at) {
            take(place, { startsAt, upTo: startsAt, at, isPutOff: true })
          } else if (isPutOff(after) || isLater) giveBack()
        }
      }
      if (after.status === 'cancelled') state = { ...state, standing: new Map() }
    } else {
      const { record, isReversed } = happening
      const { observedAt: at } = record
      const { isLive } = record.event
      if (at < state.lastSeenAt) {
        states.push(state)
        starts.push(event.startsAt)
        continue
      }
      const { startsAt } = event
      const isOff = isPutOff(event)
      if (!isLive && !hasListed) {
        const named = [...namedIn(record, isReversed)]
        hasListed = named.some(({ price }) => price !== null || at <= startsAt)
      }
      if (held) {
        if (isLive && held.isPutOff && isOff) {
          giveBack()
          take(place, { startsAt: at, upTo: at, at, isPutOff: false })
        } else if (!isLive && at <= held.startsAt) {
          giveBack()
          if (at > startsAt)
            take(place, { startsAt, upTo: startsAt, at: startsAt, isPutOff: isOff })
        }
      } else if (isLive) {
        // A sportsbook without prices on the board has none that go into play.
        if (!state.isLive && state.standing.size > 0) {
          take(place, { startsAt, upTo: Math.min(at, startsAt), at, isPutOff: false })
        }
      } else if (at > startsAt) {
        take(place, { startsAt, upTo: startsAt, at: startsAt, isPutOff: isOff })
      }
      state = after(state, record, isReversed)
    }
    states.push(state)
    starts.push(event.startsAt)
  }
  return capture === null
    ? new Map()
    : readOff(happenings, states, starts, capture as Capture, takenBack > 0)
}

/** Returns the state after a statement. */
function after(before: State, record: OddsRecord, isReversed: boolean): State {
  const { observedAt, mode, event } = record
  const isAnew = before.isLive !== event.isLive && before.standing.size > 0
  const standing = new Map(mode === 'delta' && !isAnew ? before.standing : [])
  for (const { key, price, isActive } of namedIn(record, isReversed)) {
    const known = isAnew ? undefined : before.standing.get(key)
    const now = price ?? known?.price
    if (now === undefined) continue
    const isSame =
      known?.price === now && known.isActive === isActive && before.isLive === event.isLive
    standing.set(key, { price: now, isActive, since: isSame ? known.since : observedAt })
  }
  return { standing, lastSeenAt: observedAt, isLive: event.isLive }
}

export function* namedIn({ markets }: OddsRecord, isReversed: boolean) {
  for (const { marketType, selections, line, suspended: isAll, maxBet: most } of markets) {
    for (const { selectionType, price, suspended, line: own, maxBet } of selections) {
      const turned = { home: 'away', away: 'home' }[selectionType] ?? selectionType
      const type = isReversed ? turned : selectionType
      yield {
        key: `${marketType} ${type} ${own ?? line}`,
        price,
        isActive: !(suspended || isAll) && (maxBet ?? most) !== 0,
      }
    }
  }
}

/** Returns the rows of a capture, from every statement before it and the late listings after it. */
function readOff(
  happenings: readonly Happening[],
  states: readonly State[],
  starts: readonly number[],
  { startsAt, upTo, isPutOff: isOff, place: end, state: held }: Capture,
  isUncertain: boolean,
): Map<string, SlowClose> {
  const closes = new Map<string, SlowClose>()
  const miss = (key: string, missing: string, missingSince: number, isUnpriced = false) =>
    closes.set(key, { price: null, missing, missingSince, startsAt, isUnpriced })
  const unknown = Number.NaN
  // Takes the last state of each, from the first statement on.
  for (let place = 0; place < end; place++) {
    const happening = happenings[place]!
    const before = states[place - 1]?.standing ?? new Map<string, Standing>()
    const { standing } = states[place]!
    if (happening.what === 'prices' && !happening.record.event.isLive) {
      if (happening.record.observedAt >= (states[place - 1]?.lastSeenAt ?? 0)) {
        for (const { key, price } of namedIn(happening.record, happening.isReversed)) {
          const isEarly = happening.record.observedAt <= starts[place]!
          if (price === null && isEarly && !closes.has(key) && !standing.has(key)) {
            miss(key, 'never_priced', happening.record.observedAt, true)
          }
        }
      }
    }
    const goneAt =
      happening.what === 'prices'
        ? happening.record.observedAt
        : happening.what === 'tick'
          ? (states[place - 1]?.lastSeenAt ?? 0) + quarter
          : happening.at
    if (!states[place - 1]?.isLive) {
      for (const key of before.keys()) {
        if (!standing.has(key)) miss(key, 'withdrawn', isUncertain ? unknown : goneAt)
      }
    }
    if (!states[place]!.isLive) {
      for (const key of standing.keys()) miss(key, 'withdrawn', unknown)
    }
  }
  for (const [key, { missing, missingSince }] of closes) {
    if (isOff && missing !== 'never_priced') miss(key, 'postponed', unknown)
    else if (missing === 'withdrawn' && (missingSince ?? 0) > upTo)
      miss(key, 'start_corrected', unknown)
    else if (missing === 'never_priced' && missingSince! > upTo) {
      miss(key, 'late_listing', missingSince!, true)
    }
  }
  if (!held.isLive && !isOff) {
    const isLapsed = upTo - held.lastSeenAt > quarter
    for (const [key, { price, isActive, since }] of held.standing) {
      if (since > upTo) miss(key, 'start_corrected', unknown)
      else if (isLapsed) miss(key, 'withdrawn', held.lastSeenAt + quarter)
      else if (!isActive) miss(key, 'suspended', since)
      else
        closes.set(key, { price, missing: null, missingSince: null, startsAt, isUnpriced: false })
    }
  }
  for (let place = end; place < happenings.length; place++) {
    const { isLive, standing, lastSeenAt } = states[place]!
    if (isLive || lastSeenAt <= startsAt) continue
    for (const key of standing.keys()) {
      const missing = closes.get(key)?.missing
      if (missing !== undefined && missing !== 'never_priced') continue
      miss(key, isOff ? 'postponed' : 'late_listing', lastSeenAt)
    }
  }
  return closes
}

/** Computes no-vig probabilities by the power method, by bisection of the exponent. */
export function slowNoVig(prices: readonly number[]): number[] {
  let low = 0
  let high = 1_000
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    const sum = prices.reduce((total, price) => total + price ** -middle, 0)
    if (sum > 1) low = middle
    else high = middle
  }
  return prices.map((price) => price ** -low)
}
