/** Requests and responses of the routes about alerts, and the bodies of webhooks. */

import { z } from 'zod'
import { alertOccasions, deliveryStates, type RuleType, ruleTypes, targetTypes } from '../alert.ts'
import { type Family, familyNames } from '../opportunity.ts'
import {
  boundsOfPrice,
  measuresOfMove,
  moveFilters,
  priceFilters,
  sourceFilters,
} from './alert-filters.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { oneOfKeyword } from './needed-fields.ts'
import { printable } from './printable.ts'

/** The most messages of a rule in an hour. */
export const mostPerHour = 60
const usualPerHour = 20
const usualImprovement = 1

// ---- bodies

const name = printable(100).meta({ maxLength: 100, examples: ['NBA above 3 %'] })

const value = z.union([z.string().max(2_000), z.number(), z.boolean()])
const filtersOf = (what: string) =>
  z
    .record(z.string().max(60), z.union([value, z.array(value).max(300)]))
    .describe(`${what} A list of values may be an array or one text with commas.`)

const address = z
  .url({
    protocol: /^https?$/,
    error: 'has to begin with https://, as https://hooks.example.com/odds',
  })
  .max(2_000)
const secretText = printable(500).meta({ maxLength: 500 })

/** Without the format `email`: models that Python generators make of it need a further package. */
const mailAddress = z
  .string()
  .max(254)
  .regex(
    /^[A-Za-z0-9_+-]+(?:[.'][A-Za-z0-9_+-]+)*@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/,
    'is a mail address',
  )

const target = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('webhook'), url: address }),
    z.strictObject({ type: z.literal('discord'), url: address }),
    z.strictObject({ type: z.literal('slack'), url: address }),
    z.strictObject({
      type: z.literal('telegram'),
      bot_token: z.string().regex(/^\d{1,20}:[\w-]{20,100}$/, 'is the token of a Telegram bot'),
      chat_id: z.string().regex(/^(?:-?\d{1,20}|@\w{1,64})$/, 'is a chat id or @name of a channel'),
      url: address.optional().describe('A Bot API server of your own.'),
    }),
    z.strictObject({
      type: z.literal('ntfy'),
      url: address.describe('With the topic: `https://ntfy.sh/my-odds`.'),
      token: secretText.optional(),
    }),
    z.strictObject({ type: z.literal('email'), to: mailAddress }),
    z.strictObject({ type: z.literal('browser') }),
  ])
  .describe(
    'Where messages go. `webhook` gets JSON signed by the Standard Webhooks scheme; the others get a text to show. `email` needs a service that sends mail. `browser`: the account’s browsers with a page of this service open.',
  )

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is a time, HH:MM')
const zone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'is a time zone such as America/New_York')
  .meta({ examples: ['America/New_York'] })

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

const quietHours = z
  .strictObject({ from: time, to: time, time_zone: zone })
  .refine(({ from, to }) => from !== to, 'begin and end at different times')
  .describe('`from` and `to` differ.')
  .nullable()
  .describe('No messages between these times; what still exists at their end is sent then.')

const stakes = z
  .strictObject({
    total: z.number().positive().max(1e9).optional(),
    unit: z.number().min(0.01).max(1e6).optional(),
    kelly: z.number().min(0).max(1).optional(),
  })
  .describe(
    'Inputs for the stakes of a message: `total`, `unit` and `kelly` of `/opportunities/{id}/explain`. What is absent is that of your profile.',
  )

/** The fields of rules of every type. */
const ofEveryRule = {
  name,
  per_hour: z
    .int()
    .min(1)
    .max(mostPerHour)
    .describe(
      `Most messages in an hour, default ${usualPerHour}. What still exists when there is room again is sent then.`,
    ),
  quiet_hours: quietHours,
  target,
}

const namesOf = (of: readonly string[] | object) =>
  (Array.isArray(of) ? of : Object.keys(of)).map((name) => `\`${name}\``).join(', ')

