/**
 * Caches opportunities as JSON for each scope. A text is valid while its item and the data around it are the same.
 * Fields that depend on the clock are holes in it and are filled in each time.
 */

import { isDeepStrictEqual } from 'node:util'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import type { EventBlock, ViewOffer } from '../../pipeline/views/board/view-event.ts'
import type { Item } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import { kindOf } from './all-kinds.ts'
import { stricterMarkets, stricterPrices } from './contradictions.ts'
import type { Clocked, Moment, Seen } from './kind.ts'
import { rowsOnLines } from './quotes.ts'

/** Returns the item as an object, computed anew. */
export function shownAnew(item: Item, seen: Seen): object {
  const around = seen.around(item)
  return seen.show(item, around, seen.clocked(item, around))
}

/** Returns the warnings that the item shows. */
export const warningsOf = (item: Item, seen: Seen): readonly string[] =>
  seen.clocked(item, seen.around(item)).warnings

/** @param seen the item's kind at this moment @returns the item as JSON */
export function itemText(item: Item, seen: Seen, moment: Moment): string {
  const texts = textsOf(moment, item)
  let kept = texts.find(item)
  if (!kept || !holds(kept, item, seen, moment)) {
    kept = write(item, seen, moment)
    texts.keep(item, kept)
  }
  return filled(kept, seen.clocked(item, kept.around))
}

interface KeptText {
  readonly pieces: readonly string[]
  /** The fields of `Clocked` between each two pieces. */
  readonly holes: readonly Hole[]
  readonly around: unknown
  /** The data that `around` was last computed from. */
  readonly readings: Readings
}

interface Hole {
  /** Index of its leg; -1 for a field of the item. */
  readonly leg: number
  readonly name: string
}

// ---- whether a text still holds

/** The data read by `Seen.around`, at that time. */
interface Readings {
  readonly marketChanges: number
  /** The markets of the legs and of stricter outcomes. */
  readonly markets: readonly EventBlock[]
  readonly offerChanges: readonly number[]
  /**
   * Rows in these markets whose prices matter besides the legs' own: rows of stricter outcomes, and rows on the
   * line.
   */
  readonly stricter: readonly number[]
  readonly onLine: readonly number[]
  /** The board's watermark when these rows were last looked at. */
  readAt: number
  readonly offers: readonly ViewOffer[]
  readonly externalIds: readonly (string | null)[]
  /** Whether each offer is fresh; null if that does not matter. A price of a sportsbook that is down is not active. */
  isFresh: readonly boolean[] | null
  readonly freshMs: number
}

const isFreshAt = (offers: readonly ViewOffer[], freshMs: number, now: number) =>
  offers.map(({ lastSeenAt }) => now - lastSeenAt <= freshMs)

function readingsOf(item: Item, seen: Seen, { scope: { board }, now }: Moment): Readings {
  const { row, event, legs } = item
  const markets = [...new Set(legs.flatMap(stricterMarkets))]
  const stricter = legs
    .flatMap((leg) => stricterPrices(board, leg))
    .map(({ id }) => board.rows.find(id))
  const linedUp = seen.linedUp?.(item)
  const onLine = linedUp ? rowsOnLines(board, linedUp) : []
  const offers = new Set(legs.map(({ block, sportsbook }) => block.event.offers.get(sportsbook)!))
  for (const at of onLine) offers.add(board.rows.sighted(at))
  const freshMs = usableMs(legs[0]!.isLive)
  return {
    marketChanges: event.marketChanges,
    markets,
    offerChanges: markets.map(({ offerChanges }) => offerChanges),
    stricter,
    // Which sportsbooks tie for the best price depends on all prices of the line.
    onLine: kindOf(row.kind).ties ? onLine : [],
    readAt: board.watermark,
    offers: [...offers],
    externalIds: Array.from(offers, ({ externalId }) => externalId),
    isFresh: linedUp ? isFreshAt([...offers], freshMs, now) : null,
    freshMs,
  }
}

/** Returns whether a text written now would be the same, apart from its holes. */
function holds(kept: KeptText, item: Item, seen: Seen, moment: Moment): boolean {
  const { readings, around } = kept
  if (!isOfSameRows(readings, item)) return false
  const { board } = moment.scope
  const isMoved = haveMarketsMoved(readings)
  const hasAged = !isAsFresh(readings, moment.now)
  if (!isMoved && !hasAged) return true
  const { stamps } = board.journal
  const { stricter, onLine, offers, isFresh, freshMs, readAt } = readings
  // Most prices around an item are not shown in it.
  if (isMoved && haveMoved(stricter, stamps, readAt)) {
    if (!isDeepStrictEqual(seen.around(item), around)) return false
  } else if (hasAged || haveMoved(onLine, stamps, readAt)) {
    if (seen.againAround!(item, around) !== around) return false
  }
  readings.readAt = board.watermark
  if (hasAged) readings.isFresh = isFresh && isFreshAt(offers, freshMs, moment.now)
  return true
}

