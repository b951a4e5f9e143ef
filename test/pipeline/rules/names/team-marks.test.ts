/** Names that say by a nickname that women play. */
import { expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

function areOne(league: string, ours: string, theirs: string, sport = 'basketball'): boolean {
  const [home = '', away = ''] = theirs.split(' v ')
  const [ourHome = '', ourAway = ''] = ours.split(' v ')
  const candidate = { id: 'x', home, away, startsAt, externalIds: new Map([['pinnacle', '1']]) }
  const listing = { home: ourHome, away: ourAway, startsAt, sportsbook: 'bet365' }
  return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
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

test.each(['OL Lyonnes', 'Lyonnes', 'OL Lyonnes (F)'])('%s are the women of Lyon', (name) => {
  const listed = `${name} v Chelsea`
  for (const lyon of ['Lyon', 'Olympique Lyonnais', 'OL'])
    expect(areOne('friendlies', listed, `${lyon} v Chelsea`, 'soccer')).toBe(false)
  for (const women of ['Lyon Women', 'Olympique Lyonnais W', 'Lyon (F)'])
    expect(areOne('friendlies', listed, `${women} v Chelsea Women`, 'soccer')).toBe(true)
  expect(areOne('UEFA Women Champions League', listed, 'Lyon v Chelsea', 'soccer')).toBe(true)
})
