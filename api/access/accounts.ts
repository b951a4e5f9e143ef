/**
 * Accounts and keys: a ledger of the topic `accounts`, so every API process has the same table a moment later. One
 * process writes one change at a time. Two processes that write at the same moment may together give an account one
 * key more than its tier allows.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { sleep } from '../../pipeline/async/abort-signals.ts'
import type { Append, Log } from '../../pipeline/log/log.ts'
import type { View } from '../../pipeline/views/view.ts'
import {
  type AccountRow,
  type AccountsRow,
  type AddOn,
  accountsKey,
  type KeyRow,
} from '../../schemas/account.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { topics } from '../../schemas/topics.ts'
import { ApiError, invalid, retryAfter } from '../errors.ts'
import { createLedger, unavailable } from '../ledger.ts'
import { createAccountsTable } from './accounts-table.ts'
import { createIssuedRows } from './issued-rows.ts'
import {
  checkAccount,
  createKeyring,
  createKeyValue,
  isSandboxAccount,
  type Keyring,
  keyHash,
  keyPreview,
  mostStreamsOf,
  type PresentedKey,
  sandboxRows,
} from './keys.ts'
import { createMeters } from './limits.ts'
import { alone, createPeers, keepReporting, type Peers } from './peers.ts'
import { createRepeatedAppend } from './repeated-append.ts'
import { ownerTiers } from './scope.ts'
import { rightsNow, tierRights } from './tiers.ts'
import { createUsage, flushEveryMs, type Usage } from './usage.ts'

export interface NewAccount {
  readonly name: string
  readonly tier: Tier
  readonly addOns: readonly AddOn[]
  /** Epoch ms; null for never. */
  readonly expiresAt: number | null
  /** Whether it is the operator's own; default false. Needs a tier with all sportsbooks. */
  readonly isOwner?: boolean
}

export interface AccountChange extends Partial<NewAccount> {
  readonly isDisabled?: boolean
  /** Starts a streaming trial of this many hours, replacing an earlier one; 0 ends it. */
  readonly trialHours?: number
}

/** A new key by the operator. */
export interface NewKey {
  readonly name: string
  /** Most streams at once; null for the tier's number. */
  readonly maxStreams: number | null
}

export interface Rotation {
  /** How long the old value still works; 0 revokes it and all earlier ones at once. */
  readonly graceMs: number
  /** A new name; absent keeps the old. */
  readonly name?: string
}

/** A key and its new value, which is not stored and cannot be shown again. */
export interface IssuedKey {
  readonly key: KeyRow
  readonly value: string
}

/**
 * The accounts, their keys and their usage. Writes throw ApiError, also service_unavailable. Writes
 * of one account run one after the other, and wait for no other account. If a write that issued a
 * key was not confirmed but is stored after all, the key is taken back, because nobody has its
 * value.
 *
 * A holder changes keys with a key of the same account. That key is checked again just before the write: if it was
 * deleted or rotated meanwhile, nothing changes. Routes refuse a former value before.
 */
export interface Accounts {
  readonly keyring: Keyring
  readonly usage: Usage
  /** The other processes that share the limits. */
  readonly peers: Peers
  /** Resolves when the log is read up to its end at the start, and the peers know this process. */
  readonly ready: Promise<void>
  /** Views to be fed by a follower of the log, in this order. */
  readonly views: readonly View[]
  /** Writes usage and reports to the peers until `signal` aborts. Rejects if the log fails. */
  run(signal: AbortSignal): Promise<void>
  /** Writes the last usage and signs off from the peers. Call it before the log is closed. */
  close(): Promise<void>

  /** Finds an account, including those of the sandbox. */
  find(accountId: string): AccountRow | undefined
  /** Returns all accounts except the sandbox's, oldest first. */
  list(): readonly AccountRow[]
  /** Returns the keys of an account, oldest first. */
  keysOf(accountId: string): readonly KeyRow[]

  /** Creates an account with its first key. @throws ApiError validation_error for an owner of a lower tier */
  create(account: NewAccount): Promise<IssuedKey & { readonly account: AccountRow }>
  /** @throws ApiError not_found, validation_error for an owner of a lower tier */
  change(accountId: string, change: AccountChange): Promise<AccountRow>
  /**
   * @throws ApiError validation_error for more keys than the tier allows, rate_limited for more
   *   than `newKeysPerHour`, forbidden in the sandbox. Also invalid_api_key, disabled_api_key or
   *   expired_api_key if the right ended meanwhile
   */
  createKey(by: PresentedKey, name: string): Promise<IssuedKey>
  /** Deletes a key of the same account. @throws ApiError not_found, and as `createKey` */
  deleteKey(by: PresentedKey, keyId: string): Promise<void>
  /**
   * Gives a key of the same account a new value.
   * @throws ApiError not_found, rate_limited for more than `rotationsPerHour`, and as `createKey`
   */
  rotateKey(by: PresentedKey, keyId: string, rotation: Rotation): Promise<IssuedKey>

