/** The choice between all games, upcoming games and games in play. */

export const whenNames = { all: 'All', upcoming: 'Upcoming', live: 'Live' } as const
export type When = keyof typeof whenNames
export const whens = Object.keys(whenNames) as readonly When[]

export const isWhen = (text: string | null): text is When =>
  text !== null && Object.hasOwn(whenNames, text)
