/**
 * Index of rules by league, market type and sportsbook: a change concerns few of a thousand rules. To make it costs as
 * much as the lists of the rules are long together; the rules of a combination are found when it is first asked for.
 */

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

export function createRuleIndex<R>(rules: Iterable<R>, named: (rule: R) => Named): RuleIndex<R> {
  /** What each rule names, by depth: leagues, market types, sportsbooks. */
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
  const all = createChoice([...names.keys()], 0, isOf)
  return {
    of: (league, marketType, sportsbook) =>
      all.narrowed(league).narrowed(marketType).narrowed(sportsbook).rules,
  }
}

/** The rules that may match where the first `depth` of league, market type and sportsbook are known. */
interface Choice<R> {
  readonly rules: readonly R[]
  /** @param value the next of the three */
  narrowed(value: string): Choice<R>
}

function createChoice<R>(
  rules: readonly R[],
  depth: number,
  isOf: (rule: R, depth: number, value: string) => boolean,
): Choice<R> {
  const byValue = new Map<string, Choice<R>>()
  // Most values leave all rules or none, so each of these two choices is kept once.
  let whole: Choice<R> | undefined
  let empty: Choice<R> | undefined

  function narrow(value: string): Choice<R> {
    const left = rules.filter((rule) => isOf(rule, depth, value))
    if (left.length === rules.length) {
      whole ??= createChoice(rules, depth + 1, isOf)
      return whole
    }
    if (left.length > 0) return createChoice(left, depth + 1, isOf)
    empty ??= createChoice(left, depth + 1, isOf)
    return empty
  }

  return {
    rules,
    narrowed(value) {
      let choice = byValue.get(value)
      if (!choice) {
        choice = narrow(value)
        byValue.set(value, choice)
      }
      return choice
    },
  }
}