  /**
   * Creates a key by the operator, even beyond the tier's number of keys.
   * @throws ApiError not_found, forbidden in the sandbox
   */
  grantKey(accountId: string, key: NewKey): Promise<IssuedKey>
  /** Deletes a key by the operator. @throws ApiError not_found, forbidden in the sandbox */
  revokeKey(accountId: string, keyId: string): Promise<void>
}

export interface AccountsOptions {
  /** Whether the three well-known test keys work. */
  readonly sandbox: boolean
  readonly clock: () => number
  /** Whether other API processes may be on the log; default false. */
  readonly isShared?: boolean
}

/** Most former values of one key within their grace periods at once. */
const mostFormerValues = 5

/** Most new keys of one account within an hour, at one process. Each key is a record in the log. */
export const newKeysPerHour = 20

const hourMs = 3_600_000

/**
 * Most rotations of keys of one account within an hour, at one process: enough to rotate all keys of an account of any
 * tier. A disable by the operator waits for the rotations that came before it.
 */
export const rotationsPerHour = 120

/** @returns the accounts: only those of the sandbox until a follower feeds the views */
export function openAccounts(
  log: Log,
  { sandbox, clock, isShared = false }: AccountsOptions,
): Accounts {
  const meters = createMeters()
  const processName = randomBytes(6).toString('hex')
  const usage = createUsage(log, { writer: processName, meters, clock })
  const peers = isShared
    ? createPeers({
        process: processName,
        meters,
        mostStreams,
        clock,
        timer: () => performance.now(),
      })
    : null
  const builtIn = sandbox ? sandboxRows(clock()) : []
  for (const row of builtIn) if (row.type === 'key') meters.of(row.id, row.accountId)
  let markJoined = () => {}
  const joined =
    peers &&
    new Promise<void>((resolve) => {
      markJoined = resolve
    })
  const ledger = createLedger(log, {
    topic: topics.accounts,
    empty: () => createAccountsTable(builtIn),
    take(table, key, value) {
      const row = value as AccountsRow | null
      issued.read(key, row)
      table.take(key, row)
      // Created now, so that requests at other processes count before the key's first request here.
      if (row?.type === 'key') meters.of(row.id, row.accountId)
      else if (!row) meters.drop(key.slice(key.indexOf(':') + 1))
    },
    changed(before) {
      // A replay does not mention keys that were deleted long ago.
      for (const id of before?.keys.keys() ?? []) if (!ledger.table.keys.has(id)) meters.drop(id)
      keyring.forget()
      void issued.takeBack()
    },
  })
  /** Rows that issue a key; one that was not confirmed is taken back when it is read. */
  const issued = createIssuedRows({
    isTableCurrent: () => !ledger.isReplaying,
    find: (key) => ledger.table.find(key),
    hasOtherKeys: (accountId, keys) =>
      ledger.table.keysOf(accountId).some((key) => !keys.has(accountsKey(key))),
    recordOf,
    write: (records) => ledger.write(records),
    inTurn: (accountId, work) => ledger.inTurn(accountId, work),
  })
  const keyring = createKeyring({
    find: (hash) => ledger.table.findKey(hash),
    isReady: () => ledger.isReady,
    meters,
  })

  function mostStreams(keyId: string): number {
    const key = ledger.table.keys.get(keyId)
    const account = key && ledger.table.accounts.get(key.accountId)
    return account ? mostStreamsOf(key, rightsNow(account, clock())) : Number.POSITIVE_INFINITY
  }

  const { inTurn } = ledger

  const erase = (key: KeyRow) => ledger.write([recordOf(accountsKey(key), null)])

  async function flushRegularly(signal: AbortSignal) {
    while (!signal.aborted) {
      await sleep(flushEveryMs, signal)
      // A row's age is known only once the table is complete.
      if (ledger.isReady && !signal.aborted) await Promise.all([usage.flush(), issued.takeBack()])
    }
  }

  function accountToChange(accountId: string): AccountRow {
    if (!ledger.isReady) throw unavailable('The accounts are still being read; try again.')
    const account = ledger.table.accounts.get(accountId)
    if (!account) throw new ApiError('not_found', 'No account has this id.')
    return account
  }

  /** Returns an account whose keys may be changed. */
  function keyHolder(accountId: string): AccountRow {
    if (isSandboxAccount(accountId)) {
      throw new ApiError('forbidden', 'Sandbox keys cannot be changed; ask for an account.')
    }
    return accountToChange(accountId)
  }

  /** Returns the account of a key that is still valid. */
  function holderBy(by: PresentedKey): AccountRow {
    const account = keyHolder(by.accountId)
    if (ledger.table.keys.get(by.keyId)?.revision !== by.keyRevision) {
      throw new ApiError(
        'invalid_api_key',
        'This API key was changed or deleted during the request; nothing was done.',
      )
    }
    checkAccount(account, clock())
    return account
  }

  const countNewKey = createHourlyLimit(newKeysPerHour, (most) => `make ${most} keys`)
  const countRotation = createHourlyLimit(rotationsPerHour, (most) => `rotate keys ${most} times`)

  /** Writes a key that was counted. @param takeBack called if it could not be written */
  async function issue(key: KeyRow, takeBack: () => void) {
    try {
      await issued.write(key.accountId, [key])
    } catch (error) {
      takeBack()
      throw error
    }
  }

  function keyToChange({ id: accountId }: AccountRow, keyId: string): KeyRow {
    const key = ledger.table.keys.get(keyId)
    // A key of another account must look like one that does not exist.
    if (key?.accountId !== accountId)
      throw new ApiError('not_found', 'You have no key with this id.')
    return key
  }

  const keysOf = (accountId: string) => oldestFirst(ledger.table.keysOf(accountId))

  return {
    keyring,
    usage,
    peers: peers ?? alone,
    ready: Promise.all([ledger.ready, joined]).then(() => {}),

    views: [ledger, usage, ...(peers ? [peers] : [])],

    async run(signal) {
      const ended = new AbortController()
      const running = AbortSignal.any([signal, ended.signal])
      const all = [flushRegularly(running), peers && keepReporting(log, peers, running, markJoined)]
      try {
        await Promise.all(all)
      } finally {
        ended.abort()
        await Promise.allSettled(all)
      }
    },

    async close() {
      const append = createRepeatedAppend(log)
      await Promise.all([usage.flush(), peers && append([peers.farewell()])])
    },

    find: (accountId) => ledger.table.accounts.get(accountId),
    list: () =>
      oldestFirst([...ledger.table.accounts.values()].filter(({ id }) => !isSandboxAccount(id))),
    keysOf,

    create: (wanted) => {
      const accountId = createId('acct')
      return inTurn(accountId, async () => {
        if (!ledger.isReady) throw unavailable('The accounts are still being read; try again.')
        const now = clock()
        const account: AccountRow = {
          type: 'account',
          id: accountId,
          isOwner: false,
          ...wanted,
          isDisabled: false,
          trialStartedAt: null,
          trialEndsAt: null,
          ...writtenAt(now, now),
        }
        checkOwner(account)
        const made = newKey(accountId, 'default', now)
        await issued.write(accountId, [account, made.key])
        return { account, ...made }
      })
    },

    change: (accountId, { trialHours, ...change }) =>
      inTurn(accountId, async () => {
        accountToChange(accountId)
        if (isSandboxAccount(accountId)) {
          throw new ApiError('not_found', 'Sandbox accounts cannot be changed.')
        }
        const now = clock()
        const row = await ledger.change<AccountRow>({
          find: () => ledger.table.accounts.get(accountId),
          make(before) {
            const changed = {
              ...before,
              ...change,
              ...(trialHours !== undefined && trialOf(before, trialHours, now)),
              ...writtenAt(before.createdAt, now),
            }
            checkOwner(changed)
            return changed
          },
          record: (row, value) => recordOf(accountsKey(row), value),
        })
        return row ?? accountToChange(accountId)
      }),

    createKey: (by, name) =>
      inTurn(by.accountId, async () => {
        const { id: accountId, tier } = holderBy(by)
        const { keysPerAccount } = tierRights[tier]
        if (keysOf(accountId).length >= keysPerAccount) {
          const keys = keysPerAccount === 1 ? 'one key' : `${keysPerAccount} keys`
          throw new ApiError(
            'validation_error',
            `An account of the ${tier} tier has ${keys}; delete or rotate one instead.`,
            { max_keys: keysPerAccount },
          )
        }
        const now = clock()
        const takeBack = countNewKey(accountId, now)
        const made = newKey(accountId, name, now)
        await issue(made.key, takeBack)
        return made
      }),

    deleteKey: (by, keyId) =>
      inTurn(by.accountId, async () => {
        await erase(keyToChange(holderBy(by), keyId))
      }),

    rotateKey: (by, keyId, { graceMs, name }) =>
      inTurn(by.accountId, async () => {
        const before = keyToChange(holderBy(by), keyId)
        const now = clock()
        const running = before.former.filter(({ endsAt }) => endsAt > now)
        if (graceMs > 0 && running.length >= mostFormerValues) {
          throw new ApiError(
            'validation_error',
            `${mostFormerValues} values of this key are within their grace periods already.`,
          )
        }
        const takeBack = countRotation(by.accountId, now)
        const value = createKeyValue()
        const key: KeyRow = {
          ...before,
          ...(name !== undefined && { name }),
          hash: keyHash(value),
          preview: keyPreview(value),
          rotatedAt: now,
          former: graceMs > 0 ? [...running, { hash: before.hash, endsAt: now + graceMs }] : [],
          ...writtenAt(before.createdAt, now),
        }
        await issue(key, takeBack)
        return { key, value }
      }),

    grantKey: (accountId, { name, maxStreams }) =>
      inTurn(accountId, async () => {
        keyHolder(accountId)
        const made = newKey(accountId, name, clock(), maxStreams)
        await issued.write(accountId, [made.key])
        return made
      }),

    revokeKey: (accountId, keyId) =>
      inTurn(accountId, async () => {
        await erase(keyToChange(keyHolder(accountId), keyId))
      }),
  }
}