/** The further fields of each type. */
const ofType = {
  opportunity: {
    kind: z.enum(familyNames as [Family, ...Family[]]),
    filters: filtersOf(
      'The parameters of `/opportunities/{kind}`, with the same names and meanings, except `limit`, `offset`, `sort`, `format`, `group`, `devig_book`, `devig_books` and `devig_method`.',
    ),
    once_per: z
      .enum(alertOccasions)
      .describe(
        'Sent once in two days: the best of an `event` (the default), of a `market` of an event, or each `opportunity`.',
      ),
    improvement: z
      .number()
      .min(0.1)
      .max(100)
      .describe(
        `Percentage points by which another one must beat the best sent so far for the same event, market or opportunity, to be sent too; default ${usualImprovement}.`,
      ),
    stakes,
  },
  price: {
    filters: filtersOf(
      `The wanted prices: ${namesOf(priceFilters)}, as in \`/odds\` if it has them. \`market\` and one of ${namesOf(boundsOfPrice)} are required. \`selection\` is a side, or a part of a name; \`min_line\` and \`max_line\` bound the line as it is shown.`,
    ).meta({ [oneOfKeyword]: boundsOfPrice }),
    improvement: z
      .number()
      .min(0.1)
      .max(100)
      .describe(
        `Percentage points of implied probability by which another price of the same outcome must beat the best sent so far, to be sent too; default ${usualImprovement}.`,
      ),
  },
  move: {
    filters: filtersOf(
      `The prices to follow and the moves to send: ${namesOf(moveFilters)}. Either \`min_drop\` (percent of the price, with \`of\`) or \`min_books\` (steam, with \`min_move\` and \`direction\`) is required.`,
    ).meta({ [oneOfKeyword]: measuresOfMove }),
  },
  source: {
    filters: filtersOf(
      `The sportsbooks: ${namesOf(sourceFilters)}. Without any, all that the account sees, and the sources too for the operator's own account.`,
    ),
  },
} as const satisfies { readonly [Type in RuleType]: z.ZodRawShape }

const usual = {
  per_hour: ofEveryRule.per_hour.default(usualPerHour),
  quiet_hours: quietHours.default(null),
}

/** The body of `POST /account/alerts`. */
export const alertCreation = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('opportunity').optional().describe('Optional.'),
    ...ofEveryRule,
    ...usual,
    ...ofType.opportunity,
    filters: ofType.opportunity.filters.default({}),
    once_per: ofType.opportunity.once_per.default('event'),
    improvement: ofType.opportunity.improvement.default(usualImprovement),
    stakes: stakes.default({}),
  }),
  z.strictObject({
    type: z.literal('price'),
    ...ofEveryRule,
    ...usual,
    ...ofType.price,
    improvement: ofType.price.improvement.default(usualImprovement),
  }),
  z.strictObject({ type: z.literal('move'), ...ofEveryRule, ...usual, ...ofType.move }),
  z.strictObject({
    type: z.literal('source'),
    ...ofEveryRule,
    ...usual,
    filters: ofType.source.filters.default({}),
  }),
])

/**
 * The body of `PATCH /account/alerts/{id}`: absent fields stay. The type stays, and fields of other types are
 * refused.
 */
export const alertChange = z
  .strictObject({
    ...ofEveryRule,
    ...ofType.opportunity,
    filters: filtersOf('As in `POST`, by the type of the alert.'),
  })
  .partial()

/** Returns the fields that a rule of a type has and a change may state. */
export const changeable = (type: RuleType): ReadonlySet<string> =>
  new Set([...Object.keys(ofEveryRule), ...Object.keys(ofType[type])])

export type StatedTarget = z.output<typeof target>
export type StatedAlert = z.output<typeof alertCreation>
export type StatedChange = z.output<typeof alertChange>

// ---- responses

const alertId = example(z.string(), 'alert_5f0c7a91d2e4')

export const deliveryItem = z.object({
  id: example(z.string(), 'msg_8c1f0be2a7d94430', 'Sent as `webhook-id` each time.'),
  alert_id: alertId,
  type: example(z.enum([...ruleTypes, 'test']), 'opportunity'),
  title: example(
    z.string().nullable(),
    '+EV 4.07 %: Chicago Bulls @ New York Knicks',
    'Null once its message is deleted, and while it tells of more than the account sees now.',
  ),
  page: example(
    z.string().nullable(),
    'https://odds.example.com/opportunities?kind=ev&league=nba',
    'The page of the message; null as `title`.',
  ),
  state: example(
    z.enum(deliveryStates),
    'delivered',
    '`pending`: tried again. `failed`: a test that did not arrive, or a message of a deleted rule or of more than the account saw by then.',
  ),
  attempts: example(z.int(), 1),
  decided_at: timestamp,
  attempted_at: example(timestamp.nullable(), '2027-01-14T21:03:11.260Z'),
  delivered_at: example(timestamp.nullable(), '2027-01-14T21:03:11.260Z'),
  problem: z.string().nullable().describe('Why the last attempt failed.'),
  gone_at: example(
    timestamp.nullable(),
    '2027-01-14T21:05:40.000Z',
    'When its opportunity or price was found gone; null while it exists, and for moves and sources.',
  ),
  edited_at: example(
    timestamp.nullable(),
    '2027-01-14T21:05:40.180Z',
    'When the message was edited to say so; null if its target cannot edit messages.',
  ),
  can_redeliver: example(
    z.boolean(),
    true,
    'Whether it can be sent again: its message is still kept and within what the account sees now.',
  ),
})

