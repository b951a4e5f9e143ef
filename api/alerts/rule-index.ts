/** Index of rules by league and market type: a change concerns few of a thousand rules. */

export interface RuleIndex<R> {
  /** Returns the rules that may match this league and market type. */
  of(league: string, marketType: string): readonly R[]
}

/** Leagues and market types of a rule; undefined for all. */
export interface Named {
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
}

const any = ['']

export function createRuleIndex<R>(rules: Iterable<R>, named: (rule: R) => Named): RuleIndex<R> {
  const places = new Map<string, R[]>()
  for (const rule of rules) {
    const { leagues = any, marketTypes = any } = named(rule)
    for (const league of leagues)
      for (const marketType of marketTypes) {
        const place = placeOf(league, marketType)
        const there = places.get(place)
        if (there) there.push(rule)
        else places.set(place, [rule])
      }
  }
  const found = new Map<string, readonly R[]>()
  return {
    of(league, marketType) {
      const place = placeOf(league, marketType)
      let some = found.get(place)
      if (!some) {
        const candidates = [place, placeOf(league, ''), placeOf('', marketType), placeOf('', '')]
        some = [...new Set(candidates)].flatMap((one) => places.get(one) ?? [])
        found.set(place, some)
      }
      return some
    },
  }
}

const placeOf = (league: string, marketType: string) => `${league}|${marketType}`
