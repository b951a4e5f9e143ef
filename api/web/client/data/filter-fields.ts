/** The fields of filters that forms of alerts and of lists share. */

import { marketText } from '../format/names.ts'
import type { Choices, Field, Lists } from './fields.ts'

export const folded = { isFolded: true } as const

export const marketChoices = ({ markets }: Lists): Choices =>
  markets.map((id) => [id, marketText(id)] as const)

export const sportsbookChoices = ({ sportsbooks }: Lists): Choices =>
  sportsbooks.map(({ id, display_name }) => [id, display_name] as const)

const sportChoices = ({ leagues }: Lists): Choices =>
  [...new Set(leagues.map(({ sport }) => sport))].sort().map((id) => [id, marketText(id)] as const)

/** @param is what `true` means @param isNot what `false` means */
export const flag = (label: string, is: string, isNot: string): Field => ({
  label,
  ...folded,
  choices: () => [
    ['', 'Both'],
    ['true', is],
    ['false', isNot],
  ],
})

export const percent = (label: string, range: NonNullable<Field['range']> = []): Field => ({
  label: `${label}, %`,
  range,
  ...folded,
})

export const minOdds: Field = { label: 'Odds of at least', isPrice: true }
export const maxOdds: Field = { label: 'Odds of at most', isPrice: true }

/** Filters of opportunities of every kind, besides league, games and sportsbooks, which have controls of their own. */
export const ofEveryKind = {
  market: { label: 'Market', choices: marketChoices, isOfSeveral: true },
  sportsbook: { label: 'With a bet at', choices: sportsbookChoices, isOfSeveral: true },
  min_odds: minOdds,
  max_odds: maxOdds,
  starts_within_minutes: { label: 'Starts within minutes', range: [0, 100_000] },
  max_odds_age: { label: 'Prices at most this old, seconds', range: [0] },
  min_age_ms: { label: 'Stood for at least, ms', range: [0, 3_600_000], ...folded },
  date_range: {
    label: 'Day of the start',
    ...folded,
    choices: () => [
      ['', 'Any'],
      ['today', 'Today'],
      ['tomorrow', 'Tomorrow'],
      ['week', 'Within a week'],
    ],
  },
  sport: { label: 'Sport', choices: sportChoices, isOfSeveral: true, ...folded },
  team: { label: 'Team', hint: 'a part of its name', ...folded },
  event: { label: 'Game', hint: 'its id', ...folded },
  add_sportsbook: {
    label: 'Or with a bet at',
    choices: sportsbookChoices,
    isOfSeveral: true,
    ...folded,
  },
} as const satisfies Readonly<Record<string, Field>>
