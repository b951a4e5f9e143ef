/** Numbers in names are written with and without a blank. */
import { expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

/** Returns whether games of two spellings of a side are one, at home and away, whichever is listed first. */
function joins(sport: string, league: string, one: string, other: string): boolean[] {
  const join = (ours: [string, string], [home, away]: [string, string]) => {
    const candidate = { id: 'x', home, away, startsAt, externalIds: new Map([['pinnacle', '1']]) }
    const listing = { home: ours[0], away: ours[1], startsAt, sportsbook: 'bet365' }
    return findMatch(listing, [candidate], sideOptionsOf(sport, league)) !== null
  }
  const opponent = 'Olympiacos'
  return [
    join([one, opponent], [other, opponent]),
    join([other, opponent], [one, opponent]),
    join([opponent, one], [opponent, other]),
  ]
}

test.each([
  ['esports', 'CS2', 'Cloud9', 'Cloud 9'],
  ['esports', 'CS2', 'Cloud9 Blue', 'Cloud 9 Blue'],
  ['esports', 'CS2', 'Cloud9 Esports', 'Cloud 9'],
  ['esports', 'LoL', 'G2', 'G 2'],
  ['esports', 'LoL', 'G2 Esports', 'G 2'],
  ['esports', 'LoL', 'T1', 'T 1'],
  ['esports', 'CS2', '100Thieves', '100 Thieves'],
  ['esports', 'CS2', 'Sangal2', 'Sangal 2'],
  ['soccer', 'Germany - Bundesliga', 'Schalke04', 'Schalke 04'],
  ['soccer', 'Germany - Bundesliga', 'Schalke04', 'FC Schalke 04'],
  ['soccer', 'Germany - Bundesliga', 'Mainz05', '1. FSV Mainz 05'],
  ['soccer', 'Germany - Bundesliga', 'Hannover96', 'Hannover'],
  ['soccer', 'Germany - 3. Liga', '1860Muenchen', '1860 München'],
  ['soccer', 'Netherlands - Eerste Divisie', 'Ajax2', 'Ajax 2'],
  ['rugby', 'France - Top 14', 'Racing92', 'Racing 92'],
  ['volleyball', 'Italy - Serie A1', 'Volley2002 Forli', 'Volley 2002 Forli'],
])('%s: %s, %s and %s are one name', (sport, league, one, other) => {
  expect(joins(sport, league, one, other)).toEqual([true, true, true])
})

test.each([
  ['esports', 'CS2', 'Cloud9', 'Cloud'],
  ['esports', 'CS2', 'Cloud 9', 'Cloud 8'],
  ['esports', 'CS2', 'Alpha 7', 'Alpha Gaming'],
  ['esports', 'CS2', 'Cloud9', 'Cloud9 2'],
  ['esports', 'LoL', 'G2', 'G 3'],
  ['esports', 'CS2', 'Sangal', 'Sangal2'],
  ['soccer', 'Germany - Bundesliga', 'Schalke04', 'Schalke 05'],
  ['soccer', 'Netherlands - Eerste Divisie', 'Ajax', 'Ajax2'],
  ['baseball', 'NPB', 'Hanshin Tigers', 'Hanshin Tigers2'],
  ['baseball', 'MLB', 'Pittsburgh Pirates', 'Pittsburgh Pirates2'],
])('%s: %s, %s and %s are two', (sport, league, one, other) => {
  expect(joins(sport, league, one, other)).toEqual([false, false, false])
})
