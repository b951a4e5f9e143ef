/** The ledger of all accounts' profiles, over the topic `profiles`. Every read names the account. */

import type { Log } from '../../pipeline/log/log.ts'
import { type Fees, feesWith } from '../../pipeline/rules/odds/fees.ts'
import type { View } from '../../pipeline/views/view.ts'
import { emptyProfile, type ProfileRow } from '../../schemas/profile.ts'
import { topics } from '../../schemas/topics.ts'
import { createLedger, rowsByKey } from '../ledger.ts'

/** Fields that an account sets. */
export type ProfileFields = Omit<ProfileRow, 'accountId' | 'revision' | 'updatedAt'>

export interface Profiles {
  /** To be fed by a follower of the log. */
  readonly view: View
  /** Returns an account's profile; empty if it has none. */
  of(accountId: string): ProfileRow
  /** Replaces these fields. @throws ApiError service_unavailable */
  change(accountId: string, fields: Partial<ProfileFields>): Promise<ProfileRow>
}

export function openProfiles(log: Log, clock: () => number): Profiles {
  const ledger = createLedger(log, { topic: topics.profiles, ...rowsByKey<ProfileRow>() })
  const of = (accountId: string) => ledger.table.get(accountId) ?? emptyProfile(accountId)

  return {
    view: ledger,
    of,
    change: (accountId, fields) =>
      ledger.inTurn(accountId, async () => {
        const row = await ledger.change<ProfileRow>({
          find: () => of(accountId),
          make: (before) => ({ ...before, ...fields, updatedAt: clock() }),
          record: (_, value) => ({
            topic: topics.profiles,
            partitionKey: accountId,
            key: accountId,
            value,
          }),
        })
        return row ?? of(accountId)
      }),
  }
}

/** Returns the sportsbooks the account uses. */
export const booksOf = ({ sportsbooks }: ProfileRow): readonly string[] =>
  sportsbooks.flatMap(({ sportsbook, status }) => (status === 'paused' ? [] : sportsbook))

/** Returns the fees for an account's prices: those it states, else those that the service counts. */
export function feesOf({ sportsbooks }: ProfileRow, counted: Fees): Fees {
  const rates = sportsbooks.flatMap(({ sportsbook, commission }) =>
    commission === null ? [] : [[sportsbook, commission] as const],
  )
  return rates.length === 0
    ? counted
    : new Map([...counted, ...feesWith(false, Object.fromEntries(rates))])
}
