/**
 * The attributes of a price: the values that a sportsbook states beside it, and that pass unchanged from a feed's
 * statement to the row. One entry here defines a field of push ingest, a field of `FeedSelection` or `FeedMarket` and
 * of `OddsRow`, and how the board copies, compares and shows it in rows and deltas. The processor sets those that
 * nobody states (`processors/prices/latest-odds.ts`). Besides this, an attribute is only in `avro/feed-odds.avsc` and
 * `avro/odds.avsc`; a test names the field that is missing there.
 */

import { z } from 'zod'
import { isLink, linkMaxLength } from './link.ts'

/** Where a feed states an attribute. */
export type Place = 'selection' | 'market'

interface Kinds {
  readonly number: number
  readonly flag: boolean
  /** Printable, and short enough for a name. */
  readonly text: string
  /** An http address. */
  readonly link: string
}
export type Kind = keyof Kinds

interface Stated {
  /** The name of its field in a feed's record, by the place that states it; the selection's value wins. */
  readonly statedBy: { readonly [At in Place]?: string }
  /** Its name in JSON: in push ingest, and in rows that show it. */
  readonly json: string
  /** The schema of its values in push ingest. */
  readonly taken: z.ZodType
}

/** An attribute. Moving parts of a row are ASCII, so rows cannot show a text. */
type Attribute = Stated &
  (
    | { readonly kind: 'number' | 'flag'; readonly shown?: z.ZodType }
    | { readonly kind: 'text' | 'link'; readonly shown?: never }
  )

/** 1 to 200 characters, no control characters nor half surrogate pairs, not all of them blank. */
export const printable = z
  .string()
  .regex(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,200}$/u, 'is 1 to 200 printable characters')
  .meta({ minLength: 1, maxLength: 200 })

export const attributes = {
  maxBet: {
    kind: 'number',
    statedBy: { selection: 'maxBet', market: 'maxBet' },
    json: 'max_bet',
    taken: z.number().min(0).describe('Highest stake in USD. At 0 the price is suspended.'),
    shown: z.number().describe('Highest stake in USD, if reported; at 0 the price is suspended.'),
  },
  /** Share of tickets on this selection, 0..1. */
  publicBetPct: {
    kind: 'number',
    statedBy: { selection: 'publicBetPct' },
    json: 'public_bet_pct',
    taken: z.number().min(0).max(1),
    shown: z.number().min(0).max(1),
  },
  /** The sportsbook's own id of the market, for links to it. */
  externalMarketId: {
    kind: 'text',
    statedBy: { market: 'externalId' },
    json: 'external_id',
    taken: printable,
  },
  externalSelectionId: {
    kind: 'text',
    statedBy: { selection: 'externalId' },
    json: 'external_id',
    taken: printable,
  },
  /** True in play while the price dates from before the start. */
  isStalePregamePrice: {
    kind: 'flag',
    statedBy: {},
    json: 'is_stale_pregame_price',
    taken: z.literal(true),
    shown: z
      .boolean()
      .describe('True in play while the price has not changed since the start; else left out.'),
  },
  /** The sportsbook's page for this selection, when its payload has one. */
  deepLink: {
    kind: 'link',
    statedBy: { selection: 'deepLink' },
    json: 'deep_link',
    taken: z
      .url({ protocol: /^https?$/ })
      .max(linkMaxLength)
      .refine(isLink, 'has characters that no address has'),
  },
} as const satisfies Readonly<Record<string, Attribute>>

type Attributes = typeof attributes
export type AttributeName = keyof Attributes
type Value<Name extends AttributeName> = Kinds[Attributes[Name]['kind']]

/** Attributes that rows show. */
export type ShownAttribute = {
  [Name in AttributeName]: Attributes[Name] extends { shown: z.ZodType } ? Name : never
}[AttributeName]
/** Attributes that rows only keep. */
export type KeptAttribute = Exclude<AttributeName, ShownAttribute>

/** The attributes of a row; null if the sportsbook states none. */
export type AttributeValues = { readonly [Name in AttributeName]: Value<Name> | null }

type MemberAt<Name extends AttributeName, At extends Place> =
  Attributes[Name]['statedBy'] extends Readonly<Record<At, infer Member extends string>>
    ? Member
    : never

/** The attributes that a selection or a market states in a feed's record; an absent one is not stated. */
export type StatedAttributes<At extends Place> = {
  readonly [Name in AttributeName as MemberAt<Name, At>]?: Value<Name> | null
}

/** All attributes with their names, as a list. */
export const attributeList = Object.entries(attributes) as readonly [AttributeName, Attribute][]

export const attributeNames = attributeList.map(([name]) => name)

/** The attributes that the processor sets, not a feed. */
type ProcessorAttribute = {
  [Name in AttributeName]: keyof Attributes[Name]['statedBy'] extends never ? Name : never
}[AttributeName]
export type StatedValues = Omit<AttributeValues, ProcessorAttribute>

/** Attributes that a selection or its market may state. */
export const statedAttributes = attributeList.flatMap(([name, { statedBy }]) =>
  Object.keys(statedBy).length > 0 ? [name as keyof StatedValues] : [],
)

const isShown = (name: AttributeName): name is ShownAttribute => 'shown' in attributes[name]
export const shownAttributes = attributeNames.filter(isShown)
export const keptAttributes = attributeNames.filter((name): name is KeptAttribute => !isShown(name))

/** The attributes of a row whose sportsbook states none. */
export const noAttributes = Object.fromEntries(
  attributeNames.map((name) => [name, null]),
) as AttributeValues

/** An attribute in the statement of a selection or a market. */
export interface StatedMember<At extends Place> {
  readonly name: keyof StatedAttributes<At> & string
  readonly json: string
  readonly kind: Kind
}

/** Returns the attributes that a selection or a market may state. */
export const statedMembers = <At extends Place>(at: At): readonly StatedMember<At>[] =>
  attributeList.flatMap(([, { statedBy, json, kind }]) => {
    const name = statedBy[at] as (keyof StatedAttributes<At> & string) | undefined
    return name === undefined ? [] : [{ name, json, kind }]
  })

type TakenShape<At extends Place> = {
  [Name in AttributeName as MemberAt<Name, At> extends never
    ? never
    : Attributes[Name]['json']]: z.ZodOptional<z.ZodNullable<Attributes[Name]['taken']>>
}

/** Returns the contract of push ingest for the attributes of a selection or a market. */
export const takenShape = <At extends Place>(at: At): TakenShape<At> =>
  Object.fromEntries(
    attributeList
      .filter(([, { statedBy }]) => statedBy[at] !== undefined)
      .map(([, { json, taken }]) => [json, taken.nullish()]),
  ) as TakenShape<At>
