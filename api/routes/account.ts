/** `/api/v1/account`: the rights and usage of a key, and the keys of its account. */

import type { z } from 'zod'
import type { AccountRow, KeyRow } from '../../schemas/account.ts'
import {
  accountAnswer,
  accountKey,
  keyCreation,
  keyCreationAnswer,
  keyDeletionAnswer,
  keyItem,
  keyRotation,
  keyRotationAnswer,
  keysAnswer,
  newKey,
  pageSize,
  usageAnswer,
} from '../../schemas/http/account.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { offsetUpTo, pageLimit } from '../../schemas/http/query.ts'
import { listedSportsbooks } from '../../schemas/reference/sportsbooks.ts'
import type { Accounts, IssuedKey } from '../access/accounts.ts'
import type { Caller } from '../access/keys.ts'
import { remainingRequests } from '../access/limits.ts'
import { rightsNow, tierRights } from '../access/tiers.ts'
import { monthStart } from '../access/usage.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import { datedList, listAnswer, type PageQuery } from '../answer/list-page.ts'
import { ApiError } from '../errors.ts'
import { accountActions, jsonBody, type Route } from '../route.ts'

export interface AccountRoutesOptions {
  readonly accounts: Accounts
  readonly clock: () => number
  /** Returns the number of a key's open streams; default none. */
  readonly openStreams?: (keyId: string) => number
}

const action = accountActions('/api/v1/account', { keyId: 'The id of the key.' })
const bodyBytes = 4_096
const hourMs = 3_600_000

/** Returns a response with the value of a key. */
export const bodyWithKey = (data: object, updatedAt: number) =>
  objectBody(data, updatedAt, { warning: 'Store the key now; it is not shown again.' })

/** Parameters of a page of keys or accounts. */
export const pageQuery = {
  limit: pageLimit({
    description: 'Items per response.',
    max: pageSize.largest,
    fallback: pageSize.usual,
  }),
  offset: offsetUpTo(1_000_000),
}

export function createAccountRoutes(options: AccountRoutesOptions): Route[] {
  const { accounts, clock, openStreams = () => 0 } = options

  function accountOf({ accountId }: Caller): AccountRow {
    const account = accounts.find(accountId)
    if (!account) throw new ApiError('not_found', 'The account is no longer there.')
    return account
  }

  return [
    action('get', '', {
      summary: 'The account of the key: tier, limits, features and add-ons.',
      answer: {
        description: 'The account.',
        schema: accountAnswer,
        example: exampleBody(accountAnswer),
      },
      tool: {
        name: 'get_account_info',
        description: 'What the API key may do: tier, requests a minute, features, add-ons.',
        inputs: [],
        shape: {},
      },
      handle({ caller }) {
        const account = accountOf(caller)
        return { body: objectBody(accountJson(caller, account, clock()), account.updatedAt) }
      },
    }),

    action('get', '/usage', {
      summary: 'Requests of all keys of the account today, this week and this month.',
      answer: {
        description: 'The usage.',
        schema: usageAnswer,
        example: exampleBody(usageAnswer),
      },
      handle({ caller }) {
        const now = clock()
        const { today, thisWeek, thisMonth } = accounts.usage.totals(caller.accountId, now)
        const { limit, remaining, resetsAt } = remainingRequests(
          caller.meter,
          caller.requestsPerMinute,
          now,
        )
        const data = {
          requests: {
            today,
            this_week: thisWeek,
            this_month: thisMonth,
            limit: { per_minute: limit, remaining, resets_at: instant(resetsAt * 1_000) },
          },
          streams: { active: openStreams(caller.keyId), max: caller.maxStreams },
          period: { start: instant(monthStart(now)), end: instant(monthStart(now, 1)) },
        }
        // The request itself counts, so the usage has just changed.
        return { body: objectBody(data, now) }
      },
    }),

    action('get', '/keys', {
      summary: 'The keys of the account, oldest first; never their values.',
      query: pageQuery,
      answer: {
        description: 'The keys.',
        schema: keysAnswer,
        example: exampleList(keyItem, { max_keys: 1 }),
      },
      handle({ caller, query }) {
        const account = accountOf(caller)
        const now = clock()
        const show = (key: KeyRow) => ({
          ...keyJson(key, account, now),
          key_preview: key.preview,
        })
        const meta = { max_keys: tierRights[account.tier].keysPerAccount }
        return { body: datedList(accounts.keysOf(caller.accountId), query, show, meta) }
      },
    }),

    action('post', '/keys', {
      summary: 'A new key for the account.',
      description: 'Only this response has the whole key.',
      body: jsonBody(keyCreation, bodyBytes, { name: 'ci' }),
      answer: {
        status: 201,
        description: 'The new key.',
        schema: keyCreationAnswer,
        example: bodyWithKey(exampleOf(newKey), exampleInstant),
      },
      async handle({ caller, body }) {
        const issued = await accounts.createKey(caller, body.name)
        const data = newKeyJson(issued, accountOf(caller))
        return { body: bodyWithKey(data, issued.key.updatedAt) }
      },
    }),

    action('delete', '/keys/:keyId', {
      summary: 'Deletes a key of the account; it is refused from then on.',
      description: 'Not the key of the request itself: rotate that one.',
      answer: {
        description: 'The key is deleted.',
        schema: keyDeletionAnswer,
        example: deletionBody(exampleOf(accountKey).id, exampleInstant),
      },
      async handle({ caller, path: { keyId = '' } }) {
        if (keyId === caller.keyId) {
          throw new ApiError(
            'validation_error',
            'A request cannot delete its own key; use another key, or rotate this one.',
          )
        }
        await accounts.deleteKey(caller, keyId)
        return { body: deletionBody(keyId, clock()) }
      },
    }),

    action('post', '/keys/:keyId/rotate', {
      summary: 'Gives a key a new value; the id stays.',
      description:
        'The old value is refused from then on or, with gracePeriodHours, after that time; ' +
        'until then it reads, but changes nothing.',
      pathParameters: { keyId: 'The id of the key; may be that of the request itself.' },
      body: jsonBody(keyRotation, bodyBytes, { gracePeriodHours: 24 }),
      answer: {
        description: 'The key with its new value.',
        schema: keyRotationAnswer,
        example: bodyWithKey(exampleOf(keyRotationAnswer).data, exampleInstant),
      },
      async handle({ caller, path: { keyId = '' }, body }) {
        const { gracePeriodHours = 0, name } = body ?? {}
        const issued = await accounts.rotateKey(caller, keyId, {
          graceMs: Math.round(gracePeriodHours * hourMs),
          ...(name !== undefined && { name }),
        })
        const endsAt = issued.key.former.at(-1)?.endsAt ?? null
        return { body: rotationBody(issued, accountOf(caller).tier, endsAt) }
      },
    }),
  ]
}

