/**
 * What a backup may contain: the log's file, and the files of the archive's engine (ClickHouse).
 * All else is left out when a backup is written, and refused when one is unpacked.
 */

const logFiles: ReadonlySet<string> = new Set(['log/data.mdb', 'log/topics.json'])

/**
 * Matches folders and files at the top of the archive. Its engine creates others as it needs them; dropped tables are
 * left out.
 */
const ofArchive = /^archive\/(data|metadata|store|status|uuid)(\/|$)/
/** Matches names as the engine writes them: any other character is escaped by `%`. */
const part = /^[A-Za-z0-9_%][A-Za-z0-9_%.-]*$/
const longestPart = 255
const mostParts = 12

const isInArchive = (path: string) => {
  const parts = path.split('/')
  const isPart = (text: string) => text.length <= longestPart && part.test(text)
  return ofArchive.test(path) && parts.length <= mostParts && parts.every(isPart)
}

/** Paths are relative to the data directory, with slashes. */
export const isKnownFile = (path: string) => logFiles.has(path) || isInArchive(path)

export const isKnownFolder = (path: string) =>
  path === 'log' || path === 'archive' || isInArchive(path)

const store = 'store/[0-9a-f]{3}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ofDatabase = new RegExp(`^\\.\\./${store}$`)
const ofTable = new RegExp(`^\\.\\./\\.\\./${store}$`)

/**
 * Returns whether a link is one that the engine makes: from the name of a database or table to its
 * place in the store.
 * @param to its target, as written
 */
export const isKnownLink = (path: string, to: string) =>
  isInArchive(path) &&
  ((/^archive\/metadata\/[^/]+$/.test(path) && ofDatabase.test(to)) ||
    (/^archive\/data\/[^/]+\/[^/]+$/.test(path) && ofTable.test(to)))
