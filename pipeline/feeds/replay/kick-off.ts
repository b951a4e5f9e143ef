/** Converts kick-offs as files write them (local date and time) to times. */

import { easternOffsetMs } from '../../rules/names/event-id.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Returns the offset of UK time from UTC: an hour from 01:00 UTC on the last Sunday of March to 01:00 UTC on the last
 * Sunday of October, else nothing (the law since 1998).
 */
function ukOffsetMs(at: number): number {
  const year = new Date(at).getUTCFullYear()
  const isSummer = at >= lastSundayOf(year, 2) + hourMs && at < lastSundayOf(year, 9) + hourMs
  return isSummer ? hourMs : 0
}

/** Returns year, month and day; NaN for a text that is no date. */
function dateParts(date: string): readonly [number, number, number] {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date)
  if (iso) return [Number(iso[1]), Number(iso[2]), Number(iso[3])]
  const [, day, month, year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)$/.exec(date) ?? []
  const century = year.length === 4 ? 0 : Number(year) < 90 ? 2000 : 1900
  return [century + Number(year || Number.NaN), Number(month), Number(day)]
}

/** Returns midnight UTC of the last Sunday of a month of 31 days (0 is January). */
function lastSundayOf(year: number, month: number): number {
  const last = Date.UTC(year, month, 31)
  return last - new Date(last).getUTCDay() * dayMs
}

/**
 * Returns the time of UK date and time.
 * @param date dd/mm/yyyy, dd/mm/yy of 1990 to 2089, or yyyy-mm-dd
 * @param time HH:MM, 24 hours, with or without seconds
 * @returns null for an invalid date or time; when clocks go back, the earlier time
 */
export function ukInstant(date: string, time: string): number | null {
  const [year, month, day] = dateParts(date)
  const [, hour, minute] = /^(\d{1,2}):(\d\d)(?::\d\d)?$/.exec(time) ?? []
  const wall = wallClock(year, month, day, Number(hour), Number(minute))
  return wall === null ? null : instantOfWall(wall, ukOffsetMs, hourMs)
}

/**
 * Returns the time of US Eastern date and time in a football season.
 * @param season the year it begins in; months before August are of the next year
 * @param date `Mon 9/11`
 * @param time `8:15 PM`
 */
export function seasonInstant(season: number, date: string, time: string): number | null {
  const [, weekday, month, day] = /^([A-Z][a-z]{2}) (\d{1,2})\/(\d{1,2})$/.exec(date) ?? []
  const [, hour, minute, half] = /^(\d{1,2}):(\d\d) ([AP])M$/.exec(time) ?? []
  const hour24 = (Number(hour) % 12) + (half === 'P' ? 12 : 0)
  const year = Number(month) < 8 ? season + 1 : season
  const wall = wallClock(year, Number(month), Number(day), hour24, Number(minute))
  // Only the weekday confirms the year.
  if (wall === null || weekdays[new Date(wall).getUTCDay()] !== weekday) return null
  return instantOfWall(wall, easternOffsetMs, -4 * hourMs)
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Returns a local time as if it were UTC; null if no clock can show it. */
function wallClock(year: number, month: number, day: number, hour: number, minute: number) {
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  if (Number.isNaN(wall)) return null
  const shown = new Date(wall)
  const isReal =
    shown.getUTCMonth() === month - 1 && shown.getUTCDate() === day && hour < 24 && minute < 60
  return isReal ? wall : null
}

/** @param summerMs the offset in summer, which is tried first */
function instantOfWall(wall: number, offsetMs: (at: number) => number, summerMs: number): number {
  const at = wall - summerMs
  return offsetMs(at) === summerMs ? at : wall - offsetMs(wall - summerMs)
}