function accountJson(caller: Caller, account: AccountRow, now: number) {
  const { keyId, accountId, tier, addOns, features, requestsPerMinute, maxStreams } = caller
  const { delaySeconds, sportsbooks: seen } = tierRights[tier]
  const maxBooks = seen?.size ?? listedSportsbooks.length
  return {
    key: { id: keyId, tier, user_id: accountId },
    limits: {
      requests_per_minute: requestsPerMinute,
      max_streams: maxStreams,
      odds_delay_seconds: delaySeconds,
      max_books: maxBooks,
    },
    features,
    addons: addOns,
    add_ons: addOns,
    key_id: keyId,
    tier,
    rate_limit: { requests_per_minute: requestsPerMinute, max_books: maxBooks },
    streaming: { enabled: features.streaming, max_connections: maxStreams },
    ...trialJson(account, now),
  }
}

/** Returns the field `streaming_trial`, or no field if a trial would add nothing. */
export function trialJson(account: AccountRow, now: number) {
  const { tier, trialStartedAt, trialEndsAt } = account
  const used = trialStartedAt !== null && trialEndsAt !== null
  const { features } = rightsNow({ ...account, trialEndsAt: null }, now)
  const eligible = !used && tier !== 'free' && !features.streaming
  if (!used && !eligible) return {}
  const left = tier !== 'free' && trialEndsAt !== null ? Math.max(0, trialEndsAt - now) : 0
  return {
    streaming_trial: {
      active: left > 0,
      eligible,
      used,
      ...(used && { activated_at: instant(trialStartedAt)!, expires_at: instant(trialEndsAt)! }),
      remaining_hours: Math.round((left / hourMs) * 100) / 100,
    },
  }
}

/** Returns a key as lists show it, without any part of its value. */
export const keyJson = (key: KeyRow, account: AccountRow, now: number) =>
  itemOfRow(accountKey, key, {
    id_masked: `...${key.id.slice(-6)}`,
    tier: account.tier,
    is_active: !account.isDisabled && (account.expiresAt === null || now < account.expiresAt),
    created_at: instant(key.createdAt)!,
    updated_at: instant(key.updatedAt)!,
    max_streams: key.maxStreams ?? undefined,
  })

export const newKeyJson = ({ key, value }: IssuedKey, { tier }: Pick<AccountRow, 'tier'>) =>
  itemOfRow(newKey, key, { key: value, tier, max_streams: key.maxStreams ?? undefined })

export function deletionBody(keyId: string, now: number) {
  const deletion = { deleted: true, key_id: keyId, message: 'Key deleted' }
  // Some clients read the fields at the top level, others in `data`.
  return { ...objectBody(deletion, now), ...deletion }
}

/** @param endsAt when the old value stops working (epoch ms); null for at once */
function rotationBody(issued: IssuedKey, tier: AccountRow['tier'], endsAt: number | null) {
  const { id, name, preview, updatedAt } = issued.key
  const expiresAt = endsAt === null ? null : instant(endsAt)
  const data = {
    key_id: id,
    id,
    name,
    key: issued.value,
    key_preview: preview,
    status: 'active',
    rotated_at: instant(updatedAt),
    previous_key_revoked: endsAt === null,
    old_key_expires_at: expiresAt,
    new_key: newKeyJson(issued, { tier }),
    old_key: { id, revoked: endsAt === null, expires_at: expiresAt },
  }
  return bodyWithKey(data, updatedAt)
}

// ---- examples of the document

export const exampleInstant = Date.parse('2026-11-20T12:00:00.123Z')
export const firstPage: PageQuery = { limit: pageSize.usual, offset: 0 }

/** Returns the example of a response with one object. */
export const exampleBody = (answer: z.ZodType<{ readonly data: object }>) =>
  objectBody(exampleOf(answer).data, exampleInstant)

/** Returns the example of a response with a list. @param meta further fields of `meta` */
export const exampleList = (item: z.ZodType<object>, meta: object = {}) =>
  JSON.parse(
    listAnswer([exampleOf(item)], firstPage, (one) => one, {
      updatedAt: exampleInstant,
      meta: { filters: {}, ...meta },
    }),
  )
