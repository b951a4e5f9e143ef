/** From what a feed states beside a price to what its row says, and whether that has changed. */

import {
  type AttributeName,
  type AttributeValues,
  attributeList,
  attributeNames,
} from '../../../schemas/attributes.ts'
import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { textHash } from '../../../schemas/text-hash.ts'
import { compileCopy, compileExtension, compileHash } from '../../memory/compiled-members.ts'

/** The attributes of a row: what the selection states, else its market. */
export const carriedAttributes = compileCopy<FeedSelection, FeedMarket, AttributeValues>(
  attributeList.map(([name, { statedBy }]) => [
    name,
    { first: statedBy.selection, second: statedBy.market },
  ]),
)

/** The whole row. */
export const withAttributes = compileExtension<
  Omit<OddsRow, AttributeName>,
  AttributeValues,
  AttributeValues
>(attributeNames.map((name) => [name, name]))

/** A hash of what a row says besides its price. */
export function detailsHash(
  selection: string,
  statCategory: string | null,
  attributes: AttributeValues,
): number {
  let hash = textHash(selection)
  hash = Math.imul(hash, 31) ^ (statCategory === null ? 1 : textHash(statCategory))
  return Math.imul(hash, 31) ^ attributesHash(attributes)
}

const attributesHash = compileHash<AttributeValues>(attributeNames)
