/**
 * The time to match a sportsbook's listing among many events with the same start, or to find that none matches.
 *
 *     node build/benchmarks/matching.js
 */

import { type Candidate, findMatch, type Listing } from '../pipeline/rules/names/matching.ts'
import { findTeam } from '../schemas/reference/teams.ts'
import { median, printResults, type Result, range, rounded } from './measure.ts'

const startsAt = Date.parse('2027-05-02T15:00:00Z')
const rounds = 9
const listingsARound = 25

const syllables = ['ba', 'ken', 'dor', 'li', 'mu', 'sta', 'vo', 'ren', 'ga', 'pel', 'to', 'chi']
// The step is coprime to the number of words, so that neighbours begin with different words.
const word = (i: number) =>
  [1, 12, 144].map((place) => syllables[Math.floor((i * 1013) / place) % 12]).join('')
const club = (i: number) => `${word(i)} ${['United', 'FC', 'City', word(i * 7 + 1)][i % 4]}`
const player = (i: number) => `${word(i % 60)} ${word(i)}ov`

const candidateOf = (home: string, away: string): Candidate => ({
  id: `${home} ${away}`,
  home,
  away,
  startsAt,
  externalIds: new Map(),
})

function resolveTeam(name: string) {
  const team = findTeam(name, 'nowhere')
  return team && { key: team.id, name: team.name }
}

/** @param isNew whether no event matches, so that all have to be compared */
function measure(
  sport: string,
  nameAt: (i: number) => string,
  many: number,
  isNew: boolean,
): Result {
  const candidates = Array.from({ length: many }, (_, i) =>
    candidateOf(nameAt(i), nameAt(i + many)),
  )
  const micros = Array.from({ length: rounds }, (_, round) => {
    const listings = Array.from({ length: listingsARound }, (_, i): Listing => {
      const home = isNew ? `${nameAt(i)} of ${round}` : nameAt(i)
      return { home, away: nameAt(i + (isNew ? many / 2 : many)), startsAt, sportsbook: 'bet365' }
    })
    const before = performance.now()
    for (const listing of listings) findMatch(listing, candidates, { sport, resolveTeam })
    return ((performance.now() - before) / listingsARound) * 1_000
  }).slice(1)
  return {
    name: `${isNew ? 'a new game' : 'a known game'} among ${many.toLocaleString('en')} of ${sport}`,
    unit: 'us',
    value: rounded(median(micros), 1),
    figures: { 'min..max': range(micros) },
    goal: '<= 1,000',
  }
}

printResults([
  measure('soccer', club, 60, false),
  measure('soccer', club, 1_000, true),
  measure('tennis', player, 1_000, true),
])
