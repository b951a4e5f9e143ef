/** Values of every attribute of a price: few, so that they repeat, with null among them. */

import fc from 'fast-check'
import {
  type AttributeValues,
  attributeList,
  type Kind,
  type Place,
  type StatedAttributes,
} from '../schemas/attributes.ts'

const values: Readonly<Record<Kind, readonly unknown[]>> = {
  number: [0, 0.37, 500, 1_500.5, 1e21],
  flag: [false, true],
  text: ['s1', 'Zoë "Q" 東京'],
  link: ['https://example.com/bet', 'https://example.com/bet?a=%22b%22'],
}

type Attribute = (typeof attributeList)[number][1]

const anyValue = ({ kind, taken }: Attribute) =>
  fc.constantFrom(null, null, ...values[kind].filter((value) => taken.safeParse(value).success))

/** The attributes of a row. */
export const anyAttributes = fc.record(
  Object.fromEntries(attributeList.map(([name, attribute]) => [name, anyValue(attribute)])),
) as unknown as fc.Arbitrary<AttributeValues>

/** The attributes that a selection or market states; null for others. */
export const anyStated = <At extends Place>(at: At) =>
  fc.record(
    Object.fromEntries(
      attributeList.flatMap(([, attribute]) => {
        const member = attribute.statedBy[at]
        return member === undefined ? [] : [[member, anyValue(attribute)]]
      }),
    ),
  ) as unknown as fc.Arbitrary<StatedAttributes<At>>
