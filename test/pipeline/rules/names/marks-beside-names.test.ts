/** What stands beside a name and is no part of it: a country in brackets. */
import { describe, expect, test } from 'vitest'
import { findMatch } from '../../../../pipeline/rules/names/matching.ts'
import { sideOptionsOf } from '../../../../pipeline/rules/names/side-options.ts'
import { compareTeamNames } from '../../../../pipeline/rules/names/team-names.ts'
import { homes } from '../../../../pipeline/rules/names/team-words.ts'
import countries from '../../../../pipeline/rules/names/words/countries.json' with { type: 'json' }

const startsAt = Date.UTC(2027, 1, 6, 15)

type Names = readonly [home: string, away: string]

/** Returns whether the listings of two sportsbooks are one game, whichever is first. */
function areOneGame(sport: string, league: string, one: Names, other: Names, laterMs = 0) {
  const options = sideOptionsOf(sport, league)
  const [straight, reversed] = [
    [one, other, laterMs] as const,
    [other, one, -laterMs] as const,
  ].map(([known, listed, apartMs]) => {
    const [[home, away], [listedHome, listedAway]] = [known, listed]
    const externalIds = new Map([['pinnacle', '1']])
    const found = findMatch(
      { home: listedHome, away: listedAway, startsAt: startsAt + apartMs, sportsbook: 'bet365' },
      [{ id: 'game', home, away, startsAt, externalIds }],
      options,
    )
    return found !== null
  })
  expect(straight, `${one.join(' v ')}, ${other.join(' v ')}`).toBe(reversed)
  return straight
}

describe('a country in brackets', () => {
  const marks: Readonly<Record<string, readonly string[]>> = countries.marks
  const stateOf = (country: string) =>
    Object.entries(countries.states).find(([, own]) => own.includes(country))?.[0]

  test.each(Object.entries(homes))(
    '%s is that of the clubs that are known to be of it',
    (country, clubs) => {
      const own = [...(marks[country] ?? []), ...(marks[stateOf(country) ?? ''] ?? [])]
      expect(own).not.toEqual([])
      for (const club of clubs)
        for (const mark of own)
          expect(compareTeamNames(club, `${club} (${mark})`), club).toBe('same')
    },
  )

  test.each<[string, Names, Names]>([
    ['an English club', ['Liverpool', 'Real Madrid'], ['Liverpool (Eng)', 'Real Madrid (Esp)']],
    ['a Scottish club', ['Rangers', 'Olympiacos'], ['Rangers (SCO)', 'Olympiakos (GRE)']],
    ['clubs of one country', ['Arsenal', 'Chelsea'], ['Arsenal (GBR)', 'Chelsea (GBR)']],
    ['its own name', ['Arsenal', 'Sparta Praha'], ['Arsenal (England)', 'Sparta Praha (Czechia)']],
    ['the Saudi club', ['Al Ahli', 'Sepahan'], ['Al Ahli (KSA)', 'Sepahan (IRN)']],
    ['the Saudi club by name', ['Al Ahli', 'Sepahan'], ['Al-Ahli Saudi', 'Sepahan']],
  ])('does not make %s another', (_, one, other) => {
    expect(areOneGame('soccer', 'uefa_-_champions_league', one, other)).toBe(true)
  })

  test.each<[string, Names, Names]>([
    ['England and Scotland', ['Rangers (SCO)', 'Everton'], ['Rangers (ENG)', 'Everton']],
    ['Scotland and Chile', ['Rangers', 'Palestino'], ['Rangers (CHI)', 'Palestino']],
    ['Egypt and Saudi Arabia', ['Al Ahly', 'Al Hilal'], ['Al Ahli (KSA)', 'Al Hilal']],
  ])('tells clubs of %s apart', (_, one, other) => {
    expect(areOneGame('soccer', 'club_friendlies', one, other)).toBe(false)
  })
})
