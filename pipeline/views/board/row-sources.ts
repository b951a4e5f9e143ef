/**
 * What a sportsbook states of a row that the row does not show as it stands: the category of a player's
 * statistic, and what the sportsbook calls the bet, for links to it.
 */

import { attributes, type KeptAttribute, keptAttributes } from '../../../schemas/attributes.ts'
import { memoise } from '../../../schemas/memoise.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { compileHash } from '../../memory/compiled-members.ts'
import { type RowRecords, sourceWord } from './row-records.ts'

/** What a sportsbook states of a price that rows do not show: what it calls it, for links to it. */
export type SourceIds = Pick<OddsRow, KeptAttribute>
/** The same, with what names the bet and does not follow from its id. */
export type NamedSource = SourceIds & Pick<OddsRow, 'selection' | 'statCategory'>

export interface RowSources {
  set(row: number, source: NamedSource): void
  /** Whether it is what was set: hardly ever is it not, and what was set lies far from what does change. */
  isSame(row: number, source: NamedSource): boolean
  statCategory(row: number): string | null
  source(row: number): SourceIds
}

export function createRowSources({ word, setWord }: RowRecords): RowSources {
  const categories: (string | null)[] = []
  const sources = keptAttributes.map((name) => ({
    name,
    // What the market states, its rows have in common.
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

/** One string for all rows that say the same. */
const oneText = memoise((text: string) => text, 4_096)

const sourceHash = compileHash<NamedSource>(['selection', 'statCategory', ...keptAttributes])
