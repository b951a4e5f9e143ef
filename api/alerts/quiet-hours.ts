/** Quiet hours: a daily period in a time zone. */

import type { QuietHours } from '../../schemas/alert.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Returns when the current quiet hours end (epoch ms), or null if none apply at that time. */
export function quietUntil({ from, to, timeZone }: QuietHours, at: number): number | null {
  const minute = minuteOfDay(at, timeZone)
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const startOfMinute = at - (at % minuteMs)
  const end = startOfMinute + minutesBetween(minute, to) * minuteMs
  // The zone's clock may change before that. If it skips the end, quiet hours end at the change.
  const changed = signedMinutes(minutesBetween(minuteOfDay(end, timeZone), to))
  return Math.max(startOfMinute + minuteMs, end + changed * minuteMs)
}

const minutesBetween = (from: number, to: number) => (to - from + dayMinutes) % dayMinutes

const signedMinutes = (minutes: number) =>
  minutes > dayMinutes / 2 ? minutes - dayMinutes : minutes

const formats = new Map<string, Intl.DateTimeFormat>()

function minuteOfDay(at: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
    format = new Intl.DateTimeFormat('en', options)
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
