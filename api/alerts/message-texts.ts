/** Text lines of messages for people, below the title: in the odds format of the account, and in its alert's time zone. */

import { writePrice } from '../../pipeline/rules/odds/price-formats.ts'
import type { AlertRow } from '../../schemas/alert.ts'
import type { AlertMessage, MessageOf } from '../../schemas/http/alerts.ts'
import { warningText } from '../../schemas/opportunity-warnings.ts'
import type { PriceFormat } from '../../schemas/price-format.ts'
import type { ProfileRow } from '../../schemas/profile.ts'
import { displayNameOf } from '../../schemas/reference/sportsbooks.ts'

/** How the reader of a text reads prices and times. */
export interface Reading {
  /** Null for decimal and American. */
  readonly format: PriceFormat | null
  /** IANA name. */
  readonly timeZone: string
}

/** Returns how an alert's texts are read: a profile names no time zone, but quiet hours do. */
export const readingOf = (
  { quiet }: Pick<AlertRow, 'quiet'>,
  { priceFormat }: Pick<ProfileRow, 'priceFormat'>,
): Reading => ({ format: priceFormat, timeZone: quiet?.timeZone ?? 'UTC' })

type Texts = {
  readonly [Type in AlertMessage['type']]: (
    data: MessageOf<Type>['data'],
    reading: Reading,
  ) => readonly string[]
}

/** Writes at most eight places, as amounts have, and no exponent. */
const plainNumber = (amount: number) =>
  amount.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 8 })

const missingWords: Readonly<Record<NonNullable<Opportunity['stake_missing']>, string>> = {
  below_unit: 'it would be less than',
  limit_below_unit: 'a limit allows less than',
}

const texts: Texts = {
  'alert.opportunity': ({ event, legs, ...data }, reading) => {
    const money = (amount: number) => [plainNumber(amount), data.currency ?? []].flat().join(' ')
    return [
      [...eventWords(event, data.market_type, reading), `${data.age_seconds} s old`].join(' · '),
      ...legs.map(({ stake, ...offer }) =>
        offerText(offer, reading, stake === null ? '' : `, stake ${money(stake)}`),
      ),
      data.stake_missing === null
        ? `Stakes ${money(data.stake_total!)} in all, worst result ${money(data.worst_profit!)}`
        : `No stake: ${missingWords[data.stake_missing]} the unit of ${money(data.stake_unit)}, to which stakes are rounded down`,
      ...data.warnings.map((code) => `Check: ${warningText(code)}`),
      `Why: ${data.links.page}`,
    ]
  },
  'alert.price': ({ event, market_type, offer, links }, reading) => [
    eventWords(event, market_type, reading).join(' · '),
    offerText(offer, reading),
    pageText(links),
  ],
  'alert.move': ({ event, market_type, moves, links }, reading) => [
    eventWords(event, market_type, reading).join(' · '),
    ...moves.map(({ from_decimal, from_american, ...offer }) =>
      offerText(offer, reading, `, was ${priceText(from_decimal, reading, from_american)}`),
    ),
    pageText(links),
  ],
  'alert.source': ({ subject, state, reason, since, links }, { timeZone }) => [
    `${subject} ${state} since ${momentText(Date.parse(since), timeZone)}${reason === null ? '' : `, ${reason}`}`,
    pageText(links),
  ],
  'alert.test': ({ links }) => [pageText(links)],
}

export const textLines = ({ type, data }: AlertMessage, reading: Reading): readonly string[] =>
  (texts[type] as (data: AlertMessage['data'], reading: Reading) => readonly string[])(
    data,
    reading,
  )

type Opportunity = MessageOf<'alert.opportunity'>['data']

const pageText = ({ page }: { readonly page: string }) => `Page: ${page}`

const eventWords = (
  { is_live, start_time }: Opportunity['event'],
  marketType: string,
  { timeZone }: Reading,
) => [
  is_live ? 'in play' : `starts ${momentText(Date.parse(start_time), timeZone)}`,
  marketType.replaceAll('_', ' '),
]

function offerText(
  offer: MessageOf<'alert.price'>['data']['offer'],
  reading: Reading,
  more = '',
): string {
  const { selection, odds_decimal, odds_american, sportsbook, odds_age_seconds, link } = offer
  const price = priceText(odds_decimal, reading, odds_american)
  const bet = `${selection} @ ${price} ${displayNameOf(sportsbook)}, ${odds_age_seconds} s old${more}`
  return link === null ? bet : `${bet} ${link}`
}

/**
 * @param price decimal odds, rounded
 * @param american the exact American odds, which rounded ones do not always give
 */
function priceText(price: number, { format }: Reading, american?: number): string {
  const sign = american !== undefined && american > 0 ? '+' : ''
  if (format === 'american' && american !== undefined) return `${sign}${american}`
  if (format !== null) return writePrice(price, format)
  return american === undefined ? String(price) : `${price} (${sign}${american})`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats `2027-01-14 19:40 America/New_York`. @param at epoch ms */
const momentText = (at: number, timeZone: string) =>
  `${formatOf(timeZone, {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).format(at)} ${timeZone}`

/** Formats `19:40:05 America/New_York`. @param at epoch ms */
export const secondsText = (at: number, { timeZone }: Reading) =>
  `${formatOf(timeZone, {
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).format(at)} ${timeZone}`

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${timeZone} ${Object.keys(options)}`
  let format = formats.get(name)
  if (!format) {
    // Swedish dates are written as in ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone })
    formats.set(name, format)
  }
  return format
}
