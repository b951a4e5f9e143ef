/** Names that say by a nickname that women play. */
import { expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(league: string, ours: string, theirs: string): boolean {
  const [home = '', away = ''] = theirs.split(' v ')
  const [ourHome = '', ourAway = ''] = ours.split(' v ')
  const candidate = { id: 'x', home, away, startsAt, externalIds: new Map([['pinnacle', '1']]) }
  const listing = { home: ourHome, away: ourAway, startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf('basketball', league)) !== null
}

test.each([
  ['Tennessee Lady Volunteers v Kentucky Wildcats', 'Tennessee v Kentucky'],
  ['Penn State Lady Lions v Iowa Hawkeyes', 'Penn State v Iowa'],
  ['Hawaii Rainbow Wahine v Long Beach State Beach', 'Hawaii v Long Beach State'],
  ['UMass Minutewomen v Fordham Rams', 'UMass v Fordham'],
  ['McNeese Cowgirls v Nicholls Colonels', 'McNeese v Nicholls'],
  ['Stephen F. Austin Ladyjacks v Lamar Cardinals', 'Stephen F. Austin v Lamar'],
  ['Central Arkansas Sugar Bears v North Alabama Lions', 'Central Arkansas v North Alabama'],
  ['Louisiana Tech Lady Techsters v UTEP Miners', 'Louisiana Tech v UTEP'],
  ['Duke Girls v Kansas', 'Duke v Kansas'],
  ['Duke WBB v Kansas', 'Duke v Kansas'],
])('%s are women, also beside an opponent that is not marked', (women, men) => {
  expect(areOne('ncaab', women, men)).toBe(false)
  expect(areOne('ncaab', men, women)).toBe(false)
  expect(areOne('ncaaw', women, men)).toBe(true)
})
