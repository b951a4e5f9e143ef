/** What a selection is called, from its type; one label for an answer, whoever offers it. */

import { questionOf } from '../../schemas/reference/markets.ts'

const byType: ReadonlyMap<string, string> = new Map([
  ['draw', 'Draw'],
  ['over', 'Over'],
  ['under', 'Under'],
  ['yes', 'Yes'],
  ['no', 'No'],
  ['odd', 'Odd'],
  ['even', 'Even'],
])

/** The sides of the event in the frame of its rows. */
export interface Sides {
  readonly frameHome: string
  readonly frameAway: string
}

/**
 * @param stated the sportsbook's own label, used where the type alone does not say it; a label that
 * only repeats the type and the line ("Over 220.5") says nothing more than the type
 */
export function selectionLabel(
  selectionType: string,
  marketType: string,
  stated: string | null,
  playerName: string | null,
  sides: Sides,
): string {
  if (selectionType === 'home') return sides.frameHome
  if (selectionType === 'away') return sides.frameAway
  const said = byType.get(selectionType)
  if (said !== undefined && (stated === null || playerName !== null || repeats(stated, said))) {
    return playerName === null ? said : `${playerName} ${said}`
  }
  return stated ?? said ?? compoundLabel(selectionType, marketType, sides)
}

/** Whether a label is the word of its type, with or without a line behind it. */
function repeats(label: string, word: string): boolean {
  if (label === word) return true
  return (
    label
      .replace(/[\s(]*[+-]?\d+(\.\d+)?\s*\)?$/, '')
      .trim()
      .toLowerCase() === word.toLowerCase()
  )
}

/** `home_over` is "Leeds Over"; a double chance "Leeds or Draw"; half-time/full-time "Leeds / Draw". */
function compoundLabel(
  selectionType: string,
  marketType: string,
  { frameHome, frameAway }: Sides,
): string {
  const results = selectionType.split('_')
  const words = results.map((word) =>
    word === 'home' ? frameHome : word === 'away' ? frameAway : titled(word),
  )
  if (questionOf(marketType).answers === 'double_chance') return words.join(' or ')
  return words.join(results.length > 1 && results.every(isResult) ? ' / ' : ' ')
}

const isResult = (word: string) => word === 'home' || word === 'away' || word === 'draw'

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