/** Returns whether the same rows would be read, equally active and with the same ids. */
function isOfSameRows(readings: Readings, { event }: Item): boolean {
  const { markets, offerChanges, offers, externalIds } = readings
  if (readings.marketChanges !== event.marketChanges) return false
  for (let i = 0; i < markets.length; i++) {
    if (markets[i]!.offerChanges !== offerChanges[i]) return false
  }
  for (let i = 0; i < offers.length; i++) {
    if (offers[i]!.externalId !== externalIds[i]) return false
  }
  return true
}

function haveMarketsMoved({ markets, readAt }: Readings): boolean {
  for (let i = 0; i < markets.length; i++) if (markets[i]!.pricedAt > readAt) return true
  return false
}

function haveMoved(rows: readonly number[], stamps: Float64Array, since: number): boolean {
  for (let i = 0; i < rows.length; i++) if (stamps[rows[i]!]! > since) return true
  return false
}

/** Returns whether the same sportsbooks of the line are fresh. */
function isAsFresh({ offers, isFresh, freshMs }: Readings, now: number): boolean {
  if (!isFresh) return true
  for (let i = 0; i < offers.length; i++) {
    if (now - offers[i]!.lastSeenAt <= freshMs !== isFresh[i]) return false
  }
  return true
}

// ---- how it is written

/** Sportsbooks' texts never have this character: names with control characters are refused. */
const mark = '\0'
const holePattern = /"\\u0000(\d*)(\w+)\\u0000"/

function write(item: Item, seen: Seen, moment: Moment): KeptText {
  const around = seen.around(item)
  const marked = seen.show(item, around, marksOf(seen.clocked(item, around)))
  // Text, leg and name of a hole in turn.
  const parts = JSON.stringify(marked).split(holePattern)
  const pieces: string[] = []
  const holes: Hole[] = []
  for (let i = 0; i < parts.length; i += 3) {
    pieces.push(parts[i]!)
    if (i + 1 === parts.length) break
    const leg = parts[i + 1]!
    holes.push({ leg: leg === '' ? -1 : Number(leg), name: parts[i + 2]! })
  }
  return { pieces, holes, around, readings: readingsOf(item, seen, moment) }
}

const marksOf = ({ legs, ...members }: Clocked): Clocked => ({
  ...marksOfNames(members, ''),
  ...(legs && { legs: legs.map((leg, i) => marksOfNames(leg, String(i))) }),
})

const marksOfNames = (members: object, leg: string) =>
  Object.fromEntries(Object.keys(members).map((name) => [name, `${mark}${leg}${name}${mark}`]))

function filled({ pieces, holes }: KeptText, clocked: Clocked): string {
  let text = pieces[0]!
  for (let i = 0; i < holes.length; i++) {
    const { leg, name } = holes[i]!
    const members = leg < 0 ? clocked : clocked.legs![leg]!
    text += valueText(members[name]) + pieces[i + 1]!
  }
  return text
}

const valueText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)

// ---- cache

/** Most texts of one generation. Texts not used in the last generation are dropped. */
const mostTexts = 2_048

interface Texts {
  find(item: Item): KeptText | undefined
  keep(item: Item, text: KeptText): void
}

/** By state if the texts have addresses of sportsbooks; '' without a state, and for other texts. */
const ofScopes = new WeakMap<Scope, Map<string, Texts>>()

function textsOf({ scope, state }: Moment, { row }: Item): Texts {
  let ofScope = ofScopes.get(scope)
  if (!ofScope) {
    ofScope = new Map()
    ofScopes.set(scope, ofScope)
  }
  // Only the kind that other sportsbooks may offer as well lists their addresses.
  const key = kindOf(row.kind).ties ? (state ?? '') : ''
  let texts = ofScope.get(key)
  if (!texts) {
    texts = createTexts()
    ofScope.set(key, texts)
  }
  return texts
}

function createTexts(): Texts {
  let young = new Map<Item, KeptText>()
  let old = new Map<Item, KeptText>()

  function keep(item: Item, text: KeptText) {
    if (young.size === mostTexts) {
      old = young
      young = new Map()
    }
    young.set(item, text)
  }

  return {
    find(item) {
      const text = young.get(item)
      if (text) return text
      const older = old.get(item)
      if (older) keep(item, older)
      return older
    },
    keep,
  }
}
