/**
 * The JSON of one odds row, as it is sent, in two parts:
 *
 * - the **head** names the bet; it is written when the row appears or its event is renamed;
 * - the **tail** has the parts that change: the two times of the sighting at fixed places, then
 *   prices and flags.
 *
 * `schemas/http/odds-columns.ts` lists the fields and their order; this file writes their values, fast. A row's text
 * starts with a comma and is padded with blanks to the size of its slot, which JSON allows: rows lie back to back, a
 * page is a copy of bytes, and a price is rewritten in place.
 */

import { attributes, type ShownAttribute, shownAttributes } from '../../../schemas/attributes.ts'
import type { EventRow } from '../../../schemas/event.ts'
import { movingColumns, standingColumns } from '../../../schemas/http/odds-columns.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { withheldReasons } from '../../../schemas/withheld-price.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../rules/odds/odds.ts'
import { isoTime, stampLength, writeTime } from '../../text/iso-time.ts'
import { membersWriter } from '../../text/json-members.ts'

const quoted = memoise((text: string) => JSON.stringify(text), 65_536)
const quotedOrNull = (text: string | null) => (text === null ? null : quoted(text))

// ---- the head: parts that many rows share are written once, by the owner of their subject

export interface SportsbookNames {
  readonly sportsbook: string
  readonly name: string
}

export const sportsbookText = membersWriter<SportsbookNames>()(standingColumns.sportsbook, {
  sportsbook: ({ sportsbook }) => quoted(sportsbook),
  sportsbook_name: ({ name }) => quoted(name),
})

export interface EventTexts {
  readonly names: string
  readonly start: string
}

const eventNames = membersWriter<EventRow>()(standingColumns.event, {
  event_id: ({ id }) => quoted(id),
  sport: ({ sport }) => quoted(sport),
  league: ({ league }) => quoted(league),
  home_team: ({ homeTeam }) => quoted(homeTeam),
  away_team: ({ awayTeam }) => quoted(awayTeam),
})
const eventStart = membersWriter<EventRow>()(standingColumns.start, {
  event_start_time: ({ startsAt }) => `"${isoTime(startsAt)}"`,
})

export const eventTexts = (event: EventRow): EventTexts => ({
  names: eventNames(event),
  start: eventStart(event),
})

/** The values in the head of a row. Sides are as the event is shown (`flipSelectionType` applied). */
export interface HeadValues {
  readonly id: number
  /** See `sportsbookText`. */
  readonly sportsbook: string
  readonly event: EventTexts
  readonly marketType: string
  readonly selection: string
  readonly selectionType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly statCategory: string | null
  /** Our address that leads to it; null where the sportsbook has no such address. */
  readonly link: string | null
}

const rowId = membersWriter<HeadValues>()(standingColumns.row, { id: ({ id }) => `"${id}"` })
const selectionTexts = membersWriter<HeadValues>()(standingColumns.selection, {
  market_type: ({ marketType }) => quoted(marketType),
  selection: ({ selection }) => quoted(selection),
  selection_type: ({ selectionType }) => quoted(selectionType),
  line: ({ line }) => String(line),
})
const details = membersWriter<HeadValues>()(standingColumns.detail, {
  player_name: ({ playerName }) => quotedOrNull(playerName),
  deep_link: ({ link }) => (link === null ? null : `"${link}"`),
  stat_category: ({ statCategory }) => quotedOrNull(statCategory),
})

/** Returns the text up to the tail, beginning with the comma that separates it from the row before. */
export const rowHead = (of: HeadValues): string =>
  `,{${rowId(of)}${of.sportsbook}${of.event.names}${selectionTexts(of)}${of.event.start}${details(of)}`

// ---- the tail

export type MovingValues = Pick<OddsRow, 'price' | 'changedAt' | 'isLive' | 'isActive'>
export type TailValues = MovingValues & Pick<OddsRow, ShownAttribute>

/** Returns the number of bytes of the tail, which is pure ASCII. @param attributes see `attributesText` */
export function tailLength(row: MovingValues, attributes: string): number {
  return (
    stampsTemplate.length +
    (row.changedAt === null ? noTime.length : stampLength + 3) +
    priceBytes(row.price).length +
    stateBytes(row).length +
    attributes.length
  )
}

/** Writes the tail, from the stamps to the closing brace. */
export function writeTail(
  row: MovingValues,
  attributes: string,
  lastSeenAt: number,
  into: Uint8Array,
  at: number,
) {
  put(stampsTemplate, into, at)
  writeTime(lastSeenAt, into, at + lastSeenAtOffset)
  writeTime(lastSeenAt, into, at + timestampOffset)
  rewriteTail(row, attributes, into, at)
}

/** Writes a tail over another and keeps the sighting stamps. */
export function rewriteTail(row: MovingValues, attributes: string, into: Uint8Array, at: number) {
  let to = at + stampsTemplate.length
  if (row.changedAt === null) to = put(noTime, into, to)
  else {
    into[to] = quote
    writeTime(row.changedAt, into, to + 1)
    into[to + 1 + stampLength] = quote
    into[to + 2 + stampLength] = comma
    to += stampLength + 3
  }
  to = put(priceBytes(row.price), into, to)
  to = put(stateBytes(row), into, to)
  for (let i = 0; i < attributes.length; i++) into[to + i] = attributes.charCodeAt(i)
}

