/** Requests and responses of the account and admin routes (interface 2.11 and 4.14, supplement 3.13). */

import { z } from 'zod'
import { addOns } from '../account.ts'
import { type Tier, tierBooks } from '../reference/tier-books.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { printable } from './printable.ts'
import { day, offsetUpTo, pageLimit, text } from './query.ts'

// ---- bodies

const name = printable(100).meta({ maxLength: 100, examples: ['backend'] })

const tier = z.enum(Object.keys(tierBooks) as Tier[])
const isOwner = z
  .boolean()
  .describe('Whether it is the operator’s own account, which sees owner-only sources.')

const addOnList = z
  .array(z.enum(addOns))
  .max(addOns.length)
  .refine((list) => new Set(list).size === list.length, 'names each add-on once')
  .meta({ uniqueItems: true })

const expiresAt = z
  .preprocess(
    // RFC 3339 allows lower-case `t` and `z`.
    (given) => (typeof given === 'string' ? given.toUpperCase() : given),
    z.iso
      .datetime({ offset: true, error: 'is an RFC 3339 date and time with a zone, or null' })
      .nullable(),
  )
  .describe('When the keys of the account expire; null for never.')

/** The body of `POST /account/keys`. */
export const keyCreation = z.strictObject({ name })

/** The body of a new key from the operator. */
export const keyGrant = keyCreation.extend({
  max_streams: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Streams at once, in place of the tier’s, if the account may stream.'),
})

/** The body of a key's rotation; without one the old value is revoked at once. */
export const keyRotation = z
  .strictObject({
    gracePeriodHours: z
      .number()
      .min(0)
      .max(72)
      .optional()
      .describe('Hours that the old value keeps working, 0 to 72; default 0.'),
    name: name.optional().describe('A new name of the key.'),
  })
  .optional()

/** The body of `POST /admin/accounts`. */
export const accountCreation = z.strictObject({
  name,
  tier,
  addons: addOnList.optional(),
  expires_at: expiresAt.optional(),
  owner: isOwner.optional(),
})

/** The body of `PATCH /admin/accounts/{id}`: absent fields stay. */
export const accountChange = z
  .strictObject({
    name: name.optional(),
    tier: tier.optional(),
    addons: addOnList.optional(),
    disabled: z.boolean().optional(),
    owner: isOwner.optional(),
    expires_at: expiresAt.optional(),
    streaming_trial_hours: z
      .number()
      .min(0)
      .max(8_760)
      .optional()
      .describe('Starts a streaming trial of this many hours; 0 ends a running one.'),
  })
  .refine((change) => Object.keys(change).length > 0, 'names at least one change')
  .meta({ minProperties: 1 })

// ---- responses

const streamingTrial = z.object({
  active: z.boolean(),
  eligible: z.boolean().describe('Whether a trial is possible: none yet, and no right to stream.'),
  used: z.boolean(),
  activated_at: timestamp.optional(),
  expires_at: timestamp.optional(),
  remaining_hours: z.number(),
})

const limits = z.object({
  requests_per_minute: z.int(),
  max_streams: z.int().describe('Streams at once by this key; 0 without the right to stream.'),
  odds_delay_seconds: z.int(),
  max_books: z.int().describe('Sportsbooks the tier sees; for all, how many are listed.'),
})

/** The response of `GET /account`: nested fields, and the same facts flat. */
export const accountAnswer = objectOf(
  z.object({
    key: z.object({ id: z.string(), tier, user_id: z.string() }),
    limits,
    features: z.record(z.string(), z.boolean()),
    addons: z.array(z.enum(addOns)).describe('In effect now.'),
    add_ons: z.array(z.enum(addOns)),
    key_id: z.string(),
    tier,
    rate_limit: limits.pick({ requests_per_minute: true, max_books: true }),
    streaming: z.object({ enabled: z.boolean(), max_connections: z.int() }),
    streaming_trial: streamingTrial.optional(),
  }),
)

