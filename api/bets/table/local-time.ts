/**
 * Reads dates and times of files: ISO, US (month first) and European (day first), with names of months and zones, 24
 * hours or AM and PM. Ambiguous dates are rejected by name.
 */

import { memoise } from '../../../schemas/memoise.ts'
import { monthNamed, zoneNamed, zoneWords } from './import-words.ts'

export type DateOrder = 'mdy' | 'dmy' | 'ymd'

export type TimeFault = 'invalid_date' | 'ambiguous_date' | 'missing_time_zone'

const dateOrders: readonly DateOrder[] = ['mdy', 'dmy', 'ymd']

export interface TimeOptions {
  /** The orders that dates in figures may have: one if it is known, none if a file contradicts itself. */
  readonly orders: readonly DateOrder[]
  /** IANA name of the zone for times without one; null if unknown. */
  readonly zone: string | null
}

interface Wall {
  readonly year: number
  readonly month: number
  readonly day: number
}

const inFigures = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?=\D|$)/
/** `20-Nov-26`, `20. November 2026`, `Fri Nov 20, 2026`. The year is not the hour of `Nov 20 19:30`. */
const withName =
  /^(?:\p{L}{2,10}\.? )?(?:(\d{1,2})(?:st|nd|rd|th)?(?:\.?[ -]|\.))?(\p{L}{3,10})(?:\.?[ -]|\.)(?:(\d{1,2})(?:st|nd|rd|th)?[ -])?(\d{4}|\d{2})(?![\d:])/iu
const zoneEnd = new RegExp(
  `(?:Z|UTC|GMT|[+-]\\d\\d:?\\d\\d|(?<= )(?:${zoneWords.join('|')}))$`,
  'i',
)
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap])?\.?m?\.?$/i

/** Finds the order of a file's dates from all of them. */
export interface DatesSeen {
  /** @param latestYear a reading in a later year does not count if another one is possible */
  see(text: string, latestYear?: number): void
  /**
   * Returns the orders that dates in figures may have, none if they contradict each other. A date
   * that allows only one order decides it for all. If there is none, and all figures have two
   * digits, the year is at the end that hardly changes from date to date while the other end does.
   */
  orders(): readonly DateOrder[]
}

type Figures = readonly [number, number, number]

export function createDatesSeen(): DatesSeen {
  /** The sets of orders that single dates allow, each once. */
  const allowed = new Map<string, { readonly orders: DateOrder[]; readonly isShort: boolean }>()
  const [first, last] = [createYears(), createYears()]
  /** Whether a date with the name of its month cannot have its year first. */
  let isDayFirst = false

  /** Returns the orders that single dates show by themselves, among these if their years have two figures. */
  function shownAmong(some: readonly DateOrder[]): readonly DateOrder[] {
    const shown = new Set<DateOrder>()
    for (const { orders, isShort } of allowed.values()) {
      const [order, ...others] = isShort ? orders.filter((one) => some.includes(one)) : orders
      if (order !== undefined && others.length === 0) shown.add(order)
    }
    return [...shown]
  }

  /** Returns the orders with the year where dates with two-digit years show it. */
  function ordersByYear(): readonly DateOrder[] {
    if (isDayFirst) return dateOrders.filter((order) => order !== 'ymd')
    if (first.mayBe === last.mayBe) return dateOrders
    return dateOrders.filter((order) => (order === 'ymd') === first.mayBe)
  }

  return {
    see(text, latestYear = Number.POSITIVE_INFINITY) {
      const named = namedIn(text.trim())
      const read = named ? named.short : figuresIn(text)
      if (!read) return
      const { figures, isShort } = read
      const possible = possibleOrders(figures, latestYear)
      const isByDay = named && possible.includes('dmy')
      if (isByDay && !possible.includes('ymd')) isDayFirst = true
      // With a name, the day in front says nothing of the order of figures.
      const orders = isByDay
        ? dateOrders.filter((one) => one === 'mdy' || possible.includes(one))
        : possible
      allowed.set(`${orders} ${isShort}`, { orders, isShort })
      if (!isShort) return
      first.see(figures[0], latestYear)
      last.see(figures[2], latestYear)
    },
    orders() {
      const byYear = ordersByYear()
      for (const some of [dateOrders, byYear]) {
        const shown = shownAmong(some)
        if (shown.length > 0) return shown.length === 1 ? shown : []
      }
      return byYear
    },
  }
}

