/**
 * Opportunities as JSON, kept for the scope that they were shown to. Most of a text holds until a price moves in one of
 * the markets that it reads; members that depend on the clock are holes in it, and are written each time.
 */

import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import type { EventBlock, ViewOffer } from '../../pipeline/views/board/view-event.ts'
import type { Item } from '../../pipeline/views/opportunities/priced.ts'
import type { Scope } from '../access/scope.ts'
import { kindOf } from './all-kinds.ts'
import { stricterMarkets, stricterPrices } from './contradictions.ts'
import type { Clocked, Moment, Seen } from './kind.ts'
import { rowsOnLines } from './quotes.ts'

/** The item as an object, computed anew. */
export function shownAnew(item: Item, seen: Seen): object {
  const around = seen.around(item)
  return seen.show(item, around, seen.clocked(item, around))
}

/** @param seen the item's kind at the moment @returns the item as JSON */
export function itemText(item: Item, seen: Seen, moment: Moment): string {
  const texts = textsOf(moment.scope)
  let kept = texts.find(item)
  if (!kept || !holds(kept, item, moment)) {
    kept = write(item, seen, moment)
    texts.keep(item, kept)
  }
  return filled(kept, seen.clocked(item, kept.around))
}

interface KeptText {
  readonly pieces: readonly string[]
  /** Between each two pieces, the member of `Clocked` that is written there. */
  readonly holes: readonly Hole[]
  readonly around: unknown
  readonly state: string
  readonly readings: Readings
}

interface Hole {
  /** Of its leg; -1 for a member of the item. */
  readonly leg: number
  readonly name: string
}

// ---- whether a text still holds

/** What `Seen.around` was read off, as it was then. */
interface Readings {
  readonly marketChanges: number
  readonly markets: readonly EventBlock[]
  readonly offerChanges: readonly number[]
  /** Rows whose prices it depends on, beside those that the opportunity takes. */
  readonly rows: readonly number[]
  /** The board's watermark. */
  readonly readAt: number
  readonly offers: readonly ViewOffer[]
  readonly externalIds: readonly (string | null)[]
  /** Of each offer, where it matters; a price of a sportsbook that is down is not active. */
  readonly isFresh: readonly boolean[] | null
  readonly freshMs: number
}

function readingsOf({ row, event, legs }: Item, { scope: { board }, now }: Moment): Readings {
  const markets = [...new Set(legs.flatMap(stricterMarkets))]
  const stricter = legs
    .flatMap((leg) => stricterPrices(board, leg))
    .map(({ id }) => board.rows.find(id))
  // Which sportsbooks tie for the best price follows from all prices of the line.
  const isOfLine = kindOf(row.kind).ties !== undefined
  const onLine = isOfLine ? rowsOnLines(board, legs) : []
  const offers = isOfLine
    ? [...new Set(onLine.map((at) => board.rows.sighted(at)))]
    : legs.map(({ block, sportsbook }) => block.event.offers.get(sportsbook)!)
  const freshMs = usableMs(legs[0]!.isLive)
  return {
    marketChanges: event.marketChanges,
    markets,
    offerChanges: markets.map(({ offerChanges }) => offerChanges),
    rows: [...stricter, ...onLine],
    readAt: board.watermark,
    offers,
    externalIds: offers.map(({ externalId }) => externalId),
    isFresh: isOfLine ? offers.map(({ lastSeenAt }) => now - lastSeenAt <= freshMs) : null,
    freshMs,
  }
}

function holds({ readings, state }: KeptText, { event }: Item, moment: Moment): boolean {
  const { markets, offerChanges, rows, readAt, offers, externalIds, isFresh, freshMs } = readings
  if (state !== moment.state || readings.marketChanges !== event.marketChanges) return false
  for (let i = 0; i < markets.length; i++) {
    if (markets[i]!.offerChanges !== offerChanges[i]) return false
  }
  const { stamps } = moment.scope.board.journal
  for (let i = 0; i < rows.length; i++) if (stamps[rows[i]!]! > readAt) return false
  for (let i = 0; i < offers.length; i++) {
    const { externalId, lastSeenAt } = offers[i]!
    if (externalId !== externalIds[i]) return false
    if (isFresh && moment.now - lastSeenAt <= freshMs !== isFresh[i]) return false
  }
  return true
}

// ---- how it is written

/** No text of a sportsbook has this character: names with control characters are refused. */
const mark = '\0'
const holePattern = /"\\u0000(\d*)(\w+)\\u0000"/

function write(item: Item, seen: Seen, moment: Moment): KeptText {
  const around = seen.around(item)
  const marked = seen.show(item, around, marksOf(seen.clocked(item, around)))
  // Text, leg and name of a hole by turns.
  const parts = JSON.stringify(marked).split(holePattern)
  const pieces: string[] = []
  const holes: Hole[] = []
  for (let i = 0; i < parts.length; i += 3) {
    pieces.push(parts[i]!)
    if (i + 1 === parts.length) break
    const leg = parts[i + 1]!
    holes.push({ leg: leg === '' ? -1 : Number(leg), name: parts[i + 2]! })
  }
  return {
    pieces,
    holes,
    around,
    state: moment.state,
    readings: readingsOf(item, moment),
  }
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

// ---- which are kept

/** Texts of one generation: those that were not shown during the last one are forgotten. */
const mostTexts = 2_048

interface Texts {
  find(item: Item): KeptText | undefined
  keep(item: Item, text: KeptText): void
}

const ofScopes = new WeakMap<Scope, Texts>()

function textsOf(scope: Scope): Texts {
  let texts = ofScopes.get(scope)
  if (!texts) {
    texts = createTexts()
    ofScopes.set(scope, texts)
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
