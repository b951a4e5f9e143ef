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

export interface RowSources {
  add(row: number, statCategory: string | null, source: SourceIds): void
  /** Hardly ever are they others than before, which is told without a look at them. */
  update(row: number, source: SourceIds): void
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

  function set(row: number, source: SourceIds, hash: number) {
    setWord(row, sourceWord, hash)
    for (const { name, isShared, values } of sources) {
      const value = source[name]
      values[row] = isShared && typeof value === 'string' ? oneText(value) : value
    }
  }

  return {
    add(row, statCategory, source) {
      categories[row] = statCategory === null ? null : oneText(statCategory)
      set(row, source, sourceHash(source))
    },
    update(row, source) {
      const hash = sourceHash(source)
      // They lie far from what does change.
      if (word(row, sourceWord) !== hash) set(row, source, hash)
    },
    statCategory: (row) => categories[row]!,
    source: (row) =>
      Object.fromEntries(
        sources.map(({ name, values }) => [name, values[row] ?? null]),
      ) as unknown as SourceIds,
  }
}

/** One string for all rows that say the same. */
const oneText = memoise((text: string) => text, 4_096)

const sourceHash = compileHash<SourceIds>(keptAttributes)
