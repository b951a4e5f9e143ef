/** A row of the slow board, and what identifies it. */

import { type AttributeValues, attributeList } from '../../schemas/attributes.ts'

export interface ExpectedRow extends AttributeValues {
  readonly game: string
  readonly league: string
  readonly sportsbook: string
  readonly marketType: string
  readonly line: number | null
  readonly playerName: string | null
  readonly selectionType: string
  readonly selection: string
  readonly statCategory: string | null
  readonly price: number
  readonly isLive: boolean
  readonly isActive: boolean
  readonly observedAt: number
  readonly changedAt: number | null
  readonly isFiledByDraw: true | null
}

/** Rows by `identityOf`. */
export type Table = ReadonlyMap<string, ExpectedRow>

/** Returns the identity of a row, with the game in place of our event id. */
export function identityOf(
  row: Pick<
    ExpectedRow,
    'game' | 'sportsbook' | 'marketType' | 'line' | 'playerName' | 'selectionType' | 'selection'
  >,
): string {
  const { game, sportsbook, marketType, line, playerName, selectionType } = row
  const hasSide = selectionType.split('_').some((word) => ['home', 'away', 'draw'].includes(word))
  const label = row.selection.toLowerCase()
  const isSaid = hasSide || ['over', 'under', 'yes', 'no', 'odd', 'even'].includes(label)
  const told = isSaid ? '' : label
  return JSON.stringify([game, sportsbook, marketType, line, playerName, selectionType, told])
}

/** The attributes of a row of which nothing was stated. */
export const nothingStated = Object.fromEntries(
  attributeList.map(([name]) => [name, null]),
) as AttributeValues
