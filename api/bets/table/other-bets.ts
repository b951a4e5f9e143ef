/**
 * Recognises lines of a file that are no back bet on one selection at its own stake: lays, bets each way, of several
 * legs, free or void. Stored as plain bets, they would have another result. So a cell that says so refuses its line,
 * also in a column that is left out. Below a header about such bets, every cell refuses that does not say no.
 */

import type { BetColumn } from '../../../schemas/http/bets/files.ts'
import { findMarketNamed, possibleMarkets } from '../../../schemas/reference/market-names.ts'
import { numberOf, saysFree } from './cells.ts'
import { fault, type TableFault } from './fault.ts'
import { longestCell } from './formats.ts'
import {
  aboutPeople,
  betTypes,
  freeNamed,
  keyOf,
  liability,
  none,
  notTheBet,
  otherBets,
} from './import-words.ts'

type Bet = Readonly<Record<string, unknown>>

/** The name of each kind in messages, and the bets whose own columns state it. */
const kinds: {
  readonly [Kind in keyof typeof otherBets]: {
    readonly what: string
    readonly isStated?: (bet: Bet) => boolean
  }
} = {
  lay_bet: { what: 'a lay; it is no back bet on this selection' },
  each_way_bet: { what: 'each way or on a place, and not on the win alone' },
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

/** Returns an expression of phrases in a key, also in the plural. */
const anyOf = (phrases: readonly string[]) =>
  new RegExp(phrases.length === 0 ? '(?!)' : `(?<!\\S)(?:${phrases.join('|')})s?(?!\\S)`)

const saysNotTheBet = anyOf(notTheBet)
const saysLiability = anyOf(liability)
const saysPeople = anyOf(aboutPeople)
const wordsOf = kindNames.map((kind) => {
  const { headers, titles, cells, phrases } = otherBets[kind]
  return {
    ...{ kind, titles, cells: new Set(cells) },
    ...{ header: anyOf(headers), phrase: anyOf(phrases) },
  }
})

// ---- headers

/** The topic of a column: a kind by itself, the type of bet, what may be lost, or people. */
type Topic = Kind | 'type' | 'liability' | 'people'

/** Words about a title: `# of Selections`, `Is Free`, `Leg 2`. */
const aboutTitle = /^((is|no|number|total|of) )+| (\d+|no|number|count)$/g

function topicOf(header: string): Topic | undefined {
  const key = keyOf(header)
  const title = key.replaceAll(aboutTitle, '')
  if (betTypes.titles.includes(title)) return 'type'
  const ofKind = wordsOf.find(
    ({ header, titles }) =>
      titles.includes(title) || (header.test(key) && !saysNotTheBet.test(key.replace(header, ''))),
  )
  if (ofKind) return ofKind.kind
  if (saysLiability.test(key)) return 'liability'
  return saysPeople.test(key) ? 'people' : undefined
}

// ---- cells

/** Returns whether a cell has no information or says no: `--`, no, `0.00`. */
const saysNo = (cell: string) =>
  freeNamed(cell) === false ||
  none.includes(keyOf(cell)) ||
  /^[\p{Pd}.\s]+$/u.test(cell) ||
  (/\d/.test(cell) && !/[1-9]/.test(cell))

/** Words that add nothing to `single bet`, `1 leg`. */
const fillers = /( (bets?|wagers?|wetten?|legs?|selections?|picks?|1))+$/

const isAmong = (cell: string, plain: readonly string[]) =>
  plain.includes(keyOf(cell.replace(/^(\d+)[.,]0+$/, '$1')).replace(fillers, ''))

const longestMarket = 60
const isMarket = (cell: string) =>
  cell.length <= longestMarket &&
  (findMarketNamed(cell, '') !== undefined || possibleMarkets(cell, '').length > 0)

/** `3 legs`, `2-fold`, `3er`; not `5.5 legs`, nor `49er`. */
const severalLegs =
  /(?<![\p{L}\d.,])(?:(?:[2-9]|[1-9]\d+|two|three|four|five|six|seven|eight|nine|ten)[\s-]*(?:legs?|legged|legger|folds?|selections?)|(?:[2-9]|1\d)er)(?!\p{L})/iu

/** A cell of more words is a remark, and may name such a bet in passing. */
const mostWords = 4
/** Besides the name of such a bet: `Combo bet`, `3er Kombi`, `System 2/3`. */
const besideName = /(?<= )(?:bets?|wagers?|wetten?|tickets?|\d[\d/]*(?:er)?)(?= )/g

/**
 * Returns the kind that a cell names by itself, as *Lay* or *Parlay*.
 * @param isRemark whether it may name one in passing
 */
function kindOfCell(cell: string, isRemark: boolean): Kind | undefined {
  const key = keyOf(cell)
  const name = ` ${key} `.replaceAll(besideName, '').replaceAll(/ +/g, ' ').trim()
  const ofKind = wordsOf.find(
    ({ cells, phrase }) => cells.has(key) || cells.has(name) || (!isRemark && phrase.test(key)),
  )
  return ofKind?.kind ?? (severalLegs.test(cell) ? 'several_legs' : undefined)
}

const isRemark = (cell: string) => keyOf(cell).split(' ').length > mostWords

/** Returns the kind of the bet that a cell below a header says; undefined if it says a plain one. */
function kindBelow(
  topic: Topic | undefined,
  cell: string,
  bet: Bet,
  isBack: boolean,
): Kind | undefined {
  switch (topic) {
    case undefined:
      return kindOfCell(cell, isRemark(cell))
    case 'people':
      return undefined
    case 'type': {
      const isPlain = saysNo(cell) || isAmong(cell, betTypes.plain)
      const kind = isPlain ? undefined : kindOfCell(cell, false)
      return kind ?? (isPlain || isMarket(cell) ? undefined : 'several_legs')
    }
    case 'liability': {
      // That of a back bet is its stake.
      const isPlain = isBack || saysNo(cell) || numberOf('stake', cell, null) === bet.stake
      return isPlain ? undefined : 'lay_bet'
    }
    default: {
      const isPlain = saysNo(cell) || isAmong(cell, otherBets[topic].plain)
      return isPlain ? undefined : (kindOfCell(cell, false) ?? topic)
    }
  }
}

const isAboutBet: ReadonlySet<BetColumn | null> = new Set(['market', 'selection'])
const isLaySelection = /^lay[\s:]|[([]\s*lay\s*[)\]]/i

/** Returns the kind that a market or a selection says, in which a number of legs may be a line of darts. */
function kindOnWhat(column: BetColumn, cell: string): Kind | undefined {
  if (column === 'selection' && isLaySelection.test(cell)) return 'lay_bet'
  const isOfLegs = severalLegs.exec(cell)?.[0] === cell
  const kind = kindOfCell(cell.replace(severalLegs, ''), isRemark(cell))
  return kind ?? (isOfLegs ? 'several_legs' : undefined)
}

/** Returns why a line is no plain bet; null if it is one. @param bet the fields of the line */
export type OtherFault = (cells: readonly string[], bet: Bet) => TableFault | null

/** @param columns as in `Head`; those left out are read too */
export function createOtherFault(
  names: readonly string[],
  columns: readonly (BetColumn | null)[],
): OtherFault {
  const topics = columns.map((column, i) => (column === null ? topicOf(names[i]!) : undefined))
  return (cells, bet) => {
    const isBack = cells.some((cell, i) => topics[i] === 'lay_bet' && /^b(ack)?\b/i.test(cell))
    for (const [i, whole] of cells.entries()) {
      const column = columns[i] ?? null
      const cell = whole.slice(0, longestCell)
      if (cell === '' || (column !== null && !isAboutBet.has(column))) continue
      const kind = column ? kindOnWhat(column, cell) : kindBelow(topics[i], cell, bet, isBack)
      if (kind === undefined || kinds[kind].isStated?.(bet)) continue
      const where = `the column ${names[i]} says ${cell.slice(0, 40)}`
      const unless = column ? '' : '. If it means something else, leave the column out of the file'
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
