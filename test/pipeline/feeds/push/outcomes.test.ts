import { describe, expect, it } from 'vitest'
import { outcomeNamedIn } from '../../../../pipeline/feeds/push/outcomes.ts'

const games = {
  soccer: { home: 'Arsenal', away: 'Manchester United' },
  basketball: { home: 'Boston Celtics', away: 'New York Knicks' },
  tennis: { home: 'Jannik Sinner', away: 'Carlos Alcaraz' },
} as const

const read = (sport: keyof typeof games, word: string) =>
  outcomeNamedIn({ marketType: 'moneyline', playerName: null }, word, games[sport], { sport })

describe('an outcome that names a side', () => {
  it.each([
    ['soccer', 'arsenal_fc', 'home'],
    ['soccer', 'man_utd', 'away'],
    ['soccer', 'manchester_united', 'away'],
    ['basketball', 'celtics', 'home'],
    ['basketball', 'knicks', 'away'],
    ['basketball', 'ny_knicks', 'away'],
    ['tennis', 'sinner', 'home'],
    ['tennis', 'c_alcaraz', 'away'],
  ] as const)('is the side: %s %s', (sport, word, side) => {
    expect(read(sport, word)).toBe(side)
  })

  it.each([
    ['soccer', 'arsenal_or_draw'],
    ['soccer', 'arsenal_to_nil'],
    ['soccer', 'arsenal_and_btts'],
    ['soccer', 'arsenal_by_2'],
    ['soccer', 'arsenal_ht'],
    ['soccer', 'arsenal_over_2_5'],
    ['soccer', 'arsenal_women'],
    ['soccer', 'manchester_united_or_draw'],
    ['basketball', 'celtics_1st_half'],
    ['basketball', 'celtics_women'],
    ['tennis', 'sinner_2_0'],
  ] as const)('with a word more is not the side: %s %s', (sport, word) => {
    expect(read(sport, word)).toBe(word)
  })
})