/**
 * Writes a new `is_active` into a tail; the bytes after it move.
 * @param tail the start of the tail, and the end of its text
 * @returns by how many bytes the text has grown
 */
export function rewriteActive(
  { price, changedAt, isLive }: Pick<TailValues, 'price' | 'changedAt' | 'isLive'>,
  isActive: boolean,
  into: Uint8Array,
  tail: { readonly at: number; readonly end: number },
): number {
  const time = changedAt === null ? noTime.length : stampLength + 3
  const at = tail.at + stampsTemplate.length + time + priceBytes(price).length
  const before = stateTexts[+isLive]![+!isActive]!
  const after = stateTexts[+isLive]![+isActive]!
  into.copyWithin(at + after.length, at + before.length, tail.end)
  put(after, into, at)
  return after.length - before.length
}

/**
 * Returns the bytes to reserve for a tail. They depend only on the row's values, so that all views of the same rows
 * send the same bytes. The room fits every usual price, state and time of change; attributes extend
 * it in steps of 16 bytes.
 *
 * @param attributesLength of `attributesText`: 1 if there are none
 */
export function tailRoom(price: number, attributesLength: number): number {
  const priceRoom = Math.max(usualPriceBytes, priceBytes(price).length)
  return standingBytes + priceRoom + 1 + ((attributesLength + 14) & ~15)
}

const quote = 0x22
const comma = 0x2c
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const blankTime = ' '.repeat(stampLength)
const stamps = Object.keys(movingColumns.sighting)
  .map((name) => `"${name}":"${blankTime}",`)
  .join('')
/** The offsets of `last_seen_at` and `timestamp` from the start of the tail. */
export const lastSeenAtOffset = stamps.indexOf(blankTime)
export const timestampOffset = stamps.lastIndexOf(blankTime)
const [changedAtName] = Object.keys(movingColumns.change)
const stampsTemplate = ascii(`${stamps}"${changedAtName}":`)
const noTime = ascii('null,')
type State = Pick<OddsRow, 'isLive' | 'isActive'>
const stateText = membersWriter<State>()(movingColumns.state, {
  is_live: ({ isLive }) => String(isLive),
  is_active: ({ isActive }) => String(isActive),
  status: ({ isLive }) => (isLive ? '"live"' : '"upcoming"'),
})
const stateTexts = [false, true].map((isLive) =>
  // Attributes follow, each after its own comma.
  [false, true].map((isActive) => ascii(stateText({ isLive, isActive }).slice(0, -1))),
)

const stateBytes = ({ isLive, isActive }: MovingValues) => stateTexts[+isLive]![+isActive]!

/** Returns the end of a tail: the stated attributes and the closing brace. */
export function attributesText(tail: TailValues): string {
  let text = ''
  for (let i = 0; i < shownAttributes.length; i++) {
    const name = shownAttributes[i]!
    const value = tail[name]
    if (value !== null) text += `,"${attributes[name].json}":${value}`
  }
  return `${text}}`
}

/**
 * Returns the attributes of a tail with a new reason for withholding the price, which comes last.
 * @param before the reason now in the text, see `RowTable.judge`
 */
export const withReason = (attributesText: string, before: number, reason: number) =>
  attributesText.slice(0, -reasonEnds[before]!.length) + reasonEnds[reason]!

const reasonEnds = ['}', ...withheldReasons.map((reason) => `,"withheld":"${reason}"}`)]

/** The bit of `withheld`, after those of the attributes. */
export const withheldAttributeBit = 1 << shownAttributes.length

/** Returns attributes as null fields, each followed by a comma. @param bits by `shownAttributes` */
export const goneText = memoise((bits: number) =>
  [...shownAttributes.map((name) => attributes[name].json), 'withheld']
    .map((json, i) => ((bits & (1 << i)) === 0 ? '' : `"${json}":null,`))
    .join(''),
)

/** Copies bytes in a loop: for so few bytes, the runtime's own copy has more overhead than that. */
function put(bytes: Uint8Array, into: Uint8Array, at: number): number {
  for (let i = 0; i < bytes.length; i++) into[at + i] = bytes[i]!
  return at + bytes.length
}

const priceText = membersWriter<number>()(movingColumns.price, {
  odds_american: (price) => String(decimalToAmerican(price)),
  odds_decimal: (price) => String(shownPrice(price)),
  odds_probability: (price) => String(shownProbability(price)),
  probability: (price) => String(shownProbability(price)),
})
/** Cached: distinct prices are few and are written again and again. */
const priceBytes = memoise((price: number) => ascii(priceText(price)), 65_536)
/** The longest text of a price between 1.01 and 100, in bytes. */
const usualPriceBytes = priceText(101.25).length
/** The most bytes of a tail without price and attributes. */
const standingBytes =
  stampsTemplate.length +
  (stampLength + 3) +
  Math.max(...stateTexts.flat().map((text) => text.length))
