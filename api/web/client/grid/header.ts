/** The head of the board's table: figures, sportsbooks in groups, and how fresh the prices of each are. */

import type { Sportsbook } from '../../wire.ts'
import {
  figures as allFigures,
  type BookGroup,
  type Figure,
  type Freshness,
  groupOf,
} from '../data/columns.ts'
import { make } from './cells.ts'

/** The choices that decide the columns of the table. */
export interface Columns {
  /** Whether each game is a card, without columns. */
  readonly isNarrow: boolean
  readonly figures: readonly Figure[]
  readonly sportsbooks: readonly Sportsbook[]
  /** The reader's own sportsbooks. */
  readonly mine: readonly string[]
}

export interface BoardHeader {
  readonly element: HTMLElement
  draw(columns: Columns): void
  /** Colours the dot of each sportsbook. */
  showFreshness(freshness: ReadonlyMap<string, Freshness>): void
}

const groupNames = {
  sharp: 'Sharp',
  exchange: 'Exchange',
  retail: 'Retail',
} as const satisfies Record<BookGroup, string>

const dotTitles: Readonly<Record<Freshness, string>> = {
  fresh: 'Newest price less than 10 s old',
  recent: 'Newest price less than 60 s old',
  old: 'Newest price older than a minute',
  down: 'Down: it sends no prices',
}

/** Returns the name of the group that begins with each sportsbook; '' for the others of a group. */
export function groupHeadings({
  sportsbooks,
  mine,
}: Pick<Columns, 'sportsbooks' | 'mine'>): readonly string[] {
  let before = ''
  return sportsbooks.map((book) => {
    const group = mine.includes(book.id) ? 'Mine' : groupNames[groupOf(book)]
    const heading = group === before ? '' : group
    before = group
    return heading
  })
}

/** @param table gets a class for each figure that it has no column of */
export function createHeader(table: HTMLElement): BoardHeader {
  const element = make('div', 'header')
  element.setAttribute('role', 'rowgroup')
  const dots = new Map<string, HTMLElement>()
  return {
    element,
    draw(columns) {
      const { isNarrow, figures, sportsbooks } = columns
      dots.clear()
      table.classList.toggle('narrow', isNarrow)
      for (const figure of allFigures) {
        table.classList.toggle(`no-${figure}`, !isNarrow && !figures.includes(figure))
      }
      const row = make('div', 'heads')
      row.setAttribute('role', 'row')
      const head = (name: string, className: string, title = '') => {
        const cell = make('div', `head ${className}`)
        cell.setAttribute('role', 'columnheader')
        if (title) cell.title = title
        cell.append(make('span', 'name', name))
        row.append(cell)
        return cell
      }
      head('Game', 'pinned')
      head('Best', 'best', 'The highest price you can bet on now, and the sportsbook that has it')
      head(
        'Hold',
        'hold',
        'Margin left in the best prices, before fees of exchanges; below 0 is an arbitrage before them',
      )
      head(
        'Fair',
        'fair',
        'Price without a margin: of the sharp book, or the consensus where none offers it',
      )
      head('Open', 'open', 'First price of this line at the sharp book')
      head('Move', 'move', 'Fair probability since the opening price')
      if (!isNarrow) {
        const headings = groupHeadings(columns)
        sportsbooks.forEach((book, i) => {
          const cell = head(book.short_name, 'book', book.display_name)
          if (headings[i]) {
            cell.classList.add('first')
            cell.prepend(make('span', 'group', headings[i]))
          }
          const dot = make('i', 'dot')
          dots.set(book.id, dot)
          cell.append(dot)
        })
      }
      element.replaceChildren(row)
    },
    showFreshness(freshness) {
      for (const [id, dot] of dots) {
        const state = freshness.get(id) ?? 'down'
        if (dot.dataset.state === state) continue
        dot.dataset.state = state
        dot.title = dotTitles[state]
      }
    },
  }
}
