/**
 * The filters of streams: one row each. It defines the parameter of an address, the field of a frame's `filters`, the
 * fields of `subscribed`, and when one subscription is narrower than another.
 */

import { z } from 'zod'
import { shownAmerican } from '../american-odds.ts'
import { boardQuery, livePrices, oddsQuery, rowFlagQuery, rowQuery } from '../http/odds-query.ts'
import { addressBoundsQuery, streamBoundsQuery } from '../http/opportunities/contracts.ts'
import { minAge, mostMs } from '../http/opportunities/opportunity.ts'
import { aliasesOf, choices, decimal, flag, list } from '../http/query.ts'
import { type Family, familyNames } from '../opportunity.ts'

// ---- values in frames

/** The most values of one list. */
const mostValues = 300
/** The most characters of one value. */
const longestValue = 200

/** Several values in any of their spellings. @returns each once; null for none, which is no filter */
export const valuesGiven = z
  .union([z.array(z.string()).meta({ maxItems: mostValues }), z.string(), z.null()], {
    error: 'is a list of texts, one text with commas, or null',
  })
  .transform((given, context): readonly string[] | null => {
    const distinct = [
      ...new Set(
        [given ?? []]
          .flat()
          .flatMap((text) => text.split(','))
          .map((value) => value.trim())
          .filter((value) => value !== ''),
      ),
    ]
    if (distinct.length > mostValues) context.addIssue(`names at most ${mostValues} values`)
    if (distinct.some(({ length }) => length > longestValue)) {
      context.addIssue(`has values of at most ${longestValue} characters`)
    }
    return distinct.length > 0 ? distinct : null
  })

/** The limit of `team` in REST. */
const mostTeams = 20
const boundGiven = z.number('is a number or null').nullable()

/** A kind of value: as frames send it (null ends the filter), and as `subscribed` shows it. */
interface FrameValue {
  readonly given: z.ZodType
  readonly shown: z.ZodType
}

export const shownValues = z.array(z.string()).nullable()
const shownBound = z.number().nullable()

const values: FrameValue = { given: valuesGiven, shown: shownValues }
const teams: FrameValue = {
  given: valuesGiven.refine(
    (given) => given === null || given.length <= mostTeams,
    `names at most ${mostTeams} values`,
  ),
  shown: shownValues,
}
const flagValue: FrameValue = {
  given: z.boolean('is true, false or null').nullable(),
  shown: z.boolean(),
}
const day: FrameValue = {
  given: z.iso.date('is a day, YYYY-MM-DD, or null').nullable(),
  shown: z.string(),
}
/** One text; an empty one is no filter. */
const words: FrameValue = {
  given: z
    .string('is a text or null')
    .max(longestValue, `has at most ${longestValue} characters`)
    .nullable()
    .transform((text) => (text === '' ? null : text)),
  shown: z.string(),
}
const bound: FrameValue = { given: boundGiven, shown: shownBound }
const american: FrameValue = {
  given: boundGiven
    .refine(
      (price) => price === null || price === 0 || Math.abs(price) >= 100,
      'is American odds, 100 or more or -100 or less, or null',
    )
    .transform((price) => (price === null ? null : shownAmerican(price))),
  shown: shownBound,
}

const kindNames: ReadonlySet<string> = new Set(familyNames)
const families: FrameValue = {
  given: valuesGiven.transform((given, context) => {
    const named = given?.map((value) => value.toLowerCase())
    if (named?.every((value): value is Family => kindNames.has(value))) return named
    if (named) context.addIssue(`names some of ${familyNames.join(', ')}`)
    return null
  }),
  shown: z.array(z.enum(familyNames)),
}
const milliseconds: FrameValue = {
  given: z
    .number('is a number of milliseconds or null')
    .min(0, 'is a number of milliseconds from 0')
    .max(mostMs, `is at most ${mostMs}`)
    .nullable(),
  shown: z.number(),
}

// ---- the table

/** Bounds on prices also apply to opportunities. */
const everyBet = 'Of an opportunity each bet counts: one outside hides it.'

const ofEveryBet = <T extends z.ZodType>(bound: T): T =>
  bound.meta({ ...bound.meta(), description: `${bound.meta()?.description} ${everyBet}` })

export interface StreamFilterRow {
  /** The parameter of an address. */
  readonly query: z.ZodType
  /** The field of a frame's `filters`; absent for filters that only addresses have. */
  readonly frame?: {
    readonly name: string
    readonly value: FrameValue
    readonly description: string
    readonly aliases: readonly string[]
  }
  /**
   * How a narrower value compares with a wider one: part of a list, higher, lower, or only equal.
   * Filters of opportunities (`own`, `pace`) do not narrow prices. `subscribed` always includes
   * lists (null for all) and bounds of opportunities (`own`), and the others if they are set.
   */
  readonly narrows: 'list' | 'least' | 'most' | 'exact' | 'own' | 'pace'
}

