/** Which sportsbooks have the sign of a handicap turned, from all prices of a ladder, by the wording of the rule. */

import { distance } from '../../pipeline/rules/odds/ladder-guard.ts'
import { homeLine, middleKind } from '../../pipeline/rules/odds/questions.ts'
import type { OddsRow } from '../../schemas/odds.ts'

/**
 * Returns the sportsbooks that have turned the sign of a line, as others show. These are at least two, and most of those
 * with both sides of the line with the sign turned. They have about its price there, which is neither long nor short, and
 * the ladder guard would withhold a middle of it with each of theirs. Whoever else takes bets on its own line is so far
 * from its price that a middle of the two would be suspected.
 * @param onLine the prices that can be bet on at the line
 * @param ladder those at all lines
 */
export function turnedSigns(
  onLine: readonly OddsRow[],
  ladder: readonly OddsRow[],
  sport: string,
): readonly string[] {
  const [first] = onLine
  if (!first || middleKind(first.marketType) !== 'margin') return []
  const { marketType, isLive } = first
  const line = rungOf(first)
  if (!line) return []
  const question = { marketType, sport, kind: 'margin' as const, isPlayers: false, isLive }
  const across = byBook(ladder.filter((row) => rungOf(row) === -line))
  const here = byBook(onLine)
  return [...here.keys()].filter((name) => {
    const own = homeChance(here.get(name)!)
    if (own > 0.8 || own < 0.2) return false
    const company = [...here].filter(([other]) => other !== name)
    const steps = company.map(([, rows]) => stepsApart(own, homeChance(rows)))
    if (steps.some((by) => by <= (isLive ? 0.54 : 0.36))) return false
    const others = [...across].filter(([other, rows]) => other !== name && rows.length === 2)
    const telling = others.filter(([, rows]) => {
      const fair = homeChance(rows)
      if (stepsApart(own, fair) > 0.2) return false
      const one = { line, fair: own }
      const other = { line: -line, fair }
      return distance(question, one, other) > (isLive ? 1.08 : 0.432)
    })
    return telling.length >= 2 && telling.length > others.length / 2
  })
}

function byBook(rows: readonly OddsRow[]): ReadonlyMap<string, readonly OddsRow[]> {
  const names = new Set(rows.map(({ sportsbook }) => sportsbook))
  return new Map(
    [...names].map((name) => [name, rows.filter(({ sportsbook }) => sportsbook === name)]),
  )
}

/** Returns how far two chances are apart on one line, in standard deviations. */
const stepsApart = (one: number, other: number) => Math.abs(logit(one) - logit(other)) / 1.6

const rungOf = ({ marketType, selectionType, line }: OddsRow) =>
  homeLine(marketType, selectionType, line)

/** Returns the chance of the home side, without vig where both sides have a price. */
function homeChance(rows: readonly OddsRow[]): number {
  const [home, away] = ['home', 'away'].map(
    (side) => rows.find(({ selectionType }) => selectionType === side)?.price,
  )
  if (home && away) return away / (home + away)
  return home ? 1 / home : 1 - 1 / (away as number)
}

const logit = (chance: number) => Math.log(chance / (1 - chance))
