/** A file that is served as it stands: what the pages are made of, each in every coding there is. */

import type { Coding } from '../answer/codings.ts'

export interface StaticFile {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** The same, compressed. A small file has none. */
  readonly coded: Partial<Readonly<Record<Coding, Uint8Array>>>
  /** A strong tag of the plain form. */
  readonly etag: string
  /** What whoever has no sandbox gets instead; absent where it is the same. */
  readonly withoutSandbox?: StaticFile
}

/** What is told to each page in its head. Nothing in it is a secret. */
export interface PageSettings {
  /** A well-known key that works here; null asks the reader for theirs. */
  readonly sandboxKey: string | null
  /** What fair prices are measured by; others stand in. */
  readonly sharpBook: string
  /** Whether there is a token by which the operator's pages can be used. */
  readonly hasAdmin: boolean
}

/** Where the build puts the pages, under the folder of compiled files. */
export const pagesFolder = 'web'
export const assetsPath = '/assets'

/** Pages of the build that get something put in before they are served. */
export const boardTemplate = 'index.html'
export const statusTemplate = 'status.html'
export const isTemplate = (name: string) => name === boardTemplate || name === statusTemplate
