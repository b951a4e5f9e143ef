/**
 * Accounts and their API keys: two kinds of rows in the compacted topic `accounts`, an account under `account:<id>`
 * and a key under `key:<id>`. All of them are in one partition, so a key never comes before its account.
 */

import type { Tier } from './reference/tier-books.ts'

/** The features that can be booked beside a tier. */
export type AddOn = 'streaming' | 'game_state'
export const addOns: readonly AddOn[] = ['streaming', 'game_state']

interface Versioned {
  readonly id: string
  /** Random with each write, so that the writer recognises its own row. */
  readonly revision: string
  readonly createdAt: number
  /** When the row was last written (epoch ms). */
  readonly updatedAt: number
}

export interface AccountRow extends Versioned {
  readonly type: 'account'
  readonly name: string
  readonly tier: Tier
  /** The booked add-ons; `api/access/tiers.ts` decides which of them the tier may use. */
  readonly addOns: readonly AddOn[]
  readonly isDisabled: boolean
  /** Whether it is the operator's own: it sees data that sources give to their owner only. */
  readonly isOwner: boolean
  /** The time from which its keys are refused (epoch ms); null for never. */
  readonly expiresAt: number | null
  /** The newest streaming trial (epoch ms); both null for none yet. */
  readonly trialStartedAt: number | null
  readonly trialEndsAt: number | null
}

export interface KeyRow extends Versioned {
  readonly type: 'key'
  readonly accountId: string
  readonly name: string
  /** `keyHash` of the value; the value itself is kept nowhere. */
  readonly hash: string
  /** The beginning of the value, to recognise the key by. */
  readonly preview: string
  readonly rotatedAt: number | null
  /** Values before a rotation that stay valid for a while. */
  readonly former: readonly FormerValue[]
  /** The most streams at once, instead of the tier's limit; null for the tier's. */
  readonly maxStreams: number | null
}

export interface FormerValue {
  readonly hash: string
  /** The time from which it is refused (epoch ms). */
  readonly endsAt: number
}

/** A row of the topic. */
export type AccountsRow = AccountRow | KeyRow

/** Returns the row's key in its table. */
export const accountsKey = ({ type, id }: Pick<AccountsRow, 'type' | 'id'>) => `${type}:${id}`
