/** What a selection is called, from its type; one label for an answer, whoever offers it. */

const byType: Readonly<Record<string, string>> = {
  draw: 'Draw',
  over: 'Over',
  under: 'Under',
  yes: 'Yes',
  no: 'No',
  odd: 'Odd',
  even: 'Even',
}

/** The sides of the event in the frame of its rows. */
export interface Sides {
  readonly frameHome: string
  readonly frameAway: string
}

/**
 * @param stated the sportsbook's own label, used where the type alone does not say it
 */
export function selectionLabel(
  selectionType: string,
  stated: string | null,
  playerName: string | null,
  sides: Sides,
): string {
  if (selectionType === 'home') return sides.frameHome
  if (selectionType === 'away') return sides.frameAway
  const said = byType[selectionType]
  if (said !== undefined && (stated === null || said === stated || playerName !== null)) {
    return playerName === null ? said : `${playerName} ${said}`
  }
  return stated ?? said ?? compoundLabel(selectionType, sides)
}

/** `home_over` is "Leeds Over"; `home_draw` is "Leeds or Draw"; anything else its own words. */
function compoundLabel(selectionType: string, { frameHome, frameAway }: Sides): string {
  const words = selectionType
    .split('_')
    .map((word) => (word === 'home' ? frameHome : word === 'away' ? frameAway : titled(word)))
  return doubleChances.has(selectionType) ? words.join(' or ') : words.join(' ')
}

const doubleChances = new Set(['home_draw', 'away_draw', 'home_away', 'draw_away', 'draw_home'])

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