/** Figures that may be years: all the same, or of two years in a row. */
function createYears() {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let isPast = true
  return {
    see(figure: number, latestYear: number) {
      least = Math.min(least, figure)
      most = Math.max(most, figure)
      isPast &&= yearOf(figure) <= latestYear
    },
    get mayBe() {
      return isPast && most - least <= 1
    },
  }
}

interface NamedDate {
  readonly day: number
  readonly month: number
  readonly year: number
  /** Number of its characters. */
  readonly length: number
  /** Its figures, if two of two digits stand about the name, so that the first may be the year: `26-Nov-20`. */
  readonly short: { readonly figures: Figures; readonly isShort: true } | null
}

/** Returns a date with the name of its month, the day first; null for another. */
function namedIn(text: string): NamedDate | null {
  const [all, before, name = '', after, last = ''] = withName.exec(text) ?? []
  const month = monthNamed(name)
  const isOne = (before === undefined) !== (after === undefined)
  if (all === undefined || month === undefined || !isOne) return null
  const [day, year] = [Number(before ?? after), yearOf(Number(last))]
  const isShort = last.length === 2 && /^\d\d[ -]/.test(text)
  const short = isShort ? { figures: [day, month, Number(last)] as const, isShort } : null
  return { day, month, year, length: all.length, short }
}

/** Returns null for a date in another form, such as one that begins with a year of four figures. */
function figuresIn(text: string): { readonly figures: Figures; readonly isShort: boolean } | null {
  const [, first = '', , second, third] = inFigures.exec(text.trim()) ?? []
  if (second === undefined || third === undefined || first.length > 2) return null
  const figures = [Number(first), Number(second), Number(third)] as const
  return { figures, isShort: third.length === 2 }
}

/**
 * Returns the orders that the figures of a date allow.
 * @param latestYear a reading in a later year does not count if another one is possible
 */
function possibleOrders(figures: Figures, latestYear = Number.POSITIVE_INFINITY): DateOrder[] {
  const fitting = dateOrders.filter((order) => {
    const { month, day } = wallOf(figures, order)
    return month >= 1 && month <= 12 && day >= 1 && day <= 31
  })
  const past = fitting.filter((order) => wallOf(figures, order).year <= latestYear)
  return past.length > 0 ? past : fitting
}

/** @returns RFC 3339, or only a date if the text has no time */
export function readTime(
  text: string,
  { orders, zone }: TimeOptions,
): { readonly text: string } | TimeFault {
  const trimmed = text.replace(/[\s,]+/g, ' ').trim()
  const own = zoneAtEnd(trimmed)
  const local = trimmed.slice(0, trimmed.length - own.length).replace(/ ?(?:Uhr ?)?$/i, '')
  const [date, rest] = dateIn(local, orders)
  if (typeof date === 'string') return date
  const isoDate = `${pad(date.year, 4)}-${pad(date.month)}-${pad(date.day)}`
  const time = rest.replace(/^[T\s]+/i, '')
  if (time === '') return own === '' ? { text: isoDate } : 'invalid_date'
  const [, hour, minute, second = '00', half] = clock.exec(time) ?? []
  if (hour === undefined || minute === undefined) return 'invalid_date'
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  const isClock = hours <= 23 && Number(minute) <= 59 && Number(second) <= 59
  if (!isClock || (half && Number(hour) > 12)) return 'invalid_date'
  const wall = `${isoDate}T${pad(hours)}:${minute}:${second}`
  const named = zoneNamed(own)
  if (own !== '' && !named) return { text: `${wall}${zoneText(own)}` }
  const clocks = named?.zone ?? zone
  if (clocks === null) return 'missing_time_zone'
  if (!named || named.offset === 'any') return { text: instantIn(Date.parse(`${wall}Z`), clocks) }
  // "EST" in summer may be that of another zone, or the clocks of New York.
  const at = Date.parse(`${wall}${named.offset}`)
  return at + offsetAt(at, clocks) === Date.parse(`${wall}Z`)
    ? { text: `${wall}${named.offset}` }
    : 'ambiguous_date'
}

