/**
 * Days and local time. A day is a calendar date (in any zone) as a number: days since 1970-01-01. A
 * time follows from a day, the minutes of the local clock and its zone.
 */
import { memoise } from '../../../schemas/memoise.ts'

export const minute = 60_000
export const dayMs = 24 * 60 * minute

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof weekdays)[number]

export const dayOf = (year: number, month: number, date: number) =>
  Date.UTC(year, month - 1, date) / dayMs

export const yearOf = (day: number) => new Date(day * dayMs).getUTCFullYear()

/** Returns the date in UTC. */
export const dayAt = (instant: number) => Math.floor(instant / dayMs)

/** Returns the weekday; the epoch began on a Thursday. */
export const weekdayOf = (day: number): Weekday => weekdays[(((day + 4) % 7) + 7) % 7]!

export function isWeekday(text: string): text is Weekday {
  return (weekdays as readonly string[]).includes(text)
}

/**
 * Returns a date that comes every year: `10-21`, or `thu 09-04`, the first Thursday from then on.
 * @throws Error for text that is neither
 */
export function dayInYear(text: string, year: number): number {
  const [, weekday, month, date] = /^(?:([a-z]{3}) )?(\d\d)-(\d\d)$/.exec(text) ?? []
  if (month === undefined || date === undefined) throw new Error(`no date: ${text}`)
  let day = dayOf(year, Number(month), Number(date))
  if (weekday === undefined) return day
  if (!isWeekday(weekday)) throw new Error(`no weekday: ${text}`)
  while (weekdayOf(day) !== weekday) day++
  return day
}

const formatIn = memoise(
  (zone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit' },
    }),
  256,
)

/** Returns the local time of a zone at a time, as if it were UTC. */
export function wallClock(instant: number, zone: string): number {
  const [month, date, year, hour, minutes] = formatIn(zone)
    .format(instant)
    .split(/\D+/)
    .map(Number) as [number, number, number, number, number]
  return Date.UTC(year, month - 1, date, hour, minutes)
}

/** Returns the offset; clocks change at night, so one offset is right for the whole day. */
const offsetOf = memoise((zone: string) =>
  memoise((noon: number) => wallClock(noon, zone) - noon, 1024),
)

/** @param minutes since midnight on that day */
export const instantAt = (day: number, minutes: number, zone: string) =>
  day * dayMs + minutes * minute - offsetOf(zone)(day * dayMs + dayMs / 2)
