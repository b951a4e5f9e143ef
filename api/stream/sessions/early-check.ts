/** What can be said of a key before requests are answered, while accounts may still be being read. */

import type { Accounts } from '../../access/accounts.ts'
import type { Caller } from '../../access/keys.ts'
import { ApiError } from '../../errors.ts'
import type { StreamRights } from './rights.ts'

/**
 * @returns who presents the key, null where that is not known yet
 * @throws ApiError where it will be refused whatever is still to be read
 */
export type EarlyCheck = (key: string) => Caller | null

export interface EarlyCheckOptions {
  readonly accounts: Pick<Accounts, 'keyring'>
  readonly rights: Pick<StreamRights, 'require'>
  /** Epoch ms. */
  readonly clock: () => number
  /** Whether all accounts and keys have been read. */
  readonly hasKeys: () => boolean
}

/** These follow from the text of the key alone. */
const certain: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key'])

export function createEarlyCheck(options: EarlyCheckOptions): EarlyCheck {
  const { accounts, rights, clock, hasKeys } = options
  return (key) => {
    try {
      const caller = accounts.keyring.authenticate(key, clock())
      // An account that is read in part may have been given more since, or less.
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
