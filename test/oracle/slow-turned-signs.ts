/** Which sportsbook has the sign of its handicap turned, from all prices of a ladder, by the wording of the rule. */

import { distance } from '../../pipeline/rules/odds/ladder-guard.ts'
import { homeLine, middleKind } from '../../pipeline/rules/odds/questions.ts'
import type { OddsRow } from '../../schemas/odds.ts'

/**
 * Returns whether one sportsbook alone takes bets on a line and others show that it has turned the sign. These are at
 * least two, and most of those with both sides of the line with the sign turned. They have about its price there, which
 * is neither long nor short, and the ladder guard would withhold a middle of it with each of theirs.
 * @param onLine the prices that can be bet on at the line
 * @param ladder those at all lines
 */
export function isTurnedSign(
  onLine: readonly OddsRow[],
  ladder: readonly OddsRow[],
  sport: string,
): boolean {
  const [first] = onLine
  if (!first || middleKind(first.marketType) !== 'margin') return false
  const { sportsbook, marketType, isLive } = first
  const line = rungOf(first)
  if (!line || onLine.some((row) => row.sportsbook !== sportsbook)) return false
  const own = homeChance(onLine)
  if (own > 0.8 || own < 0.2) return false
  const across = ladder.filter((row) => rungOf(row) === -line && row.sportsbook !== sportsbook)
  const others = [...new Set(across.map((row) => row.sportsbook))]
    .map((name) => across.filter((row) => row.sportsbook === name))
    .filter((rows) => rows.length === 2)
  const kind = 'margin' as const
  const question = { marketType, sport, kind, isPlayers: false, isLive }
  const telling = others.filter((rows) => {
    const fair = homeChance(rows)
    if (Math.abs(logit(own) - logit(fair)) / 1.6 > 0.2) return false
    const one = { line, fair: own }
    const other = { line: -line, fair }
    return distance(question, one, other) > (isLive ? 1.08 : 0.432)
  })
  return telling.length >= 2 && telling.length > others.length / 2
}

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