/** The filters by their names in addresses, in the order of `subscribed`: first those of prices. */
const ofPrices = {
  sport: {
    query: boardQuery.sport,
    frame: {
      name: 'sports',
      value: values,
      description: 'Sports, by id or name.',
      aliases: ['sport'],
    },
    narrows: 'list',
  },
  sportsbook: {
    query: boardQuery.sportsbook,
    frame: {
      name: 'sportsbooks',
      value: values,
      description: 'Sportsbooks of the tier, by id or name.',
      aliases: ['sportsbook', 'books'],
    },
    narrows: 'list',
  },
  league: {
    query: boardQuery.league,
    frame: {
      name: 'leagues',
      value: values,
      description: 'Leagues, by id or name.',
      aliases: ['league'],
    },
    narrows: 'list',
  },
  market: {
    query: oddsQuery.market,
    frame: {
      name: 'markets',
      value: values,
      description:
        'Market types by id or trade name (`h2h`, `totals_q1`), or the aliases `main`, `spread`, `total` and `props`.',
      aliases: ['market', 'marketTypes', 'market_types'],
    },
    narrows: 'list',
  },
  event: {
    query: boardQuery.event,
    frame: {
      name: 'eventIds',
      value: values,
      description: 'Events, by id.',
      aliases: ['event_ids', 'event_id', 'eventId', 'events', 'event'],
    },
    narrows: 'list',
  },
  min_ev: {
    query: streamBoundsQuery.min_ev,
    frame: {
      name: 'min_ev',
      value: bound,
      description: 'Lowest expected value of +EV, in percent.',
      aliases: ['minEv', 'minEV'],
    },
    narrows: 'own',
  },
  min_profit: {
    query: streamBoundsQuery.min_profit,
    frame: {
      name: 'min_profit',
      value: bound,
      description: 'Lowest profit of an arbitrage, in percent.',
      aliases: ['minProfit'],
    },
    narrows: 'own',
  },
  min_odds: {
    query: ofEveryBet(rowQuery.min_odds),
    frame: {
      name: 'min_odds',
      value: american,
      description: `Lowest American price. ${everyBet}`,
      aliases: ['minOdds'],
    },
    narrows: 'least',
  },
  max_odds: {
    query: ofEveryBet(rowQuery.max_odds),
    frame: {
      name: 'max_odds',
      value: american,
      description: `Highest American price. ${everyBet}`,
      aliases: ['maxOdds'],
    },
    narrows: 'most',
  },
  add_sportsbook: {
    query: boardQuery.add_sportsbook,
    frame: {
      name: 'add_sportsbooks',
      value: values,
      description: 'Sportsbooks to add to those of `sportsbooks`.',
      aliases: ['add_sportsbook'],
    },
    narrows: 'exact',
  },
  books: {
    query: boardQuery.books,
    frame: {
      // `books` of a frame is an old spelling of `sportsbooks`.
      name: 'among_books',
      value: values,
      description:
        'Treat these sportsbooks as the only ones, for opportunities too. `mine`: those of your profile when this is sent.',
      aliases: ['amongBooks'],
    },
    narrows: 'exact',
  },
  live: {
    query: rowQuery.live,
    frame: {
      name: 'live',
      value: flagValue,
      description: livePrices,
      aliases: [],
    },
    narrows: 'exact',
  },
  team: {
    query: boardQuery.team,
    frame: {
      name: 'teams',
      value: teams,
      description: 'Events with a team whose name contains this.',
      aliases: ['team'],
    },
    narrows: 'exact',
  },
  date: {
    query: boardQuery.date,
    frame: {
      name: 'date',
      value: day,
      description: 'Events that start on this day, as `date` of `/odds`.',
      aliases: [],
    },
    narrows: 'exact',
  },
  q: {
    query: boardQuery.q,
    frame: {
      name: 'q',
      value: words,
      description:
        'Events whose teams or league have all of these words in their names. A word such as `vs` or `at` between teams is left out.',
      aliases: [],
    },
    narrows: 'exact',
  },
  is_main_line: {
    query: flag({
      description:
        'Of prices. true: only the main line of each question; false: only the others. Rows that become the main line, or cease to be it, are sent as they change.',
      example: true,
      aliases: ['main'],
    }),
    frame: {
      name: 'is_main_line',
      value: flagValue,
      description: 'true: only the main line of each market; false: only the others.',
      aliases: ['main', 'isMainLine'],
    },
    narrows: 'exact',
  },
} as const satisfies Record<string, StreamFilterRow> &
  Record<Exclude<keyof typeof rowQuery, keyof typeof rowFlagQuery>, StreamFilterRow>

