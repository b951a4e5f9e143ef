/**
 * Decides which rules leave out the leagues that their account's profile hides, as the pages do:
 * rules without a filter that names something of one league.
 */

const naming: ReadonlySet<string> = new Set([
  ...['league', 'event', 'team', 'q', 'player', 'player_name'],
])

/** @param query the filters of a rule, as they were read */
export const isOfAnyLeague = (query: object): boolean =>
  Object.entries(query).every(([name, value]) => value === undefined || !naming.has(name))
