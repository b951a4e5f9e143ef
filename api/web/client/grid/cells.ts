/** Elements of the board's table, which are written only where their content has changed. */

export interface CellView {
  readonly element: HTMLElement
  readonly line: Text
  readonly price: Text
  className: string
  title: string
  spoken: string | null
  flashEndsAt: number
}

export function make(tag: string, className: string, text?: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  if (text) element.textContent = text
  return element
}

export function createCell(parent: HTMLElement, className: string): CellView {
  const element = make('div', className)
  element.setAttribute('role', 'cell')
  const lineElement = make('span', 'small')
  const priceElement = make('span', 'price')
  const line = document.createTextNode('')
  const price = document.createTextNode('')
  lineElement.append(line)
  priceElement.append(price)
  element.append(lineElement, priceElement)
  parent.append(element)
  return { element, line, price, className, title: '', spoken: null, flashEndsAt: 0 }
}

export function setCell(
  cell: CellView,
  line: string,
  price: string,
  className: string,
  title: string,
) {
  setText(cell.line, line)
  setText(cell.price, price)
  setClass(cell, className)
  if (cell.title !== title) {
    cell.title = title
    cell.element.title = title
  }
}

export function setSpoken(cell: CellView, text: string | null) {
  if (cell.spoken === text) return
  cell.spoken = text
  if (text === null) cell.element.removeAttribute('aria-label')
  else cell.element.setAttribute('aria-label', text)
}

export function setClass(cell: CellView, className: string) {
  if (cell.className === className) return
  cell.className = className
  cell.element.className = className
}

export function setText(node: Text, text: string) {
  if (node.data !== text) node.data = text
}