/** The response of `GET /account/usage`. Days, weeks (from Monday) and months are UTC's. */
export const usageAnswer = objectOf(
  z.object({
    requests: z.object({
      today: z.int(),
      this_week: z.int(),
      this_month: z.int(),
      limit: z.object({
        per_minute: z.int(),
        remaining: z.int(),
        resets_at: timestamp,
      }),
    }),
    streams: z.object({ active: z.int(), max: z.int() }),
    period: z.object({ start: timestamp, end: timestamp }),
  }),
)

const maxStreams = z
  .int()
  .optional()
  .describe('Streams at once, in place of the tier’s; absent if the tier’s apply.')

export const accountKey = z.object({
  id: z.string(),
  id_masked: z.string(),
  name: z.string().nullable(),
  tier,
  is_active: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
  max_streams: maxStreams,
})

export const keyItem = accountKey.extend({
  key_preview: z.string().describe('The beginning of the value.'),
})

export const keysAnswer = listOf(keyItem, {
  max_keys: z.int().describe('Keys the tier allows.'),
})

const keyValue = z.string().describe('The whole key, shown only once.')
export const newKey = z.object({
  id: z.string(),
  key: keyValue,
  name: z.string().nullable(),
  tier,
  max_streams: maxStreams,
})

/** A named schema of its own: inlined in the response, it and `old_key_expires_at` would produce one name. */
export const oldKey = z.object({
  id: z.string(),
  revoked: z.boolean(),
  expires_at: timestamp.nullable(),
})

export const keyCreationAnswer = objectOf(newKey, { warning: z.string() })

const deletion = z.object({ deleted: z.literal(true), key_id: z.string(), message: z.string() })

export const keyDeletionAnswer = objectOf(deletion).extend(deletion.shape)

export const keyRotationAnswer = objectOf(
  z.object({
    key_id: z.string(),
    id: z.string(),
    name: z.string().nullable(),
    key: keyValue,
    key_preview: z.string(),
    status: z.literal('active'),
    rotated_at: timestamp,
    previous_key_revoked: z.boolean(),
    old_key_expires_at: timestamp.nullable().describe('When the old value stops working.'),
    new_key: newKey,
    old_key: oldKey,
  }),
  { warning: z.string() },
)

export const adminAccount = z.object({
  account_id: z.string(),
  name: z.string(),
  tier,
  addons: z.array(z.enum(addOns)).describe('As booked; the free tier can use none.'),
  disabled: z.boolean(),
  owner: isOwner,
  expires_at: timestamp.nullable(),
  streaming_trial: streamingTrial.optional(),
  keys: z.array(accountKey),
  created_at: timestamp,
  updated_at: timestamp,
})

export const adminAccountAnswer = objectOf(adminAccount)
export const adminAccountsAnswer = listOf(adminAccount)

export const usageByDayQuery = {
  account_id: text({ description: 'One account, by id. Default: all.', example: 'acct_none' }),
  from: day({ description: 'The first day, UTC. Default: 30 days ago.', example: '2026-11-01' }),
  to: day({ description: 'The last day, UTC. Default: today.', example: '2026-11-20' }),
  limit: pageLimit({
    description: 'Items per response.',
    example: 100,
    max: 1_000,
    fallback: 100,
  }),
  offset: offsetUpTo(1_000_000),
}

export const usageOfDay = z.object({
  account_id: z.string(),
  day: z.string().describe('`YYYY-MM-DD`, UTC.'),
  family: z.string().describe('Routes by chapter: `odds`, `events`, `opportunities`, `streams`, …'),
  requests: z.int().describe('Without those of test keys.'),
})

export const usageByDayAnswer = listOf(usageOfDay, {
  requests: z.int().describe('Of all matching items.'),
})

export const adminCreationAnswer = objectOf(
  adminAccount.extend({ key_id: z.string(), key: keyValue }),
  { warning: z.string() },
)

/** Sizes of the pages of keys and accounts. */
export const pageSize = { usual: 50, largest: 200 } as const
