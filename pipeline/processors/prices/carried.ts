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
import { compileCopy, compileExtension } from '../../memory/compiled-copy.ts'

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
  for (const name of attributeNames) hash = Math.imul(hash, 31) ^ valueHash(attributes[name])
  return hash
}

const numbers = new Float64Array(1)
const words = new Int32Array(numbers.buffer)

function valueHash(value: string | number | boolean | null): number {
  if (value === null) return 1
  if (typeof value === 'string') return textHash(value)
  numbers[0] = Number(value)
  return Math.imul(words[0]! ^ Math.imul(words[1]!, 0xcc9e2d51), 0x1b873593)
}
