/** Generates the kinds of opportunity for both clients: the family of each, and the prefix of its stream's events. */

import { familyOf, opportunityKinds, prefixOf } from '../../schemas/opportunity.ts'

export const families = opportunityKinds.map((kind) => ({
  family: familyOf(kind),
  prefix: prefixOf(kind),
}))

/** @returns the source of `eventPrefixes` */
export const familiesSource = () =>
  `/** Generated from the service's kinds of opportunity by \`npm run generate\`. */

/** Families of opportunities, with the prefixes of their event names. */
export const eventPrefixes = {
${families.map(({ family, prefix }) => `  ${family}: '${prefix}',\n`).join('')}} as const
`
