/**
 * Accounts and their API keys: two kinds of rows in the compacted topic `accounts`, an account
 * under `account:<id>` and a key under `key:<id>`. All of them lie in one partition, so a key never
 * comes before its account.
 */

import type { Tier } from './reference/tier-books.ts'

/** What can be booked beside a tier. */
export type AddOn = 'streaming' | 'game_state'
export const addOns: readonly AddOn[] = ['streaming', 'game_state']

interface Versioned {
  readonly id: string
  /** A new one with each write, by which the writer knows its own row again. */
  readonly revision: string
  readonly createdAt: number
  /** When the row was last written (epoch ms). */
  readonly updatedAt: number
}

export interface AccountRow extends Versioned {
  readonly type: 'account'
  readonly name: string
  readonly tier: Tier
  /** As booked; which of them the tier lets be used is in `api/access/tiers.ts`. */
  readonly addOns: readonly AddOn[]
  readonly isDisabled: boolean
  /** Whether it is the operator's own: it sees what sources give for their owner alone. */
  readonly isOwner: boolean
  /** From then on its keys are refused (epoch ms); null for never. */
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
  /** The beginning of the value, to recognise it by. */
  readonly preview: string
  readonly rotatedAt: number | null
  /** Values before a rotation that go on working for a while. */
  readonly former: readonly FormerValue[]
  /** Streams at once, in place of what the account's tier says; null for that. */
  readonly maxStreams: number | null
}

export interface FormerValue {
  readonly hash: string
  /** From then on it is refused (epoch ms). */
  readonly endsAt: number
}

/** A row of the topic. */
export type AccountsRow = AccountRow | KeyRow

/** Where a row stands in its table. */
export const accountsKey = ({ type, id }: Pick<AccountsRow, 'type' | 'id'>) => `${type}:${id}`
