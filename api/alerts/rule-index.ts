/** Index of rules by league, market type and sportsbook: a change concerns few of a thousand rules. */

import { addTo } from '../../schemas/grouping.ts'

export interface RuleIndex<R> {
  /** Returns the rules that may match. For '' they are those that name none. */
  of(league: string, marketType: string, sportsbook: string): readonly R[]
}

/** The leagues, market types and sportsbooks that a rule names; undefined for all. */
export interface Named {
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
  readonly sportsbooks?: readonly string[] | undefined
}

const any = ['']
/** A rule that names more sportsbooks is indexed as one on all of them. */
const mostSportsbooks = 12

export function createRuleIndex<R>(rules: Iterable<R>, named: (rule: R) => Named): RuleIndex<R> {
  const places = new Map<string, R[]>()
  for (const rule of rules) {
    const { leagues = any, marketTypes = any, sportsbooks = any } = named(rule)
    const books = sportsbooks.length > mostSportsbooks ? any : sportsbooks
    for (const league of leagues)
      for (const marketType of marketTypes)
        for (const sportsbook of books) {
          const place = placeOf(league, marketType, sportsbook)
          addTo(places, place, rule)
        }
  }
  const found: Nested<readonly R[]> = new Map()

  function find(league: string, marketType: string, sportsbook: string): readonly R[] {
    const candidates = new Set<string>()
    for (const ofLeague of [league, ''])
      for (const ofMarket of [marketType, ''])
        for (const ofBook of [sportsbook, '']) candidates.add(placeOf(ofLeague, ofMarket, ofBook))
    return [...candidates].flatMap((one) => places.get(one) ?? [])
  }

  return {
    of(league, marketType, sportsbook) {
      let some = found.get(league)?.get(marketType)?.get(sportsbook)
      if (!some) {
        some = find(league, marketType, sportsbook)
        const ofLeague = found.get(league) ?? new Map()
        const ofMarket = ofLeague.get(marketType) ?? new Map()
        found.set(league, ofLeague.set(marketType, ofMarket.set(sportsbook, some)))
      }
      return some
    },
  }
}

/** By league, market type and sportsbook: three lookups for each change cost less than one by a joined key. */
type Nested<Value> = Map<string, Map<string, Map<string, Value>>>

const placeOf = (league: string, marketType: string, sportsbook: string) =>
  `${league}|${marketType}|${sportsbook}`
