/** A badge with the state of the link to the service. */

import { useEffect, useState } from 'preact/hooks'
import { type Link, type Shown, shownLink } from '../data/connection.ts'

interface LinkBadgeProps {
  /** Called four times a second. */
  readonly readLink: () => Link
  /** Called when prices become or stop being current. */
  readonly onLive: (isLive: boolean) => void
}

const words: Readonly<Record<Shown['state'], (seconds: number) => string>> = {
  connecting: () => 'connecting',
  live: () => 'live',
  reconnecting: () => 'reconnecting',
  stale: (seconds) => `stale ${seconds} s`,
}

export function LinkBadge({ readLink, onLive }: LinkBadgeProps) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 250)
    return () => clearInterval(timer)
  }, [])
  const { state, seconds } = shownLink(readLink(), performance.now())
  const isLive = state === 'live'
  useEffect(() => onLive(isLive), [isLive])
  return (
    <span class={`badge ${state}`} data-state={state}>
      <i />
      {words[state](seconds)}
      <span class="unseen" role="status">
        {isLive ? 'Prices are live' : state === 'stale' ? 'Prices are stale' : ''}
      </span>
    </span>
  )
}
