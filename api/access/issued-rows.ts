/**
 * Writes of rows that issue a key. A log can report a write as failed and store it later. Its
 * client has then got an error, and nobody has the key's value. So once such a row is read, the row
 * before it is written back: the key has its former value again, and a new key or account is
 * deleted.
 *
 * This is kept in memory: if the process ends before such a row is read, the row stays.
 */

import { type Append, LogFullError } from '../../pipeline/log/log.ts'
import { type AccountsRow, accountsKey } from '../../schemas/account.ts'
import { unavailable } from '../ledger.ts'

export interface IssuedRows {
  /**
   * Writes the rows of one account. Call it in the account's turn.
   * @throws LogFullError, or ApiError service_unavailable: the rows are then taken back if they are read later
   */
  write(accountId: string, rows: readonly AccountsRow[]): Promise<void>
  /** Notes a record of the topic as it is read. */
  read(key: string, row: AccountsRow | null): void
  /** Takes back what was read and not confirmed. Call it when the table has changed, and regularly. */
  takeBack(): Promise<void>
}

export interface IssuedRowsOptions {
  /** Returns whether the table has every record that was read; not while a replay builds another one. */
  isTableCurrent(): boolean
  /** Returns the row of a record key in the table. */
  find(key: string): AccountsRow | undefined
  /** Returns whether an account has keys besides these. */
  hasOtherKeys(accountId: string, keys: ReadonlySet<string>): boolean
  recordOf(key: string, row: AccountsRow | null): Append
  write(records: readonly Append[]): Promise<void>
  inTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>
}

/** A row, or a deletion, of one record key. */
interface Version {
  readonly row: AccountsRow | null
  /** Whether its write was not confirmed. */
  hasFailed: boolean
  /** The version that it replaces; null if there was none. */
  former: Version | null
}

interface Issued extends Version {
  readonly key: string
  readonly row: AccountsRow
  isRead: boolean
}

interface IssuedWrite {
  readonly accountId: string
  readonly issued: readonly Issued[]
  isBeingTakenBack: boolean
}

/** Most failed writes that are remembered. The oldest are forgotten first. */
const mostFailed = 10_000

export function createIssuedRows(options: IssuedRowsOptions): IssuedRows {
  const { isTableCurrent, find, hasOtherKeys, recordOf, write, inTurn } = options
  /** Writes under way and failed writes, oldest first. */
  const writes = new Set<IssuedWrite>()

  function issuedBy(key: string, row: AccountsRow): Issued | undefined {
    for (const { issued } of writes) {
      for (const one of issued) {
        if (one.key === key && one.row.revision === row.revision) return one
      }
    }
    return undefined
  }

  function versionOf(key: string, row: AccountsRow | null): Version {
    const issued = row && issuedBy(key, row)
    return issued ?? { row, hasFailed: false, former: null }
  }

  function fail(one: IssuedWrite) {
    for (const issued of one.issued) issued.hasFailed = true
    for (const oldest of writes) {
      if (writes.size <= mostFailed) break
      if (hasFailed(oldest)) writes.delete(oldest)
    }
  }

  async function restore(one: IssuedWrite) {
    const { accountId, issued } = one
    const keys = new Set(issued.map(({ key }) => key))
    const records = issued.flatMap(({ key, row, former }) => {
      // A row that another write has replaced since is not in force.
      if (find(key)?.revision !== row.revision) return []
      const restored = confirmed(former)
      const isInUse = row.type === 'account' && hasOtherKeys(accountId, keys)
      return restored === null && isInUse ? [] : [recordOf(key, restored)]
    })
    if (records.length > 0) await write(records)
    if (issued.every(({ isRead }) => isRead)) writes.delete(one)
  }

  async function takeBackOne(one: IssuedWrite) {
    one.isBeingTakenBack = true
    try {
      await inTurn(one.accountId, () => restore(one))
    } catch {
      // The log is away. The next call tries again.
    } finally {
      one.isBeingTakenBack = false
    }
  }

  async function takeBack() {
    if (!isTableCurrent()) return
    const isDue = (one: IssuedWrite) =>
      hasFailed(one) && !one.isBeingTakenBack && one.issued.some(({ isRead }) => isRead)
    await Promise.all([...writes].filter(isDue).map(takeBackOne))
  }

  return {
    async write(accountId, rows) {
      const issued = rows.map((row): Issued => {
        const key = accountsKey(row)
        const former = versionOf(key, find(key) ?? null)
        return { key, row, former, hasFailed: false, isRead: false }
      })
      const one: IssuedWrite = { accountId, issued, isBeingTakenBack: false }
      writes.add(one)
      try {
        await write(rows.map((row) => recordOf(accountsKey(row), row)))
        writes.delete(one)
      } catch (error) {
        // A full log keeps nothing of a write.
        if (error instanceof LogFullError) {
          writes.delete(one)
          throw error
        }
        fail(one)
        // Its rows may have been read before it failed. This runs after the current turn.
        void takeBack()
        throw unavailable(
          'The change is not confirmed. If it is written after all, it is taken back. Try again.',
        )
      }
    },

    read(key, row) {
      if (writes.size === 0) return
      const version = versionOf(key, row)
      for (const { issued } of writes) {
        for (const one of issued) {
          if (one === version) one.isRead = true
          else if (one.key === key && !one.isRead) one.former = version
        }
      }
    },

    takeBack,
  }
}

const hasFailed = ({ issued }: IssuedWrite) => issued.some((one) => one.hasFailed)

/** Returns the row of the newest version that was confirmed; null if there is none. */
function confirmed(version: Version | null): AccountsRow | null {
  let newest = version
  while (newest?.hasFailed) newest = newest.former
  return newest?.row ?? null
}
