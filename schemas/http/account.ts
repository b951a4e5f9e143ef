/** Requests and responses of the account and admin routes (interface 2.11 and 4.14, supplement 3.13). */

import { z } from 'zod'
import { addOns } from '../account.ts'
import { type Tier, tierBooks } from '../reference/tier-books.ts'
import { listOf, objectOf, timestamp } from './envelope.ts'
import { example } from './example.ts'
import { printable } from './printable.ts'
import { day, offsetUpTo, pageLimit, text } from './query.ts'

// ---- bodies

const name = printable(100).meta({ maxLength: 100, examples: ['backend'] })

const tier = example(z.enum(Object.keys(tierBooks) as Tier[]), 'pro')
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

const accountId = example(z.string(), 'acct_8d2f40c61b7e')
const keyId = example(z.string(), 'key_5f0c7a91d2e4')
const keyName = example(z.string().nullable(), 'backend')
const at = example(timestamp, '2026-11-20T12:00:00.123Z')
const endsAt = example(timestamp.nullable(), '2026-11-21T12:00:00.123Z')
const booked = example(z.array(z.enum(addOns)), ['streaming'])

const streamingTrial = z.object({
  active: z.boolean(),
  eligible: z.boolean().describe('Whether a trial is possible: none yet, and no right to stream.'),
  used: z.boolean(),
  activated_at: timestamp.optional(),
  expires_at: timestamp.optional(),
  remaining_hours: z.number(),
})

const limits = z.object({
  requests_per_minute: example(z.int(), 300),
  max_streams: example(z.int(), 10, 'Streams at once by this key; 0 without the right to stream.'),
  odds_delay_seconds: example(z.int(), 0),
  max_books: example(z.int(), 15, 'Sportsbooks the tier sees; for all, how many are listed.'),
})

/** The response of `GET /account`: nested fields, and the same facts flat. */
export const accountAnswer = objectOf(
  z.object({
    key: z.object({ id: keyId, tier, user_id: accountId }),
    limits,
    features: example(z.record(z.string(), z.boolean()), {
      ev: true,
      arbitrage: true,
      middles: true,
      low_hold: true,
      deep_links: true,
      futures: true,
      splits: true,
      closing_line: true,
      closing_lines: false,
      streaming: true,
      game_state: false,
    }),
    addons: example(booked, ['streaming'], 'In effect now.'),
    add_ons: booked,
    key_id: keyId,
    tier,
    rate_limit: limits.pick({ requests_per_minute: true, max_books: true }),
    streaming: z.object({
      enabled: example(z.boolean(), true),
      max_connections: example(z.int(), 10),
    }),
    streaming_trial: streamingTrial.optional(),
  }),
)

/** The response of `GET /account/usage`. Days, weeks (from Monday) and months are UTC's. */
export const usageAnswer = objectOf(
  z.object({
    requests: z.object({
      today: example(z.int(), 1_204),
      this_week: example(z.int(), 6_310),
      this_month: example(z.int(), 15_877),
      limit: z.object({
        per_minute: example(z.int(), 300),
        remaining: example(z.int(), 288),
        resets_at: example(timestamp, '2026-11-20T12:01:00.000Z'),
      }),
    }),
    streams: z.object({ active: example(z.int(), 1), max: example(z.int(), 10) }),
    period: z.object({
      start: example(timestamp, '2026-11-01T00:00:00.000Z'),
      end: example(timestamp, '2026-12-01T00:00:00.000Z'),
    }),
  }),
)

const maxStreams = z
  .int()
  .optional()
  .describe('Streams at once, in place of the tier’s; absent if the tier’s apply.')

export const accountKey = z.object({
  id: keyId,
  id_masked: example(z.string(), '...91d2e4'),
  name: keyName,
  tier,
  is_active: example(z.boolean(), true),
  created_at: at,
  updated_at: at,
  max_streams: maxStreams,
})

export const keyItem = accountKey.extend({
  key_preview: example(z.string(), 'sk_live_Zt5a...', 'The beginning of the value.'),
})

export const keysAnswer = listOf(keyItem, {
  max_keys: z.int().describe('Keys the tier allows.'),
})

const shownOnce = { warning: example(z.string(), 'Store the key now; it is not shown again.') }
const keyValue = example(z.string(), '<API_KEY>', 'The whole key, shown only once.')
export const newKey = z.object({
  id: keyId,
  key: keyValue,
  name: keyName,
  tier,
  max_streams: maxStreams,
})

/** A named schema of its own: inlined in the response, it and `old_key_expires_at` would produce one name. */
export const oldKey = z.object({
  id: keyId,
  revoked: z.boolean(),
  expires_at: endsAt,
})

export const keyCreationAnswer = objectOf(newKey, shownOnce)

const deletion = z.object({
  deleted: z.literal(true),
  key_id: keyId,
  message: example(z.string(), 'Key deleted'),
})

export const keyDeletionAnswer = objectOf(deletion).extend(deletion.shape)

export const keyRotationAnswer = objectOf(
  z.object({
    key_id: keyId,
    id: keyId,
    name: keyName,
    key: keyValue,
    key_preview: example(z.string(), 'sk_live_Zt5a...'),
    status: z.literal('active'),
    rotated_at: at,
    previous_key_revoked: z.boolean(),
    old_key_expires_at: example(
      endsAt,
      '2026-11-21T12:00:00.123Z',
      'When the old value stops working.',
    ),
    new_key: newKey,
    old_key: oldKey,
  }),
  shownOnce,
)

export const adminAccount = z.object({
  account_id: accountId,
  name: example(z.string(), 'Example Analytics'),
  tier,
  addons: example(booked, ['streaming'], 'As booked; the free tier can use none.'),
  disabled: z.boolean(),
  owner: isOwner,
  expires_at: example(timestamp.nullable(), null),
  streaming_trial: streamingTrial.optional(),
  keys: z.array(accountKey),
  created_at: at,
  updated_at: at,
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
  account_id: accountId,
  day: example(z.string(), '2026-11-20', '`YYYY-MM-DD`, UTC.'),
  family: example(
    z.string(),
    'odds',
    'Routes by chapter: `odds`, `events`, `opportunities`, `streams`, …',
  ),
  requests: example(z.int(), 512, 'Without those of test keys.'),
})

export const usageByDayAnswer = listOf(usageOfDay, {
  requests: z.int().describe('Of all matching items.'),
})

export const adminCreationAnswer = objectOf(
  adminAccount.extend({ key_id: keyId, key: keyValue }),
  shownOnce,
)

/** Sizes of the pages of keys and accounts. */
export const pageSize = { usual: 50, largest: 200 } as const
