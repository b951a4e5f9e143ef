/** `/api/v1/admin/accounts`: the operator creates and changes accounts. Needs the admin token. */

import type { z } from 'zod'
import { type ArchivedUsage, usageQuery } from '../../pipeline/archive/usage.ts'
import { invariant } from '../../pipeline/invariant.ts'
import type { AccountRow, KeyRow } from '../../schemas/account.ts'
import {
  accountChange,
  accountCreation,
  accountKey,
  adminAccount,
  adminAccountAnswer,
  adminAccountsAnswer,
  adminCreationAnswer,
  keyCreationAnswer,
  keyDeletionAnswer,
  keyGrant,
  newKey,
  usageByDayAnswer,
  usageByDayQuery,
  usageOfDay,
} from '../../schemas/http/account.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import type { AccountChange, Accounts } from '../access/accounts.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import { datedList, listAnswer, type PageQuery } from '../answer/list-page.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { archiveErrors } from '../ask/archive-questions.ts'
import { adminActions, jsonBody, type Route } from '../route.ts'
import {
  bodyWithKey,
  deletionBody,
  exampleBody,
  exampleInstant,
  exampleList,
  keyJson,
  newKeyJson,
  pageQuery,
  trialJson,
} from './account.ts'

export interface AdminRoutesOptions {
  readonly accounts: Accounts
  readonly archive: ArchiveAccess
  readonly clock: () => number
}

const action = adminActions('/api/v1/admin', {
  accountId: 'The id of the account.',
  keyId: 'The id of the key.',
})
const bodyBytes = 8_192

export function createAdminRoutes({ accounts, archive, clock }: AdminRoutesOptions): Route[] {
  const json = (account: AccountRow) => accountJson(account, accounts.keysOf(account.id), clock())

  return [
    action('post', '/accounts', {
      summary: 'A new account with its first key.',
      description: 'Only this response shows the key.',
      body: jsonBody(accountCreation, bodyBytes, {
        name: 'Example Analytics',
        tier: 'pro',
        addons: ['streaming'],
      }),
      answer: {
        status: 201,
        description: 'The account and its key.',
        schema: adminCreationAnswer,
        example: bodyWithKey(exampleOf(adminCreationAnswer).data, exampleInstant),
      },
      async handle({ body }) {
        const { account, key, value } = await accounts.create({
          name: body.name,
          tier: body.tier,
          addOns: body.addons ?? [],
          expiresAt: instantOf(body.expires_at ?? null),
          isOwner: body.owner ?? false,
        })
        const data = { ...json(account), key_id: key.id, key: value }
        return { body: bodyWithKey(data, account.updatedAt) }
      },
    }),

    action('get', '/accounts', {
      summary: 'All accounts with the ids of their keys, oldest first.',
      query: pageQuery,
      answer: {
        description: 'The accounts; no values of keys.',
        schema: adminAccountsAnswer,
        example: exampleList(adminAccount),
      },
      handle({ query }) {
        return { body: datedList(accounts.list(), query, json) }
      },
    }),

    action('patch', '/accounts/:accountId', {
      summary: 'Changes tier, add-ons, state or end of an account, or starts its streaming trial.',
      description:
        'Every process applies it within a second. A lower tier does not delete keys above its limit.',
      body: jsonBody(accountChange, bodyBytes, { tier: 'sharp', streaming_trial_hours: 4 }),
      answer: {
        description: 'The account as it is now.',
        schema: adminAccountAnswer,
        example: exampleBody(adminAccountAnswer),
      },
      async handle({ path: { accountId = '' }, body }) {
        const account = await accounts.change(accountId, changeOf(body))
        return { body: objectBody(json(account), account.updatedAt) }
      },
    }),

    action('post', '/accounts/:accountId/keys', {
      summary: 'A further key for an account, such as to replace a lost one.',
      description:
        'The tier’s number of keys does not limit this. Only this response shows the key.',
      body: jsonBody(keyGrant, bodyBytes, { name: 'backend', max_streams: 20 }),
      answer: {
        status: 201,
        description: 'The new key.',
        schema: keyCreationAnswer,
        example: bodyWithKey({ ...exampleOf(newKey), max_streams: 20 }, exampleInstant),
      },
      errors: ['forbidden'],
      async handle({ path: { accountId = '' }, body }) {
        const { name, max_streams: maxStreams = null } = body
        const issued = await accounts.grantKey(accountId, { name, maxStreams })
        const account = accounts.find(accountId)
        invariant(account, 'an account that was given a key is there')
        return { body: bodyWithKey(newKeyJson(issued, account), issued.key.updatedAt) }
      },
    }),

    action('delete', '/accounts/:accountId/keys/:keyId', {
      summary: 'Deletes a key of an account; it is refused from then on.',
      answer: {
        description: 'The key is deleted.',
        schema: keyDeletionAnswer,
        example: deletionBody(exampleOf(accountKey).id, exampleInstant),
      },
      errors: ['forbidden'],
      async handle({ path: { accountId = '', keyId = '' } }) {
        await accounts.revokeKey(accountId, keyId)
        return { body: deletionBody(keyId, clock()) }
      },
    }),

    createUsageByDay(archive, clock),
  ]
}

