/** Clubs of one name in two countries: a country in brackets, or a form that only the other club has, says which. */

import { expect, test } from 'vitest'
import { findDoubt } from '../../../../pipeline/rules/names/doubts.ts'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const options = sideOptionsOf('soccer', 'club_friendlies')
const away = 'Zquest Opponents'
const startsAt = Date.UTC(2027, 1, 6, 15)

test.each([
  ['Barcelona', 'Barcelona SC'],
  ['Everton', 'Everton CD'],
  ['Al Ittihad (KSA)', 'Al Ittihad (EGY)'],
])('%s is not %s, for certain', (one, other) => {
  for (const [home, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const externalIds = new Map([['pinnacle', '1']])
    const game = { id: 'x', home: theirs, away, startsAt, externalIds }
    const listing = { home, away, startsAt, sportsbook: 'bet365', externalId: '7' }
    expect(findMatch(listing, [game], options)).toBeNull()
    expect(findDoubt({ home, away }, { home: theirs, away }, options)).toBeNull()
  }
})
