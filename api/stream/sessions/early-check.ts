/** Checks a key before the service is ready, while accounts may still be loading. */

import type { Accounts } from '../../access/accounts.ts'
import type { Caller } from '../../access/keys.ts'
import { ApiError } from '../../errors.ts'
import type { StreamRights } from './rights.ts'

/**
 * @returns the key's caller; null while unknown
 * @throws ApiError if the key will be refused whatever is loaded later
 */
export type EarlyCheck = (key: string) => Caller | null

export interface EarlyCheckOptions {
  readonly accounts: Pick<Accounts, 'keyring'>
  readonly rights: Pick<StreamRights, 'require'>
  /** Epoch ms. */
  readonly clock: () => number
  /** Whether all accounts and keys are loaded. */
  readonly hasKeys: () => boolean
}

/** Errors that depend on the key's text only. */
const certain: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key'])

export function createEarlyCheck(options: EarlyCheckOptions): EarlyCheck {
  const { accounts, rights, clock, hasKeys } = options
  return (key) => {
    try {
      const caller = accounts.keyring.authenticate(key, clock())
      // Records still to be read may change the account's rights.
      if (!hasKeys()) return null
      rights.require(caller)
      return caller
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (hasKeys() || certain.has(error.code)) throw error
      return null
    }
  }
}
