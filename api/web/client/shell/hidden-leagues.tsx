/** The line that lists leagues hidden by the profile, with a button that shows them. */

import { useDesk } from './context.ts'

export function HiddenLeagues() {
  const { leagues, profile, choices, choose } = useDesk()
  const names = leagues
    .filter(({ id }) => profile.hidden_leagues.includes(id))
    .map(({ shortName }) => shortName)
  if (names.length === 0) return null
  const { isHiddenShown } = choices
  return (
    <p class="hidden-leagues hint" role="note">
      <a href="/profile">Your profile</a> hides {names.join(', ')}
      {isHiddenShown && ', shown here now'}.{' '}
      <button type="button" onClick={() => choose({ isHiddenShown: !isHiddenShown })}>
        {isHiddenShown ? 'Hide' : 'Show'}
      </button>
    </p>
  )
}
