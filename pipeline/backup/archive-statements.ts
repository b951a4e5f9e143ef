/**
 * The statements in the files of an archive. Its engine (ClickHouse) executes them when it opens
 * the directory: the definition of each database and table, and each unfinished mutation. A
 * statement can name files and servers, and a materialized view runs without a query. So the
 * statements of a backup may only have words, strings and signs of the migrations, and those that
 * the engine adds when it stores them.
 */

import { migrationStatements } from '../archive/migrations.ts'

type Kind = 'database' | 'table' | 'change'

/** The most bytes of a statement; the longest table has 2,000. */
export const mostStatementBytes = 65_536

const statements = migrationStatements()
const createTable = /^\s*CREATE TABLE IF NOT EXISTS (?<name>\w+)/
const addColumn = /^\s*ALTER TABLE \w+\s+ADD COLUMN IF NOT EXISTS (?<definition>.+)$/

/** The names of all tables. */
const tables: ReadonlySet<string> = new Set(
  statements.flatMap((statement) => createTable.exec(statement)?.groups?.name ?? []),
)

const wordsOf = (...texts: readonly string[]) => new Set(texts.flatMap(tokensOf))

/**
 * Words of the engine for what the migrations write in another form: `INTERVAL 730 DAY`, `Delta`,
 * `Nested`.
 */
const ofDefinitions =
  'ATTACH TABLE _ UUID toIntervalDay(730) index_granularity = 8192 `compared.samples`'
const ofChanges = 'format version: 1 create time: 2026-11-29 commands: (MATERIALIZE TTL)'

const words: Readonly<Record<Kind, ReadonlySet<string>>> = {
  database: wordsOf('ATTACH DATABASE _ UUID ENGINE = Atomic'),
  table: wordsOf(
    ofDefinitions,
    ...statements.filter((statement) => createTable.test(statement)),
    ...statements.flatMap((statement) => addColumn.exec(statement)?.groups?.definition ?? []),
  ),
  change: wordsOf(
    ofChanges,
    ...statements.filter((statement) => !createTable.test(statement) && !addColumn.test(statement)),
  ),
}

/** Returns whether the engine reads statements in the file. */
export const hasStatements = (path: string) => kindOf(path) !== null

function kindOf(path: string): Kind | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^mutation_/i.test(name)) return 'change'
  if (!/\.sql/i.test(name)) return null
  return /^archive\/metadata\/[^/]+$/.test(path) ? 'database' : 'table'
}

/**
 * Returns the foreign part of a file with statements: its name or a part of its text; null if there
 * is none.
 */
export function foreignPart(path: string, text: string): string | null {
  const kind = kindOf(path)
  if (kind === null) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (kind === 'database' && !/^[a-z][a-z0-9_]*\.sql$/.test(name)) return name
  if (kind === 'table' && !tables.has(name.replace(/\.sql$/, ''))) return name
  return tokensOf(text).find((token) => !isPlain(token) && !words[kind].has(token)) ?? null
}

/**
 * Returns whether a foreign part is a name and not a function: it may be a table or column of a
 * newer version. It is refused all the same.
 */
export const isOnlyName = (part: string, text: string) =>
  /^[a-z]\w*\.sql$/.test(part) ||
  (/^[a-z]\w*$/.test(part) && !new RegExp(`\\b${part}\\W?\\s*\\(`).test(text))

const isPlain = (token: string) => /^\d+$/.test(token) || uuid.test(token)
const uuid = /^'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'$/

/** Returns words, numbers, strings in quotes, and signs. Text in backticks is a name, so its words count. */
function tokensOf(text: string): readonly string[] {
  // In files of mutations the text is escaped once more.
  const found = text.replaceAll("\\'", "'").match(/'(?:[^'\\]|\\.)*'|\w+|->|[^\s\w]/gs) ?? []
  return found.map((token) => token.replaceAll('\\\\', '\\'))
}
