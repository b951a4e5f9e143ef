/** Creates the elements of a game on the board, empty: a line for each side, a cell for each column. */

import { type CellView, createCell, make } from './cells.ts'

export interface LineView {
  readonly when: Text
  readonly link: HTMLAnchorElement
  readonly name: Text
  readonly score: Text
  readonly best: CellView
  readonly hold: CellView
  readonly fair: CellView
  readonly open: CellView
  readonly trend: SVGPathElement
  readonly cells: readonly CellView[]
}

export interface RowView {
  readonly element: HTMLElement
  readonly head: Text
  /** Hold of the best prices, on a card. */
  readonly headHold: Text
  readonly lines: readonly LineView[]
  key: string
}

const svg = 'http://www.w3.org/2000/svg'
export const trendBox = { width: 60, height: 18 }

/** @param headings of the columns of sportsbooks, by `groupHeadings`; empty on a card */
export function createRow(lineCount: number, headings: readonly string[]): RowView {
  const element = make('div', 'game')
  element.setAttribute('role', 'rowgroup')
  const cardHead = make('div', 'card-head')
  cardHead.setAttribute('aria-hidden', 'true')
  const head = document.createTextNode('')
  const headHold = document.createTextNode('')
  cardHead.append(head, headHold)
  element.append(cardHead)
  const lines: LineView[] = []
  for (let i = 0; i < lineCount; i++) lines.push(createLine(element, headings))
  return { element, head, headHold, lines, key: '' }
}

function createLine(game: HTMLElement, headings: readonly string[]): LineView {
  const element = make('div', 'line')
  element.setAttribute('role', 'row')
  const pinned = make('div', 'pinned')
  pinned.setAttribute('role', 'rowheader')
  const whenElement = make('span', 'when')
  const link = document.createElement('a')
  link.className = 'side'
  const scoreElement = make('span', 'score')
  const when = document.createTextNode('')
  const name = document.createTextNode('')
  const score = document.createTextNode('')
  whenElement.append(when)
  link.append(name)
  scoreElement.append(score)
  pinned.append(whenElement, link, scoreElement)
  element.append(pinned)
  const best = createCell(element, 'cell best')
  const hold = createCell(element, 'cell hold')
  const fair = createCell(element, 'cell fair')
  const open = createCell(element, 'cell open')
  const trendCell = make('div', 'cell move')
  trendCell.setAttribute('role', 'cell')
  const picture = document.createElementNS(svg, 'svg')
  picture.setAttribute('viewBox', `0 -1 ${trendBox.width} ${trendBox.height + 2}`)
  picture.setAttribute('aria-hidden', 'true')
  const trend = document.createElementNS(svg, 'path')
  picture.append(trend)
  trendCell.append(picture)
  element.append(trendCell)
  const cells = headings.map((heading) => {
    const cell = createCell(element, 'cell')
    if (heading) cell.element.dataset.first = ''
    return cell
  })
  game.append(element)
  return { when, link, name, score, best, hold, fair, open, trend, cells }
}
