/**
 * Index of rules by league, market type and sportsbook: a change concerns few of a thousand rules.
 * Building it takes time in proportion to all names in the rules. The rules of a combination are
 * found when it is first asked for.
 */

export interface RuleIndex<R> {
  /** Returns the rules that may match; for '', the rules that name none. */
  of(league: string, marketType: string, sportsbook: string): readonly R[]
}

/** The leagues, market types and sportsbooks that a rule names; undefined for all. */
export interface Named {
  readonly leagues?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
  readonly sportsbooks?: readonly string[] | undefined
}

export function createRuleIndex<R>(rules: Iterable<R>, named: (rule: R) => Named): RuleIndex<R> {
  /** The names of each rule, by depth: leagues, market types, sportsbooks. */
  const names = new Map<R, readonly (ReadonlySet<string> | undefined)[]>()
  for (const rule of rules) {
    const { leagues, marketTypes, sportsbooks } = named(rule)
    const lists = [leagues, marketTypes, sportsbooks]
    names.set(
      rule,
      lists.map((list) => list && new Set(list)),
    )
  }
  const isOf = (rule: R, depth: number, value: string) =>
    names.get(rule)![depth]?.has(value) ?? true

  function narrow(choice: Choice<R>, value: string): Choice<R> {
    const { rules, depth } = choice
    const left = rules.filter((rule) => isOf(rule, depth, value))
    // Most values leave all rules or none, so each of these two choices is kept once.
    const isWhole = left.length === rules.length
    const known = isWhole ? choice.whole : left.length === 0 ? choice.empty : null
    const narrowed = known ?? choiceOf(isWhole ? rules : left, depth + 1)
    if (isWhole) choice.whole = narrowed
    else if (left.length === 0) choice.empty = narrowed
    choice.byValue.set(value, narrowed)
    return narrowed
  }

  const all = choiceOf([...names.keys()], 0)
  return {
    of(league, marketType, sportsbook) {
      const ofLeague = all.byValue.get(league) ?? narrow(all, league)
      const ofMarket = ofLeague.byValue.get(marketType) ?? narrow(ofLeague, marketType)
      return (ofMarket.byValue.get(sportsbook) ?? narrow(ofMarket, sportsbook)).rules
    },
  }
}

/**
 * The rules that may match once the first `depth` of league, market type and sportsbook are known.
 */
interface Choice<R> {
  readonly rules: readonly R[]
  readonly depth: number
  /** By the next of the three. */
  readonly byValue: Map<string, Choice<R>>
  /** The choice for values that leave all rules, and the one for values that leave none. */
  whole: Choice<R> | null
  empty: Choice<R> | null
}

const choiceOf = <R>(rules: readonly R[], depth: number): Choice<R> => ({
  ...{ rules, depth, byValue: new Map(), whole: null, empty: null },
})
