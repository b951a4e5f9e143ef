/** The shape of a served file, the settings passed to pages, and names shared by the build and the server. */

import type { Chain } from '../../pipeline/rules/odds/chains.ts'
import type { Coding } from '../answer/codings.ts'

export interface StaticFile {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The compressed forms; empty for templates and pictures. */
  readonly coded: Partial<Readonly<Record<Coding, Uint8Array>>>
  /** The strong ETag of the uncompressed form. */
  readonly etag: string
  /** Absent: 200. */
  readonly status?: number
  /** Served instead to callers who may not use the sandbox; absent if it is the same. */
  readonly withoutSandbox?: StaticFile
  /** Served instead while prices are simulated; absent if it is the same. */
  readonly whenSimulated?: StaticFile
}

/** Settings in the head of every page. None is a secret. */
export interface PageSettings {
  /** A sandbox key that works here; null if the page must ask for a key. */
  readonly sandboxKey: string | null
  /** The preferred sharp book for fair prices; see `chainsOf`. */
  readonly sharpBook: string
  /** Whether the consensus of sportsbooks measures where no sharp book does; see `chainsOf`. */
  readonly hasConsensus: boolean
  /** Chains by league or sport; absent for none. */
  readonly anchors?: readonly (readonly [key: string, chain: Chain])[]
  /** Whether an admin token is set, which the operator's pages need. */
  readonly hasAdmin: boolean
  /** Whether prices are simulated. Every page says so. */
  readonly isSimulated: boolean
}

/** The page for a browser's request of an unknown path. */
export const unknownPath = '/404'

/** The folder of the built pages, inside `dist`. */
export const pagesFolder = 'web'
export const assetsPath = '/assets'

/** Built pages that are filled in before they are served. */
export const boardTemplate = 'index.html'
export const statusTemplate = 'status.html'
export const isTemplate = (name: string) => name === boardTemplate || name === statusTemplate
