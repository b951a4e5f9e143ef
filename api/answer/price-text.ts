/**
 * Caches texts that repeat in responses, since distinct prices and slugs are few. Texts that occur thousands
 * of times in one response are stored as bytes.
 */

import { decimalToAmerican, shownPrice, shownProbability } from '../../pipeline/rules/odds/odds.ts'
import { stampLength, writeTime } from '../../pipeline/text/iso-time.ts'
import { appendFew, type PageBuffer, reserve } from '../../pipeline/text/page-buffer.ts'
import type { OddsRows } from '../../pipeline/views/board/odds-rows.ts'
import { memoise } from '../../schemas/memoise.ts'
import { type WithheldReason, withheldReasons } from '../../schemas/withheld-price.ts'
import { appendSeen, type TimesNoted } from './kept-texts.ts'

/** Quotes a text as JSON. */
export const quoted: (text: string) => string = memoise((text) => JSON.stringify(text))

export interface PriceText {
  readonly american: number
  /** `odds_american` and `odds_decimal`. */
  readonly odds: string
  readonly oddsBytes: Uint8Array
  /** The same two fields inside an odds object. */
  readonly nested: string
  readonly nestedBytes: Uint8Array
  /** `odds_probability` and `probability`. */
  readonly probability: string
}

/** Returns the last field of an object if the price is withheld. */
export const withheldText = (reason: WithheldReason | null) =>
  reason === null ? '' : `,"withheld":"${reason}"`

export const utf8 = (text: string) => Uint8Array.from(Buffer.from(text))

/** Returns a price's JSON fields. */
export const priceText: (price: number) => PriceText = memoise((price) => {
  const american = decimalToAmerican(price)
  const decimal = shownPrice(price)
  const probability = shownProbability(price)
  const odds = `"odds_american":${american},"odds_decimal":${decimal}`
  const nested = `"american":${american},"decimal":${decimal}`
  return {
    american,
    odds,
    oddsBytes: utf8(odds),
    nested,
    nestedBytes: utf8(nested),
    probability: `"odds_probability":${probability},"probability":${probability}`,
  }
}, 65_536)

/** Appends the end of a row's object: its sighting and change times, and whether it is withheld. */
export function appendTimes(page: PageBuffer, rows: OddsRows, row: number, noted: TimesNoted) {
  appendFew(page, seenBytes)
  appendSeen(page, rows.sighted(row).lastSeenAt, row, noted)
  const changedAt = rows.changedAt(row)
  if (changedAt === null) appendFew(page, unchangedBytes)
  else {
    appendFew(page, changedBytes)
    reserve(page, stampLength)
    writeTime(changedAt, page.bytes, page.length)
    page.length += stampLength
    appendFew(page, quoteBytes)
  }
  const reason = rows.withheld(row)
  appendFew(page, reason === null ? endBytes : withheldEnds[reason])
}

const seenBytes = utf8(',"last_seen_at":"')
const unchangedBytes = utf8('","odds_changed_at":null')
const changedBytes = utf8('","odds_changed_at":"')
const quoteBytes = utf8('"')
const endBytes = utf8('}')
const withheldEnds = Object.fromEntries(
  withheldReasons.map((reason) => [reason, utf8(`${withheldText(reason)}}`)]),
) as Record<WithheldReason, Uint8Array>
