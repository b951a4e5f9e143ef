/** Says which commissions of the reader the figures of opportunities leave out. */

import type { Leg } from '../data/legs.ts'
import { session } from '../data/session.ts'
import { nameOfBook, useDesk } from '../shell/context.ts'

interface UncountedCommissionsProps {
  readonly legs: readonly Leg[]
  /** As in `ListQuery`. With `mine`, the service counts the commissions of the account's profile. */
  readonly books: readonly string[]
}

export function UncountedCommissions({ legs, books }: UncountedCommissionsProps) {
  const desk = useDesk()
  if (books.includes('mine')) return null
  const names = desk.profile.sportsbooks
    .filter(({ sportsbook }) => legs.some((leg) => leg.sportsbook === sportsbook))
    .flatMap(({ sportsbook, commission_percent: own }) =>
      own ? [`${nameOfBook(desk, sportsbook)} (${own} %)`] : [],
    )
  if (names.length === 0) return null
  return (
    <p class="warnings">
      Not counted here: your commission at {names.join(', ')}.{' '}
      {session.hasOwnKey()
        ? 'Only my sportsbooks counts it.'
        : 'The service counts it with a key of your own.'}
    </p>
  )
}
