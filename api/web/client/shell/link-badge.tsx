/** A badge with the state of the link to the service. */

import { useEffect, useState } from 'preact/hooks'
import { type Link, type NoStream, type Shown, shownLink } from '../data/connection.ts'
import { serviceNow } from '../data/service-time.ts'
import { type Reading, type ReadPrices, silenceOf } from '../format/silence.ts'

interface LinkBadgeProps {
  /** Called four times a second. */
  readonly readLink: () => Link
  /** The badge shows live only if one of the sportsbooks sends prices. */
  readonly prices: ReadPrices
  /** How far the prices of the tier are behind. */
  readonly delaySeconds: number
  /** When the games of the page were read. The badge shows live only if they are recent. */
  readonly games: readonly Reading[]
  /** Called when prices become current or outdated. */
  readonly onLive: (isLive: boolean) => void
}

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

export function LinkBadge({ readLink, prices, delaySeconds, games, onLive }: LinkBadgeProps) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 250)
    return () => clearInterval(timer)
  }, [])
  const link = readLink()
  const { state, seconds } = shownLink(link, performance.now())
  const noStream = link.phase === 'live' && link.noStream
  const silence = state === 'live' ? silenceOf(prices, games, serviceNow()) : null
  const isLive = state === 'live' && silence === null
  useEffect(() => onLive(isLive), [isLive])
  return (
    <span class={`badge ${silence ? 'stale' : state}`} data-state={silence ? 'silent' : state}>
      <i />
      {silence ?? words[state](seconds)}
      {isLive && delaySeconds > 0 && `, delayed by ${delaySeconds} s`}
      {noStream && ` ${noStreamWords[noStream]}`}
      <span class="unseen" role="status">
        {isLive ? 'Prices are live' : state === 'stale' ? 'Prices are stale' : (silence ?? '')}
      </span>
    </span>
  )
}
