/** A badge with the state of the link to the service. */

import { useEffect, useState } from 'preact/hooks'
import type { Sportsbook } from '../../wire.ts'
import { type Link, type NoStream, type Shown, shownLink } from '../data/connection.ts'
import { serviceNow } from '../data/service-time.ts'
import { ageText } from '../format/time.ts'

interface LinkBadgeProps {
  /** Called four times a second. */
  readonly readLink: () => Link
  /** Sportsbooks of the page. The badge shows live only if one of them sends prices. */
  readonly sportsbooks: readonly Sportsbook[]
  /** Called when prices become current or outdated. */
  readonly onLive: (isLive: boolean) => void
}

/** Age beyond which prices are called old although the link is healthy. */
const oldPricesMs = 60_000

const words: Readonly<Record<Shown['state'], (seconds: number) => string>> = {
  connecting: () => 'connecting',
  live: () => 'live',
  reconnecting: () => 'reconnecting',
  stale: (seconds) => `stale ${seconds} s`,
}

const noStreamWords: Readonly<Record<NoStream, string>> = {
  in_use: 'by polling: all streams of the key are in use',
  blocked: 'by polling: streams do not come through',
}

export function LinkBadge({ readLink, sportsbooks, onLive }: LinkBadgeProps) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 250)
    return () => clearInterval(timer)
  }, [])
  const link = readLink()
  const { state, seconds } = shownLink(link, performance.now())
  const noStream = link.phase === 'live' && link.noStream
  const silence = state === 'live' ? silenceOf(sportsbooks, serviceNow()) : null
  const isLive = state === 'live' && silence === null
  useEffect(() => onLive(isLive), [isLive])
  return (
    <span class={`badge ${silence ? 'stale' : state}`} data-state={silence ? 'silent' : state}>
      <i />
      {silence ?? words[state](seconds)}
      {noStream && ` ${noStreamWords[noStream]}`}
      <span class="unseen" role="status">
        {isLive ? 'Prices are live' : state === 'stale' ? 'Prices are stale' : (silence ?? '')}
      </span>
    </span>
  )
}

/** Returns why a page with a healthy link has no fresh prices; null if it has. */
function silenceOf(sportsbooks: readonly Sportsbook[], now: number): string | null {
  const priced = sportsbooks.filter(({ last_update }) => last_update !== null)
  if (priced.length === 0) return 'no prices yet'
  if (priced.every(({ status }) => status !== 'active')) return 'all sources down'
  const newest = Math.max(...priced.map(({ last_update }) => Date.parse(last_update!)))
  return now - newest > oldPricesMs ? `no new prices for ${ageText(now - newest)}` : null
}
