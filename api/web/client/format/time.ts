/** Times and ages as text, in the reader's time zone or in UTC. */

export type Zone = 'local' | 'utc'

/** Returns the zone's name: `UTC`, or the reader's own, such as `New York`. */
export function zoneText(zone: Zone): string {
  if (zone === 'utc') return 'UTC'
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return zoneName(timeZone)
}

/** @param timeZone as `America/New_York` */
export const zoneName = (timeZone: string) => timeZone.split('/').at(-1)!.replaceAll('_', ' ')

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${zone} ${Object.values(options).join(' ')}`
  let format = formats.get(name)
  if (!format) {
    const inZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
    format = new Intl.DateTimeFormat('en-GB', { ...options, ...inZone })
    formats.set(name, format)
  }
  return format
}

/** Formats `19:30`. */
export const clockText = (at: number, zone: Zone) =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit' }).format(at)

const yearOf = (at: number, zone: Zone) => formatOf(zone, { year: 'numeric' }).format(at)

export const isThisYear = (at: number, zone: Zone, now: number) =>
  yearOf(at, zone) === yearOf(now, zone)

/** Formats `21 Nov`, or `21 Nov 2030` in another year. */
export function dateText(at: number, zone: Zone, now: number): string {
  const date = formatOf(zone, { day: 'numeric', month: 'short' }).format(at)
  return isThisYear(at, zone, now) ? date : `${date} ${yearOf(at, zone)}`
}

/** Formats `Sat 21 Nov`, or `Thu 21 Nov 2030` in another year. */
export const dayText = (at: number, zone: Zone, now: number) =>
  `${formatOf(zone, { weekday: 'short' }).format(at)} ${dateText(at, zone, now)}`

/**
 * Formats a start time briefly: `19:30` today, `Sat 19:30` within six days, `28 Nov 19:30` this year, `21 Nov 2030`
 * in another.
 */
export function startText(at: number, zone: Zone, now: number): string {
  const time = clockText(at, zone)
  const date = dateText(at, zone, now)
  if (date === dateText(now, zone, now)) return time
  if (Math.abs(at - now) < 6 * dayMs)
    return `${formatOf(zone, { weekday: 'short' }).format(at)} ${time}`
  return isThisYear(at, zone, now) ? `${date} ${time}` : date
}

/** Formats what is left of the last hour before a start: `in 12 min`; empty at other times. */
export function countdownText(at: number, now: number): string {
  const minutes = Math.ceil((at - now) / minuteMs)
  return minutes > 0 && minutes <= 60 ? `in ${minutes} min` : ''
}

/** Formats the start of a game as `startText`, in the last hour before it with what is left: `19:30 · in 12 min`. */
export const soonText = (at: number, zone: Zone, now: number) =>
  [startText(at, zone, now), countdownText(at, now)].filter(Boolean).join(' · ')

/** Formats `Sat 21 Nov 19:30:05`. */
export const momentText = (at: number, zone: Zone, now: number) =>
  `${dayText(at, zone, now)} ${secondsText(at, zone)}`

/** Formats `19:30:05`. */
export const secondsText = (at: number, zone: Zone) =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)

/**
 * Returns distinct labels of evenly spaced times: with seconds if they are less than a minute apart, dates if they
 * are days apart. The date is added below the time where it changes.
 */
export function axisTexts(ats: readonly number[], zone: Zone, now: number): string[] {
  const step = ats.length > 1 ? ats[1]! - ats[0]! : minuteMs
  // A day may be an hour shorter or longer when clocks change.
  if (step > 0.9 * dayMs) return ats.map((at) => dateText(at, zone, now))
  const clock = step < minuteMs ? secondsText : clockText
  let last = dateText(now, zone, now)
  return ats.map((at) => {
    const date = dateText(at, zone, now)
    const isNew = date !== last
    last = date
    return isNew ? `${clock(at, zone)}\n${date}` : clock(at, zone)
  })
}

export const minuteMs = 60_000
const dayMs = 86_400_000

/** @param ms age at the time `at` (epoch ms) */
export const grownAgeText = (ms: number, at: number, now: number) =>
  ageText(ms + Math.max(0, now - at))

/** Formats `5s`, `12m`, `3h`, `2d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
