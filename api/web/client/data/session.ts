/**
 * The reader's key, and the choices kept in this browser. The key is kept in sessionStorage: it survives a reload and
 * ends with the tab. The operator's token is kept in memory only. Neither is ever part of a URL. Choices are kept in
 * localStorage.
 */

import type { PageSettings } from '../../static-file.ts'
import type { KeptChoices } from './choices.ts'

export const settings: PageSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=overround]')!.content,
)

const keyName = 'overround.key'
let adminToken = ''

export const session = {
  key: () => sessionStorage.getItem(keyName) ?? settings.sandboxKey,
  /** Whether the reader gave the key; the sandbox's account is shared by all visitors. */
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

const choicesName = 'overround.choices'
export function readChoices(): KeptChoices {
  try {
    return JSON.parse(localStorage.getItem(choicesName) ?? '{}')
  } catch {
    return {}
  }
}

export const keepChoices = (choices: KeptChoices) =>
  localStorage.setItem(choicesName, JSON.stringify(choices))
