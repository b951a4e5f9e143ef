/** Generates the attributes of prices for both clients: the fields that a row has only while they apply. */

import { attributeColumns } from '../../schemas/http/odds-columns.ts'

export const attributeNames = Object.keys(attributeColumns)

/** @returns the source of `attributeNames` */
export const attributesSource = () =>
  `/** Generated from the service's attributes of prices by \`npm run generate\`. */

/** Fields that a row has only while they apply. */
export const attributeNames: readonly string[] = [
${attributeNames.map((name) => `  '${name}',\n`).join('')}]
`
