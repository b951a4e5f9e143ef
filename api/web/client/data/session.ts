/**
 * The reader's key, and the choices stored in this browser. The key is stored in sessionStorage: it survives a reload
 * and ends with the tab. The operator's token is kept in memory only. Neither is ever part of a URL. Choices are
 * stored in localStorage.
 */

import type { PageSettings } from '../../static-file.ts'
import type { KeptChoices } from './choices.ts'
import type { ProfileEdit } from './profile.ts'

export const settings: PageSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=overround]')!.content,
)

const keyName = 'overround.key'
let adminToken = ''

export const session = {
  key: () => sessionStorage.getItem(keyName) ?? settings.sandboxKey,
  /** Whether the reader entered the key. The sandbox's account is shared by all visitors. */
  hasOwnKey: () => sessionStorage.getItem(keyName) !== null,
  setKey(key: string | null) {
    if (key === null) sessionStorage.removeItem(keyName)
    else sessionStorage.setItem(keyName, key)
  },
  adminToken: () => adminToken,
  setAdminToken(token: string) {
    adminToken = token
  },
}

/** An object that localStorage keeps under a name. */
function kept<Kept extends object>(name: string) {
  return {
    read(): Kept | Record<string, never> {
      try {
        return JSON.parse(localStorage.getItem(name) ?? '{}')
      } catch {
        return {}
      }
    },
    keep: (value: Kept) => localStorage.setItem(name, JSON.stringify(value)),
  }
}

export const keptChoices = kept<KeptChoices>('overround.choices')
/** The reader's changes of the profile, where the account is shared. */
export const keptProfile = kept<ProfileEdit>('overround.profile')