export const alertItem = z.object({
  id: alertId,
  type: example(z.enum(ruleTypes), 'opportunity'),
  name: example(z.string(), 'NBA above 3 %'),
  kind: example(
    z.enum(familyNames as [Family, ...Family[]]).nullable(),
    'ev',
    'For opportunities; null for others.',
  ),
  filters: example(
    z.record(z.string(), z.string()),
    { league: 'nba', min_ev: '3' },
    'As in `list`.',
  ),
  list: example(
    z.string(),
    '/api/v1/opportunities/ev?league=nba&min_ev=3',
    'The list of current matches.',
  ),
  page: example(
    z.string(),
    '/opportunities?kind=ev&league=nba&min_ev=3',
    'The page for people: for opportunities, the current matches.',
  ),
  once_per: example(
    z.enum(alertOccasions).nullable(),
    'event',
    'For opportunities; null for others.',
  ),
  improvement: example(z.number().nullable(), 1, 'Null for moves and sources.'),
  per_hour: example(z.int(), 20),
  quiet_hours: z
    .object({
      from: example(time, '23:00'),
      to: example(time, '07:00'),
      time_zone: example(z.string(), 'America/New_York'),
    })
    .nullable(),
  stakes: example(
    z
      .object({
        total: z.number().nullable(),
        unit: z.number().nullable(),
        kelly: z.number().nullable(),
      })
      .nullable(),
    { total: 1_000, unit: 5, kelly: 0.25 },
    'For opportunities; null for others.',
  ),
  target: z.object({
    type: example(z.enum(targetTypes), 'webhook'),
    url_preview: example(
      z.string(),
      'https://hooks.example.com/…9f2c',
      'Its host and last characters.',
    ),
    secret: example(
      z.string().optional(),
      undefined,
      'Signs webhooks. Only in the response that sets the target.',
    ),
  }),
  state: example(
    z.enum(['active', 'paused', 'blocked']),
    'active',
    '`blocked`: sends nothing, because the account may not see what it names, or a filter is no longer valid.',
  ),
  reason: z
    .string()
    .nullable()
    .describe('Why it is blocked, or why the service paused it; else null.'),
  pending: example(z.int(), 0, 'Messages not delivered yet.'),
  created_at: timestamp,
  updated_at: timestamp,
})

export const alertsAnswer = listOf(alertItem, {
  max_alerts: example(z.int(), 50, 'Most alerts of the account.'),
})
export const alertAnswer = objectOf(alertItem)
export const alertSecretAnswer = objectOf(alertItem, {
  warning: example(z.string(), 'Store it.').optional(),
})
export const alertDeletionAnswer = objectOf(z.object({ deleted: z.literal(true), id: alertId }))
export const deliveriesAnswer = listOf(deliveryItem)
export const deliveryAnswer = objectOf(deliveryItem)

// ---- messages

const price = z.number()

const links = z.object({
  list: example(
    z.string(),
    'https://odds.example.com/api/v1/opportunities/ev?league=nba',
    'The current matches, as JSON; needs a key.',
  ),
  page: example(
    z.string(),
    'https://odds.example.com/opportunities?kind=ev&league=nba&why=7c1e40b95ad2f386',
    'The page for people: the opportunity with its explanation above the current matches, or the prices of the question.',
  ),
})

/** The fields of messages of every type. */
const ofEveryMessage = {
  alert: z.object({ id: alertId, name: example(z.string(), 'NBA above 3 %') }),
  title: example(z.string(), '+EV 4.07 %: Chicago Bulls @ New York Knicks'),
  links,
  simulated: example(
    z.boolean().nullable(),
    false,
    'Whether prices may be simulated, and no bet can be made on them; null until a pipeline has said it.',
  ),
}

