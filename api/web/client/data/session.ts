/**
 * The reader's key, and the choices stored in this browser. The key is kept with the tab, or on this device if the
 * reader chooses that. The operator's token is kept in memory only. Neither is ever part of a URL. Choices are stored
 * in localStorage.
 */

import type { PageSettings } from '../../static-file.ts'
import type { Profile } from '../../wire.ts'
import type { Choices } from './choices.ts'
import { createKept } from './kept.ts'
import { createKeptKey, openStore } from './kept-key.ts'

export const settings: PageSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=overround]')!.content,
)

const device = openStore(() => localStorage)
const ownKey = createKeptKey(
  openStore(() => sessionStorage),
  device,
)
let adminToken = ''

export const session = {
  key: () => ownKey.read() ?? settings.sandboxKey,
  /** Whether the reader entered the key. The sandbox's account is shared by all visitors. */
  hasOwnKey: () => ownKey.read() !== null,
  /** @param isForDevice whether all tabs of this browser have it, until the reader signs out */
  enter: (key: string, isForDevice: boolean) => ownKey.keep(key, isForDevice),
  /** Signs out in all tabs that go by the key of this device. */
  leave: () => ownKey.forget(),
  /** Forgets the key that the service has refused. */
  drop: () => ownKey.drop(),
  /** Calls back when the reader has entered or left in another tab. @returns a function that ends it */
  follow(onChange: () => void) {
    const listener = ({ key, storageArea }: StorageEvent) => {
      // Only a browser that lets pages keep something sends these events.
      if (storageArea === localStorage && ownKey.isChangedBy(key)) onChange()
    }
    addEventListener('storage', listener)
    return () => removeEventListener('storage', listener)
  },
  adminToken: () => adminToken,
  setAdminToken(token: string) {
    adminToken = token
  },
}

export const keptChoices = createKept<Choices>(device, 'overround.choices')
/** The reader's changes of the profile, where the account is shared. */
export const keptProfile = createKept<Profile>(device, 'overround.profile')