const recordOf = (key: string, value: AccountsRow | null): Append => ({
  topic: topics.accounts,
  partitionKey: 0,
  key,
  value,
})

const createId = (kind: 'acct' | 'key') => `${kind}_${randomBytes(6).toString('hex')}`

const writtenAt = (createdAt: number, now: number) => ({
  createdAt,
  // A row must not become older than it was if the clock steps back.
  updatedAt: Math.max(createdAt, now),
  revision: randomUUID(),
})

function newKey(
  accountId: string,
  name: string,
  now: number,
  maxStreams: number | null = null,
): IssuedKey {
  const value = createKeyValue()
  const key: KeyRow = {
    type: 'key',
    id: createId('key'),
    accountId,
    name,
    hash: keyHash(value),
    preview: keyPreview(value),
    rotatedAt: null,
    former: [],
    maxStreams,
    ...writtenAt(now, now),
  }
  return { key, value }
}

/**
 * Returns a function that counts one change of an account in the current hour.
 * @param may returns what an account may do, with the number, for the message
 */
function createHourlyLimit(most: number, may: (most: number) => string) {
  let counts = new Map<string, number>()
  let countedHour = 0
  /** @returns a function that takes it back @throws ApiError rate_limited */
  return (accountId: string, now: number): (() => void) => {
    const hour = Math.floor(now / hourMs)
    if (hour !== countedHour) {
      countedHour = hour
      counts = new Map()
    }
    const count = counts.get(accountId) ?? 0
    if (count >= most) {
      const seconds = Math.ceil(((hour + 1) * hourMs - now) / 1_000)
      throw new ApiError(
        'rate_limited',
        `An account may ${may(most)} an hour; try again in ${seconds} s.`,
        retryAfter(seconds),
      )
    }
    const ofHour = counts
    ofHour.set(accountId, count + 1)
    return () => ofHour.set(accountId, ofHour.get(accountId)! - 1)
  }
}

/** Returns a trial of `hours` from now; 0 ends the current one. */
function trialOf({ trialStartedAt, trialEndsAt }: AccountRow, hours: number, now: number) {
  if (hours > 0) return { trialStartedAt: now, trialEndsAt: Math.round(now + hours * hourMs) }
  if (trialEndsAt === null) return {}
  return { trialStartedAt, trialEndsAt: Math.min(trialEndsAt, now) }
}

const oldestFirst = <Row extends AccountsRow>(rows: Row[]) =>
  rows.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))

/**
 * An owner sees more sportsbooks than any tier, so its tier must see all.
 * @throws ApiError validation_error
 */
function checkOwner({ isOwner, tier }: AccountRow) {
  if (!isOwner || ownerTiers.includes(tier)) return
  const message = `An owner’s account sees every sportsbook: it needs the tier ${ownerTiers.join(' or ')}.`
  throw invalid(['owner'], message)
}
