/**
 * Recognises lines of a file that are no back bet on one selection at its own stake: lays, bets each way, of several
 * legs, free or void. Stored as plain bets, they would have another result. So a cell that says so refuses its line,
 * also in a column that is left out.
 */

import type { BetColumn } from '../../../schemas/http/bets/files.ts'
import { saysFree } from './cells.ts'
import { fault, type TableFault } from './fault.ts'
import { freeNamed, keyOf, otherBets } from './import-words.ts'

/** The name of each kind in messages, and the bets whose own columns state it. */
const kinds: {
  readonly [Kind in keyof typeof otherBets]: {
    readonly what: string
    readonly isStated?: (bet: Readonly<Record<string, unknown>>) => boolean
  }
} = {
  lay_bet: { what: 'a lay; it is no back bet on this selection' },
  each_way_bet: { what: 'each way, which is two bets' },
  several_legs: { what: 'of several legs, and a bet is of one' },
  unknown_free_bet: {
    what: 'free: say so in a column free_bet',
    isStated: ({ free_bet }) => saysFree(free_bet),
  },
  unknown_result: {
    what: 'void or cashed out: say so in the column of results',
    isStated: ({ result }) => result === 'refunded' || result === 'cashed_out',
  },
}
type Kind = keyof typeof kinds
const kindNames = Object.keys(kinds) as Kind[]

/** A cell of more words is a remark, and may name such a bet in passing. */
const mostWords = 4

const says = (key: string, phrase: string) => ` ${key} `.includes(` ${phrase} `)

/** Returns the kind that a header is about, as *Back/Lay* or *Legs*. */
const kindOfHeader = (header: string): Kind | undefined =>
  kindNames.find((kind) => otherBets[kind].headers.some((phrase) => says(keyOf(header), phrase)))

/** Returns the kind that a cell names by itself, as *Lay* or *Parlay*. */
function kindOfCell(cell: string): Kind | undefined {
  const key = keyOf(cell)
  const isShort = key.split(' ').length <= mostWords
  return kindNames.find((kind) => {
    const { cells, phrases } = otherBets[kind]
    return cells.includes(key) || (isShort && phrases.some((phrase) => says(key, phrase)))
  })
}

/** Returns whether a cell below the header of a kind says that the bet is not of it: empty, no, 0. */
const isPlain = (kind: Kind, cell: string) =>
  freeNamed(cell) === false ||
  (/\d/.test(cell) && !/[1-9]/.test(cell)) ||
  otherBets[kind].plain.includes(keyOf(cell))

const isAboutBet: ReadonlySet<BetColumn | null> = new Set(['market', 'selection'])
const isLaySelection = /^lay[\s:]|[([]\s*lay\s*[)\]]/i

/** Returns why a line is no plain bet; null if it is one. @param bet the fields of the line */
export type OtherFault = (
  cells: readonly string[],
  bet: Readonly<Record<string, unknown>>,
) => TableFault | null

/** @param columns as in `Head`; those left out are read too */
export function createOtherFault(
  names: readonly string[],
  columns: readonly (BetColumn | null)[],
): OtherFault {
  const headers = columns.map((column, i) =>
    column === null ? kindOfHeader(names[i]!) : undefined,
  )
  const kindAt = (i: number, cell: string): Kind | undefined => {
    const column = columns[i] ?? null
    if (column === 'selection' && isLaySelection.test(cell)) return 'lay_bet'
    if (column !== null && !isAboutBet.has(column)) return undefined
    const header = headers[i]
    if (header !== undefined && isPlain(header, cell)) return undefined
    return kindOfCell(cell) ?? header
  }
  return (cells, bet) => {
    for (const [i, cell] of cells.entries()) {
      if (cell === '') continue
      const kind = kindAt(i, cell)
      if (kind === undefined || kinds[kind].isStated?.(bet)) continue
      const where = `the column ${names[i]} says ${cell.slice(0, 40)}`
      const unless = columns[i]
        ? ''
        : '. If it means something else, leave the column out of the file'
      return fault(kind, `${where}: the bet is ${kinds[kind].what}${unless}`)
    }
    return null
  }
}

/** The columns that say what a bet is on. */
const onWhat: ReadonlySet<BetColumn | null> = new Set([
  ...['event', 'event_id', 'home_team', 'away_team', 'start_time'],
  ...['market', 'selection', 'line', 'player_name'],
] as const)

/**
 * Finds references under which a file has bets on different things: the legs of one bet, a line each. Each would be
 * stored as a bet at the odds of all.
 * @returns why a line is such a leg; null if it is none
 */
export function createLegFault(
  columns: readonly (BetColumn | null)[],
  lines: Iterable<readonly string[]>,
): (cells: readonly string[]) => TableFault | null {
  const at = columns.indexOf('reference')
  const firsts = new Map<string, string>()
  const shared = new Set<string>()
  const betOn = (cells: readonly string[]) =>
    cells
      .filter((_, i) => onWhat.has(columns[i] ?? null))
      .join('\n')
      .toLowerCase()
  for (const cells of at < 0 ? [] : lines) {
    const reference = cells[at] ?? ''
    if (reference === '') continue
    const first = firsts.get(reference)
    if (first === undefined) firsts.set(reference, betOn(cells))
    else if (first !== betOn(cells)) shared.add(reference)
  }
  return (cells) => {
    const reference = cells[at] ?? ''
    if (!shared.has(reference)) return null
    const message = `several lines have the reference ${reference.slice(0, 40)} and are on different things: legs of one bet are not kept, and single bets need a reference each`
    return fault('several_legs', message)
  }
}
