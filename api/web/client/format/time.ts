/** Instants and ages as text, in the reader's zone or in UTC. */

export type Zone = 'local' | 'utc'

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

/** `19:30` */
export const clockText = (at: number, zone: Zone) =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit' }).format(at)

/** `Sat 21 Nov` */
export const dayText = (at: number, zone: Zone) =>
  formatOf(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(at).replace(',', '')

/** When a game starts, as short as can be: `19:30` today, `Sat 19:30` within six days, else `28 Nov 19:30`. */
export function startText(at: number, zone: Zone, now: number): string {
  const time = clockText(at, zone)
  const day = dayText(at, zone)
  if (day === dayText(now, zone)) return time
  const isSoon = Math.abs(at - now) < 6 * 86_400_000
  const [weekday, ...date] = day.split(' ')
  return `${isSoon ? weekday : date.join(' ')} ${time}`
}

/** `5s`, `12m`, `3h`, `2d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
