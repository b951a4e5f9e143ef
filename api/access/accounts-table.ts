/** The accounts and keys of the topic `accounts`, by id; keys also by the hashes of their values. */

import {
  type AccountRow,
  type AccountsRow,
  accountsKey,
  type KeyRow,
} from '../../schemas/account.ts'
import type { FoundKey } from './keys.ts'
import type { Meters } from './limits.ts'

export type AccountsTable = ReturnType<typeof createAccountsTable>

/** The rows by id, and keys by account and by the hashes of their values. */
export function createAccountsTable(builtIn: readonly AccountsRow[]) {
  const accounts = new Map<string, AccountRow>()
  const keys = new Map<string, KeyRow>()
  const keysByAccount = new Map<string, Set<string>>()
  const byHash = new Map<string, { keyId: string; endsAt: number }>()

  function takeOut({ id, accountId, hash, former }: KeyRow) {
    keys.delete(id)
    keysByAccount.get(accountId)?.delete(id)
    for (const value of [{ hash }, ...former]) byHash.delete(value.hash)
  }

  function put(row: AccountsRow) {
    if (row.type === 'account') {
      accounts.set(row.id, row)
      return
    }
    const { id, accountId, hash, former } = row
    const before = keys.get(id)
    if (before) takeOut(before)
    keys.set(id, row)
    const ids = keysByAccount.get(accountId)
    if (ids) ids.add(id)
    else keysByAccount.set(accountId, new Set([id]))
    for (const value of former) byHash.set(value.hash, { keyId: id, endsAt: value.endsAt })
    byHash.set(hash, { keyId: id, endsAt: Number.POSITIVE_INFINITY })
  }

  for (const row of builtIn) put(row)
  return {
    accounts,
    keys,
    /** @param meters gains a meter for each key, and loses it when the key is deleted */
    apply(key: string, row: AccountsRow | null, meters: Meters) {
      if (row) {
        put(row)
        // Made before the key's first request here, so that requests at other processes count too.
        if (row.type === 'key') meters.of(row.id, row.accountId)
        return
      }
      const id = key.slice(key.indexOf(':') + 1)
      if (key === accountsKey({ type: 'account', id })) accounts.delete(id)
      else {
        const before = keys.get(id)
        if (before) takeOut(before)
        meters.drop(id)
      }
    },
    findKey(hash: string): FoundKey | undefined {
      const value = byHash.get(hash)
      const key = value && keys.get(value.keyId)
      const account = key && accounts.get(key.accountId)
      return account && { key, account, endsAt: value.endsAt }
    },
    keysOf: (accountId: string) =>
      [...(keysByAccount.get(accountId) ?? [])].map((id) => keys.get(id)!),
  }
}
