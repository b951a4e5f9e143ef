/** Quiet hours: from one time of the day to another, by the clock of a time zone. */

import type { QuietHours } from '../../schemas/alert.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** When the quiet hours end that hold at an instant; null where none do. Epoch ms. */
export function quietUntil({ from, to, timeZone }: QuietHours, at: number): number | null {
  const minute = minuteOfDay(at, timeZone)
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return null
  const left = (to - minute + dayMinutes) % dayMinutes
  // Where the clock of the zone is changed meanwhile it is asked again at that time.
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
