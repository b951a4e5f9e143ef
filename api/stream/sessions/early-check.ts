/** Says whether a key can be checked before the service is ready, while accounts may still be loading. */

import type { Keyring } from '../../access/keys.ts'
import { ApiError } from '../../errors.ts'

/** Returns whether the result for a key is certain, whatever is still to be loaded. */
export type EarlyCheck = (key: string) => boolean

export interface EarlyCheckOptions {
  readonly keyring: Keyring
  /** Epoch ms. */
  readonly clock: () => number
  /** Whether all accounts and keys are loaded. */
  readonly hasKeys: () => boolean
}

/** Errors that depend on the key's text only. */
const certain: ReadonlySet<string> = new Set(['missing_api_key', 'invalid_api_key'])

export function createEarlyCheck({ keyring, clock, hasKeys }: EarlyCheckOptions): EarlyCheck {
  return (key) => {
    if (hasKeys()) return true
    try {
      keyring.authenticate(key, clock())
      // Records still to be read may change the account's rights.
      return false
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return certain.has(error.code)
    }
  }
}