const dayMs = 86_400_000
/** Default length of the period (days). */
const usualDays = 30

function createUsageByDay({ reads, limits }: ArchiveAccess, clock: () => number): Route {
  return action('get', '/usage', {
    summary: 'Requests by day, account and family of routes, as the archive keeps them.',
    query: usageByDayQuery,
    answer: {
      description: 'By day, account and family.',
      schema: usageByDayAnswer,
      example: JSON.parse(
        usageBody([{ ...exampleOf(usageOfDay), on_day: '2026-11-20' }], { limit: 100, offset: 0 }),
      ),
    },
    errors: archiveErrors,
    async handle({ query }) {
      const { account_id: accountId, from, to } = query
      const now = clock()
      const rows = await reads.rows<ArchivedUsage>({
        caller: 'admin',
        ...usageQuery({
          accountId,
          from: from ?? dayOf(now - usualDays * dayMs),
          to: to ?? dayOf(now),
        }),
        limits: limits.enterprise,
      })
      return { body: usageBody(rows, query) }
    },
  })
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

function usageBody(rows: readonly ArchivedUsage[], page: PageQuery): string {
  const requests = rows.reduce((sum, row) => sum + row.requests, 0)
  return listAnswer(
    rows,
    page,
    ({ account_id, on_day: day, family, requests }) => ({ account_id, day, family, requests }),
    { updatedAt: 0, meta: { filters: {}, requests } },
  )
}

function changeOf(body: z.infer<typeof accountChange>): AccountChange {
  const { name, tier, addons, disabled, owner, expires_at, streaming_trial_hours } = body
  return {
    ...(name !== undefined && { name }),
    ...(tier !== undefined && { tier }),
    ...(addons !== undefined && { addOns: addons }),
    ...(disabled !== undefined && { isDisabled: disabled }),
    ...(owner !== undefined && { isOwner: owner }),
    ...(expires_at !== undefined && { expiresAt: instantOf(expires_at) }),
    ...(streaming_trial_hours !== undefined && { trialHours: streaming_trial_hours }),
  }
}

const instantOf = (text: string | null) => (text === null ? null : Date.parse(text))

function accountJson(account: AccountRow, keys: readonly KeyRow[], now: number) {
  const { id, addOns, isDisabled, isOwner, expiresAt, createdAt, updatedAt } = account
  return itemOfRow(adminAccount, account, {
    account_id: id,
    addons: addOns,
    disabled: isDisabled,
    owner: isOwner,
    expires_at: expiresAt === null ? null : instant(expiresAt),
    ...trialJson(account, now),
    keys: keys.map((key) => keyJson(key, account, now)),
    created_at: instant(createdAt)!,
    updated_at: instant(updatedAt)!,
  })
}