const event = z.object({
  id: example(z.string(), 'nba_bulls_knicks_2027-01-14_b3'),
  name: example(z.string(), 'Chicago Bulls @ New York Knicks'),
  sport: example(z.string(), 'basketball'),
  league: example(z.string(), 'nba'),
  start_time: timestamp,
  is_live: z.boolean(),
})

/** An active price at a sportsbook. */
const offerShape = {
  sportsbook: example(z.string(), 'draftkings'),
  selection: example(z.string(), 'Over 228.5'),
  line: example(z.number().nullable(), 228.5),
  odds_decimal: example(price, 1.962),
  odds_american: example(z.int(), -104),
  odds_age_seconds: example(z.number(), 0.2),
  link: example(
    z.string().nullable(),
    'https://odds.example.com/api/v1/deeplink/482107733919990',
    'Leads to the sportsbook.',
  ),
}

const message = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({
    type: z.literal(type),
    timestamp: timestamp.describe('When it was decided.'),
    data: z.object({ ...ofEveryMessage, ...shape }),
  })

/** The body of a webhook. */
export const alertMessage = z.discriminatedUnion('type', [
  message('alert.opportunity', {
    kind: example(z.enum(familyNames as [Family, ...Family[]]), 'ev'),
    event,
    market_type: example(z.string(), 'total_points'),
    edge_percent: example(
      z.number(),
      4.07,
      'Net of fees: expected value, profit, or for low hold the loss, negative.',
    ),
    told_before_percent: z
      .number()
      .nullable()
      .describe('The best sent before for the same occasion; null for the first.'),
    legs: z.array(
      z.object({
        ...offerShape,
        stake: example(
          z.number().nullable(),
          10,
          'Net of fees, within `max_bet`, rounded down to the unit; null where `stake_missing` says why.',
        ),
      }),
    ),
    stake_total: example(z.number().nullable(), 10, 'Null like the stakes.'),
    stake_unit: example(z.number(), 5, 'Stakes are multiples of it.'),
    stake_missing: z
      .enum(['below_unit', 'limit_below_unit'])
      .nullable()
      .describe(
        'Why nothing is left to stake: the stake, or a limit, is less than the unit allows.',
      ),
    currency: example(z.string().nullable(), 'USD', 'Of the profile; null if it names none.'),
    worst_profit: example(z.number().nullable(), -10, 'Null like the stakes.'),
    detected_at: timestamp,
    age_seconds: example(z.number(), 0.4, 'Age of the opportunity at `timestamp`.'),
    warnings: example(z.array(z.string()), []),
    opportunity_id: example(z.string(), '7c1e40b95ad2f386'),
    links: links.extend({
      why: example(
        z.string(),
        'https://odds.example.com/api/v1/opportunities/7c1e40b95ad2f386/explain',
        'The explanation, as JSON; needs a key.',
      ),
    }),
  }),
  message('alert.price', {
    event,
    market_type: example(z.string(), 'total_points'),
    offer: z.object(offerShape),
    told_before_decimal: z
      .number()
      .nullable()
      .describe('The best price sent before for this outcome; null for the first.'),
  }),
  message('alert.move', {
    what: example(z.enum(['drop', 'steam']), 'steam'),
    direction: example(
      z.enum(['shortened', 'drifted']),
      'shortened',
      'shortened: the prices fell, the selection looks likelier.',
    ),
    event,
    market_type: example(z.string(), 'total_points'),
    began_at: timestamp,
    moves: z
      .array(
        z.object({
          ...offerShape,
          from_decimal: example(price, 2.02, 'For a drop, the highest price within `seconds`.'),
          from_american: example(
            z.int(),
            102,
            'The same price. Absent in messages of earlier builds.',
          ).optional(),
          at: timestamp,
        }),
      )
      .describe('Oldest first. For a drop, the one price.'),
  }),
  message('alert.source', {
    subject: example(z.enum(['sportsbook', 'source']), 'sportsbook'),
    name: example(z.string(), 'draftkings'),
    state: example(z.enum(['up', 'down']), 'down'),
    reason: example(z.string().nullable(), null, 'For sources that are down.'),
    since: timestamp,
  }),
  message('alert.test', {}),
])
export type AlertMessage = z.output<typeof alertMessage>
export type MessageOf<Type extends AlertMessage['type']> = Extract<
  AlertMessage,
  { readonly type: Type }
>
