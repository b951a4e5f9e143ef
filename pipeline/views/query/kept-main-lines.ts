/**
 * Which selections of the whole board are on a main line, kept from read to read: what has changed since
 * the last one is worked out anew, market by market. The first read for some sportsbooks goes through all
 * markets, which can be done in steps ahead of it, while the board changes.
 */

import { grown } from '../../memory/grown.ts'
import { type BoardView, eventListKey } from '../board/board-view.ts'
import { mainLinesOf } from './main-lines.ts'

export interface KeptMainLines {
  /** Goes through what has changed, some thousands of rows a step; null where that is no more than one. */
  ahead(): Iterator<void> | null
  /** One byte a selection, by number: 1 on the main line, 0 otherwise. As of now, good until the next change. */
  marks(): Uint8Array
}

/** Different lists of sportsbooks that are kept of a board, the last ones asked for. */
const mostKept = 8

const ofViews = new WeakMap<BoardView, Map<string, KeptMainLines>>()

/** @param allowed one byte a sportsbook: 1 where it counts; undefined for all */
export function keptMainLines(view: BoardView, allowed: Uint8Array | undefined): KeptMainLines {
  let ofView = ofViews.get(view)
  if (!ofView) {
    ofView = new Map()
    ofViews.set(view, ofView)
  }
  const key = allowed ? `of ${allowed.join('')}` : 'all'
  const kept = ofView.get(key) ?? createKeptMainLines(view, allowed)
  // The last asked for stand last.
  ofView.delete(key)
  ofView.set(key, kept)
  if (ofView.size > mostKept) ofView.delete(ofView.keys().next().value!)
  return kept
}

/** @param rowsPerStep so many prices are looked at in a step */
export function createKeptMainLines(
  view: BoardView,
  allowed: Uint8Array | undefined,
  rowsPerStep = 4_096,
): KeptMainLines {
  const lines = mainLinesOf(view)
  /** The rows that are marked: others when the board begins anew. */
  let marked = view.rows
  let marks = new Uint8Array(0)
  /** What changed up to this stamp is in the marks. */
  let markedTo = 0

  function* catchUp() {
    const { rows } = view
    if (rows !== marked) {
      marked = rows
      markedTo = 0
    }
    const from = markedTo
    const upTo = view.watermark
    let looked = 0
    // Events that come or move while others have their turn change behind `upTo`.
    for (const event of [...view.events(eventListKey.all)]) {
      if (event.changed.stamp <= from) continue
      for (const block of [...event.blocks]) {
        if (block.changed.stamp <= from || block.count === 0) continue
        const { selectionEnd } = rows.columns
        if (marks.length < selectionEnd) marks = grown(marks, Math.ceil(1.25 * selectionEnd))
        lines.mark(block, allowed, marks)
        looked += block.count
        if (looked < rowsPerStep) continue
        looked = 0
        yield
        if (rows !== view.rows) return
      }
    }
    markedTo = Math.max(markedTo, upTo)
  }

  return {
    ahead() {
      const steps = catchUp()
      return steps.next().done ? null : steps
    },
    marks() {
      for (const _ of catchUp());
      return marks
    },
  }
}
