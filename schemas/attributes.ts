/**
 * The attributes of a price: what a sportsbook states beside it, and what passes unchanged from a
 * feed's statement to the row. One entry here is what push ingest takes, a member of `FeedSelection`
 * or `FeedMarket` and of `OddsRow`, what the board copies and compares, and what rows and deltas show.
 * One that nobody states is for the processor to tell (`processors/prices/latest-odds.ts`).
 * Elsewhere an attribute stands only in `avro/feed-odds.avsc` and `avro/odds.avsc`; a test names the
 * field that is missing there.
 */

import { z } from 'zod'

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
  /** Its name in a feed's record, by who states it; what the selection says goes first. */
  readonly statedBy: { readonly [At in Place]?: string }
  /** Its name in JSON: in push ingest, and in rows that show it. */
  readonly json: string
  /** What push ingest takes. */
  readonly taken: z.ZodType
}

/** What moves in a row is ASCII, so a text cannot be shown there. */
type Attribute = Stated &
  (
    | { readonly kind: 'number' | 'flag'; readonly shown?: z.ZodType }
    | { readonly kind: 'text' | 'link'; readonly shown?: never }
  )

/** 1 to 200 characters, no control characters nor half surrogate pairs, not all of them blank. */
export const printable = z
  .string()
  .regex(/^(?=.*\S)[^\p{Cc}\p{Surrogate}]{1,200}$/u, 'is 1 to 200 printable characters')

export const attributes = {
  maxBet: {
    kind: 'number',
    statedBy: { selection: 'maxBet', market: 'maxBet' },
    json: 'max_bet',
    taken: z.number().min(0),
    shown: z.number().describe('Highest stake in USD, where the sportsbook tells.'),
  },
  /** Share of tickets on this selection, 0..1. */
  publicBetPct: {
    kind: 'number',
    statedBy: { selection: 'publicBetPct' },
    json: 'public_bet_pct',
    taken: z.number().min(0).max(1),
    shown: z.number().min(0).max(1),
  },
  /** What the sportsbook itself calls the market, for links to it. */
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
  /** True in play while the price is that of before the start. */
  isStalePregamePrice: {
    kind: 'flag',
    statedBy: {},
    json: 'is_stale_pregame_price',
    taken: z.literal(true),
    shown: z
      .boolean()
      .describe('True in play while the price has not changed since the start; else left out.'),
  },
  /** A page of the sportsbook for this very selection, when its payload carries one. */
  deepLink: {
    kind: 'link',
    statedBy: { selection: 'deepLink' },
    json: 'deep_link',
    taken: z.url({ protocol: /^https?$/ }).max(2_000),
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

/** The attributes as a row has them; null for what the sportsbook does not state. */
export type AttributeValues = { readonly [Name in AttributeName]: Value<Name> | null }

type MemberAt<Name extends AttributeName, At extends Place> =
  Attributes[Name]['statedBy'] extends Readonly<Record<At, infer Member extends string>>
    ? Member
    : never

/** The attributes that a selection or a market states in a feed's record; left out is not stated. */
export type StatedAttributes<At extends Place> = {
  readonly [Name in AttributeName as MemberAt<Name, At>]?: Value<Name> | null
}

/** By name, for those who go through all of them. */
export const attributeList = Object.entries(attributes) as readonly [AttributeName, Attribute][]

export const attributeNames = attributeList.map(([name]) => name)

/** Those that the processor tells, not a feed. */
type ToldAttribute = {
  [Name in AttributeName]: keyof Attributes[Name]['statedBy'] extends never ? Name : never
}[AttributeName]
export type StatedValues = Omit<AttributeValues, ToldAttribute>

/** Attributes that a selection or its market may state. */
export const statedAttributes = attributeList.flatMap(([name, { statedBy }]) =>
  Object.keys(statedBy).length > 0 ? [name as keyof StatedValues] : [],
)

const isShown = (name: AttributeName): name is ShownAttribute => 'shown' in attributes[name]
export const shownAttributes = attributeNames.filter(isShown)
export const keptAttributes = attributeNames.filter((name): name is KeptAttribute => !isShown(name))

/** Of a row about which its sportsbook states nothing more. */
export const noAttributes = Object.fromEntries(
  attributeNames.map((name) => [name, null]),
) as AttributeValues

/** An attribute in the statement of a selection or a market. */
export interface StatedMember<At extends Place> {
  readonly name: keyof StatedAttributes<At> & string
  readonly json: string
  readonly kind: Kind
}

/** What a selection or a market may state. */
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

/** The contract of push ingest on what a selection or a market may state. */
export const takenShape = <At extends Place>(at: At): TakenShape<At> =>
  Object.fromEntries(
    attributeList
      .filter(([, { statedBy }]) => statedBy[at] !== undefined)
      .map(([, { json, taken }]) => [json, taken.nullish()]),
  ) as TakenShape<At>