/** Returns the zone with which a text ends, as it is written; empty for none. */
function zoneAtEnd(text: string): string {
  const [own = ''] = zoneEnd.exec(text) ?? []
  // A sign counts as an offset only after a time. Otherwise it is the dash of a date: 20-11-2026.
  const isDate = /^[+-]/.test(own) && !text.slice(0, -own.length).includes(':')
  return isDate ? '' : own
}

/** Returns the start of a day in a zone, as RFC 3339. */
export const startOfDay = (date: string, zone: string) =>
  instantIn(Date.parse(`${date}T00:00:00Z`), zone)

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

const zoneText = (own: string) => (/^[+-]/.test(own) ? `${own.slice(0, 3)}:${own.slice(-2)}` : 'Z')

function dateIn(text: string, orders: readonly DateOrder[]): [Wall | TimeFault, string] {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=\D|$)/.exec(text)
  if (iso)
    return [realDate(Number(iso[1]), Number(iso[2]), Number(iso[3])), text.slice(iso[0].length)]
  const named = namedIn(text)
  if (named) {
    const { day, month, year, short } = named
    const rest = text.slice(named.length)
    const byDay = realDate(year, month, day)
    const byYear = short && realDate(yearOf(day), month, year % 100)
    if (!byYear || byYear === 'invalid_date' || (orders.length > 0 && !orders.includes('ymd'))) {
      return [byDay, rest]
    }
    const isOnlyByYear = orders.join() === 'ymd' || byDay === 'invalid_date'
    if (isOnlyByYear || JSON.stringify(byDay) === JSON.stringify(byYear)) return [byYear, rest]
    return ['ambiguous_date', '']
  }
  const { figures } = figuresIn(text) ?? {}
  if (!figures) return ['invalid_date', '']
  const [inAll, , mark] = inFigures.exec(text)!
  const read = (order: DateOrder) => {
    const { year, month, day } = wallOf(figures, order)
    return realDate(year, month, day)
  }
  const possible = possibleOrders(figures)
  // A known order does not reinterpret a date that only fits another.
  const left = orders.length === 0 ? possible : possible.filter((order) => orders.includes(order))
  const [one, ...others] = left.map(read)
  if (one === undefined) return ['invalid_date', '']
  const rest = text.slice(inAll.length)
  if (others.every((other) => JSON.stringify(other) === JSON.stringify(one))) return [one, rest]
  // Dates with dots have the day first, unless another order is known.
  if (mark === '.' && orders.length > 0 && left.includes('dmy')) return [read('dmy'), rest]
  return ['ambiguous_date', '']
}

/** Returns the year of a figure; with two digits it is in this century. */
const yearOf = (figure: number) => (figure < 100 ? 2000 + figure : figure)

/** Returns the parts of a date in figures. */
function wallOf([a, b, c]: Figures, order: DateOrder): Wall {
  if (order === 'ymd') return { year: yearOf(a), month: b, day: c }
  const [month, day] = order === 'dmy' ? [b, a] : [a, b]
  return { year: yearOf(c), month, day }
}

function realDate(year: number, month: number, day: number): Wall | 'invalid_date' {
  const shown = new Date(Date.UTC(year, month - 1, day))
  const isReal = shown.getUTCMonth() === month - 1 && shown.getUTCDate() === day
  return isReal ? { year, month, day } : 'invalid_date'
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** @param wall local time of the zone, written as if it were UTC. If it occurs twice, the earlier counts. */
function instantIn(wall: number, zone: string): string {
  // The zone's offset is that of the day before or that of the day after.
  const offsets = [-1, 1].map((days) => offsetAt(wall + days * 86_400_000, zone))
  const instants = offsets.map((offset) => wall - offset)
  const real = instants.filter((at) => at + offsetAt(at, zone) === wall)
  return new Date(Math.min(...(real.length > 0 ? real : instants))).toISOString()
}

/** Creating a format costs a hundred times as much as using it. */
const formatIn = memoise(
  (zone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    }),
)

function offsetAt(instant: number, zone: string): number {
  const parts = formatIn(zone).formatToParts(instant)
  const at = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)!.value)
  return (
    Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')) -
    Math.floor(instant / 1_000) * 1_000
  )
}
