/** The table of the topic `accounts`: accounts and keys in memory. */

import {
  type AccountRow,
  type AccountsRow,
  accountsKey,
  type KeyRow,
} from '../../schemas/account.ts'
import type { FoundKey } from './keys.ts'

/** Creates the table: rows by id; keys also by account and by the hashes of their values. */
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
    take(key: string, row: AccountsRow | null) {
      if (row) {
        put(row)
        return
      }
      const id = key.slice(key.indexOf(':') + 1)
      const before = keys.get(id)
      if (key === accountsKey({ type: 'account', id })) accounts.delete(id)
      else if (before) takeOut(before)
    },
    /** Returns the row of a record key. */
    find(key: string): AccountsRow | undefined {
      const id = key.slice(key.indexOf(':') + 1)
      return key === accountsKey({ type: 'account', id }) ? accounts.get(id) : keys.get(id)
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
