/**
 * The JSON of one odds row, as it is sent (interface 2.1), in two parts:
 *
 * - the **head** names the bet; it is written when the row appears or its event is renamed;
 * - the **tail** holds what moves: the two sightings stamps at fixed places, then prices and flags.
 *
 * A row's text starts with a comma and is padded with blanks to the size of its slot, which JSON
 * allows: rows lie back to back and a page is a copy of bytes, and a price is rewritten in place.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../../rules/odds.ts'
import { isoTime, stampLength, writeTime } from '../../text/iso-time.ts'

/** Where `last_seen_at` and `timestamp` stand, from the start of the tail; both are 24 characters. */
export const lastSeenAtOffset = '"last_seen_at":"'.length
export const timestampOffset = lastSeenAtOffset + 24 + '","timestamp":"'.length

// The parts of a head that many rows share are written once, by whoever keeps what they are about.

export const sportsbookText = (sportsbook: string, name: string) =>
  `"sportsbook":${quoted(sportsbook)},"sportsbook_name":${quoted(name)},`

export interface EventTexts {
  readonly names: string
  readonly start: string
}

export function eventTexts(event: EventRow): EventTexts {
  return {
    names: `"event_id":${quoted(event.id)},"sport":${quoted(event.sport)},"league":${quoted(event.league)},"home_team":${quoted(event.homeTeam)},"away_team":${quoted(event.awayTeam)},`,
    start: `"event_start_time":"${isoTime(event.startsAt)}",`,
  }
}

/** What the head of a row says. Sides are as the event is shown (`flipSelectionType` applied). */
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
  /** Whether the sportsbook has addresses one can be led to. */
  readonly isLinked: boolean
}

/** The text up to the tail, beginning with the comma that separates it from the row before. */
export function rowHead(of: HeadValues): string {
  let head = `,{"id":"${of.id}",${of.sportsbook}${of.event.names}"market_type":${quoted(of.marketType)},"selection":${quoted(of.selection)},"selection_type":${quoted(of.selectionType)},"line":${of.line},${of.event.start}`
  if (of.playerName !== null) head += `"player_name":${quoted(of.playerName)},`
  if (of.isLinked) head += `"deep_link":"/api/v1/deeplink/${of.id}",`
  if (of.statCategory !== null) head += `"stat_category":${quoted(of.statCategory)},`
  return head
}

export type TailValues = Pick<
  OddsRow,
  'price' | 'changedAt' | 'isLive' | 'isActive' | 'maxBet' | 'publicBetPct'
>

/** Bytes of the tail; it is pure ASCII. */
export function tailLength(row: TailValues): number {
  return (
    stampsTemplate.length +
    (row.changedAt === null ? noTime.length : stampLength + 3) +
    priceBytes(row.price).length +
    stateBytes(row).length +
    limitsText(row).length
  )
}

/** Writes the tail, from the stamps to the closing brace. */
export function writeTail(row: TailValues, lastSeenAt: number, into: Uint8Array, at: number) {
  put(stampsTemplate, into, at)
  writeTime(lastSeenAt, into, at + lastSeenAtOffset)
  writeTime(lastSeenAt, into, at + timestampOffset)
  rewriteTail(row, into, at)
}

/** The same over a tail whose stamps stay. */
export function rewriteTail(row: TailValues, into: Uint8Array, at: number) {
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
  const limits = limitsText(row)
  for (let i = 0; i < limits.length; i++) into[to + i] = limits.charCodeAt(i)
}

/** Blanks that let a tail of any usual price, and a first `odds_changed_at`, fit where it stands. */
export function tailRoom(row: TailValues): number {
  return (row.changedAt === null ? 22 : 0) + 12
}

const quote = 0x22
const comma = 0x2c
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const blankTime = ' '.repeat(stampLength)
const stampsTemplate = ascii(
  `"last_seen_at":"${blankTime}","timestamp":"${blankTime}","odds_changed_at":`,
)
const noTime = ascii('null,')
const stateTexts = [false, true].map((isLive) =>
  [false, true].map((isActive) =>
    ascii(
      `,"is_live":${isLive},"is_active":${isActive},"status":"${isLive ? 'live' : 'upcoming'}"`,
    ),
  ),
)

const stateBytes = ({ isLive, isActive }: TailValues) => stateTexts[+isLive]![+isActive]!

function limitsText({ maxBet, publicBetPct }: TailValues): string {
  if (maxBet === null && publicBetPct === null) return '}'
  return `${maxBet === null ? '' : `,"max_bet":${maxBet}`}${publicBetPct === null ? '' : `,"public_bet_pct":${publicBetPct}`}}`
}

/** A loop: for so few bytes, the runtime's own copy costs more than it copies. */
function put(bytes: Uint8Array, into: Uint8Array, at: number): number {
  for (let i = 0; i < bytes.length; i++) into[at + i] = bytes[i]!
  return at + bytes.length
}

/**
 * `odds_american`, `odds_decimal` (3 places), `odds_probability` and `probability` (4 places). Distinct
 * prices are few, and one is written again and again.
 */
const priceBytes = memoise((price: number): Uint8Array => {
  const probability = shownProbability(price)
  return ascii(
    `"odds_american":${decimalToAmerican(price)},"odds_decimal":${shownPrice(price)},"odds_probability":${probability},"probability":${probability}`,
  )
}, 65_536)

const quoted = memoise((text: string) => JSON.stringify(text), 65_536)
