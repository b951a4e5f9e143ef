/** Says that best prices and hold are of the reader's own sportsbooks, with a button for those of all. */

import { useDesk } from './context.ts'

export function OnlyMine() {
  const { among, choose } = useDesk()
  if (among.length === 0) return null
  return (
    <p class="hidden-leagues hint" role="note">
      Best prices and hold are those of <a href="/profile">your sportsbooks</a>, before commissions.{' '}
      <button type="button" onClick={() => choose({ isOnlyMine: false })}>
        Of all
      </button>
    </p>
  )
}
