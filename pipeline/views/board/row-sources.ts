/**
 * What a sportsbook states about a row and the row does not show: the category of a player's
 * statistic as written, and the sportsbook's own ids of the bet, for links to it.
 */

import { attributes, type KeptAttribute, keptAttributes } from '../../../schemas/attributes.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { createFieldsHash } from '../../../schemas/text-hash.ts'
import { type RowRecords, sourceWord } from './row-records.ts'

/** The sportsbook's own ids of a price. Rows do not show them; links to the bet need them. */
export type SourceIds = Pick<OddsRow, KeptAttribute>
/** The same, and the parts of the bet's name that do not follow from its id. */
export type NamedSource = SourceIds & Pick<OddsRow, 'selection' | 'statCategory'>

export interface RowSources {
  set(row: number, source: NamedSource): void
  /**
   * Returns whether the source equals the one set. Compares hashes: the sources are nearly always
   * equal, and their values are slow to read because they are stored apart.
   */
  isSame(row: number, source: NamedSource): boolean
  statCategory(row: number): string | null
  source(row: number): SourceIds
}

export function createRowSources({ word, setWord }: RowRecords): RowSources {
  const categories: (string | null)[] = []
  const sources = keptAttributes.map((name) => ({
    name,
    // All rows of a market share the values that the market states.
    isShared: !('selection' in attributes[name].statedBy),
    values: [] as SourceIds[KeptAttribute][],
  }))

  return {
    set(row, source) {
      const { statCategory } = source
      setWord(row, sourceWord, sourceHash(source))
      categories[row] = statCategory === null ? null : oneText(statCategory)
      for (const { name, isShared, values } of sources) {
        const value = source[name]
        values[row] = isShared && typeof value === 'string' ? oneText(value) : value
      }
    },
    isSame: (row, source) => word(row, sourceWord) === sourceHash(source),
    statCategory: (row) => categories[row]!,
    source: (row) =>
      Object.fromEntries(
        sources.map(({ name, values }) => [name, values[row] ?? null]),
      ) as unknown as SourceIds,
  }
}

/** Returns one string object for all rows with the same text. */
const oneText = memoise((text: string) => text, 4_096)

const sourceHash = createFieldsHash(['selection', 'statCategory', ...keptAttributes])
