/** Copies the attributes that a feed states beside a price into its row, and detects changes of them. */

import { attributes, type StatedValues, statedAttributes } from '../../../schemas/attributes.ts'
import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { createFieldsHash, textHash } from '../../../schemas/text-hash.ts'
import { compileCopy, compileExtension } from '../../memory/compiled-members.ts'

/** Returns the attributes of a row: the selection's own, else its market's. */
export const carriedAttributes = compileCopy<FeedSelection, FeedMarket, StatedValues>(
  statedAttributes.map((name) => {
    const { selection, market }: { selection?: string; market?: string } = attributes[name].statedBy
    return [name, { first: selection, second: market }]
  }),
)

/** Returns the whole row. */
export const withAttributes = compileExtension<
  Omit<OddsRow, keyof StatedValues>,
  StatedValues,
  StatedValues
>(statedAttributes.map((name) => [name, name]))

/** Returns a hash of everything in a row except its price. */
export function detailsHash(
  selection: string,
  statCategory: string | null,
  attributes: StatedValues,
): number {
  let hash = textHash(selection)
  hash = Math.imul(hash, 31) ^ (statCategory === null ? 1 : textHash(statCategory))
  return Math.imul(hash, 31) ^ attributesHash(attributes)
}

const attributesHash = createFieldsHash(statedAttributes)
