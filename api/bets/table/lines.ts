/** Splits a CSV file into lines and cells, whatever its separator. */

import { type CsvError, parse as parseCsv } from 'csv-parse/sync'

const longestLine = 16_384

interface FileLine {
  readonly line: number
  readonly content: string
}

/**
 * Yields the lines of a file. Lines within an open quote count as one, if they are not too long
 * together and hold the cells of one line. Otherwise the quote spoils only its own line.
 * @param hasCells whether a text is the cells of one line
 */
export function* linesOf(
  text: string,
  hasCells: (content: string) => boolean,
): Generator<FileLine> {
  for (let line = 1, from = 0; from < text.length; ) {
    const first = endOfLine(text, from)
    const [count, end] = quotedLines(text, from, hasCells) ?? [1, first]
    yield { line, content: text.slice(from, end.at) }
    line += count
    from = end.next
  }
}

/**
 * Returns how many lines the open quote of a line joins, and where they end; null if it joins none.
 */
function quotedLines(text: string, from: number, hasCells: (content: string) => boolean) {
  let end = endOfLine(text, from)
  let isOpen = hasOpenQuote(text.slice(from, end.at))
  if (!isOpen) return null
  let count = 1
  while (isOpen && end.next < text.length && end.next - from <= longestLine) {
    const start = end.next
    end = endOfLine(text, start)
    if (hasOpenQuote(text.slice(start, end.at))) isOpen = false
    count++
  }
  const isOne = !isOpen && end.at - from <= longestLine && hasCells(text.slice(from, end.at))
  return isOne ? ([count, end] as const) : null
}

/** Returns where a line ends, and where the next one begins. */
function endOfLine(text: string, from: number) {
  const mark = /\r\n|\n|\r|$/g
  mark.lastIndex = from
  const found = mark.exec(text)!
  return { at: found.index, next: found.index + found[0].length }
}

/** Returns whether a line has a quote without another: doubled quotes are text. */
const hasOpenQuote = (content: string) => content.split('"').length % 2 === 0

/**
 * Returns the separator, judged by the first line, and the line with the column names. Excel may write `sep=;` first.
 */
export function separatorOf(text: string): readonly [separator: string, line: number] {
  const first = /^[^\r\n]*/.exec(text)![0]
  const stated = /^sep=(.)$/i.exec(first.trim().replaceAll('"', ''))
  if (stated) return [stated[1]!, 2]
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, bare.split(mark).length] as const)
  return [counts.sort((a, b) => b[1] - a[1])[0]![0], 1]
}

/** Returns the cells of a line, or an error message. */
export function cellsOf(content: string, delimiter: string): readonly string[] | string {
  if (content.length > longestLine) return `a line has at most ${longestLine} characters`
  try {
    const [cells = [], ...others] = parseCsv(content, { trim: true, delimiter })
    return others.length === 0 ? cells : 'a quote is not closed'
  } catch (error) {
    return (error as CsvError).message
  }
}
