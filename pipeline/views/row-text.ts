/**
 * The JSON of one odds row, as it is sent (interface 2.1), in two parts:
 *
 * - the **head** names the bet; it is written when the row appears or its event is renamed;
 * - the **tail** holds what moves: the two sightings stamps at fixed places, then prices and flags.
 *
 * A row's text starts with a comma and is padded with blanks to the size of its slot, which JSON
 * allows: rows lie back to back and a page is a copy of bytes, and a price is rewritten in place.
 */

import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import { decimalToAmerican, shownPrice, shownProbability } from '../rules/odds.ts'

/** Where `last_seen_at` and `timestamp` stand, from the start of the tail; both are 24 characters. */
export const lastSeenAtOffset = '"last_seen_at":"'.length
export const timestampOffset = lastSeenAtOffset + 24 + '","timestamp":"'.length
export const stampLength = 24

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

/** The text from the stamps to the closing brace; pure ASCII. */
export function rowTail(row: TailValues, lastSeenAt: number): string {
  const seen = isoTime(lastSeenAt)
  const changed = row.changedAt === null ? 'null' : `"${isoTime(row.changedAt)}"`
  const limits =
    (row.maxBet === null ? '' : `,"max_bet":${row.maxBet}`) +
    (row.publicBetPct === null ? '' : `,"public_bet_pct":${row.publicBetPct}`)
  return `"last_seen_at":"${seen}","timestamp":"${seen}","odds_changed_at":${changed},${priceText(row.price)},"is_live":${row.isLive},"is_active":${row.isActive},"status":"${row.isLive ? 'live' : 'upcoming'}"${limits}}`
}

export type TailValues = Pick<
  OddsRow,
  'price' | 'changedAt' | 'isLive' | 'isActive' | 'maxBet' | 'publicBetPct'
>

/** Blanks that let a tail of any usual price, and a first `odds_changed_at`, fit where it stands. */
export function tailRoom(row: TailValues): number {
  return (row.changedAt === null ? 22 : 0) + 12
}

// Distinct prices are few, and one is written again and again.
const priceTexts = new Map<number, string>()

/** `odds_american`, `odds_decimal` (3 places), `odds_probability` and `probability` (4 places). */
function priceText(price: number): string {
  let text = priceTexts.get(price)
  if (text === undefined) {
    const probability = shownProbability(price)
    text = `"odds_american":${decimalToAmerican(price)},"odds_decimal":${shownPrice(price)},"odds_probability":${probability},"probability":${probability}`
    if (priceTexts.size >= 65_536) priceTexts.clear()
    priceTexts.set(price, text)
  }
  return text
}

const dayMs = 86_400_000
const digits = (count: number, width: number) =>
  Array.from({ length: count }, (_, n) => String(n).padStart(width, '0'))
const twoDigits = digits(60, 2)
const threeDigits = digits(1_000, 3)
const dayTexts = new Map<number, string>()

function dayText(day: number): string {
  let text = dayTexts.get(day)
  if (text === undefined) {
    text = new Date(day * dayMs).toISOString().slice(0, 11)
    if (dayTexts.size >= 1_024) dayTexts.clear()
    dayTexts.set(day, text)
  }
  return text
}

/**
 * RFC 3339 UTC with milliseconds, 24 characters. Every row carries several and the runtime's own
 * formatter is many times slower; dates are few and kept, the time is put together.
 * @param at epoch ms, whole, within years 0 to 9999
 */
export function isoTime(at: number): string {
  const day = Math.floor(at / dayMs)
  const ms = at - day * dayMs
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  return `${dayText(day)}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[ms % 1_000]}Z`
}

const quotedTexts = new Map<string, string>()

function quoted(text: string): string {
  let json = quotedTexts.get(text)
  if (json === undefined) {
    json = JSON.stringify(text)
    if (quotedTexts.size >= 65_536) quotedTexts.clear()
    quotedTexts.set(text, json)
  }
  return json
}
