/**
 * The reader's key and choices. The key is kept in sessionStorage: it survives a reload and ends with the tab. The
 * operator's token is kept in memory only. Neither is ever part of a URL. Choices are kept in localStorage.
 */

import type { PageSettings } from '../../static-file.ts'
import type { OddsFormat } from '../format/odds.ts'
import type { Zone } from '../format/time.ts'
import type { Figure } from './columns.ts'

export const settings: PageSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=overround]')!.content,
)

const keyName = 'overround.key'
let adminToken = ''

export const session = {
  key: () => sessionStorage.getItem(keyName) ?? settings.sandboxKey,
  setKey(key: string | null) {
    if (key === null) sessionStorage.removeItem(keyName)
    else sessionStorage.setItem(keyName, key)
  },
  adminToken: () => adminToken,
  setAdminToken(token: string) {
    adminToken = token
  },
}

export interface Choices {
  readonly format: OddsFormat
  readonly zone: Zone
  /** Null: as the system. */
  readonly scheme: 'dark' | 'light' | null
  readonly isRailOpen: boolean
  /** Figures of the board beside the prices. */
  readonly figures: readonly Figure[]
  /** The reader's own sportsbooks, the first first. Empty: none chosen. */
  readonly books: readonly string[]
  /** Shows and counts the reader's own sportsbooks alone. */
  readonly isOnlyMine: boolean
}

const choicesName = 'overround.choices'
const firstChoices: Choices = {
  format: 'american',
  zone: 'local',
  scheme: null,
  isRailOpen: false,
  figures: ['best', 'hold', 'fair'],
  books: [],
  isOnlyMine: false,
}

export function readChoices(): Choices {
  try {
    return { ...firstChoices, ...JSON.parse(localStorage.getItem(choicesName) ?? '{}') }
  } catch {
    return firstChoices
  }
}

export const keepChoices = (choices: Choices) =>
  localStorage.setItem(choicesName, JSON.stringify(choices))
