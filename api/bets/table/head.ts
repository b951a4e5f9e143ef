/** Recognises the columns of a file of bets by their names. */

import { type BetColumn, betColumns } from '../../../schemas/http/bets/files.ts'
import { ApiError } from '../../errors.ts'
import type { TableOptions } from './formats.ts'
import { columnNamed, outcomeNamed } from './import-words.ts'

const mostColumns = 200

export interface Head {
  readonly line: number
  readonly names: readonly string[]
  /** The column at each position; null for an ignored one. */
  readonly columns: readonly (BetColumn | null)[]
  /** Names of no column. */
  readonly unknown: readonly string[]
}

/**
 * Columns that a file may have several times, such as one that states whether a bet is free, and
 * one with the free amount.
 */
const severalTimes: ReadonlySet<BetColumn> = new Set(['free_bet', 'currency'])

export function headOf(
  line: number,
  names: readonly string[],
  { ignoresOthers }: TableOptions,
): Head {
  if (names.length > mostColumns) {
    throw new ApiError('validation_error', `A file has at most ${mostColumns} columns.`)
  }
  const named = names.map((name) => columnNamed(name) ?? null)
  // In our own file `created_at` is beside `placed_at`; in a tracker's it is when the bet was
  // placed.
  const columns = named.includes('placed_at')
    ? named
    : named.map((column) => (column === 'created_at' ? 'placed_at' : column))
  const unknown = names.filter((name, i) => columns[i] === null && name !== '')
  if (unknown.length > 0 && !ignoresOthers) {
    const known = [...betColumns].filter(([, kind]) => kind !== 'shown').map(([name]) => name)
    throw new ApiError(
      'validation_error',
      `No column is called ${unknown.slice(0, 5).join(', ').slice(0, 200)}; there are ${known.join(', ')}. Leave others out with other_columns=ignore.`,
    )
  }
  const read = columns.map((column) =>
    column && betColumns.get(column) !== 'shown' ? column : null,
  )
  const isOnce = (column: BetColumn | null) =>
    column !== null && !severalTimes.has(column) && !(ignoresOthers && column === 'result')
  const twice = read.find((column, i) => isOnce(column) && read.indexOf(column) !== i)
  if (twice) throw bothAre(twice, { names, columns: read })
  return { line, names, columns: read, unknown }
}

const bothAre = (column: BetColumn, { names, columns }: Pick<Head, 'names' | 'columns'>) => {
  const both = names.filter((_, i) => columns[i] === column)
  return new ApiError('validation_error', `Columns ${both.join(' and ')} are both ${column}.`)
}

/**
 * Leaves out columns of results without any result if another has some: *Estado* says that a bet is settled, and
 * *Resultado* how.
 * @param lines the cells of the lines
 * @throws ApiError validation_error if several have results, or none
 */
export function withOneResult(head: Head, lines: readonly (readonly string[])[]): Head {
  const places = head.columns.flatMap((column, i) => (column === 'result' ? [i] : []))
  if (places.length < 2) return head
  const isResult = (cell = '') => (outcomeNamed(cell) ?? 'open') !== 'open'
  const [place, ...others] = places.filter((i) => lines.some((cells) => isResult(cells[i])))
  if (place === undefined || others.length > 0) throw bothAre('result', head)
  const isLeftOut = (i: number) => head.columns[i] === 'result' && i !== place
  return {
    ...head,
    columns: head.columns.map((column, i) => (isLeftOut(i) ? null : column)),
    unknown: [...head.unknown, ...head.names.filter((_, i) => isLeftOut(i))],
  }
}
