/** Quiet hours: a daily period in a time zone. */

import type { QuietHours } from '../../schemas/alert.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Returns when the current quiet hours end (epoch ms), or null if none apply at that time. */
export function quietUntil({ from, to, timeZone }: QuietHours, at: number): number | null {
  const minute = minuteOfDay(at, timeZone)
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const left = (to - minute + dayMinutes) % dayMinutes
  // Uses the zone's current offset. If its clock goes back meanwhile, callers check again; if forward, it ends late.
  return at - (at % minuteMs) + left * minuteMs
}

const formats = new Map<string, Intl.DateTimeFormat>()

function minuteOfDay(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    const of = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
    format = new Intl.DateTimeFormat('en', of)
    formats.set(timeZone, format)
  }
  const [hours, minutes] = format.format(at).split(':')
  return 60 * Number(hours) + Number(minutes)
}

export const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':')
  return 60 * Number(hours) + Number(minutes)
}

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