/** The flags of rows come between. Their spelling in frames follows from their names. */
const flagRow = (name: string, query: z.ZodType): StreamFilterRow => ({
  query,
  frame: {
    name,
    value: flagValue,
    description: query.meta()?.description ?? '',
    aliases: [name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
  },
  narrows: 'exact',
})

/** The filters of opportunities, and what rows are sent with. */
const afterFlags = {
  kinds: {
    query: choices(familyNames, {
      description: 'Only these families of opportunities.',
      example: 'arbitrage,ev',
      aliases: ['kind'],
    }),
    frame: {
      name: 'kinds',
      value: families,
      description: `Families of opportunities: ${familyNames.map((name) => `\`${name}\``).join(', ')}.`,
      aliases: ['kind'],
    },
    narrows: 'pace',
  },
  min_age_ms: {
    query: minAge,
    frame: {
      name: 'min_age_ms',
      value: milliseconds,
      description: 'Opportunities that have existed for this many milliseconds.',
      aliases: ['minAgeMs'],
    },
    narrows: 'pace',
  },
  event_cooldown_ms: {
    query: decimal({
      description:
        'Of opportunities: after one of an event is sent, no other of its kind is sent for so many milliseconds; then the best of those that still stand. Expiries are sent at once. What a stream begins with is sent whole, with several of an event if there are, and no pause follows it.',
      min: 0,
      max: mostMs,
      example: 30_000,
    }),
    frame: {
      name: 'event_cooldown_ms',
      value: milliseconds,
      description:
        'After an opportunity of an event is sent, no other of its kind is sent for so many milliseconds. A snapshot is whole, and no pause follows it.',
      aliases: ['eventCooldownMs'],
    },
    narrows: 'pace',
  },
  again_if_better: {
    query: flag({
      description:
        'Of opportunities: one that expired and came back is sent again only while it is worth more than whenever it was sent before.',
      example: true,
    }),
    frame: {
      name: 'again_if_better',
      value: flagValue,
      description:
        'Opportunities that come back are sent again only while they are worth more than before.',
      aliases: ['againIfBetter'],
    },
    narrows: 'pace',
  },
  fields: {
    query: list({
      description:
        'The members prices are sent with, beside `id`, which always is one. All when absent.',
      example: 'odds_american,is_active',
    }),
    frame: {
      name: 'fields',
      value: values,
      description: 'The members prices are sent with, beside `id`, which always is one.',
      aliases: [],
    },
    narrows: 'exact',
  },
} as const satisfies Record<string, StreamFilterRow>

/** Every filter of a stream by its name in addresses. */
export const streamFilters: ReadonlyMap<string, StreamFilterRow> = new Map<string, StreamFilterRow>(
  [
    ...Object.entries(ofPrices),
    ...Object.entries(rowFlagQuery).map(([name, query]) => [name, flagRow(name, query)] as const),
    ...Object.entries(afterFlags),
    ...Object.entries(addressBoundsQuery).map(
      ([name, query]) => [name, { query, narrows: 'own' }] as const,
    ),
  ],
)

type Queries<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends { query: infer Type } ? Type : never
}

/** The parameters of every stream's address. */
export const filterQuery = Object.fromEntries(
  Array.from(streamFilters, ([name, { query }]) => [name, query]),
) as Queries<typeof ofPrices & typeof afterFlags> & typeof rowFlagQuery & typeof addressBoundsQuery

// ---- frames

const inFrames = Array.from(streamFilters.values()).flatMap(({ frame, narrows }) =>
  frame ? [{ ...frame, narrows }] : [],
)

/** The `filters` of a frame. An absent filter stays unchanged, null ends it. */
export const frameFilters = z
  .object(
    Object.fromEntries(
      inFrames.map(({ name, value, description, aliases }) => [
        name,
        value.given.exactOptional().meta({ description, 'x-aliases': aliases }),
      ]),
    ),
  )
  .describe(
    'An absent filter stays as it is; null or an empty list ends it. A list may also be one text with commas. Filters may also stand in the frame itself. An unknown field in either gets `validation_error`, and the frame has no effect.',
  )

/** Filters by field name; absent: not given, null: cleared. */
export type FrameFilters = Readonly<Record<string, unknown>>

/** The filters in `subscribed`. */
export const shownFilterMembers: z.ZodRawShape = Object.fromEntries(
  inFrames.map(({ name, value, narrows }) => [
    name,
    narrows === 'list' || narrows === 'own' ? value.shown : value.shown.optional(),
  ]),
)

/** Each filter of a frame with all of its spellings, the name itself first. */
export const frameSpellings: readonly (readonly [string, readonly string[]])[] = Object.entries(
  frameFilters.shape,
).map(([name, type]) => [name, [name, ...aliasesOf(type)]])

/** The name of a filter by each of its spellings, the name itself among them. */
export const filterSpellings: ReadonlyMap<string, string> = new Map(
  frameSpellings.flatMap(([name, all]) => all.map((spelling) => [spelling, name] as const)),
)
